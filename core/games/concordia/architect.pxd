from libc.stdint cimport uint32_t, uint64_t

from serai.core.games.concordia.state cimport COLONISTS, MOST_STEPS, Player, State, Tables
from serai.core.types cimport Action

cdef struct Walk:           # what the colonists of one sort can do
    int colonists           # on the board
    uint64_t reach[COLONISTS][MOST_STEPS + 1]   # places that so many steps suffice for
    int cost[1 << COLONISTS]    # steps if these colonists go to the places named so far; FAR if they are too few or many

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
cdef void survey(const Tables* t, const State* s, int sort, Walk* w) noexcept nogil
cdef uint64_t occupied(const State* s, int mover, int sort) noexcept nogil
cdef uint32_t adjacent(const Tables* t, const Player* p) noexcept nogil
