"""What a network sees of a state: for each player, and for the table, the numbers of the features that hold.

A payment or a return under way counts as made, cheapest cubes first, so the state before it looks like the one after.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from serai.core.bits cimport bit, lowest, size
from serai.core.games.spice_road.knowledge cimport cheapest, coin_at, coin_over, without_cheapest
from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, CLAIM, DISCARD, GIVE, MAIN, MARKET_SLOTS, MAX_CARDS, MAX_PLAYERS, MAX_POINTS, OVER, PAY, PLAY,
    POINT_SLOTS, RAISE, STARTERS, TAKE, Player, State, Tables, caravan, count, major_of, minor_of, total, verb_of,
)
from serai.core.types cimport Action


cdef int features(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil:
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    if seat < 0:
        return of_table(t, s, out)
    return of_player(t, s, seat, out)


# ---- a player

cdef inline int of_player(const Tables* t, const State* s, int seat, uint16_t* out) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef uint32_t cubes = settled(s, seat)
    cdef uint64_t hand = p.hand
    cdef int n
    if s.phase == PAY and seat == s.turn:
        hand |= bit(s.market[s.target])
    n = of_caravan(cubes, out)
    n += of_cards(t, p, hand, cubes, out + n)
    n += of_progress(t, s, p, out + n)
    out[n] = when(s, seat)
    return n + 1 + of_claims(t, s, cubes, out + n + 1)


cdef inline uint32_t settled(const State* s, int seat) noexcept nogil:
    """The seat's caravan after the payment or return under way; at most 10 cubes."""
    cdef uint32_t cubes = paid_up(s, seat)
    return without_cheapest(cubes, total(cubes) - CARAVAN_LIMIT)


cdef inline uint32_t paid_up(const State* s, int seat) noexcept nogil:
    """The seat's caravan after the payment under way, with the cubes on the merchant taken."""
    cdef uint32_t cubes = s.players[seat].cubes
    if s.phase == PAY and seat == s.turn:
        return without_cheapest(cubes, s.target - s.paid) + s.lying[s.target]
    return cubes


cdef inline int of_caravan(uint32_t cubes, uint16_t* out) noexcept nogil:
    cdef int colour
    for colour in range(4):
        out[colour] = CUBES + (CARAVAN_LIMIT + 1) * colour + count(cubes, colour)
    out[4] = TOTAL + total(cubes)
    return 5


cdef inline int of_cards(const Tables* t, const Player* p, uint64_t hand, uint32_t cubes, uint16_t* out) noexcept nogil:
    cdef int known = size(hand), n = each(hand, HAND, out)
    n += each(p.played, PLAYED, out + n)
    out[n] = MERCHANTS + min(<int>MOST_MERCHANTS, known + size(p.played) + p.hidden - STARTERS)
    out[n + 1] = IN_HAND + min(<int>MOST_IN_HAND, known + p.hidden)
    out[n + 2] = PLAYABLE + min(<int>MOST_PLAYABLE, size(hand & (caravan(t, cubes).times[0] | t.upgrade_cards)))
    out[n + 3] = UNKNOWN_CARDS + min(<int>MOST_UNKNOWN, <int>p.hidden) - 1
    return n + 3 + (p.hidden != 0)


