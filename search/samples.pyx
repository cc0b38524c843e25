"""Positions as features and what came of them: what a network learns from."""

from libc.stdint cimport int64_t, uint16_t

from serai.core.game cimport Position
from serai.core.types cimport MAX_ACTIONS, MAX_FEATURES, MAX_SEATS, MAX_TRAITS, Action

import numpy as np


cdef class Samples:
    """Positions as features, what came of them, and what was chosen there. Rows grow as they are added.

    Arrays: ``features`` (uint16, all lists one after the other: the table's, then each seat's), ``ends`` (uint16, LISTS a
    sample: where each list ends, from the sample's own start), ``seats`` (uint8), ``win`` and ``points`` (float32, MAX_SEATS
    a sample), ``game`` (int32); ``mover`` (uint8), ``options`` (uint16, how many there were; 0: no choice is known),
    ``chosen`` (uint16, which one), ``trait_counts`` (uint8, of each option of all samples), ``traits`` (uint16, of each
    option one after the other).
    """

    def __cinit__(self):
        self.pieces, self.whole = [], None

    def add(self, Position position not None, win, points, int game, chosen=None):
        """Add a position whose cards are all known, with the win share and the final points of each seat.

        ``chosen``: the token of a decision worth learning, or None.
        """
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
        choice = _choice(position, chosen)
        self.pieces.append((features, ends, seats, [*win, *rest], [*points, *rest], game, *choice))
        self.whole = None

    def add_data(self, data):
        """Add what `to_data` of other samples gave; raises ValueError for arrays of other types or lengths."""
        count = len(data["seats"])
        for name, kind in _TYPES.items():
            shape = np.shape(data[name])
            wanted = (shape[:1] if name in _RAGGED else (count,)) + ((_WIDTHS[name],) if name in _WIDTHS else ())
            if data[name].dtype != kind or shape != wanted:
                raise ValueError(f"samples have {name} of {np.dtype(kind)}, as many as there are seats")
        self.pieces.append({name: data[name] for name in _TYPES})
        self.whole = None

    def to_data(self):
        """All samples as compact arrays, for `numpy.savez`."""
        if self.whole is None:
            self.whole = _joined(self.pieces)
            self.pieces = [self.whole] if len(self.whole["seats"]) else []
        return self.whole

    def __len__(self):
        return len(self.to_data()["seats"])


_TYPES = {
    "features": np.uint16, "ends": np.uint16, "seats": np.uint8, "win": np.float32, "points": np.float32,
    "game": np.int32, "mover": np.uint8, "options": np.uint16, "chosen": np.uint16, "trait_counts": np.uint8,
    "traits": np.uint16,
}
_WIDTHS = {"ends": LISTS, "win": MAX_SEATS, "points": MAX_SEATS}
_RAGGED = ("features", "trait_counts", "traits")


cdef tuple _choice(Position position, chosen):
    """(mover, options, which was chosen, traits of each option as counts and as one list)."""
    cdef Action options[MAX_ACTIONS]
    cdef uint16_t found[MAX_TRAITS]
    cdef int i, k, traits, count, place = -1, mover = position.to_act
    if chosen is None or mover < 0 or not position.game.option_traits:
        return max(0, mover), 0, 0, [], []
    action = position.action(chosen)
    count = position.game.ops.legal(position.game.tables, position.data, options)
    count = position.game.ops.narrow(position.game.tables, position.data, options, count)
    counts, lists = [], []
    for i in range(count):
        traits = position.game.ops.traits(position.game.tables, position.data, options[i], found)
        counts.append(traits)
        for k in range(traits):
            lists.append(found[k])
        if options[i] == action:
            place = i
    if place < 0 or count < 2:      # nothing to choose from, or `narrow` dropped it
        return mover, 0, 0, [], []
    return mover, count, place, counts, lists


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
    return {name: np.concatenate([part[name] for part in parts]) for name in _TYPES}


def _columns(rows):
    columns = {}
    for place, (name, kind) in enumerate(_TYPES.items()):
        column = [row[place] for row in rows]
        if name in _RAGGED:
            column = [number for numbers in column for number in numbers]
        array = np.array(column, kind)
        columns[name] = array.reshape(-1, _WIDTHS[name]) if name in _WIDTHS else array
    return columns


