"""Shares of the win with their errors, kept up game by game: a few additions a game, whatever was before."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from serai.bots.standings import Estimate
from serai.bots.tournament.outcome import Outcome


@dataclass
class _Sums:
    """Of an entrant: over its games, and over the complete blocks in which it played."""

    games: int = 0
    share: float = 0.0
    blocks: int = 0
    count: float = 0.0  # appearances in those blocks
    total: float = 0.0  # of their shares
    counts: float = 0.0  # squared, summed over blocks; so are the two below
    totals: float = 0.0
    products: float = 0.0


class Tally:
    """Counts games. An entrant with several seats in a game counts there by their mean.

    ``games``: finished ones, those that are void too. ``faults``: by entrant and kind.
    """

    def __init__(self, entrants: int, block_size: int) -> None:
        self.games = 0
        self.faults: list[Counter[str]] = [Counter() for _ in range(entrants)]
        self._size = block_size
        self._sums = [_Sums() for _ in range(entrants)]
        self._open: dict[int, tuple[list[int], dict[int, list[float]]]] = {}

    def add(self, outcome: Outcome) -> None:
        """Take in a game."""
        self.games += 1
        for seat, kind in outcome.faults:
            self.faults[outcome.seating[seat]][kind] += 1
        finished, shares = self._open.setdefault(outcome.block, ([0], {}))
        finished[0] += 1
        if not outcome.void:
            self._count(outcome, shares)
        if finished[0] >= self._size:
            self._close(self._open.pop(outcome.block)[1])

    def _count(self, outcome: Outcome, shares: dict[int, list[float]]) -> None:
        for entrant in set(outcome.seating):
            mine = [
                share
                for owner, share in zip(outcome.seating, outcome.shares, strict=True)
                if owner == entrant
            ]
            mean = sum(mine) / len(mine)
            self._sums[entrant].games += 1
            self._sums[entrant].share += mean
            shares.setdefault(entrant, []).append(mean)

    def _close(self, shares: dict[int, list[float]]) -> None:
        for entrant, values in shares.items():
            sums, count, total = self._sums[entrant], len(values), sum(values)
            sums.blocks += 1
            sums.count += count
            sums.total += total
            sums.counts += count * count
            sums.totals += total * total
            sums.products += count * total

    def share(self, entrant: int) -> Estimate:
        """The mean share of an entrant; not a number before its first game."""
        sums = self._sums[entrant]
        if not sums.games:
            return Estimate(math.nan)
        if sums.blocks < 2:
            return Estimate(sums.share / sums.games)
        mean = sums.total / sums.count
        squares = max(0.0, sums.totals - 2 * mean * sums.products + mean * mean * sums.counts)
        error = math.sqrt(squares * sums.blocks / (sums.blocks - 1)) / sums.count
        return Estimate(sums.share / sums.games, error)

    def order(self) -> list[int]:
        """The entrants by share, best first; those without a game last."""
        return sorted(range(len(self._sums)), key=self._rank)

    def _rank(self, entrant: int) -> tuple[bool, float]:
        sums = self._sums[entrant]
        return sums.games == 0, -sums.share / max(1, sums.games)
