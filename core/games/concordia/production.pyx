"""The Prefect and the specialists: goods are produced, and each seat keeps what fits."""

from libc.stdint cimport uint32_t

from serai.core.bits cimport size
from serai.core.games.concordia.state cimport (
    CASH_PROVINCES, GOODS, KEEP, KEEPING, NONE, PRODUCE, Player, State, Tables,
    act, count, from_good, harvest, room, total, unit,
)
from serai.core.games.concordia.turn cimport end_turn
from serai.core.types cimport Action


# ---- the Prefect

cdef int governments(const Tables* t, const State* s, Action* out) noexcept nogil:
    """A province on its goods side, even without a house (ruling 7), or the coins of the others (ruling 8)."""
    cdef int province, n = 0
    for province in range(t.provinces):
        if not s.coin_side >> province & 1:
            out[n] = act(PRODUCE, 0, province)
            n += 1
    if s.coin_side:
        out[n] = act(CASH_PROVINCES, 0, 0)
        n += 1
    return n


cdef void produce(const Tables* t, State* s, int province) noexcept nogil:
    """The tile turns to coins; its good for the mover, two for the Praefectus Magnus; then all houses produce."""
    cdef int bonus = 1
    s.coin_side |= 1 << province
    if s.magnus == s.turn:
        bonus = 2
        s.magnus = s.seats - 1 if s.magnus == 0 else s.magnus - 1      # to the right (ruling 5)
    s.province = province
    s.keeper = s.turn
    s.pending = yield_of(t, s) + <uint32_t>bonus * unit(s.bonus[province])
    hand_out(t, s)


cdef void cash_provinces(const Tables* t, State* s) noexcept nogil:
    """The coins shown by all provinces; their tiles turn back to goods."""
    cdef int province, coins = 0
    for province in range(t.provinces):
        if s.coin_side >> province & 1:
            coins += t.tile_coins[s.bonus[province]]
    s.players[s.turn].coins += coins
    s.coin_side = 0
    end_turn(s)


# ---- a specialist

cdef void produce_everywhere(const Tables* t, State* s, int good) noexcept nogil:
    """One good from each own city that makes it."""
    s.keeper = s.turn
    s.pending = <uint32_t>size(s.players[s.turn].houses & s.city_goods[good]) * unit(good)
    hand_out(t, s)


# ---- what is kept

cdef inline uint32_t yield_of(const Tables* t, const State* s) noexcept nogil:
    """What the houses of the receiving seat produce."""
    return harvest(s, s.players[s.keeper].houses & t.province_cities[s.province])


cdef void hand_out(const Tables* t, State* s) noexcept nogil:
    """From the receiving seat on, in turn order (ruling 9), up to one that has a choice."""
    while not stored(t, s):
        s.keeper = s.keeper + 1 if s.keeper + 1 < s.seats else 0
        if s.province == NONE or s.keeper == s.turn or s.solo:
            s.province = NONE
            s.keeper = 0
            end_turn(s)
            return
        s.pending = yield_of(t, s)
    s.phase = KEEPING


cdef inline bint stored(const Tables* t, State* s) noexcept nogil:
    """Store what there is no choice about; true if a choice is left. No slot may be left free (ruling 9)."""
    cdef Player* p = &s.players[s.keeper]
    cdef int free = room(t, p), good
    if total(s.pending) <= free:
        p.goods += s.pending
        s.pending = 0
        return False
    while free > 0:
        good = only_choice(s.pending, free)
        if good == GOODS:
            return True
        store(s, good)
        free -= 1
    s.pending = 0
    return False


cdef inline int only_choice(uint32_t pending, int free) noexcept nogil:
    """The good that must be kept next, GOODS if there are several."""
    cdef int good, found = -1
    for good in range(GOODS):
        if count(pending, good) and total(from_good(pending, good)) >= free:
            if found >= 0:
                return GOODS
            found = good
    return found


cdef int keepable(const Tables* t, const State* s, Action* out) noexcept nogil:
    """Goods that leave enough others, not before them in order, to fill all slots."""
    cdef int good, n = 0, free = room(t, &s.players[s.keeper])
    for good in range(GOODS):
        if count(s.pending, good) and total(from_good(s.pending, good)) >= free:
            out[n] = act(KEEP, 0, good)
            n += 1
    return n


cdef void keep(const Tables* t, State* s, int good) noexcept nogil:
    store(s, good)
    hand_out(t, s)


cdef inline void store(State* s, int good) noexcept nogil:
    """One good into the storehouse; those before it in order are given up."""
    s.players[s.keeper].goods += unit(good)
    s.pending = from_good(s.pending, good) - unit(good)
