"""What a network sees of an option of the seat to act: what it is, and what the seat then has."""

from libc.stdint cimport uint16_t, uint32_t

from serai.core.bits cimport lowest
from serai.core.games.concordia.architect cimport price_of_house
from serai.core.games.concordia.features cimport (
    BONUS, BUILD_GOOD, BUILD_IN, CASHING, CASHING_COLONISTS, COINS_AFTER, COPY_KIND, DOUBLED, FINISH,
    FREE_AFTER, GAINS, HIRE_CARD, HIRE_PLACE, KEEP_GOOD, MOST_FREE, MOST_POINTS, MOST_STORED, MOST_THERE, MOST_THREES,
    MOST_TRADED, MOVE_GOOD, MOVE_NEXT_TO, MOVE_SITES, MOVE_SORT, NEW_GOOD, NEW_PROVINCE, OTHERS_GAIN, PAY_GOOD,
    PLAY_KIND, POINTS, PRODUCE_IN, PURCHASE, RECRUIT_SORT, SALE, SETTLE_IN, SETTLE_SORT, STAYING, STORED_AFTER, THERE,
    coin_class, each,
)
from serai.core.games.concordia.settle cimport coins_for_colonists
from serai.core.games.concordia.settled cimport settle_player, store_last, take_hired, without_first
from serai.core.games.concordia.state cimport (
    BUILDING, BY_LAND, BY_SEA, CASH_COLONISTS, CASH_PROVINCES, COLONISTS, COPY, GODS, GOODS, HIRE, HIRING, HOUSE,
    IN_CITY, KEEP, KEEPING, MAX_CITIES, MAX_PROVINCES, NONE, PAY, PLAY, PRODUCE, RECRUIT, SELL, BUY, SETTLE, SORTS,
    STORE, TO_LAND, TO_SEA, TRADING, Player, State, Tables,
    count, covers, from_good, good_of, harvest, major_of, minor_of, room, unit, verb_of,
)
from serai.core.games.concordia.score cimport points_by_god
from serai.core.types cimport Action


