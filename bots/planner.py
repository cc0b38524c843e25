"""The planner as a player: about a millisecond a turn, whatever the time it is given."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from serai.bots.bot import Bot

if TYPE_CHECKING:
    from serai.core.game import Position


class PlannerBot(Bot):
    """A beam over its own turns alone; greedy in games without one."""

    guarded = False

    def __init__(self, width: int = 100, depth: int = 10, book: bool = True) -> None:
        """``width``: states kept at each step; ``depth``: own turns ahead; ``book``: opening advice."""
        from serai.search import Planner

        self._planner = Planner(width, depth)
        self._book = book
        self._told = False

    def choose(self, position: Position) -> str:
        """The first decision of the best plan."""
        self._tell(position)
        report = self._planner.plan(position, self.random.getrandbits(64), self._book)
        self.report = report
        return str(report.best)

    def _tell(self, position: Position) -> None:
        """Say once that there is nothing to plan with."""
        from serai.search import has_planner

        if not self._told and not has_planner(position.game):
            print(f"planner: {position.game.name} has no planner; playing greedily", file=sys.stderr)
        self._told = True
