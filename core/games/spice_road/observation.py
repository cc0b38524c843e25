"""What a seat sees, as numbers. The layout is in this folder's README.md and asserted by a test."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from serai.core.games.spice_road.components import COLOURS, Card, Components
from serai.core.games.spice_road.notation import PHASES


def observe_state(cards: Components, state: dict[str, Any], seat: int) -> NDArray[np.float32]:
    """Float32 vector of the state dictionary of a view, own seat first, then the others in turn order."""
    seats = state["seats"]
    values = [float(phase == state["phase"]) for phase in PHASES]
    values += [float(state["turn"] == f"p{(seat + i) % seats + 1}") for i in range(seats)]
    values += [state["gold"], state["silver"], state["merchants_left"], state["points_left"]]
    values += [float(state["last_round"]), state["taking"], state["paid"], seat]
    for i in range(6):
        values += _market_slot(cards, state["market"], i)
    for i in range(5):
        values += _point_slot(cards, state["points"], i)
    for i in range(seats):
        values += _player(cards, state["players"][(seat + i) % seats])
    return np.asarray(values, dtype=np.float32)


def _cubes(text: str) -> list[float]:
    return [float(text.count(colour)) for colour in COLOURS]


def _card(card: Card) -> list[float]:
    return [*map(float, card.give), *map(float, card.get), float(card.upgrades)]


def _market_slot(cards: Components, market: list[dict[str, str]], index: int) -> list[float]:
    if index >= len(market):
        return [0.0] * 14
    card = next(card for card in cards.cards if card.name == market[index]["card"])
    return [1.0, *_card(card), *_cubes(market[index]["cubes"])]


def _point_slot(cards: Components, row: list[str], index: int) -> list[float]:
    if index >= len(row):
        return [0.0] * 6
    card = next(card for card in cards.points if card.name == row[index])
    return [1.0, *map(float, card.cost), float(card.points)]


def _player(cards: Components, player: dict[str, Any]) -> list[float]:
    points = {card.name: card.points for card in cards.points}
    known = sum(points.get(name, 0) for name in player["claimed"])
    hand, played = set(player["hand"]), set(player["played"])
    return [
        *_cubes(player["caravan"]),
        float(known),
        float(len(player["claimed"])),
        float(player["gold"]),
        float(player["silver"]),
        float(player["hidden"]),
        *(float(card.name in hand) for card in cards.cards),
        *(float(card.name in played) for card in cards.cards),
    ]
