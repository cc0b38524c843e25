from libc.stdint cimport uint8_t, uint32_t, uint64_t

from serai.core.games.concordia.state cimport GOODS, MOST_STEPS, SORTS, State, Tables

cdef struct Worth:          # of houses to a seat
    float any_but_brick     # points that its cards give for a house
    float province          # ... the first one in a province
    float good              # ... the first one that makes a good
    float each[GOODS]       # by good, with what houses are good for later
    float coin              # of a coin spent

cdef struct Builder:        # a seat that goes on building
    Worth worth
    uint32_t goods
    int coins
    uint32_t houses
    uint32_t near           # cities beside colonists that are where they will be
    uint32_t sites          # cities that may still be built in
    int steps
    int colonists           # that can still be sent
    uint8_t sort[MOST_STEPS]
    uint8_t place[MOST_STEPS]
    uint64_t open[SORTS]    # lines they may end on
    int built
    float gain

cdef void fill_worth(const Tables* t, const State* s, int seat, float left, Worth* worth) noexcept nogil
cdef float worth_of_house(const Tables* t, const State* s, const Builder* b, int city, int good) noexcept nogil
cdef void plan_houses(const Tables* t, const State* s, int seat, float left, Builder* b) noexcept nogil
cdef void finish_architect(const Tables* t, State* s, float left) noexcept nogil
