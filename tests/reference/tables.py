"""Tables for rule tests: one face for both readings of the rules.

Every rule test runs twice, on the compiled rules and on the reference, so that a wrong expectation shows as
well as a wrong rule.
"""

from __future__ import annotations

from typing import Any, Protocol

from reference.readings import Reading, game_in, new_game

from serai.core import load
from serai.core.spec import Spec

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

    def __init__(self, game: Reading) -> None:
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


def new_table(engine: str, spec: Spec) -> Table:
    """A game before its first chance event."""
    return ReferenceTable(new_game(spec)) if engine == "reference" else CoreTable(load(spec).start())


def set_table(engine: str, state: State, variant: str = "base") -> Table:
    """A game that starts from a state."""
    if engine == "reference":
        return ReferenceTable(game_in(state, variant))
    return CoreTable(load(Spec(state["game"], state["seats"], variant=variant)).from_state(state))


def starting(table: Table, verb: str) -> list[str]:
    """Legal events that begin so."""
    return [token for token in table.legal() if token.startswith(verb)]


def deal(table: Table) -> Table:
    """Turn up cards until somebody has to decide."""
    while (legal := table.legal()) and legal[0].startswith("~"):
        table.play(legal[0])
    return table
