"""Whether a state from outside could arise in play; everything after it may trust that it could."""

from libc.string cimport memcmp, memset

from serai.core.bits cimport size
from serai.core.games.concordia.architect cimport buildable, is_asking
from serai.core.games.concordia.counting cimport consistent
from serai.core.games.concordia.events cimport set_up
from serai.core.games.concordia.hire cimport can_hire
from serai.core.games.concordia.production cimport keepable
from serai.core.games.concordia.settle cimport can_recruit
from serai.core.games.concordia.state cimport (
    ARCHITECT, BUILDING, BUY, BY_LAND, BY_SEA, CARDS, COLONIST, CONSUL, COPYING, DIPLOMAT, GOVERNING, HIRING, HOUSE,
    KEEPING, MERCATOR, MOVING_LAND, MOVING_SEA, NONE, OVER, PAY, PAYING, PREFECT, RECRUITING, ROW, SELL, SENATOR,
    SETTLE, SETTLING, SPECIALIST, TOKENS, TRADING, TRIBUNE, Player, State, Tables,
    cards_in, copies, major_of, minor_of, on_board, total, verb_of,
)
from serai.core.games.concordia.trade cimport can_trade
from serai.core.types cimport MAX_ACTIONS, Action

cdef enum:
    MOST_BOUGHT = 2         # by one card

ROLES_OF = {
    COPYING: {DIPLOMAT}, RECRUITING: {TRIBUNE}, MOVING_LAND: {ARCHITECT}, MOVING_SEA: {ARCHITECT}, BUILDING: {ARCHITECT},
    GOVERNING: {PREFECT}, KEEPING: {PREFECT, SPECIALIST}, TRADING: {MERCATOR}, HIRING: {SENATOR, CONSUL},
    PAYING: {SENATOR}, SETTLING: {COLONIST},
}
BUYERS = {SENATOR, CONSUL, DIPLOMAT}
BOUNDS_OF = {BUILDING: {HOUSE}, TRADING: {SELL, BUY}, PAYING: {PAY}, SETTLING: {SETTLE}}


cdef object fault_of(const Tables* t, const State* s):
    """What is wrong with a state; None if nothing is."""
    if not consistent(t, s):
        return "cards, tokens or colonists are missing, or in two places, or a storehouse is too full"
    return (cards_fault(t, s) or set_up_fault(t, s) or end_fault(t, s) or card_fault(t, s) or bound_fault(t, s)
            or idle_fault(s) or phase_fault(t, s))


cdef object cards_fault(const Tables* t, const State* s):
    cdef int seat, kind
    cdef const Player* p
    for seat in range(s.seats):
        p = &s.players[seat]
        if (p.hidden or p.hidden_pile or p.secret or p.secret_pile) and not s.vague:
            return "vague must be true where cards are hidden or secret"
        if p.top != NONE and (copies(p.pile, p.top) == 0 or copies(p.pile, p.top) == copies(p.secret_pile, p.top)):
            return "the top of a pile must be one of its open cards"
        if s.vague and t.first_game and not p.scored:
            return "in a first game no card is hidden before all seats have been counted: the markers would tell"
        for kind in range(t.kinds):
            if t.role[kind] == TRIBUNE and (copies(p.pile, kind) or not (copies(p.hand, kind) or p.hidden)):
                return "a tribune is always in the hand"
        if p.marker and not (t.first_game and p.scored) or p.scored and not t.first_game:
            return "scored and marker belong to a first game"
    if s.witnessed and not s.vague:
        return "witnessed belongs to a vague state"
    return None


cdef object set_up_fault(const Tables* t, const State* s):
    """Cities first, then the row; after that the row is full or the deck empty but for a refill."""
    if (s.phase == TOKENS) != (s.dealt < t.cities - 1):
        return "the phase is token as long as a city has no token"
    if s.phase == TOKENS and (s.row_size or s.coin_side):
        return "the row and the tiles come after the tokens"
    if s.coin_side >> t.provinces:
        return "coin_side names no province"
    if s.phase > TOKENS and (s.phase == CARDS) != (s.row_size < ROW and s.deck > 0):
        return "the phase is card as long as the row has a gap that the deck can fill"
    return dealing_fault(t, s) if s.phase <= CARDS else None


cdef object dealing_fault(const Tables* t, const State* s):
    """Tokens and cards are dealt before anybody has done anything; cards after a purchase of one or two, too."""
    cdef const Player* p = &s.players[s.turn]
    if s.phase == TOKENS or p.top == NONE:
        return None if is_untouched(t, s) else "in the set-up the mover is p1, and all seats have what they begin with"
    if t.role[p.top] in BUYERS and s.row_size >= ROW - MOST_BOUGHT and s.row_size + s.deck < t.in_play:
        return None
    return "cards are turned up when the mover has bought one or two"


cdef bint is_untouched(const Tables* t, const State* s):
    cdef State fresh
    cdef int seat
    memset(&fresh, 0, sizeof(State))
    set_up(t, &fresh, s.seats)
    if s.turn != fresh.turn or s.magnus != fresh.magnus or s.row_size + s.deck != t.in_play or s.coin_side:
        return False
    for seat in range(s.seats):
        if not is_unchanged(t, &s.players[seat], &fresh.players[seat]):
            return False
    return True


