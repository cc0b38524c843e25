"""64-bit hash of plain memory (multiply-xorshift per word; not cryptographic)."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline uint64_t mix(uint64_t h, uint64_t word) noexcept nogil:
    h = (h ^ word) * 0x9FB21C651E98DF25ULL
    return h ^ (h >> 32)


cdef inline uint64_t hash_bytes(const void* data, size_t length) noexcept nogil:
    """Two chains side by side, since each multiplication waits for the one before it."""
    cdef uint64_t even = 0x2545F4914F6CDD1DULL ^ length, odd = 0xD1342543DE82EF95ULL
    cdef uint64_t pair[2]
    cdef size_t i = 0
    while i + 16 <= length:
        memcpy(pair, <const char*>data + i, 16)
        even = mix(even, pair[0])
        odd = mix(odd, pair[1])
        i += 16
    pair[0] = pair[1] = 0
    memcpy(pair, <const char*>data + i, length - i)
    even = mix(even, pair[0])
    return mix(even, mix(odd, pair[1]))
