"""Concordia's set-up and turn: what is possible, and what it does. The cards' actions are in modules of their own."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from serai.core.bits cimport lowest, pick, size
from serai.core.check cimport check
from serai.core.games.concordia.architect cimport build_house, destinations, name_place, sites, start_moving
from serai.core.games.concordia.hire cimport candidates, hire, pay, payments, settle_bill, start_hiring
from serai.core.games.concordia.production cimport (
    cash_provinces, governments, keep, keepable, produce, produce_everywhere,
)
from serai.core.games.concordia.score cimport points_of
from serai.core.games.concordia.settle cimport can_recruit, cash_colonists, recruit, recruits, settle, settlements
from serai.core.games.concordia.state cimport (
    ARCHITECT, BUILDING, BUY, CARD, CARDS, CASH_COLONISTS, CASH_PROVINCES, COLONIST, CONSUL, COPY, COPYING, DIPLOMAT,
    GOODS, GOVERNING, HIRE, HIRING, HOUSE, KEEP, KEEPING, MAIN, MERCATOR, MOVING_LAND, MOVING_SEA, NONE, OVER, PAY,
    PAYING, PLAY, PREFECT, PRODUCE, RECRUIT, RECRUITING, SELL, SENATOR, SETTLE, SETTLING, TOKEN, TOKENS, TO_LAND,
    TO_SEA, TRADING, TRIBUNE, Player, State, Tables,
    act, blocks_left, cards_in, copies, count, kinds_in, minor_of, numeral, one_of, verb_of,
)
from serai.core.games.concordia.trade cimport deals, start_trading, trade
from serai.core.games.concordia.turn cimport end_turn, fill_row
from serai.core.rng cimport Rng, below
from serai.core.types cimport CHANCE, GAME_OVER, Action

cdef enum:
    FREE_CARDS = 3          # that a Tribune takes back without a coin for each


# ---- set-up

cdef void set_up(const Tables* t, State* s, int seats) noexcept nogil:
    """Storehouses, hands and coins; the cities' goods and the row are still to be dealt."""
    cdef int seat
    s.seats = seats
    s.unseen = t.all_sale
    s.deck = t.in_play
    s.concordia = s.card = s.province = NONE
    s.magnus = seats - 1
    for seat in range(seats):
        s.players[seat].hand = t.starters
        s.players[seat].goods = t.start_goods
        s.players[seat].coins = t.coins[seat]
        s.players[seat].top = NONE
        memcpy(s.players[seat].colonists, t.start_colonists, sizeof(t.start_colonists))
    s.phase = TOKENS


# ---- whose turn

