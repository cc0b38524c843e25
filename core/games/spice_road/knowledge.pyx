"""What is known about playing Spice Road well; used by search and bots only."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memmove

from serai.core.bits cimport bit, size
from serai.core.fastmath cimport fast_exp
from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, DISCARD, DROP, FEATURES, GIVE, MAIN, OVER, PAY, RAISE, STARTERS, TAKE, Player, State, Tables,
    act, caravan, count, major_of, minor_of, total, verb_of,
)
from serai.core.games.spice_road.score cimport points_of, ranks
from serai.core.types cimport Action

from serai.core.games.spice_road.worth import load_weights, worth_of

cdef enum:
    BOOK_CARDS = 6          # merchants to take before anything else (search.md: 4-6 first, 7 in all)


cdef int fill_knowledge(Tables* t, cards, int seats) except -1:
    """Card worth and evaluation weights into the tables."""
    cdef int byte, value, i
    for i, card in enumerate(cards.cards):
        t.card_worth[i] = worth_of(card)
    for byte in range(8):
        for value in range(256):
            for i in range(8):
                if value >> i & 1 and STARTERS <= 8 * byte + i < t.cards:
                    t.worth_sums[byte][value] += t.card_worth[8 * byte + i]
    weights = load_weights()[seats]
    for row in range(t.claims_to_end[seats] + 1):
        stage = min(row, len(weights.win) - 1)      # a component file may ask for more claims than we fitted
        for i in range(FEATURES):
            t.win_weights[row][i] = weights.win[stage][i]
            t.score_weights[row][i] = weights.score[stage][i]
    return 0


cdef inline float cube_worth(uint32_t cubes) noexcept nogil:
    return count(cubes, 0) + 2.0 * count(cubes, 1) + 3.0 * count(cubes, 2) + 4.0 * count(cubes, 3)


# ---- value of an unfinished game

cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil:
    """Win share per seat: softmax of strengths that are linear in a few features of the seat."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef float x[FEATURES]
    cdef const float* weights
    cdef float most = -1e30, sum = 0
    cdef int seat
    if s.phase == OVER:
        final_shares(t, s, win)
        return
    weights = t.win_weights[most_claims(s)]
    for seat in range(s.seats):
        describe(t, s, seat, x)
        win[seat] = dot(weights, x)
        most = max(most, win[seat])
    for seat in range(s.seats):
        win[seat] = fast_exp(win[seat] - most)
        sum += win[seat]
    for seat in range(s.seats):
        win[seat] /= sum


cdef float standing(const void* tables, const void* state, int seat) noexcept nogil:
    """Strength of one seat; `evaluate` is the softmax of these."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef float x[FEATURES]
    cdef float win[8]
    if s.phase == OVER:
        final_shares(t, s, win)
        return 40 * win[seat]
    describe(t, s, seat, x)
    return dot(t.win_weights[most_claims(s)], x)


cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil:
    """Expected final score per seat."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef float x[FEATURES]
    cdef const float* weights = t.score_weights[most_claims(s)]
    cdef int seat
    for seat in range(s.seats):
        if s.phase == OVER:
            points[seat] = points_of(&s.players[seat])
        else:
            describe(t, s, seat, x)
            points[seat] = dot(weights, x)


cdef inline void final_shares(const Tables* t, const State* s, float* win) noexcept nogil:
    cdef int order[8]
    cdef int seat
    ranks(t, s, order)
    for seat in range(s.seats):
        win[seat] = order[seat] == 1


cdef inline int most_claims(const State* s) noexcept nogil:
    cdef int seat, most = 0
    for seat in range(s.seats):
        most = max(most, <int>s.players[seat].claims)
    return most


cdef void describe(const Tables* t, const State* s, int seat, float* x) noexcept nogil:
    """The features of evaluation.toml; a payment or discard under way counts as made, cheapest cubes first."""
    cdef const Player* p = &s.players[seat]
    cdef uint32_t cubes = p.cubes
    cdef uint64_t own = (p.hand | p.played) & ~(bit(STARTERS) - 1)
    cdef bint moves = seat == s.turn
    if moves:
        if s.phase == PAY:
            cubes = without_cheapest(cubes, s.target - s.paid)
            own |= bit(s.market[s.target])
        elif total(cubes) > CARAVAN_LIMIT:
            cubes = without_cheapest(cubes, total(cubes) - CARAVAN_LIMIT)
        moves = s.phase == MAIN
    elif s.phase != MAIN:       # the turn is about to pass on
        moves = seat == s.turn + 1 or (seat == 0 and s.turn == s.seats - 1)
    x[0] = p.points + 3 * p.gold + p.silver
    x[1] = p.claims
    x[2] = useful(count(cubes, 0))
    x[3] = useful(count(cubes, 1))
    x[4] = useful(count(cubes, 2))
    x[5] = useful(count(cubes, 3))
    x[6] = size(own)
    x[7] = worth_sum(t, own)
    x[8] = size(p.played)
    x[9] = moves
    x[10] = seat > s.turn or (seat == s.turn and s.phase == MAIN)
    x[11] = 1
    x[12] = max(0, size(own) - 7)
    x[13] = max(0, total(cubes) - 6)
    x[14] = best_claim(t, s, cubes)
    x[15] = max(0, size(own) - 5)


