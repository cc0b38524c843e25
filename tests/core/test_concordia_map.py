"""The map of Concordia for people: no piece disappears, wherever others stand and however narrow it is."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from serai.core import load
from serai.core.display import SeatLabel, Spans
from serai.core.games.concordia.board import table
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.layout import ROWS, drawing_of
from serai.core.games.concordia.maps import Map
from serai.core.games.concordia.picture import LAND, SEA, picture

State = dict[str, Any]
SEATS = {"italia": 4, "imperium": 5}
MAPS = pytest.mark.parametrize("side", load_components().maps, ids=lambda side: side.name)
WIDTHS = pytest.mark.parametrize("width", [60, 80, 96, 102, 140])


def text_of(line: Spans) -> str:
    return "".join(text for text, _ in line)


def bare(side: Map) -> State:
    """A table without houses and colonists."""
    state: State = load(f"concordia;players={SEATS[side.name]};variant={side.name};seed=1").start().state()
    for player in state["players"]:
        player |= {"houses": [], "land": [], "sea": []}
    return state


def crowd(state: State, city: str) -> None:
    """All colonists but the last seat's stand in a city, and everybody who may has a house there."""
    for player in state["players"][:-1]:
        player |= {"land": [city] * 2, "sea": [city] * 2}
    for player in state["players"]:
        player["houses"] = [city] if city != "roma" else []


def on_lines(lines: list[str], mark: str, seat: int) -> Counter[str]:
    return Counter(re.findall(rf"{mark}{seat}(?!\d)", "\n".join(lines)))


@MAPS
@WIDTHS
def test_no_colonist_on_a_line_disappears_beside_a_city_full_of_others(side: Map, width: int) -> None:
    """All lines at once, which leaves less room than any of them alone."""
    state = bare(side)
    last = len(state["players"])
    for city in side.cities:
        crowd(state, city.name)
        state["players"][-1] |= {
            "land": [side.name_of(line) for line in side.land],
            "sea": [side.name_of(line) for line in side.sea],
        }
        lines, left = picture(state, width)
        seen = [*map(text_of, lines), *left]
        assert on_lines(seen, LAND, last).total() == len(side.land), city.name
        assert on_lines(seen, SEA, last).total() == len(side.sea), city.name
        guests = "".join(
            f"{mark}{''.join(2 * str(i) for i in range(1, last))}" for mark in (f"{LAND}", f" {SEA}")
        )
        assert any(guests in line for line in seen), city.name


@MAPS
@WIDTHS
def test_no_house_disappears_at_any_width(side: Map, width: int) -> None:
    """A label is followed by all houses, or by as many as fit and a sign that there are more."""
    state = bare(side)
    digits = "".join(str(seat + 1) for seat in range(len(state["players"])))
    for player in state["players"]:
        player["houses"] = [city.name for city in side.cities[1:]]
    lines, left = picture(state, width)
    for city in side.cities[1:]:
        column, row = drawing_of(side.name, width).cities[city.name]
        shown = text_of(lines[row])[column:].partition(f"{city.name} ")[2]
        assert shown.startswith(digits) or f"{city.name} {digits}" in left
    if width >= 96:
        assert left == []


@MAPS
def test_a_colonist_beside_the_houses_of_a_city_is_drawn_whole(side: Map) -> None:
    state = bare(side)
    for player in state["players"]:
        player["houses"] = [city.name for city in side.cities[1:]]
    for sort, lines in (("land", side.land), ("sea", side.sea)):
        for line in lines:
            state["players"][0] |= {"land": [], "sea": [], sort: [side.name_of(line)]}
            drawn, left = picture(state, 96)
            mark = f"{LAND if sort == 'land' else SEA}1"
            assert left == []
            assert sum(text_of(text).count(mark) for text in drawn) == 1, line


def test_what_has_no_room_is_told_instead_of_the_legend() -> None:
    imperium = load_components().map_named("imperium")
    state = bare(imperium)
    for player in state["players"][:4]:
        player["houses"] = ["londinium"]
    labels = [SeatLabel("name", 0)] * 5
    narrow, wide = ([text_of(line) for line in table(state, labels, width)] for width in (60, 96))
    assert narrow[ROWS].startswith("no room for: londinium 1234")
    assert wide[ROWS].startswith("▲ land ≈ sea")
    assert any("londinium 1234" in line for line in wide[:ROWS])
