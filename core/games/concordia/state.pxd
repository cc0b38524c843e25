"""The state of Concordia, its tables, and the bits of its actions."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from serai.core.bits cimport bit, size
from serai.core.types cimport Action

cdef enum:
    MAX_PLAYERS = 5
    MAX_CITIES = 32         # the start city is number 0
    MAX_PROVINCES = 16
    MAX_LINES = 60          # of one sort; three more bits of a mask are colonists who stay in a city
    STAY = 60               # ... the first of these bits
    IN_CITY = 64            # a place is a line, or this plus a city
    PLACES = IN_CITY + MAX_CITIES
    STORE = 254             # instead of a place: a colonist in the storehouse
    ABSENT = 255            # ... or one that a component file doesn't give
    SORTS = 2               # land, sea
    COLONISTS = 3           # of a sort
    MOST_STEPS = 6          # of all colonists of a seat
    GOODS = 5
    GODS = 6
    ROW = 7                 # places for cards for sale
    MAX_KINDS = 21          # of cards: three bits each in a 64-bit word
    MAX_SALE = 32
    NUMERALS = 5
    LETTERS = 4
    NONE = 255              # no seat, kind, province
    STAGES = 17             # of a game, for the evaluation; the last one is the last round
    FEATURES = 28           # of a seat, for the evaluation

cdef enum:                  # sorts of lines and colonists
    BY_LAND, BY_SEA

cdef enum:                  # gods
    VESTA, JUPITER, SATURNUS, MERCURIUS, MARS, MINERVA

cdef enum Role:             # what a card does
    TRIBUNE, ARCHITECT, PREFECT, MERCATOR, DIPLOMAT, SENATOR, CONSUL, COLONIST, SPECIALIST

cdef enum Phase:
    TOKENS                  # chance: the next city gets its good
    CARDS                   # chance: the row is filled
    MAIN                    # the seat chooses a card
    COPYING                 # ... whose card its Diplomat copies
    RECRUITING              # ... the colonist that its Tribune brings
    MOVING_LAND             # ... where its next land colonist ends
    MOVING_SEA
    BUILDING
    GOVERNING               # ... what its Prefect does
    KEEPING                 # a seat chooses what it keeps of a production
    TRADING
    HIRING
    PAYING                  # ... goods of free choice
    SETTLING                # ... what its Colonist does
    OVER

cdef enum Verb:             # ascending = canonical order of a legal list
    PLAY = 1                # minor: kind
    COPY                    # minor: kind
    PRODUCE                 # minor: province
    CASH_PROVINCES
    KEEP                    # minor: good
    RECRUIT                 # minor: sort, or SORTS for nobody
    TO_LAND                 # minor: place
    TO_SEA                  # minor: place
    HOUSE                   # minor: city
    SELL                    # major: good, minor: number
    BUY                     # major: good, minor: number
    HIRE                    # minor: place in the row, from 0
    PAY                     # minor: good
    CASH_COLONISTS
    SETTLE                  # major: sort, minor: city
    DONE
    TOKEN                   # minor: good
    CARD                    # minor: the first card for sale that is like it

cdef struct Player:
    uint64_t hand           # cards in hand that are known: how many of each kind, three bits each
    uint64_t pile           # ... and on the pile of used cards, the top one included
    uint64_t secret         # those of the hand that only their owner knows
    uint64_t secret_pile
    uint32_t goods          # storehouse: six bits a good, brick lowest
    uint32_t houses         # cities
    uint16_t coins
    uint16_t marker         # points on the track, in a first game
    uint8_t colonists[SORTS][COLONISTS]     # places, ascending
    uint8_t top             # kind of the last card used, or NONE
    uint8_t hidden          # cards in hand that this view doesn't show
    uint8_t hidden_pile
    uint8_t scored          # in a first game: has had its first Tribune

cdef struct State:
    uint32_t city_goods[GOODS]      # cities that make the good
    uint32_t unseen         # cards for sale that may be in the deck; all of them are unless `vague`
    uint32_t witnessed      # if `vague`: cards that were seen coming from the deck
    uint32_t pending        # goods that the keeping seat may choose from
    Action last             # decision that bounds the following ones of its kind
    uint16_t coin_side      # provinces whose tile shows coins
    uint8_t bonus[MAX_PROVINCES]    # good of the tile
    uint8_t row[ROW]        # cards for sale; of equal ones the first, see `alike`
    uint8_t row_size
    uint8_t deck            # cards left in it
    uint8_t dealt           # cities that have their good
    uint8_t seats
    uint8_t turn
    uint8_t phase
    uint8_t magnus          # seat with the Praefectus Magnus
    uint8_t concordia       # seat with the Concordia card, or NONE
    uint8_t card            # kind that is being carried out, or NONE
    uint8_t keeper          # seat that is receiving goods
    uint8_t province        # that produces, or NONE
    uint8_t steps           # left to the colonists
    uint8_t placed[COLONISTS]       # bits of the places named so far, see architect.pyx
    uint8_t placed_count
    uint8_t hired[2]        # places in the row
    uint8_t hired_count
    uint8_t owed            # goods of free choice still to pay
    uint8_t vague           # cards are or were secret, so the viewers don't know what is in the deck
    uint8_t solo            # search only: one seat moves, nothing is refilled
    Player players[MAX_PLAYERS]     # last: a state has only as many as seats

cdef struct Tables:
    # the map
    int side                        # of the board: 0 or 1
    int cities
    int provinces
    int lines[SORTS]
    uint8_t order[MAX_CITIES]       # cities as they get their tokens
    uint8_t letter[MAX_CITIES]      # of a city
    uint32_t letter_cities[LETTERS]
    uint32_t letter_tokens[LETTERS]     # goods, packed
    uint32_t province_cities[MAX_PROVINCES]
    uint32_t touched[SORTS]         # cities with a line of the sort
    uint32_t ends[SORTS][MAX_LINES]     # cities of a line, without the start city
    uint64_t within[SORTS][PLACES][MOST_STEPS + 1]      # lines that so many steps from a place suffice for
    uint32_t near[SORTS][PLACES][MOST_STEPS + 1]        # ... and the cities at their ends, without the start city
    # goods
    int price[GOODS]
    int house_coins[GOODS]
    int tile_coins[GOODS]
    uint32_t house_goods[GOODS]
    uint32_t recruit_goods          # for a colonist
    # a seat
    int slots
    int houses
    int concordia                   # points of that card
    int coins[MAX_PLAYERS]
    uint32_t start_goods
    uint8_t start_colonists[SORTS][COLONISTS]
    uint64_t starters
    int starter_count
    # cards
    int kinds
    int sale                        # cards for sale in the file
    int in_play                     # ... with this number of seats
    int block_end[NUMERALS]         # cards in play up to this numeral
    uint32_t block[NUMERALS]        # cards in play of this numeral
    uint32_t all_sale               # cards in play
    uint64_t sale_kinds             # ... by kind
    uint8_t kind[MAX_SALE]
    uint8_t alike[MAX_SALE]         # the first card of this kind and cost
    uint32_t cost[MAX_SALE]
    uint32_t place_goods[ROW]
    int place_any[ROW]
    uint8_t role[MAX_KINDS]
    uint8_t kind_coins[MAX_KINDS]
    uint8_t kind_points[MAX_KINDS]
    uint8_t kind_good[MAX_KINDS]    # of a specialist
    uint64_t god_kinds[GODS]        # all three bits of its kinds
    int first_game                  # bool: points are counted once at the first Tribunes
    # knowledge, for search only
    uint64_t touching[SORTS][MAX_CITIES]    # lines at a city
    uint8_t province_of[MAX_CITIES]
    float win_weights[STAGES][FEATURES]
    float score_weights[STAGES][FEATURES]


# ---- goods: five counts below 32 in a word

cdef inline uint32_t unit(int good) noexcept nogil:
    return <uint32_t>1 << (6 * good)


cdef inline int count(uint32_t goods, int good) noexcept nogil:
    return <int>(goods >> (6 * good) & 63)


cdef inline int total(uint32_t goods) noexcept nogil:
    return <int>((goods * 0x01041041U) >> 24 & 63)


cdef inline bint covers(uint32_t have, uint32_t cost) noexcept nogil:
    """Of each good at least as many as `cost`."""
    return (((have | 0x20820820U) - cost) & 0x20820820U) == 0x20820820U


cdef inline uint32_t from_good(uint32_t goods, int good) noexcept nogil:
    """Without the goods before one."""
    return goods >> (6 * good) << (6 * good)


# ---- cards: how many of each kind, three bits each

cdef inline uint64_t one_of(int kind) noexcept nogil:
    return <uint64_t>1 << (3 * kind)


cdef inline int copies(uint64_t cards, int kind) noexcept nogil:
    return <int>(cards >> (3 * kind) & 7)


cdef inline uint64_t kinds_in(uint64_t cards) noexcept nogil:
    """The lowest bit of each kind that is there."""
    return (cards | cards >> 1 | cards >> 2) & 0x1249249249249249ULL


cdef inline int cards_in(uint64_t cards) noexcept nogil:
    return (size(cards & 0x1249249249249249ULL) + 2 * size(cards & 0x2492492492492492ULL)
            + 4 * size(cards & 0x4924924924924924ULL))


# ---- what follows from a state

cdef inline int in_store(const Player* p, int sort) noexcept nogil:
    """Colonists waiting in the storehouse."""
    cdef int i, n = 0
    for i in range(COLONISTS):
        n += p.colonists[sort][i] == STORE
    return n


cdef inline int on_board(const Player* p, int sort) noexcept nogil:
    cdef int i, n = 0
    for i in range(COLONISTS):
        n += p.colonists[sort][i] < STORE
    return n


cdef inline int room(const Tables* t, const Player* p) noexcept nogil:
    """Free slots of the storehouse."""
    return t.slots - total(p.goods) - in_store(p, BY_LAND) - in_store(p, BY_SEA)


cdef inline int good_of(const State* s, int city) noexcept nogil:
    cdef int good = 0
    while good < GOODS - 1 and not s.city_goods[good] >> city & 1:
        good += 1
    return good


cdef inline uint32_t harvest(const State* s, uint32_t cities) noexcept nogil:
    """One good from each of the cities."""
    cdef uint32_t goods = 0
    cdef int good
    for good in range(GOODS):
        goods += <uint32_t>size(cities & s.city_goods[good]) << (6 * good)
    return goods


cdef inline int numeral(const Tables* t, const State* s) noexcept nogil:
    """The block of the deck that the next card comes from; for a deck that isn't empty."""
    cdef int block = 0
    while t.block_end[block] <= t.in_play - s.deck:
        block += 1
    return block


cdef inline uint32_t blocks_left(const Tables* t, const State* s) noexcept nogil:
    """Cards of the numerals that aren't used up."""
    cdef uint32_t cards = 0
    cdef int block
    if s.deck == 0:
        return 0
    for block in range(numeral(t, s), NUMERALS):
        cards |= t.block[block]
    return cards


cdef inline size_t state_bytes(const State* s) noexcept nogil:
    return sizeof(State) - (MAX_PLAYERS - s.seats) * sizeof(Player)


# ---- actions: verb, major, minor

cdef inline Action act(int verb, int major, int minor) noexcept nogil:
    return <Action>(verb << 16 | major << 8 | minor)


cdef inline int verb_of(Action action) noexcept nogil:
    return <int>(action >> 16)


cdef inline int major_of(Action action) noexcept nogil:
    return <int>(action >> 8 & 255)


cdef inline int minor_of(Action action) noexcept nogil:
    return <int>(action & 255)
