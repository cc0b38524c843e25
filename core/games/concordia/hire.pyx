"""The Senator and the Consul: cards are bought from the row."""

from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport (
    CONSUL, DONE, GOODS, HIRE, HIRING, NONE, PAY, PAYING, ROW, SENATOR, Player, State, Tables,
    act, count, covers, from_good, minor_of, one_of, total, unit,
)
from serai.core.games.concordia.turn cimport end_turn, fill_row, take_concordia
from serai.core.types cimport Action

# ---- which cards

cdef void start_hiring(const Tables* t, State* s) noexcept nogil:
    """With nothing that can be paid, the card has no effect (rulings 15, 17)."""
    s.phase = HIRING
    if not can_hire(t, s):
        end_turn(s)


cdef int candidates(const Tables* t, const State* s, Action* out) noexcept nogil:
    """Places that begin, or complete, a set of cards to buy; a Consul buys exactly one if it can (ruling 15)."""
    cdef int place, n = 0
    for place in range(s.row_size):
        if is_offered(t, s, place):
            out[n] = act(HIRE, 0, place)
            n += 1
    if t.role[s.card] == SENATOR and (s.hired_count == 0 or is_deal(t, s, s.hired[0], NONE)):
        out[n] = act(DONE, 0, 0)
        n += 1
    return n


cdef bint can_hire(const Tables* t, const State* s) noexcept nogil:
    cdef int place
    for place in range(s.row_size):
        if is_offered(t, s, place):
            return True
    return False


cdef inline bint is_offered(const Tables* t, const State* s, int place) noexcept nogil:
    """Cards are chosen from left to right."""
    cdef int second
    if s.hired_count:
        return place > s.hired[0] and is_deal(t, s, s.hired[0], place)
    if is_deal(t, s, place, NONE):
        return True
    if t.role[s.card] == SENATOR:
        for second in range(place + 1, s.row_size):
            if is_deal(t, s, place, second):
                return True
    return False


cdef inline bint is_deal(const Tables* t, const State* s, int first, int second) noexcept nogil:
    """One card, or two, that the goods suffice for, and that no other choice buys with the same result."""
    cdef uint32_t goods = s.players[s.turn].goods
    cdef Bill bill = bill_of(t, s, first, second)
    return covers(goods, bill.goods) and total(goods - bill.goods) >= bill.any and not is_double(t, s, first, second)


# ---- equal cards

cdef bint is_double(const Tables* t, const State* s, int first, int second) noexcept nogil:
    """Whether other places lead to the same cards, row and goods.

    Where equal cards lie in the row, it can be: of two such choices that cost equally many goods the one stands for
    both that asks for none but goods of the other, and leaves the rest to free choice; of equal ones that farther left.
    """
    cdef int one, two
    for one in range(s.row_size):
        if second == NONE:
            if s.row[one] == s.row[first] and replaces(t, s, one, NONE, first, NONE):
                return True
            continue
        for two in range(one + 1, s.row_size):
            if ((s.row[one] == s.row[first] and s.row[two] == s.row[second])
                    or (s.row[one] == s.row[second] and s.row[two] == s.row[first])):
                if replaces(t, s, one, two, first, second):
                    return True
    return False


cdef inline bint replaces(const Tables* t, const State* s, int one, int two, int first, int second) noexcept nogil:
    """Of choices of the same cards, whether the one stands for the other."""
    cdef Bill its = bill_of(t, s, one, two), other = bill_of(t, s, first, second)
    if total(its.goods) + its.any != total(other.goods) + other.any or not covers(other.goods, its.goods):
        return False
    if its.any == other.any and (one > first or (one == first and two >= second)):
        return False
    return same_rest(s, one, two, first, second)


cdef inline bint same_rest(const State* s, int one, int two, int first, int second) noexcept nogil:
    """Whether the row looks alike without the places of either choice."""
    cdef int left = 0, right = 0
    while True:
        while left == one or left == two:
            left += 1
        while right == first or right == second:
            right += 1
        if left >= s.row_size or right >= s.row_size:
            return left >= s.row_size and right >= s.row_size
        if s.row[left] != s.row[right]:
            return False
        left += 1
        right += 1


# ---- the price

cdef Bill bill_of(const Tables* t, const State* s, int first, int second) noexcept nogil:
    """Of the cards at one place or two, where they lie now (ruling 13)."""
    cdef Bill bill
    bill.goods = 0
    bill.any = 0
    add_to(t, s, first, &bill)
    if second != NONE:
        add_to(t, s, second, &bill)
    return bill


cdef inline void add_to(const Tables* t, const State* s, int place, Bill* bill) noexcept nogil:
    """A Consul pays for the card only, a Senator for the place too."""
    bill.goods += t.cost[s.row[place]]
    if t.role[s.card] == SENATOR:
        bill.goods += t.place_goods[place]
        bill.any += t.place_any[place]


cdef void hire(const Tables* t, State* s, int place) noexcept nogil:
    s.hired[s.hired_count] = place
    s.hired_count += 1
    if t.role[s.card] == CONSUL or s.hired_count == 2 or not can_hire(t, s):
        settle_bill(t, s)


# ---- paying

cdef void settle_bill(const Tables* t, State* s) noexcept nogil:
    """The fixed goods at once; then each good of free choice is asked for."""
    cdef Bill bill = bill_of(t, s, s.hired[0], s.hired[1] if s.hired_count == 2 else <int>NONE)
    s.players[s.turn].goods -= bill.goods
    s.owed = bill.any
    if s.owed:
        s.phase = PAYING
    else:
        take_cards(t, s)


cdef int payments(const State* s, Action* out) noexcept nogil:
    """Not before the good paid last, and leaving enough for the rest."""
    cdef uint32_t goods = s.players[s.turn].goods
    cdef int good, n = 0
    for good in range(minor_of(s.last) if s.last else 0, GOODS):
        if count(goods, good) and total(from_good(goods, good)) >= s.owed:
            out[n] = act(PAY, 0, good)
            n += 1
    return n


cdef void pay(const Tables* t, State* s, int good) noexcept nogil:
    s.players[s.turn].goods -= unit(good)
    s.owed -= 1
    s.last = act(PAY, 0, good)
    if s.owed == 0:
        take_cards(t, s)


cdef void take_cards(const Tables* t, State* s) noexcept nogil:
    """Into the hand; the row closes up to the left and is filled; the last card of all triggers the end."""
    cdef Player* p = &s.players[s.turn]
    cdef int place, i, left = 0
    for i in range(s.hired_count):
        p.hand += one_of(t.kind[s.row[s.hired[i]]])
    for place in range(s.row_size):
        if not is_hired(s, place):
            s.row[left] = s.row[place]
            left += 1
    for place in range(left, ROW):
        s.row[place] = 0
    s.row_size = left
    s.hired[0] = s.hired[1] = 0
    s.hired_count = 0
    s.last = 0
    if left == 0 and s.deck == 0:
        take_concordia(s)
    fill_row(s)


cdef inline bint is_hired(const State* s, int place) noexcept nogil:
    cdef int i
    for i in range(s.hired_count):
        if s.hired[i] == place:
            return True
    return False
