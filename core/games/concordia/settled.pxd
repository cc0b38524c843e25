from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport Player, State, Tables

cdef void settle_player(const Tables* t, const State* s, int seat, Player* p) noexcept nogil
cdef void store_last(const Tables* t, uint32_t pending, Player* p) noexcept nogil
cdef void take_hired(const Tables* t, const State* s, int first, int second, Player* p) noexcept nogil
cdef uint32_t without_first(uint32_t goods, int number, int good) noexcept nogil
cdef bint is_moving(const State* s) noexcept nogil
