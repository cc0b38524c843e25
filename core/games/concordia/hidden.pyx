"""What a seat can't know in Concordia.

Hands follow from the open history: equal starts, open purchases, open plays. Hidden is only the order of the deck
inside each numeral, which the state doesn't hold (ruling 37). A position that starts from a snapshot is different, and
so is a viewer without memory: there, cards in others' hands and under the tops of their piles may be unknown. Such a
card is `secret` in a full position, and a mere count in a view; and since nobody can tell then which cards of the
current numeral are out, a view's deck is `vague` too.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from serai.core.bits cimport lowest, size
from serai.core.check cimport check
from serai.core.games.concordia.counting cimport hidden_sale_cards, sale_cards_out
from serai.core.games.concordia.state cimport (
    MAX_KINDS, MAX_SALE, NONE, TRIBUNE, Player, State, Tables, blocks_left, cards_in, copies, kinds_in, numeral,
    one_of, state_bytes,
)
from serai.core.hashing cimport hash_bytes
from serai.core.rng cimport Rng, below, unit as unit_interval


cdef uint64_t observe(const void* tables, const void* state, int viewer) noexcept nogil:
    """Hash of the state after everything the viewer can't know is made unknown."""
    cdef State seen
    cdef const State* s = <const State*>state
    memcpy(&seen, s, state_bytes(s))
    conceal(tables, &seen, viewer)
    return hash_bytes(&seen, state_bytes(s))


cdef void conceal(const void* tables, void* state, int viewer) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef State* s = <State*>state
    cdef Player* p
    cdef int seat
    if not s.vague:
        return
    for seat in range(s.seats):
        if seat != viewer:
            p = &s.players[seat]
            p.hidden += cards_in(p.secret)
            p.hidden_pile += cards_in(p.secret_pile)
            p.hand -= p.secret
            p.pile -= p.secret_pile
            p.secret = p.secret_pile = 0
    s.unseen = blocks_left(t, s) & ~s.witnessed


cdef void forget(const void* tables, void* state, int viewer) noexcept nogil:
    """Make the others' cards secret, but for the tops of their piles, as for a person who doesn't count cards."""
    cdef State* s = <State*>state
    cdef Player* p
    cdef int seat
    for seat in range(s.seats):
        if seat != viewer:
            p = &s.players[seat]
            p.secret = p.hand
            p.secret_pile = p.pile - one_of(p.top) if p.top != NONE else 0
    s.vague = 1
    s.witnessed = 0


# ---- a world for the viewer

cdef void determinize(const void* tables, void* state, int viewer, Rng* rng) noexcept nogil:
    """Choose which cards are still in the deck, then deal the others to the places that hold unknown ones."""
    cdef const Tables* t = <const Tables*>tables
    cdef State* s = <State*>state
    cdef int left[MAX_KINDS]
    cdef int seat
    if not s.vague:
        return
    conceal(tables, state, viewer)
    stack_deck(t, s, left, rng)
    for seat in range(s.seats):
        deal_to(t, &s.players[seat], left, rng)


cdef void stack_deck(const Tables* t, State* s, int* left, Rng* rng) noexcept nogil:
    """The deck's contents; `left` gets the number of cards of each kind that are nowhere yet.

    All arrangements of the cards are equally likely. So a set of cards is the less likely to be in the deck the more
    copies of its kinds lie open: any of these may be the one of the current numeral, which then isn't in the deck.
    """
    cdef uint32_t candidates, later
    cdef double chance[MAX_SALE]
    cdef int kind, card, n = 0
    cdef int cards[MAX_SALE]
    for kind in range(t.kinds):
        left[kind] = copies(t.sale_kinds, kind) - sale_cards_out(t, s, kind)
    if s.deck == 0:
        return
    candidates = s.unseen & t.block[numeral(t, s)]
    later = blocks_left(t, s) & ~t.block[numeral(t, s)]
    for card in range(t.sale):
        if later >> card & 1:
            left[t.kind[card]] -= 1
    for card in range(t.sale):
        if candidates >> card & 1 and left[t.kind[card]] > 0:
            cards[n] = card
            chance[n] = <double>left[t.kind[card]] / out_or_current(t, later, t.kind[card])
            n += 1
    s.unseen = later | drawn_set(cards, chance, n, s.deck - size(later), rng)
    for card in range(t.sale):
        if s.unseen & ~later & <uint32_t>1 << card:
            left[t.kind[card]] -= 1


cdef inline int out_or_current(const Tables* t, uint32_t later, int kind) noexcept nogil:
    """Cards of a kind with numerals up to the current one."""
    cdef int card, number = copies(t.sale_kinds, kind)
    for card in range(t.sale):
        if later >> card & 1 and t.kind[card] == kind:
            number -= 1
    return number


cdef uint32_t drawn_set(const int* cards, const double* chance, int n, int number, Rng* rng) noexcept nogil:
    """So many of the cards, each set with a probability like the product of its cards' chances."""
    cdef double sums[MAX_SALE + 1][MAX_SALE + 1]    # [i][k]: over the sets of k of the cards from i on
    cdef uint32_t found = 0
    cdef int i, k
    check(number <= n)
    for i in range(n, -1, -1):
        sums[i][0] = 1
        for k in range(1, number + 1):
            sums[i][k] = 0 if i == n else sums[i + 1][k] + chance[i] * sums[i + 1][k - 1]
    for i in range(n):
        if number and unit_interval(rng) * sums[i][number] < chance[i] * sums[i + 1][number - 1]:
            found |= <uint32_t>1 << cards[i]
            number -= 1
    return found


cdef void deal_to(const Tables* t, Player* p, int* left, Rng* rng) noexcept nogil:
    """The starting cards that are not known to lie elsewhere, and bought cards at random; the Tribune is in hand."""
    cdef uint64_t cards = 0
    cdef int kind, number = hidden_sale_cards(t, p)
    if p.hidden + p.hidden_pile == 0:
        return
    for kind in range(t.kinds):
        cards += max(0, copies(t.starters, kind) - copies(p.hand, kind) - copies(p.pile, kind)) * one_of(kind)
    while number > 0:
        kind = one_left(t, left, rng)
        left[kind] -= 1
        cards += one_of(kind)
        number -= 1
    for kind in range(t.kinds):
        if t.role[kind] == TRIBUNE and copies(cards, kind) and p.hidden:
            take_in_hand(p, &cards, kind)
    while p.hidden:
        take_in_hand(p, &cards, any_of(cards, rng))
    p.pile += cards
    p.secret_pile += cards
    p.hidden_pile = 0


cdef inline void take_in_hand(Player* p, uint64_t* cards, int kind) noexcept nogil:
    cards[0] -= one_of(kind)
    p.hand += one_of(kind)
    p.secret += one_of(kind)
    p.hidden -= 1


cdef inline int any_of(uint64_t cards, Rng* rng) noexcept nogil:
    """Kind of a card drawn at random."""
    cdef uint64_t kinds = kinds_in(cards)
    cdef int number = below(rng, cards_in(cards))
    while number >= copies(cards, lowest(kinds) // 3):
        number -= copies(cards, lowest(kinds) // 3)
        kinds &= kinds - 1
    return lowest(kinds) // 3


cdef inline int one_left(const Tables* t, const int* left, Rng* rng) noexcept nogil:
    """Kind of one of the cards that are nowhere yet, drawn at random."""
    cdef int kind, number, cards = 0
    for kind in range(t.kinds):
        cards += left[kind]
    check(cards > 0)
    number = below(rng, cards)
    kind = 0
    while number >= left[kind]:
        number -= left[kind]
        kind += 1
    return kind
