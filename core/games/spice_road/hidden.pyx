"""What a seat can't know in Spice Road.

Hands and claimed cards follow from the open history; hidden are only the orders of the decks, which the state
doesn't hold. A position that starts from a snapshot is different: there, cards in others' hands and the faces of
claimed cards may be unknown. Such a card is `secret` (`veiled`) in a full position, and a mere count in a view.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from serai.core.bits cimport bit, pick, size
from serai.core.check cimport check
from serai.core.games.spice_road.state cimport STARTERS, UNKNOWN, Player, State, Tables
from serai.core.hashing cimport hash_bytes
from serai.core.rng cimport Rng


cdef size_t state_bytes(const State* s) noexcept nogil:
    return sizeof(State) - (5 - s.seats) * sizeof(Player)


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
    cdef uint64_t lost
    cdef int seat, i
    if s.secret == 0 and s.veiled == 0:
        return
    for seat in range(s.seats):
        p = &s.players[seat]
        if seat == viewer:
            continue
        lost = p.hand & s.secret
        lost &= ~(bit(STARTERS) - 1)
        p.hand ^= lost
        p.hidden += size(lost)
        s.merchants |= lost
        for i in range(p.claims):
            if p.claimed[i] != UNKNOWN and s.veiled >> p.claimed[i] & 1:
                s.point_cards |= bit(p.claimed[i])
                p.points -= t.score[p.claimed[i]]
                p.claimed[i] = UNKNOWN
    s.secret &= s.players[viewer].hand
    s.veiled &= ~s.point_cards


cdef void determinize(const void* tables, void* state, int viewer, Rng* rng) noexcept nogil:
    """Deal the unknown cards to the places that hold them, each arrangement equally likely.

    Nothing in the open part of a position tells one unaccounted card from another, so uniform is the true
    conditional distribution.
    """
    cdef const Tables* t = <const Tables*>tables
    cdef State* s = <State*>state
    cdef Player* p
    cdef int seat, i, card
    conceal(tables, state, viewer)
    for seat in range(s.seats):
        p = &s.players[seat]
        while p.hidden:
            card = pick(s.merchants, rng)
            s.merchants ^= bit(card)
            s.secret |= bit(card)
            p.hand |= bit(card)
            p.hidden -= 1
        for i in range(p.claims):
            if p.claimed[i] == UNKNOWN:
                card = pick(s.point_cards, rng)
                s.point_cards ^= bit(card)
                s.veiled |= bit(card)
                p.claimed[i] = card
                p.points += t.score[card]
    check(s.merchants_left == size(s.merchants) and s.points_left == size(s.point_cards))


cdef void forget(const void* tables, void* state, int viewer) noexcept nogil:
    """Make the cards in the others' hands secret, as for a person who doesn't count cards."""
    cdef State* s = <State*>state
    cdef int seat
    for seat in range(s.seats):
        if seat != viewer:
            s.secret |= s.players[seat].hand & ~(bit(STARTERS) - 1)
