"""Concordia's map with everything that stands on it, as lines of text."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from serai.core.display import Spans, width_of
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.layout import ROWS, Drawing, Spot, drawing_of
from serai.core.games.concordia.words import GOODS

SEATS = ("yellow", "red", "green", "blue", "brown")  # a style for each
LETTERS = {good: good[0].upper() for good in GOODS}
LAND, SEA = "▲", "≈"
START = "◆"
MORE = "+"  # houses for which there is no room

State = dict[str, Any]


def picture(state: State, width: int) -> tuple[list[Spans], list[str]]:
    """The map, with tokens, houses and colonists: ROWS lines of that width; and what found no room on it."""
    drawing = drawing_of(state["map"], width)
    sheet = _Sheet(drawing, width)
    labels = {city: _label(state, city) for city in drawing.cities}
    for city, spot in drawing.cities.items():
        sheet.put(spot, labels[city])
        sheet.clear(spot, width_of(labels[city]))
    left = _travellers(sheet, state, "land", drawing.land) + _travellers(sheet, state, "sea", drawing.sea)
    ends = {}
    for city, spot in drawing.cities.items():
        ends[city], missing = _build(sheet, spot, width_of(labels[city]), _houses(state, city))
        left += [f"{city} {missing}"] if missing else []
    for city, spot in drawing.cities.items():
        missing = _receive(sheet, spot, ends[city], _guests(state, city))
        left += [f"{city} {missing}"] if missing else []
    return sheet.lines(), left


class _Sheet:
    """An empty map, and what is put on it: nothing onto something else."""

    def __init__(self, drawing: Drawing, width: int) -> None:
        self._width = width
        self._taken: set[Spot] = set()
        self._cells = [
            [(char, "sea" if wet else "land") for char, wet in zip(*row, strict=True)]
            for row in zip(drawing.text, drawing.water, strict=True)
        ]

    def room(self, spot: Spot, needed: int) -> int:
        """Free places from one on, at most so many."""
        column, row = spot
        if column < 0 or not 0 <= row < ROWS:
            return 0
        most = max(0, min(needed, self._width - column))
        return next((i for i in range(most) if (column + i, row) in self._taken), most)

    def put(self, spot: Spot, spans: Spans) -> None:
        """Write something, as far as the map reaches."""
        column, row = spot
        single = [(char, style) for text, style in spans for char in text]
        for i, cell in enumerate(single[: max(0, self._width - column)]):
            self._cells[row][column + i] = cell
            self._taken.add((column + i, row))

    def clear(self, spot: Spot, after: int) -> None:
        """Leave a blank so far behind a place, if nothing is there."""
        column, row = spot[0] + after, spot[1]
        if self.room((column, row), 1):
            self._cells[row][column] = (" ", "")

    def lines(self) -> list[Spans]:
        """Characters as spans; a line's style does not matter where it leaves a blank."""
        return [
            [("".join(c for c, _ in run), style) for style, run in groupby(row, key=lambda cell: cell[1])]
            for row in self._cells
        ]


# ---- what is drawn


def _label(state: State, city: str) -> Spans:
    """``C genua``: the good, the name."""
    good = LETTERS.get(state["tokens"].get(city, ""), "·")
    start = load_components().map_named(state["map"]).cities[0].name
    return [(START if city == start else good, "strong"), (f" {city}", "")]


def _houses(state: State, city: str) -> Spans:
    return [digit(seat) for seat, player in enumerate(state["players"]) if city in player["houses"]]


def _guests(state: State, city: str) -> Spans:
    """``▲12 ≈3``: colonists in a city itself."""
    spans: Spans = []
    for sort, mark in (("land", LAND), ("sea", SEA)):
        here = [
            seat for seat, player in enumerate(state["players"]) for place in player[sort] if place == city
        ]
        if here:
            spans += [(f" {mark}" if spans else mark, "strong"), *map(digit, here)]
    return spans


# ---- and where; what there is no room for is returned as text


def _travellers(sheet: _Sheet, state: State, sort: str, stands: dict[str, Spot]) -> list[str]:
    """Colonists on lines."""
    left = []
    for seat, player in enumerate(state["players"]):
        for place in (place for place in player[sort] if place in stands):
            spans: Spans = [(LAND if sort == "land" else SEA, "strong"), digit(seat)]
            if sheet.room(stands[place], 2) == 2:
                sheet.put(stands[place], spans)
            else:
                left.append(f"{place} {text_of(spans)}")
    return left


def _build(sheet: _Sheet, city: Spot, label: int, houses: Spans) -> tuple[int, str]:
    """Houses after a blank behind the label; where the next thing may be, and all if one is missing."""
    if not houses:
        return label + 1, ""
    column, row = city[0] + label, city[1]
    shown = houses
    room = sheet.room((column, row), len(houses) + 1) - 1
    if room < len(houses):
        shown = [*houses[: room - 1], (MORE, "strong")] if room > 0 else []
    sheet.put((column + 1, row), shown)
    sheet.clear((column + 1, row), len(shown))
    return label + 1 + (len(shown) + 1 if shown else 0), "" if shown == houses else text_of(houses)


def _receive(sheet: _Sheet, city: Spot, beside: int, guests: Spans) -> str:
    """Those in a city itself: after a blank behind its houses, else as near to it as there is room."""
    needed, (column, row) = width_of(guests), city
    if not needed:
        return ""
    spots = [(column + dx, row + dy) for dy in (-1, 1, -2, 2) for dx in range(2 - needed, beside)]
    if sheet.room((column + beside - 1, row), needed + 1) == needed + 1:
        spots = [(column + beside, row)]
    for spot in spots:
        if sheet.room(spot, needed) == needed:
            sheet.put(spot, guests)
            return ""
    return text_of(guests)


def text_of(spans: Spans) -> str:
    """The characters alone."""
    return "".join(text for text, _ in spans)


def digit(seat: int) -> tuple[str, str]:
    """The number of a seat in its colour."""
    return str(seat + 1), SEATS[seat]