cdef inline int each(uint64_t cards, int first, uint16_t* out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = first + lowest(cards)
        n += 1
        cards &= cards - 1
    return n


cdef inline int of_progress(const Tables* t, const State* s, const Player* p, uint16_t* out) noexcept nogil:
    """Claims to go, and points with coins: in fours and what is beyond, so that weights can be exact in points."""
    cdef int points = p.points + 3 * p.gold + p.silver
    out[0] = TO_GO + max(0, t.claims_to_end[s.seats] - p.claims)
    out[1] = FOURS + min(<int>MOST_FOURS, points >> 2)
    out[2] = ONES + (points & 3)
    return 3


cdef inline int when(const State* s, int seat) noexcept nogil:
    """Last round or not × a turn left in this round or not × turns until the seat's next one."""
    cdef int mover = s.turn, ahead
    cdef bint over = s.phase == OVER
    if not over and s.phase != MAIN:    # the turn is about to pass on
        mover += 1
        if mover == s.seats:
            mover = 0
            over = s.last_round != 0
    ahead = seat - mover
    if ahead >= 0:
        return WHEN + MAX_PLAYERS * (2 * (s.last_round != 0) + (not over)) + ahead
    return WHEN + MAX_PLAYERS * 2 * (s.last_round != 0) + ahead + s.seats


cdef inline int of_claims(const Tables* t, const State* s, uint32_t cubes, uint16_t* out) noexcept nogil:
    """How near each point card is; how many can be claimed, and the best of them."""
    cdef int slot, value, lacking, place, claimable = 0, best = 0
    for slot in range(s.row_size):
        value = t.score[s.row[slot]] + coin_over(s, slot)
        lacking = missing(cubes, t.cost[s.row[slot]])
        place = VALUE_CLASSES * slot + value_class(value)
        out[slot] = NEAR + (MOST_MISSING + 1) * place + min(<int>MOST_MISSING, lacking)
        if lacking == 0:
            claimable += 1
            best = max(best, value)
    slot = s.row_size
    out[slot] = CLAIMABLE + claimable - 1
    out[slot + 1] = BEST + min(<int>MOST_BEST, best >> 1)
    return slot + (2 if claimable else 0)


cdef inline int missing(uint32_t have, uint32_t cost) noexcept nogil:
    """How many cubes of `cost` are not in `have`, colour by colour; counts below 128."""
    cdef uint32_t lacking = (cost | 0x80808080U) - have
    cdef uint32_t some = lacking & 0x80808080U
    return total(lacking & (some - (some >> 7)))


cdef inline int value_class(int points) noexcept nogil:
    """Up to 9, 10–12, 13–15, 16–18, from 19 on."""
    return min(VALUE_CLASSES - 1, max(0, points - 7) // 3)


# ---- the table

cdef inline int of_table(const Tables* t, const State* s, uint16_t* out) noexcept nogil:
    cdef int slot, n = of_market(s, out)
    for slot in range(s.row_size):
        out[n] = ROW_CARD + MAX_POINTS * slot + s.row[slot]
        n += 1
    out[n] = GOLD + min(<int>MOST_COINS, <int>s.gold)
    out[n + 1] = SILVER + min(<int>MOST_COINS, <int>s.silver)
    out[n + 2] = LEAST_TO_GO + least_to_go(t, s)
    out[n + 3] = DECK + min(<int>MOST_DECK, (s.merchants_left + 3) >> 2)
    n += 4
    if s.market_size - (s.phase == PAY) < MARKET_SLOTS and s.merchants_left:
        out[n] = MARKET_GAP
        n += 1
    if s.row_size < POINT_SLOTS and s.points_left:
        out[n] = ROW_GAP
        n += 1
    return n


cdef inline int of_market(const State* s, uint16_t* out) noexcept nogil:
    """The cards of the market row and the cubes on them; one that is being paid for is gone, its price laid."""
    cdef uint32_t purse = s.players[s.turn].cubes, cube
    cdef int slot, place = 0, n = 0
    if s.phase != PAY:
        for slot in range(s.market_size):
            n += of_slot(slot, s.market[slot], s.lying[slot], out + n)
        return n
    for slot in range(s.market_size):
        if slot == s.target:
            continue
        cube = 0
        if s.paid <= slot < s.target:
            cube = <uint32_t>1 << (8 * cheapest(purse))
            purse -= cube
        n += of_slot(place, s.market[slot], s.lying[slot] + cube, out + n)
        place += 1
    return n


cdef inline int of_slot(int slot, int card, uint32_t cubes, uint16_t* out) noexcept nogil:
    out[0] = MARKET_CARD + MAX_CARDS * slot + card
    if cubes == 0:
        return 1
    out[1] = LYING + MOST_LYING * slot + min(<int>MOST_LYING, total(cubes)) - 1
    out[2] = LYING_WORTH + MOST_LYING_WORTH * slot + min(<int>MOST_LYING_WORTH, worth_of(cubes)) - 1
    return 3


cdef inline int worth_of(uint32_t cubes) noexcept nogil:
    """1 for a yellow cube, 2 for a red, 3 for a green, 4 for a brown one."""
    return count(cubes, 0) + 2 * count(cubes, 1) + 3 * count(cubes, 2) + 4 * count(cubes, 3)


cdef inline int least_to_go(const Tables* t, const State* s) noexcept nogil:
    """Claims that the seat with most of them lacks to the end; 0 in the last round."""
    cdef int seat, most = 0
    for seat in range(s.seats):
        most = max(most, <int>s.players[seat].claims)
    return max(0, t.claims_to_end[s.seats] - most)


# ---- an option

cdef int traits(const void* tables, const void* state, Action option, uint16_t* out) noexcept nogil:
    """What an option of the seat to move is, and what its caravan is afterwards, excess cubes returned."""
    cdef const Tables* t = <const Tables*>tables
    cdef const State* s = <const State*>state
    cdef uint32_t before = outcome(t, s, option), cubes = without_cheapest(before, total(before) - CARAVAN_LIMIT)
    cdef int colour, n = of_option(s, option, out)
    for colour in range(4):
        out[n + colour] = CUBES_AFTER + (CARAVAN_LIMIT + 1) * colour + count(cubes, colour)
    out[n + 4] = LOST + min(<int>MOST_LOST, max(0, total(before) - CARAVAN_LIMIT))
    out[n + 5] = BEST_AFTER + min(<int>MOST_BEST, next_claim(t, s, option, cubes) >> 1)
    return n + 6


cdef inline int of_option(const State* s, Action option, uint16_t* out) noexcept nogil:
    """The card and its slot, how often it is played, or the colour."""
    cdef int verb = verb_of(option), major = major_of(option), minor = minor_of(option)
    if verb == CLAIM:
        out[0], out[1] = CLAIM_CARD + s.row[major], CLAIM_SLOT + major
        return 2
    if verb == TAKE:
        out[0], out[1] = TAKE_CARD + s.market[major], TAKE_SLOT + major
        return 2
    if verb == PLAY:
        out[0], out[1] = PLAY_CARD + minor, PLAY_TIMES + min(<int>MOST_TIMES, major) - 1
        return 2
    if verb == RAISE:
        out[0] = RAISE_CARD + major
    elif verb == GIVE:
        out[0] = GIVE_COLOUR + minor
    elif verb == DISCARD:
        out[0] = DISCARD_COLOUR + minor
    else:
        out[0] = RESTING
    return 1


cdef inline uint32_t outcome(const Tables* t, const State* s, Action option) noexcept nogil:
    """The caravan after an option and the payment it leads to, before cubes over the limit are returned."""
    cdef int verb = verb_of(option), major = major_of(option), minor = minor_of(option)
    cdef uint32_t cubes = s.players[s.turn].cubes
    if verb == CLAIM:
        return cubes - t.cost[s.row[major]]
    if verb == TAKE:
        return without_cheapest(cubes, major) + s.lying[major]
    if verb == PLAY:
        return cubes + major * (t.get[minor] - t.give[minor])
    if verb == RAISE:
        return cubes - t.less[minor] + t.more[minor]
    if verb == GIVE:
        return without_cheapest(cubes - cube_of(minor), s.target - s.paid - 1) + s.lying[s.target]
    if verb == DISCARD:
        return cubes - cube_of(minor)
    return cubes


cdef inline uint32_t cube_of(int colour) noexcept nogil:
    return <uint32_t>1 << (8 * colour)


cdef inline int next_claim(const Tables* t, const State* s, Action option, uint32_t cubes) noexcept nogil:
    """Points, coin included, of the best point card that these cubes pay for once the option is taken."""
    cdef int taken = major_of(option) if verb_of(option) == CLAIM else POINT_SLOTS
    cdef int gold = s.gold, silver = s.silver
    cdef uint64_t affordable = caravan(t, cubes).affordable
    cdef int slot, place = 0, best = 0
    if taken == 0 and gold:
        gold -= 1
    elif silver and (taken == 0 or (taken == 1 and gold)):
        silver -= 1
    for slot in range(s.row_size):
        if slot == taken:
            continue
        if affordable >> s.row[slot] & 1:
            best = max(best, t.score[s.row[slot]] + coin_at(gold, silver, place))
        place += 1
    return best
