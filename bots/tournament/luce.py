"""Plackett–Luce strengths from weighted choices, for many weightings of the same choices at once.

A ranking is a series of choices: the first among all, the second among those left, and so on; an entrant is
chosen with probability e^θ over the sum of e^θ of those it is chosen among.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TOLERANCE: Final = 1e-6  # of a Newton step: what is left after it is about its square
_STEPS: Final = 500  # far more than the capped Newton steps ever take
_CELLS: Final = 2**20  # numbers held at once


@dataclass(frozen=True)
class Choices:
    """Choices of rankings, by block.

    ``members``: the distinct sets that were chosen among, copies of an entrant repeated, short ones filled up
    with ``entrants``, an index that is nobody's. ``among``: the row of the set.
    """

    entrants: int
    members: Ints
    block: Ints
    chosen: Ints
    among: Ints

    @property
    def rows(self) -> int:
        """How many weightings to solve together, so that memory stays small."""
        sets, width = len(self.members), len(self.members[0])
        return max(1, min(50, _CELLS // (sets * width**2)))

    def solve(self, block_weights: Floats, pool_wins: Floats, start: Floats) -> Floats:
        """The likeliest θ, mean 0, for each row of weights of the blocks.

        ``pool_wins``: for each row, wins of each entrant in games in which all took part, on top of the data;
        they must be above 0, which keeps an entrant that always wins finite.

        Newton's method. A step that spreads θ by 1 at most raises the likelihood for certain: it is concave,
        and its curvature along a step changes by a factor of e at most for each unit of spread.
        """
        weights = block_weights[:, self.block]
        wins = pool_wins + _sums(self.chosen, weights, self.entrants)
        counts = _sums(self.among, weights, len(self.members))
        theta = np.tile(start, (len(wins), 1))
        for _ in range(_STEPS):
            step = self._step(wins, counts, pool_wins.sum(axis=1), theta)
            spread = np.ptp(step, axis=1, keepdims=True)
            theta = theta + step / np.maximum(1.0, spread)
            if spread.max() < _TOLERANCE:
                break
        return np.asarray(theta - theta.mean(axis=1, keepdims=True))

    def _step(self, wins: Floats, counts: Floats, pool_games: Floats, theta: Floats) -> Floats:
        expected, curvature = self._moments(counts, np.exp(theta))
        chance = np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True)
        pool = pool_games[:, None] * chance
        expected, curvature = expected + pool, curvature + pool[:, :, None] * chance[:, None, :]
        diagonal = np.arange(self.entrants)
        information = 1.0 - curvature  # 1: fixes the mean, which is free
        information[:, diagonal, diagonal] += expected
        step: Floats = np.linalg.solve(information, (wins - expected)[:, :, None])[:, :, 0]
        return step

    def _moments(self, counts: Floats, strength: Floats) -> tuple[Floats, Floats]:
        """How often each entrant would be chosen, and the sum of the products of the chances of each two."""
        n = self.entrants
        weight = np.pad(strength, ((0, 0), (0, 1)))[:, self.members]
        chance = weight / weight.sum(axis=2, keepdims=True)
        often = counts[:, :, None] * chance
        cell = self.members[:, :, None] * (n + 1) + self.members[:, None, :]
        products = _sums(cell, often[:, :, :, None] * chance[:, :, None, :], (n + 1) ** 2)
        expected = _sums(self.members, often, n + 1)
        return expected[:, :n], products.reshape(-1, n + 1, n + 1)[:, :n, :n]


def choices(orders: Sequence[tuple[int, Sequence[int]]], entrants: int) -> Choices:
    """The choices of rankings, each a block and the entrants from first to last, copies allowed."""
    sets: dict[tuple[int, ...], int] = {}
    rows = [
        (block, order[place], sets.setdefault(tuple(sorted(order[place:])), len(sets)))
        for block, order in orders
        for place in range(len(order) - 1)
    ]
    width = max(len(each) for each in sets)
    members = np.array([each + (entrants,) * (width - len(each)) for each in sets], dtype=np.int64)
    block, chosen, among = np.array(rows, dtype=np.int64).T
    return Choices(entrants, members, block, chosen, among)


def _sums(index: Ints, values: Floats, size: int) -> Floats:
    """For each row of the values, their sums by index."""
    flat = index.ravel()
    return np.array([np.bincount(flat, row.ravel(), size) for row in values], dtype=np.float64)
