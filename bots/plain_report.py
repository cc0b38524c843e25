"""What a bot reports, as plain numbers that can be shown, compared and written down."""

from __future__ import annotations

import math
from dataclasses import replace
from numbers import Real
from typing import Final

from serai.search.report import Line, Report

ROUNDING: Final = 0.001  # by so much a share of the win may be below 0 or above 1
COUNTS: Final = ("nodes", "worlds", "depth", "seldepth", "hashfull", "time")


def plain_report(report: object, seats: int) -> Report | None:
    """The same in plain numbers; None if it can't be shown: of other seats, or not of numbers."""
    if not isinstance(report, Report):
        return None
    try:
        lines = tuple(_plain_line(line, seats) for line in report.lines)
        counts = {name: int(_number(getattr(report, name))) for name in COUNTS}
        return replace(report, lines=lines, **counts)  # type: ignore[arg-type]
    except Exception:  # a bot may put anything there, also what raises when it is looked at
        return None


def _plain_line(line: Line, seats: int) -> Line:
    if len(line.win) != seats:
        raise ValueError(f"{len(line.win)} shares of the win for {seats} seats")
    return replace(
        line,
        win=tuple(_share(_number(share)) for share in line.win),
        points=tuple(_number(points) for points in line.points),
        visits=int(_number(line.visits)),
        se=_number(line.se),
    )


def _share(value: float) -> float:
    """A share of the win, from 0 to 1."""
    if not -ROUNDING <= value <= 1 + ROUNDING:
        raise ValueError(f"{value} is no share of the win")
    return min(1.0, max(0.0, value))


def _number(value: object) -> float:
    """A finite number of any kind, NumPy's too, as a plain one; ValueError for anything else."""
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{value!r:.40} is no finite number")
    return float(value)
