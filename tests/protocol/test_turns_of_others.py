"""An engine where a seat decides something in the turn of another."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from driver.session import Session
from reference.asides import keeping, turning

from serai.bots.tournament.referee import Referee, Situation

MINIMAL = Path(__file__).with_name("minimal_engine.py")


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


def test_a_referee_of_a_tournament_is_asked_for_the_mover() -> None:
    argv = [sys.executable, "-m", "serai.protocol.engine"]
    assert asyncio.run(asked(argv, f"position fen {keeping().spec}")) == Situation(
        1, ("keep=brick", "keep=food"), 0
    )


def test_a_referee_that_does_not_know_the_question_knows_no_other_mover_than_who_acts() -> None:
    situation = asyncio.run(
        asked([sys.executable, "-S", str(MINIMAL)], "position fen tokens;players=2;seed=1")
    )
    assert situation.seat == situation.mover == 0


async def asked(argv: list[str], line: str) -> Situation:
    referee = Referee(argv, 30.0)
    try:
        return await referee.situation(line)
    finally:
        await referee.close()
