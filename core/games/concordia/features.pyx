"""What a network sees of a state: for each player, and for the table, the numbers of the features that hold."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from serai.core.bits cimport lowest, size
from serai.core.games.concordia.score cimport points_by_god
from serai.core.games.concordia.settled cimport is_moving, settle_player
from serai.core.games.concordia.state cimport (
    BUILDING, BY_LAND, BY_SEA, CARDS, COLONISTS, GODS, GOODS, KEEPING, MAIN, MAX_CITIES,
    MAX_PLAYERS, MAX_PROVINCES, MAX_SALE, NONE, OVER, PAYING, ROW, SORTS, STORE, TOKENS, VESTA, Player, State, Tables,
    cards_in, copies, count, covers, kinds_in, on_board, room,
)


cdef int features(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef Player p
    cdef int n
    if seat < 0:
        return of_table(t, s, out)
    settle_player(t, s, seat, &p)
    n = of_houses(t, s, &p, out)
    n += of_colonists(t, s, &p, seat, out + n)
    n += of_store(t, &p, out + n)
    n += of_cards(t, &p, out + n)
    n += of_points(t, s, &p, out + n)
    return n + of_turn(t, s, seat, out + n)


# ---- a player

cdef inline int of_houses(const Tables* t, const State* s, const Player* p, uint16_t* out) noexcept nogil:
    cdef int good, province, provinces = 0, n = each(p.houses, HOUSE + MAX_CITIES * t.side, out)
    for good in range(GOODS):
        out[n] = (MAKING + (MOST_OF_GOOD + 1) * good
                  + min(<int>MOST_OF_GOOD, size(p.houses & s.city_goods[good])))
        n += 1
    for province in range(t.provinces):
        provinces += (p.houses & t.province_cities[province]) != 0
    out[n] = TO_GO + max(0, t.houses - size(p.houses))
    out[n + 1] = PROVINCES + min(<int>MOST_PROVINCES, provinces)
    return n + 2


cdef int each(uint32_t bits, int first, uint16_t* out) noexcept nogil:
    cdef int n = 0
    while bits:
        out[n] = first + lowest(bits)
        n += 1
        bits &= bits - 1
    return n


cdef inline int of_colonists(const Tables* t, const State* s, const Player* p, int seat, uint16_t* out) noexcept nogil:
    cdef int n = each(around(t, p, 0) & ~p.houses, NEXT_TO + MAX_CITIES * t.side, out)
    out[n] = COLONISTS_OUT + on_board(p, BY_LAND)
    out[n + 1] = COLONISTS_OUT + 4 + on_board(p, BY_SEA)
    n += 2
    return n + of_sites(t, s, p, around(t, p, steps_of(s, p, seat)) & ~p.houses, out + n)


cdef inline int steps_of(const State* s, const Player* p, int seat) noexcept nogil:
    """Steps of its colonists in an Architect's turn, or what is left of them in the one under way."""
    if seat == s.turn and is_moving(s):
        return s.steps
    if seat == s.turn and s.phase == BUILDING:
        return 0
    return on_board(p, BY_LAND) + on_board(p, BY_SEA)


cdef inline uint32_t around(const Tables* t, const Player* p, int steps) noexcept nogil:
    """Cities that own colonists are next to after so many steps of each, others' colonists left aside."""
    cdef uint32_t cities = 0
    cdef int sort, i
    for sort in range(SORTS):
        for i in range(COLONISTS):
            if p.colonists[sort][i] < STORE:
                cities |= t.near[sort][p.colonists[sort][i]][steps]
    return cities


cdef inline int of_sites(const Tables* t, const State* s, const Player* p, uint32_t cities, uint16_t* out) noexcept nogil:
    """Of the cities that make a good, the one with fewest houses; how many of all can be paid for."""
    cdef uint32_t at_least[MAX_PLAYERS + 1]     # cities with so many houses
    cdef uint32_t there
    cdef int good, fewest, most, n = 0, payable = 0
    houses_in_cities(s, at_least)
    for good in range(GOODS):
        there = cities & s.city_goods[good]
        if there == 0:
            continue
        fewest = 0
        while fewest < s.seats and not there & ~at_least[fewest + 1]:
            fewest += 1
        most = payable_houses(t, s, p, good)
        if most:
            payable += size(there & ~at_least[most]) if most <= s.seats else size(there)
        out[n] = SITE + PLACE_CLASSES * good + 2 * min(2, fewest) + (fewest < most)
        n += 1
    out[n] = SITES + min(<int>MOST_SITES, payable)
    return n + 1


