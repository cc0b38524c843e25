from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport State, Tables
from serai.core.rng cimport Rng
from serai.core.types cimport Action

cdef void set_up(const Tables* t, State* s, int seats) noexcept nogil
cdef int to_act(const void* tables, const void* state) noexcept nogil
cdef int mover(const void* tables, const void* state) noexcept nogil
cdef int legal(const void* tables, const void* state, Action* out) noexcept nogil
cdef double weight(const void* tables, const void* state, Action outcome) noexcept nogil
cdef Action draw(const void* tables, const void* state, Rng* rng) noexcept nogil
cdef void apply(const void* tables, void* state, Action event) noexcept nogil
cdef int token_copies(const Tables* t, const State* s, int good) noexcept nogil
cdef int dearest(const Tables* t, const State* s, uint32_t cities) noexcept nogil
