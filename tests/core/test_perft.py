"""The compiled rules against counts of event sequences, made by the reference and kept as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reference import perft

from serai.core import load

FOLDER = Path(__file__).parents[1] / "perft"
LINES = [line for file in sorted(FOLDER.glob("*.perft")) for line in perft.read(file)]
QUICK = 3_000


def name(line: perft.Line) -> str:
    """A short name of a line."""
    decisions = 0 if line.prefix == "-" else line.prefix.count(";") + 1
    return f"{line.spec}-seed-{line.seed}-after-{decisions}-depth-{line.depth}"


def count(position: Any, depth: int) -> int:
    """The number of ways to go on for so many events."""
    if depth == 1:
        return len(position.legal_actions())
    return sum(count(position.apply(action), depth - 1) for action in position.legal_actions())


def divide(position: Any, depth: int) -> dict[str, int]:
    """The same number, split by the first event."""
    if depth == 1:
        return dict.fromkeys(position.legal_tokens(), 1)
    return {token: count(position.apply(token), depth - 1) for token in position.legal_tokens()}


def comparison(line: perft.Line, position: Any) -> str:
    """What both sides count behind each first event, differences marked."""
    ours = divide(position, line.depth)
    theirs = perft.divide(line.reference(), line.depth)
    rows = []
    for token in sorted({*ours, *theirs}):
        mark = "  " if ours.get(token) == theirs.get(token) else "! "
        rows.append(f"{mark}{token}: {ours.get(token)}, {theirs.get(token)}")
    return "\n".join([f"{line}", "first event: compiled, reference", *rows])


@pytest.mark.parametrize("line", LINES, ids=name)
def test_the_number_of_ways_to_go_on_is_the_recorded_one(line: perft.Line) -> None:
    position = load(line.spec).start()
    for event in line.events():
        position = position.apply(event)
    if count(position, line.depth) != line.count:
        pytest.fail(comparison(line, position), pytrace=False)


@pytest.mark.parametrize("line", [line for line in LINES if line.count <= QUICK], ids=name)
def test_the_recorded_numbers_are_those_of_the_reference(line: perft.Line) -> None:
    assert perft.perft(line.reference(), line.depth) == line.count
