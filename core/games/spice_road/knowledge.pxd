from libc.stdint cimport uint32_t

from serai.core.games.spice_road.state cimport State, Tables, count
from serai.core.types cimport Action

cdef int fill_knowledge(Tables* t, cards, int seats) except -1
cdef void describe(const Tables* t, const State* s, int seat, float* x) noexcept nogil
cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil
cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil
cdef float standing(const void* tables, const void* state, int seat) noexcept nogil
cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil
cdef Action forced(const void* tables, const void* state) noexcept nogil
cdef Action book(const void* tables, const void* state) noexcept nogil
cdef void solo(const void* tables, void* state, int seat) noexcept nogil
cdef void worth(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil


cdef inline int cheapest(uint32_t cubes) noexcept nogil:
    """Colour of the cheapest cube of a caravan that isn't empty."""
    cdef int colour = 0
    while count(cubes, colour) == 0:
        colour += 1
    return colour


cdef inline uint32_t without_cheapest(uint32_t cubes, int number) noexcept nogil:
    while number > 0 and cubes:
        cubes -= <uint32_t>1 << (8 * cheapest(cubes))
        number -= 1
    return cubes


cdef inline int coin_over(const State* s, int slot) noexcept nogil:
    """Points of the coin over a slot of the point row; see `take_coin` in events.pyx."""
    return coin_at(s.gold, s.silver, slot)


cdef inline int coin_at(int gold, int silver, int slot) noexcept nogil:
    """The same for so many coins in the piles."""
    if slot == 0 and gold:
        return 3
    return 1 if silver and (slot == 0 or (slot == 1 and gold)) else 0
