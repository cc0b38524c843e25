"""Component files of any game: broken ones, what is none at all, and the shipped one cut short."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest
from components import concordia, spice_road
from components.files import OF_ANY_GAME, Change, shipped_text, swap

from serai.core import Game, load
from serai.core.errors import SetupError
from serai.core.games import NAMES

BROKEN = {"spice_road": spice_road.BROKEN, "concordia": concordia.BROKEN}
FAULTS = [
    pytest.param(game, *fault, id=f"{game}-{name}")
    for game in NAMES
    for name, fault in {**OF_ANY_GAME, **BROKEN[game]}.items()
]

every_game = pytest.mark.parametrize("game", NAMES)


def game_with(game: str, path: Path) -> Game:
    """The game with the components of a file."""
    return load(f"{game};players=2;components={path}")


def refused(game: str, path: Path) -> str:
    """The message with which a component file is refused."""
    with pytest.raises(SetupError) as refusal:
        game_with(game, path)
    return str(refusal.value)


@pytest.mark.parametrize(("game", "change", "item", "rule"), FAULTS)
def test_a_broken_file_is_refused_with_its_name_the_item_and_the_rule(
    tmp_path: Path, game: str, change: Change, item: str, rule: str
) -> None:
    path = tmp_path / "broken.toml"
    text = change(shipped_text(game))
    assert text != shipped_text(game), "the change changes nothing"
    path.write_text(text, encoding="utf-8")
    message = refused(game, path)
    assert message.startswith(f"{path}: ")
    assert re.search(f"{item}.*: .*{rule}", message), message
    assert len(message) < 500 + len(str(path))


@every_game
@pytest.mark.parametrize(
    "raw", [b"\x00" * 100, b"\xff\xfe\x80", bytes(range(256)), random.Random(1).randbytes(4096)]
)
def test_binary_garbage_is_refused(tmp_path: Path, game: str, raw: bytes) -> None:
    path = tmp_path / "garbage.toml"
    path.write_bytes(raw)
    assert refused(game, path).startswith(f"{path}: ")


@every_game
def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path, game: str) -> None:
    for path in (tmp_path / "nothing.toml", tmp_path):
        assert refused(game, path).startswith(f"{path}: ")


@every_game
def test_a_file_mended_after_its_refusal_is_accepted(tmp_path: Path, game: str) -> None:
    path = tmp_path / "mended.toml"
    path.write_text(swap("format = 1", "format = 20")(shipped_text(game)), encoding="utf-8")
    refused(game, path)
    path.write_text(shipped_text(game), encoding="utf-8")
    start, as_shipped = game_with(game, path).start(), load(f"{game};players=2").start()
    assert start.state() == as_shipped.state()
    assert start.legal_tokens() == as_shipped.legal_tokens()


@every_game
def test_any_part_of_the_shipped_file_is_accepted_or_refused_cleanly(tmp_path: Path, game: str) -> None:
    """The file is cut off at every fiftieth character."""
    text = shipped_text(game)
    for end in range(0, len(text), 50):
        path = tmp_path / f"{end}.toml"
        path.write_text(text[:end], encoding="utf-8")
        try:
            game_with(game, path)
            tomllib.loads(text[:end])
        except SetupError as error:
            message = str(error)
        else:
            continue
        assert message.startswith(f"{path}: ")
