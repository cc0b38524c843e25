"""A turn of Concordia in words, from its tokens and the state before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from serai.core.display import Spans
from serai.core.games.concordia.components import Good, load_components
from serai.core.games.concordia.words import GOODS, SPECIALISTS


def sentence(state: dict[str, Any], tokens: Sequence[str]) -> Spans:
    """What a turn did, from the state before it."""
    pairs = [token.partition("=")[::2] for token in tokens]
    kind = next((value for verb, value in pairs if verb == "play"), "")
    told = _told(state, kind, pairs)
    kept = [value for verb, value in pairs if verb == "keep"]
    if kept:
        told += f"; kept: {' '.join(kept)}"
    line: Spans = [(told, "")]
    new = [value for verb, value in pairs if verb == "~card"]
    return [*line, ("   new: ", "faint"), (" ".join(new), "")] if new else line


Pairs = Sequence[tuple[str, str]]


def tile(state: dict[str, Any], province: str) -> Good | None:
    """The good on a province's tile, the dearest one of its cities; None while one of them has no token."""
    box = load_components()
    side = box.map_named(state["map"])
    if province not in side.provinces:
        return None
    names = [side.cities[city].name for city in side.cities_of(side.provinces.index(province))]
    if not all(name in state["tokens"] for name in names):
        return None
    goods = [box.goods[GOODS.index(state["tokens"][name])] for name in names]
    return max(goods, key=lambda good: good.price)


def _some(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _told(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    role = kind.partition("-")[0].rstrip("0123456789")
    if role in SPECIALISTS:
        return f"produces {GOODS[SPECIALISTS.index(role)]} with the {role}"
    tell = {
        "tribune": _tribune,
        "architect": _architect,
        "prefect": _prefect,
        "mercator": _mercator,
        "diplomat": _diplomat,
        "senator": _hire,
        "consul": _hire,
        "colonist": _colonist,
    }.get(role)
    if tell is None:
        return " ".join(f"{verb}={value}" for verb, value in pairs if not verb.startswith("~"))
    return tell(state, kind, pairs)


def _values(pairs: Pairs, verb: str) -> list[str]:
    return [value for name, value in pairs if name == verb]


def _mover(state: dict[str, Any]) -> dict[str, Any]:
    player: dict[str, Any] = state["players"][int(state["mover"][1:]) - 1]
    return player


def _tribune(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    player = _mover(state)
    number = len(player["pile"]) + player["hidden_pile"] + 1
    coins = f" for {_some(number - 3, 'coin')}" if number > 3 else ""
    sort = [value for value in _values(pairs, "colonist") if value != "none"]
    colonist = f", a {sort[0]} colonist to roma" if sort else ""
    return f"takes {_some(number, 'card')} back{coins}{colonist}"


def _architect(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    """Only the lines that were empty of own colonists before are worth a word."""
    player = _mover(state)
    parts = []
    for sort in ("land", "sea"):
        moved = Counter(_values(pairs, sort)) - Counter(player[sort])
        if moved:
            parts.append(f"by {sort} to {', '.join(moved.elements())}")
    houses = _values(pairs, "house")
    moves = f"moves {' and '.join(parts)}" if parts else ""
    builds = f"builds {', '.join(houses)}" if houses else ""
    return "; ".join(part for part in (moves, builds) if part) or "moves nobody far"


def _prefect(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    provinces = _values(pairs, "produce")
    if provinces:
        good = tile(state, provinces[0])
        number = "2 " if state["magnus"] == state["mover"] else ""
        return f"lets {provinces[0]} produce" + (f", bonus {number}{good.name}" if good else "")
    tiles = [tile(state, province) for province in state["coin_side"]]
    coins = sum(good.bonus_coins for good in tiles if good)
    return f"takes {coins} coins for {_some(len(tiles), 'province')}"


def _mercator(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    coins = {item.name: item.coins for item in load_components().kinds}.get(kind)
    parts = [f"takes {coins} coins" if coins is not None else "trades"]
    for verb, value in pairs:
        if verb in ("sell", "buy"):
            good, _, number = value.partition("*")
            parts.append(f"{verb}s {number} {good}")
    return ", ".join(parts)


def _diplomat(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    copied = _values(pairs, "copy")
    if not copied:
        return "finds nobody to copy"
    rest = [pair for pair in pairs if pair[0] not in ("play", "copy")]
    return f"copies {copied[0]}: {_told(state, copied[0], rest)}"


def _hire(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    row = state["row"]
    hired = [row[int(place) - 1] for place in _values(pairs, "hire")]
    paid = _values(pairs, "pay")
    free = f", ? paid with {' '.join(paid)}" if paid else ""
    return f"hires {' and '.join(hired)}{free}" if hired else "hires nobody"


def _colonist(state: dict[str, Any], kind: str, pairs: Pairs) -> str:
    if "cash" in (verb for verb, _ in pairs):
        player = _mover(state)
        return f"takes {5 + len(player['land']) + len(player['sea'])} coins for the colonists"
    placed = [value.replace("-", " ", 1) for value in _values(pairs, "colonist")]
    return f"settles {', '.join(placed)}" if placed else "settles nobody"
