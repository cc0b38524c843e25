"""64-bit hash of plain memory (multiply-xorshift per word; not cryptographic)."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline uint64_t mix(uint64_t h, uint64_t word) noexcept nogil:
    h = (h ^ word) * 0x9FB21C651E98DF25ULL
    return h ^ (h >> 32)


cdef inline uint64_t hash_bytes(const void* data, size_t length) noexcept nogil:
    cdef uint64_t h = 0x2545F4914F6CDD1DULL ^ length, word
    cdef size_t i = 0
    while i + 8 <= length:
        memcpy(&word, <const char*>data + i, 8)
        h = mix(h, word)
        i += 8
    if i < length:
        word = 0
        memcpy(&word, <const char*>data + i, length - i)
        h = mix(h, word)
    return mix(h, h >> 29)
