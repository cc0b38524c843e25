"""Points by the gods of the cards, and the order of the seats."""

from libc.stdint cimport uint64_t

from serai.core.bits cimport lowest, size
from serai.core.games.concordia.state cimport (
    BY_LAND, BY_SEA, GODS, GOODS, JUPITER, MARS, MERCURIUS, MINERVA, SATURNUS, VESTA, Player, State, Tables,
    cards_in, copies, count, kinds_in, on_board,
)


cdef int points_of(const Tables* t, const State* s, int seat) noexcept nogil:
    """By the gods, and for the Concordia card; cards that this view doesn't show count nothing."""
    cdef int by_god[GODS]
    cdef int god, points = t.concordia if s.concordia == seat else 0
    points_by_god(t, s, &s.players[seat], by_god)
    for god in range(GODS):
        points += by_god[god]
    return points


cdef void points_by_god(const Tables* t, const State* s, const Player* p, int* out) noexcept nogil:
    """Each card counts once for its god."""
    cdef uint64_t cards = p.hand + p.pile
    out[VESTA] = cards_in(cards & t.god_kinds[VESTA]) * vesta(t, p)
    out[JUPITER] = cards_in(cards & t.god_kinds[JUPITER]) * jupiter(s, p)
    out[SATURNUS] = cards_in(cards & t.god_kinds[SATURNUS]) * saturnus(t, p)
    out[MERCURIUS] = cards_in(cards & t.god_kinds[MERCURIUS]) * mercurius(s, p)
    out[MARS] = cards_in(cards & t.god_kinds[MARS]) * mars(p)
    out[MINERVA] = minerva(t, s, p, cards & t.god_kinds[MINERVA])


cdef inline int vesta(const Tables* t, const Player* p) noexcept nogil:
    """A point for every 10 coins, goods at their prices."""
    cdef int good, worth = p.coins
    for good in range(GOODS):
        worth += count(p.goods, good) * t.price[good]
    return worth // 10


cdef inline int jupiter(const State* s, const Player* p) noexcept nogil:
    """A point for each house in a city that makes anything but bricks."""
    return size(p.houses & ~s.city_goods[0])


cdef inline int saturnus(const Tables* t, const Player* p) noexcept nogil:
    """A point for each province with a house."""
    cdef int province, points = 0
    for province in range(t.provinces):
        points += (p.houses & t.province_cities[province]) != 0
    return points


cdef inline int mercurius(const State* s, const Player* p) noexcept nogil:
    """Two points for each good that houses produce."""
    cdef int good, points = 0
    for good in range(GOODS):
        points += 2 * ((p.houses & s.city_goods[good]) != 0)
    return points


cdef inline int mars(const Player* p) noexcept nogil:
    """Two points for each colonist on the board."""
    return 2 * (on_board(p, BY_LAND) + on_board(p, BY_SEA))


cdef inline int minerva(const Tables* t, const State* s, const Player* p, uint64_t specialists) noexcept nogil:
    """The points printed on a specialist for each house in a city of its good."""
    cdef uint64_t kinds = kinds_in(specialists)
    cdef int kind, points = 0
    while kinds:
        kind = lowest(kinds) // 3
        points += copies(specialists, kind) * t.kind_points[kind] * size(p.houses & s.city_goods[t.kind_good[kind]])
        kinds &= kinds - 1
    return points


cdef void scores(const void* tables, const void* state, int* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int seat
    for seat in range(s.seats):
        out[seat] = points_of(<const Tables*>tables, s, seat)


cdef void ranks(const void* tables, const void* state, int* out) noexcept nogil:
    """More points first; among equals the Praefectus Magnus, then who would receive it next (ruling 35)."""
    cdef const State* s = <const State*>state
    cdef int points[8]
    cdef int seat, other
    scores(tables, state, points)
    for seat in range(s.seats):
        out[seat] = 1
        for other in range(s.seats):
            if points[other] > points[seat]:
                out[seat] += 1
            elif points[other] == points[seat] and passes_until(s, other) < passes_until(s, seat):
                out[seat] += 1


cdef inline int passes_until(const State* s, int seat) noexcept nogil:
    """How often the Praefectus Magnus would pass to the right to reach a seat."""
    return s.magnus - seat if s.magnus >= seat else s.magnus - seat + s.seats
