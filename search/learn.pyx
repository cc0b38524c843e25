"""Fitting a network (`serai.core.network`) to games: compiled, single-threaded, repeatable to the bit.

The network in floats: for each seat 32 sums, clipped to 0 … 16, then two linear heads; and for the seat to move 32 other
sums, which the traits of each option weigh. The loss is the cross entropy of the win shares, plus the squared error of the
points in units that make both about as large, plus the cross entropy of the choice where one is known.
"""

from libc.math cimport expf, logf, sqrtf
from libc.stdint cimport int32_t, uint16_t
from libc.string cimport memset

from serai.core.network cimport CEILING, HEAD_UNIT, HIDDEN, POINTS_UNIT, UNIT
from serai.core.types cimport MAX_ACTIONS, MAX_SEATS, MAX_TRAITS
from serai.search.samples cimport LISTS, Samples, View, open_view

import numpy as np

from serai.core.network import HEAD_LIMIT, shapes

cdef enum:
    BATCH = 512             # samples a step

cdef float TOP = <float>CEILING / UNIT      # a sum is clipped to this
cdef float STEEPEST = 3.9                   # of the first layer's weights, and the traits'
cdef float POINTS_SCALE = 20                # points that weigh like a unit of the logits
cdef float POINTS_SHARE = 0.5               # of the points in the loss


# ---- the trainer

cdef struct Layer:          # where the parts of a first layer begin
    Py_ssize_t own          # row 2f: feature f as one's own, 2f + 1: as another's
    Py_ssize_t table
    Py_ssize_t bias

