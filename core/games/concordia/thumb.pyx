"""Rules of thumb for every decision inside a turn, quick enough to be asked at each leaf of a search.

With them an unfinished turn is judged by how it would end: `play=architect` alone has built nothing yet.
"""

from libc.stdint cimport uint32_t

from serai.core.bits cimport size
from serai.core.games.concordia.building cimport finish_architect
from serai.core.games.concordia.events cimport apply, legal
from serai.core.games.concordia.state cimport (
    ARCHITECT, BUILDING, BUY, CASH_COLONISTS, CASH_PROVINCES, CONSUL, DONE, GOODS, HIRE, JUPITER, KEEP, KEEPING,
    MAIN, MARS, MERCURIUS, MOVING_LAND, MOVING_SEA, NONE, OVER, PAY, PAYING, PREFECT, PRODUCE, RECRUIT,
    SATURNUS, SELL, SENATOR, SETTLE, SORTS, SPECIALIST, STAGES, Player, State, Tables, act, cards_in, count,
    harvest, major_of, minor_of, on_board, room, unit, verb_of, BY_LAND, BY_SEA,
)
from serai.core.types cimport MAX_ACTIONS, Action

cdef enum:
    ENOUGH = 3              # goods of one kind; more of it is worth half


# ---- how far the game is

