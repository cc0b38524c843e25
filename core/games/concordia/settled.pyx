"""What a seat has once that which is under way is done: goods kept, cards paid for, colonists at their places.

Of goods that can be chosen, the last ones in their order are kept and the first ones paid.
"""

from libc.stdint cimport uint32_t

from serai.core.games.concordia.architect cimport place_of
from serai.core.games.concordia.hire cimport Bill, bill_of
from serai.core.games.concordia.state cimport (
    BY_LAND, BY_SEA, GOODS, HIRING, KEEPING, MOVING_LAND, MOVING_SEA, NONE, PAYING, Player, State, Tables,
    count, harvest, minor_of, one_of, room, unit,
)


cdef void settle_player(const Tables* t, const State* s, int seat, Player* p) noexcept nogil:
    cdef int second = s.hired[1] if s.hired_count == 2 else <int>NONE
    p[0] = s.players[seat]
    if s.phase == KEEPING:
        store_last(t, to_receive(t, s, seat), p)
    elif seat != s.turn:
        return
    elif is_moving(s):
        settle_colonists(s, p)
    elif s.phase == HIRING and s.hired_count:
        take_hired(t, s, s.hired[0], second, p)
    elif s.phase == PAYING:
        take_cards(t, s, s.hired[0], second, p)
        p.goods = without_first(p.goods, s.owed, minor_of(s.last) if s.last else 0)


cdef bint is_moving(const State* s) noexcept nogil:
    return s.phase == MOVING_LAND or s.phase == MOVING_SEA


# ---- production

cdef inline uint32_t to_receive(const Tables* t, const State* s, int seat) noexcept nogil:
    """What the production under way still has for the seat."""
    if seat == s.keeper:
        return s.pending
    if s.province == NONE or not is_later(s, seat):
        return 0
    return harvest(s, s.players[seat].houses & t.province_cities[s.province])


cdef inline bint is_later(const State* s, int seat) noexcept nogil:
    """Whether its turn to receive comes after that of the receiving seat; the mover was the first one."""
    cdef int from_mover = seat - s.turn if seat >= s.turn else seat - s.turn + s.seats
    cdef int keeper = s.keeper - s.turn if s.keeper >= s.turn else s.keeper - s.turn + s.seats
    return from_mover > keeper


cdef void store_last(const Tables* t, uint32_t pending, Player* p) noexcept nogil:
    """As many goods as there is room for."""
    cdef int good = GOODS - 1, free = room(t, p), kept
    while good >= 0 and free > 0:
        kept = min(free, count(pending, good))
        p.goods += <uint32_t>kept * unit(good)
        free -= kept
        good -= 1


# ---- cards

cdef void take_hired(const Tables* t, const State* s, int first, int second, Player* p) noexcept nogil:
    """The cards at one place or two, and their price paid."""
    cdef Bill bill = bill_of(t, s, first, second)
    take_cards(t, s, first, second, p)
    p.goods = without_first(p.goods - bill.goods, bill.any, 0)


cdef inline void take_cards(const Tables* t, const State* s, int first, int second, Player* p) noexcept nogil:
    p.hand += one_of(t.kind[s.row[first]])
    if second != NONE:
        p.hand += one_of(t.kind[s.row[second]])


cdef uint32_t without_first(uint32_t goods, int number, int good) noexcept nogil:
    """Without some goods, the first ones from a good on."""
    cdef int paid
    while good < GOODS and number > 0:
        paid = min(number, count(goods, good))
        goods -= <uint32_t>paid * unit(good)
        number -= paid
        good += 1
    return goods


# ---- colonists

cdef inline void settle_colonists(const State* s, Player* p) noexcept nogil:
    """The places named so far stand for the first colonists of their sort."""
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA, i
    for i in range(s.placed_count):
        p.colonists[sort][i] = place_of(s, sort, s.placed[i])
