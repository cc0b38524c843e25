"""The second readings of the rules by the names of their games, and what the tools for all of them need."""

from __future__ import annotations

from typing import Any, Protocol, Self

from reference.concordia import Reference as Concordia
from reference.spice_road import Reference as SpiceRoad

from serai.core.spec import Spec

CHANCE = "chance"
OVER = "over"
WISHES = {"spice_road": ("claim=",), "concordia": ("house=", "hire=")}
"""What random games prefer so that they come to an end, or to many things on the table."""


class Reading(Protocol):
    """A game in progress, as a second reading of its rules sees it."""

    seats: int

    def to_act(self) -> int | str:
        """The seat that decides, CHANCE or OVER."""

    def legal(self) -> list[str]:
        """Every decision of the seat to act, or every outcome of the chance event."""

    def apply(self, token: str) -> None:
        """Make one legal event happen."""

    def copy(self) -> Self:
        """An independent game in the same state."""

    def pile_at_hand(self) -> tuple[str, list[str], list[str]]:
        """At a chance event: name of the pile, its outcomes in the published order, and those still in it."""

    def weights(self) -> dict[str, float]:
        """At a chance event: the probability of each outcome."""

    def state(self) -> dict[str, Any]:
        """Everything on the table."""

    def scores(self) -> list[int]:
        """The points of each seat."""

    def ranks(self) -> list[int]:
        """The place of each seat."""


def new_game(spec: Spec) -> Reading:
    """The game before its first chance event."""
    if spec.game == "concordia":
        return Concordia(spec.players, spec.variant)
    assert (spec.game, spec.variant) == ("spice_road", "base"), f"no second reading of {spec}"
    return SpiceRoad(spec.players)


def game_in(state: dict[str, Any], variant: str = "base") -> Reading:
    """The game that a state describes."""
    if state["game"] == "concordia":
        return Concordia.from_state(state, first_game=variant.endswith("-first"))
    return SpiceRoad.from_state(state)


def wished_for(game: str, legal: list[str]) -> list[str]:
    """Those of the legal events that bring a game forward."""
    return [token for token in legal if token.startswith(WISHES[game])]
