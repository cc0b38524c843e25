"""The evaluator: sums of 16-bit rows, a clip, two dot products. The same bits on every machine."""

from libc.stdint cimport int16_t, int32_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from serai.core.fastmath cimport fast_exp
from serai.core.game cimport GameOps, Position
from serai.core.types cimport MAX_FEATURES, MAX_SEATS

import numpy as np

from serai.core.errors import NetworkError

_UNITS = {"unit": UNIT, "ceiling": CEILING, "head_unit": HEAD_UNIT, "points_unit": POINTS_UNIT, "hidden": HIDDEN}


# ---- the evaluator

cdef inline void add_row(int16_t* sums, const int16_t* row) noexcept nogil:
    # Unsigned, so that a network which overflows is wrong but defined. The compiler makes vectors of it.
    cdef int k
    for k in range(HIDDEN):
        sums[k] = <int16_t>(<uint16_t>sums[k] + <uint16_t>row[k])


cdef inline void add_player(const Weights* n, const uint16_t* found, int count, int16_t* own, int16_t* other) noexcept nogil:
    """Add up a player's rows, both as it sees itself and as the others see it."""
    cdef const int16_t* row
    cdef int i
    for i in range(count):
        row = n.rows + 2 * HIDDEN * <size_t>found[i]
        add_row(own, row)
        add_row(other, row + HIDDEN)


cdef inline int32_t dot(const int16_t* sums, const int16_t* head) noexcept nogil:
    """A head over the clipped sums."""
    cdef int32_t total = 0
    cdef int16_t value
    cdef int k
    for k in range(HIDDEN):
        value = sums[k]
        if value < 0:
            value = 0
        if value > CEILING:
            value = CEILING
        total += <int32_t>value * head[k]
    return total


cdef void judge(const Weights* n, const GameOps* ops, const void* tables, const void* state, int seats,
                float* win, float* points) noexcept nogil:
    """Win share and expected final points of each seat."""
    cdef uint16_t found[MAX_FEATURES]
    cdef int16_t own[MAX_SEATS][HIDDEN]
    cdef int16_t other[MAX_SEATS][HIDDEN]
    cdef int16_t shared[HIDDEN]     # bias, table, and everybody as another
    cdef int16_t sums[HIDDEN]
    cdef const int16_t* table = n.rows + 2 * HIDDEN * <size_t>n.players
    cdef float logits[MAX_SEATS]
    cdef int seat, i, k, count = ops.features(tables, state, -1, found)
    memcpy(shared, n.bias[seats], sizeof(shared))
    for i in range(count):
        add_row(shared, table + HIDDEN * <size_t>found[i])
    for seat in range(seats):
        for k in range(HIDDEN):
            own[seat][k] = other[seat][k] = 0
        count = ops.features(tables, state, seat, found)
        add_player(n, found, count, own[seat], other[seat])
        add_row(shared, other[seat])
    for seat in range(seats):
        for k in range(HIDDEN):
            sums[k] = <int16_t>(<uint16_t>shared[k] + <uint16_t>own[seat][k] - <uint16_t>other[seat][k])
        logits[seat] = (dot(sums, n.win_head) + n.win_bias) * (<float>1 / (UNIT * HEAD_UNIT))
        points[seat] = (dot(sums, n.points_head) + n.points_bias) * (<float>1 / (UNIT * POINTS_UNIT))
    normalise(logits, seats, win)


cdef inline void normalise(const float* logits, int seats, float* win) noexcept nogil:
    """Softmax over the seats."""
    cdef float most = logits[0], sum = 0
    cdef int seat
    for seat in range(1, seats):
        most = max(most, logits[seat])
    for seat in range(seats):
        win[seat] = fast_exp(logits[seat] - most)
        sum += win[seat]
    for seat in range(seats):
        win[seat] /= sum


# ---- from Python

