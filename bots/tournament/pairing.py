"""What blocks are worth: how much less their means vary than those of as many unrelated games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from serai.bots.tournament.blocks import cells
from serai.bots.tournament.luce import Floats, Ints
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.sittings import Appearances

_NEGLIGIBLE: Final = 1e-12


def variance_ratio(entries: Appearances, games: Sequence[Outcome], whole: Collection[int]) -> float | None:
    """The variance of a mean of unrelated games, over that of a block; None if there is nothing to compare.

    Unrelated: each with a deal of its own, and the entrant in a seat drawn by lot. Both variances are
    unbiased within an entrant at a table (the same entrants, in whatever seats) and then added up over these,
    each with its degrees of freedom, so the ratio is 1 up to chance if games of a deal have no more in common
    than others. ``whole``: the blocks of which every game counts.
    """
    tables = _tables(games, whole)
    table = np.array([tables.get(int(block), -1) for block in entries.block], dtype=np.int64)
    kept = table >= 0
    if not kept.any():
        return None
    group = table[kept] * (1 + int(entries.entrant.max())) + entries.entrant[kept]
    index = np.unique(group, return_inverse=True)[1]
    unrelated, blocked = _variances(index, entries.block[kept], entries.share[kept])
    return unrelated / blocked if blocked > _NEGLIGIBLE * unrelated else None


def _tables(games: Sequence[Outcome], whole: Collection[int]) -> dict[int, int]:
    """A number for the table of each whole block, equal for equal tables; none for a block of several."""
    seatings: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
    for game in games:
        seatings[game.block].add(tuple(sorted(game.seating)))
    numbers: dict[tuple[int, ...], int] = {}
    return {
        block: numbers.setdefault(next(iter(each)), len(numbers))
        for block, each in seatings.items()
        if block in whole and len(each) == 1
    }


def _variances(index: Ints, block: Ints, share: Floats) -> tuple[float, float]:
    """Of the mean of unrelated games and of the mean of a block, summed with their degrees of freedom."""
    owner, games, total = cells(index, block, share)
    square = cells(index, block, share**2)[2] / games
    value = total / games
    blocks = np.bincount(owner)
    centre = np.bincount(owner, value) / blocks
    deviations = np.bincount(owner, (value - centre[owner]) ** 2)
    freedom = blocks - 1
    several = freedom > 0
    game = np.bincount(owner, square) / blocks - centre**2 + deviations / (blocks * np.maximum(1, freedom))
    size = np.bincount(owner, games) / blocks
    return float((freedom * game / size)[several].sum()), float(deviations[several].sum())
