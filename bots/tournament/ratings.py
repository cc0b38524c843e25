"""Ratings of the entrants by Plackett–Luce, all games at once, with intervals from resampled blocks."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import import_module
from statistics import NormalDist
from types import ModuleType
from typing import Final

import numpy as np

from serai.bots.tournament.luce import Choices, Floats, choices
from serai.bots.tournament.outcome import Outcome
from serai.core.errors import SetupError

ELO: Final = 400 / math.log(10)  # of one unit of θ
MIN_BLOCKS: Final = 8  # of an entrant, below which it has no interval
_POOL_WINS: Final = 0.5  # of each entrant, in games of all against all, on top of what was played
_LEAST_POOL_WINS: Final = 1e-4  # in a resample, so that it can be solved
_CONFIDENCE: Final = 0.95


@dataclass(frozen=True)
class Ratings:
    """``values``: in Elo-like units, mean 0 over those rated. ``superiority``: by (entrant, entrant), 0 to 1.

    An entrant whose games don't connect it with the others isn't in it.
    """

    values: Mapping[int, float] = field(default_factory=dict)
    intervals: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    superiority: Mapping[tuple[int, int], float] = field(default_factory=dict)


def rate(games: Sequence[Outcome], resamples: int, progress: Callable[[float], None]) -> Ratings:
    """The ratings of all who played, from games sorted by block. ``progress``: the part done, 0 to 1.

    Blocks that lack games are resampled like the others, since the ratings rest on these games too. Raises
    SetupError if ``choix`` isn't installed.
    """
    games = [game for game in games if len(set(game.seating)) > 1]
    rated = sorted({entrant for game in games for entrant in game.seating})
    if not rated or not _connected(games):
        return Ratings()
    index = {entrant: i for i, entrant in enumerate(rated)}
    block_of = {block: i for i, block in enumerate(sorted({game.block for game in games}))}
    orders = [
        (block_of[game.block], [index[entrant] for entrant in order])
        for game in games
        for order in _orders(game)
    ]
    theta = _fit([order for _, order in orders], len(rated))
    samples = _resample(choices(orders, len(rated)), len(block_of), theta, resamples, progress)
    blocks = _blocks_each(games)
    return _summary(rated, theta, samples, [blocks[entrant] for entrant in rated])


def _orders(game: Outcome) -> Iterator[list[int]]:
    """The entrants from first to last, level ones by seat, then with these the other way round.

    Both count half, so each level pair is split evenly; that the middle one of three is never first or last
    evens out over the seats.
    """
    for direction in (1, -1):
        seats = sorted(range(len(game.seating)), key=lambda seat: (game.ranks[seat], direction * seat))
        yield [game.seating[seat] for seat in seats]


def _connected(games: Sequence[Outcome]) -> bool:
    """Whether each entrant of the games can be compared with each other, maybe through third ones."""
    tables = {frozenset(game.seating) for game in games}
    reached = set(tables.pop())
    while touching := {table for table in tables if table & reached}:
        reached = reached.union(*touching)
        tables -= touching
    return not tables


def _blocks_each(games: Sequence[Outcome]) -> Mapping[int, int]:
    blocks: defaultdict[int, set[int]] = defaultdict(set)
    for game in games:
        for entrant in game.seating:
            blocks[entrant].add(game.block)
    return {entrant: len(each) for entrant, each in blocks.items()}


def _fit(orders: Sequence[Sequence[int]], entrants: int) -> Floats:
    """θ of all games. Each game comes as two orders, so each pool win counts twice too."""
    theta = _choix().ilsr_rankings(entrants, orders, alpha=2 * _POOL_WINS / entrants, max_iter=10_000)
    return np.asarray(theta - theta.mean())


def _choix() -> ModuleType:
    try:
        return import_module("choix")
    except ImportError as error:
        raise SetupError("ratings need choix: pip install 'serai[tournament]'") from error


def _resample(
    data: Choices, blocks: int, theta: Floats, resamples: int, progress: Callable[[float], None]
) -> Floats:
    """θ of each resample. The pool wins are drawn too, or one who never lost had an interval of no width.

    With these, its lower end is what the binomial distribution says: unlikely to have lost none of so many.
    """
    digest = blake2b(data.chosen.tobytes() + data.among.tobytes() + data.block.tobytes(), digest_size=8)
    rng = np.random.default_rng(int.from_bytes(digest.digest()))
    samples = []
    for done in range(0, resamples, data.rows):
        rows = min(data.rows, resamples - done)
        weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=rows) / 2
        pool = rng.exponential(size=(rows, len(theta))) + _LEAST_POOL_WINS
        samples.append(data.solve(weights, pool, theta))
        progress((done + rows) / resamples)
    return np.concatenate(samples) if samples else np.empty((0, len(theta)))


def _summary(rated: Sequence[int], theta: Floats, samples: Floats, blocks: Sequence[int]) -> Ratings:
    sure = [i for i, count in enumerate(blocks) if count >= MIN_BLOCKS and len(samples)]
    return Ratings(
        values={entrant: ELO * float(theta[i]) for i, entrant in enumerate(rated)},
        intervals={rated[i]: _interval(ELO * samples[:, i], blocks[i]) for i in sure},
        superiority={
            (rated[i], rated[j]): _superiority(samples[:, i] - samples[:, j])
            for i in sure
            for j in sure
            if i != j
        },
    )


def _interval(samples: Floats, blocks: int) -> tuple[float, float]:
    """Percentiles, moved outwards since few blocks vary less than they should: as far as Student's t says."""
    tail = NormalDist().cdf(-_student(blocks - 1) * math.sqrt(blocks / (blocks - 1)))
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)


def _student(freedom: int) -> float:
    """The quantile for the confidence by the expansion of Cornish and Fisher, right to 0.2 % from 7 on."""
    z = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def _superiority(lead: Floats) -> float:
    """The part of the resamples in which the first leads, never quite 0 or 1."""
    wins = np.count_nonzero(lead > 0) + np.count_nonzero(lead == 0) / 2
    return float((wins + 0.5) / (len(lead) + 1))
