"""One-ply knowledge as a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serai.bots.bot import Bot

if TYPE_CHECKING:
    from serai.core.game import Position


class GreedyBot(Bot):
    """The decision whose immediate result looks best."""

    guarded = False

    def choose(self, position: Position) -> str:
        """The best by one-ply evaluation; ties are broken at random."""
        from serai.search import greedy

        return str(greedy(position, self.random.getrandbits(64)))
