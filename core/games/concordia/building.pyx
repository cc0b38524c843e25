"""What a seat can build with what it has: whole Architects by rule of thumb, for search only.

House by house the best one is taken, together with the colonist who gets there in the fewest steps. The result is
one that the rules allow, or nearly so: colonists who are in the way while ends are being named are overlooked.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from serai.core.bits cimport bit, lowest, size
from serai.core.games.concordia.architect cimport Walk, adjacent, occupied, place_of, price_of_house, survey
from serai.core.games.concordia.state cimport (
    BUILDING, BY_LAND, BY_SEA, COLONISTS, GOODS, IN_CITY, JUPITER, MERCURIUS, MINERVA, MOVING_SEA, NONE,
    SATURNUS, SORTS, STORE, Player, State, Tables,
    cards_in, copies, covers, good_of, kinds_in, minor_of,
)
from serai.core.games.concordia.turn cimport end_turn, take_concordia

cdef enum:
    MOST_HOUSES = 5         # that a plan builds


# ---- what a house is worth

cdef void fill_worth(const Tables* t, const State* s, int seat, float left, Worth* worth) noexcept nogil:
    """`left`: how much of the game is still to come, 1 at the start."""
    cdef const Player* p = &s.players[seat]
    cdef uint64_t cards = p.hand + p.pile, kinds = kinds_in(cards & t.god_kinds[MINERVA])
    cdef int good, kind
    worth.any_but_brick = cards_in(cards & t.god_kinds[JUPITER])
    worth.province = cards_in(cards & t.god_kinds[SATURNUS])
    worth.good = 2 * cards_in(cards & t.god_kinds[MERCURIUS])
    worth.coin = <float>0.1 + <float>0.2 * left
    for good in range(GOODS):
        worth.each[good] = left * (4 + <float>0.4 * t.price[good]) + (worth.any_but_brick if good else 0)
    while kinds:
        kind = lowest(kinds) // 3
        worth.each[t.kind_good[kind]] += copies(cards, kind) * t.kind_points[kind]
        kinds &= kinds - 1


cdef float worth_of_house(const Tables* t, const State* s, const Builder* b, int city, int good) noexcept nogil:
    """Points now and later, less what it costs."""
    cdef float worth = b.worth.each[good] - b.worth.coin * price_of_house(t, s, city, good)
    if not b.houses & t.province_cities[t.province_of[city]]:
        worth += b.worth.province
    if not b.houses & s.city_goods[good]:
        worth += b.worth.good
    return worth


# ---- where the colonists are

cdef inline void start(const Tables* t, const State* s, int seat, float left, Builder* b) noexcept nogil:
    """As if an Architect began now."""
    cdef const Player* p = &s.players[seat]
    cdef int sort, i
    fill_worth(t, s, seat, left, &b.worth)
    b.goods, b.coins, b.houses = p.goods, p.coins, p.houses
    b.near = 0
    b.sites = ~(p.houses | 1)
    b.colonists = b.built = 0
    b.gain = 0
    for sort in range(SORTS):
        b.open[sort] = ~occupied(s, seat, sort)
        for i in range(COLONISTS):
            if p.colonists[sort][i] < STORE:
                send_later(b, sort, p.colonists[sort][i])
    b.steps = b.colonists


cdef inline void send_later(Builder* b, int sort, int place) noexcept nogil:
    b.sort[b.colonists], b.place[b.colonists] = sort, place
    b.colonists += 1


cdef inline void go_on(const Tables* t, const State* s, float left, Builder* b) noexcept nogil:
    """From the middle of an Architect."""
    cdef const Player* p = &s.players[s.turn]
    cdef int i
    start(t, s, s.turn, left, b)
    b.steps = s.steps
    if s.phase == BUILDING:
        b.colonists = 0
        b.near = adjacent(t, p)
        if s.last:
            b.sites &= ~((<uint32_t>2 << minor_of(s.last)) - 1)
        return
    b.colonists = 0
    if s.phase == MOVING_SEA:
        for i in range(COLONISTS):
            if p.colonists[BY_LAND][i] < IN_CITY:
                b.near |= t.ends[BY_LAND][p.colonists[BY_LAND][i]]
        go_on_naming(t, s, BY_SEA, b)
        return
    go_on_naming(t, s, BY_LAND, b)
    for i in range(COLONISTS):
        if p.colonists[BY_SEA][i] < STORE:
            send_later(b, BY_SEA, p.colonists[BY_SEA][i])


cdef inline void go_on_naming(const Tables* t, const State* s, int sort, Builder* b) noexcept nogil:
    """The colonists that go to the places named so far with the fewest steps are there; the others go farther on."""
    cdef Walk w
    cdef int mask, i, gone = 0, place
    survey(t, s, sort, &w)
    for mask in range(1 << w.colonists):
        if size(mask) == s.placed_count and (size(gone) != s.placed_count or w.cost[mask] < w.cost[gone]):
            gone = mask
    b.steps -= w.cost[gone]
    for i in range(s.placed_count):
        place = place_of(s, sort, s.placed[i])
        if place < IN_CITY:
            b.near |= t.ends[sort][place]
            b.open[sort] &= ~((<uint64_t>2 << place) - 1)
        else:
            b.open[sort] = 0
    for i in range(w.colonists):
        if not gone >> i & 1:
            send_later(b, sort, s.players[s.turn].colonists[sort][i])


# ---- building

cdef void plan_houses(const Tables* t, const State* s, int seat, float left, Builder* b) noexcept nogil:
    """What an Architect would build now."""
    start(t, s, seat, left, b)
    build_on(t, s, b)


cdef inline void build_on(const Tables* t, const State* s, Builder* b) noexcept nogil:
    cdef int _house
    for _house in range(MOST_HOUSES):
        if size(b.houses) >= t.houses or not build_best(t, s, b):
            return


cdef inline bint build_best(const Tables* t, const State* s, Builder* b) noexcept nogil:
    """The house that brings most; false if none can be paid and reached, or none is worth it."""
    cdef uint32_t cities = b.sites
    cdef int city, good, colonist, line = 0, steps = 0
    cdef int best = -1, by = -1, to = 0, walk = 0
    cdef float gain, most = 0
    cities &= (<uint32_t>1 << (t.cities - 1) << 1) - 1
    while cities:
        city = lowest(cities)
        cities &= cities - 1
        good = good_of(s, city)
        if not covers(b.goods, t.house_goods[good]) or b.coins < t.house_coins[good]:
            continue
        if b.coins < price_of_house(t, s, city, good):
            continue
        gain = worth_of_house(t, s, b, city, good)
        if gain <= most:
            continue
        if b.near >> city & 1:
            colonist = -1
        else:
            colonist = nearest(t, b, city, &line, &steps)
            if colonist < 0:
                continue
            gain -= <float>0.2 * steps
            if gain <= most:
                continue
        most, best, by, to, walk = gain, city, colonist, line, steps
    if best < 0:
        return False
    if by >= 0:
        send(t, b, by, to, walk)
    good = good_of(s, best)
    b.coins -= price_of_house(t, s, best, good)
    b.goods -= t.house_goods[good]
    b.houses |= <uint32_t>1 << best
    b.sites ^= <uint32_t>1 << best
    b.built += 1
    b.gain += most
    return True


cdef inline int nearest(const Tables* t, const Builder* b, int city, int* line, int* steps) noexcept nogil:
    """The colonist with the fewest steps to a line at the city, -1 if none gets there."""
    cdef int i, number, found = -1
    cdef uint64_t lines
    steps[0] = b.steps + 1
    for i in range(b.colonists):
        lines = t.touching[b.sort[i]][city] & b.open[b.sort[i]]
        for number in range(steps[0]):
            if lines & t.within[b.sort[i]][b.place[i]][number]:
                line[0] = lowest(lines & t.within[b.sort[i]][b.place[i]][number])
                steps[0] = number
                found = i
                break
    return found


cdef inline void send(const Tables* t, Builder* b, int colonist, int line, int steps) noexcept nogil:
    """A colonist goes to a line, and both its cities can be built in."""
    cdef int sort = b.sort[colonist]
    b.near |= t.ends[sort][line]
    b.open[sort] &= ~bit(line)
    b.steps -= steps
    b.colonists -= 1
    b.sort[colonist], b.place[colonist] = b.sort[b.colonists], b.place[b.colonists]


cdef void finish_architect(const Tables* t, State* s, float left) noexcept nogil:
    """To the end of the turn. Colonists stay where they are: for what follows only the houses count."""
    cdef Player* p = &s.players[s.turn]
    cdef Builder b
    go_on(t, s, left, &b)
    build_on(t, s, &b)
    p.goods, p.coins, p.houses = b.goods, b.coins, b.houses
    if size(p.houses) == t.houses and s.concordia == NONE:
        take_concordia(s)
    memset(s.placed, 0, sizeof(s.placed))
    s.placed_count = s.steps = 0
    end_turn(s)
