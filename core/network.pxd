"""A small integer network over the features of a game: what each seat may expect of a state, and which option it prefers."""

from libc.stdint cimport int16_t, int32_t, uint16_t

from serai.core.game cimport GameOps
from serai.core.types cimport MAX_SEATS, Action

cdef enum:
    HIDDEN = 32             # sums of the first layer
    UNIT = 128              # of the first layer's weights: 1.0
    CEILING = 2047          # a sum is clipped to 0 … this
    HEAD_UNIT = 256         # of the weights of the win head
    POINTS_UNIT = 64        # of the weights of the points head

cdef struct Layer:          # the first one; rows of HIDDEN
    int16_t bias[MAX_SEATS + 1][HIDDEN]     # by number of seats
    int16_t* rows           # for each player feature its row as one's own, then as another's; then the table's

cdef struct Weights:
    int players             # features of a player
    int table               # features of the table
    int options             # traits of an option; 0: this network prefers none
    Layer state             # of what a state is worth
    int16_t win_head[HIDDEN]
    int16_t points_head[HIDDEN]
    int32_t win_bias
    int32_t points_bias
    Layer choice            # of what the seat to move would do
    int16_t* traits         # a row of each trait, in the unit of the win head
    int32_t* trait_bias

cdef void judge(const Weights* n, const GameOps* ops, const void* tables, const void* state, int seats,
                float* win, float* points) noexcept nogil
cdef void prefer(const Weights* n, const GameOps* ops, const void* tables, const void* state, int seats, int mover,
                 const Action* options, int count, float* shares) noexcept nogil


cdef class Network:
    cdef Weights weights
    cdef readonly dict provenance
    cdef readonly str game
    cdef readonly object key        # the game's feature_key; None: not known