cdef inline void houses_in_cities(const State* s, uint32_t* at_least) noexcept nogil:
    cdef int seat, number
    at_least[0] = ~<uint32_t>0
    for number in range(1, s.seats + 1):
        at_least[number] = 0
    for seat in range(s.seats):
        for number in range(seat + 1, 0, -1):
            at_least[number] |= at_least[number - 1] & s.players[seat].houses


cdef inline int payable_houses(const Tables* t, const State* s, const Player* p, int good) noexcept nogil:
    """How many houses a city of the good may have, the new one among them, so that the seat can pay for it."""
    if not covers(p.goods, t.house_goods[good]):
        return 0
    return p.coins // t.house_coins[good] if t.house_coins[good] else s.seats + 1


cdef int of_store(const Tables* t, const Player* p, uint16_t* out) noexcept nogil:
    """Goods, free slots, and coins."""
    cdef int good
    for good in range(GOODS):
        out[good] = STORED + (MOST_STORED + 1) * good + min(<int>MOST_STORED, count(p.goods, good))
    out[GOODS] = FREE + min(<int>MOST_FREE, room(t, p))
    out[GOODS + 1] = COINS + coin_class(p.coins)
    return GOODS + 2


cdef int coin_class(int coins) noexcept nogil:
    """Up to 20 each, 21–24, 25–29, 30–39, 40–49, 50–69, from 70 on."""
    if coins <= 20:
        return coins
    if coins < 30:
        return 21 if coins < 25 else 22
    if coins < 50:
        return 23 if coins < 40 else 24
    return 25 if coins < 70 else 26


cdef inline int of_cards(const Tables* t, const Player* p, uint16_t* out) noexcept nogil:
    cdef int known = cards_in(p.hand), n = of_kinds(p.hand, HAND, out)
    n += of_kinds(p.pile, PILE, out + n)
    out[n] = IN_HAND + min(<int>MOST_IN_HAND, known + p.hidden)
    out[n + 1] = BOUGHT + max(0, min(<int>MOST_BOUGHT, known + cards_in(p.pile) + p.hidden + p.hidden_pile
                                     - t.starter_count))
    n += 2
    if p.top != NONE:
        out[n] = TOP + p.top
        n += 1
    if p.hidden or p.hidden_pile:
        out[n] = UNKNOWN_CARDS + min(<int>MOST_UNKNOWN, p.hidden + p.hidden_pile) - 1
        n += 1
    return n


cdef inline int of_kinds(uint64_t cards, int first, uint16_t* out) noexcept nogil:
    """One number for each kind, another for a second card of it."""
    cdef uint64_t kinds = kinds_in(cards)
    cdef int kind, n = 0
    while kinds:
        kind = lowest(kinds) // 3
        out[n] = first + 2 * kind
        n += 1
        if copies(cards, kind) > 1:
            out[n] = first + 2 * kind + 1
            n += 1
        kinds &= kinds - 1
    return n


