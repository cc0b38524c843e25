"""How long to think: limits and clocks to milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from serai.search.report import Limits

if TYPE_CHECKING:
    from serai.core import Position

TURNS_LEFT = 30  # own turns a clock is divided by when nothing is known of the rest of the game
# Of what a turn's first decision may use, for a later one (the tree is kept), or in another's turn.
TURN_SHARE = 0.1
HARDEST = 3.0  # a turn never takes more than this many times its fair share


@dataclass(frozen=True)
class Budget:
    """Milliseconds: ``soft`` may end the search early, ``hard`` always ends it; None: no such limit."""

    soft: float | None
    hard: float | None


def plan_time(limits: Limits, position: Position, options: int) -> Budget:
    """The time for one decision.

    ``movetime`` is used up to the end. A clock pays for whole turns: the first decision of a turn gets most
    of it, forced ones nothing, and what the seat decides in another's turn as little as a later decision.
    """
    hard = float(limits.movetime) if limits.movetime is not None else None
    if hard is not None:
        hard = max(0.0, hard - min(limits.overhead, hard / 10))
    if limits.clock is None:
        return Budget(None, hard)
    soft, most = _clock_share(limits, position, options)
    return Budget(soft, most if hard is None else min(hard, most))


def _clock_share(limits: Limits, position: Position, options: int) -> tuple[float, float]:
    assert limits.clock is not None
    left, increment, byoyomi, to_go = limits.clock
    usable = max(1.0, left - 2.0 * limits.overhead)
    if options == 1:
        return 0.0, min(usable, 1.0)
    turns = to_go if to_go > 0 else TURNS_LEFT
    fair = usable / turns + 0.8 * increment + 0.8 * byoyomi
    if position.continues_turn:
        fair *= TURN_SHARE
    ceiling = max(1.0, 0.9 * (left + byoyomi) - limits.overhead)
    return min(fair, ceiling), min(HARDEST * fair, ceiling)
