"""The state of Spice Road, its tables, and the bits of its actions."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from serai.core.types cimport Action

cdef enum:
    MAX_PLAYERS = 5
    MARKET_SLOTS = 6
    POINT_SLOTS = 5
    CARAVAN_LIMIT = 10
    MAX_CLAIMS = 6
    MAX_CARDS = 64          # merchants and starters, as a 64-bit mask
    MAX_POINTS = 64
    STARTERS = 2            # card numbers 0 and 1; every seat has its own copy of both
    CARAVANS = 1001         # ways to hold at most 10 cubes of 4 colours
    UPGRADES = 35           # ways to take at most 4 single steps
    FEATURES = 16           # of the hand-made evaluation, in four groups of four for the dot product
    UNKNOWN = 255           # a claimed point card whose face this view doesn't show

cdef enum Kind:             # of a merchant card
    PRODUCE, UPGRADE, TRADE

cdef enum Phase:
    MAIN                    # the seat chooses its action
    PAY                     # ... lays a cube on the next merchant to the left of the one it takes
    DROP                    # ... returns a cube, while it holds more than 10
    MARKET                  # chance: the market row is refilled
    POINT                   # chance: the point row is refilled
    OVER

cdef enum Verb:             # ascending = canonical order of a legal list
    CLAIM = 1               # major: slot
    TAKE                    # major: slot
    PLAY                    # major: times, minor: card
    RAISE                   # major: card, minor: number of the upgrade (see UPGRADES)
    REST
    GIVE                    # minor: colour; a payment
    DISCARD                 # minor: colour
    SHOW_MERCHANT           # minor: merchant
    SHOW_POINT              # minor: point card

cdef struct Player:
    uint64_t hand           # cards in hand that are known
    uint64_t played         # cards face up in front of the player
    uint32_t cubes          # caravan: one byte a colour, yellow lowest
    uint8_t claimed[MAX_CLAIMS]     # point cards in order of claiming, or UNKNOWN
    uint8_t claims
    uint8_t points          # printed on the claimed cards that are known
    uint8_t gold
    uint8_t silver
    uint8_t hidden          # cards in hand that this view doesn't show

cdef struct State:
    uint64_t merchants      # merchants not accounted for: the deck, and hidden hands
    uint64_t point_cards    # point cards not accounted for: the deck, and hidden claims
    uint64_t secret         # cards in hands that only their owners know
    uint64_t veiled         # claimed point cards that only their owners know
    uint32_t lying[MARKET_SLOTS]    # cubes on the market cards
    uint8_t market[MARKET_SLOTS]
    uint8_t row[POINT_SLOTS]
    uint8_t market_size
    uint8_t row_size
    uint8_t merchants_left  # in the deck
    uint8_t points_left
    uint8_t gold            # coins left in the piles
    uint8_t silver
    uint8_t seats
    uint8_t turn
    uint8_t phase
    uint8_t target          # slot of the merchant being taken, while paying
    uint8_t paid            # cubes paid for it so far
    uint8_t last_round
    uint8_t solo            # search only: one seat moves, nothing is refilled
    Player players[MAX_PLAYERS]     # last: a state has only as many as seats

cdef struct Caravan:        # what one of the 1,001 caravans allows
    uint64_t times[CARAVAN_LIMIT]   # [n-1]: cards that can be played n times
    uint64_t affordable             # point cards
    uint8_t upgrades[UPGRADES]      # numbers of the possible upgrades, ascending
    uint8_t up_to[5]                # how many of them take at most 0…4 steps

cdef struct Tables:
    int cards               # starters and merchants
    int points              # point cards
    int claims_to_end[MAX_PLAYERS + 1]      # by number of seats
    uint32_t start_cubes[MAX_PLAYERS]
    uint64_t all_merchants
    uint64_t all_points
    uint64_t upgrade_cards
    uint8_t kind[MAX_CARDS]
    uint8_t steps[MAX_CARDS]        # of an upgrade card
    uint32_t give[MAX_CARDS]
    uint32_t get[MAX_CARDS]
    uint32_t cost[MAX_POINTS]
    uint8_t score[MAX_POINTS]
    uint32_t less[UPGRADES]         # an upgrade takes these cubes away
    uint32_t more[UPGRADES]         # ... and adds these
    uint32_t four[16]               # caravan index: see `caravan`
    uint32_t three[16]
    uint32_t two[16]
    # knowledge, for search only
    float card_worth[MAX_CARDS]     # points a card brings its owner over a game
    float worth_sums[8][256]        # ... summed over the cards in each byte of a mask
    float win_weights[MAX_CLAIMS + 1][FEATURES]         # by most claims of a seat; see evaluation.toml
    float score_weights[MAX_CLAIMS + 1][FEATURES]
    Caravan caravans[CARAVANS]


# ---- cubes: four bytes in a word

cdef inline bint covers(uint32_t have, uint32_t cost) noexcept nogil:
    """Each colour of `have` at least that of `cost`; counts below 128."""
    return (((have | 0x80808080U) - cost) & 0x80808080U) == 0x80808080U


cdef inline int total(uint32_t cubes) noexcept nogil:
    return <int>((cubes * 0x01010101U) >> 24)


cdef inline int count(uint32_t cubes, int colour) noexcept nogil:
    return <int>(cubes >> (8 * colour) & 255)


cdef inline const Caravan* caravan(const Tables* t, uint32_t cubes) noexcept nogil:
    """The entry of a caravan of at most 10 cubes: a combinatorial number from the running sums of its colours."""
    cdef uint32_t sums = cubes * 0x01010101U
    return &t.caravans[t.four[sums >> 24] + t.three[sums >> 16 & 255] + t.two[sums >> 8 & 255] + (sums & 255)]


# ---- actions: verb, major, minor

cdef inline Action act(int verb, int major, int minor) noexcept nogil:
    return <Action>(verb << 16 | major << 8 | minor)


cdef inline int verb_of(Action action) noexcept nogil:
    return <int>(action >> 16)


cdef inline int major_of(Action action) noexcept nogil:
    return <int>(action >> 8 & 255)


cdef inline int minor_of(Action action) noexcept nogil:
    return <int>(action & 255)
