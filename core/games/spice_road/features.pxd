"""Where the features of a network lie; README.md says what they mean, feature_names.py what they are called."""

from libc.stdint cimport uint16_t

from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, MARKET_SLOTS, MAX_CARDS, MAX_CLAIMS, MAX_PLAYERS, MAX_POINTS, POINT_SLOTS,
)
from serai.core.types cimport Action

cdef enum:
    MOST_MERCHANTS = 15     # each of these and what follows: the last class is "this or more"
    MOST_IN_HAND = 12
    MOST_UNKNOWN = 7
    MOST_PLAYABLE = 7
    MOST_FOURS = 30         # points, in fours
    MOST_BEST = 12          # points of the best claim, in twos
    MOST_MISSING = 5
    VALUE_CLASSES = 5
    MOST_LYING = 6
    MOST_LYING_WORTH = 12
    MOST_DECK = 10          # merchants in the deck, in fours
    MOST_COINS = 2 * MAX_PLAYERS
    MOST_TIMES = 6
    MOST_LOST = 5           # cubes over the limit

cdef enum PlayerFeature:    # the first of each block
    CUBES
    TOTAL = CUBES + 4 * (CARAVAN_LIMIT + 1)
    HAND = TOTAL + CARAVAN_LIMIT + 1
    PLAYED = HAND + MAX_CARDS
    MERCHANTS = PLAYED + MAX_CARDS
    IN_HAND = MERCHANTS + MOST_MERCHANTS + 1
    UNKNOWN_CARDS = IN_HAND + MOST_IN_HAND + 1      # from 1
    PLAYABLE = UNKNOWN_CARDS + MOST_UNKNOWN
    TO_GO = PLAYABLE + MOST_PLAYABLE + 1
    FOURS = TO_GO + MAX_CLAIMS + 1
    ONES = FOURS + MOST_FOURS + 1
    WHEN = ONES + 4
    CLAIMABLE = WHEN + 4 * MAX_PLAYERS              # from 1
    BEST = CLAIMABLE + POINT_SLOTS
    NEAR = BEST + MOST_BEST + 1
    PLAYER_FEATURES = NEAR + POINT_SLOTS * VALUE_CLASSES * (MOST_MISSING + 1)

cdef enum TableFeature:
    MARKET_CARD
    LYING = MARKET_CARD + MARKET_SLOTS * MAX_CARDS  # from 1
    LYING_WORTH = LYING + MARKET_SLOTS * MOST_LYING         # from 1
    ROW_CARD = LYING_WORTH + MARKET_SLOTS * MOST_LYING_WORTH
    GOLD = ROW_CARD + POINT_SLOTS * MAX_POINTS
    SILVER = GOLD + MOST_COINS + 1
    LEAST_TO_GO = SILVER + MOST_COINS + 1
    DECK = LEAST_TO_GO + MAX_CLAIMS + 1
    MARKET_GAP = DECK + MOST_DECK + 1
    ROW_GAP
    TABLE_FEATURES

cdef enum OptionTrait:
    CLAIM_CARD
    CLAIM_SLOT = CLAIM_CARD + MAX_POINTS
    TAKE_CARD = CLAIM_SLOT + POINT_SLOTS
    TAKE_SLOT = TAKE_CARD + MAX_CARDS
    PLAY_CARD = TAKE_SLOT + MARKET_SLOTS
    PLAY_TIMES = PLAY_CARD + MAX_CARDS              # from 1
    RAISE_CARD = PLAY_TIMES + MOST_TIMES
    RESTING = RAISE_CARD + MAX_CARDS
    GIVE_COLOUR = RESTING + 1
    DISCARD_COLOUR = GIVE_COLOUR + 4
    CUBES_AFTER = DISCARD_COLOUR + 4
    LOST = CUBES_AFTER + 4 * (CARAVAN_LIMIT + 1)
    BEST_AFTER = LOST + MOST_LOST + 1
    OPTION_TRAITS = BEST_AFTER + MOST_BEST + 1

cdef int features(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil
cdef int traits(const void* tables, const void* state, Action option, uint16_t* out) noexcept nogil
