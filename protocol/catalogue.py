"""What the handshake says about each game, known without loading it. A test holds this against the rules."""

from __future__ import annotations

from typing import Final

from serai.protocol.messages import GameLine

GAMES: Final = (
    GameLine("spice_road", fewest=2, most=5, hidden=True, chance=True, maxlen=400),
    GameLine("concordia", fewest=2, most=5, hidden=True, chance=True, maxlen=1200),
)
