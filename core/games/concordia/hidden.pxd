from libc.stdint cimport uint64_t

from serai.core.rng cimport Rng

cdef uint64_t observe(const void* tables, const void* state, int viewer) noexcept nogil
cdef void conceal(const void* tables, void* state, int viewer) noexcept nogil
cdef void determinize(const void* tables, void* state, int viewer, Rng* rng) noexcept nogil
cdef void forget(const void* tables, void* state, int viewer) noexcept nogil
