"""Fitting a network (`serai.core.network`) to games: compiled, single-threaded, repeatable to the bit.

The network in floats: for each seat 32 sums, clipped to 0 … 16, then two linear heads. The loss is the cross entropy
of the win shares plus the squared error of the points, in units that make both about as large.
"""

from libc.math cimport expf, logf, sqrtf
from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.string cimport memset

from serai.core.game cimport Position
from serai.core.network cimport CEILING, HEAD_UNIT, HIDDEN, POINTS_UNIT, UNIT
from serai.core.types cimport MAX_FEATURES, MAX_SEATS

import numpy as np

cdef enum:
    BATCH = 512             # samples a step
    LISTS = MAX_SEATS + 1   # of a sample: the table's features, and each player's

cdef float TOP = <float>CEILING / UNIT      # a sum is clipped to this
cdef float POINTS_SCALE = 20                # points that weigh like a unit of the logits
cdef float POINTS_SHARE = 0.5               # of the points in the loss


# ---- samples

cdef class Samples:
    """Positions as features, and what came of them. Rows grow as they are added.

    Arrays: ``features`` (uint16, all lists one after the other: the table's, then each seat's), ``ends`` (int64, LISTS a
    sample: where each list ends), ``seats`` (uint8), ``win`` and ``points`` (float32, MAX_SEATS a sample), ``game`` (int32).
    """

    cdef list pieces
    cdef dict whole

    def __cinit__(self):
        self.pieces, self.whole = [], None

    def add(self, Position position not None, win, points, int game):
        """Add a position whose cards are all known, with the win share and the final points of each seat."""
        cdef uint16_t found[MAX_FEATURES]
        cdef int seat, i, count, seats = position.game.seats
        features, ends = [], []
        for seat in range(-1, seats):
            count = position.game.ops.features(position.game.tables, position.data, seat, found)
            for i in range(count):
                features.append(found[i])
            ends.append(len(features))
        ends += [len(features)] * (LISTS - len(ends))
        rest = [0.0] * (MAX_SEATS - seats)
        self.pieces.append((features, ends, seats, [*win, *rest], [*points, *rest], game))
        self.whole = None

    def add_data(self, data):
        """Add what `to_data` of other samples gave."""
        self.pieces.append({name: np.asarray(data[name]) for name in _NAMES})
        self.whole = None

    def to_data(self):
        """All samples as compact arrays, for `numpy.savez`; ``ends`` count from each sample's own start."""
        if self.whole is None:
            self.whole = _joined(self.pieces)
            self.pieces = [self.whole] if len(self.whole["seats"]) else []
        return self.whole

    def __len__(self):
        return len(self.to_data()["seats"])


_NAMES = ("features", "ends", "seats", "win", "points", "game")
_TYPES = (np.uint16, np.uint16, np.uint8, np.float32, np.float32, np.int32)


def _joined(pieces):
    """One dictionary of arrays out of rows and such dictionaries, in their order."""
    parts = []
    rows = []
    for piece in [*pieces, None]:
        if isinstance(piece, tuple):
            rows.append(piece)
            continue
        if rows:
            parts.append(_columns(rows))
            rows = []
        if piece is not None:
            parts.append(piece)
    if not parts:
        parts = [_columns([])]
    return {name: np.concatenate([part[name] for part in parts]) for name in _NAMES}


def _columns(rows):
    features = [index for row in rows for index in row[0]]
    columns = [features, *([row[k] for row in rows] for k in range(1, 6))]
    arrays = [np.array(column, kind) for column, kind in zip(columns, _TYPES)]
    arrays[1] = arrays[1].reshape(-1, LISTS)
    arrays[3], arrays[4] = arrays[3].reshape(-1, MAX_SEATS), arrays[4].reshape(-1, MAX_SEATS)
    return dict(zip(_NAMES, arrays))


# ---- the trainer

