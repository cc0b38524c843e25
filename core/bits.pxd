"""Sets of up to 64 things as masks, without instructions that a portable x86-64 build lacks."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.rng cimport Rng, below

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define serai_lowest(m) __builtin_ctzll(m)
      #define serai_highest(m) (63 - __builtin_clzll(m))
    #else
      static inline int serai_lowest(uint64_t m) { int i = 0; while (!(m >> i & 1)) i++; return i; }
      static inline int serai_highest(uint64_t m) { int i = 63; while (!(m >> i & 1)) i--; return i; }
    #endif
    """
    int lowest "serai_lowest"(uint64_t mask) noexcept nogil         # of a set that isn't empty
    int highest "serai_highest"(uint64_t mask) noexcept nogil


cdef inline uint64_t bit(int index) noexcept nogil:
    return <uint64_t>1 << index


cdef inline int size(uint64_t mask) noexcept nogil:
    mask = mask - ((mask >> 1) & 0x5555555555555555ULL)
    mask = (mask & 0x3333333333333333ULL) + ((mask >> 2) & 0x3333333333333333ULL)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL
    return <int>((mask * 0x0101010101010101ULL) >> 56)


cdef inline int nth(uint64_t mask, int n) noexcept nogil:
    """Index of the n-th set bit, n from 0."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return lowest(mask)


cdef inline int pick(uint64_t mask, Rng* rng) noexcept nogil:
    """A uniformly random element of a non-empty set.

    Rejection over the 64 places is faster than counting while the set is large; a few misses
    mean that it is small, and then counting is cheap.
    """
    cdef int _try, place
    for _try in range(6):
        place = below(rng, 64)
        if mask >> place & 1:
            return place
    return nth(mask, below(rng, size(mask)))
