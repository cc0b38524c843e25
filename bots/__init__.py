"""Players and meetings between them: the bots, your own bots, matches, and the ``serai`` command.

A bot of your own, played as ``serai match mine.py:Miser random``, served as a UGI-N engine by ``serve``::

    from serai.bots import Bot, serve

    class Miser(Bot):
        def choose(self, position):
            free = [token for token in position.legal_tokens() if not token.startswith("take")]
            return self.random.choice(free or position.legal_tokens())

    if __name__ == "__main__":
        serve(Miser)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serai.bots.bot import Bot, BotFault
    from serai.bots.serving import serve

__all__ = ["Bot", "BotFault", "serve"]

_HOMES = {"Bot": "serai.bots.bot", "BotFault": "serai.bots.bot", "serve": "serai.bots.serving"}


def __getattr__(name: str) -> object:
    """Import on demand: the engine, which starts from this package, has no use for bots."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