cdef inline int best_claim(const Tables* t, const State* s, uint32_t cubes) noexcept nogil:
    """Points, coin included, of the best point card that these cubes pay for; 0 if none."""
    cdef uint64_t affordable = caravan(t, cubes).affordable
    cdef int slot, best = 0
    for slot in range(s.row_size):
        if affordable >> s.row[slot] & 1:
            best = max(best, t.score[s.row[slot]] + coin_over(s, slot))
    return best


cdef inline float useful(int cubes) noexcept nogil:
    """Cubes of one colour, those beyond four at half: few point cards want more.

    Without this, a caravan full of brown looks better than what it could buy, and nobody claims any more.
    """
    return cubes if cubes <= 4 else 2 + 0.5 * cubes


cdef inline float worth_sum(const Tables* t, uint64_t cards) noexcept nogil:
    cdef float sum = 0
    cdef int byte
    for byte in range(6):
        sum += t.worth_sums[byte][cards >> (8 * byte) & 255]
    if cards >> 48:
        sum += t.worth_sums[6][cards >> 48 & 255] + t.worth_sums[7][cards >> 56]
    return sum


cdef inline float dot(const float* weights, const float* x) noexcept nogil:
    cdef float sums[4]          # four chains of additions instead of one
    cdef int i
    for i in range(4):
        sums[i] = (weights[i] * x[i] + weights[i + 4] * x[i + 4]) + (
            weights[i + 8] * x[i + 8] + weights[i + 12] * x[i + 12])
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


# ---- what is worth a look

cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil:
    """Pay and return the cheapest cube; upgrade as often as the card allows.

    Cheapest first is worth 16 points of 100 to a search at equal iterations (design notes, search.md no. 7).
    """
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if s.phase == PAY or s.phase == DROP:
        return 1            # colours are listed cheapest first
    if s.phase != MAIN:
        return n
    return full_upgrades(t, options, n)


cdef Action forced(const void* tables, const void* state) noexcept nogil:
    """What `narrow` leaves of a payment or a discard."""
    cdef const State* s = <const State*>state
    if s.phase == PAY:
        return act(GIVE, 0, cheapest(s.players[s.turn].cubes))
    if s.phase == DROP:
        return act(DISCARD, 0, cheapest(s.players[s.turn].cubes))
    return 0


cdef inline int full_upgrades(const Tables* t, Action* options, int n) noexcept nogil:
    """Drop upgrades that leave steps unused while others of the same card use more.

    Upgrades stand together before the rest, those of a card in ascending steps: one walk from the end, which
    moves what stays to the end, then down again.
    """
    cdef int i, kept = n, card = -1, most = 0, steps
    for i in range(n - 1, -1, -1):
        if verb_of(options[i]) < RAISE:
            break
        if verb_of(options[i]) == RAISE:
            steps = total(t.less[minor_of(options[i])])
            if major_of(options[i]) != card:
                card, most = major_of(options[i]), steps
            if steps < most or steps == 0:
                continue
        kept -= 1
        options[kept] = options[i]
    else:
        i = -1
    memmove(options + i + 1, options + kept, (n - kept) * sizeof(Action))
    return i + 1 + n - kept


# ---- the opening

cdef Action book(const void* tables, const void* state) noexcept nogil:
    """Early on, the merchant worth most after its price; 0 once the engine of cards stands."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef const Player* p = &s.players[s.turn]
    cdef int slot, best = -1
    cdef float value, most = -1e30
    if s.phase != MAIN or size(p.hand | p.played) - STARTERS >= BOOK_CARDS or p.claims or s.last_round:
        return 0
    for slot in range(min(<int>s.market_size, total(p.cubes) + 1)):
        value = t.card_worth[s.market[slot]] + price_and_prize(s, p, slot)
        if value > most:
            most = value
            best = slot
    return act(TAKE, best, 0) if best >= 0 else 0


cdef inline float price_and_prize(const State* s, const Player* p, int slot) noexcept nogil:
    cdef uint32_t left = without_cheapest(p.cubes, slot)
    return cube_worth(left) - cube_worth(p.cubes) + cube_worth(s.lying[slot])


# ---- planning alone

cdef void solo(const void* tables, void* state, int seat) noexcept nogil:
    cdef State* s = <State*>state
    if s.turn != seat:
        s.turn = seat
        s.phase = MAIN
    s.solo = 1


cdef void worth(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil:
    """Points that are safe (cards and coins), and what the caravan may become."""
    cdef const State* s = <const State*>state
    cdef const Player* p = &s.players[seat]
    scored[0] = p.points + 3 * p.gold + p.silver
    held[0] = cube_worth(p.cubes)
