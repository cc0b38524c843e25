"""Memory of the search tree."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from serai.core.check cimport check

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__linux__)
      #include <sys/mman.h>
    #endif
    /* A tree is read at random: large pages, where the system has them, spare most of the look-ups. */
    static void *serai_large(size_t bytes) {
        void *p = NULL;
        if (posix_memalign(&p, (size_t)1 << 21, bytes)) return NULL;
    #if defined(MADV_HUGEPAGE)
        madvise(p, bytes, MADV_HUGEPAGE);
    #endif
        return p;
    }
    """
    void* large "serai_large"(size_t bytes) noexcept nogil

cdef enum:
    CHUNK = 512             # nodes a thread takes at once
    FIRST = 2


cdef int open_arena(Arena* arena, size_t bytes) except -1:
    """Memory for a tree; pages are only used once the tree grows into them."""
    cdef size_t smallest = 4 * CHUNK, largest = 0xFFFFFF00U
    cdef size_t capacity = min(max(bytes // sizeof(Node), smallest), largest)
    arena.nodes = <Node*>large(capacity * sizeof(Node))
    if arena.nodes is NULL:
        raise MemoryError
    arena.capacity = <uint32_t>capacity
    clear(arena)
    return 0


cdef void close_arena(Arena* arena) noexcept nogil:
    free(arena.nodes)
    arena.nodes = NULL


cdef void clear(Arena* arena) noexcept nogil:
    """Forget the tree."""
    memset(&arena.nodes[0], 0, sizeof(Node))
    arena.used = FIRST


cdef uint32_t reserve(Arena* arena, Chunk* chunk, uint32_t children) noexcept nogil:
    """Index of the head of a fresh block with room for a number of children; 0 when the memory is full."""
    cdef uint32_t head, wanted = children + 1
    cdef uint64_t start
    if chunk.end - chunk.next < wanted:
        if get64(&arena.used) + max(wanted, <uint32_t>CHUNK) > arena.capacity:
            return 0
        start = fetch_add(&arena.used, max(wanted, <uint32_t>CHUNK))
        if start + max(wanted, <uint32_t>CHUNK) > arena.capacity:
            return 0
        chunk.next = <uint32_t>start
        chunk.end = <uint32_t>start + max(wanted, <uint32_t>CHUNK)
    head = chunk.next
    chunk.next += wanted
    memset(&arena.nodes[head], 0, wanted * sizeof(Node))
    arena.nodes[head].action = children
    return head


cdef bint is_full(const Arena* arena) noexcept nogil:
    """True if a thread can't take any more nodes."""
    return get64(&arena.used) + CHUNK > arena.capacity


# ---- keeping a part of the tree

cdef int keep_subtree(Arena* arena, uint32_t root) except -1:
    """Make a node the root and drop everything not below it."""
    cdef size_t size = FIRST + below_node(arena, root)
    cdef Node* kept = <Node*>malloc(size * sizeof(Node))
    cdef uint32_t used = FIRST
    if kept is NULL:
        raise MemoryError
    kept[0] = arena.nodes[root]
    copy_children(arena, kept, 0, &used)
    check(used == size)
    memcpy(arena.nodes, kept, used * sizeof(Node))
    arena.used = used
    free(kept)
    return 0


cdef size_t below_node(const Arena* arena, uint32_t node) noexcept nogil:
    """Places taken by everything below a node, heads included."""
    cdef size_t total = 0
    cdef uint32_t head = arena.nodes[node].children, i
    while head:
        total += 1 + arena.nodes[head].action
        for i in range(head + 1, head + 1 + arena.nodes[head].action):
            total += below_node(arena, i)
        head = arena.nodes[head].children
    return total


cdef void copy_children(const Arena* arena, Node* kept, uint32_t parent, uint32_t* used) noexcept nogil:
    """Copy the blocks below a node that is already in `kept`, and relink them."""
    cdef uint32_t head = kept[parent].children, place, count, i
    cdef uint32_t* link = &kept[parent].children
    while head:
        count = arena.nodes[head].action
        place = used[0]
        used[0] += count + 1
        memcpy(&kept[place], &arena.nodes[head], (count + 1) * sizeof(Node))
        link[0] = place
        link = &kept[place].children
        for i in range(place + 1, place + 1 + count):
            copy_children(arena, kept, i, used)
        head = arena.nodes[head].children
