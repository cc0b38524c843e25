"""Snapshots that no game could lead to are refused."""

from __future__ import annotations

import pytest
from reference.spice_road_situations import player, situation

from serai.core import NotationError, load


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