cdef int to_act(const void* tables, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase <= CARDS:
        return CHANCE
    if s.phase == OVER:
        return GAME_OVER
    if s.phase == KEEPING:
        return s.keeper
    return s.turn


cdef int mover(const void* tables, const void* state) noexcept nogil:
    """Whose turn it is: others keep goods in it."""
    return (<const State*>state).turn


# ---- what is possible

cdef int legal(const void* tables, const void* state, Action* out) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if s.phase == MAIN:
        return plays(t, s, out)
    if s.phase == MOVING_LAND or s.phase == MOVING_SEA:
        return destinations(t, s, out)
    if s.phase == BUILDING:
        return sites(t, s, out)
    if s.phase == TRADING:
        return deals(t, s, out)
    if s.phase == HIRING:
        return candidates(t, s, out)
    if s.phase == PAYING:
        return payments(s, out)
    if s.phase == GOVERNING:
        return governments(t, s, out)
    if s.phase == KEEPING:
        return keepable(t, s, out)
    if s.phase == COPYING:
        return each_kind(models(t, s), COPY, out)
    if s.phase == RECRUITING:
        return recruits(s, out)
    if s.phase == SETTLING:
        return settlements(t, s, out)
    if s.phase == CARDS:
        return cards_to_come(t, s, out)
    return tokens_to_come(t, s, out)


cdef inline int plays(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef const Player* p = &s.players[s.turn]
    if p.hidden:
        return each_kind(kinds_in(p.hand) | imaginable(t, p), PLAY, out)
    return each_kind(kinds_in(p.hand), PLAY, out)


cdef inline uint64_t imaginable(const Tables* t, const Player* p) noexcept nogil:
    """Kinds that a hand may hold that this view doesn't show: all of which not every copy is known to be elsewhere."""
    cdef uint64_t kinds = 0
    cdef int kind
    for kind in range(t.kinds):
        if copies(p.hand, kind) + copies(p.pile, kind) < copies(t.starters, kind) + copies(t.sale_kinds, kind):
            kinds |= one_of(kind)
    return kinds


cdef inline int each_kind(uint64_t kinds, int verb, Action* out) noexcept nogil:
    cdef int n = 0
    while kinds:
        out[n] = act(verb, 0, lowest(kinds) // 3)
        n += 1
        kinds &= kinds - 1
    return n


cdef inline uint64_t models(const Tables* t, const State* s) noexcept nogil:
    """Kinds on top of the others' piles that a Diplomat can copy: no Diplomat, no Tribune (ruling 1)."""
    cdef uint64_t kinds = 0
    cdef int seat, top
    for seat in range(s.seats):
        top = s.players[seat].top
        if seat != s.turn and top != NONE and t.role[top] != DIPLOMAT and t.role[top] != TRIBUNE:
            kinds |= one_of(top)
    return kinds


# ---- chance

cdef inline int letter_due(const Tables* t, const State* s) noexcept nogil:
    """Letter of the city that gets the next token."""
    return t.letter[t.order[s.dealt]]


cdef int token_copies(const Tables* t, const State* s, int good) noexcept nogil:
    """Tokens of a good that are left of the letter due."""
    cdef int letter = letter_due(t, s)
    return count(t.letter_tokens[letter], good) - size(s.city_goods[good] & t.letter_cities[letter])


cdef inline int tokens_left(const Tables* t, const State* s) noexcept nogil:
    cdef int good, tokens = 0
    for good in range(GOODS):
        tokens += token_copies(t, s, good)
    return tokens


cdef inline uint32_t next_cards(const Tables* t, const State* s) noexcept nogil:
    """Cards that may lie on top of the deck: those of the lowest numeral in it, by the first card like them."""
    cdef uint32_t cards = s.unseen & t.block[numeral(t, s)], found = 0
    while cards:
        found |= <uint32_t>1 << t.alike[lowest(cards)]
        cards &= cards - 1
    return found


cdef inline int tokens_to_come(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef int good, n = 0
    for good in range(GOODS):
        if token_copies(t, s, good):
            out[n] = act(TOKEN, 0, good)
            n += 1
    return n


cdef inline int cards_to_come(const Tables* t, const State* s, Action* out) noexcept nogil:
    cdef uint32_t cards = next_cards(t, s)
    cdef int n = 0
    while cards:
        out[n] = act(CARD, 0, lowest(cards))
        n += 1
        cards &= cards - 1
    return n


cdef double weight(const void* tables, const void* state, Action outcome) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if s.phase == TOKENS:
        return <double>token_copies(t, s, minor_of(outcome)) / tokens_left(t, s)
    return 1.0 / size(next_cards(t, s))


cdef Action draw(const void* tables, const void* state, Rng* rng) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef int good = 0, number
    if s.phase == CARDS:
        return act(CARD, 0, pick(next_cards(t, s), rng))
    number = below(rng, tokens_left(t, s))
    while number >= token_copies(t, s, good):
        number -= token_copies(t, s, good)
        good += 1
    return act(TOKEN, 0, good)


# ---- what it does

cdef void apply(const void* tables, void* state, Action event) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef State* s = <State*>state
    cdef int verb = verb_of(event), minor = minor_of(event)
    if verb == PLAY:
        play(t, s, minor)
    elif verb == TO_LAND or verb == TO_SEA:
        name_place(t, s, minor)
    elif verb == HOUSE:
        build_house(t, s, minor)
    elif verb == SELL or verb == BUY:
        trade(t, s, event)
    elif verb == HIRE:
        hire(t, s, minor)
    elif verb == PAY:
        pay(t, s, minor)
    elif verb == PRODUCE:
        produce(t, s, minor)
    elif verb == CASH_PROVINCES:
        cash_provinces(t, s)
    elif verb == KEEP:
        keep(t, s, minor)
    elif verb == COPY:
        s.card = minor
        carry_out(t, s)
    elif verb == RECRUIT:
        recruit(t, s, minor)
        end_tribune(t, s)
    elif verb == SETTLE:
        settle(t, s, event)
    elif verb == CASH_COLONISTS:
        cash_colonists(t, s)
    elif verb == CARD:
        turn_up(t, s, minor)
    elif verb == TOKEN:
        place_token(t, s, minor)
    elif s.phase == HIRING and s.hired_count:
        settle_bill(t, s)       # done
    else:
        end_turn(s)


cdef inline void play(const Tables* t, State* s, int kind) noexcept nogil:
    """A card from the hand onto the own pile, then its action."""
    cdef Player* p = &s.players[s.turn]
    if copies(p.hand, kind) == 0:       # a card this view didn't show
        check(p.hidden > 0)
        p.hidden -= 1
    else:
        if copies(p.hand, kind) == copies(p.secret, kind):
            p.secret -= one_of(kind)
        p.hand -= one_of(kind)
    p.pile += one_of(kind)
    p.top = kind
    s.card = kind
    carry_out(t, s)


cdef inline void carry_out(const Tables* t, State* s) noexcept nogil:
    """The action of the card that was played or copied."""
    cdef int role = t.role[s.card]
    if role == ARCHITECT:
        start_moving(t, s)
    elif role == PREFECT:
        s.phase = GOVERNING
    elif role == MERCATOR:
        start_trading(t, s)
    elif role == SENATOR or role == CONSUL:
        start_hiring(t, s)
    elif role == DIPLOMAT:
        s.phase = COPYING
        if models(t, s) == 0:           # no effect (ruling 2)
            end_turn(s)
    elif role == TRIBUNE:
        take_back(t, s)
    elif role == COLONIST:
        s.phase = SETTLING
    else:
        produce_everywhere(t, s, t.kind_good[s.card])


# ---- the Tribune

cdef inline void take_back(const Tables* t, State* s) noexcept nogil:
    """All cards of the pile, the Tribune too; a coin for each beyond three; then a colonist, if it can be paid."""
    cdef Player* p = &s.players[s.turn]
    p.coins += max(0, cards_in(p.pile) + p.hidden_pile - FREE_CARDS)
    p.hand += p.pile
    p.secret += p.secret_pile
    p.hidden += p.hidden_pile
    p.pile = p.secret_pile = 0
    p.hidden_pile = 0
    p.top = NONE
    if can_recruit(t, s):
        s.phase = RECRUITING
    else:
        end_tribune(t, s)


cdef inline void end_tribune(const Tables* t, State* s) noexcept nogil:
    """In a first game the first Tribune of each seat is followed by a count (ruling 36)."""
    cdef Player* p = &s.players[s.turn]
    if t.first_game and not p.scored:
        p.scored = 1
        p.marker = points_of(t, s, s.turn)
        reward_leaders(s)
    end_turn(s)


cdef inline void reward_leaders(State* s) noexcept nogil:
    """When all seats have been counted: 2 coins for most points, 1 for the next number; markers back to 0."""
    cdef int seat, first = 0, second = -1
    for seat in range(s.seats):
        if not s.players[seat].scored:
            return
        first = max(first, <int>s.players[seat].marker)
    for seat in range(s.seats):
        if s.players[seat].marker < first:
            second = max(second, <int>s.players[seat].marker)
    for seat in range(s.seats):
        if s.players[seat].marker == first:
            s.players[seat].coins += 2
        elif <int>s.players[seat].marker == second:
            s.players[seat].coins += 1
        s.players[seat].marker = 0


# ---- tokens and cards

cdef inline void place_token(const Tables* t, State* s, int good) noexcept nogil:
    """The next city makes this good; with the last one, each province gets the tile of its dearest good."""
    cdef int province
    s.city_goods[good] |= <uint32_t>1 << t.order[s.dealt]
    s.dealt += 1
    if s.dealt == t.cities - 1:
        for province in range(t.provinces):
            s.bonus[province] = dearest(t, s, t.province_cities[province])
        fill_row(s)


cdef int dearest(const Tables* t, const State* s, uint32_t cities) noexcept nogil:
    cdef int good, best = -1
    for good in range(GOODS):
        if cities & s.city_goods[good] and (best < 0 or t.price[good] > t.price[best]):
            best = good
    return best


cdef inline void turn_up(const Tables* t, State* s, int first_alike) noexcept nogil:
    """The next card of the deck comes to the right end of the row."""
    cdef uint32_t cards = s.unseen & t.block[numeral(t, s)]
    cdef int card = lowest(cards)
    while t.alike[card] != first_alike:
        cards &= cards - 1
        check(cards != 0)
        card = lowest(cards)
    s.unseen &= ~(<uint32_t>1 << card)
    s.row[s.row_size] = first_alike
    s.row_size += 1
    s.deck -= 1
    if s.vague:
        s.witnessed |= <uint32_t>1 << card
        s.unseen &= blocks_left(t, s)
    fill_row(s)
