"""Tables for rule tests: a short description of a situation becomes a full state, played by either reading.

Every rule test runs twice, on the compiled rules and on the reference, so that a wrong expectation shows as
well as a wrong rule.
"""

from __future__ import annotations

from typing import Any, Protocol

from reference.spice_road import COLOURS, Reference

State = dict[str, Any]


class Table(Protocol):
    """What a rule test needs of a game in progress."""

    def legal(self) -> list[str]:
        """Tokens of the events that may come next, sorted."""

    def play(self, *tokens: str) -> Table:
        """Make events happen, and give the table back."""

    def state(self) -> State:
        """Everything on the table."""

    def scores(self) -> list[int]:
        """Points of each seat."""

    def ranks(self) -> list[int]:
        """Place of each seat."""


class ReferenceTable:
    """The reference as a table."""

    def __init__(self, game: Reference) -> None:
        self.game = game
        self.state = game.state
        self.scores = game.scores
        self.ranks = game.ranks

    def legal(self) -> list[str]:
        """Tokens of the events that may come next, sorted."""
        return sorted(self.game.legal())

    def play(self, *tokens: str) -> Table:
        """Make events happen, and give the table back."""
        for token in tokens:
            self.game.apply(token)
        return self


class CoreTable:
    """The compiled rules as a table."""

    def __init__(self, position: Any) -> None:
        self.position = position

    def legal(self) -> list[str]:
        """Tokens of the events that may come next, sorted."""
        return sorted(self.position.legal_tokens()) if self.position.to_act >= -1 else []

    def play(self, *tokens: str) -> Table:
        """Make events happen, and give the table back."""
        for token in tokens:
            self.position = self.position.apply(token)
        return self

    def state(self) -> State:
        """Everything on the table."""
        state: State = self.position.state()
        return state

    def scores(self) -> list[int]:
        """Points of each seat."""
        return list(self.position.scores())

    def ranks(self) -> list[int]:
        """Place of each seat."""
        return list(self.position.ranks())


def new_table(engine: str, seats: int) -> Table:
    """A game before its first chance event."""
    if engine == "reference":
        return ReferenceTable(Reference(seats))
    from serai.core import load

    return CoreTable(load(f"spice_road;players={seats}").start())


def set_table(engine: str, state: State) -> Table:
    """A game that starts from a state."""
    if engine == "reference":
        return ReferenceTable(Reference.from_state(state))
    from serai.core import load

    return CoreTable(load(f"spice_road;players={state['seats']}").from_state(state))


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
