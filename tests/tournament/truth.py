"""Simulated tournaments whose truth is known: entrants that win with set probabilities.

A seat's result is its entrant's strength plus luck with a Gumbel distribution, so that the order of a game is
Plackett–Luce with exactly these strengths. The luck is the larger of a part that belongs to the deal and the
seat and a part of the game's own; ``deal`` says how much the first counts. It ties the games of a block
together without changing the chances of any single game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serai.bots.tournament.outcome import Outcome


@dataclass(frozen=True)
class Truth:
    """``strengths``: θ by entrant. ``deal``: 0 (games unrelated) to 1 (all luck is in the deal).

    ``seats``: an advantage for each seat in all games. ``grain``: results within it are level; 0 for none.
    """

    strengths: tuple[float, ...]
    deal: float = 0.0
    seats: tuple[float, ...] = ()
    grain: float = 0.0

    def results(self, tables: Sequence[tuple[int, ...]], seed: int) -> NDArray[np.float64]:
        """By block, rotation and seat; all tables of one size."""
        rng = np.random.default_rng(seed)
        size = len(tables[0])
        own = rng.gumbel(size=(len(tables), size, size)) + _log(1 - self.deal)
        shared = rng.gumbel(size=(len(tables), 1, size)) + _log(self.deal)
        seated = np.array(self.strengths)[seatings(tables)]
        advantage = np.array(self.seats or (0.0,) * size)
        return seated + advantage + np.maximum(own, shared)

    def outcomes(self, tables: Sequence[tuple[int, ...]], seed: int) -> list[Outcome]:
        """A complete block for each table, numbered from 0, game by game."""
        pairs = zip(seatings(tables), self.results(tables, seed), strict=True)
        return [
            outcome(block, game, tuple(seating.tolist()), self._ranks(result))
            for block, (rotations, results) in enumerate(pairs)
            for game, (seating, result) in enumerate(zip(rotations, results, strict=True))
        ]

    def _ranks(self, result: NDArray[np.float64]) -> tuple[int, ...]:
        values = np.round(result / self.grain) if self.grain else result
        return tuple(int((values > value).sum()) + 1 for value in values)

    @property
    def variance_ratio(self) -> float:
        """What blocks gain when all entrants are equal and no seat is better, however many seats there are.

        Gumbel luck is a race in exponential time. If a seat's part of the deal comes in before the own parts
        of two games, which has probability q, both have their winner in that seat; else they are unrelated.
        So the covariance of an entrant's wins in them is -q/seats², and the variance of a block 1 - q times
        that of unrelated games.
        """
        q = self.deal / (2 - self.deal)
        return 1 / (1 - q)

    def share_means(self, table: tuple[int, ...], blocks: int, seed: int) -> NDArray[np.float64]:
        """The share of the win of entrant 0, who sits once at the table, in the mean of each block."""
        tables = [table] * blocks
        won = self.results(tables, seed).argmax(axis=2)
        mine = (seatings(tables) == 0).argmax(axis=2)
        return np.asarray((won == mine).mean(axis=1))


def seatings(tables: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """The entrant by block, rotation and seat."""
    turns = np.arange(len(tables[0]))
    return np.array(tables)[:, (turns[:, None] + turns) % len(turns)]


def outcome(
    block: int, game: int, seating: tuple[int, ...], ranks: tuple[int, ...], **others: object
) -> Outcome:
    """A game with plausible figures for all that isn't given."""
    seats = len(seating)
    winners = ranks.count(1)
    plain: dict[str, object] = {
        "block": block,
        "game": game,
        "seating": seating,
        "scores": tuple(70 - 10 * rank for rank in ranks),
        "ranks": ranks,
        "shares": tuple((rank == 1) / winners for rank in ranks),
        "turns": (20,) * seats,
        "decisions": (25,) * seats,
        "wall": (100.0,) * seats,
        "own": (75.0,) * seats,
    }
    return Outcome(**{**plain, **others})  # type: ignore[arg-type]


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf
