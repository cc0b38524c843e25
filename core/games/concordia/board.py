"""The table and the turns of Concordia for people; see `serai.core.display`. Maps and prices are as shipped.

>>> "".join(text for text, _ in sentence({}, ["play=mercator", "sell=cloth*1", "buy=brick*2"]))
'takes 3 coins, sells 1 cloth, buys 2 brick'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from serai.core.display import SeatLabel, Spans, pad, width_of
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.layout import ROWS, Spot, drawing_of
from serai.core.games.concordia.telling import sentence, tile
from serai.core.games.concordia.words import GOODS

__all__ = ["render", "sentence", "table"]

SEATS = ("yellow", "red", "green", "blue", "brown")  # a style for each
LETTERS = {good: good[0].upper() for good in GOODS}
LAND, SEA = "▲", "≈"
LEGEND = f"{LAND} land {SEA} sea  12 houses of p1 p2  +C bonus $2 coins  Brick Food Tool Wine Cloth"
START = "◆"
PROVINCE_ROWS = 6
PLAIN = 96  # columns of a table without a terminal

Cells = list[list[tuple[str, str]]]


def table(state: dict[str, Any], labels: Sequence[SeatLabel], width: int) -> list[Spans]:
    """The map, the provinces, the row of cards, then three lines for each seat."""
    lines = [*_map(state, width), [(LEGEND, "faint")], *_provinces(state, width), *_row(state, width)]
    lines.append(_status(state))
    for seat, label in enumerate(labels):
        lines += _seat(state, seat, label, width)
    return [pad(line, width) if width_of(line) > width else line for line in lines]


def render(state: dict[str, Any], scores: Sequence[int]) -> str:
    """The table as plain text."""
    labels = [SeatLabel("", points) for points in scores]
    lines = table(state, labels, PLAIN)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def letters(goods: dict[str, int]) -> str:
    """Goods as letters: ``BFFW``."""
    return "".join(LETTERS[good] * goods.get(good, 0) for good in GOODS)


# ---- the map


def _map(state: dict[str, Any], width: int) -> list[Spans]:
    drawing = drawing_of(state["map"], width)
    cells: Cells = [
        [(char, "sea" if wet else "land") for char, wet in zip(*row, strict=True)]
        for row in zip(drawing.text, drawing.water, strict=True)
    ]
    for sort, mark, stands in (("land", LAND, drawing.land), ("sea", SEA, drawing.sea)):
        for seat, player in enumerate(state["players"]):
            for place in player[sort]:
                if place in stands:
                    _put(cells, stands[place], [(mark, "strong"), _digit(seat)])
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
    houses = [_digit(seat) for seat, player in enumerate(state["players"]) if city in player["houses"]]
    return [*label, *houses, (" ", "")] if houses else label


def _guests(state: dict[str, Any], city: str) -> Spans:
    """``▲12 ≈3``: colonists in a city itself."""
    spans: Spans = []
    for sort, mark in (("land", LAND), ("sea", SEA)):
        here = [
            seat for seat, player in enumerate(state["players"]) for place in player[sort] if place == city
        ]
        if here:
            spans += [(f" {mark}" if spans else mark, "strong"), *map(_digit, here)]
    return spans


def _digit(seat: int) -> tuple[str, str]:
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


# ---- provinces, the row of cards, the state of play


def _provinces(state: dict[str, Any], width: int) -> list[Spans]:
    """In two columns ``+C VENETIA bauzanum aquileia verona``: the bonus, or its coins, and the cities."""
    side = load_components().map_named(state["map"])
    entries: list[Spans] = []
    for index, province in enumerate(side.provinces):
        cities = [side.cities[i].name for i in side.cities_of(index)]
        entries.append(
            [_tile(state, province), (f" {province.upper()}", ""), (" " + " ".join(cities), "faint")]
        )
    entries += [[]] * (2 * PROVINCE_ROWS - len(entries))
    half = width // 2
    return [
        [*pad(entries[i], half), *pad(entries[i + PROVINCE_ROWS], width - half)] for i in range(PROVINCE_ROWS)
    ]


def _tile(state: dict[str, Any], province: str) -> tuple[str, str]:
    good = tile(state, province)
    if good is None:
        return "· ", ""
    if province in state["coin_side"]:
        return f"${good.bonus_coins}", "gold"
    return f"+{LETTERS[good.name]}", "strong"


def _row(state: dict[str, Any], width: int) -> list[Spans]:
    """Three lines: the place and what it costs; the card; what the card costs, and its god."""
    box = load_components()
    cards = {card.name: card for card in box.cards}
    column = (width - 6) // len(box.places)
    lines: list[Spans] = [[("cards ", "faint")], [("      ", "")], [("      ", "")]]
    for number, place in enumerate(box.places):
        name = state["row"][number] if number < len(state["row"]) else ""
        extra = "?" * place.any + _cost(place.goods) or "free"
        cells: list[Spans] = [[(f"{number + 1} {extra}", "faint")]]
        card = cards.get(name)
        kind = box.kinds[card.kind] if card else None
        role = kind.role + (str(kind.coins) if kind.coins else "") if kind else name
        cells.append([(role, "strong")])
        cells.append([(_cost(card.cost), ""), (f" {kind.god}", "faint")] if card and kind else [])
        for line, cell in zip(lines, cells, strict=True):
            line += [*pad(cell, column - 1), (" ", "")]
    return lines


def _cost(goods: Sequence[int]) -> str:
    return "".join(LETTERS[good] * n for good, n in zip(GOODS, goods, strict=True))


def _status(state: dict[str, Any]) -> Spans:
    blocks = ", ".join(f"{numeral.upper()} {len(cards)}" for numeral, cards in state["unseen"].items())
    if sum(map(len, state["unseen"].values())) != state["deck"]:
        blocks = f"of {blocks}"  # who doesn't remember the cards can't tell which of these are left
    line: Spans = [("deck ", "faint"), (str(state["deck"]), ""), (f" ({blocks})" if blocks else "", "faint")]
    if state["phase"] not in ("token", "card", "main", "over"):
        line += [("   ", ""), (f"{state['mover']} plays {state['card']}", "strong"), (_under_way(state), "")]
    if state["concordia"] != "none":
        end = "the end" if state["phase"] == "over" else "last turns"
        line += [("   ", ""), (f"{state['concordia']} has the concordia: {end}", "alert")]
    return line


def _under_way(state: dict[str, Any]) -> str:
    """What has been decided in this turn, as far as the map doesn't show it."""
    phase = state["phase"]
    if phase in ("land", "sea"):
        return f": {state['steps']} steps for {phase}; " + " ".join(state["placed"])
    if phase in ("hire", "pay"):
        places = " ".join(map(str, state["hired"]))
        return (f": places {places}" if places else "") + (
            f", {state['owed']} ? to pay" if state["owed"] else ""
        )
    if phase == "keep":
        return f": {state['turn']} keeps of {letters(state['keeping'])}"
    return f": {state['last']}" if state["last"] else ""


