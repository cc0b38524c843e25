"""Levels for people, weaker by honest means: less search, no memory, softer choice; no made-up blunders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STRONGEST: Final = 20
REMEMBERS: Final = 10  # the lowest level that remembers the hands it has seen

# Iterations, and the softness of the choice among moves (see `Search.run`). How much the steps are worth at
# 2 seats of Spice Road: bench/README.md, "Levels".
_LEVELS: Final = (
    *((8, 4.0), (8, 3.65), (8, 3.3), (8, 2.95), (8, 2.6), (8, 2.3), (8, 2.0), (8, 1.65), (8, 1.35), (8, 1.0)),
    *((8, 0.7), (12, 0.4), (32, 0.0), (56, 0.0), (90, 0.0), (180, 0.0), (360, 0.0), (800, 0.0)),
    *((1800, 0.0), (5000, 0.0)),
)


@dataclass(frozen=True)
class Skill:
    """What a level may do. ``nodes`` None: as many as the time allows."""

    nodes: int | None
    softness: float
    memory: str
    advice: bool  # of the opening book and the planner


def settings(level: int) -> Skill:
    """The settings of level 0 (a child's first game) to 20 (full strength).

    Below 20 there is no advice of book and planner, and down to 10 there are fewer and fewer iterations; the
    levels below choose more and more softly and don't remember hands.

    >>> settings(20)
    Skill(nodes=None, softness=0.0, memory='perfect', advice=True)
    >>> settings(3).softness > settings(4).softness > 0
    True
    """
    if not 0 <= level <= STRONGEST:
        raise ValueError(f"skill must be 0 to {STRONGEST}, not {level}")
    if level == STRONGEST:
        return Skill(None, 0.0, "perfect", True)
    nodes, softness = _LEVELS[level]
    return Skill(nodes, softness, "none" if level < REMEMBERS else "perfect", False)
