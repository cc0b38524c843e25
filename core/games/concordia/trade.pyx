"""The Mercator: up to two sorts of goods are traded with the bank.

Sales before purchases, and within each by good: a sale only makes room and coins, so whatever can be traded in some
order can be traded in this one, and no result is reached twice.
"""

from serai.core.games.concordia.state cimport (
    BUY, DONE, GOODS, SELL, TRADING, Player, State, Tables,
    act, count, major_of, minor_of, room, unit, verb_of,
)
from serai.core.games.concordia.turn cimport end_turn
from serai.core.types cimport Action


cdef void start_trading(const Tables* t, State* s) noexcept nogil:
    """Coins of the card first; then trade, if any is possible."""
    s.players[s.turn].coins += t.kind_coins[s.card]
    s.phase = TRADING
    if not can_trade(t, s):
        end_turn(s)


cdef bint can_trade(const Tables* t, const State* s) noexcept nogil:
    cdef int good
    for good in range(GOODS):
        if most_sold(s, good) or most_bought(t, s, good):
            return True
    return False


cdef int deals(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef int good, number, n = 0
    for good in range(GOODS):
        for number in range(1, most_sold(s, good) + 1):
            out[n] = act(SELL, good, number)
            n += 1
    for good in range(GOODS):
        for number in range(1, most_bought(t, s, good) + 1):
            out[n] = act(BUY, good, number)
            n += 1
    out[n] = act(DONE, 0, 0)
    return n + 1


cdef inline int most_sold(const State* s, int good) noexcept nogil:
    """All that are there; after a first deal only later goods, after a purchase none."""
    if s.last and (verb_of(s.last) == BUY or good <= major_of(s.last)):
        return 0
    return count(s.players[s.turn].goods, good)


cdef inline int most_bought(const Tables* t, const State* s, int good) noexcept nogil:
    """What coins and free slots allow; not the good just sold, and not one before the good just bought."""
    cdef const Player* p = &s.players[s.turn]
    if s.last and (good == major_of(s.last) or (verb_of(s.last) == BUY and good < major_of(s.last))):
        return 0
    return max(0, min(room(t, p), <int>p.coins // t.price[good]))


cdef void trade(const Tables* t, State* s, Action event) noexcept nogil:
    """Prices are the same for buying and selling; two sorts of goods at most."""
    cdef Player* p = &s.players[s.turn]
    cdef int good = major_of(event), number = minor_of(event)
    if verb_of(event) == SELL:
        p.goods -= unit(good) * number
        p.coins += number * t.price[good]
    else:
        p.goods += unit(good) * number
        p.coins -= number * t.price[good]
    if s.last:
        end_turn(s)
        return
    s.last = event
    if not can_trade(t, s):
        end_turn(s)