cdef int stage_of(const Tables* t, const State* s) noexcept nogil:
    """By houses built or cards sold, whichever is farther on; the last stage is the last round."""
    cdef int seat, houses = 0, sold = t.in_play - s.deck - s.row_size
    if s.concordia != NONE:
        return STAGES - 1
    for seat in range(s.seats):
        houses = max(houses, size(s.players[seat].houses))
    return min(STAGES - 2, max((STAGES - 1) * houses // t.houses, (STAGES - 1) * sold // t.in_play))


cdef float time_left(int stage) noexcept nogil:
    """1 at the start, 0 in the last round."""
    return 1 - stage / <float>(STAGES - 1)


# ---- a turn

cdef void finish_turn(const Tables* t, State* s) noexcept nogil:
    """Play what is left of a turn by rule of thumb."""
    cdef int mover = s.turn
    while s.turn == mover and MAIN < s.phase < OVER:
        if s.phase == MOVING_LAND or s.phase == MOVING_SEA or s.phase == BUILDING:
            finish_architect(t, s, time_left(stage_of(t, s)))
            return
        apply(t, s, by_thumb(t, s))


cdef Action by_thumb(const Tables* t, const State* s) noexcept nogil:
    cdef Action options[MAX_ACTIONS]
    cdef int n, i, best = 0
    cdef float worth, most = -1e30
    if s.phase == KEEPING:
        return good_to_keep(t, s)
    if s.phase == PAYING:
        return good_to_pay(t, s)
    n = legal(t, s, options)
    for i in range(n):
        worth = worth_of_option(t, s, options[i])
        if worth > most:
            most, best = worth, i
    return options[best]


cdef inline float worth_of_option(const Tables* t, const State* s, Action action) noexcept nogil:
    """By what the best is chosen; nothing done is worth 0."""
    cdef int verb = verb_of(action)
    if verb == DONE:
        return 0
    if verb == SELL or verb == BUY:
        return worth_of_trade(t, s, verb, major_of(action), minor_of(action))
    if verb == HIRE:
        return worth_of_hire(t, s, s.row[minor_of(action)], minor_of(action))
    if verb == PRODUCE or verb == CASH_PROVINCES:
        return worth_of_government(t, s, action)
    if verb == RECRUIT:
        return worth_of_recruit(t, s, minor_of(action))
    if verb == SETTLE:
        return 10 + size(t.touching[major_of(action)][minor_of(action)])
    if verb == CASH_COLONISTS:
        return 5
    return worth_of_copy(t, s, minor_of(action))


# ---- goods

cdef float useful(int goods) noexcept nogil:
    """Goods of one kind; those beyond some at half."""
    return goods if goods <= ENOUGH else (ENOUGH + goods) * <float>0.5


cdef inline float need(const Tables* t, uint32_t goods, int good) noexcept nogil:
    """What one more of a good is worth in coins: houses want bricks and food, the second of a kind less."""
    cdef int have = count(goods, good)
    cdef float worth = t.price[good]
    if good <= 2:
        worth += (3 if good == 0 else 2) if have < 2 else 0
    elif have == 0:
        worth += 2
    if have >= ENOUGH:
        worth -= 1
    return worth


cdef Action good_to_keep(const Tables* t, const State* s) noexcept nogil:
    """Of the goods to keep, chosen by need, the one that is to be named first."""
    cdef const Player* p = &s.players[s.keeper]
    cdef uint32_t goods = p.goods, pending = s.pending
    cdef int free = room(t, p), first = GOODS, good, best
    while free > 0:
        best = -1
        for good in range(GOODS):
            if count(pending, good) and (best < 0 or need(t, goods, good) > need(t, goods, best)):
                best = good
        goods += unit(best)
        pending -= unit(best)
        first = min(first, best)
        free -= 1
    return act(KEEP, 0, first)


cdef Action good_to_pay(const Tables* t, const State* s) noexcept nogil:
    """Of the goods to pay, those needed least, the one that is to be named first."""
    cdef uint32_t goods = s.players[s.turn].goods
    cdef int owed = s.owed, least = minor_of(s.last) if s.last else 0, first = GOODS, good, best
    while owed > 0:
        best = -1
        for good in range(least, GOODS):
            if count(goods, good) and (best < 0 or loss(t, goods, good) < loss(t, goods, best)):
                best = good
        goods -= unit(best)
        first = min(first, best)
        owed -= 1
    return act(PAY, 0, first)


cdef inline float loss(const Tables* t, uint32_t goods, int good) noexcept nogil:
    return need(t, goods - unit(good), good)


cdef inline float worth_of_trade(const Tables* t, const State* s, int verb, int good, int number) noexcept nogil:
    """What surplus and scarcity make of it: both sides are equal in coins."""
    cdef const float* weights = t.win_weights[stage_of(t, s)]
    cdef int have = count(s.players[s.turn].goods, good), change = number if verb == BUY else -number
    return (weights[3 + good] * (useful(have + change) - useful(have))
            - weights[2] * change * t.price[good]) / (weights[2] + <float>0.001)


# ---- cards

cdef inline float worth_of_hire(const Tables* t, const State* s, int card, int place) noexcept nogil:
    """Points the card would count now and will count later, and what it does; less the goods it costs."""
    cdef const Player* p = &s.players[s.turn]
    cdef float left = time_left(stage_of(t, s))
    cdef uint32_t cost = t.cost[card]
    cdef int good, any = 0
    cdef float price = 0
    if t.role[s.card] == SENATOR:
        cost += t.place_goods[place]
        any = t.place_any[place]
    for good in range(GOODS):
        price += count(cost, good) * t.price[good]
    return (1 + left) * points_of_card(t, s, p, t.kind[card]) + 6 * left - (price + 4 * any) * (<float>0.1 + <float>0.2 * left)


cdef inline float points_of_card(const Tables* t, const State* s, const Player* p, int kind) noexcept nogil:
    """What one more card of a kind counts on the board as it is."""
    cdef int i, points = 0
    if t.role[kind] == SPECIALIST:
        return t.kind_points[kind] * size(p.houses & s.city_goods[t.kind_good[kind]])
    if t.god_kinds[JUPITER] >> (3 * kind) & 1:
        return size(p.houses & ~s.city_goods[0])
    if t.god_kinds[MARS] >> (3 * kind) & 1:
        return 2 * (on_board(p, BY_LAND) + on_board(p, BY_SEA))
    if t.god_kinds[SATURNUS] >> (3 * kind) & 1:
        for i in range(t.provinces):
            points += (p.houses & t.province_cities[i]) != 0
    if t.god_kinds[MERCURIUS] >> (3 * kind) & 1:
        for i in range(GOODS):
            points += 2 * ((p.houses & s.city_goods[i]) != 0)
    return points


cdef inline float worth_of_copy(const Tables* t, const State* s, int kind) noexcept nogil:
    """A rough order of what cards do."""
    cdef int role = t.role[kind]
    if role == ARCHITECT:
        return 6
    if role == SENATOR or role == CONSUL:
        return 5
    if role == PREFECT:
        return 4
    if role == SPECIALIST:
        return 2 * size(s.players[s.turn].houses & s.city_goods[t.kind_good[kind]])
    return 3


# ---- provinces and colonists

cdef float worth_of_government(const Tables* t, const State* s, Action action) noexcept nogil:
    """Coins, or the goods that come, as far as there is room, less a share of what the others get."""
    cdef int province = minor_of(action), seat, coins = 0, goods
    cdef float own, others = 0
    if verb_of(action) == CASH_PROVINCES:
        for province in range(t.provinces):
            if s.coin_side >> province & 1:
                coins += t.tile_coins[s.bonus[province]]
        return coins
    for seat in range(s.seats):
        if seat != s.turn:
            others += value_of(t, harvest(s, s.players[seat].houses & t.province_cities[province]))
    own = value_of(t, harvest(s, s.players[s.turn].houses & t.province_cities[province]))
    own += t.price[s.bonus[province]] * (2 if s.magnus == s.turn else 1)
    goods = size(s.players[s.turn].houses & t.province_cities[province]) + (2 if s.magnus == s.turn else 1)
    own *= min(1, room(t, &s.players[s.turn]) / <float>goods)
    return own - others / s.seats


cdef inline float value_of(const Tables* t, uint32_t goods) noexcept nogil:
    cdef int good, value = 0
    for good in range(GOODS):
        value += count(goods, good) * t.price[good]
    return value


cdef inline float worth_of_recruit(const Tables* t, const State* s, int sort) noexcept nogil:
    """The sort with fewer on the board; nobody in the last round, unless Mars pays for it."""
    cdef const Player* p = &s.players[s.turn]
    cdef float left = time_left(stage_of(t, s))
    if sort == SORTS:
        return 0
    return 2 * cards_in((p.hand + p.pile) & t.god_kinds[MARS]) + 4 * left - 1 - <float>0.1 * on_board(p, sort)
