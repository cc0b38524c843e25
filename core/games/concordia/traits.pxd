from libc.stdint cimport uint16_t

from serai.core.types cimport Action

cdef int traits(const void* tables, const void* state, Action option, uint16_t* out) noexcept nogil
