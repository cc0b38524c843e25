"""Situations of Concordia: a short description becomes a full state, played by either reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from reference.concordia_box import FOR_SALE, GOODS, KIND_ORDER, ROMA, SORTS, STARTING, Card, board, box, ware
from reference.concordia_table import NUMERALS
from reference.concordia_table import Table as EmptyTable
from reference.tables import State, Table, set_table

START_GOODS = "brick food food tool wine cloth"
START_HAND = Counter(card.kind for card in STARTING)
ROW = 7


def player(stored: str = START_GOODS, coins: int = 5, **things: Any) -> State:
    """One seat. ``hand`` names bought cards; starting cards not on ``pile`` (top last) are there as well.

    ``land`` and ``sea`` say where the colonists on the board are.
    """
    pile = list(things.pop("pile", []))
    hand = [*things.pop("hand", []), *(START_HAND - Counter(pile)).elements()]
    assert set(things) <= {"houses", "land", "sea", "scored", "marker"}, f"unknown: {set(things)}"
    return {
        "coins": coins,
        "goods": {good: stored.split().count(good) for good in GOODS},
        "hand": sorted(hand, key=KIND_ORDER.index),
        "pile": sorted(pile, key=KIND_ORDER.index),
        "top": pile[-1] if pile else "none",
        "hidden": 0,
        "hidden_pile": 0,
        "secret": [],
        "secret_pile": [],
        "houses": [],
        "land": [ROMA],
        "sea": [ROMA],
        "scored": False,
        "marker": 0,
    } | things


def situation(players: list[State], name: str = "italia", **known: Any) -> State:
    """A full state of a map. What is not known is filled in, so that every card and token is somewhere.

    Cards that must have left the deck but lie nowhere are in the last seat's hand. ``deck`` (as a rule True)
    says whether the deck holds the rest; without it the last seat has that too.
    """
    seats = [dict(seat) for seat in players]
    state = EmptyTable(len(players), name).state() | {"phase": "main", "turn": known.get("mover", "p1")}
    state["tokens"] = tokens_of(name, known.pop("tokens", {}))
    sold = cards_held(seats, len(players))
    row = known.pop("row", None)
    if row is None:
        row = [ware(card) for card in left_after(sold, len(players))[:ROW]]
    state["row"] = row
    out = taken(sold, row, len(players))
    rest = left_after(out, len(players))
    last = max((card.numeral for card in out), default=1) if known.pop("deck", True) else len(NUMERALS) + 1
    for card in rest:
        if card.numeral < last:
            seats[-1]["hand"] = sorted([*seats[-1]["hand"], card.kind], key=KIND_ORDER.index)
    unseen = [card for card in rest if card.numeral >= last]
    state["deck"] = len(unseen)
    state["unseen"] = {
        NUMERALS[n - 1]: [ware(card) for card in unseen if card.numeral == n]
        for n in sorted({card.numeral for card in unseen})
    }
    return state | {"players": [in_board_order(seat, name) for seat in seats]} | known


def tokens_of(name: str, wanted: dict[str, str]) -> dict[str, str]:
    """A good for every city: the wanted ones, and the other tokens of each letter in their order."""
    where = board(name)
    left = {letter: Counter(tokens) for letter, tokens in box()["tokens"].items()}
    for city, good in wanted.items():
        left[where.letter_of[city]][good] -= 1
        assert left[where.letter_of[city]][good] >= 0, f"there is no token {good} left for {city}"
    others = {letter: [good for good in GOODS for _ in range(left[letter][good])] for letter in left}
    return {city: wanted.get(city) or others[where.letter_of[city]].pop(0) for city in where.cities}


def cards_held(seats: list[State], number: int) -> list[Card]:
    """Cards for sale that somebody owns, the earliest of each kind."""
    held = Counter(kind for seat in seats for kind in (*seat["hand"], *seat["pile"]))
    for kind in START_HAND:
        held[kind] -= number * START_HAND[kind]
    return taken([], list(held.elements()), number)


def taken(out: list[Card], names: list[str], number: int) -> list[Card]:
    """The cards that are out, with the first ones of these names or kinds as well."""
    found = list(out)
    for name in names:
        rest = left_after(found, number)
        found.append(next(card for card in rest if name in (ware(card), card.kind)))
    return found


def left_after(out: list[Card], number: int) -> list[Card]:
    """The cards for sale with so many seats that are not out."""
    rest = [card for card in FOR_SALE if card.numeral <= number]
    for card in out:
        rest.remove(card)
    return rest


def in_board_order(seat: State, name: str) -> State:
    """Houses and colonists as a state lists them."""
    where = board(name)
    houses = [city for city in where.cities if city in seat["houses"]]
    return seat | {"houses": houses} | {sort: where.ordered(sort, seat[sort]) for sort in SORTS}


# -- tables for tests ---------------------------------------------------------------------------------------

SetTable = Callable[..., Table]


def tables(engine: str) -> SetTable:
    """What sets a table of an engine: its seats, and what is known of it."""

    def made(*seats: State, name: str = "italia", first: bool = False, **known: Any) -> Table:
        return set_table(engine, situation(list(seats), name, **known), name + "-first" * first)

    return made


def seat(table: Table, number: int = 1) -> State:
    """What a seat has."""
    return dict(table.state()["players"][number - 1])


def goods(table: Table, number: int = 1) -> str:
    """The goods of a seat, as words."""
    return " ".join(good for good, count in seat(table, number)["goods"].items() for _ in range(count))


def turn_of(table: Table) -> tuple[str, str]:
    """Whose turn it is, and its phase: "main" at its beginning."""
    state = table.state()
    return state["mover"], state["phase"]
