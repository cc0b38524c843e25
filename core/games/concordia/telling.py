"""A turn of Concordia in words, from its tokens and the states before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from serai.core.display import Spans
from serai.core.games.concordia.components import Good, load_components
from serai.core.games.concordia.words import GOODS, SPECIALISTS

State = dict[str, Any]
Pairs = Sequence[tuple[str, str]]


def sentence(state: State, tokens: Sequence[str], after: State) -> Spans:
    """What a turn did, from the states before and after it."""
    pairs = [token.partition("=")[::2] for token in tokens]
    kind = next((value for verb, value in pairs if verb == "play"), "")
    told = "; ".join([_told(state, kind, pairs, after), *_kept(state, pairs, after)])
    line: Spans = [(told, "")]
    new = [value for verb, value in pairs if verb == "~card"]
    return [*line, ("   new: ", "faint"), (" ".join(new), "")] if new else line


def _kept(state: State, pairs: Pairs, after: State) -> list[str]:
    """``keeps 2 food, wine``: all that a seat kept where it had a choice, the goods without a token too."""
    seats = dict.fromkeys(verb.rpartition(":")[0] for verb, _ in pairs if verb.endswith("keep"))
    return [f"{seat} keeps {_got(state, after, seat or state['mover'])}".lstrip() for seat in seats]


def _got(state: State, after: State, seat: str) -> str:
    """The goods that a seat has more of than before."""
    had, has = (_player(each, seat)["goods"] for each in (state, after))
    more = {good: has[good] - had[good] for good in GOODS if has[good] > had[good]}
    return (
        ", ".join(good if number == 1 else f"{number} {good}" for good, number in more.items()) or "nothing"
    )


def _player(state: State, seat: str) -> State:
    player: State = state["players"][int(seat[1:]) - 1]
    return player


def tile(state: State, province: str) -> Good | None:
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


def _told(state: State, kind: str, pairs: Pairs, after: State) -> str:
    role = kind.partition("-")[0].rstrip("0123456789")
    tell = {
        **dict.fromkeys(SPECIALISTS, _specialist),
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
        return _going_on(state, pairs)
    return tell(state, kind, pairs, after)


def _going_on(state: State, pairs: Pairs) -> str:
    """Of a turn that was under way before the first event."""
    events = [
        f"{verb}={value}" for verb, value in pairs if not (verb.startswith("~") or verb.endswith("keep"))
    ]
    card = state.get("card", "none")
    return " ".join(events) if events or card == "none" else f"goes on with the {card}"


def _values(pairs: Pairs, verb: str) -> list[str]:
    return [value for name, value in pairs if name == verb]


def _mover(state: State) -> State:
    return _player(state, state["mover"])


def _specialist(state: State, kind: str, pairs: Pairs, after: State) -> str:
    """What there was no room for isn't told."""
    good = GOODS[SPECIALISTS.index(kind)]
    had, has = (_player(each, state["mover"])["goods"][good] for each in (state, after))
    return f"produces {f'{has - had} {good}' if has > had else 'nothing'} with the {kind}"


def _tribune(state: State, kind: str, pairs: Pairs, after: State) -> str:
    player = _mover(state)
    number = len(player["pile"]) + player["hidden_pile"] + 1
    coins = f" for {_some(number - 3, 'coin')}" if number > 3 else ""
    sort = [value for value in _values(pairs, "colonist") if value != "none"]
    colonist = f", a {sort[0]} colonist to roma" if sort else ""
    return f"takes {_some(number, 'card')} back{coins}{colonist}"


def _architect(state: State, kind: str, pairs: Pairs, after: State) -> str:
    """Only the lines that were empty of own colonists before are worth a word; some ends have no token."""
    had, has = (_player(each, state["mover"]) for each in (state, after))
    parts = []
    for sort in ("land", "sea"):
        moved: Counter[str] = Counter(has[sort]) - Counter(had[sort])
        if moved:
            parts.append(f"by {sort} to {', '.join(moved.elements())}")
    houses = _values(pairs, "house")
    moves = f"moves {' and '.join(parts)}" if parts else ""
    builds = f"builds {', '.join(houses)}" if houses else ""
    return "; ".join(part for part in (moves, builds) if part) or "moves nobody"


def _prefect(state: State, kind: str, pairs: Pairs, after: State) -> str:
    provinces = _values(pairs, "produce")
    if provinces:
        good = tile(state, provinces[0])
        number = "2 " if state["magnus"] == state["mover"] else ""
        return f"lets {provinces[0]} produce" + (f", bonus {number}{good.name}" if good else "")
    tiles = [tile(state, province) for province in state["coin_side"]]
    coins = sum(good.bonus_coins for good in tiles if good)
    return f"takes {coins} coins for {_some(len(tiles), 'province')}"


def _mercator(state: State, kind: str, pairs: Pairs, after: State) -> str:
    coins = {item.name: item.coins for item in load_components().kinds}.get(kind)
    parts = [f"takes {coins} coins" if coins is not None else "trades"]
    for verb, value in pairs:
        if verb in ("sell", "buy"):
            good, _, number = value.partition("*")
            parts.append(f"{verb}s {number} {good}")
    return ", ".join(parts)


def _diplomat(state: State, kind: str, pairs: Pairs, after: State) -> str:
    copied = _values(pairs, "copy")
    if not copied:
        return "finds nobody to copy"
    rest = [pair for pair in pairs if pair[0] not in ("play", "copy")]
    return f"copies {copied[0]}: {_told(state, copied[0], rest, after)}"


def _hire(state: State, kind: str, pairs: Pairs, after: State) -> str:
    row = state["row"]
    hired = [row[int(place) - 1] for place in _values(pairs, "hire")]
    paid = _values(pairs, "pay")
    free = f", ? paid with {' '.join(paid)}" if paid else ""
    return f"hires {' and '.join(hired)}{free}" if hired else "hires nobody"


def _colonist(state: State, kind: str, pairs: Pairs, after: State) -> str:
    if "cash" in (verb for verb, _ in pairs):
        player = _mover(state)
        return f"takes {5 + len(player['land']) + len(player['sea'])} coins for the colonists"
    placed = [value.replace("-", " ", 1) for value in _values(pairs, "colonist")]
    return f"settles {', '.join(placed)}" if placed else "settles nobody"
