"""Concordia's map with everything that stands on it, as lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from serai.core.display import Spans, width_of
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.layout import ROWS, Spot, drawing_of
from serai.core.games.concordia.words import GOODS

SEATS = ("yellow", "red", "green", "blue", "brown")  # a style for each
LETTERS = {good: good[0].upper() for good in GOODS}
LAND, SEA = "▲", "≈"
START = "◆"

Cells = list[list[tuple[str, str]]]


def picture(state: dict[str, Any], width: int) -> list[Spans]:
    """The map, with tokens, houses and colonists: ROWS lines of that width."""
    drawing = drawing_of(state["map"], width)
    cells: Cells = [
        [(char, "sea" if wet else "land") for char, wet in zip(*row, strict=True)]
        for row in zip(drawing.text, drawing.water, strict=True)
    ]
    for sort, mark, stands in (("land", LAND, drawing.land), ("sea", SEA, drawing.sea)):
        for seat, player in enumerate(state["players"]):
            for place in player[sort]:
                if place in stands:
                    _put(cells, stands[place], [(mark, "strong"), digit(seat)])
    labels = {spot: _city(state, city) for city, spot in drawing.cities.items()}
    for spot, label in labels.items():
        _put(cells, spot, label)
    taken = {cell for spot, label in labels.items() for cell in _covered(spot, label)}
    for city, (column, line) in drawing.cities.items():
        guests = _guests(state, city)
        spot = _room_beside((column, line), width_of(labels[column, line]), width_of(guests), taken, width)
        _put(cells, spot, guests)
        taken |= set(_covered(spot, guests))
    return [_joined(row) for row in cells]


def _covered(spot: Spot, spans: Spans) -> Iterable[Spot]:
    return ((spot[0] + i, spot[1]) for i in range(width_of(spans)))


def _room_beside(city: Spot, label: int, needed: int, taken: set[Spot], width: int) -> Spot:
    """Where those who stand in a city are written: after its label, else as near to it as there is room."""
    column, row = city
    beside = [(column + label, row)]
    beside += [
        (column + dx, row + dy)
        for dy in (-1, 1, -2, 2)
        for dx in range(2 - needed, label)
        if 0 <= row + dy < ROWS
    ]
    for x, y in beside:
        if x >= 0 and x + needed < width and not any((x + i, y) in taken for i in range(needed)):
            return x, y
    return beside[0]


def _city(state: dict[str, Any], city: str) -> Spans:
    """``C genua 12``: the good, the name, the houses."""
    good = LETTERS.get(state["tokens"].get(city, ""), "·")
    start = load_components().map_named(state["map"]).cities[0].name
    label: Spans = [(START if city == start else good, "strong"), (f" {city} ", "")]
    houses = [digit(seat) for seat, player in enumerate(state["players"]) if city in player["houses"]]
    return [*label, *houses, (" ", "")] if houses else label


def _guests(state: dict[str, Any], city: str) -> Spans:
    """``▲12 ≈3``: colonists in a city itself."""
    spans: Spans = []
    for sort, mark in (("land", LAND), ("sea", SEA)):
        here = [
            seat for seat, player in enumerate(state["players"]) for place in player[sort] if place == city
        ]
        if here:
            spans += [(f" {mark}" if spans else mark, "strong"), *map(digit, here)]
    return spans


def digit(seat: int) -> tuple[str, str]:
    """The number of a seat in its colour."""
    return str(seat + 1), SEATS[seat]


def _put(cells: Cells, spot: Spot, spans: Spans) -> None:
    column, row = spot
    single = [(char, style) for text, style in spans for char in text]
    for i, cell in enumerate(single):
        if column + i < len(cells[row]):
            cells[row][column + i] = cell


def _joined(cells: Iterable[tuple[str, str]]) -> Spans:
    """Characters as spans; a line's style does not matter where it leaves a blank."""
    return [("".join(c for c, _ in run), style) for style, run in groupby(cells, key=lambda cell: cell[1])]
