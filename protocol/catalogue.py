"""What the handshake says about each game, known without loading its rules."""

from __future__ import annotations

from typing import Final

from serai.core.games import NAMES, facts_of
from serai.protocol.messages import GameLine


def _line(name: str) -> GameLine:
    facts = facts_of(name)
    return GameLine(name, facts.fewest, facts.most, facts.hidden, facts.chance, facts.longest)


GAMES: Final = tuple(map(_line, NAMES))
