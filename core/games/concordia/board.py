"""The table and the turns of Concordia for people; see `serai.core.display`. Maps and prices are as shipped.

>>> "".join(text for text, _ in sentence({}, ["play=mercator", "sell=cloth*1", "buy=brick*2"], {}))
'takes 3 coins, sells 1 cloth, buys 2 brick'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from serai.core.display import SeatLabel, Spans, pad, width_of
from serai.core.games.concordia.components import PLACES, load_components
from serai.core.games.concordia.layout import ROWS
from serai.core.games.concordia.picture import LAND, LETTERS, SEA, SEATS, picture
from serai.core.games.concordia.telling import sentence, tile
from serai.core.games.concordia.words import GOODS

__all__ = ["render", "sentence", "table"]

LEGEND = f"{LAND} land {SEA} sea  12 houses of p1 p2  +C bonus $2 coins  Brick Food Tool Wine Cloth"
PROVINCE_ROWS = 6
PLAIN = 96  # columns of a table without a terminal
WIDE, PANEL = 146, 48  # from so many columns on, provinces and cards stand in a panel beside the map


def table(state: dict[str, Any], labels: Sequence[SeatLabel], width: int) -> list[Spans]:
    """The map, the provinces, the row of cards, then three lines for each seat."""
    lines = _beside(state, width) if width >= WIDE else _below(state, width)
    lines.append(_status(state))
    for seat, label in enumerate(labels):
        lines += _seat(state, seat, label, width)
    return [pad(line, width) if width_of(line) > width else line for line in lines]


def _below(state: dict[str, Any], width: int) -> list[Spans]:
    drawn, left = picture(state, width)
    return [
        *drawn,
        _legend(left),
        *_two_columns(_provinces(state), width),
        *_row(state, width),
    ]


def _beside(state: dict[str, Any], width: int) -> list[Spans]:
    """The map, and to its right provinces and cards."""
    panel: list[Spans] = [*_provinces(state), []]
    for place, extra, role, cost, god in _cards_for_sale(state):
        panel.append(
            [(f"{place} {extra:<5}", "faint"), (f"{role:<10}", "strong"), (f"{cost:<3}", ""), (god, "faint")]
        )
    panel += [[]] * (ROWS - len(panel))
    drawn, left = picture(state, width - PANEL)
    lines = [[*line, *item] for line, item in zip(drawn, panel[:ROWS], strict=True)]
    return [*lines, _legend(left)]


def _legend(left: list[str]) -> Spans:
    """What the marks mean; instead, what found no room on the map, if there is such a thing."""
    return [("no room for: ", "alert"), (", ".join(left), "strong")] if left else [(LEGEND, "faint")]


def render(state: dict[str, Any], scores: Sequence[int]) -> str:
    """The table as plain text."""
    labels = [SeatLabel("", points) for points in scores]
    lines = table(state, labels, PLAIN)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def letters(goods: dict[str, int]) -> str:
    """Goods as letters: ``BFFW``."""
    return "".join(LETTERS[good] * goods.get(good, 0) for good in GOODS)


# ---- provinces, the row of cards, the state of play


def _provinces(state: dict[str, Any]) -> list[Spans]:
    """``+C VENETIA bauzanum aquileia verona``: the bonus, or its coins, and the cities."""
    side = load_components().map_named(state["map"])
    lines: list[Spans] = []
    for index, province in enumerate(side.provinces):
        cities = " ".join(side.cities[i].name for i in side.cities_of(index))
        lines.append([_tile(state, province), (f" {province.upper()} ", ""), (cities, "faint")])
    return lines


def _two_columns(entries: list[Spans], width: int) -> list[Spans]:
    entries = entries + [[]] * (2 * PROVINCE_ROWS - len(entries))
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


def _cards_for_sale(state: dict[str, Any]) -> list[tuple[int, str, str, str, str]]:
    """Number and cost of each place in the row, role, cost and god of its card."""
    box = load_components()
    cards = {card.name: card for card in box.cards}
    row = []
    for number, place in enumerate(box.places):
        extra = "?" * place.any + _cost(place.goods) or "free"
        name = state["row"][number] if number < len(state["row"]) else ""
        card = cards.get(name)
        if card is None:
            row.append((number + 1, extra, name, "", ""))
            continue
        kind = box.kinds[card.kind]
        role = f"{kind.role}{kind.coins or ''}"
        row.append((number + 1, extra, role, _cost(card.cost), kind.god))
    return row


def _row(state: dict[str, Any], width: int) -> list[Spans]:
    """Three lines: the place and what it costs; the card; what the card costs, and its god."""
    lines: list[Spans] = [[("cards ", "faint")], [("      ", "")], [("      ", "")]]
    for place, extra, role, cost, god in _cards_for_sale(state):
        cells: list[Spans] = [
            [(f"{place} {extra}", "faint")],
            [(role, "strong")],
            [(cost, ""), (f" {god}", "faint")],
        ]
        for line, cell in zip(lines, cells, strict=True):
            line += [*pad(cell, (width - 6) // PLACES - 1), (" ", "")]
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
        shared = " and sea" if phase == "land" and _has_sea_colonists(state) else ""
        return f": {state['steps']} steps for {phase}{shared}; " + " ".join(state["placed"])
    if phase in ("hire", "pay"):
        places = " ".join(map(str, state["hired"]))
        return (f": places {places}" if places else "") + (
            f", {state['owed']} ? to pay" if state["owed"] else ""
        )
    if phase == "keep":
        return f": {state['turn']} keeps of {letters(state['keeping'])}"
    return f": {state['last']}" if state["last"] else ""


def _has_sea_colonists(state: dict[str, Any]) -> bool:
    """Those of the mover use the steps that its land colonists leave."""
    return bool(state["players"][int(state["mover"][1:]) - 1]["sea"])


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
        (f" {_some(player['coins'], 'coin'):<9}", "gold"),
        (f" {_some(len(player['houses']), 'house'):<9}", ""),
        (f" {label.points:>3}", "strong"),
        (" points ", ""),
        ("magnus " if state["magnus"] == name else "", "strong"),
        ("concordia " if state["concordia"] == name else "", "alert"),
        (label.note, ""),
    ]
    return [head, _cards("hand", player["hand"], player["hidden"], width), _pile(player, width)]


def _some(number: int, thing: str) -> str:
    return f"{number:>3} {thing}{'s' * (number != 1)}"


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