cdef inline int of_points(const Tables* t, const State* s, const Player* p, uint16_t* out) noexcept nogil:
    """Points by the gods: in fours and what is beyond, so that weights can be exact in points."""
    cdef int by_god[GODS]
    cdef int god, points = 0, n = 0
    points_by_god(t, s, p, by_god)
    for god in range(GODS):
        points += by_god[god]
        out[n] = (GOD_CARDS + (MOST_OF_GOD + 1) * god
                  + min(<int>MOST_OF_GOD, cards_in((p.hand + p.pile) & t.god_kinds[god])))
        n += 1
        if god != VESTA:
            out[n] = GOD_POINTS + (MOST_GOD_FOURS + 1) * (god - 1) + min(<int>MOST_GOD_FOURS, by_god[god] >> 2)
            n += 1
    out[n] = FOURS + min(<int>MOST_FOURS, points >> 2)
    out[n + 1] = ONES + (points & 3)
    out[n + 2] = TENS + min(<int>MOST_TENS, wealth(t, p) // 10)
    return n + 3


cdef inline int wealth(const Tables* t, const Player* p) noexcept nogil:
    cdef int good, coins = p.coins
    for good in range(GOODS):
        coins += count(p.goods, good) * t.price[good]
    return coins


# ---- its turn

cdef inline int of_turn(const Tables* t, const State* s, int seat, uint16_t* out) noexcept nogil:
    cdef int n = 1
    out[0] = when(s, seat)
    if s.magnus == seat:
        out[n] = MAGNUS
        n += 1
    if s.concordia == seat:
        out[n] = CONCORDIA
        n += 1
    if s.turn == seat and has_to_choose(s):
        out[n] = NOW + t.role[s.card]
        n += 1
    return n


cdef inline bint has_to_choose(const State* s) noexcept nogil:
    """In the middle of a turn, and not only a payment, or goods to keep, away from its end."""
    return MAIN < s.phase < OVER and s.phase != KEEPING and s.phase != PAYING and s.card != NONE


cdef inline bint has_played(const State* s) noexcept nogil:
    """The turn under way has its card: next to play one is the following seat."""
    if s.phase == CARDS:
        return s.players[s.turn].top != NONE    # else this is the set-up
    return s.phase != TOKENS and s.phase != MAIN and s.phase != OVER


cdef inline int when(const State* s, int seat) noexcept nogil:
    """Turns of others before the next own one; whether there is one, and whether it is the last."""
    cdef int mover = s.turn + has_played(s)
    cdef int ahead = distance(s, mover if mover < s.seats else 0, seat)
    if s.concordia == NONE:
        return WHEN + ahead
    if ahead < distance(s, mover if mover < s.seats else 0, s.concordia):
        return WHEN + MAX_PLAYERS + ahead
    return NO_TURN


cdef inline int distance(const State* s, int first, int seat) noexcept nogil:
    """Seats from one to another, in turn order."""
    return seat - first if seat >= first else seat - first + s.seats


# ---- the table

cdef inline int of_table(const Tables* t, const State* s, uint16_t* out) noexcept nogil:
    cdef int n = of_board(t, s, out)
    cdef int left = s.row_size - s.hired_count + s.deck
    n += of_row(s, out + n)
    out[n] = PAIRS + min(<int>MOST_PAIRS, (left + 1) >> 1)
    out[n + 1] = LEAST_TO_GO + least_to_go(t, s)
    n += 2
    if s.row_size - s.hired_count < ROW and s.deck:
        out[n] = ROW_GAP
        n += 1
    if s.concordia != NONE:
        out[n] = LAST_ROUND
        n += 1
    return n


cdef inline int of_board(const Tables* t, const State* s, uint16_t* out) noexcept nogil:
    """The goods of cities and tiles as far as they are there, and the coins on tiles."""
    cdef uint32_t cities
    cdef int good, province, face, coins = 0, n = 0
    for good in range(GOODS):
        cities = s.city_goods[good]
        while cities:
            out[n] = MAKES + GOODS * (MAX_CITIES * t.side + lowest(cities)) + good
            n += 1
            cities &= cities - 1
    if s.phase != TOKENS:
        for province in range(t.provinces):
            face = s.bonus[province]
            if s.coin_side >> province & 1:
                coins += t.tile_coins[face]
                face = GOODS
            out[n] = TILE + TILE_FACES * (MAX_PROVINCES * t.side + province) + face
            n += 1
    out[n] = TILE_COINS + min(<int>MOST_TILE_COINS, coins)
    return n + 1


cdef inline int of_row(const State* s, uint16_t* out) noexcept nogil:
    """Cards for sale; those that are being paid for are gone, and the row has closed up."""
    cdef int place, n = 0
    for place in range(s.row_size):
        if s.hired_count and (place == s.hired[0] or (s.hired_count == 2 and place == s.hired[1])):
            continue
        out[n] = ROW_CARD + MAX_SALE * n + s.row[place]
        n += 1
    return n


cdef inline int least_to_go(const Tables* t, const State* s) noexcept nogil:
    """Houses that the seat with most of them lacks to the end."""
    cdef int seat, most = 0
    for seat in range(s.seats):
        most = max(most, size(s.players[seat].houses))
    return max(0, t.houses - most)