# ---- the seats


def _seat(state: dict[str, Any], seat: int, label: SeatLabel, width: int) -> list[Spans]:
    player = state["players"][seat]
    name = f"p{seat + 1}"
    head: Spans = [
        ("> " if state["turn"] == name else "  ", "alert"),
        (name, SEATS[seat]),
        (" ", ""),
        *pad([(label.name, "strong" if state["mover"] == name else "")], _room(label, width)),
        *_storehouse(player),
        (f" {player['coins']:>3} coins", "gold"),
        (f" {len(player['houses']):>2} houses", ""),
        (f" {label.points:>3}", "strong"),
        (" points ", ""),
        ("magnus " if state["magnus"] == name else "", "strong"),
        ("concordia " if state["concordia"] == name else "", "alert"),
        (label.note, ""),
    ]
    return [head, _cards("hand", player["hand"], player["hidden"], width), _pile(player, width)]


def _room(label: SeatLabel, width: int) -> int:
    return max(8, min(30, width - 72)) if label.name else 0


def _storehouse(player: dict[str, Any]) -> Spans:
    """Twelve slots: goods, colonists that wait, then what is free."""
    setup = load_components().setup
    goods = letters(player["goods"])
    both = [a + b for a, b in zip(setup.waiting, setup.placed, strict=True)]
    waiting = LAND * (both[0] - len(player["land"])) + SEA * (both[1] - len(player["sea"]))
    return [(goods, "strong"), (waiting, ""), ("·" * (setup.slots - len(goods + waiting)), "faint")]


def _pile(player: dict[str, Any], width: int) -> Spans:
    """The pile, its top first."""
    names = list(player["pile"])
    if player["top"] in names:
        names.remove(player["top"])
        names.insert(0, player["top"])
    return _cards("pile", names, player["hidden_pile"], width)


def _cards(what: str, names: list[str], unknown: int, width: int) -> Spans:
    """Cards as far as they fit; several of a kind together."""
    number = len(names) + unknown
    line: Spans = [(f"     {what} {number:>2} ", "faint")]
    shown = [f"{name}*{n}" if n > 1 else name for name, n in Counter(names).items()]
    shown += [f"{unknown} unknown"] if unknown else []
    style = "faint" if what == "pile" else ""
    for index, text in enumerate(shown):
        rest = len(shown) - index
        if width_of(line) + len(text) + 1 + (5 if rest > 1 else 0) > width:
            return [*line, (f" +{rest}", "faint")]
        line.append(
            (f" {text}", "" if what == "pile" and index == 0 and text != f"{unknown} unknown" else style)
        )
    return line
