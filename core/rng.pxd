"""SplitMix64 (Steele, Lea, Flood 2014): the one random generator, also the published seed-to-deal map."""

from libc.stdint cimport uint32_t, uint64_t

cdef struct Rng:
    uint64_t state


cdef inline uint64_t next_u64(Rng* rng) noexcept nogil:
    cdef uint64_t z
    rng.state += 0x9E3779B97F4A7C15ULL
    z = rng.state
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint32_t below(Rng* rng, uint32_t n) noexcept nogil:
    """0 … n-1; the bias of the multiply-shift is below 2**-25 for the n used here."""
    return <uint32_t>(((next_u64(rng) >> 32) * <uint64_t>n) >> 32)


cdef inline double unit(Rng* rng) noexcept nogil:
    """Uniform in [0, 1)."""
    return <double>(next_u64(rng) >> 11) * (1.0 / 9007199254740992.0)
