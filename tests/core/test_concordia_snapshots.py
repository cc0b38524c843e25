"""Snapshots of Concordia that no game could lead to are refused."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from reference.concordia_box import board
from reference.concordia_situations import player, situation
from reference.tables import State

from serai.core import NotationError, load
from serai.core.spec import Spec

Change = Callable[[State], object]


def valid() -> State:
    """Two seats in the middle of a game."""
    mine = player(
        "food tool wine", 7, pile=["architect"], houses=["cosa"], land=["roma-cosa"], hand=["mason"]
    )
    return situation([mine, player(pile=["prefect", "mercator"], sea=["roma-olbia"])], coin_side=["etruria"])


def seat(state: State, number: int = 1) -> State:
    found: State = state["players"][number - 1]
    return found


IMPOSSIBLE: dict[str, Change] = {
    "two colonists on one line": lambda s: seat(s, 2).update(land=["roma-cosa"]),
    "a colonist on no line": lambda s: seat(s).update(land=["roma-verona"]),
    "a ship on land": lambda s: seat(s).update(sea=["roma-casinum"]),
    "four colonists": lambda s: seat(s).update(land=["roma"] * 4),
    "a house in Roma": lambda s: seat(s).update(houses=["roma"]),
    "a house twice": lambda s: seat(s).update(houses=["cosa", "cosa"]),
    "an unknown city": lambda s: seat(s).update(houses=["aquae"]),
    "more goods than slots": lambda s: seat(s)["goods"].update(cloth=9),
    "goods below nothing": lambda s: seat(s)["goods"].update(cloth=-1),
    "coins below nothing": lambda s: seat(s).update(coins=-1),
    "a card too many": lambda s: seat(s)["hand"].append("prefect"),
    "a card too few": lambda s: seat(s)["hand"].remove("prefect"),
    "a played tribune": lambda s: (seat(s)["hand"].remove("tribune"), seat(s)["pile"].append("tribune")),
    "a top that is not on the pile": lambda s: seat(s).update(top="senator"),
    "a pile without a top": lambda s: seat(s).update(top="none"),
    "a row that is too short": lambda s: s["row"].pop(),
    "a card twice": lambda s: s["row"].__setitem__(0, s["row"][1]),
    "a deck of another size": lambda s: s.update(deck=s["deck"] + 1),
    "no token": lambda s: s["tokens"].pop("cosa"),
    "a token too many": lambda s: s["tokens"].update(verona="cloth", comum="cloth"),
    "an unknown province": lambda s: s.update(coin_side=["venus"]),
    "Concordia without a reason": lambda s: s.update(concordia="p2"),
    "steps of nobody": lambda s: s.update(steps=2),
    "a card that nobody plays": lambda s: s.update(card="architect"),
    "an unknown phase": lambda s: s.update(phase="dream"),
    "a phase with nothing to ask": lambda s: s.update(phase="pay", card="senator", owed=1),
    "goods for nobody": lambda s: s.update(phase="keep", card="prefect", producing="etruria"),
    "a decision of another phase": lambda s: s.update(last="house=cosa"),
    "a third seat": lambda s: s.update(mover="p3", turn="p3"),
    "the wrong seat to act": lambda s: s.update(turn="p2"),
    "a scoring in the middle": lambda s: seat(s).update(scored=True),
    "hidden cards in a state that is not vague": lambda s: seat(s).update(hidden=1),
    "another map": lambda s: s.update(map="imperium"),
    "another game": lambda s: s.update(game="spice_road"),
}


def test_the_state_itself_is_possible() -> None:
    assert load("concordia;players=2").from_state(valid()).state() == valid()


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_could_not_be_is_refused(name: str) -> None:
    state = copy.deepcopy(valid())
    IMPOSSIBLE[name](state)
    with pytest.raises(NotationError):
        load("concordia;players=2").from_state(state)


@pytest.mark.parametrize("mover", ["p1", "p2", "p3"])
def test_who_has_triggered_the_end_has_no_turn(mover: str) -> None:
    fifteen = board("italia").cities[:15]
    state = situation([player(), player(houses=fifteen), player()], concordia="p2", mover=mover)
    game = load(Spec("concordia", 3))
    if mover == "p2":
        with pytest.raises(NotationError):
            game.from_state(state)
    else:
        assert "play=tribune" in game.from_state(state).legal_tokens()
