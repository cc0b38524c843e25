"""The component list of Century: Spice Road as shipped, and games with other ones."""

from __future__ import annotations

import json
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from components.files import Change, entry, shipped, shipped_text
from components.spice_road import with_merchants
from reference.spice_road import CHANCE, OVER, OWN_LIST, Reference, load_components

from serai.core import load

CARDS = load_components(shipped("spice_road"))
VALUE = {"y": 1, "r": 2, "g": 3, "b": 4}
"""What a cube is worth in steps of the upgrade card; a yellow one counts as 1."""


def value(cubes: str) -> int:
    return sum(VALUE[cube] for cube in cubes)


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [card for card in CARDS["merchants"] if card["kind"] == kind]


# -- the shipped list ---------------------------------------------------------------------------------------


def test_the_shipped_list_is_the_reference_list_in_the_same_order() -> None:
    assert json.loads(OWN_LIST.read_text(encoding="utf-8")) == CARDS


def test_the_compiled_rules_use_the_shipped_list() -> None:
    position = load("spice_road;players=2").start()
    assert sorted(position.legal_tokens()) == sorted(f"~market={card['name']}" for card in CARDS["merchants"])
    for _ in range(6):
        position = position.apply(position.legal_tokens()[0])
    assert sorted(position.legal_tokens()) == sorted(f"~point={card['name']}" for card in CARDS["points"])


def test_all_cards_are_different() -> None:
    for pile, size in (("starters", 2), ("merchants", 43), ("points", 36)):
        assert len({card["name"] for card in CARDS[pile]}) == len(CARDS[pile]) == size


def test_eight_merchants_produce_one_upgrades_and_thirty_four_trade() -> None:
    assert [len(of_kind(kind)) for kind in ("produce", "upgrade", "trade")] == [8, 1, 34]


def test_points_are_the_worth_of_the_cubes_and_a_bonus_for_three_or_four_colours() -> None:
    bonus = {2: 0, 1: 0, 3: 1, 4: 2}
    for card in CARDS["points"]:
        assert card["points"] == value(card["cost"]) + bonus[len(set(card["cost"]))], card["name"]


def test_point_cards_have_the_known_sum_range_and_sizes() -> None:
    points = [card["points"] for card in CARDS["points"]]
    assert (sum(points), min(points), max(points)) == (468, 6, 20)
    assert Counter(len(card["cost"]) for card in CARDS["points"]) == {4: 13, 5: 15, 6: 8}
    colours = Counter(max(2, len(set(card["cost"]))) for card in CARDS["points"])
    assert colours == {2: 24, 3: 7, 4: 5}


def test_trades_gain_the_known_worth() -> None:
    gains = Counter(value(card["get"]) - value(card["give"]) for card in of_kind("trade"))
    assert gains == {1: 5, 2: 19, 3: 7, 4: 3}


def test_trades_change_the_number_of_cubes_by_the_known_amounts() -> None:
    changes = Counter(len(card["get"]) - len(card["give"]) for card in of_kind("trade"))
    assert changes == {-3: 1, -2: 4, -1: 5, 0: 7, 1: 5, 2: 6, 3: 5, 4: 1}


def test_no_trade_gives_and_gets_the_same_colour() -> None:
    for card in of_kind("trade"):
        assert not set(card["give"]) & set(card["get"]), card["name"]


# -- other lists --------------------------------------------------------------------------------------------


def changed(text: str) -> str:
    """Other first cubes, another end for three seats, one other merchant, other points."""
    text = text.replace('"yyy", "yyyy", "yyyy"', '"b", "rg", "yyyy"').replace("3 = 6, 4 = 5", "3 = 4, 4 = 5")
    return text.replace('give = "ggg"\nget = "bbb"', 'give = "rg"\nget = "bb"').replace(
        "points = 20", "points = 21"
    )


def largest(text: str) -> str:
    """As many merchants and point cards as a file may have."""
    costs = [letter * size for letter in "yrgb" for size in range(1, 10)]
    goals = [cost for cost in costs if f'cost = "{cost}"' not in text][:28]
    return with_merchants(62)(text) + "".join(entry("point", cost=cost, points=9) for cost in goals)


def smallest(text: str) -> str:
    """As few merchants and point cards as a file may have: none is left in the merchant deck after set-up."""
    head, *merchants = text.partition("[[point]]")[0].split("[[merchant]]")
    goals = text.split("[[point]]")[1:31]
    cards = [*merchants[:2], *merchants[8:12]]
    return "[[merchant]]".join([head, *cards]) + "[[point]]" + "[[point]]".join(goals)


@pytest.mark.parametrize("change", [changed, largest, smallest])
@pytest.mark.parametrize("seats", [3, 5])
def test_a_game_with_other_components_follows_them(tmp_path: Path, change: Change, seats: int) -> None:
    path = tmp_path / "other.toml"
    path.write_text(change(shipped_text("spice_road")), encoding="utf-8")
    position, reference = (
        load(f"spice_road;players={seats};components={path}").start(),
        Reference(seats, path),
    )
    chooser = random.Random(seats)
    for _ in range(400):
        assert sorted(position.legal_tokens()) == sorted(reference.legal())
        assert position.state() == reference.state()
        assert list(position.scores()) == reference.scores()
        if reference.to_act() == OVER:
            break
        event = chooser.choice(claims_first(reference.legal()))
        position = position.apply(event)
        reference.apply(event)


def test_the_changed_list_of_the_test_above_ends_a_game_of_three_earlier(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(changed(shipped_text("spice_road")), encoding="utf-8")
    reference = Reference(3, path)
    assert (reference.target, reference.state()["players"][0]["caravan"]) == (4, "b")
    assert "rg>bb" in reference.merchants
    assert max(goal["points"] for goal in reference.goals.values()) == 21


def test_the_largest_and_the_smallest_list_are_as_large_as_they_say() -> None:
    sizes = []
    for change in (largest, smallest):
        data = tomllib.loads(change(shipped_text("spice_road")))
        sizes.append((len(data["merchant"]), len(data["point"])))
    assert sizes == [(62, 64), (6, 30)]


def claims_first(legal: list[str]) -> list[str]:
    return [token for token in legal if token.startswith("claim=")] or legal


def test_the_reference_itself_is_not_tied_to_one_list() -> None:
    few = {**CARDS, "merchants": CARDS["merchants"][:10]}
    game = Reference(2, few)
    assert (game.to_act(), len(game.legal())) == (CHANCE, 10)