cdef class Trainer:
    """A network in floats, with Adam's memory. ``seed``: of the first weights."""

    cdef readonly int players
    cdef readonly int table
    cdef int steps
    cdef readonly object weights    # float32, one row of all parameters; so are these
    cdef object gradient, mean, square
    cdef float* w
    cdef float* g
    cdef Py_ssize_t own_at, table_at, bias_at, win_at, points_at, size

    def __init__(self, int player_features, int table_features, seed=0):
        if player_features < 1 or table_features < 1:
            raise ValueError("a game without features can't be learned")
        self.players, self.table = player_features, table_features
        self.own_at = 0             # row 2f: as one's own, 2f + 1: as another's
        self.table_at = 2 * HIDDEN * player_features
        self.bias_at = self.table_at + HIDDEN * table_features
        self.win_at = self.bias_at + HIDDEN * LISTS
        self.points_at = self.win_at + HIDDEN + 1
        self.size = self.points_at + HIDDEN + 1
        random = np.random.default_rng(seed)
        values = np.zeros(self.size, np.float32)
        values[:self.bias_at] = random.normal(0, 0.05, self.bias_at)
        values[self.bias_at:self.win_at] = 0.5
        values[self.win_at:self.win_at + HIDDEN] = random.normal(0, 0.1, HIDDEN)
        values[self.points_at:self.points_at + HIDDEN] = random.normal(0, 0.5, HIDDEN)
        values[self.size - 1] = 60
        self.steps = 0
        self.take(values, np.zeros(self.size, np.float32), np.zeros(self.size, np.float32))

    cdef int take(self, weights, mean, square) except -1:
        cdef float[::1] view
        self.weights, self.mean, self.square = weights, mean, square
        self.gradient = np.zeros(self.size, np.float32)
        view = self.weights
        self.w = &view[0]
        view = self.gradient
        self.g = &view[0]
        return 0

    def state(self):
        """Everything to go on from later, as arrays."""
        return {"weights": self.weights.copy(), "mean": self.mean.copy(), "square": self.square.copy(),
                "steps": np.array(self.steps)}

    def load_state(self, state):
        """Go on from what `state` gave; raises ValueError for a network of another shape."""
        rows = [np.array(state[name], np.float32) for name in ("weights", "mean", "square")]
        if any(row.shape != (self.size,) for row in rows):
            raise ValueError(f"a trainer's state has {self.size} weights here")
        self.take(rows[0], rows[1], rows[2])
        self.steps = int(state["steps"])

    def epoch(self, Samples samples not None, order, float rate):
        """Learn from some samples, in an order of their numbers; the mean loss on the way. ``rate``: Adam's."""
        cdef int32_t[::1] places = np.ascontiguousarray(order, np.int32)
        cdef Py_ssize_t first, last, count = places.shape[0]
        cdef double total = 0
        cdef View v
        _kept = _open(samples, &v, places, self.players, self.table)
        cdef float[::1] mean = self.mean, square = self.square
        with nogil:
            first = 0
            while first < count:
                last = min(first + BATCH, count)
                total += self.batch(&v, &places[first], last - first)
                self.steps += 1
                adam(self.w, self.g, &mean[0], &square[0], self.size, rate, self.steps, 1.0 / (last - first))
                self.limit()
                first = last
        return total / max(1, count)

    cdef double batch(self, const View* v, const int32_t* places, Py_ssize_t count) noexcept nogil:
        """Add up the gradient of some samples; their losses summed."""
        cdef double total = 0
        cdef Py_ssize_t i
        cdef Pass p
        for i in range(count):
            forward(self, v, places[i], &p)
            total += p.loss
            backward(self, v, places[i], &p)
        return total

    cdef void limit(self) noexcept nogil:
        """Keep first-layer weights where their 16-bit forms can't overflow in any list that occurs."""
        cdef Py_ssize_t i
        for i in range(self.win_at):
            self.w[i] = min(max(self.w[i], <float>-3.9), <float>3.9)

    def loss(self, Samples samples not None, order):
        """(cross entropy of the win shares, mean error of the points, part of the winners that were favourites)."""
        cdef int32_t[::1] places = np.ascontiguousarray(order, np.int32)
        cdef Py_ssize_t i, count = places.shape[0]
        cdef double entropy = 0, error = 0, right = 0
        cdef View v
        cdef Pass p
        cdef int seat
        _kept = _open(samples, &v, places, self.players, self.table)
        with nogil:
            for i in range(count):
                forward(self, &v, places[i], &p)
                entropy += p.entropy
                for seat in range(p.seats):
                    error += abs(p.points[seat] - v.points[places[i] * MAX_SEATS + seat]) / p.seats
                right += v.win[places[i] * MAX_SEATS + p.favourite] >= most(v.win + places[i] * MAX_SEATS, p.seats)
        return entropy / max(1, count), error / max(1, count), right / max(1, count)

    def arrays(self):
        """The network in integers, for `serai.core.network_file.encode`."""
        first = np.clip(np.rint(self.weights[:self.win_at] * UNIT), -32768, 32767).astype(np.int16)
        win = self.weights[self.win_at:self.points_at]
        points = self.weights[self.points_at:]
        return {
            "players": first[:self.table_at].reshape(self.players, 2, HIDDEN),
            "table": first[self.table_at:self.bias_at].reshape(self.table, HIDDEN),
            "bias": first[self.bias_at:].reshape(LISTS, HIDDEN),
            "win_head": _head(win[:HIDDEN], HEAD_UNIT), "win_bias": int(round(float(win[HIDDEN]) * UNIT * HEAD_UNIT)),
            "points_head": _head(points[:HIDDEN], POINTS_UNIT),
            "points_bias": int(round(float(points[HIDDEN]) * UNIT * POINTS_UNIT)),
        }


