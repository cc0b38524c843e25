"""A sequential test of one entrant's share of the wins, on blocks: stop as soon as the answer is clear."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from serai.bots.tournament.outcome import SprtState
from serai.core.errors import SetupError

_PRIOR_BLOCKS: Final = 8  # how many blocks the variance of unrelated games counts for


@dataclass(frozen=True)
class Sprt:
    """Is the first entrant's share of the win, per seat it holds, ``h0`` (or less) or ``h1`` (or more)?

    With ``alpha`` we say H1 though H0 is true, with ``beta`` H0 though H1 is true; no verdict before
    ``min_blocks``. Raises SetupError for bounds that make no test.
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    min_blocks: int = 8

    def __post_init__(self) -> None:
        if not 0 < self.h0 < self.h1 < 1:
            raise SetupError(f"a test needs 0 < h0 < h1 < 1 (shares of the win), not {self.h0} and {self.h1}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise SetupError(f"{name} must be above 0 and below 0.5, not {value}")
        if self.min_blocks < 2:
            raise SetupError(f"a test needs min_blocks of 2 or more, not {self.min_blocks}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def state(self, means: Iterable[float], games: int) -> SprtState:
        """The test after blocks with these mean shares, in their order; ``games``: in a block.

        What comes after the verdict changes nothing.
        """
        count, mean, squares, llr, verdict = 0, 0.0, 0.0, 0.0, None
        for value in means:
            count += 1
            step = value - mean
            mean += step / count
            squares += step * (value - mean)
            llr = self._llr(count, mean, squares, games)
            verdict = self._verdict(count, llr)
            if verdict is not None:
                break
        return SprtState(llr, self.lower, self.upper, count, mean, verdict)

    def _llr(self, count: int, mean: float, squares: float, games: int) -> float:
        """Of won and lost games, as if there were as many unrelated ones as tell as much as these blocks do.

        How many that is says the variance of the blocks against that of unrelated games. Blocks that are all
        alike have variance 0 and would decide at once, so unrelated games count for a few blocks. A variance
        from ``count`` blocks makes for Student's t, which varies (count - 1) / (count - 3) times as much.
        """
        centre, weight = (self.h0 + self.h1) / 2, count + _PRIOR_BLOCKS
        variance = (squares + _PRIOR_BLOCKS * centre * (1 - centre) / games) / (weight - 3)
        share = (count * mean + _PRIOR_BLOCKS * centre) / weight
        worth = count * share * (1 - share) / variance
        won, lost = math.log(self.h1 / self.h0), math.log((1 - self.h1) / (1 - self.h0))
        return worth * (mean * won + (1 - mean) * lost)

    def _verdict(self, count: int, llr: float) -> str | None:
        if count < self.min_blocks:
            return None
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None


def share_of_elo(elo: float, seats: int = 2) -> float:
    """The share of the win of an entrant that is ``elo`` above each of its opponents, all of them equal.

    >>> round(share_of_elo(0, seats=4), 3), round(share_of_elo(100), 3)
    (0.25, 0.64)
    """
    return 1 / (1 + (seats - 1) * 10 ** (-elo / 400))
