"""Spice Road's turn: what is possible, and what it does. One rule, one function, in the order of the rules."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.bits cimport bit, lowest, pick, size
from serai.core.check cimport check
from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, CLAIM, DISCARD, DROP, GIVE, MAIN, MARKET, MARKET_SLOTS, OVER, PAY, PLAY, POINT, POINT_SLOTS,
    RAISE, REST, SHOW_MERCHANT, SHOW_POINT, STARTERS, TAKE, Caravan, Player, State, Tables,
    act, caravan, count, major_of, minor_of, total, verb_of,
)
from serai.core.rng cimport Rng
from serai.core.types cimport CHANCE, GAME_OVER, Action


# ---- set-up

cdef void set_up(const Tables* t, State* s, int seats) noexcept nogil:
    """Caravans, starting hands and coins; the rows are still to be dealt."""
    cdef int seat
    s.seats = seats
    s.merchants, s.point_cards = t.all_merchants, t.all_points
    s.merchants_left, s.points_left = size(t.all_merchants), size(t.all_points)
    s.gold = s.silver = 2 * seats
    for seat in range(seats):
        s.players[seat].hand = bit(STARTERS) - 1
        s.players[seat].cubes = t.start_cubes[seat]
    s.phase = MARKET
    s.turn = seats - 1      # so that the turn passes to the first seat once both rows are full


# ---- whose turn

cdef int to_act(const void* tables, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase <= DROP:
        return s.turn
    if s.phase == OVER:
        return GAME_OVER
    return CHANCE


# ---- what is possible

cdef int legal(const void* tables, const void* state, Action* out) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if s.phase == MAIN:
        return main_actions(t, s, out)
    if s.phase == PAY:
        return one_cube(s, GIVE, out)
    if s.phase == DROP:
        return one_cube(s, DISCARD, out)
    if s.phase == MARKET:
        return cards_of(s.merchants, SHOW_MERCHANT, out)
    if s.phase == POINT:
        return cards_of(s.point_cards, SHOW_POINT, out)
    return 0


cdef inline int main_actions(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef const Player* p = &s.players[s.turn]
    cdef const Caravan* c = caravan(t, p.cubes)
    # Where a view doesn't show the hand, any card not accounted for may be in it.
    cdef uint64_t hand = p.hand if p.hidden == 0 else p.hand | s.merchants
    cdef int n = claims(s, c, out)
    n += takes(s, total(p.cubes), out + n)
    n += plays(hand, c, out + n)
    if hand & t.upgrade_cards:
        n += raises(t, hand & t.upgrade_cards, c, out + n)
    if p.played:            # resting with nothing played is no action
        out[n] = act(REST, 0, 0)
        n += 1
    return n


cdef inline int claims(const State* s, const Caravan* c, Action* out) noexcept nogil:
    cdef int slot, n = 0
    for slot in range(s.row_size):
        out[n] = act(CLAIM, slot, 0)
        n += <int>(c.affordable >> s.row[slot] & 1)
    return n


cdef inline int takes(const State* s, int cubes, Action* out) noexcept nogil:
    """One cube is laid on each card to the left, so the number of cubes limits the slot."""
    cdef int slot, n = min(<int>s.market_size, cubes + 1)
    for slot in range(n):
        out[slot] = act(TAKE, slot, 0)
    return n


cdef inline int plays(uint64_t hand, const Caravan* c, Action* out) noexcept nogil:
    cdef int times, n = 0
    cdef uint64_t cards
    for times in range(CARAVAN_LIMIT):
        cards = hand & c.times[times]
        if cards == 0:
            break
        while cards:
            out[n] = act(PLAY, times + 1, lowest(cards))
            n += 1
            cards &= cards - 1
    return n


cdef inline int raises(const Tables* t, uint64_t cards, const Caravan* c, Action* out) noexcept nogil:
    cdef int i, card, n = 0
    while cards:
        card = lowest(cards)
        for i in range(c.up_to[t.steps[card]]):
            out[n] = act(RAISE, card, c.upgrades[i])
            n += 1
        cards &= cards - 1
    return n


cdef inline int one_cube(const State* s, int verb, Action* out) noexcept nogil:
    cdef int colour, n = 0
    for colour in range(4):
        out[n] = act(verb, 0, colour)
        n += count(s.players[s.turn].cubes, colour) != 0
    return n


cdef inline int cards_of(uint64_t cards, int verb, Action* out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = act(verb, 0, lowest(cards))
        n += 1
        cards &= cards - 1
    return n


# ---- chance

cdef double weight(const void* tables, const void* state, Action outcome) noexcept nogil:
    cdef const State* s = <const State*>state
    return 1.0 / size(s.merchants if s.phase == MARKET else s.point_cards)


cdef Action draw(const void* tables, const void* state, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == MARKET:
        return act(SHOW_MERCHANT, 0, pick(s.merchants, rng))
    return act(SHOW_POINT, 0, pick(s.point_cards, rng))


# ---- what it does

cdef void apply(const void* tables, void* state, Action event) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef State* s = <State*>state
    cdef int verb = verb_of(event), major = major_of(event), minor = minor_of(event)
    if verb == PLAY:
        play(t, s, minor, (t.get[minor] - t.give[minor]) * <uint32_t>major)
    elif verb == TAKE:
        take(s, major)
    elif verb == GIVE:
        pay(s, minor)
    elif verb == SHOW_MERCHANT:
        refill_market(s, minor)
    elif verb == RAISE:
        play(t, s, major, t.more[minor] - t.less[minor])
    elif verb == REST:
        rest(s)
    elif verb == CLAIM:
        claim(t, s, major)
    elif verb == SHOW_POINT:
        refill_points(s, minor)
    else:
        s.players[s.turn].cubes -= <uint32_t>1 << (8 * minor)
        end_turn(s)


cdef inline void play(const Tables* t, State* s, int card, uint32_t change) noexcept nogil:
    """Put a card from the hand in front of the player; `change` is what its effect adds, byte by byte."""
    cdef Player* p = &s.players[s.turn]
    if p.hand & bit(card):
        p.hand ^= bit(card)
    else:                   # a card this view didn't show
        check(p.hidden > 0 and s.merchants & bit(card) != 0)
        p.hidden -= 1
        s.merchants ^= bit(card)
    s.secret &= ~bit(card)
    p.played |= bit(card)
    p.cubes += change
    end_turn(s)


cdef inline void take(State* s, int slot) noexcept nogil:
    if slot == 0:
        receive_merchant(s, 0)
    else:
        s.target = slot
        s.phase = PAY


cdef inline void pay(State* s, int colour) noexcept nogil:
    """One cube on the next card to the left of the wanted one, leftmost first."""
    s.players[s.turn].cubes -= <uint32_t>1 << (8 * colour)
    s.lying[s.paid] += <uint32_t>1 << (8 * colour)
    s.paid += 1
    if s.paid == s.target:
        receive_merchant(s, s.target)


cdef inline void receive_merchant(State* s, int slot) noexcept nogil:
    """Card into the hand, the cubes on it into the caravan, the row slides left."""
    cdef Player* p = &s.players[s.turn]
    cdef int i
    p.hand |= bit(s.market[slot])
    p.cubes += s.lying[slot]
    s.market_size -= 1
    for i in range(slot, s.market_size):
        s.market[i] = s.market[i + 1]
        s.lying[i] = s.lying[i + 1]
    s.market[s.market_size] = 0
    s.lying[s.market_size] = 0
    s.target = s.paid = 0
    if s.merchants_left and not s.solo:
        s.phase = MARKET
    else:
        end_turn(s)


cdef inline void rest(State* s) noexcept nogil:
    cdef Player* p = &s.players[s.turn]
    p.hand |= p.played
    p.played = 0
    end_turn(s)


cdef inline void claim(const Tables* t, State* s, int slot) noexcept nogil:
    cdef Player* p = &s.players[s.turn]
    cdef int card = s.row[slot], i
    check(p.claims < t.claims_to_end[s.seats] or s.solo)
    p.cubes -= t.cost[card]
    p.points += t.score[card]
    p.claimed[p.claims] = card
    p.claims += 1
    take_coin(s, p, slot)
    s.row_size -= 1
    for i in range(slot, s.row_size):
        s.row[i] = s.row[i + 1]
    s.row[s.row_size] = 0
    if p.claims == t.claims_to_end[s.seats]:
        s.last_round = 1
    if s.points_left and not s.solo:
        s.phase = POINT
    else:
        end_turn(s)


cdef inline void take_coin(State* s, Player* p, int slot) noexcept nogil:
    """Gold lies over the leftmost card, silver over the second; without gold the silver moves to the leftmost."""
    if slot == 0 and s.gold:
        s.gold -= 1
        p.gold += 1
    elif s.silver and (slot == 0 or (slot == 1 and s.gold)):
        s.silver -= 1
        p.silver += 1


cdef inline void refill_market(State* s, int card) noexcept nogil:
    check(s.merchants & bit(card) != 0)
    s.merchants ^= bit(card)
    s.merchants_left -= 1
    s.market[s.market_size] = card
    s.market_size += 1
    refilled(s)


cdef inline void refill_points(State* s, int card) noexcept nogil:
    check(s.point_cards & bit(card) != 0)
    s.point_cards ^= bit(card)
    s.points_left -= 1
    s.row[s.row_size] = card
    s.row_size += 1
    refilled(s)


cdef inline void refilled(State* s) noexcept nogil:
    """Deal on while a row has a gap that its deck can fill: once in play, eleven times in the set-up."""
    if s.market_size < MARKET_SLOTS and s.merchants_left:
        s.phase = MARKET
    elif s.row_size < POINT_SLOTS and s.points_left:
        s.phase = POINT
    else:
        end_turn(s)


cdef inline void end_turn(State* s) noexcept nogil:
    """At most 10 cubes are kept; then the next seat, or the end after the last seat of the last round."""
    if total(s.players[s.turn].cubes) > CARAVAN_LIMIT:
        s.phase = DROP
        return
    s.phase = MAIN
    if s.solo:
        if s.last_round:
            s.phase = OVER
        return
    s.turn += 1
    if s.turn == s.seats:
        s.turn = 0
        if s.last_round:
            s.phase = OVER
