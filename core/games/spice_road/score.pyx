"""Spice Road's points, order of the seats, and the count of all components."""

from libc.stdint cimport uint64_t

from serai.core.bits cimport bit, size
from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, DROP, MARKET, POINT, STARTERS, UNKNOWN, Player, State, Tables, count, total,
)


cdef int points_of(const Player* p) noexcept nogil:
    """Claimed cards, 3 a gold, 1 a silver, 1 a cube that is not yellow."""
    return (p.points + 3 * p.gold + p.silver
            + count(p.cubes, 1) + count(p.cubes, 2) + count(p.cubes, 3))


cdef void scores(const void* tables, const void* state, int* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int seat
    for seat in range(s.seats):
        out[seat] = points_of(&s.players[seat])


cdef void ranks(const void* tables, const void* state, int* out) noexcept nogil:
    """More points first; among equals the later in turn order."""
    cdef const State* s = <const State*>state
    cdef int points[8]
    cdef int seat, other
    scores(tables, state, points)
    for seat in range(s.seats):
        out[seat] = 1
        for other in range(s.seats):
            if points[other] > points[seat] or (points[other] == points[seat] and other > seat):
                out[seat] += 1


cdef bint consistent(const void* tables, const void* state) noexcept nogil:
    """Every card and coin is in exactly one place; caravans hold no more than they may."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef int coins = 0, seat
    for seat in range(s.seats):
        coins += s.players[seat].gold + s.players[seat].silver
    if coins + s.gold + s.silver != 4 * s.seats:
        return False
    return merchants_consistent(t, s) and points_consistent(t, s) and caravans_consistent(s)


cdef bint merchants_consistent(const Tables* t, const State* s) noexcept nogil:
    cdef uint64_t seen = s.merchants, starters = bit(STARTERS) - 1, own
    cdef int i, hidden = 0
    cdef const Player* p
    for i in range(s.market_size):
        if seen & bit(s.market[i]):
            return False
        seen |= bit(s.market[i])
    for i in range(s.seats):
        p = &s.players[i]
        own = p.hand | p.played
        hidden += p.hidden
        if p.hand & p.played or own & starters != starters or seen & own & ~starters:
            return False
        seen |= own & ~starters
    return seen == t.all_merchants and size(s.merchants) == s.merchants_left + hidden


cdef bint points_consistent(const Tables* t, const State* s) noexcept nogil:
    cdef uint64_t seen = s.point_cards
    cdef int i, seat, points, unknown = 0
    cdef const Player* p
    for i in range(s.row_size):
        if seen & bit(s.row[i]):
            return False
        seen |= bit(s.row[i])
    for seat in range(s.seats):
        p = &s.players[seat]
        points = 0
        for i in range(p.claims):
            if p.claimed[i] == UNKNOWN:
                unknown += 1
                continue
            if seen & bit(p.claimed[i]):
                return False
            seen |= bit(p.claimed[i])
            points += t.score[p.claimed[i]]
        if points != p.points:
            return False
    return seen == t.all_points and size(s.point_cards) == s.points_left + unknown


cdef bint caravans_consistent(const State* s) noexcept nogil:
    """Over 10 cubes are held only in the middle of the own turn."""
    cdef int seat
    cdef bint busy
    for seat in range(s.seats):
        busy = seat == s.turn and (s.phase == DROP or s.phase == MARKET or s.phase == POINT)
        if total(s.players[seat].cubes) > CARAVAN_LIMIT and not busy:
            return False
    return True
