"""Levels for people, weaker by honest means: less search, no memory, softer choice; no made-up blunders."""

from __future__ import annotations

from dataclasses import dataclass

STRONGEST = 20


@dataclass(frozen=True)
class Skill:
    """What a level may do. ``nodes`` None: as many as the time allows."""

    nodes: int | None
    softness: float
    memory: str
    advice: bool  # of the opening book and the planner


def settings(level: int) -> Skill:
    """The settings of level 0 (a child's first game) to 20 (full strength).

    Below 20 there is no advice of book and planner, and nodes double from level to level; below 10 the choice
    is softened and hands are not remembered. The steps aren't yet measured to be even in rating.

    >>> settings(20)
    Skill(nodes=None, softness=0.0, memory='perfect', advice=True)
    """
    if not 0 <= level <= STRONGEST:
        raise ValueError(f"skill must be 0 to {STRONGEST}, not {level}")
    if level == STRONGEST:
        return Skill(None, 0.0, "perfect", True)
    return Skill(8 * 2**level, max(0.0, 1.2 - 0.12 * level), "none" if level < 10 else "perfect", False)
