"""The count of all components: each is in exactly one place."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.bits cimport bit, size
from serai.core.games.concordia.state cimport (
    ABSENT, COLONISTS, GOODS, IN_CITY, KEEPING, LETTERS, ROW, SORTS, STORE, Player, State, Tables,
    blocks_left, cards_in, copies, count, numeral, room, total,
)


cdef bint consistent(const void* tables, const void* state) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    return (cards_consistent(t, s) and deck_consistent(t, s) and cities_consistent(t, s)
            and colonists_consistent(t, s) and storehouses_consistent(t, s))


# ---- cards

cdef bint cards_consistent(const Tables* t, const State* s) noexcept nogil:
    """In hands, on piles, in the row and the deck are as many cards as are in play; of no kind too many."""
    cdef int kind, seat, cards = s.row_size + s.deck
    cdef const Player* p
    for seat in range(s.seats):
        p = &s.players[seat]
        cards += cards_in(p.hand) + cards_in(p.pile) + p.hidden + p.hidden_pile
        if hidden_sale_cards(t, p) < 0 or not secrets_consistent(t, p):
            return False
    if cards != s.seats * t.starter_count + t.in_play:
        return False
    for kind in range(t.kinds):
        if sale_cards_out(t, s, kind) + in_deck(t, s, kind) > copies(t.sale_kinds, kind):
            return False
    return True


cdef int sale_cards_out(const Tables* t, const State* s, int kind) noexcept nogil:
    """Cards of a kind that are known to have left the deck."""
    cdef int i, seat, known, cards = 0
    for i in range(s.row_size):
        cards += t.kind[s.row[i]] == kind
    for seat in range(s.seats):
        known = copies(s.players[seat].hand, kind) + copies(s.players[seat].pile, kind)
        cards += max(0, known - copies(t.starters, kind))
    return cards


cdef int hidden_sale_cards(const Tables* t, const Player* p) noexcept nogil:
    """Bought cards among those of a seat that this view doesn't show; the others are starting cards."""
    cdef int kind, cards = p.hidden + p.hidden_pile
    for kind in range(t.kinds):
        cards -= max(0, copies(t.starters, kind) - copies(p.hand, kind) - copies(p.pile, kind))
    return cards


cdef inline bint secrets_consistent(const Tables* t, const Player* p) noexcept nogil:
    cdef int kind
    for kind in range(t.kinds):
        if copies(p.secret, kind) > copies(p.hand, kind) or copies(p.secret_pile, kind) > copies(p.pile, kind):
            return False
    return (p.top >= t.kinds) == (cards_in(p.pile) + p.hidden_pile == 0)


cdef inline int in_deck(const Tables* t, const State* s, int kind) noexcept nogil:
    """Cards of a kind that are certainly in the deck."""
    cdef uint32_t cards = s.unseen
    cdef int i, number = 0
    if s.vague and s.deck:
        cards &= ~t.block[numeral(t, s)]
    for i in range(t.sale):
        if cards >> i & 1:
            number += t.kind[i] == kind
    return number


cdef bint deck_consistent(const Tables* t, const State* s) noexcept nogil:
    """Blocks of higher numerals are still whole, of lower ones used up."""
    cdef uint32_t left, current
    if s.deck > t.in_play or s.row_size > ROW:
        return False
    if s.deck == 0:
        return s.unseen == 0
    left, current = blocks_left(t, s), t.block[numeral(t, s)]
    if s.unseen & ~left or left & ~current & ~s.unseen:
        return False
    return size(s.unseen) == s.deck or (s.vague and size(s.unseen) > s.deck)


# ---- the board

cdef bint cities_consistent(const Tables* t, const State* s) noexcept nogil:
    """Each city that has its good has one; no letter has more tokens of a good than it has."""
    cdef uint32_t cities = 0, houses = 0
    cdef int good, letter, seat
    for good in range(GOODS):
        if cities & s.city_goods[good]:
            return False
        cities |= s.city_goods[good]
        for letter in range(LETTERS):
            if size(s.city_goods[good] & t.letter_cities[letter]) > count(t.letter_tokens[letter], good):
                return False
    for seat in range(s.seats):
        houses |= s.players[seat].houses
        if size(s.players[seat].houses) > t.houses:
            return False
    return size(cities) == s.dealt and houses & ~cities == 0


cdef bint colonists_consistent(const Tables* t, const State* s) noexcept nogil:
    """As many as a seat has, on lines and in cities of their sort, ascending; no two on one line."""
    cdef uint64_t lines
    cdef int sort, seat, i, place
    cdef const Player* p
    for sort in range(SORTS):
        lines = 0
        for seat in range(s.seats):
            p = &s.players[seat]
            for i in range(COLONISTS):
                place = p.colonists[sort][i]
                if i and place < p.colonists[sort][i - 1]:
                    return False
                if (place == ABSENT) != (t.start_colonists[sort][i] == ABSENT):
                    return False
                if place < IN_CITY:
                    if place >= t.lines[sort] or lines & bit(place):
                        return False
                    lines |= bit(place)
                elif place < STORE and (place >= IN_CITY + t.cities or not t.touched[sort] >> (place - IN_CITY) & 1):
                    return False
    return True


cdef bint storehouses_consistent(const Tables* t, const State* s) noexcept nogil:
    """Nothing lies beside a storehouse, but for goods that a seat is just choosing from."""
    cdef int seat
    for seat in range(s.seats):
        if room(t, &s.players[seat]) < 0:
            return False
    if s.phase == KEEPING:
        return total(s.pending) > room(t, &s.players[s.keeper]) > 0
    return s.pending == 0
