"""The layout of Concordia's observation, block by block, as its README says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from serai.core import CHANCE, load
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.observation import observe_state

README = Path(__file__).parents[2] / "core" / "games" / "concordia" / "README.md"
BOX = load_components()
KINDS = [kind.name for kind in BOX.kinds]
GOODS = ["brick", "food", "tool", "wine", "cloth"]
PHASES = [
    *("token", "card", "main", "copy", "tribune", "land", "sea", "build"),
    *("prefect", "keep", "trade", "hire", "pay", "colonist", "over"),
]
TABLES = [(2, "italia"), (3, "italia"), (4, "italia"), (3, "imperium"), (4, "imperium"), (5, "imperium")]


@cache
def states(seats: int, side: str) -> list[dict[str, Any]]:
    """States from all over a game of chance: some of every phase that it came to."""
    position = load(f"concordia;players={seats};variant={side}").start()
    found: dict[str, list[dict[str, Any]]] = {}
    number = 0
    while not position.is_over:
        found.setdefault(position.state()["phase"], []).append(position.state())
        chance = position.to_act == CHANCE
        position = position.apply(position.draw(number) if chance else position.random_action(number))
        number += 1
    found["over"] = [position.state()]
    return [state for same in found.values() for state in same[:: max(1, len(same) // 6)]]


def marks(things: Iterable[str], present: Iterable[str]) -> list[int]:
    counts = Counter(present)
    return [counts[thing] for thing in things]


def lengths(seats: int, side: str) -> dict[str, int]:
    """The length of each block, by the README's rows."""
    item = BOX.map_named(side)
    cities, provinces, land, sea = len(item.cities), len(item.provinces), len(item.land), len(item.sea)
    player = 10 + 3 * len(KINDS) + 3 * cities + land + sea
    return {
        "phase": 15,
        "seats": 4 * seats,
        "few": 3,
        "tokens": 5 * cities,
        "coin_side": provinces,
        "row": 7 * (5 + len(KINDS)),
        "unseen": len(BOX.cards),
        "card": len(KINDS),
        "steps": 2,
        "placed": 2 * cities + land + sea,
        "hired": 7,
        "keeping": 5,
        "producing": provinces,
        "last": 12 + cities,
        "players": player * seats,
    }


Blocks = dict[str, Any]
Seen = list[tuple[Blocks, dict[str, Any], int]]


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[1]}-{table[0]}")
def seen(request: pytest.FixtureRequest) -> Seen:
    """Blocks, state and observer of many positions."""
    seats, side = request.param
    sizes = lengths(seats, side)
    ends = np.cumsum(list(sizes.values()))
    rows: Seen = []
    for state in states(seats, side):
        for seat in range(seats):
            values = observe_state(BOX, state, seat)
            assert values.dtype == np.float32
            assert values.shape == (ends[-1],)
            rows.append((dict(zip(sizes, np.split(values, ends[:-1]), strict=True)), state, seat))
    return rows


def cities_of(state: dict[str, Any]) -> list[str]:
    return [city.name for city in BOX.map_named(state["map"]).cities]


def places_of(state: dict[str, Any], sort: str) -> list[str]:
    side = BOX.map_named(state["map"])
    lines = side.land if sort == "land" else side.sea
    return [*map(side.name_of, lines), *cities_of(state)]


def test_the_positions_are_of_many_phases() -> None:
    assert {state["phase"] for table in TABLES for state in states(*table)} == set(PHASES)


def test_phase_and_seats_are_one_hot(seen: Seen) -> None:
    for block, state, seat in seen:
        assert list(block["phase"]) == marks(PHASES, [state["phase"]])
        names = [f"p{(seat + i) % state['seats'] + 1}" for i in range(state["seats"])]
        keys = ("turn", "mover", "magnus", "concordia")
        assert list(block["seats"]) == [mark for key in keys for mark in marks(names, [state[key]])]
        assert list(block["few"]) == [state["deck"], state["vague"], seat]


def test_tokens_tiles_row_and_deck(seen: Seen) -> None:
    costs = {card.name: list(card.cost) for card in BOX.cards}
    kinds = {card.name: KINDS[card.kind] for card in BOX.cards}
    for block, state, _ in seen:
        tokens = [mark for city in cities_of(state) for mark in marks(GOODS, [state["tokens"].get(city, "")])]
        assert list(block["tokens"]) == tokens
        provinces = BOX.map_named(state["map"]).provinces
        assert list(block["coin_side"]) == marks(provinces, state["coin_side"])
        row = [[*costs[name], *marks(KINDS, [kinds[name]])] for name in state["row"]]
        assert block["row"].reshape(7, -1).tolist() == row + [[0] * (5 + len(KINDS))] * (7 - len(row))
        numerals = [list(state["unseen"].get(numeral, [])) for numeral in ("i", "ii", "iii", "iv", "v")]
        assert list(block["unseen"]) == [card.name in numerals[card.numeral - 1] for card in BOX.cards]


