"""Other components of Concordia: what a file changes, and games that follow it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from components.files import entry, shipped_text

from serai.core import CHANCE, Position, load
from serai.core.games.concordia.components import Components, load_components

MERCATOR_WITH_SIX = 'role = "mercator"\ngod = "mercurius"\ncoins = 6'


def read(tmp_path: Path, text: str) -> Components:
    path = tmp_path / "other.toml"
    path.write_text(text, encoding="utf-8")
    return load_components(str(path))


def test_a_changed_copy_says_what_it_changed(tmp_path: Path) -> None:
    text = shipped_text("concordia").replace("price = 7", "price = 8")
    text = text.replace("coins = [5, 6", "coins = [4, 6")
    text = text.replace('"roma-cosa", "roma-spoletum"', '"roma-cosa", "roma-neapolis", "roma-spoletum"', 1)
    text = re.sub('"roma-neapolis", ("roma-spoletum",)', r"\1", text)
    text = text.replace('"roma-casinum",', '"roma-casinum", "roma-neapolis",', 1)
    text = text.replace("points = 5", "points = 6")
    other = read(tmp_path, text)
    assert [good.price for good in other.goods] == [3, 4, 5, 6, 8]
    assert other.setup.coins == (4, 6, 7, 8, 9)
    assert len(other.maps[0].land) == 41
    assert "roma-neapolis" in map(other.maps[0].name_of, other.maps[0].land)
    assert next(kind for kind in other.kinds if kind.name == "weaver").points == 6
    assert other != load_components()


def test_a_second_sort_of_mercator_among_the_cards_has_its_coins_in_the_name(tmp_path: Path) -> None:
    third = entry("card", numeral=4, role="mercator", god="mercurius", cost=[], coins=8)
    kinds = read(tmp_path, shipped_text("concordia") + third).kinds
    assert [kind.name for kind in kinds if kind.role == "mercator"] == [
        "mercator",
        "mercator5",
        "mercator8",
    ]


def first_turn(spec: str) -> Position:
    """The first decision of a seat, with the first outcome of each chance event."""
    position = load(spec).start()
    while position.to_act == CHANCE:
        position = position.apply(position.legal_tokens()[0])
    return position


def test_a_game_with_other_components_follows_them(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    text = shipped_text("concordia").replace("price = 7", "price = 20")
    text = text.replace("coins = [5, 6", "coins = [40, 6")
    text = text.replace("placed = { land = 1, sea = 1 }", "placed = { land = 2, sea = 0 }")
    text = text.replace("waiting = { land = 2, sea = 2 }", "waiting = { land = 0, sea = 1 }")
    text = text.replace('role = "mercator"\ngod = "mercurius"\ncoins = 3', MERCATOR_WITH_SIX)
    text = text.replace('[[], ["?"], ["?"]', '[["wine", "wine"], ["?"], ["?"]')
    path.write_text(text.replace("houses = 15", "houses = 1"), encoding="utf-8")
    position = first_turn(f"concordia;players=2;components={path}")
    player = position.state()["players"][0]
    assert (player["coins"], player["land"], player["sea"]) == (40, ["roma", "roma"], [])
    trade = position.apply("play=mercator").apply("sell=cloth*1")
    assert trade.state()["players"][0]["coins"] == 40 + 6 + 20
    assert "buy=brick*6" in trade.legal_tokens(), "five goods and a colonist fill six of twelve slots"
    assert "buy=brick*7" not in trade.legal_tokens()
    assert "hire=1" not in position.apply("play=senator").legal_tokens()
    moved = position.apply("play=architect")
    assert not [token for token in moved.legal_tokens() if token.startswith("sea=")]
    moved = moved.apply("land=roma-cosa").apply("land=roma-spoletum")
    built = moved.apply(next(token for token in moved.legal_tokens() if token.startswith("house=")))
    assert built.state()["concordia"] == "p1", "one house ends this game"


@pytest.mark.parametrize("seats", [2, 5])
def test_a_game_with_few_cards_can_be_played_to_its_end(tmp_path: Path, seats: int) -> None:
    path = tmp_path / "few.toml"
    top, comment, bottom = shipped_text("concordia").partition("# ---- maps")
    head, *cards = top.split("[[card]]")
    text = "[[card]]".join([head, *cards[:3], *cards[8:9]]) + "\n" + comment + bottom
    path.write_text(text, encoding="utf-8")
    position = load(f"concordia;players={seats};components={path}").start()
    chooser = random.Random(seats)
    while not position.is_over:
        assert position.consistent()
        tokens = position.legal_tokens()
        hires = [token for token in tokens if token.startswith("hire=")]
        position = position.apply(chooser.choice(hires or tokens))
    assert position.state()["row"] == []
    assert position.state()["concordia"] != "none"
