from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef int stage_of(const Tables* t, const State* s) noexcept nogil
cdef float time_left(int stage) noexcept nogil
cdef float useful(int goods) noexcept nogil
cdef void finish_turn(const Tables* t, State* s) noexcept nogil
cdef Action good_to_keep(const Tables* t, const State* s) noexcept nogil
cdef Action good_to_pay(const Tables* t, const State* s) noexcept nogil
cdef float worth_of_government(const Tables* t, const State* s, Action action) noexcept nogil
