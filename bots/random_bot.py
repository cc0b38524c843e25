"""The weakest rung of the ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serai.bots.bot import Bot

if TYPE_CHECKING:
    from serai.core.game import Position


class RandomBot(Bot):
    """Any legal decision, each as likely as the others."""

    guarded = False

    def choose(self, position: Position) -> str:
        """One of the legal tokens."""
        return self.random.choice(position.legal_tokens())
