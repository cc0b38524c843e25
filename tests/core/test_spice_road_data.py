"""The component list of Century: Spice Road as shipped, and component files that must be refused."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reference.spice_road import CHANCE, OVER, OWN_LIST, Reference, load_components

from serai.core import load
from serai.core.errors import SetupError

SHIPPED = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "data.toml"
CARDS = load_components(SHIPPED)
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
def test_a_game_with_other_components_follows_them(
    tmp_path: Path, change: Callable[[str], str], seats: int
) -> None:
    path = tmp_path / "other.toml"
    path.write_text(change(shipped_text()), encoding="utf-8")
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
    path.write_text(changed(shipped_text()), encoding="utf-8")
    reference = Reference(3, path)
    assert (reference.target, reference.state()["players"][0]["caravan"]) == (4, "b")
    assert "rg>bb" in reference.merchants
    assert max(goal["points"] for goal in reference.goals.values()) == 21


def test_the_largest_and_the_smallest_list_are_as_large_as_they_say() -> None:
    sizes = []
    for change in (largest, smallest):
        data = tomllib.loads(change(shipped_text()))
        sizes.append((len(data["merchant"]), len(data["point"])))
    assert sizes == [(62, 64), (6, 30)]


def claims_first(legal: list[str]) -> list[str]:
    return [token for token in legal if token.startswith("claim=")] or legal


def test_the_reference_itself_is_not_tied_to_one_list() -> None:
    few = {**CARDS, "merchants": CARDS["merchants"][:10]}
    game = Reference(2, few)
    assert (game.to_act(), len(game.legal())) == (CHANCE, 10)


# -- broken lists -------------------------------------------------------------------------------------------


def shipped_text() -> str:
    return SHIPPED.read_text(encoding="utf-8")


def entry(table: str, **values: object) -> str:
    """One more entry of a table, as TOML."""
    return f"\n[[{table}]]\n" + "".join(f"{key} = {json.dumps(given)}\n" for key, given in values.items())


def without_starters(text: str) -> str:
    return re.sub(r'\[\[starter\]\]\nget = "yy"', "[[starter]]\nupgrades = 3", text)


def with_merchants(number: int) -> Callable[[str], str]:
    """A change that adds merchants until there are so many of them."""
    gives = [letter * size for letter in "yrgb" for size in range(6, 10)]
    gets = [letter * size for letter in "yrgb" for size in range(6, 10)]
    extra = [(give, get) for give in gives for get in gets if give[0] != get[0]][: number - 43]
    return lambda text: text + "".join(entry("merchant", give=give, get=get) for give, get in extra)


BROKEN: dict[str, tuple[Callable[[str], str], str, str]] = {
    "a merchant twice": (lambda t: t + entry("merchant", give="yy", get="g"), "merchant yy>g", "twice"),
    "a merchant twice, spelled another way": (
        lambda t: t + entry("merchant", give="gyy", get="bb"),
        "merchant yyg>bb",
        "twice",
    ),
    "a starting card among the merchants": (
        lambda t: t + entry("merchant", get="yy"),
        "merchant \\+yy",
        "twice",
    ),
    "a point card twice": (lambda t: t + entry("point", cost="yyrr", points=6), "point yyrr=6", "twice"),
    "a merchant with nothing to get": (
        lambda t: t + entry("merchant", give="yy"),
        "merchant 44",
        "get must be",
    ),
    "a point card without points": (lambda t: t + entry("point", cost="yyyyr"), "point 37", "points must be"),
    "a point card without cost": (lambda t: t + entry("point", points=5), "point 37", "cost must be"),
    "cubes as a number": (lambda t: t + entry("merchant", give=3, get="g"), "merchant 44", "give must be"),
    "cubes as a list": (lambda t: t + entry("merchant", get=["y"]), "merchant 44", "get must be"),
    "a fifth colour": (lambda t: t + entry("merchant", get="yp"), "merchant 44", "get must be"),
    "no cubes": (lambda t: t + entry("merchant", get=""), "merchant 44", "get must be"),
    "a thousand cubes": (lambda t: t + entry("merchant", get="y" * 1000), "merchant 44", "get must be"),
    "upgrades below zero": (lambda t: t + entry("merchant", upgrades=-1), "merchant 44", "upgrades must be"),
    "no upgrades": (lambda t: t + entry("merchant", upgrades=0), "merchant 44", "upgrades must be"),
    "true upgrades": (lambda t: t + entry("merchant", upgrades=True), "merchant 44", "upgrades must be"),
    "half an upgrade": (lambda t: t + entry("merchant", upgrades=1.5), "merchant 44", "upgrades must be"),
    "an upgrade that also gives": (
        lambda t: t + entry("merchant", upgrades=1, get="y"),
        "merchant 44",
        "neither give nor get",
    ),
    "points as text": (lambda t: t + entry("point", cost="yyyyr", points="6"), "point 37", "points must be"),
    "points below zero": (
        lambda t: t + entry("point", cost="yyyyr", points=-6),
        "point 37",
        "points must be",
    ),
    "too many points": (
        lambda t: t + entry("point", cost="yyyyr", points=10**30),
        "point 37",
        "points must be",
    ),
    "a key nobody knows": (lambda t: t + entry("merchant", gets="y"), "merchant 44", "unknown key 'gets'"),
    "seventy merchants": (with_merchants(70), r"\[\[merchant\]\]", "70 entries"),
    "no merchants": (lambda t: t.replace("[[merchant]]", "[[stranger]]"), r"\[\[merchant\]\]", "must be"),
    "merchants that are no list": (
        lambda t: "merchant = 3\n" + t.replace("[[merchant]]", "[[stranger]]"),
        r"\[\[merchant\]\]",
        "must be",
    ),
    "no point cards": (lambda t: t.replace("[[point]]", "[[stranger]]"), r"\[\[point\]\]", "must be"),
    "no produce starter": (without_starters, "starter", "must produce"),
    "a third starter": (lambda t: t + entry("starter", get="r"), r"\[\[starter\]\]", "3 entries"),
    "another game": (lambda t: t.replace('"spice_road"', '"golem"', 1), "head", "must say"),
    "another format": (lambda t: t.replace("format = 1", "format = 2"), "head", "must say"),
    "no setup": (lambda t: t.replace("[setup]", "[setap]"), r"\[setup\]", "missing"),
    "a missing seat": (lambda t: t.replace(', "yyyr"]', "]"), r"\[setup\]", "5 seats"),
    "a seat that starts with a number": (
        lambda t: t.replace('"yyyr"]', "4]"),
        r"\[setup\]",
        "start_cubes must be",
    ),
    "claims to end as text": (lambda t: t.replace("2 = 6,", '2 = "6",'), r"\[setup\]", "2 must be"),
    "claims to end below zero": (lambda t: t.replace("2 = 6,", "2 = -6,"), r"\[setup\]", "2 must be"),
    "no claims to end for four": (lambda t: t.replace("4 = 5, ", ""), r"\[setup\]", "4 must be"),
    "an empty file": (lambda _: "", "head", "must say"),
    "no TOML": (lambda _: "[[[", "component file", ""),
    "a huge file": (lambda t: t + "# more\n" * 200_000, "component file", "larger"),
    "a deeply nested file": (lambda t: t + "\nx = " + "[" * 100_000, "component file", ""),
}


def refused(path: Path) -> str:
    """The message with which a component file is refused."""
    with pytest.raises(SetupError) as refusal:
        load(f"spice_road;players=2;components={path}").start()
    return str(refusal.value)


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_file_is_refused_with_its_name_the_item_and_the_rule(tmp_path: Path, fault: str) -> None:
    change, item, rule = BROKEN[fault]
    path = tmp_path / "broken.toml"
    text = change(shipped_text())
    assert text != shipped_text(), "the change changes nothing"
    path.write_text(text, encoding="utf-8")
    message = refused(path)
    assert message.startswith(f"{path}: ")
    assert re.search(f"{item}.*: .*{rule}", message), message


def test_a_refusal_of_a_long_value_is_short(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(shipped_text() + entry("merchant", get="y" * 1000), encoding="utf-8")
    assert len(refused(path)) < 500 + len(str(path))


def test_a_trade_of_a_colour_for_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(shipped_text() + entry("merchant", give="y", get="yy"), encoding="utf-8")
    assert "same colour" in refused(path)


@pytest.mark.parametrize(
    "raw", [b"\x00" * 100, b"\xff\xfe\x80", bytes(range(256)), random.Random(1).randbytes(4096)]
)
def test_binary_garbage_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "garbage.toml"
    path.write_bytes(raw)
    assert refused(path).startswith(f"{path}: ")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.toml", tmp_path):
        assert refused(path).startswith(f"{path}: ")


def test_a_file_mended_after_its_refusal_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "mended.toml"
    path.write_text(without_starters(shipped_text()), encoding="utf-8")
    refused(path)
    path.write_text(shipped_text(), encoding="utf-8")
    assert load(f"spice_road;players=2;components={path}").start().to_act == -1


def test_any_part_of_the_shipped_file_is_accepted_or_refused_cleanly(tmp_path: Path) -> None:
    """The file is cut off at every fiftieth character."""
    text = shipped_text()
    for end in range(0, len(text), 50):
        path = tmp_path / f"{end}.toml"
        path.write_text(text[:end], encoding="utf-8")
        try:
            load(f"spice_road;players=2;components={path}")
            tomllib.loads(text[:end])
        except SetupError as error:
            message = str(error)
        else:
            continue
        assert message.startswith(f"{path}: ")
