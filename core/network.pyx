"""The evaluator: sums of 16-bit rows, a clip, dot products. The same bits on every machine."""

from libc.stdint cimport int16_t, int32_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from serai.core.fastmath cimport fast_exp
from serai.core.game cimport Game, GameOps, Position
from serai.core.types cimport MAX_ACTIONS, MAX_FEATURES, MAX_SEATS, MAX_TRAITS, Action

import numpy as np

from serai.core.errors import NetworkError

HEAD_LIMIT = 2**31 // (HIDDEN * (CEILING + 1)) // 2     # of a head's weights: no dot product overflows
_UNITS = {"unit": UNIT, "ceiling": CEILING, "head_unit": HEAD_UNIT, "points_unit": POINTS_UNIT, "hidden": HIDDEN}


# ---- the evaluator

cdef inline void add_row(int16_t* sums, const int16_t* row) noexcept nogil:
    # Unsigned, so that a network which overflows is wrong but defined. The compiler makes vectors of it.
    cdef int k
    for k in range(HIDDEN):
        sums[k] = <int16_t>(<uint16_t>sums[k] + <uint16_t>row[k])


cdef inline void add_player(const Layer* l, const uint16_t* found, int count, int16_t* own, int16_t* other) noexcept nogil:
    """Add up a player's rows, both as it sees itself and as the others see it."""
    cdef const int16_t* row
    cdef int i
    for i in range(count):
        row = l.rows + 2 * HIDDEN * <size_t>found[i]
        add_row(own, row)
        add_row(other, row + HIDDEN)


cdef inline void begin(const Weights* n, const Layer* l, int seats, const uint16_t* found, int count,
                       int16_t* sums) noexcept nogil:
    """The bias and the rows of the table."""
    cdef const int16_t* table = l.rows + 2 * HIDDEN * <size_t>n.players
    cdef int i
    memcpy(sums, l.bias[seats], HIDDEN * sizeof(int16_t))
    for i in range(count):
        add_row(sums, table + HIDDEN * <size_t>found[i])


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
    cdef float logits[MAX_SEATS]
    cdef int seat, k, count = ops.features(tables, state, -1, found)
    begin(n, &n.state, seats, found, count, shared)
    for seat in range(seats):
        for k in range(HIDDEN):
            own[seat][k] = other[seat][k] = 0
        count = ops.features(tables, state, seat, found)
        add_player(&n.state, found, count, own[seat], other[seat])
        add_row(shared, other[seat])
    for seat in range(seats):
        for k in range(HIDDEN):
            sums[k] = <int16_t>(<uint16_t>shared[k] + <uint16_t>own[seat][k] - <uint16_t>other[seat][k])
        logits[seat] = (dot(sums, n.win_head) + n.win_bias) * (<float>1 / (UNIT * HEAD_UNIT))
        points[seat] = (dot(sums, n.points_head) + n.points_bias) * (<float>1 / (UNIT * POINTS_UNIT))
    normalise(logits, seats, win)


cdef void prefer(const Weights* n, const GameOps* ops, const void* tables, const void* state, int seats, int mover,
                 const Action* options, int count, float* shares) noexcept nogil:
    """How likely a strong player who is to move would choose each of some options; they sum to 1."""
    cdef uint16_t found[MAX_TRAITS]
    cdef int16_t sums[HIDDEN]
    cdef int16_t option[HIDDEN]
    cdef int32_t bias
    cdef int i, k, traits
    see_as(n, ops, tables, state, seats, mover, sums)
    for i in range(count):
        traits = ops.traits(tables, state, options[i], found)
        memset(option, 0, sizeof(option))
        bias = 0
        for k in range(traits):
            add_row(option, n.traits + HIDDEN * <size_t>found[k])
            bias += n.trait_bias[found[k]]
        shares[i] = (dot(sums, option) + bias) * (<float>1 / (UNIT * HEAD_UNIT))
    normalise(shares, count, shares)


cdef inline void see_as(const Weights* n, const GameOps* ops, const void* tables, const void* state, int seats, int mover,
                        int16_t* sums) noexcept nogil:
    """The sums of the first layer for one seat."""
    cdef uint16_t found[MAX_FEATURES]
    cdef int seat, i, count = ops.features(tables, state, -1, found)
    begin(n, &n.choice, seats, found, count, sums)
    for seat in range(seats):
        count = ops.features(tables, state, seat, found)
        for i in range(count):
            add_row(sums, n.choice.rows + HIDDEN * (2 * <size_t>found[i] + (seat != mover)))


cdef inline void normalise(const float* logits, int count, float* shares) noexcept nogil:
    """Softmax, over seats or options."""
    cdef float most = logits[0], sum = 0
    cdef int i
    for i in range(1, count):
        most = max(most, logits[i])
    for i in range(count):
        shares[i] = fast_exp(logits[i] - most)
        sum += shares[i]
    for i in range(count):
        shares[i] /= sum


# ---- from Python

cdef int load_layer(Layer* l, int16_t[:, :, ::1] players, int16_t[:, ::1] table, int16_t[:, ::1] bias) except -1:
    l.rows = <int16_t*>malloc(players.nbytes + table.nbytes)
    if l.rows is NULL:
        raise MemoryError
    memcpy(l.rows, &players[0, 0, 0], players.nbytes)
    memcpy(l.rows + 2 * HIDDEN * players.shape[0], &table[0, 0], table.nbytes)
    memcpy(l.bias, &bias[0, 0], sizeof(l.bias))
    return 0


