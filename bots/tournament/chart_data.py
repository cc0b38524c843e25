"""The figures behind the charts of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from serai.bots.tournament.luce import Floats, Ints
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.sittings import in_order, sittings
from serai.bots.tournament.tally import Tally

POINTS: Final = 160  # of a line at most
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

Quantiles = tuple[float, ...]


@dataclass(frozen=True)
class Line:
    """How a share grew certain: after so many complete blocks its mean and standard error, in percent."""

    blocks: Floats
    mean: Floats
    se: Floats


@dataclass(frozen=True)
class ChartData:
    """By entrant: lines of the share; quantiles of the points, and of milliseconds a turn."""

    lines: Mapping[int, Line]
    points: Mapping[int, Quantiles]
    times: Mapping[int, Quantiles]


def chart_data(outcomes: Sequence[Outcome], entrants: int, block_size: int) -> ChartData:
    """What the charts show of some games; raises RecordError for games that can't be of these entrants."""
    games = in_order(outcomes, entrants)
    rows = sittings([game for game in games if not game.void])
    timed = rows.decisions > 0
    turns = np.maximum(rows.turns[timed], 1)
    return ChartData(
        lines=_lines(games, entrants, block_size),
        points=_quantiles(rows.entrant, rows.points),
        times=_quantiles(rows.entrant[timed], rows.wall[timed] / turns),
    )


def _quantiles(entrant: Ints, values: Floats) -> dict[int, Quantiles]:
    return {
        int(i): tuple(float(q) for q in np.quantile(values[entrant == i], QUANTILES))
        for i in np.unique(entrant)
    }


def _lines(games: Sequence[Outcome], entrants: int, block_size: int) -> dict[int, Line]:
    rows: dict[int, list[tuple[float, float, float]]] = {}
    for blocks, tally in _stages(games, entrants, block_size):
        for i in range(entrants):
            share = tally.share(i)
            if share.se is not None:
                rows.setdefault(i, []).append((float(blocks), 100 * share.mean, 100 * share.se))
    return {i: Line(*np.array(found, dtype=np.float64).T) for i, found in rows.items()}


def _stages(games: Sequence[Outcome], entrants: int, block_size: int) -> Iterator[tuple[int, Tally]]:
    """The tally after some of the complete blocks, the last among them."""
    whole = [
        block for _, games_of in groupby(games, key=_block) if len(block := list(games_of)) == block_size
    ]
    wanted = {round(place) for place in np.linspace(1, len(whole), min(POINTS, len(whole)))}
    tally = Tally(entrants, block_size)
    for number, block in enumerate(whole, 1):
        for game in block:
            tally.add(game)
        if number in wanted:
            yield number, tally


def _block(game: Outcome) -> int:
    return game.block