cdef int traits(const void* tables, const void* state, Action option, uint16_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef int seat = s.keeper if s.phase == KEEPING else s.turn
    cdef int verb = verb_of(option), minor = minor_of(option), n
    cdef Player p
    if verb == PLAY or verb == COPY:
        out[0] = (PLAY_KIND if verb == PLAY else COPY_KIND) + minor
        return 1
    if verb == TO_LAND or verb == TO_SEA:
        return of_move(t, s, BY_LAND if verb == TO_LAND else BY_SEA, minor, out)
    settle_player(t, s, seat, &p)
    n = of_option(t, s, &p, option, out)
    return n + of_outcome(t, s, &s.players[seat], &p, out + n)


# ---- afterwards

cdef inline int of_outcome(const Tables* t, const State* s, const Player* before, const Player* p,
                           uint16_t* out) noexcept nogil:
    cdef int good
    for good in range(GOODS):
        out[good] = STORED_AFTER + (MOST_STORED + 1) * good + min(<int>MOST_STORED, count(p.goods, good))
    out[GOODS] = FREE_AFTER + min(<int>MOST_FREE, room(t, p))
    out[GOODS + 1] = COINS_AFTER + coin_class(p.coins)
    out[GOODS + 2] = POINTS + max(-1, min(<int>MOST_POINTS, points(t, s, p) - points(t, s, before))) + 1
    return GOODS + 3


cdef inline int points(const Tables* t, const State* s, const Player* p) noexcept nogil:
    cdef int by_god[GODS]
    cdef int god, sum = 0
    points_by_god(t, s, p, by_god)
    for god in range(GODS):
        sum += by_god[god]
    return sum


cdef inline int threes(const Tables* t, uint32_t goods) noexcept nogil:
    """What goods are worth, in threes of coins."""
    cdef int good, coins = 0
    for good in range(GOODS):
        coins += count(goods, good) * t.price[good]
    return min(<int>MOST_THREES, coins // 3)


# ---- a colonist's place

cdef inline int of_move(const Tables* t, const State* s, int sort, int place, uint16_t* out) noexcept nogil:
    """Where the colonist ends, and what could be built there, with what is there now."""
    cdef const Player* p = &s.players[s.turn]
    cdef uint32_t cities = t.near[sort][place][0] & ~p.houses, left = cities
    cdef int good, payable = 0, n = each(cities, MOVE_NEXT_TO + MAX_CITIES * t.side, out)
    while left:
        good = good_of(s, lowest(left))
        payable += covers(p.goods, t.house_goods[good]) and p.coins >= price_of_house(t, s, lowest(left), good)
        left &= left - 1
    for good in range(GOODS):
        if cities & s.city_goods[good]:
            out[n] = MOVE_GOOD + good
            n += 1
    out[n] = MOVE_SORT + sort
    out[n + 1] = MOVE_SITES + payable
    n += 2
    if is_there(p, sort, place):
        out[n] = STAYING
        n += 1
    return n


cdef inline bint is_there(const Player* p, int sort, int place) noexcept nogil:
    cdef int i
    for i in range(COLONISTS):
        if p.colonists[sort][i] == place:
            return True
    return False


# ---- any other option; `p` becomes what the seat then has

cdef inline int of_option(const Tables* t, const State* s, Player* p, Action option, uint16_t* out) noexcept nogil:
    cdef int verb = verb_of(option), major = major_of(option), minor = minor_of(option)
    if verb == PRODUCE:
        return of_production(t, s, p, minor, out)
    if verb == HOUSE:
        return of_house(t, s, p, minor, out)
    if verb == HIRE:
        return of_hire(t, s, p, minor, out)
    if verb == SETTLE:
        bring(t, p, major)
        out[0], out[1] = SETTLE_SORT + major, SETTLE_IN + MAX_CITIES * t.side + minor
        return 2
    if verb == SELL:
        p.goods -= unit(major) * <uint32_t>minor
        p.coins += minor * t.price[major]
        out[0] = SALE + MOST_TRADED * major + min(<int>MOST_TRADED, minor) - 1
    elif verb == BUY:
        p.goods += unit(major) * <uint32_t>minor
        p.coins -= minor * t.price[major]
        out[0] = PURCHASE + MOST_TRADED * major + min(<int>MOST_TRADED, minor) - 1
    elif verb == CASH_PROVINCES:
        p.coins += coins_of_tiles(t, s)
        out[0] = CASHING
    elif verb == CASH_COLONISTS:
        p.coins += coins_for_colonists(p)
        out[0] = CASHING_COLONISTS
    elif verb == KEEP:
        p.goods = s.players[s.keeper].goods + unit(minor)
        store_last(t, from_good(s.pending, minor) - unit(minor), p)
        out[0] = KEEP_GOOD + minor
    elif verb == PAY:
        p.goods = without_first(s.players[s.turn].goods - unit(minor), s.owed - 1, minor)
        out[0] = PAY_GOOD + minor
    elif verb == RECRUIT:
        if minor < SORTS:
            bring(t, p, minor)
        out[0] = RECRUIT_SORT + minor
    else:
        out[0] = FINISH + finished(s)
    return 1


cdef inline int finished(const State* s) noexcept nogil:
    """Building, trading, buying cards, or placing colonists."""
    if s.phase == BUILDING:
        return 0
    return 1 if s.phase == TRADING else 2 if s.phase == HIRING else 3


cdef inline int of_production(const Tables* t, const State* s, Player* p, int province, uint16_t* out) noexcept nogil:
    cdef uint32_t cities = t.province_cities[province], before = p.goods
    cdef bint doubled = s.magnus == s.turn
    cdef int seat, others = 0
    cdef Player other
    store_last(t, harvest(s, p.houses & cities) + <uint32_t>(1 + doubled) * unit(s.bonus[province]), p)
    for seat in range(s.seats):
        if seat != s.turn:
            other = s.players[seat]
            store_last(t, harvest(s, other.houses & cities), &other)
            others += threes(t, other.goods - s.players[seat].goods)
    out[0], out[1] = PRODUCE_IN + MAX_PROVINCES * t.side + province, BONUS + s.bonus[province]
    out[2], out[3] = GAINS + threes(t, p.goods - before), OTHERS_GAIN + min(<int>MOST_THREES, others)
    out[4] = DOUBLED
    return 4 + doubled


cdef inline int coins_of_tiles(const Tables* t, const State* s) noexcept nogil:
    cdef int province, coins = 0
    for province in range(t.provinces):
        if s.coin_side >> province & 1:
            coins += t.tile_coins[s.bonus[province]]
    return coins


cdef inline int of_house(const Tables* t, const State* s, Player* p, int city, uint16_t* out) noexcept nogil:
    cdef int good = good_of(s, city), seat, there = 0, province, n = 3
    for seat in range(s.seats):
        there += s.players[seat].houses >> city & 1
    out[0], out[1] = BUILD_IN + MAX_CITIES * t.side + city, BUILD_GOOD + good
    out[2] = THERE + min(<int>MOST_THERE, there)
    for province in range(t.provinces):
        if t.province_cities[province] >> city & 1 and not p.houses & t.province_cities[province]:
            out[n] = NEW_PROVINCE
            n += 1
    if not p.houses & s.city_goods[good]:
        out[n] = NEW_GOOD
        n += 1
    p.coins -= price_of_house(t, s, city, good)
    p.goods -= t.house_goods[good]
    p.houses |= <uint32_t>1 << city
    return n


cdef inline int of_hire(const Tables* t, const State* s, Player* p, int place, uint16_t* out) noexcept nogil:
    """The price of the card at a place, together with that of the one chosen before."""
    p[0] = s.players[s.turn]
    if s.hired_count:
        take_hired(t, s, s.hired[0], place, p)
    else:
        take_hired(t, s, place, NONE, p)
    out[0], out[1] = HIRE_CARD + s.row[place], HIRE_PLACE + place
    return 2


cdef inline void bring(const Tables* t, Player* p, int sort) noexcept nogil:
    """A colonist leaves the storehouse; in which city it is counts for nothing here."""
    cdef int i = 0
    while i < COLONISTS - 1 and p.colonists[sort][i] != STORE:
        i += 1
    p.goods -= t.recruit_goods
    p.colonists[sort][i] = IN_CITY