cdef int load_traits(Weights* w, int16_t[:, ::1] rows, int32_t[::1] bias) except -1:
    w.traits, w.trait_bias = <int16_t*>malloc(rows.nbytes), <int32_t*>malloc(bias.nbytes)
    if w.traits is NULL or w.trait_bias is NULL:
        raise MemoryError
    memcpy(w.traits, &rows[0, 0], rows.nbytes)
    memcpy(w.trait_bias, &bias[0], bias.nbytes)
    return 0


cdef class Network:
    """A network for one game. ``arrays``: what `serai.core.network_file` reads; raises NetworkError if they don't fit.

    ``game``: the game's name; ``provenance``: how it was made, as plain data; ``key``: the game's `feature_key` when it
    was made, None if that isn't known.
    """

    def __cinit__(self, str game, dict arrays, dict provenance=None, key=None):
        cdef int16_t[::1] win, points
        cdef Weights* w = &self.weights
        checked = _checked(arrays)
        self.game, self.provenance, self.key = game, dict(provenance or {}), key
        w.players, w.table = checked["players"].shape[0], checked["table"].shape[0]
        w.options = checked["traits"].shape[0]
        load_layer(&w.state, checked["players"], checked["table"], checked["bias"])
        win, points = checked["win_head"], checked["points_head"]
        memcpy(w.win_head, &win[0], sizeof(w.win_head))
        memcpy(w.points_head, &points[0], sizeof(w.points_head))
        w.win_bias, w.points_bias = arrays["win_bias"], arrays["points_bias"]
        if w.options:
            load_layer(&w.choice, checked["choice_players"], checked["choice_table"], checked["choice_bias"])
            load_traits(w, checked["traits"], checked["trait_bias"])

    def __dealloc__(self):
        free(self.weights.state.rows)
        free(self.weights.choice.rows)
        free(self.weights.traits)
        free(self.weights.trait_bias)

    @property
    def shape(self):
        """(features of a player, features of the table, traits of an option)."""
        return self.weights.players, self.weights.table, self.weights.options

    def fits(self, game):
        """Whether it was made for this game: the same features, and the components that were shipped."""
        if game.spec.game != self.game or self.shape != shape_of(game) or game.spec.components is not None:
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

    def prefer(self, Position position not None):
        """The likely choice at a decision whose cards are all known: token -> share, of the options worth a look.

        Empty if the network has no preferences, or nobody is to decide.
        """
        cdef Action options[MAX_ACTIONS]
        cdef float shares[MAX_ACTIONS]
        cdef Game game = position.game
        cdef int actor = game.ops.to_act(game.tables, position.data), count
        if not self.fits(game):
            raise NetworkError(f"a network for {self.game} of shape {self.shape} doesn't fit {game.name}")
        if actor < 0 or not self.weights.options:
            return {}
        count = game.ops.legal(game.tables, position.data, options)
        count = game.ops.narrow(game.tables, position.data, options, count)
        prefer(&self.weights, game.ops, game.tables, position.data, game.seats, actor, options, count, shares)
        return {game.token(options[i]): shares[i] for i in range(count)}


def shape_of(game):
    """The shape that a network for a game has: (features of a player, of the table, traits of an option)."""
    return game.player_features, game.table_features, game.option_traits


def _checked(arrays):
    """Copies of the arrays, by name; raises NetworkError for what the evaluator can't work with."""
    players, table, options = (arrays[name].shape[0] for name in ("players", "table", "traits"))
    for name, shape in shapes(players, table, options).items():
        array, kind = arrays[name], np.int32 if name == "trait_bias" else np.int16
        if array.dtype != kind or array.shape != shape or (0 in shape and options):
            raise NetworkError(f"{name} must be {np.dtype(kind)} of shape {shape}, not {array.dtype} of {array.shape}")
    if not players or not table:
        raise NetworkError("a network needs features")
    for name in ("win_head", "points_head", "traits"):
        limit = HEAD_LIMIT if name != "traits" else HEAD_LIMIT // MAX_TRAITS
        if np.abs(arrays[name].astype(np.int32)).max(initial=0) > limit:
            raise NetworkError(f"{name} has a weight beyond ±{limit}")
    biases = [arrays["win_bias"], arrays["points_bias"], *(int(x) * MAX_TRAITS for x in arrays["trait_bias"])]
    if max(map(abs, biases)) > 2**29:
        raise NetworkError("a bias is beyond ±2^29")
    return {name: np.array(arrays[name], order="C") for name in shapes(players, table, options)}


def shapes(int players, int table, int options):
    """The arrays of a network with so many features and traits: their names and shapes.

    All hold 16-bit numbers, but ``trait_bias`` 32-bit ones.
    """
    own = players if options else 0     # without traits there is no layer of choices
    return {
        "players": (players, 2, HIDDEN), "table": (table, HIDDEN), "bias": (MAX_SEATS + 1, HIDDEN),
        "win_head": (HIDDEN,), "points_head": (HIDDEN,),
        "choice_players": (own, 2, HIDDEN), "choice_table": (table if options else 0, HIDDEN),
        "choice_bias": (MAX_SEATS + 1 if options else 0, HIDDEN),
        "traits": (options, HIDDEN), "trait_bias": (options,),
    }


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


def trait_lists(Position position not None):
    """The traits of each legal decision: token -> list of numbers; empty unless someone is to decide."""
    cdef Action options[MAX_ACTIONS]
    cdef uint16_t found[MAX_TRAITS]
    cdef Game game = position.game
    cdef int i, k, n, count
    if game.ops.to_act(game.tables, position.data) < 0 or not game.option_traits:
        return {}
    count = game.ops.legal(game.tables, position.data, options)
    lists = {}
    for i in range(count):
        n = game.ops.traits(game.tables, position.data, options[i], found)
        lists[game.token(options[i])] = [found[k] for k in range(n)]
    return lists
