"""The playthroughs kept as text are what the rules make of their events, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from playthroughs.regenerate import FOLDER, files, name_of, scores, written

from serai.core import load


def lines_of(path: Path) -> tuple[str, list[str]]:
    """The spec and the lines below the head."""
    spec, _, *lines = path.read_text(encoding="utf-8").splitlines()
    return spec.removeprefix("# "), lines


def test_the_files_are_those_of_the_registered_games() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == set(files())


@pytest.mark.parametrize("name", files())
def test_a_playthrough_replays_line_by_line(name: str) -> None:
    spec, lines = lines_of(FOLDER / name)
    assert spec == files()[name]
    position = load(spec).start()
    for number, line in enumerate(lines[:-1], 3):
        actor, token, *points = line.split()
        assert name_of(position.to_act) == actor, f"line {number}: who acts"
        assert token in position.legal_tokens(), f"line {number}: {token} is not possible"
        position = position.apply(token)
        assert scores(position).split() == points, f"line {number}: points after {token}"
    assert position.is_over
    assert position.consistent()
    end = lines[-1].split()
    assert end == ["over", "ranks", *map(str, position.ranks()), *map(str, position.scores())]


@pytest.mark.parametrize("name", files())
def test_a_playthrough_is_written_as_it_is_read(name: str) -> None:
    spec, lines = lines_of(FOLDER / name)
    events = [line.split()[1] for line in lines[:-1]]
    assert written(spec, events) == (FOLDER / name).read_text(encoding="utf-8")
