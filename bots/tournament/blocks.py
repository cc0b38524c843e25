"""Means over games with standard errors over blocks, for many keys (entrants, seats, pairs) at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from serai.bots.standings import Estimate
from serai.bots.tournament.luce import Floats, Ints


def estimates(key: Ints, block: Ints, value: Floats, complete: Collection[int]) -> dict[int, Estimate]:
    """The mean of the values of each key, and its standard error over the complete blocks that have the key.

    Parallel arrays, a row for each game of a key. Blocks may have different numbers of rows.
    """
    keys, index = np.unique(key, return_inverse=True)
    mean = np.bincount(index, value) / np.bincount(index)
    inside = np.isin(block, np.array(sorted(complete), dtype=np.int64))
    error = _errors(index[inside], block[inside], value[inside], len(keys))
    return {
        int(k): Estimate(float(m), None if np.isnan(e) else float(e))
        for k, m, e in zip(keys, mean, error, strict=True)
    }


def _errors(index: Ints, block: Ints, value: Floats, keys: int) -> Floats:
    """The standard error of a mean of clusters, sum over count; not a number for fewer than two."""
    owner, count, total = cells(index, block, value)
    blocks, rows = np.bincount(owner, minlength=keys), np.bincount(owner, count, keys)
    mean = np.bincount(owner, total, keys) / np.maximum(1, rows)
    squares = np.bincount(owner, (total - mean[owner] * count) ** 2, keys)
    several = np.where(blocks > 1, blocks, np.nan)
    return np.asarray(np.sqrt(squares * several / (several - 1)) / rows)


def cells(index: Ints, block: Ints, value: Floats) -> tuple[Ints, Floats, Floats]:
    """For each key and block that occur together: the key, the number of rows, the sum of their values."""
    places, place = np.unique(block, return_inverse=True)
    cell, where = np.unique(index * max(1, len(places)) + place, return_inverse=True)
    owner = cell // max(1, len(places))
    return owner, np.bincount(where).astype(np.float64), np.bincount(where, value).astype(np.float64)
