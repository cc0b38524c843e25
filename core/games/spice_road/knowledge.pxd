from libc.stdint cimport uint16_t

from serai.core.game cimport Value
from serai.core.games.spice_road.state cimport Tables
from serai.core.types cimport Action

cdef int fill_worth(Tables* t, cards) except -1
cdef void evaluate(const void* tables, const void* state, Value* out) noexcept nogil
cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil
cdef Action book(const void* tables, const void* state) noexcept nogil
cdef void solo(const void* tables, void* state, int seat) noexcept nogil
cdef void worth(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil
cdef int features(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil
