"""What is known about playing Concordia well; used by search and bots only."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from serai.core.bits cimport bit, lowest, size
from serai.core.fastmath cimport fast_exp
from serai.core.games.concordia.architect cimport price_of_house
from serai.core.games.concordia.building cimport Builder, plan_houses, worth_of_house
from serai.core.games.concordia.score cimport points_of, ranks
from serai.core.games.concordia.state cimport (
    ARCHITECT, BUY, BY_LAND, BY_SEA, COLONISTS, CONSUL, DIPLOMAT, DONE, FEATURES, GOODS, GOVERNING, IN_CITY,
    KEEPING, MAIN, MARS, MAX_CITIES, MOVING_LAND, MOVING_SEA, NONE, OVER, PAYING, PLACES, PREFECT, SELL,
    SENATOR, SPECIALIST, STAGES, TRADING, TRIBUNE, Player, State, Tables, cards_in, copies, count, covers,
    good_of, kinds_in, major_of, minor_of, on_board, room, state_bytes, verb_of,
)
from serai.core.games.concordia.thumb cimport (
    finish_turn, good_to_keep, good_to_pay, stage_of, time_left, useful, worth_of_government,
)
from serai.core.types cimport Action

from serai.core.games.concordia.weights import load_weights


cdef enum:
    PLACES_SEEN = 6         # new places of a colonist that are worth a look
    PROVINCES = 4           # ... and provinces


cdef int fill_knowledge(Tables* t, board, int seats) except -1:
    """Evaluation weights, and the map as the rules of thumb want it, into the tables."""
    cdef int stage, i, sort
    for sort, lines in enumerate((board.land, board.sea)):
        for i, line in enumerate(lines):
            for city in line:
                t.touching[sort][<int>city] |= bit(i)
    for i, city in enumerate(board.cities):
        t.province_of[i] = city.province if i else 0
    weights = load_weights()[seats]
    for stage in range(STAGES):
        for i in range(FEATURES):
            t.win_weights[stage][i] = weights.win[stage][i]
            t.score_weights[stage][i] = weights.score[stage][i]
    return 0


# ---- value of an unfinished game

cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil:
    """Win share per seat: softmax of strengths that are linear in a few features of the seat."""
    cdef const Tables* t = <const Tables*>tables
    cdef State after
    cdef float x[FEATURES]
    cdef const float* weights
    cdef float most = -1e30, sum = 0
    cdef int seat
    settle_turn(t, <const State*>state, &after)
    if after.phase == OVER:
        final_shares(t, &after, win)
        return
    weights = t.win_weights[stage_of(t, &after)]
    for seat in range(after.seats):
        describe(t, &after, seat, x)
        win[seat] = dot(weights, x)
        most = max(most, win[seat])
    for seat in range(after.seats):
        win[seat] = fast_exp(win[seat] - most)
        sum += win[seat]
    for seat in range(after.seats):
        win[seat] /= sum


cdef float standing(const void* tables, const void* state, int seat) noexcept nogil:
    """Strength of one seat; `evaluate` is the softmax of these."""
    cdef const Tables* t = <const Tables*>tables
    cdef State after
    cdef float x[FEATURES]
    cdef float win[8]
    settle_turn(t, <const State*>state, &after)
    if after.phase == OVER:
        final_shares(t, &after, win)
        return 40 * win[seat]
    describe(t, &after, seat, x)
    return dot(t.win_weights[stage_of(t, &after)], x)


cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil:
    """Expected final score per seat."""
    cdef const Tables* t = <const Tables*>tables
    cdef State after
    cdef float x[FEATURES]
    cdef int seat
    settle_turn(t, <const State*>state, &after)
    for seat in range(after.seats):
        if after.phase == OVER:
            points[seat] = points_of(t, &after, seat)
        else:
            describe(t, &after, seat, x)
            points[seat] = dot(t.score_weights[stage_of(t, &after)], x)


cdef inline void settle_turn(const Tables* t, const State* s, State* after) noexcept nogil:
    """The state after the turn under way."""
    memcpy(after, s, state_bytes(s))
    if MAIN < s.phase < OVER:
        finish_turn(t, after)


cdef inline void final_shares(const Tables* t, const State* s, float* win) noexcept nogil:
    cdef int order[8]
    cdef int seat
    ranks(t, s, order)
    for seat in range(s.seats):
        win[seat] = order[seat] == 1


# ---- what a seat has

cdef void describe(const Tables* t, const State* s, int seat, float* x) noexcept nogil:
    """The features of evaluation.toml; not in the middle of a turn."""
    cdef const Player* p = &s.players[seat]
    cdef Builder b
    cdef int good
    plan_houses(t, s, seat, time_left(stage_of(t, s)), &b)
    x[0] = points_of(t, s, seat)
    x[1] = size(p.houses)
    x[2] = p.coins
    for good in range(GOODS):
        x[3 + good] = useful(count(p.goods, good))
    x[8] = cards_in(p.hand) + cards_in(p.pile) + p.hidden + p.hidden_pile
    x[9] = cards_in(p.hand) + p.hidden
    describe_hand(t, s, p, x)
    x[14] = on_board(p, BY_LAND) + on_board(p, BY_SEA)
    describe_houses(t, s, p, x)
    x[18] = b.gain
    x[19] = b.built
    x[20] = min(4, room(t, p))
    x[21] = is_next(s, seat)
    x[22] = s.concordia != NONE and has_turn_left(s, seat)
    x[23] = s.magnus == seat
    x[24] = b.worth.any_but_brick
    x[25] = b.worth.province
    x[26] = cards_in((p.hand + p.pile) & t.god_kinds[MARS])
    x[27] = 1


cdef void describe_after(const Tables* t, const State* s, int seat, float* x) noexcept nogil:
    cdef State after
    settle_turn(t, s, &after)
    describe(t, &after, seat, x)


cdef int stage_after(const Tables* t, const State* s) noexcept nogil:
    cdef State after
    settle_turn(t, s, &after)
    return stage_of(t, &after)


cdef inline void describe_hand(const Tables* t, const State* s, const Player* p, float* x) noexcept nogil:
    """What the cards in hand can do."""
    cdef uint64_t kinds = kinds_in(p.hand)
    cdef int kind, role
    x[10] = x[11] = x[12] = x[13] = 0
    while kinds:
        kind = lowest(kinds) // 3
        kinds &= kinds - 1
        role = t.role[kind]
        if role == ARCHITECT:
            x[10] = 1
        elif role == PREFECT:
            x[11] = min(2, copies(p.hand, kind))
        elif role == SENATOR or role == CONSUL:
            x[12] = 1
        elif role == SPECIALIST:
            x[13] += min(3, size(p.houses & s.city_goods[t.kind_good[kind]])) * t.price[t.kind_good[kind]]


cdef inline void describe_houses(const Tables* t, const State* s, const Player* p, float* x) noexcept nogil:
    """Provinces, sorts of goods, and what all houses make at once."""
    cdef int i, provinces = 0, sorts = 0, income = 0, houses
    for i in range(t.provinces):
        provinces += (p.houses & t.province_cities[i]) != 0
    for i in range(GOODS):
        houses = size(p.houses & s.city_goods[i])
        sorts += houses != 0
        income += houses * t.price[i]
    x[15], x[16], x[17] = provinces, sorts, income


cdef inline bint is_next(const State* s, int seat) noexcept nogil:
    """Whether the next card is the seat's; during the refill the turn is about to pass on."""
    if s.phase == MAIN:
        return seat == s.turn
    return seat == s.turn + 1 or (seat == 0 and s.turn == s.seats - 1)


cdef inline bint has_turn_left(const State* s, int seat) noexcept nogil:
    """In the last round: whether it comes before the holder of the Concordia card."""
    cdef int turn = s.turn if s.phase == MAIN else s.turn + 1
    return (seat - turn + 2 * s.seats) % s.seats < (s.concordia - turn + 2 * s.seats) % s.seats


cdef inline float dot(const float* weights, const float* x) noexcept nogil:
    cdef float sums[4]          # four chains of additions instead of one
    cdef int i, k
    for i in range(4):
        sums[i] = 0
    for k in range(0, FEATURES, 4):
        for i in range(4):
            sums[i] += weights[k + i] * x[k + i]
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


# ---- what is worth a look

cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil:
    """Settled payments; few places, provinces and trades; no turn that does nothing."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if n < 2:
        return n
    if s.phase == KEEPING or s.phase == PAYING:
        options[0] = forced(tables, state)
        return 1
    if s.phase == MAIN:
        return working_cards(t, s, options, n)
    if s.phase == MOVING_LAND or s.phase == MOVING_SEA:
        return best_places(t, s, options, n)
    if s.phase == GOVERNING:
        return best_provinces(t, s, options, n)
    if s.phase == TRADING:
        return round_trades(s, options, n)
    if s.last == 0 and s.hired_count == 0 and verb_of(options[n - 1]) == DONE:
        return n - 1        # whoever builds, hires or settles doesn't stop before the first
    return n


cdef Action forced(const void* tables, const void* state) noexcept nogil:
    """What `narrow` leaves of goods to keep or to pay."""
    cdef const State* s = <const State*>state
    if s.phase == KEEPING:
        return good_to_keep(<const Tables*>tables, s)
    if s.phase == PAYING:
        return good_to_pay(<const Tables*>tables, s)
    return 0


cdef inline int working_cards(const Tables* t, const State* s, Action* options, int n) noexcept nogil:
    """Without cards that would do nothing: specialists without a house, diplomats with nothing to copy."""
    cdef int i, kept = 0
    for i in range(n):
        if works(t, s, minor_of(options[i])):
            options[kept] = options[i]
            kept += 1
    return kept if kept else n


cdef inline bint works(const Tables* t, const State* s, int kind) noexcept nogil:
    cdef int seat, top
    if t.role[kind] == SPECIALIST:
        return (s.players[s.turn].houses & s.city_goods[t.kind_good[kind]]) != 0
    if t.role[kind] == DIPLOMAT:
        for seat in range(s.seats):
            top = s.players[seat].top
            if seat != s.turn and top != NONE and t.role[top] != DIPLOMAT and t.role[top] != TRIBUNE:
                return True
        return False
    return True


cdef inline int keep_best(Action* options, float* worth, int n, int number) noexcept nogil:
    """The options worth most, in their order."""
    cdef int i, k, better, kept = 0
    if n <= number:
        return n
    for i in range(n):
        better = 0
        for k in range(n):
            better += worth[k] > worth[i] or (worth[k] == worth[i] and k < i)
        if better < number:
            options[kept] = options[i]
            kept += 1
    return kept


cdef inline int best_places(const Tables* t, const State* s, Action* options, int n) noexcept nogil:
    """Places where a colonist is, and the lines at the cities that are worth most."""
    cdef float worth[PLACES]
    cdef float cities[MAX_CITIES]
    cdef Builder b
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA, i
    if n <= PLACES_SEEN:
        return n
    plan_houses(t, s, s.turn, time_left(stage_of(t, s)), &b)
    value_cities(t, s, &b, cities)
    for i in range(n):
        worth[i] = worth_of_place(t, s, cities, sort, minor_of(options[i]))
    return keep_best(options, worth, n, PLACES_SEEN + on_board(&s.players[s.turn], sort))


cdef inline void value_cities(const Tables* t, const State* s, const Builder* b, float* cities) noexcept nogil:
    """What a house in each city would be worth; less if it can't be paid now."""
    cdef const Player* p = &s.players[s.turn]
    cdef int city, good
    for city in range(t.cities):
        cities[city] = 0
        if city and not p.houses >> city & 1:
            good = good_of(s, city)
            cities[city] = max(0, worth_of_house(t, s, b, city, good))
            if not covers(p.goods, t.house_goods[good]) or p.coins < price_of_house(t, s, city, good):
                cities[city] *= <float>0.3


cdef inline float worth_of_place(
        const Tables* t, const State* s, const float* cities, int sort, int place) noexcept nogil:
    cdef int i
    cdef uint32_t ends
    cdef float worth = 0
    for i in range(COLONISTS):
        if s.players[s.turn].colonists[sort][i] == place:
            worth = 1000        # staying is always possible
    if place < IN_CITY:
        ends = t.ends[sort][place]
        while ends:
            worth += cities[lowest(ends)]
            ends &= ends - 1
    return worth


cdef inline int best_provinces(const Tables* t, const State* s, Action* options, int n) noexcept nogil:
    cdef float worth[32]
    cdef int i
    for i in range(n):
        worth[i] = worth_of_government(t, s, options[i])
    return keep_best(options, worth, n, PROVINCES)


cdef inline int round_trades(const State* s, Action* options, int n) noexcept nogil:
    """Sales that leave at most two, purchases of at most three."""
    cdef int i, kept = 0
    for i in range(n):
        if verb_of(options[i]) == SELL:
            if count(s.players[s.turn].goods, major_of(options[i])) - minor_of(options[i]) > 2:
                continue
        elif verb_of(options[i]) == BUY and minor_of(options[i]) > 3:
            continue
        options[kept] = options[i]
        kept += 1
    return kept


# ---- the opening

cdef Action book(const void* tables, const void* state) noexcept nogil:
    return 0
