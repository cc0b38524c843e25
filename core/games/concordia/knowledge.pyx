"""What is known about playing Concordia well; used by search and bots only."""

from serai.core.bits cimport size
from serai.core.fastmath cimport fast_exp
from serai.core.games.concordia.score cimport points_of, ranks
from serai.core.games.concordia.state cimport (
    GOODS, KEEPING, MAIN, NONE, OVER, Player, State, Tables, cards_in, count,
)
from serai.core.types cimport Action

cdef enum:
    SPREAD = 8              # points that make a win e times as likely as a loss


# ---- value of an unfinished game

cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil:
    """Win share per seat: softmax of the standings."""
    cdef const State* s = <const State*>state
    cdef float most = -1e30, sum = 0
    cdef int seat
    for seat in range(s.seats):
        win[seat] = standing(tables, state, seat)
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
    cdef int order[8]
    if s.phase == OVER:
        ranks(t, s, order)
        return 40 if order[seat] == 1 else 0
    return value(t, s, seat) / SPREAD


cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil:
    """Points now, and what goods, coins and turns may still bring."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef int seat
    for seat in range(s.seats):
        points[seat] = points_of(t, s, seat) if s.phase == OVER else value(t, s, seat)


cdef inline float value(const Tables* t, const State* s, int seat) noexcept nogil:
    """Exact points; wealth, and cards that need not be taken back first, as far as the game has still to go."""
    cdef const Player* p = &s.players[seat]
    cdef float left = time_left(t, s)
    cdef int in_hand = cards_in(p.hand) + p.hidden
    return points_of(t, s, seat) + left * (0.25 * wealth(t, p) + 0.6 * in_hand) + (seat == s.turn and s.phase == MAIN)


cdef inline float time_left(const Tables* t, const State* s) noexcept nogil:
    """1 at the start, 0 at the end: by houses built and by cards sold, whichever is farther on."""
    cdef int seat, houses = 0
    if s.concordia != NONE:
        return 0
    for seat in range(s.seats):
        houses = max(houses, size(s.players[seat].houses))
    return min(1 - houses / <float>t.houses, (s.row_size + s.deck) / <float>t.in_play)


cdef inline float wealth(const Tables* t, const Player* p) noexcept nogil:
    """Coins, with goods at their prices."""
    cdef int good
    cdef float coins = p.coins
    for good in range(GOODS):
        coins += count(p.goods, good) * t.price[good]
    return coins


# ---- what is worth a look

cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil:
    return n


cdef Action forced(const void* tables, const void* state) noexcept nogil:
    return 0


cdef Action book(const void* tables, const void* state) noexcept nogil:
    return 0


# ---- planning alone

cdef void solo(const void* tables, void* state, int seat) noexcept nogil:
    cdef State* s = <State*>state
    if s.turn != seat or s.phase < MAIN or s.phase == KEEPING:
        s.turn = seat
        s.phase = MAIN
        s.pending = s.last = 0
        s.keeper = s.steps = s.placed_count = s.hired_count = s.owed = 0
        s.card = s.province = NONE
    s.solo = 1


cdef void worth(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil:
    """Points now, and what coins and goods may become."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    scored[0] = points_of(t, s, seat)
    held[0] = 0.25 * wealth(t, &s.players[seat])
