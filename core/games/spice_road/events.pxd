from serai.core.games.spice_road.state cimport State, Tables
from serai.core.rng cimport Rng
from serai.core.types cimport Action

cdef void set_up(const Tables* t, State* s, int seats) noexcept nogil
cdef int to_act(const void* tables, const void* state) noexcept nogil
cdef int legal(const void* tables, const void* state, Action* out) noexcept nogil
cdef double weight(const void* tables, const void* state, Action outcome) noexcept nogil
cdef Action draw(const void* tables, const void* state, Rng* rng) noexcept nogil
cdef void apply(const void* tables, void* state, Action event) noexcept nogil
