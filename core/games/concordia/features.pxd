"""Where the features of a network lie; README.md says what they mean, feature_names.py what they are called."""

from libc.stdint cimport uint16_t, uint32_t

from serai.core.games.concordia.state cimport (
    GODS, GOODS, MAX_CITIES, MAX_KINDS, MAX_PLAYERS, MAX_PROVINCES, MAX_SALE, ROW, Player, State, Tables,
)

cdef enum:
    SIDES = 2               # of the board; each has numbers of its own for cities and provinces
    COIN_CLASSES = 27
    TILE_FACES = GOODS + 1  # the last one: coins
    PLACE_CLASSES = 6       # of the best site for a good: houses there, and whether it can be paid for
    ROLES = 9
    MOST_OF_GOOD = 6        # houses; these and what follows: the last class is "this or more"
    MOST_HOUSES = 15
    MOST_PROVINCES = 12
    MOST_SITES = 7
    MOST_STORED = 7
    MOST_FREE = 8
    MOST_TENS = 15          # of coins, goods at their prices
    MOST_IN_HAND = 12
    MOST_BOUGHT = 15
    MOST_UNKNOWN = 7
    MOST_OF_GOD = 6         # cards
    MOST_GOD_FOURS = 11     # points by a god, in fours
    MOST_FOURS = 40
    MOST_TILE_COINS = 20
    MOST_PAIRS = 16         # cards for sale, in twos
    MOST_THREES = 10        # what a production is worth, in threes of coins
    MOST_TRADED = 6
    MOST_THERE = 2          # houses of others in a city
    MOST_POINTS = 12

cdef enum PlayerFeature:    # the first of each block
    HOUSE
    NEXT_TO = HOUSE + SIDES * MAX_CITIES
    MAKING = NEXT_TO + SIDES * MAX_CITIES
    TO_GO = MAKING + GOODS * (MOST_OF_GOOD + 1)
    PROVINCES = TO_GO + MOST_HOUSES + 1
    COLONISTS_OUT = PROVINCES + MOST_PROVINCES + 1
    SITE = COLONISTS_OUT + 2 * 4
    SITES = SITE + GOODS * PLACE_CLASSES
    STORED = SITES + MOST_SITES + 1
    FREE = STORED + GOODS * (MOST_STORED + 1)
    COINS = FREE + MOST_FREE + 1
    TENS = COINS + COIN_CLASSES
    HAND = TENS + MOST_TENS + 1                     # one, then two or more
    PILE = HAND + 2 * MAX_KINDS
    TOP = PILE + 2 * MAX_KINDS
    IN_HAND = TOP + MAX_KINDS
    BOUGHT = IN_HAND + MOST_IN_HAND + 1
    UNKNOWN_CARDS = BOUGHT + MOST_BOUGHT + 1        # from 1
    GOD_CARDS = UNKNOWN_CARDS + MOST_UNKNOWN
    GOD_POINTS = GOD_CARDS + GODS * (MOST_OF_GOD + 1)   # from the second god on; the first one's are TENS
    FOURS = GOD_POINTS + (GODS - 1) * (MOST_GOD_FOURS + 1)
    ONES = FOURS + MOST_FOURS + 1
    MAGNUS = ONES + 4
    CONCORDIA
    WHEN                                            # turns until the next one; then likewise until the last one
    NO_TURN = WHEN + 2 * MAX_PLAYERS
    NOW
    PLAYER_FEATURES = NOW + ROLES

cdef enum TableFeature:
    MAKES
    TILE = MAKES + SIDES * MAX_CITIES * GOODS
    TILE_COINS = TILE + SIDES * MAX_PROVINCES * TILE_FACES
    ROW_CARD = TILE_COINS + MOST_TILE_COINS + 1
    PAIRS = ROW_CARD + ROW * MAX_SALE
    LEAST_TO_GO = PAIRS + MOST_PAIRS + 1
    ROW_GAP = LEAST_TO_GO + MOST_HOUSES + 1
    LAST_ROUND
    TABLE_FEATURES

cdef enum OptionTrait:
    PLAY_KIND
    COPY_KIND = PLAY_KIND + MAX_KINDS
    PRODUCE_IN = COPY_KIND + MAX_KINDS
    BONUS = PRODUCE_IN + SIDES * MAX_PROVINCES
    DOUBLED = BONUS + GOODS
    GAINS
    OTHERS_GAIN = GAINS + MOST_THREES + 1
    CASHING = OTHERS_GAIN + MOST_THREES + 1
    KEEP_GOOD
    RECRUIT_SORT = KEEP_GOOD + GOODS
    MOVE_SORT = RECRUIT_SORT + 3
    STAYING = MOVE_SORT + 2
    MOVE_NEXT_TO
    MOVE_GOOD = MOVE_NEXT_TO + SIDES * MAX_CITIES
    MOVE_SITES = MOVE_GOOD + GOODS
    BUILD_IN = MOVE_SITES + 3
    BUILD_GOOD = BUILD_IN + SIDES * MAX_CITIES
    THERE = BUILD_GOOD + GOODS
    NEW_PROVINCE = THERE + MOST_THERE + 1
    NEW_GOOD
    SALE                                            # from 1
    PURCHASE = SALE + GOODS * MOST_TRADED
    HIRE_CARD = PURCHASE + GOODS * MOST_TRADED
    HIRE_PLACE = HIRE_CARD + MAX_SALE
    PAY_GOOD = HIRE_PLACE + ROW
    CASHING_COLONISTS = PAY_GOOD + GOODS
    SETTLE_SORT
    SETTLE_IN = SETTLE_SORT + 2
    FINISH = SETTLE_IN + SIDES * MAX_CITIES
    STORED_AFTER = FINISH + 4
    FREE_AFTER = STORED_AFTER + GOODS * (MOST_STORED + 1)
    COINS_AFTER = FREE_AFTER + MOST_FREE + 1
    POINTS = COINS_AFTER + COIN_CLASSES             # a loss, then from 0
    OPTION_TRAITS = POINTS + MOST_POINTS + 2

cdef int features(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil
cdef int of_store(const Tables* t, const Player* p, uint16_t* out) noexcept nogil
cdef int coin_class(int coins) noexcept nogil
cdef int each(uint32_t bits, int first, uint16_t* out) noexcept nogil
