from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef void start_moving(const Tables* t, State* s) noexcept nogil
cdef int destinations(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void name_place(const Tables* t, State* s, int place) noexcept nogil
cdef int sites(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void build_house(const Tables* t, State* s, int city) noexcept nogil
cdef uint32_t buildable(const Tables* t, const State* s) noexcept nogil
cdef int price_of_house(const Tables* t, const State* s, int city, int good) noexcept nogil
cdef int place_of(const State* s, int sort, int place_bit) noexcept nogil
cdef int bit_of(const State* s, int sort, int place) noexcept nogil
cdef bint is_asking(const Tables* t, const State* s) noexcept nogil
