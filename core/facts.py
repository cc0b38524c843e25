"""What is known of a game without loading its rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """What the handshake says of a game; each game has its own in its ``__init__.py``."""

    fewest: int  # seats
    most: int
    hidden: bool  # seats may hold what others can't see
    chance: bool  # there are chance events
    longest: int  # events of a long game between sensible players
