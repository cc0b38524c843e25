"""The table and the turns of Spice Road for people; see `serai.core.display`.

>>> from serai.core.display import width_of
>>> "".join(text for text, _ in sentence({}, ["play=yyy>rrr*2"], {}))
'plays yyy>rrr twice: yyyyyy for rrrrrr'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from serai.core.display import SeatLabel, Spans, pad, width_of
from serai.core.games.spice_road.components import COLOURS

STYLES = dict(zip(COLOURS, ("yellow", "red", "green", "brown"), strict=True))
LIMIT = 10  # cubes in a caravan
LABEL, NAME = 11, 16  # columns
TIMES = {1: "", 2: " twice", 3: " three times"}


def cubes(text: str) -> Spans:
    """Letters of cubes in their colours; everything else as it is."""
    runs = [(style, "".join(group)) for style, group in groupby(text, key=lambda c: STYLES.get(c, ""))]
    return [(run, style) for style, run in runs]


def card(name: str) -> Spans:
    """A merchant: the word ``up`` isn't made of cubes, the rest is."""
    return [(name, "strong")] if name.startswith("up") else cubes(name)


# ---- the table


def table(state: dict[str, Any], labels: Sequence[SeatLabel], width: int) -> list[Spans]:
    """Merchants, point cards, then two lines for each seat."""
    lines = [*_merchants(state, width), *_points(state, width), _piles(state), []]
    for seat, label in enumerate(labels):
        lines += _seat(state, seat, label, width)
    return [pad(line, width) if width_of(line) > width else line for line in lines]


