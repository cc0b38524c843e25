"""The layout of Spice Road's observation, block by block, as its README says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contract.cases import line_of
from contract.secrets import pairs_of

from serai.core import Position
from serai.core.games.spice_road.components import load_components
from serai.core.spec import Spec

SEATS = (2, 3, 4, 5)
README = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "README.md"
PHASES = ["main", "pay", "drop", "market", "point", "over"]
CARDS, POINTS = load_components().cards, load_components().points


def blocks(values: Any, seats: int) -> dict[str, Any]:
    """The observation cut into its blocks."""
    lengths = {
        "phase": 6,
        "turn": seats,
        "piles": 4,
        "odds": 4,
        "market": 84,
        "points": 30,
        "players": 99 * seats,
    }
    assert len(values) == sum(lengths.values()) == 128 + 100 * seats
    ends = np.cumsum(list(lengths.values()))
    cut = dict(zip(lengths, np.split(values, ends[:-1]), strict=True))
    cut["market"] = cut["market"].reshape(6, 14)
    cut["points"] = cut["points"].reshape(5, 6)
    cut["players"] = cut["players"].reshape(seats, 99)
    return cut


def cubes(text: str) -> list[int]:
    return [text.count(colour) for colour in "yrgb"]


def positions(seats: int) -> list[Position]:
    """Positions from all over a game, some with hidden cards."""
    line = line_of(Spec("spice_road", seats))
    return [
        *line[:: len(line) // 12],
        line[-1],
        *(p.position for p in pairs_of(Spec("spice_road", seats), 6)),
    ]


@pytest.fixture(params=SEATS)
def seen(request: pytest.FixtureRequest) -> list[tuple[dict[str, Any], dict[str, Any], int]]:
    """Blocks, state of the view and observer of many positions."""
    seats = int(request.param)
    return [
        (blocks(position.observation(seat), seats), position.view(seat).state(), seat)
        for position in positions(seats)
        for seat in range(seats)
    ]


Seen = list[tuple[dict[str, Any], dict[str, Any], int]]


def test_phase_and_turn_are_one_hot(seen: Seen) -> None:
    for block, state, seat in seen:
        assert list(block["phase"]) == [phase == state["phase"] for phase in PHASES]
        turns = [f"p{(seat + i) % state['seats'] + 1}" for i in range(state["seats"])]
        assert list(block["turn"]) == [turn == state["turn"] for turn in turns]


def test_piles_and_odds(seen: Seen) -> None:
    for block, state, seat in seen:
        keys = ("gold", "silver", "merchants_left", "points_left")
        assert list(block["piles"]) == [state[key] for key in keys]
        assert list(block["odds"]) == [state["last_round"], state["taking"], state["paid"], seat]


def test_the_rows(seen: Seen) -> None:
    cards, points = {card.name: card for card in CARDS}, {card.name: card for card in POINTS}
    for block, state, _ in seen:
        market = [
            [1, *cards[m["card"]].give, *cards[m["card"]].get, cards[m["card"]].upgrades, *cubes(m["cubes"])]
            for m in state["market"]
        ]
        assert block["market"].tolist() == market + [[0] * 14] * (6 - len(market))
        row = [[1, *points[name].cost, points[name].points] for name in state["points"]]
        assert block["points"].tolist() == row + [[0] * 6] * (5 - len(row))


def test_the_seats_in_turn_order_from_the_observer(seen: Seen) -> None:
    for block, state, seat in seen:
        for i, numbers in enumerate(block["players"]):
            player = state["players"][(seat + i) % state["seats"]]
            known = [name for name in player["claimed"] if name != "?"]
            assert list(numbers[:9]) == [
                *cubes(player["caravan"]),
                sum(int(name.partition("=")[2]) for name in known),
                len(player["claimed"]),
                player["gold"],
                player["silver"],
                player["hidden"],
            ]
            assert list(numbers[9:54]) == [card.name in player["hand"] for card in CARDS]
            assert list(numbers[54:]) == [card.name in player["played"] for card in CARDS]


def test_the_readme_says_the_same_lengths() -> None:
    text = README.read_text(encoding="utf-8").partition("## Observation")[2].partition("## Rulings")[0]
    lengths = re.findall(r"^\| ([0-9× ]+|seats[0-9× ]*) \|", text, flags=re.MULTILINE)
    for seats in SEATS:
        values = [cell.replace("seats", str(seats)).split("×") for cell in lengths]
        total = sum(int(np.prod([int(number) for number in value])) for value in values)
        assert total == 128 + 100 * seats
    assert "128 + 100 × seats" in text


def test_the_readme_names_the_features_of_the_evaluation() -> None:
    evaluation = README.with_name("evaluation.toml").read_text(encoding="utf-8")
    features = re.findall(r'"(\w+)"', evaluation.partition("features = [")[2].partition("]")[0])
    section = README.read_text(encoding="utf-8").partition("## Evaluation")[2]
    assert re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", section, re.MULTILINE))) == features