cdef class Trainer:
    """A network in floats, with Adam's memory. ``seed``: of the first weights. ``option_traits``: 0 for no preferences."""

    cdef readonly int players
    cdef readonly int table
    cdef readonly int options
    cdef int steps
    cdef readonly object weights    # float32, one row of all parameters; so are these
    cdef object gradient, mean, square
    cdef float* w
    cdef float* g
    cdef Layer state_layer, choice_layer
    cdef readonly Py_ssize_t choice_at      # the weights before it judge, those from it on choose; they share none
    cdef Py_ssize_t win_at, points_at, traits_at, trait_bias_at, size

    def __init__(self, int player_features, int table_features, int option_traits=0, seed=0):
        if player_features < 1 or table_features < 1 or option_traits < 0:
            raise ValueError("a game without features can't be learned")
        self.players, self.table, self.options = player_features, table_features, option_traits
        self.lay_out()
        self.steps = 0
        self.take(self.first_weights(np.random.default_rng(seed)), np.zeros(self.size, np.float32),
                  np.zeros(self.size, np.float32))

    cdef void lay_out(self) noexcept:
        self.win_at = self.lay_layer(&self.state_layer, 0)
        self.points_at = self.win_at + HIDDEN + 1
        self.choice_at = self.points_at + HIDDEN + 1
        self.size = self.traits_at = self.trait_bias_at = self.choice_at
        if self.options:
            self.traits_at = self.lay_layer(&self.choice_layer, self.choice_at)
            self.trait_bias_at = self.traits_at + HIDDEN * self.options
            self.size = self.trait_bias_at + self.options

    cdef Py_ssize_t lay_layer(self, Layer* l, Py_ssize_t first) noexcept:
        """Place a layer; where it ends."""
        l.own = first
        l.table = first + 2 * HIDDEN * self.players
        l.bias = l.table + HIDDEN * self.table
        return l.bias + HIDDEN * LISTS

    cdef object first_weights(self, random):
        values = np.zeros(self.size, np.float32)
        values[:self.state_layer.bias] = random.normal(0, 0.05, self.state_layer.bias)
        values[self.state_layer.bias:self.win_at] = 0.5
        values[self.win_at:self.win_at + HIDDEN] = random.normal(0, 0.1, HIDDEN)
        values[self.points_at:self.points_at + HIDDEN] = random.normal(0, 0.5, HIDDEN)
        values[self.choice_at - 1] = 60
        if self.options:
            size = self.choice_layer.bias - self.choice_at
            values[self.choice_at:self.choice_layer.bias] = random.normal(0, 0.05, size)
            values[self.choice_layer.bias:self.traits_at] = 0.5
            values[self.traits_at:self.trait_bias_at] = random.normal(0, 0.1, self.trait_bias_at - self.traits_at)
        return values

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

    def epoch(self, Samples samples not None, order, float rate, choice_rate=None):
        """Learn from some samples, in an order of their numbers; the mean loss on the way.

        ``rate``: Adam's; ``choice_rate``: another one for the weights that choose.
        """
        cdef float other = rate if choice_rate is None else choice_rate
        cdef int32_t[::1] places = np.ascontiguousarray(order, np.int32)
        cdef Py_ssize_t first, last, count = places.shape[0]
        cdef double total = 0
        cdef View v
        _kept = open_view(samples, &v, np.asarray(places), self.players, self.table, self.options)
        cdef float[::1] mean = self.mean, square = self.square
        with nogil:
            first = 0
            while first < count:
                last = min(first + BATCH, count)
                total += self.batch(&v, &places[first], last - first)
                self.steps += 1
                adam(self.w, self.g, &mean[0], &square[0], 0, self.choice_at, rate, self.steps, 1.0 / (last - first))
                adam(self.w, self.g, &mean[0], &square[0], self.choice_at, self.size, other, self.steps,
                     1.0 / (last - first))
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
            choose(self, v, places[i], &p)
            total += p.loss
            backward(self, v, places[i], &p)
            blame(self, v, places[i], &p)
        return total

    cdef void limit(self) noexcept nogil:
        """Keep weights small enough for 16 bits; a sum of sixty of the largest would overflow, one of real ones doesn't."""
        bound(self.w, self.win_at)
        bound(self.w + self.choice_at, self.trait_bias_at - self.choice_at)

    def loss(self, Samples samples not None, order):
        """How well it foretells some samples, as a dictionary.

        ``entropy``: cross entropy of the win shares; ``points``: mean error of the final points; ``accuracy``: part of
        the winners that were favourites; ``choice``: cross entropy of the choices, where one is known; ``agreement``: part
        of those that it would have made.
        """
        cdef int32_t[::1] places = np.ascontiguousarray(order, np.int32)
        cdef Py_ssize_t i, count = places.shape[0], choices = 0
        cdef double entropy = 0, error = 0, right = 0, choice = 0, agreed = 0
        cdef View v
        cdef Pass p
        cdef int seat
        _kept = open_view(samples, &v, np.asarray(places), self.players, self.table, self.options)
        with nogil:
            for i in range(count):
                forward(self, &v, places[i], &p)
                choose(self, &v, places[i], &p)
                entropy += p.entropy
                for seat in range(p.seats):
                    error += abs(p.points[seat] - v.points[places[i] * MAX_SEATS + seat]) / p.seats
                right += v.win[places[i] * MAX_SEATS + p.favourite] >= most(v.win + places[i] * MAX_SEATS, p.seats)
                if p.options:
                    choices += 1
                    choice += p.surprise
                    agreed += p.agrees
        return {"entropy": entropy / max(1, count), "points": error / max(1, count), "accuracy": right / max(1, count),
                "choice": choice / max(1, choices), "agreement": agreed / max(1, choices)}

    def arrays(self):
        """The network in integers, for `serai.core.network_file.encode`."""
        weights, wanted = self.weights, shapes(self.players, self.table, self.options)
        found = {
            **_layer(weights[:self.win_at], wanted, ("players", "table", "bias")),
            **_layer(weights[self.choice_at:self.traits_at], wanted, ("choice_players", "choice_table", "choice_bias")),
            "traits": _head(weights[self.traits_at:self.trait_bias_at], HEAD_UNIT, HEAD_LIMIT // MAX_TRAITS),
            "trait_bias": np.rint(weights[self.trait_bias_at:] * (UNIT * HEAD_UNIT)).astype(np.int32),
        }
        found["traits"] = found["traits"].reshape(wanted["traits"])
        for name, first, unit in (("win", self.win_at, HEAD_UNIT), ("points", self.points_at, POINTS_UNIT)):
            found[f"{name}_head"] = _head(weights[first:first + HIDDEN], unit, HEAD_LIMIT)
            found[f"{name}_bias"] = int(round(float(weights[first + HIDDEN]) * UNIT * unit))
        return found


def _layer(weights, wanted, names):
    """The parts of a first layer, in integers."""
    ends = np.cumsum([int(np.prod(wanted[name])) for name in names])
    parts = np.split(np.clip(np.rint(weights * UNIT), -32768, 32767).astype(np.int16), ends)
    return {name: part.reshape(wanted[name]) for name, part in zip(names, parts)}


def _head(weights, unit, limit):
    return np.clip(np.rint(weights * unit), -limit, limit).astype(np.int16)


cdef struct Pass:           # one sample on its way through the network
    int seats
    int favourite
    float sums[MAX_SEATS][HIDDEN]       # clipped
    float open[MAX_SEATS][HIDDEN]       # 1 where they aren't clipped
    float win[MAX_SEATS]
    float points[MAX_SEATS]
    float loss
    float entropy
    # ---- the choice
    int options                         # 0: none is known
    float sight[HIDDEN]                 # clipped sums of the seat to move
    float likely[MAX_ACTIONS]
    float surprise                      # cross entropy
    bint agrees                         # the likeliest option was chosen


# ---- forward and back

cdef inline void bound(float* weights, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        weights[i] = min(max(weights[i], -STEEPEST), STEEPEST)


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
        shared[k] = t.w[t.state_layer.bias + p.seats * HIDDEN + k]
    for i in range(ends[0]):
        add(shared, t.w + t.state_layer.table + HIDDEN * <Py_ssize_t>features[i])
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
    add(t.g + t.state_layer.bias + p.seats * HIDDEN, everybody)
    for i in range(ends[0]):
        add(t.g + t.state_layer.table + HIDDEN * <Py_ssize_t>features[i], everybody)
    for seat in range(p.seats):
        for k in range(HIDDEN):
            rest[k] = everybody[k] - down[seat][k]
        for i in range(ends[seat], ends[seat + 1]):
            add(t.g + 2 * HIDDEN * <Py_ssize_t>features[i], down[seat])
            add(t.g + 2 * HIDDEN * <Py_ssize_t>features[i] + HIDDEN, rest)


# ---- the choice

cdef void choose(Trainer t, const View* v, int32_t place, Pass* p) noexcept nogil:
    """How likely the network finds each option of the seat to move; adds to the loss."""
    cdef const unsigned char* counts = v.trait_counts + v.option_starts[place]
    cdef const uint16_t* traits = v.traits + v.trait_starts[place]
    cdef float top, sum = 0
    cdef int k, best = 0
    p.options = v.options[place] if t.options else 0
    if p.options == 0:
        return
    look(t, v, place, p.sight)
    for k in range(p.options):
        p.likely[k] = liking(t, traits, counts[k], p.sight)
        traits += counts[k]
        if p.likely[k] > p.likely[best]:
            best = k
    top = p.likely[best]
    for k in range(p.options):
        p.likely[k] = expf(p.likely[k] - top)
        sum += p.likely[k]
    for k in range(p.options):
        p.likely[k] /= sum
    p.surprise = -logf(max(p.likely[v.chosen[place]], <float>1e-9))
    p.agrees = best == v.chosen[place]
    p.loss += p.surprise


cdef void look(Trainer t, const View* v, int32_t place, float* sums) noexcept nogil:
    """The clipped sums of the seat to move."""
    cdef const uint16_t* features = v.features + v.starts[place]
    cdef const uint16_t* ends = v.ends + place * LISTS
    cdef int seat, i, k
    for k in range(HIDDEN):
        sums[k] = t.w[t.choice_layer.bias + v.seats[place] * HIDDEN + k]
    for i in range(ends[0]):
        add(sums, t.w + t.choice_layer.table + HIDDEN * <Py_ssize_t>features[i])
    for seat in range(v.seats[place]):
        for i in range(ends[seat], ends[seat + 1]):
            add(sums, t.w + t.choice_layer.own + HIDDEN * (2 * <Py_ssize_t>features[i] + (seat != v.mover[place])))
    for k in range(HIDDEN):
        sums[k] = min(max(sums[k], <float>0), TOP)


cdef inline float liking(Trainer t, const uint16_t* traits, int count, const float* sums) noexcept nogil:
    """The logit of an option."""
    cdef float rows[HIDDEN]
    cdef float total = 0
    cdef int i, k
    memset(rows, 0, sizeof(rows))
    for i in range(count):
        add(rows, t.w + t.traits_at + HIDDEN * <Py_ssize_t>traits[i])
        total += t.w[t.trait_bias_at + traits[i]]
    for k in range(HIDDEN):
        total += rows[k] * sums[k]
    return total


cdef void blame(Trainer t, const View* v, int32_t place, const Pass* p) noexcept nogil:
    """Add the gradient of a choice to the batch's."""
    cdef const unsigned char* counts = v.trait_counts + v.option_starts[place]
    cdef const uint16_t* traits = v.traits + v.trait_starts[place]
    cdef float down[HIDDEN]
    cdef float off
    cdef int i, k, option
    if p.options == 0:
        return
    memset(down, 0, sizeof(down))
    for option in range(p.options):
        off = p.likely[option] - (option == v.chosen[place])
        for i in range(counts[option]):
            t.g[t.trait_bias_at + traits[i]] += off
            for k in range(HIDDEN):
                t.g[t.traits_at + HIDDEN * <Py_ssize_t>traits[i] + k] += off * p.sight[k]
                down[k] += off * t.w[t.traits_at + HIDDEN * <Py_ssize_t>traits[i] + k]
        traits += counts[option]
    for k in range(HIDDEN):
        if not 0 < p.sight[k] < TOP:
            down[k] = 0
    pass_on(t, v, place, down)


cdef void pass_on(Trainer t, const View* v, int32_t place, const float* down) noexcept nogil:
    """Add to the gradients of the layer of choices."""
    cdef const uint16_t* features = v.features + v.starts[place]
    cdef const uint16_t* ends = v.ends + place * LISTS
    cdef int seat, i
    add(t.g + t.choice_layer.bias + v.seats[place] * HIDDEN, down)
    for i in range(ends[0]):
        add(t.g + t.choice_layer.table + HIDDEN * <Py_ssize_t>features[i], down)
    for seat in range(v.seats[place]):
        for i in range(ends[seat], ends[seat + 1]):
            add(t.g + t.choice_layer.own + HIDDEN * (2 * <Py_ssize_t>features[i] + (seat != v.mover[place])), down)


# ---- the step

cdef void adam(float* w, float* g, float* mean, float* square, Py_ssize_t first, Py_ssize_t end, float rate, int steps,
               float part) noexcept nogil:
    """One step of some weights down the gradient (Kingma and Ba 2015), which is cleared."""
    cdef float b1 = 0.9, b2 = 0.999, slope
    cdef float step = rate * sqrtf(1 - b2 ** steps) / (1 - b1 ** steps)
    cdef Py_ssize_t i
    for i in range(first, end):
        slope = g[i] * part
        g[i] = 0
        mean[i] = b1 * mean[i] + (1 - b1) * slope
        square[i] = b2 * square[i] + (1 - b2) * slope * slope
        w[i] -= step * mean[i] / (sqrtf(square[i]) + <float>1e-8)
