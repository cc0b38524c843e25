"""What lies in the box of Concordia: goods, tokens, cards and both maps, and how far apart lines are.

A copy of the facts of its own, in ``concordia_box.json``: the compiled rules read another file. Cities, lines
and cards are names; a line is "roma-cosa", its earlier city first. Two cities may have one on land and one at
sea.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

OWN_LIST = Path(__file__).with_name("concordia_box.json")
SORTS = ("land", "sea")
ROMA = "roma"


@dataclass(frozen=True)
class Card:
    """A person: what it does, whose god scores it, what it costs."""

    role: str
    god: str
    cost: tuple[str, ...] = ()
    coins: int = 0
    points: int = 0
    numeral: int = 0

    @property
    def kind(self) -> str:
        """What tells the card from others in a hand: diplomats differ by god, Mercators by coins."""
        if self.role == "mercator":
            return "mercator" if self.coins == 3 else f"mercator{self.coins}"
        return f"{self.role}-{self.god}" if self.role == "diplomat" else self.role


def card(entry: dict[str, Any], numeral: int = 0) -> Card:
    """A card of the list."""
    return Card(**{**entry, "cost": tuple(entry.get("cost", ()))}, numeral=numeral)


@cache
def box() -> dict[str, Any]:
    """The list as it is written."""
    loaded: dict[str, Any] = json.loads(OWN_LIST.read_text(encoding="utf-8"))
    return loaded


GOODS: tuple[str, ...] = tuple(good["name"] for good in box()["goods"])
PRICE: dict[str, int] = {good["name"]: good["price"] for good in box()["goods"]}
HOUSE_COINS: dict[str, int] = {good["name"]: good["house_coins"] for good in box()["goods"]}
TILE_COINS: dict[str, int] = {good["name"]: good["tile_coins"] for good in box()["goods"]}
SLOTS: tuple[tuple[str, ...], ...] = tuple(tuple(slot) for slot in box()["slots"])
STARTING: tuple[Card, ...] = tuple(card(entry) for entry in box()["starting"])
FOR_SALE: tuple[Card, ...] = tuple(
    card(entry, numeral)
    for numeral, entries in enumerate(box()["for_sale"].values(), start=1)
    for entry in entries
)
KINDS: dict[str, Card] = {each.kind: each for each in reversed((*STARTING, *FOR_SALE))}
KIND_ORDER: list[str] = list(dict.fromkeys(each.kind for each in (*STARTING, *FOR_SALE)))


COSTS: dict[str, set[tuple[str, ...]]] = {
    kind: {each.cost for each in FOR_SALE if each.kind == kind} for kind in KIND_ORDER
}


def ware(sold: Card) -> str:
    """The name of a card for sale: its kind, and its cost where not all of the kind cost the same."""
    return sold.kind if len(COSTS[sold.kind]) == 1 else f"{sold.kind}/{'+'.join(sold.cost)}"


def kind_of(name: str) -> str:
    """What a card for sale is in the hand."""
    return name.partition("/")[0]


WARES: dict[str, Card] = {ware(each): each for each in reversed(FOR_SALE)}


@dataclass(frozen=True)
class Board:
    """One map. Cities are in the order of the provinces; the start city is none of them."""

    name: str
    province_of: dict[str, str]
    letter_of: dict[str, str]
    lines: dict[str, tuple[str, ...]]
    steps: dict[str, dict[str, dict[str, int]]] = field(repr=False)
    """By kind: from a city or line to every line."""

    @property
    def cities(self) -> list[str]:
        """All cities that may hold a house."""
        return list(self.province_of)

    @property
    def provinces(self) -> list[str]:
        """The provinces in their order."""
        return list(dict.fromkeys(self.province_of.values()))

    def ordered(self, sort: str, places: list[str]) -> list[str]:
        """Lines before cities, each in their order."""
        order = [*self.lines[sort], ROMA, *self.cities]
        return sorted(places, key=order.index)

    def touches(self, kind: str, city: str) -> bool:
        """Whether a line of a kind begins in the city."""
        return any(city in ends(line) for line in self.lines[kind])


def ends(line: str) -> tuple[str, str]:
    """The two cities that a line joins."""
    first, second = line.split("-")
    return first, second


@cache
def board(name: str) -> Board:
    """A map by its name."""
    entry = box()["maps"][name]
    province_of = {city: part["name"] for part in entry["provinces"] for city in part["cities"]}
    letter_of = {city: part["letter"] for part in entry["provinces"] for city in part["cities"]}
    order = [ROMA, *province_of]
    lines = {kind: in_order(entry[kind], order) for kind in SORTS}
    steps = {kind: walks(lines[kind], order) for kind in SORTS}
    return Board(name, province_of, letter_of, lines, steps)


def in_order(lines: list[str], order: list[str]) -> tuple[str, ...]:
    """Lines by their earlier, then by their later city."""
    pairs = [sorted(ends(line), key=order.index) for line in lines]
    return tuple("-".join(pair) for pair in sorted(pairs, key=lambda pair: [order.index(c) for c in pair]))


def walks(lines: tuple[str, ...], cities: list[str]) -> dict[str, dict[str, int]]:
    """Steps from each city and from each line to every line that can be reached."""
    return {place: walk(place, lines) for place in (*cities, *lines)}


def walk(start: str, lines: tuple[str, ...]) -> dict[str, int]:
    """Out of a city onto a line is a step, and so is from a line through a city onto the next."""
    steps = {start: 0} if start in lines else {}
    shore = set(start.split("-"))
    count = 0
    while reached := [line for line in lines if line not in steps and shore & set(ends(line))]:
        count += 1
        steps |= dict.fromkeys(reached, count)
        shore |= {city for line in reached for city in ends(line)}
    return steps
