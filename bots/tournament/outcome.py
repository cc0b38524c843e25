"""What the statistics need of a finished game, and what they say: data between playing and reporting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from serai.bots.standings import Estimate

EXACT: Final = 2**53  # whole numbers up to it are exact as floats; a figure beyond it is nonsense


@dataclass(frozen=True)
class Outcome:
    """A finished game. Tuples are by seat; ``seating`` has the index of the entrant in each seat.

    ``ranks``: those that count, after the policy for faults; 1 is best, equal ranks share. ``shares``: of the
    win, summing to 1. ``wall`` and ``own``: milliseconds spent on decisions, by our clock and as the engine
    itself said (None if it said nothing). ``decisions``: those that an engine was asked for. ``turns``: rows
    of decisions by the seat. ``void``: the policy took the game out of the count.
    """

    block: int
    game: int  # within its block
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    shares: tuple[float, ...]
    turns: tuple[int, ...]
    decisions: tuple[int, ...]
    wall: tuple[float, ...]
    own: tuple[float | None, ...]
    faults: tuple[tuple[int, str], ...] = ()  # seat, kind
    ended: str = "over"
    void: bool = False


@dataclass(frozen=True)
class EntrantRow:
    """An entrant over all its games. ``share``: of the wins in percent of 1; ``par``: what chance would give.

    ``rating``: in Elo-like units (400 / ln 10 · θ), mean 0 over the entrants, with a 95 % interval from a
    bootstrap over blocks; None where there are too few blocks. ``ms_move``: a decision, ``ms_gap``: how much
    longer we waited than the engine says it took, a decision. ``void_faults``: those in games that are void.
    """

    entrant: int
    name: str
    games: int
    share: Estimate
    par: float
    points: Estimate
    place: float
    rating: float | None
    interval: tuple[float, float] | None
    turns: float
    ms_move: float | None
    ms_turn: float | None
    ms_gap: float | None
    faults: Mapping[str, int] = field(default_factory=dict)
    void_faults: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatRow:
    """A seat over all games, whoever sat there."""

    seat: int
    share: Estimate
    points: Estimate
    place: float


@dataclass(frozen=True)
class PairCell:
    """Two entrants in the games where both played: how often the first came in before the second."""

    games: int
    ahead: Estimate  # 1 before, 0 behind, ½ level


@dataclass(frozen=True)
class SprtState:
    """A sequential test on the blocks in their order. ``verdict``: ``H0``, ``H1``, None while it is open."""

    llr: float
    lower: float
    upper: float
    blocks: int
    mean: float
    verdict: str | None


@dataclass(frozen=True)
class Results:
    """Everything a tournament says. ``pairs`` and ``superiority`` are by (entrant, entrant).

    ``superiority``: how sure it is, 0 to 1, that the first is the stronger one (bootstrap).
    ``variance_ratio``: the variance of an entrant's share if its games were unrelated, over that of blocks;
    above 1 blocks pay.
    """

    games: int
    void: int
    unfinished: int
    blocks: int  # complete ones
    entrants: tuple[EntrantRow, ...]  # best first
    seats: tuple[SeatRow, ...]
    pairs: Mapping[tuple[int, int], PairCell]
    superiority: Mapping[tuple[int, int], float]
    variance_ratio: float | None
    turns: Estimate  # a game, all seats together
    winner_points: float
    shared_wins: int
    sprt: SprtState | None = None
