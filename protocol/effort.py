"""From a ``go`` command to the limits of a search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from serai.protocol.commands import GoCommand

if TYPE_CHECKING:
    from serai.search import Limits


def limits_for(command: GoCommand, mover: int, *, default_ms: int, overhead_ms: int) -> Limits:
    """When to stop: the clock of the seat to move and the other limits; ``default_ms`` if there is none.

    ``infinite`` takes no notice of clocks, ``ponder`` of any limit.
    """
    from serai.search import Limits

    if command.ponder:
        return Limits(overhead=overhead_ms)
    clock = None if command.infinite else command.clocks.get(mover)
    limits = Limits(
        movetime=command.movetime,
        nodes=command.nodes,
        depth=command.depth,
        clock=None if clock is None else (clock.time or 1, clock.inc, clock.byo, command.movestogo or 0),
        overhead=overhead_ms,
    )
    unlimited = limits == Limits(overhead=overhead_ms)
    return replace(limits, movetime=default_ms) if unlimited and not command.infinite else limits


def first_decision(limits: Limits, whole_turn: bool) -> Limits:
    """Limits of the first decision: a fixed time keeps an eighth for those that follow in the same answer."""
    if not whole_turn or limits.movetime is None:
        return limits
    return replace(limits, movetime=limits.movetime * 7 // 8)


def later_decision(limits: Limits, elapsed: float, earlier: int) -> Limits:
    """Limits of a later decision of the same answer.

    Nodes: an eighth of the first's. Time: halved from one to the next, an eighth of ``elapsed`` in all.
    """
    from serai.search import Limits

    if limits.movetime is None and limits.clock is None and limits.nodes is not None:
        return Limits(nodes=max(1, limits.nodes // 8), depth=limits.depth)
    return Limits(movetime=int(elapsed * 1000 / 16) >> earlier, depth=limits.depth)
