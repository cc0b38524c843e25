"""Writes the playthroughs: one random game for every game and number of seats, as text to read and to review.

    python tests/playthroughs/regenerate.py

A line is an event, who made it, and the points of the seats after it. `tests/test_playthroughs.py` replays
the files line by line; a change of rules shows as a difference here. The choices need no evaluation and no
search, so that only the rules can change a file.
"""

from __future__ import annotations

import random
from pathlib import Path

from serai.core import CHANCE, Position, load
from serai.core.games import NAMES, set_ups
from serai.core.spec import Spec

FOLDER = Path(__file__).parent
SEED = 1
GRASPING = 0.5  # share of decisions for the most points at once; random ones alone take thousands of events


def files() -> dict[str, str]:
    """The spec of the game in every file: all set-ups but those that begin like one before them."""
    specs: dict[str, Spec] = {}
    for name in NAMES:
        for spec in set_ups(name):
            specs.setdefault(str(load(spec).start().state()), spec)
    return {file_name(spec): str(spec) for spec in specs.values()}


def file_name(spec: Spec) -> str:
    """``spice_road_2.txt``, and with the variant if it isn't the usual one."""
    variant = "" if spec.variant == "base" else f"_{spec.variant}"
    return f"{spec.game}_{spec.players}{variant}.txt"


def played(spec: str) -> Position:
    """One game to its end."""
    position, numbers = load(spec).start(), random.Random(f"{spec} {SEED}")
    while not position.is_over:
        position = position.apply(event(position, numbers))
    return position


def event(position: Position, numbers: random.Random) -> str:
    """The next event."""
    if position.to_act == CHANCE:
        return position.draw(numbers.getrandbits(64))
    tokens = position.legal_tokens()
    if numbers.random() < GRASPING:
        numbers.shuffle(tokens)
        return max(tokens, key=lambda token: position.apply(token).scores()[position.to_act])
    return numbers.choice(tokens)


def written(spec: str, events: list[str]) -> str:
    """The text of a file."""
    position = load(spec).start()
    lines = [f"# {spec}", "# who acts, event, points of each seat after it"]
    for token in events:
        actor = name_of(position.to_act)
        position = position.apply(token)
        lines.append(f"{actor:<6} {token:<24} {scores(position)}")
    ranks = " ".join(map(str, position.ranks()))
    lines.append(f"{name_of(position.to_act):<6} {'ranks ' + ranks:<24} {scores(position)}")
    return "\n".join(lines) + "\n"


def name_of(actor: int) -> str:
    """Who acts, as a word."""
    return {-1: "chance", -2: "over"}.get(actor, f"p{actor + 1}")


def scores(position: Position) -> str:
    """Points of the seats."""
    return " ".join(f"{points:>3}" for points in position.scores())


if __name__ == "__main__":
    for name, spec in files().items():
        (FOLDER / name).write_text(written(spec, played(spec).history), encoding="utf-8")
