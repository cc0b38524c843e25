"""The Architect: colonists move, then houses are built.

Colonists of a sort are alike, so what counts is only the set of places where they end (ruling 23). The places are
named one after another, ascending, and a place is offered exactly if what is named so far can be completed within
the steps. A place is a bit: a line, or STAY plus the number of a colonist that stays in its city.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from serai.core.bits cimport bit, highest, lowest, size
from serai.core.check cimport check
from serai.core.games.concordia.state cimport (
    BUILDING, BY_LAND, BY_SEA, COLONISTS, DONE, HOUSE, IN_CITY, MOVING_LAND, MOVING_SEA, SORTS, STAY,
    TO_LAND, TO_SEA, Player, State, Tables,
    act, covers, good_of, minor_of, on_board, state_bytes,
)
from serai.core.games.concordia.turn cimport end_turn, take_concordia
from serai.core.types cimport Action

cdef enum:
    FAR = 99                # more steps than anybody has


# ---- moving

cdef void start_moving(const Tables* t, State* s) noexcept nogil:
    """As many steps as own colonists on the board; land colonists are asked first."""
    cdef const Player* p = &s.players[s.turn]
    s.steps = on_board(p, BY_LAND) + on_board(p, BY_SEA)
    s.phase = MOVING_LAND
    move_on(t, s)


cdef int destinations(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
    cdef int verb = TO_LAND if s.phase == MOVING_LAND else TO_SEA
    cdef int n = 0
    cdef Walk w
    cdef uint64_t places
    survey(t, s, sort, &w)
    places = choices(s, sort, &w)
    while places:
        out[n] = act(verb, 0, place_of(s, sort, lowest(places)))
        n += 1
        places &= places - 1
    return n


cdef void name_place(const Tables* t, State* s, int place) noexcept nogil:
    """A colonist ends there."""
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
    s.placed[s.placed_count] = bit_of(s, sort, place)
    s.placed_count += 1
    move_on(t, s)


cdef void move_on(const Tables* t, State* s) noexcept nogil:
    """Name the places that leave no choice, up to the next question."""
    cdef int sort
    cdef Walk w
    cdef uint64_t places
    while s.phase != BUILDING:
        sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
        survey(t, s, sort, &w)
        if s.placed_count == w.colonists:
            arrive(s, sort, &w)
            continue
        places = choices(s, sort, &w)
        check(places != 0)
        if places & (places - 1):
            return
        s.placed[s.placed_count] = lowest(places)
        s.placed_count += 1
    start_building(t, s)


cdef inline void arrive(State* s, int sort, const Walk* w) noexcept nogil:
    """All places of a sort are named: the colonists go there on the shortest ways."""
    cdef uint8_t places[COLONISTS]
    cdef int i
    for i in range(w.colonists):
        places[i] = place_of(s, sort, s.placed[i])
    for i in range(w.colonists):
        s.players[s.turn].colonists[sort][i] = places[i]
        s.placed[i] = 0
    s.placed_count = 0
    s.steps -= w.cost[(1 << w.colonists) - 1]
    if sort == BY_LAND:
        s.phase = MOVING_SEA
    else:
        s.steps = 0
        s.phase = BUILDING


cdef int place_of(const State* s, int sort, int place_bit) noexcept nogil:
    if place_bit < STAY:
        return place_bit
    return s.players[s.turn].colonists[sort][place_bit - STAY]


cdef int bit_of(const State* s, int sort, int place) noexcept nogil:
    """Of several colonists in one city the first who isn't named yet."""
    cdef int i
    if place < IN_CITY:
        return place
    for i in range(COLONISTS):
        if s.players[s.turn].colonists[sort][i] == place and not is_named(s, STAY + i):
            return STAY + i
    return STAY


cdef inline bint is_named(const State* s, int place_bit) noexcept nogil:
    cdef int i
    for i in range(s.placed_count):
        if s.placed[i] == place_bit:
            return True
    return False


