"""The read-only tables of one map and number of seats, from the components."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.bits cimport bit
from serai.core.games.concordia.state cimport (
    ABSENT, ARCHITECT, COLONIST, CONSUL, DIPLOMAT, IN_CITY, MERCATOR, MOST_STEPS, NONE, PREFECT, SENATOR, SPECIALIST,
    STORE, TRIBUNE, Tables, one_of, unit,
)

from serai.core.games.concordia.maps import NAMES
from serai.core.games.concordia.words import GODS

ROLE_NUMBERS = {
    "tribune": TRIBUNE, "architect": ARCHITECT, "prefect": PREFECT, "mercator": MERCATOR, "diplomat": DIPLOMAT,
    "senator": SENATOR, "consul": CONSUL, "colonist": COLONIST,
}


cdef int fill_tables(Tables* t, box, board, int seats, bint first_game) except -1:
    t.first_game = first_game
    fill_goods(t, box)
    fill_seat(t, box.setup)
    fill_kinds(t, box)
    fill_sale(t, box, seats)
    fill_cities(t, box, board)
    fill_lines(t, board)
    return 0


cdef uint32_t packed(goods) except? 0:
    cdef uint32_t word = 0
    for good, number in enumerate(goods):
        word += unit(good) * <uint32_t>number
    return word


cdef int fill_goods(Tables* t, box) except -1:
    for i, good in enumerate(box.goods):
        t.price[i], t.house_coins[i], t.tile_coins[i] = good.price, good.house_coins, good.bonus_coins
        t.house_goods[i] = packed(good.house_goods)
        if good.name in ("food", "tool"):
            t.recruit_goods += unit(i)
    for i, place in enumerate(box.places):
        t.place_goods[i], t.place_any[i] = packed(place.goods), place.any
    return 0


cdef int fill_seat(Tables* t, setup) except -1:
    t.slots, t.houses, t.concordia, t.start_goods = setup.slots, setup.houses, setup.concordia, packed(setup.goods)
    for seat, coins in enumerate(setup.coins):
        t.coins[seat] = coins
    for sort in range(2):
        places = [IN_CITY] * setup.placed[sort] + [STORE] * setup.waiting[sort] + [ABSENT] * 3
        for i in range(3):
            t.start_colonists[sort][i] = places[i]
    return 0


cdef int fill_kinds(Tables* t, box) except -1:
    t.kinds = len(box.kinds)
    for i, kind in enumerate(box.kinds):
        t.role[i] = ROLE_NUMBERS.get(kind.role, SPECIALIST)
        t.kind_coins[i], t.kind_points[i] = kind.coins, kind.points
        t.kind_good[i] = kind.good if kind.good >= 0 else NONE
        t.god_kinds[GODS.index(kind.god)] |= 7 * one_of(i)
        t.starters += box.starters[i] * one_of(i)
        t.starter_count += box.starters[i]
    return 0


cdef int fill_sale(Tables* t, box, int seats) except -1:
    """Numerals above the number of seats stay in the box."""
    t.sale = len(box.cards)
    for i, card in enumerate(box.cards):
        t.kind[i], t.cost[i] = card.kind, packed(card.cost)
        t.alike[i] = next(j for j, other in enumerate(box.cards) if (other.kind, other.cost) == (card.kind, card.cost))
        if card.numeral <= seats:
            t.in_play += 1
            t.block[card.numeral - 1] |= <uint32_t>1 << <int>i
            t.all_sale |= <uint32_t>1 << <int>i
            t.sale_kinds += one_of(card.kind)
    for numeral in range(5):
        t.block_end[numeral] = sum(card.numeral <= min(seats, numeral + 1) for card in box.cards)
    return 0


cdef int fill_cities(Tables* t, box, board) except -1:
    t.side, t.cities, t.provinces = NAMES.index(board.name), len(board.cities), len(board.provinces)
    for i, letter in enumerate(board.letters):
        t.letter_tokens[i] = packed(box.tokens[letter])
    for i, city in enumerate(board.cities):
        if i:
            t.letter[i] = board.letters.index(city.letter)
            t.letter_cities[t.letter[i]] |= <uint32_t>1 << <int>i
            t.province_cities[<int>city.province] |= <uint32_t>1 << <int>i
    for place, city in enumerate(sorted(range(1, t.cities), key=lambda c: board.cities[c].letter)):
        t.order[place] = city
    return 0


cdef int fill_lines(Tables* t, board) except -1:
    for sort, lines in enumerate((board.land, board.sea)):
        t.lines[sort] = len(lines)
        for i, line in enumerate(lines):
            for city in line:
                t.touched[sort] |= <uint32_t>1 << <int>city
                if city:
                    t.ends[sort][i] |= <uint32_t>1 << <int>city
        for city in range(t.cities):
            fill_reach(t, lines, sort, IN_CITY + city, {city})
        for i, line in enumerate(lines):
            fill_reach(t, lines, sort, i, set(line))
    return 0


cdef int fill_reach(Tables* t, lines, int sort, int place, shores) except -1:
    """Each step takes a colonist to a line at one of the cities it has reached, itself or by passing a line."""
    cdef uint64_t reached = bit(place) if place < IN_CITY else 0
    t.within[sort][place][0] = reached
    for steps in range(1, MOST_STEPS + 1):
        for i, line in enumerate(lines):
            if shores.intersection(line):
                reached |= bit(i)
        shores = shores.union(*(line for i, line in enumerate(lines) if reached >> <int>i & 1))
        t.within[sort][place][steps] = reached
    for steps in range(MOST_STEPS + 1):
        for i in range(len(lines)):
            if t.within[sort][place][steps] >> <int>i & 1:
                t.near[sort][place][steps] |= t.ends[sort][i]
    return 0
