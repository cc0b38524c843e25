"""An engine where a seat decides something in the turn of another."""

from __future__ import annotations

from driver.session import Session
from reference.asides import keeping, turning



def test_a_query_tells_the_mover() -> None:
    with Session() as session:
        session.send(f"position fen {keeping().spec}")
        assert (session.response("turn"), session.response("mover")) == ("p2", "p1")
        session.send(f"position fen {turning().spec}")
        assert (session.response("turn"), session.response("mover")) == ("p2", "p2")
        session.send("position fen concordia")
        assert (session.response("turn"), session.response("mover")) == ("chance", "chance")


def test_a_whole_turn_ends_before_the_seats_own_one() -> None:
    with Session() as session:
        session.send("setoption name TurnMoves value true", f"position {keeping().view_text(1)}")
        best = session.go("nodes 20")[-1].split()
        assert best[0] == "bestmove"
        assert best[1:] in (["keep=brick"], ["keep=food"])