cdef void survey(const Tables* t, const State* s, int sort, Walk* w) noexcept nogil:
    """Where each colonist can get to: not onto lines of others' colonists, who may be passed (ruling 22)."""
    cdef const Player* p = &s.players[s.turn]
    cdef uint64_t free = ~occupied(s, s.turn, sort), here
    cdef int i, other, steps, place
    w.colonists = on_board(p, sort)
    for i in range(w.colonists):
        place = p.colonists[sort][i]
        here = 0
        if place >= IN_CITY:
            for other in range(w.colonists):
                if p.colonists[sort][other] == place:
                    here |= bit(STAY + other)
        for steps in range(s.steps + 1):
            w.reach[i][steps] = t.within[sort][place][steps] & free | here
    share_out(s, w)


cdef uint64_t occupied(const State* s, int mover, int sort) noexcept nogil:
    """Lines where colonists of other seats are; own ones may leave or stay."""
    cdef uint64_t lines = 0
    cdef int seat, i
    for seat in range(s.seats):
        if seat != mover:
            for i in range(COLONISTS):
                if s.players[seat].colonists[sort][i] < IN_CITY:
                    lines |= bit(s.players[seat].colonists[sort][i])
    return lines


cdef inline void share_out(const State* s, Walk* w) noexcept nogil:
    """The cheapest way to send each set of colonists to the places named so far."""
    cdef int mask, i, steps
    w.cost[0] = 0
    for mask in range(1, 1 << w.colonists):
        w.cost[mask] = FAR
        if size(mask) > s.placed_count:
            continue
        for i in range(w.colonists):
            if mask >> i & 1:
                steps = w.cost[mask ^ (1 << i)] + steps_to(s, w, i, s.placed[size(mask) - 1])
                w.cost[mask] = min(w.cost[mask], steps)


cdef inline int steps_to(const State* s, const Walk* w, int colonist, int place_bit) noexcept nogil:
    cdef int steps
    for steps in range(s.steps + 1):
        if w.reach[colonist][steps] >> place_bit & 1:
            return steps
    return FAR


cdef uint64_t choices(const State* s, int sort, const Walk* w) noexcept nogil:
    """Places for the next colonist, above those named, that leave a way for the others."""
    cdef uint64_t open = ~<uint64_t>0, found = 0
    cdef int all_of_them = (1 << w.colonists) - 1, mask, i
    if s.placed_count:
        open = ~(bit(s.placed[s.placed_count - 1]) - 1) ^ bit(s.placed[s.placed_count - 1])
    for mask in range(all_of_them):
        if size(mask) != s.placed_count or w.cost[mask] > s.steps:
            continue
        for i in range(w.colonists):
            if not mask >> i & 1:
                found |= next_places(w, i, all_of_them ^ mask ^ (1 << i), open, s.steps - w.cost[mask])
    return found & ~repetitions(s, sort, w)


cdef inline uint64_t next_places(const Walk* w, int first, int others, uint64_t open, int steps) noexcept nogil:
    """Where one colonist can go next so that the others find places above it."""
    cdef uint64_t found = 0
    cdef int own, second, third
    if others == 0:
        return w.reach[first][steps] & open
    second = lowest(others)
    third = highest(others)
    for own in range(steps + 1):
        if second == third:
            found |= w.reach[first][own] & below(w.reach[second][steps - own] & open)
        else:
            found |= w.reach[first][own] & below_two(w, second, third, open, steps - own)
    return found & open


cdef inline uint64_t below(uint64_t places) noexcept nogil:
    """All places under the highest of these."""
    return bit(highest(places)) - 1 if places else 0