def _head(weights, unit):
    limit = 2**31 // (HIDDEN * (CEILING + 1)) // 2
    return np.clip(np.rint(weights * unit), -limit, limit).astype(np.int16)


cdef struct View:           # samples as plain memory
    const uint16_t* features
    const int64_t* starts   # of each sample among the features
    const uint16_t* ends    # LISTS a sample
    const unsigned char* seats
    const float* win
    const float* points

cdef struct Pass:           # one sample on its way through the network
    int seats
    int favourite
    float sums[MAX_SEATS][HIDDEN]       # clipped
    float open[MAX_SEATS][HIDDEN]       # 1 where they aren't clipped
    float win[MAX_SEATS]
    float points[MAX_SEATS]
    float loss
    float entropy


cdef object _open(Samples samples, View* v, int32_t[::1] places, int players, int table):
    """Point a view at samples; raises ValueError for features or places that aren't there. Keep what it returns."""
    data = samples.to_data()
    cdef uint16_t[::1] features = np.ascontiguousarray(data["features"], np.uint16)
    cdef uint16_t[:, ::1] ends = np.ascontiguousarray(data["ends"], np.uint16)
    cdef unsigned char[::1] seats = np.ascontiguousarray(data["seats"], np.uint8)
    cdef float[:, ::1] win = np.ascontiguousarray(data["win"], np.float32)
    cdef float[:, ::1] points = np.ascontiguousarray(data["points"], np.float32)
    cdef int64_t[::1] starts = np.concatenate([[0], np.cumsum(np.asarray(ends)[:, LISTS - 1], dtype=np.int64)])
    _check(data, np.asarray(starts), np.asarray(places), players, table)
    if places.shape[0]:
        v.features, v.starts, v.ends, v.seats = &features[0], &starts[0], &ends[0, 0], &seats[0]
        v.win, v.points = &win[0, 0], &points[0, 0]
    return features, ends, seats, win, points, starts


def _check(data, starts, places, players, table):
    count = len(data["seats"])
    if len(places) and not 0 <= places.min() <= places.max() < count:
        raise ValueError(f"there are {count} samples; numbers go up to {places.max()}")
    if starts[count] != len(data["features"]) or (np.diff(data["ends"].astype(int), axis=1) < 0).any():
        raise ValueError("the samples' lists don't add up")
    if count and not 2 <= data["seats"].min() <= data["seats"].max() <= MAX_SEATS:
        raise ValueError("samples have 2 to 6 seats")
    lists = np.diff(data["ends"].astype(int), axis=1, prepend=0)
    of_table = np.repeat(np.tile([True] + [False] * (LISTS - 1), count), lists.reshape(-1))
    for mask, limit in ((of_table, table), (~of_table, players)):
        if mask.any() and data["features"][mask].max() >= limit:
            raise ValueError(f"a feature beyond {limit}: the samples are of another game")


# ---- forward and back

cdef inline void add(float* sums, const float* row) noexcept nogil:
    cdef int k
    for k in range(HIDDEN):
        sums[k] += row[k]


cdef inline float most(const float* values, int count) noexcept nogil:
    cdef float best = values[0]
    cdef int i
    for i in range(1, count):
        best = max(best, values[i])
    return best


cdef void forward(Trainer t, const View* v, int32_t place, Pass* p) noexcept nogil:
    cdef const uint16_t* features = v.features + v.starts[place]
    cdef const uint16_t* ends = v.ends + place * LISTS
    cdef float shared[HIDDEN]
    cdef float other[MAX_SEATS][HIDDEN]
    cdef int seat, i, k
    p.seats = v.seats[place]
    for k in range(HIDDEN):
        shared[k] = t.w[t.bias_at + p.seats * HIDDEN + k]
    for i in range(ends[0]):
        add(shared, t.w + t.table_at + HIDDEN * <Py_ssize_t>features[i])
    for seat in range(p.seats):
        memset(p.sums[seat], 0, sizeof(p.sums[seat]))
        memset(other[seat], 0, sizeof(other[seat]))
        for i in range(ends[seat], ends[seat + 1]):
            add(p.sums[seat], t.w + 2 * HIDDEN * <Py_ssize_t>features[i])
            add(other[seat], t.w + 2 * HIDDEN * <Py_ssize_t>features[i] + HIDDEN)
        add(shared, other[seat])
    for seat in range(p.seats):
        for k in range(HIDDEN):
            p.sums[seat][k] += shared[k] - other[seat][k]
            p.open[seat][k] = p.sums[seat][k] > 0 and p.sums[seat][k] < TOP
            p.sums[seat][k] = min(max(p.sums[seat][k], <float>0), TOP)
        p.win[seat] = head(t.w + t.win_at, p.sums[seat])
        p.points[seat] = head(t.w + t.points_at, p.sums[seat])
    weigh(v, place, p)