def test_what_is_under_way(seen: Seen) -> None:
    for block, state, _ in seen:
        assert list(block["card"]) == marks(KINDS, [state["card"]])
        assert list(block["steps"]) == [state["steps"], state["owed"]]
        land, sea = (state["placed"] if state["phase"] == sort else [] for sort in ("land", "sea"))
        placed = [*marks(places_of(state, "land"), land), *marks(places_of(state, "sea"), sea)]
        assert list(block["placed"]) == placed
        assert list(block["hired"]) == [place in state["hired"] for place in range(1, 8)]
        assert list(block["keeping"]) == [state["keeping"].get(good, 0) for good in GOODS]
        provinces = BOX.map_named(state["map"]).provinces
        assert list(block["producing"]) == marks(provinces, [state["producing"]])


def test_the_decision_that_bounds_the_next_ones(seen: Seen) -> None:
    for block, state, _ in seen:
        verb, good, city, number = np.split(block["last"], [6, 11, -1])
        words = ["sell=", "buy=", "house=", "pay=", "colonist=land-", "colonist=sea-"]
        assert list(verb) == [state["last"].startswith(word) for word in words]
        thing = re.sub(r"^.*?=(land-|sea-)?|\*.*", "", state["last"])
        assert list(good) == marks(GOODS, [thing])
        assert list(city) == marks(cities_of(state), [thing])
        assert list(number) == [int(state["last"].partition("*")[2] or 0)]


def test_the_seats_in_turn_order_from_the_observer(seen: Seen) -> None:
    for block, state, seat in seen:
        for i, numbers in enumerate(block["players"].reshape(state["seats"], -1)):
            player = state["players"][(seat + i) % state["seats"]]
            assert list(numbers) == [
                player["coins"],
                *(player["goods"][good] for good in GOODS),
                player["hidden"],
                player["hidden_pile"],
                player["scored"],
                player["marker"],
                *marks(KINDS, player["hand"]),
                *marks(KINDS, player["pile"]),
                *marks(KINDS, [player["top"]]),
                *marks(cities_of(state), player["houses"]),
                *marks(places_of(state, "land"), player["land"]),
                *marks(places_of(state, "sea"), player["sea"]),
            ]


@pytest.mark.parametrize(("seats", "side"), TABLES)
def test_the_compiled_rules_show_the_view_of_the_observer(seats: int, side: str) -> None:
    """In every second position the seats keep all their cards to themselves."""
    position = load(f"concordia;players={seats};variant={side};seed=3").start()
    for number in range(240):
        if position.is_over:
            break
        if number % 12 == 0:
            state = position.state()
            if number % 24 == 0:
                state["vague"] = True
                for player in state["players"]:
                    player["secret"] = list(player["hand"])
            shown = position.game.from_state(state)
            for seat in range(seats):
                values = shown.observation(seat)
                assert np.array_equal(values, observe_state(BOX, shown.view(seat).state(), seat))
                players = values[-lengths(seats, side)["players"] :].reshape(seats, -1)
                hidden = [len(player["secret"]) for player in state["players"]]
                assert list(players[:, 6]) == [0, *(hidden[seat + 1 :] + hidden[:seat])]
        position = position.apply(position.random_action(number))
    assert number > 200


@pytest.mark.parametrize(("seats", "side"), TABLES)
def test_the_readme_says_the_same_lengths(seats: int, side: str) -> None:
    text = README.read_text(encoding="utf-8").partition("## Observation")[2].partition("\n## ")[0]
    item = BOX.map_named(side)
    letters = {
        "s": seats,
        "c": len(item.cities),
        "p": len(item.provinces),
        "l": len(item.land) + len(item.sea),
        "k": len(KINDS),
        "d": len(BOX.cards),
    }
    rows = re.findall(r"^\| ([0-9cdklps ×+()]+) \|", text, flags=re.MULTILINE)
    totals = [eval(row.replace("×", "*"), {}, dict(letters)) for row in rows]
    assert totals == list(lengths(seats, side).values())
    assert f"| {side} | {seats} | {sum(totals)} |" in text


def test_the_readme_says_the_size_of_a_state() -> None:
    base, seat = re.findall(r"a state is (\d+) bytes and (\d+) for\s+each seat", README.read_text("utf-8"))[0]
    for seats in (2, 3, 4, 5):
        assert len(load(f"concordia;players={seats}").start().raw()) == int(base) + seats * int(seat)
