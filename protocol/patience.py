"""How long an engine may think, and how long its client waits before it gives up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from serai.protocol.commands import Clock, GoCommand

DEFAULT_MOVE_TIME = 1000  # milliseconds; a bare ``go`` of an engine that doesn't say
_LONGEST = 10**9  # milliseconds; what a limit without end counts as


@dataclass(frozen=True)
class Limit:
    """When the engine should answer; the first limit reached counts. Times are seconds, lists are by seat.

    ``time`` is for this move; ``clocks``, ``incs`` and ``byos`` are what each seat has left, gets after a
    turn, and gets for each turn. None at all leaves it to the engine's DefaultMoveTime.

    >>> Limit(time=0.5).command().movetime
    500
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clocks: Sequence[float] | None = None
    incs: Sequence[float] | None = None
    byos: Sequence[float] | None = None
    movestogo: int | None = None

    def command(
        self,
        *,
        multipv: int | None = None,
        searchmoves: Sequence[str] | None = None,
        infinite: bool = False,
        ponder: bool = False,
    ) -> GoCommand:
        """The ``go`` command for a search under this limit."""
        return GoCommand(
            clocks=self.by_seat(),
            movestogo=self.movestogo,
            movetime=None if self.time is None else milliseconds(self.time),
            nodes=self.nodes,
            depth=self.depth,
            multipv=multipv,
            searchmoves=None if searchmoves is None else tuple(searchmoves),
            infinite=infinite,
            ponder=ponder,
        )

    def by_seat(self) -> dict[int, Clock]:
        """The clocks as the protocol has them; never below 1 ms."""
        if self.clocks is None:
            return {}
        incs, byos = self.incs or (), self.byos or ()
        return {
            seat: Clock(
                max(milliseconds(left), 1),
                milliseconds(incs[seat]) if seat < len(incs) else 0,
                milliseconds(byos[seat]) if seat < len(byos) else 0,
            )
            for seat, left in enumerate(self.clocks)
        }


def milliseconds(seconds: float) -> int:
    """Seconds as whole milliseconds, never negative; NaN is 0."""
    if math.isnan(seconds) or seconds <= 0:
        return 0
    return _LONGEST if seconds * 1000 >= _LONGEST else round(seconds * 1000)


@dataclass(frozen=True)
class Patience:
    """How long a client waits, in seconds.

    ``timeout``: for the start, and for any answer that needs no search. ``margin``: after the time that the
    engine was given. ``grace``: after ``stop`` or ``quit``, before it is killed. ``stall``: without any line,
    ``readyok`` included, during a search. ``slowest``: nodes a second, below which a search by nodes has
    failed. ``longest``: for a search by depth, and the most for any other.
    """

    timeout: float = 10.0
    margin: float = 1.0
    grace: float = 1.0
    stall: float = 10.0
    slowest: float = 200.0
    longest: float = 3600.0


@dataclass(frozen=True)
class Deadline:
    """Seconds until a search has failed, and the name of the limit that says so."""

    seconds: float
    limit: str


def deadline(limit: Limit, seat: int | None, patience: Patience, options: Mapping[str, str]) -> Deadline:
    """When a search under a limit must have ended; every kind of limit has an end.

    ``seat`` is the one to move; if it isn't known, the longest clock counts. ``options`` are the engine's
    values.

    >>> deadline(Limit(clocks=[60, 5]), 1, Patience(), {})
    Deadline(seconds=6.0, limit='clock')
    """
    ends: list[tuple[float, str]] = [(patience.longest, "longest")]
    if limit.time is not None:
        ends.append((milliseconds(limit.time) / 1000, "movetime"))
    if limit.clocks:
        ends.append((_clock(limit, seat), "clock"))
    if limit.nodes is not None:
        ends.append((patience.timeout + limit.nodes / patience.slowest, "nodes"))
    if len(ends) == 1 and limit.depth is None:
        ends.append((_default_move_time(options) / 1000, "DefaultMoveTime"))
    seconds, name = min(ends)
    return Deadline(seconds + patience.margin, name)


def _clock(limit: Limit, seat: int | None) -> float:
    clocks = limit.by_seat()
    if seat is not None and seat in clocks:
        clocks = {seat: clocks[seat]}
    return max(((clock.time or 0) + clock.inc + clock.byo) / 1000 for clock in clocks.values())


def _default_move_time(options: Mapping[str, str]) -> int:
    text = options.get("DefaultMoveTime", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else DEFAULT_MOVE_TIME