def _columns(label: str, cells: Sequence[Spans], width: int) -> Spans:
    column = max(9, (width - LABEL) // max(6, len(cells)))
    line: Spans = [(f"{label:<{LABEL}}", "faint")]
    for cell in cells:
        line += pad(cell, min(column, 14))
    return line


def _merchants(state: dict[str, Any], width: int) -> list[Spans]:
    market = state["market"]
    heads: list[Spans] = [
        [(f"{i + 1} " + (f"costs {i}" if i else "free"), "faint")] for i in range(len(market))
    ]
    return [
        _columns("merchants", heads, width),
        _columns("", [card(slot["card"]) for slot in market], width),
        _columns(
            "", [[("+ ", "faint"), *cubes(slot["cubes"])] if slot["cubes"] else [] for slot in market], width
        ),
    ]


def _points(state: dict[str, Any], width: int) -> list[Spans]:
    names = [name.partition("=") for name in state["points"]]
    coins = coin_slots(state)
    heads: list[Spans] = [
        [(f"{i + 1} ", "faint"), (f"+ {coins[i]}", coins[i])] if coins[i] else [(f"{i + 1}", "faint")]
        for i in range(len(names))
    ]
    cells: list[Spans] = [[*cubes(cost), (f" {points}", "strong")] for cost, _, points in names]
    return [_columns("points", heads, width), _columns("", cells, width)]


def coin_slots(state: dict[str, Any]) -> list[str]:
    """The coin that comes with each point card of the row: ``gold``, ``silver`` or nothing."""
    gold, silver = state["gold"], state["silver"]
    first, second = ("gold", "silver" if silver else "") if gold else ("silver" if silver else "", "")
    return [first, second, "", "", ""]


def _piles(state: dict[str, Any]) -> Spans:
    line: Spans = [
        (f"{'left':<{LABEL}}", "faint"),
        (f"{state['gold']} gold", "gold"),
        ("  ", ""),
        (f"{state['silver']} silver", "silver"),
        (f"  {state['merchants_left']} merchants  {state['points_left']} point cards", ""),
    ]
    return [*line, ("   last round", "alert")] if state["last_round"] else line


def _seat(state: dict[str, Any], seat: int, label: SeatLabel, width: int) -> list[Spans]:
    player = state["players"][seat]
    moves = state["turn"] == f"p{seat + 1}"
    caravan = player["caravan"]
    head: Spans = [
        ("> " if moves else "  ", "alert"),
        (f"p{seat + 1} ", "faint"),
        *pad([(label.name, "strong" if moves else "")], NAME + max(0, min(20, width - 80))),
        (" ", ""),
        *cubes(caravan),
        ("·" * (LIMIT - len(caravan)), "faint"),
        (f" {label.points:>3}", "strong"),
        (" points", ""),
        (f" {len(player['claimed']) + len(player['veiled'])} claims", ""),
        (f" {player['gold']} gold", "gold"),
        (f" {player['silver']} silver ", "silver"),
        (label.note, ""),
    ]
    return [head, _hand(player, width)]


def _hand(player: dict[str, Any], width: int) -> Spans:
    """The cards in hand, then those played, as far as they fit."""
    line: Spans = [("     ", "")]
    hidden = [f"{player['hidden']} unknown"] if player["hidden"] else []
    shown = [(name, "") for name in [*player["hand"], *hidden]] + [
        (name, "faint") for name in player["played"]
    ]
    for number, (name, style) in enumerate(shown):
        rest = len(shown) - number
        mark = "  played " if style and (number == 0 or not shown[number - 1][1]) else " "
        if width_of(line) + len(mark) + len(name) + (5 if rest > 1 else 0) > width:
            return [*line, (f" +{rest}", "faint")]
        line += [(mark, "faint"), *([(name, style)] if style else card(name))]
    return line


# ---- a turn in words


def sentence(state: dict[str, Any], tokens: Sequence[str], after: dict[str, Any]) -> Spans:
    """What a turn did, from the state before it."""
    verb, _, value = tokens[0].partition("=")
    tell = {"take": _take, "play": _play, "claim": _claim, "rest": _rest}.get(verb, _other)
    given = "".join(token[5:] for token in tokens if token.startswith("drop="))
    line = tell(state, value, tokens)
    if given:
        line += [(", returning ", ""), *cubes(given)]
    shown = [token.partition("=")[2] for token in tokens if token.startswith(("~market=", "~point="))]
    return [*line, *([("   new: ", "faint"), *_new(shown[-1])] if shown else [])]


def _new(name: str) -> Spans:
    cost, _, points = name.partition("=")
    return [*cubes(cost), (f" {points}", "")] if points else card(name)


def _take(state: dict[str, Any], value: str, tokens: Sequence[str]) -> Spans:
    slot = state["market"][int(value) - 1]
    paid = "".join(token[4:] for token in tokens if token.startswith("pay="))
    line: Spans = [("takes ", ""), *card(slot["card"]), *([(" for ", ""), *cubes(paid)] if paid else [])]
    return [*line, *([(" and the ", ""), *cubes(slot["cubes"]), (" on it", "")] if slot["cubes"] else [])]


def _play(state: dict[str, Any], value: str, tokens: Sequence[str]) -> Spans:
    if value.startswith("+"):
        return [("produces ", ""), *cubes(value[1:])]
    if value.startswith("up"):
        name, *steps = value.split(",")
        made = [span for step in steps for span in [*cubes(step), (" ", "")]][:-1]
        return [("upgrades ", ""), *(made or [("nothing", "")]), (" with ", ""), *card(name)]
    give, get, times = re.split("[>*]", value)
    number = int(times)
    often = TIMES.get(number, f" {number} times")
    line: Spans = [("plays ", ""), *cubes(f"{give}>{get}"), (often, "")]
    if number > 1:
        line += [(": ", ""), *cubes(_sorted(give, number)), (" for ", ""), *cubes(_sorted(get, number))]
    return line


def _sorted(letters: str, times: int) -> str:
    return "".join(sorted(letters * times, key=COLOURS.index))


def _claim(state: dict[str, Any], value: str, tokens: Sequence[str]) -> Spans:
    slot = int(value) - 1
    cost, _, points = state["points"][slot].partition("=")
    coin = coin_slots(state)[slot]
    line: Spans = [("claims ", "alert"), *cubes(cost), (" for ", ""), (f"{points} points", "strong")]
    return [*line, *([(" and a ", ""), (f"{coin} coin", coin)] if coin else [])]


def _rest(state: dict[str, Any], value: str, tokens: Sequence[str]) -> Spans:
    player = state["players"][int(state["turn"][1:]) - 1]
    number = len(player["played"])
    return [(f"rests and takes {number} card{'s' * (number != 1)} back", "")]


def _other(state: dict[str, Any], value: str, tokens: Sequence[str]) -> Spans:
    return [(" ".join(token for token in tokens if not token.startswith(("drop=", "~"))), "")]
