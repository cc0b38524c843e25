"""What goes into a search and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """When to stop; the first limit reached counts, none at all means until ``Search.stop``.

    ``movetime``: milliseconds, 0 = at once. ``nodes``: iterations. ``depth``: mean of the decisions in an
    iteration; a search that gets no deeper ends, too.
    ``clock``: (milliseconds left, increment, byo-yomi, moves to go or 0) of the mover, for whole turns.
    """

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: tuple[int, int, int, int] | None = None
    overhead: int = 20


@dataclass(frozen=True)
class Line:
    """One candidate: its token, what it leads to per seat, and how sure that is."""

    token: str
    win: tuple[float, ...]  # share of the win per seat, sums to 1
    points: tuple[float, ...]  # expected final score per seat
    visits: int
    se: float  # standard error of the mover's share of the win
    pv: tuple[str, ...]  # events from the root on, ``pK:`` before those of another seat


@dataclass(frozen=True)
class Report:
    """A finished or running search, best line first. ``best`` is the token to play."""

    best: str
    lines: tuple[Line, ...]
    nodes: int
    worlds: int  # determinizations
    depth: int  # mean depth of an iteration, in decisions
    seldepth: int  # deepest iteration
    hashfull: int  # permille of the memory budget
    time: int  # milliseconds
    ponder: str | None = None
    extra: dict[str, object] = field(default_factory=dict)
