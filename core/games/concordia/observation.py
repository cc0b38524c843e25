"""What a seat sees, as numbers. The layout is in this folder's README.md and asserted by a test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serai.core.games.concordia.components import Components
from serai.core.games.concordia.maps import Map
from serai.core.games.concordia.words import GOODS, NUMERAL_NAMES

PHASES = (
    *("token", "card", "main", "copy", "tribune", "land", "sea", "build"),
    *("prefect", "keep", "trade", "hire", "pay", "colonist", "over"),
)
LAST = ("sell", "buy", "house", "pay", "colonist-land", "colonist-sea")  # what the key `last` may name


def observe_state(box: Components, state: dict[str, Any], seat: int) -> NDArray[np.float32]:
    """Float32 vector of the state dictionary of a view, own seat first, then the others in turn order."""
    side = box.map_named(state["map"])
    seats = state["seats"]
    names = [f"p{(seat + i) % seats + 1}" for i in range(seats)]
    values = _marks(PHASES, [state["phase"]])
    for key in ("turn", "mover", "magnus", "concordia"):
        values += _marks(names, [state[key]])
    values += [state["deck"], float(state["vague"]), seat]
    values += _table(box, side, state)
    values += _under_way(box, side, state)
    for i in range(seats):
        values += _player(box, side, state["players"][(seat + i) % seats])
    return np.asarray(values, dtype=np.float32)


def _marks(things: Iterable[str], present: Iterable[str]) -> list[float]:
    """How often each thing is present."""
    counts = Counter(present)
    return [float(counts[thing]) for thing in things]


def _kinds(box: Components) -> list[str]:
    return [kind.name for kind in box.kinds]


def _cities(side: Map) -> list[str]:
    return [city.name for city in side.cities]


def _places(side: Map, sort: str) -> list[str]:
    """Where a colonist can be: the lines of its sort, then the cities."""
    lines = side.land if sort == "land" else side.sea
    return [*map(side.name_of, lines), *_cities(side)]


# ---- blocks


def _table(box: Components, side: Map, state: dict[str, Any]) -> list[float]:
    values: list[float] = []
    for city in _cities(side):
        values += _marks(GOODS, [state["tokens"].get(city, "")])
    values += _marks(side.provinces, state["coin_side"])
    for place in range(len(box.places)):
        values += _card(box, state["row"], place)
    unseen = {(numeral, name) for numeral, names in state["unseen"].items() for name in names}
    for card in box.cards:
        values.append(float((NUMERAL_NAMES[card.numeral - 1], card.name) in unseen))
    return values


def _card(box: Components, row: Sequence[str], place: int) -> list[float]:
    if place >= len(row):
        return [0.0] * (len(GOODS) + len(box.kinds))
    card = next(card for card in box.cards if card.name == row[place])
    return [*map(float, card.cost), *_marks(_kinds(box), [box.kinds[card.kind].name])]


def _under_way(box: Components, side: Map, state: dict[str, Any]) -> list[float]:
    phase, placed = state["phase"], state["placed"]
    return [
        *_marks(_kinds(box), [state["card"]]),
        float(state["steps"]),
        float(state["owed"]),
        *_marks(_places(side, "land"), placed if phase == "land" else ()),
        *_marks(_places(side, "sea"), placed if phase == "sea" else ()),
        *_marks(map(str, range(1, len(box.places) + 1)), map(str, state["hired"])),
        *(float(state["keeping"].get(good, 0)) for good in GOODS),
        *_marks(side.provinces, [state["producing"]]),
        *_last(side, state["last"]),
    ]


def _last(side: Map, token: str) -> list[float]:
    """The decision that bounds the next ones: what it was, its good, its city, how many goods."""
    verb, _, value = token.partition("=")
    if verb == "colonist":
        sort, _, value = value.partition("-")
        verb = f"{verb}-{sort}"
    thing, _, number = value.partition("*")
    return [
        *_marks(LAST, [verb]),
        *_marks(GOODS, [thing]),
        *_marks(_cities(side), [thing]),
        float(number or 0),
    ]


def _player(box: Components, side: Map, player: dict[str, Any]) -> list[float]:
    return [
        float(player["coins"]),
        *(float(player["goods"].get(good, 0)) for good in GOODS),
        float(player["hidden"]),
        float(player["hidden_pile"]),
        float(player["scored"]),
        float(player["marker"]),
        *_marks(_kinds(box), player["hand"]),
        *_marks(_kinds(box), player["pile"]),
        *_marks(_kinds(box), [player["top"]]),
        *_marks(_cities(side), player["houses"]),
        *_marks(_places(side, "land"), player["land"]),
        *_marks(_places(side, "sea"), player["sea"]),
    ]