cdef class Network:
    """A network for one game. ``arrays``: what `serai.core.network_file` reads; raises NetworkError if they don't fit.

    ``game``: the game's name; ``provenance``: how it was made, as plain data; ``key``: the game's `feature_key` when it
    was made, None if that isn't known.
    """

    def __cinit__(self, str game, dict arrays, dict provenance=None, key=None):
        cdef int16_t[:, :, ::1] players
        cdef int16_t[:, ::1] table, bias
        cdef int16_t[::1] win, points
        players, table, bias, win, points = _checked(arrays)
        self.game, self.provenance, self.key = game, dict(provenance or {}), key
        self.weights.players, self.weights.table = players.shape[0], table.shape[0]
        self.weights.rows = <int16_t*>malloc(
            (2 * players.shape[0] + table.shape[0]) * HIDDEN * sizeof(int16_t))
        if self.weights.rows is NULL:
            raise MemoryError
        memcpy(self.weights.rows, &players[0, 0, 0], players.nbytes)
        memcpy(self.weights.rows + 2 * HIDDEN * players.shape[0], &table[0, 0], table.nbytes)
        memcpy(self.weights.bias, &bias[0, 0], sizeof(self.weights.bias))
        memcpy(self.weights.win_head, &win[0], sizeof(self.weights.win_head))
        memcpy(self.weights.points_head, &points[0], sizeof(self.weights.points_head))
        self.weights.win_bias, self.weights.points_bias = arrays["win_bias"], arrays["points_bias"]

    def __dealloc__(self):
        free(self.weights.rows)

    @property
    def shape(self):
        """(features of a player, features of the table)."""
        return self.weights.players, self.weights.table

    def fits(self, game):
        """Whether it was made for this game: the same features, and the components that were shipped."""
        shape = game.player_features, game.table_features
        if game.spec.game != self.game or self.shape != shape or game.spec.components is not None:
            return False
        return self.key is None or self.key == game.feature_key

    def judge(self, Position position not None):
        """(win share, expected final points) of each seat at a position whose cards are all known."""
        cdef float win[MAX_SEATS]
        cdef float points[MAX_SEATS]
        if not self.fits(position.game):
            raise NetworkError(f"a network for {self.game} of shape {self.shape} doesn't fit {position.game.name}")
        judge(&self.weights, position.game.ops, position.game.tables, position.data, position.game.seats, win, points)
        seats = range(position.game.seats)
        return tuple(win[seat] for seat in seats), tuple(points[seat] for seat in seats)


def _checked(arrays):
    """The arrays in the order of `Weights`; raises NetworkError for what the evaluator can't work with."""
    players, table = arrays["players"], arrays["table"]
    shapes = {
        "players": (players.shape[0], 2, HIDDEN), "table": (table.shape[0], HIDDEN),
        "bias": (MAX_SEATS + 1, HIDDEN), "win_head": (HIDDEN,), "points_head": (HIDDEN,),
    }
    for name, shape in shapes.items():
        array = arrays[name]
        if array.dtype != np.int16 or array.shape != shape or 0 in shape:
            raise NetworkError(f"{name} must be int16 of shape {shape}, not {array.dtype} of {array.shape}")
    limit = 2**31 // (HIDDEN * (CEILING + 1)) // 2
    for name in ("win_head", "points_head"):
        if np.abs(arrays[name].astype(np.int32)).max() > limit:
            raise NetworkError(f"{name} has a weight beyond ±{limit}")
        if abs(arrays[name.replace("head", "bias")]) > 2**29:
            raise NetworkError(f"{name.replace('head', 'bias')} is beyond ±2^29")
    return tuple(np.array(arrays[name], order="C") for name in shapes)


def feature_lists(Position position not None):
    """(features of the table, features of each player) as lists of indices; empty for a game without any."""
    cdef uint16_t found[MAX_FEATURES]
    cdef int count, i, seat
    lists = []
    for seat in range(-1, position.game.seats):
        count = position.game.ops.features(position.game.tables, position.data, seat, found)
        lists.append([found[i] for i in range(count)])
    return lists[0], lists[1:]


def units():
    """The scales of the weights, as `network.pxd` has them."""
    return dict(_UNITS)
