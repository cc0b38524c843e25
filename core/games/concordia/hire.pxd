from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef struct Bill:
    uint32_t goods
    int any                 # goods of free choice

cdef void start_hiring(const Tables* t, State* s) noexcept nogil
cdef int candidates(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void hire(const Tables* t, State* s, int place) noexcept nogil
cdef void settle_bill(const Tables* t, State* s) noexcept nogil
cdef int payments(const State* s, Action* out) noexcept nogil
cdef void pay(const Tables* t, State* s, int good) noexcept nogil
cdef bint can_hire(const Tables* t, const State* s) noexcept nogil
cdef Bill bill_of(const Tables* t, const State* s, int first, int second) noexcept nogil
