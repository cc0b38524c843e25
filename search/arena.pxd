"""Tree nodes in one block of memory, linked by index; written by several threads without locks.

Counters are relaxed atomics: a lost update costs a visit, never a crash. A node's children stand in one block,
reserved when it is expanded; options first met in another world go into further blocks chained behind it.
"""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.types cimport Action

cdef extern from *:
    """
    static inline uint32_t serai_get(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline uint32_t serai_acquire(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
    static inline void serai_set(uint32_t *p, uint32_t v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
    static inline void serai_bump(uint32_t *p) { serai_set(p, serai_get(p) + 1); }
    static inline float serai_getf(const float *p) { float v; __atomic_load(p, &v, __ATOMIC_RELAXED); return v; }
    static inline void serai_addf(float *p, float x) { float v = serai_getf(p) + x; __atomic_store(p, &v, __ATOMIC_RELAXED); }
    static inline int serai_publish(uint32_t *p, uint32_t v) {
        uint32_t none = 0;
        return __atomic_compare_exchange_n(p, &none, v, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    }
    static inline uint64_t serai_fetch_add(uint64_t *p, uint64_t n) { return __atomic_fetch_add(p, n, __ATOMIC_RELAXED); }
    static inline void serai_prefetch(const void *p) {
        __builtin_prefetch(p);
        __builtin_prefetch((const char *)p + 64);
        __builtin_prefetch((const char *)p + 128);
        __builtin_prefetch((const char *)p + 192);
    }
    static inline uint64_t serai_get64(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    """
    uint32_t get "serai_get"(const uint32_t* p) noexcept nogil
    uint32_t acquire "serai_acquire"(const uint32_t* p) noexcept nogil
    void put "serai_set"(uint32_t* p, uint32_t v) noexcept nogil
    void bump "serai_bump"(uint32_t* p) noexcept nogil
    float getf "serai_getf"(const float* p) noexcept nogil
    void addf "serai_addf"(float* p, float x) noexcept nogil
    bint publish "serai_publish"(uint32_t* p, uint32_t v) noexcept nogil     # set once, if still 0
    uint64_t fetch_add "serai_fetch_add"(uint64_t* p, uint64_t n) noexcept nogil
    void prefetch "serai_prefetch"(const void* p) noexcept nogil
    uint64_t get64 "serai_get64"(const uint64_t* p) noexcept nogil

cdef struct Node:
    Action action           # of the edge into this node
    uint32_t visits
    uint32_t missed         # visits to the parent in which the action was not legal
    uint32_t children       # index of the head of the first block, 0 = not expanded
    float value             # sum over visits of the mover's share of the win
    float prior

# A block's head is a Node too, with its own reading of the fields: `action` = number of nodes in the block,
# `visits` and `value` = totals over all children of the parent (first block only), `children` = next block,
# `prior` > 0 = the planner has advised here (first block only).

cdef struct Arena:
    Node* nodes             # [0] is the root, [1] stays unused so that 0 can mean "none"
    uint32_t capacity
    uint64_t used           # bump pointer, shared by the threads

cdef struct Chunk:          # a thread's own reserve
    uint32_t next
    uint32_t end

cdef int open_arena(Arena* arena, size_t bytes) except -1
cdef void close_arena(Arena* arena) noexcept nogil
cdef void clear(Arena* arena) noexcept nogil
cdef uint32_t reserve(Arena* arena, Chunk* chunk, uint32_t children) noexcept nogil
cdef bint is_full(const Arena* arena) noexcept nogil
cdef int keep_subtree(Arena* arena, uint32_t root) except -1