cdef inline float head(const float* weights, const float* sums) noexcept nogil:
    cdef float total = weights[HIDDEN]
    cdef int k
    for k in range(HIDDEN):
        total += weights[k] * sums[k]
    return total


cdef void weigh(const View* v, int32_t place, Pass* p) noexcept nogil:
    """Turn logits into shares, and compare with what came of it."""
    cdef const float* target = v.win + place * MAX_SEATS
    cdef const float* final = v.points + place * MAX_SEATS
    cdef float top = most(p.win, p.seats), sum = 0, off
    cdef int seat
    p.favourite = 0
    for seat in range(p.seats):
        if p.win[seat] == top:
            p.favourite = seat
        p.win[seat] = expf(p.win[seat] - top)
        sum += p.win[seat]
    p.entropy = p.loss = 0
    for seat in range(p.seats):
        p.win[seat] /= sum
        if target[seat] > 0:
            p.entropy -= target[seat] * logf(max(p.win[seat], <float>1e-9))
        off = (p.points[seat] - final[seat]) / POINTS_SCALE
        p.loss += POINTS_SHARE * off * off / p.seats
    p.loss += p.entropy


cdef void backward(Trainer t, const View* v, int32_t place, const Pass* p) noexcept nogil:
    """Add a sample's gradient to the batch's."""
    cdef const uint16_t* features = v.features + v.starts[place]
    cdef const uint16_t* ends = v.ends + place * LISTS
    cdef float down[MAX_SEATS][HIDDEN]
    cdef float everybody[HIDDEN]
    cdef float rest[HIDDEN]
    cdef float win, points
    cdef int seat, i, k
    memset(everybody, 0, sizeof(everybody))
    for seat in range(p.seats):
        win = p.win[seat] - v.win[place * MAX_SEATS + seat]
        points = 2 * POINTS_SHARE * (p.points[seat] - v.points[place * MAX_SEATS + seat])
        points /= POINTS_SCALE * POINTS_SCALE * p.seats
        for k in range(HIDDEN):
            t.g[t.win_at + k] += win * p.sums[seat][k]
            t.g[t.points_at + k] += points * p.sums[seat][k]
            down[seat][k] = (win * t.w[t.win_at + k] + points * t.w[t.points_at + k]) * p.open[seat][k]
            everybody[k] += down[seat][k]
        t.g[t.win_at + HIDDEN] += win
        t.g[t.points_at + HIDDEN] += points
    add(t.g + t.bias_at + p.seats * HIDDEN, everybody)
    for i in range(ends[0]):
        add(t.g + t.table_at + HIDDEN * <Py_ssize_t>features[i], everybody)
    for seat in range(p.seats):
        for k in range(HIDDEN):
            rest[k] = everybody[k] - down[seat][k]
        for i in range(ends[seat], ends[seat + 1]):
            add(t.g + 2 * HIDDEN * <Py_ssize_t>features[i], down[seat])
            add(t.g + 2 * HIDDEN * <Py_ssize_t>features[i] + HIDDEN, rest)


cdef void adam(float* w, float* g, float* mean, float* square, Py_ssize_t size, float rate, int steps,
               float part) noexcept nogil:
    """One step down the gradient (Kingma and Ba 2015), which is cleared."""
    cdef float b1 = 0.9, b2 = 0.999, slope
    cdef float step = rate * sqrtf(1 - b2 ** steps) / (1 - b1 ** steps)
    cdef Py_ssize_t i
    for i in range(size):
        slope = g[i] * part
        g[i] = 0
        mean[i] = b1 * mean[i] + (1 - b1) * slope
        square[i] = b2 * square[i] + (1 - b2) * slope * slope
        w[i] -= step * mean[i] / (sqrtf(square[i]) + <float>1e-8)