cdef bint is_unchanged(const Tables* t, const Player* p, const Player* fresh):
    """Has what it had; cards of the hand may be hidden."""
    if p.pile or p.hidden_pile or cards_in(p.hand) + p.hidden != t.starter_count:
        return False
    if p.coins != fresh.coins or p.goods != fresh.goods or p.houses or p.scored:
        return False
    return memcmp(p.colonists, fresh.colonists, sizeof(p.colonists)) == 0


cdef object end_fault(const Tables* t, const State* s):
    """The Concordia card is out exactly if somebody has built all houses or no card is left."""
    cdef int seat, most = 0
    cdef bint triggered
    for seat in range(s.seats):
        most = max(most, size(s.players[seat].houses))
    triggered = most == t.houses or (s.row_size == 0 and s.deck == 0)
    if (s.concordia != NONE) != triggered:
        return "the concordia card is out exactly after the last house or the last card"
    if s.phase == OVER and s.turn != s.concordia:
        return "when the game is over the mover is the seat with the concordia card"
    if s.concordia == s.turn and s.phase not in (OVER, BUILDING, CARDS):
        return "the seat with the concordia card has no turn"
    return None


cdef object card_fault(const Tables* t, const State* s):
    """The card that is carried out fits the phase and lies on the mover's pile, or a Diplomat that copies it."""
    cdef const Player* p = &s.players[s.turn]
    if s.phase not in ROLES_OF:
        return None if s.card == NONE else "no card is carried out in this phase"
    if s.card == NONE or t.role[s.card] not in ROLES_OF[s.phase]:
        return "the card doesn't fit the phase"
    if s.phase == RECRUITING:
        return None if p.top == NONE else "a tribune leaves no pile"
    if p.top != s.card and (p.top == NONE or t.role[p.top] != DIPLOMAT):
        return "the card must be on top of the mover's pile"
    return None


cdef object bound_fault(const Tables* t, const State* s):
    cdef int major = major_of(s.last), minor = minor_of(s.last)
    if s.last == 0:
        return None
    if s.phase not in BOUNDS_OF or verb_of(s.last) not in BOUNDS_OF[s.phase]:
        return "last is no decision of this phase"
    if s.phase == BUILDING and not s.players[s.turn].houses >> minor & 1:
        return "the house built last must be there"
    if s.phase == TRADING and not 1 <= minor <= t.slots:
        return "the first trade is impossible"
    if s.phase == SETTLING and not t.touched[major] >> minor & 1:
        return "the last colonist can't have come there"
    return None


cdef object idle_fault(const State* s):
    """What is under way in another phase is under way in none."""
    cdef bint moving = s.phase == MOVING_LAND or s.phase == MOVING_SEA
    cdef bint hiring = s.phase == HIRING or s.phase == PAYING
    if (s.steps or s.placed_count) and not moving:
        return "steps and placed belong to the phases land and sea"
    if s.hired_count and not hiring or s.owed and s.phase != PAYING:
        return "hired and owed belong to the phases hire and pay"
    if s.province != NONE and s.phase != KEEPING:
        return "producing belongs to the phase keep"
    return None


cdef object phase_fault(const Tables* t, const State* s):
    """A phase that has something to ask."""
    cdef const Player* p = &s.players[s.turn]
    cdef Action options[MAX_ACTIONS]
    cdef int steps = on_board(p, BY_LAND) + on_board(p, BY_SEA)
    cdef bint possible = True
    if s.phase == RECRUITING:
        possible = can_recruit(t, s)
    elif s.phase == MOVING_LAND or s.phase == MOVING_SEA:
        possible = s.steps <= steps and (s.steps == steps or s.phase == MOVING_SEA) and is_asking(t, s)
    elif s.phase == BUILDING:
        possible = buildable(t, s) != 0
    elif s.phase == KEEPING:
        possible = keeping_is_possible(t, s) and keepable(t, s, options) > 1
    elif s.phase == TRADING:
        possible = can_trade(t, s)
    elif s.phase == HIRING:
        possible = places_are_possible(s, s.hired_count) and s.hired_count < 2 and can_hire(t, s)
    elif s.phase == PAYING:
        possible = places_are_possible(s, s.hired_count) and paying_is_possible(t, s)
    return None if possible else "nothing is to be asked in this phase"


cdef bint keeping_is_possible(const Tables* t, const State* s) noexcept:
    """A Prefect's province has turned its tile; a specialist works for the mover alone."""
    if total(s.pending) > t.houses + 2:
        return False
    if t.role[s.card] == PREFECT:
        return s.province != NONE and s.coin_side >> s.province & 1
    return s.province == NONE and s.keeper == s.turn


cdef bint places_are_possible(const State* s, int number) noexcept:
    """Different places of the row, ascending."""
    if number and not s.hired[0] < s.row_size:
        return False
    return number < 2 or s.hired[0] < s.hired[1] < s.row_size


cdef bint paying_is_possible(const Tables* t, const State* s) noexcept:
    """Goods of free choice are owed, not more than the places cost, and there."""
    cdef int i, any = 0
    for i in range(s.hired_count):
        any += t.place_any[s.hired[i]]
    return 0 < s.owed <= any and total(s.players[s.turn].goods) >= s.owed and (s.owed == any) == (s.last == 0)