cdef inline uint64_t below_two(const Walk* w, int second, int third, uint64_t open, int steps) noexcept nogil:
    """All places above which two colonists find one each."""
    cdef uint64_t one, other, found = 0
    cdef int own
    for own in range(steps + 1):
        one = w.reach[second][own] & open
        other = w.reach[third][steps - own] & open
        if one == 0 or other == 0:
            continue
        if below(one) == below(other):      # the same highest place: one of them takes the next lower one
            found |= below((one | other) & below(one))
        else:
            found |= below(one) & below(other)
    return found


cdef inline uint64_t repetitions(const State* s, int sort, const Walk* w) noexcept nogil:
    """Of several colonists in one city, the first is named as the one that stays."""
    cdef const Player* p = &s.players[s.turn]
    cdef uint64_t places = 0
    cdef int i
    for i in range(1, w.colonists):
        if p.colonists[sort][i] >= IN_CITY and p.colonists[sort][i] == p.colonists[sort][i - 1]:
            if not is_named(s, STAY + i - 1):
                places |= bit(STAY + i)
    return places


cdef bint is_asking(const Tables* t, const State* s) noexcept nogil:
    """Whether the places named so far were offered, and the next one is a choice; for states from outside."""
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
    cdef State before
    cdef Walk w
    cdef uint64_t places
    cdef int i
    memcpy(&before, s, state_bytes(s))      # not more: a state has only as many players as seats
    for i in range(s.placed_count + 1):
        before.placed_count = i
        survey(t, &before, sort, &w)
        if i == w.colonists:
            return False
        places = choices(&before, sort, &w)
        if i < s.placed_count and not places >> s.placed[i] & 1:
            return False
    return (places & (places - 1)) != 0


# ---- building

cdef void start_building(const Tables* t, State* s) noexcept nogil:
    if buildable(t, s) == 0:
        end_turn(s)


cdef int sites(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef uint32_t cities = buildable(t, s)
    cdef int n = 0
    while cities:
        out[n] = act(HOUSE, 0, lowest(cities))
        n += 1
        cities &= cities - 1
    out[n] = act(DONE, 0, 0)
    return n + 1


cdef void build_house(const Tables* t, State* s, int city) noexcept nogil:
    """House up, goods and coins to the bank; the 15th triggers the end."""
    cdef Player* p = &s.players[s.turn]
    cdef int good = good_of(s, city)
    p.coins -= price_of_house(t, s, city, good)
    p.goods -= t.house_goods[good]
    p.houses |= <uint32_t>1 << city
    s.last = act(HOUSE, 0, city)
    if size(p.houses) == t.houses:
        take_concordia(s)
    if buildable(t, s) == 0:
        end_turn(s)


cdef uint32_t buildable(const Tables* t, const State* s) noexcept nogil:
    """Cities next to own colonists, after the one built last, that can be paid for."""
    cdef const Player* p = &s.players[s.turn]
    cdef uint32_t cities = adjacent(t, p) & ~p.houses, found = 0
    cdef int city, good
    if size(p.houses) == t.houses:
        return 0
    if s.last:
        cities &= ~((<uint32_t>2 << minor_of(s.last)) - 1)
    while cities:
        city = lowest(cities)
        good = good_of(s, city)
        if covers(p.goods, t.house_goods[good]) and p.coins >= price_of_house(t, s, city, good):
            found |= <uint32_t>1 << city
        cities &= cities - 1
    return found


cdef uint32_t adjacent(const Tables* t, const Player* p) noexcept nogil:
    """Both ends of each line with an own colonist; a colonist in a city gives none (ruling 24)."""
    cdef uint32_t cities = 0
    cdef int sort, i
    for sort in range(SORTS):
        for i in range(COLONISTS):
            if p.colonists[sort][i] < IN_CITY:
                cities |= t.ends[sort][p.colonists[sort][i]]
    return cities


cdef int price_of_house(const Tables* t, const State* s, int city, int good) noexcept nogil:
    """Coins of the good, times the houses in the city with this one."""
    cdef int seat, houses = 1
    for seat in range(s.seats):
        houses += s.players[seat].houses >> city & 1
    return t.house_coins[good] * houses
