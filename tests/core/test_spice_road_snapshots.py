"""Snapshots that no game could lead to are refused."""

from __future__ import annotations

import pytest
from reference.spice_road_situations import player, situation
from reference.tables import State

from serai.core import CHANCE, NotationError, load


@pytest.mark.parametrize(("turn", "possible"), [("p1", False), ("p2", False), ("p3", True), ("p4", True)])
def test_who_has_triggered_the_end_is_never_to_act_again(turn: str, possible: bool) -> None:
    """A snapshot may not say otherwise: such a seat could claim more cards than there is room for."""
    claimed = ["yyrb=9", "yyygg=9", "rrgg=10", "rrrrr=10", "yybb=10"]
    players = [player("yyrr"), player("yyrr", claimed=claimed), player("yyrr"), player("yyrr")]
    state = situation(players, turn=turn, points=["yyrr=6", "yyyrr=7", "rrrr=8", "yygg=8", "yyrrr=8"])
    game = load("spice_road;players=4")
    if possible:
        assert game.from_state(state).legal_tokens()[0] == "claim=1"
        return
    with pytest.raises(NotationError, match="has had its last turn"):
        game.from_state(state)


def dealt(outcomes: int) -> State:
    """The set-up of three seats, so far."""
    position = load("spice_road;players=3").start()
    for _ in range(outcomes):
        position = position.apply(position.legal_tokens()[0])
    assert position.to_act == CHANCE
    state: State = position.state()
    return state


@pytest.mark.parametrize("outcomes", [0, 5, 6, 10])
def test_the_set_up_is_dealt_in_the_turn_of_the_last_seat(outcomes: int) -> None:
    """So that the turn passes to the first."""
    game, state = load("spice_road;players=3"), dealt(outcomes)
    assert game.from_state(state).state() == state
    for mover in ("p1", "p2"):
        with pytest.raises(NotationError, match="is not possible here"):
            game.from_state(state | {"mover": mover})


@pytest.mark.parametrize("outcomes", [0, 5, 6, 10])
def test_nobody_has_done_anything_before_more_than_one_card_is_dealt(outcomes: int) -> None:
    game, state = load("spice_road;players=3"), dealt(outcomes)
    state["players"][1]["caravan"] = "yyyyrr"
    one_missing = outcomes in (5, 10)
    if one_missing:  # as if the last seat had taken or claimed it
        assert game.from_state(state).to_act == CHANCE
        return
    with pytest.raises(NotationError, match="is not possible here"):
        game.from_state(state)