# ---- as plain memory

cdef object open_view(Samples samples, View* v, places, int players, int table, int options):
    """Point a view at samples; raises ValueError for features or places that aren't there. Keep what it returns."""
    cdef Py_ssize_t count = len(samples)
    data = samples.to_data()
    if len(places) and not 0 <= places.min() <= places.max() < count:
        raise ValueError(f"there are {count} samples; numbers go up to {places.max()}")
    if samples.checked is not data or samples.limits != (players, table, options):
        samples.starts = _starts(data)
        _check(data, samples.starts, players, table, options)
        samples.checked, samples.limits = data, (players, table, options)
    cdef uint16_t[::1] features = _solid(data, "features"), traits = _solid(data, "traits")
    cdef uint16_t[:, ::1] ends = np.ascontiguousarray(data["ends"], np.uint16)
    cdef unsigned char[::1] seats = _solid(data, "seats"), mover = _solid(data, "mover")
    cdef unsigned char[::1] trait_counts = _solid(data, "trait_counts")
    cdef uint16_t[::1] n_options = _solid(data, "options"), chosen = _solid(data, "chosen")
    cdef float[:, ::1] win = np.ascontiguousarray(data["win"], np.float32)
    cdef float[:, ::1] points = np.ascontiguousarray(data["points"], np.float32)
    cdef int64_t[::1] starts = samples.starts[0], option_starts = samples.starts[1], trait_starts = samples.starts[2]
    if count:
        v.features, v.starts, v.ends, v.seats = &features[0], &starts[0], &ends[0, 0], &seats[0]
        v.win, v.points = &win[0, 0], &points[0, 0]
        v.mover, v.options, v.chosen = &mover[0], &n_options[0], &chosen[0]
        v.option_starts, v.trait_starts = &option_starts[0], &trait_starts[0]
    if trait_counts.shape[0]:
        v.trait_counts, v.traits = &trait_counts[0], &traits[0]
    return features, traits, ends, seats, mover, trait_counts, n_options, chosen, win, points, samples.starts


def _solid(data, name):
    return np.ascontiguousarray(data[name], _TYPES[name])


def _starts(data):
    """Where each sample's features, options and traits begin, and where the last ones end."""
    per_option = _sums(data["trait_counts"])
    options = _sums(data["options"])
    if options[len(options) - 1] != len(data["trait_counts"]):
        raise ValueError("the samples' options don't add up")
    return _sums(data["ends"][:, LISTS - 1]), options, per_option[options]


def _sums(counts):
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def _check(data, starts, players, table, options):
    count = len(data["seats"])
    if starts[0][count] != len(data["features"]) or (np.diff(data["ends"].astype(int), axis=1) < 0).any():
        raise ValueError("the samples' lists don't add up")
    if starts[2][count] != len(data["traits"]):
        raise ValueError("the samples' traits don't add up")
    if count and not 2 <= data["seats"].min() <= data["seats"].max() <= MAX_SEATS:
        raise ValueError("samples have 2 to 6 seats")
    if not np.isfinite(data["win"]).all() or not np.isfinite(data["points"]).all():
        raise ValueError("a sample's result is no number")
    known = data["options"] > 0
    if (data["chosen"][known] >= data["options"][known]).any() or (data["mover"] >= data["seats"]).any():
        raise ValueError("a sample's choice, or who made it, isn't there")
    if (data["options"] > MAX_ACTIONS).any() or (data["trait_counts"] > MAX_TRAITS).any():
        raise ValueError(f"a sample has more than {MAX_ACTIONS} options, or an option more than {MAX_TRAITS} traits")
    lists = np.diff(data["ends"].astype(int), axis=1, prepend=0)
    of_table = np.repeat(np.tile([True] + [False] * (LISTS - 1), count), lists.reshape(-1))
    found = data["features"][of_table], data["features"][~of_table], data["traits"] if options else ()
    for numbers, limit in zip(found, (table, players, options)):
        if len(numbers) and numbers.max() >= limit:
            raise ValueError(f"a feature beyond {limit}: the samples are of another game")
