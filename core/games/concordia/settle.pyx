"""New colonists: one in Roma by the Tribune, any number in own cities by the Colonist; each costs food and a tool."""

from libc.stdint cimport uint8_t, uint32_t

from serai.core.bits cimport lowest
from serai.core.games.concordia.state cimport (
    BY_LAND, BY_SEA, CASH_COLONISTS, DONE, IN_CITY, RECRUIT, SETTLE, SORTS, Player, State, Tables,
    act, covers, in_store, major_of, minor_of, on_board,
)
from serai.core.games.concordia.turn cimport end_turn
from serai.core.types cimport Action

cdef enum:
    ROMA = 0
    COINS = 5               # instead, besides one for each colonist on the board


cdef void bring(const Tables* t, State* s, int sort, int city) noexcept nogil:
    """A colonist from the storehouse into a city, which frees its slot."""
    cdef Player* p = &s.players[s.turn]
    cdef uint8_t* places = p.colonists[sort]
    cdef int i = on_board(p, sort)
    p.goods -= t.recruit_goods
    while i and places[i - 1] > IN_CITY + city:
        places[i] = places[i - 1]
        i -= 1
    places[i] = IN_CITY + city


# ---- the Tribune's colonist

cdef bint can_recruit(const Tables* t, const State* s) noexcept nogil:
    cdef const Player* p = &s.players[s.turn]
    return covers(p.goods, t.recruit_goods) and in_store(p, BY_LAND) + in_store(p, BY_SEA) > 0


cdef int recruits(const State* s, Action* out) noexcept nogil:
    """At most one, in Roma only, or none (ruling 12)."""
    cdef int sort, n = 0
    for sort in range(SORTS):
        if in_store(&s.players[s.turn], sort):
            out[n] = act(RECRUIT, 0, sort)
            n += 1
    out[n] = act(RECRUIT, 0, SORTS)
    return n + 1


cdef void recruit(const Tables* t, State* s, int sort) noexcept nogil:
    if sort < SORTS:
        bring(t, s, sort, ROMA)


# ---- the Colonist

cdef int settlements(const Tables* t, const State* s, Action* out) noexcept nogil:
    """Coins, or colonists one after another: by land before by sea, then by city."""
    cdef int n = 0
    if s.last == 0:
        out[n] = act(CASH_COLONISTS, 0, 0)
        n += 1
    n += places_to_settle(t, s, out + n)
    out[n] = act(DONE, 0, 0)
    return n + 1


cdef int places_to_settle(const Tables* t, const State* s, Action* out) noexcept nogil:
    """Roma and own cities, if they have a line of the colonist's sort (rulings 27 and 28)."""
    cdef const Player* p = &s.players[s.turn]
    cdef uint32_t cities
    cdef int sort, n = 0
    if not covers(p.goods, t.recruit_goods):
        return 0
    for sort in range(SORTS):
        cities = (p.houses | 1) & t.touched[sort] if in_store(p, sort) else 0
        while cities:
            out[n] = act(SETTLE, sort, lowest(cities))
            n += out[n] >= s.last
            cities &= cities - 1
    return n


cdef void settle(const Tables* t, State* s, Action event) noexcept nogil:
    cdef Action more[SORTS * 32]
    bring(t, s, major_of(event), minor_of(event))
    s.last = event
    if places_to_settle(t, s, more) == 0:
        end_turn(s)


cdef void cash_colonists(const Tables* t, State* s) noexcept nogil:
    s.players[s.turn].coins += coins_for_colonists(&s.players[s.turn])
    end_turn(s)


cdef int coins_for_colonists(const Player* p) noexcept nogil:
    """5 coins, and 1 for each own colonist on the board, in cities too (ruling 29)."""
    return COINS + on_board(p, BY_LAND) + on_board(p, BY_SEA)
