"""Situations of Century: Spice Road: a short description becomes a full state, played by either reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference import tables
from reference.spice_road import COLOURS, Reference
from reference.tables import State, Table, set_table

from serai.core.spec import Spec

SetTable = Callable[[State], Table]


def player(caravan: str = "yyy", **things: Any) -> State:
    """One seat; a starting card that is not said to be played is in the hand."""
    seat = {
        "hand": [],
        "hidden": 0,
        "secret": [],
        "played": [],
        "claimed": [],
        "veiled": [],
        "gold": 0,
        "silver": 0,
        **things,
    }
    lying = {*seat["hand"], *seat["played"]}
    cards = list(Reference(2).cards)
    seat["hand"] = sorted([*seat["hand"], *({"+yy", "up2"} - lying)], key=cards.index)
    seat["played"] = sorted(seat["played"], key=cards.index)
    return {"caravan": "".join(sorted(caravan, key=COLOURS.index)), **seat}


def situation(players: list[State], **known: Any) -> State:
    """A full state. What is not known is filled in, so that every card and coin is somewhere.

    A market card is written with the cubes on it after a space: "yy>g yr".
    """
    fresh = Reference(len(players))
    held = {card for seat in players for card in (*seat["hand"], *seat["played"], *seat["claimed"])}
    market = known.pop("market", [card for card in fresh.merchants if card not in held][:6])
    points = known.pop("points", [card for card in fresh.goals if card not in held][:5])
    stalls = [text.partition(" ") for text in market]
    lying = held | {card for card, _, _ in stalls} | set(points)
    state = fresh.state() | {"turn": "p1", "phase": "main", "points": points, "players": players}
    del state["mover"]
    state["market"] = [{"card": card, "cubes": cubes} for card, _, cubes in stalls]
    state["merchants_left"] -= len(lying.intersection(fresh.merchants))
    state["points_left"] -= len(lying.intersection(fresh.goals))
    for metal in ("gold", "silver"):
        state[metal] -= sum(seat[metal] for seat in players)
    state["last_round"] = any(len(seat["claimed"]) >= fresh.target for seat in players)
    return state | known


# -- tables for tests ---------------------------------------------------------------------------------------


def new_table(engine: str, seats: int) -> Table:
    """A game before its first chance event."""
    return tables.new_table(engine, Spec("spice_road", seats))


def table_setter(engine: str) -> SetTable:
    """What sets a table of an engine to a situation."""
    return lambda state: set_table(engine, state)


def caravan(table: Table, seat: int = 1) -> str:
    """The cubes of a seat."""
    return str(table.state()["players"][seat - 1]["caravan"])
