"""Questions: one line each, right in a full position, and silent about what a view doesn't show."""

from __future__ import annotations

import json

import pytest
from driver.fake_thinker import FakeThinker
from driver.session import Session

from serai.core import Position, load
from serai.protocol.queries import QUERIES


def played(players: int, seed: int, decisions: int) -> tuple[Position, str]:
    """A game after some random decisions, and the ``position`` line that leads there."""
    spec = f"spice_road;players={players};seed={seed}"
    position, moves = load(spec).start(), []
    for number in range(decisions):
        if position.is_over:
            break
        action = position.random_action(seed * 1000 + number)
        moves.append(position.token(action))
        position = position.apply(action)
    return position, f"position fen {spec}" + (f" moves {' '.join(moves)}" if moves else "")


def test_answers_of_a_running_game() -> None:
    position, line = played(3, 5, 40)
    with Session(FakeThinker()) as session:
        session.send(line)
        legal = position.legal_tokens()
        assert session.response("gameover") == "false"
        assert session.response("p1turn") == str(position.to_act == 0).lower()
        assert session.response("result") == "none"
        assert session.response("players") == "3"
        assert session.response("turn") == f"p{position.to_act + 1}"
        assert session.response("scores") == " ".join(map(str, position.scores()))
        assert session.response("ranks") == " ".join(map(str, position.ranks()))
        assert sum(map(float, session.response("returns").split())) == pytest.approx(1, abs=0.002)
        assert session.response("legal") == f"{len(legal)} {' '.join(legal)}"
        assert session.response(f"legal p{position.to_act + 1}") == f"{len(legal)} {' '.join(legal)}"
        assert session.response(f"legal p{(position.to_act + 1) % 3 + 1}") == "0"
        assert session.response(f"islegal {legal[0]}") == "true"
        assert session.response(f"islegal p{position.to_act + 1}:{legal[0]}") == "true"
        assert session.response(f"islegal p{(position.to_act + 1) % 3 + 1}:{legal[0]}") == "false"
        assert session.response("islegal ~market=+yy") == "false"
        assert session.response("islegal xyzzy") == "false"
        assert session.response(f"describe {legal[0]}") == position.describe(legal[0])
        assert session.response("fen") == position.spec
        assert session.response("view p2") == position.view_text(1)
        assert session.response("history").split()[1:] == position.history
        assert session.response("history p3").split()[1:] == position.view(2).history
        assert json.loads(session.response("observation p2")) == {"seat": 2, **position.view(1).state()}
        assert json.loads(session.response("state")) == position.state()
        assert session.response("hash") == f"{position.hash:016x}"


def test_a_game_without_end_is_answered_whole() -> None:
    position, moves = load("spice_road;players=2;seed=3").start(), []
    while len(moves) < 10_000:
        legal = position.legal_tokens()
        useless = (token for token in legal if token.startswith(("play=", "drop=")))
        moves.append("rest" if "rest" in legal else next(useless))
        position = position.apply(moves[-1])
    with Session(FakeThinker()) as session:
        session.send(f"position fen {position.origin_spec} moves {' '.join(moves)}")
        assert session.response("history").split()[1:] == position.history
        view = session.response("view p1")
        assert len(view) > 60_000
        session.send(f"position {view}")
        assert session.response("history p1").split()[1:] == position.view(0).history


def test_answers_at_the_end_of_a_game() -> None:
    for seed in range(4):
        position, line = played(2, seed, 10_000)
        with Session(FakeThinker()) as session:
            session.send(line)
            assert session.response("gameover") == "true"
            assert session.response("turn") == "none"
            assert session.response("legal") == "0"
            winners = [seat for seat, rank in enumerate(position.ranks()) if rank == 1]
            assert session.response("result") == (f"p{winners[0] + 1}win" if len(winners) == 1 else "draw")
            assert session.response("returns") == " ".join(f"{share:.3f}" for share in position.returns())


def test_answers_at_a_chance_event() -> None:
    with Session(FakeThinker()) as session:
        session.send("position fen spice_road;players=2")
        number, *outcomes = session.response("chance").split()
        assert int(number) == len(outcomes) == 43
        assert sum(float(outcome.rpartition("@")[2]) for outcome in outcomes) == pytest.approx(1, abs=1e-6)
        assert session.response("legal") == "0"
        assert session.response("turn") == "chance"
        session.send("position fen spice_road;players=2;seed=1")
        assert session.one("query chance").startswith("response error not-a-chance-node")


def test_a_referee_draws_the_whole_deal() -> None:
    with Session(FakeThinker()) as session:
        deals = []
        for seed in ("1", "1", "2"):
            session.send(f"setoption name Seed value {seed}")
            events: list[str] = []
            while True:
                session.send(f"position fen spice_road moves {' '.join(events)}".removesuffix(" moves "))
                if session.response("turn") != "chance":
                    break
                events += [line.removeprefix("bestmove ") for line in session.go("chance")]
            deals.append(events)
    assert len(deals[0]) == 11
    assert deals[0] == deals[1] != deals[2]


def test_draws_without_a_seed_differ() -> None:
    with Session(FakeThinker()) as session:
        session.send("position fen spice_road")
        assert len({session.go("chance searchid 1")[-1] for _ in range(12)}) > 1
        assert session.go("chance searchid 1")[-1].endswith(" searchid 1")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_view_is_an_argument_for_position(players: int) -> None:
    for decisions in (0, 3, 30, 90):
        position, line = played(players, decisions, decisions)
        seat = max(position.to_act, 0) + 1
        with Session(FakeThinker()) as session:
            session.send(line)
            legal, turn, view = (
                session.response("legal"),
                session.response("turn"),
                session.response(f"view p{seat}"),
            )
            observation = session.response(f"observation p{seat}")
            assert "seed" not in view
            assert session.ask(f"position {view}") == []
            assert (session.response("legal"), session.response("turn")) == (legal, turn)
            assert session.response(f"view p{seat}") == view
            assert session.response(f"observation p{seat}") == observation


def test_a_fen_leads_back() -> None:
    for decisions in (0, 1, 17, 60, 10_000):
        _, line = played(3, 11, decisions)
        with Session(FakeThinker()) as session:
            session.send(line)
            before = [session.response(query) for query in ("hash", "fen", "legal", "scores", "state")]
            session.send(f"position fen {before[1]}")
            assert [
                session.response(query) for query in ("hash", "fen", "legal", "scores", "state")
            ] == before


def test_a_view_keeps_its_secrets() -> None:
    position, _ = played(3, 5, 30)
    with Session(FakeThinker()) as session:
        session.send(f"position {position.view_text(1)}")
        for query in ("fen", "state", "view p1", "history p3", "observation p1"):
            assert session.one(f"query {query}").startswith("response error hidden")
        for query in (
            "view p2",
            "history p2",
            "history",
            "observation p2",
            "legal",
            "hash",
            "scores",
            "turn",
        ):
            assert not session.response(query).startswith("error")
        assert session.one("go perft 1").startswith("error hidden")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("xyzzy", "error unknown-query xyzzy"),
        ("", "error syntax"),
        ("view", "response error syntax"),
        ("view p1 p2", "response error syntax"),
        ("view p4", "response error bad-value"),
        ("view p", "response error bad-value"),
        ("history x", "response error bad-value"),
        ("legal p9", "response error bad-value"),
        ("islegal", "response error syntax"),
        ("describe", "response error syntax"),
        ("describe rest", "response error illegal-move"),
        ("describe xyzzy", "response error bad-event"),
        ("describe p2:take=1", "response error wrong-seat"),
    ],
)
def test_odd_questions(query: str, expected: str) -> None:
    with Session(FakeThinker()) as session:
        session.send("position fen spice_road;players=3;seed=1")
        assert session.one(f"query {query}").startswith(expected)
        assert session.response("TURN") == "p1"


def test_without_a_position_every_question_has_an_answer() -> None:
    with Session(FakeThinker()) as session:
        for name in QUERIES:
            assert session.one(f"query {name}") == f"response error no-position query {name}"
        assert json.loads(session.response("options"))["MultiPV"] == 1


@pytest.mark.parametrize("players", [2, 5])
def test_perft_divides_by_first_event(players: int) -> None:
    position, line = played(players, 3, 25)
    with Session(FakeThinker()) as session:
        session.send(line)
        session.send("go perft 1")
        *divided, total = session.until("perft")
        assert divided == [f"info string {token} 1" for token in position.legal_tokens()]
        assert total.startswith(f"perft 1 nodes {len(divided)} time ")
        session.send("go perft 3")
        *divided, total = session.until("perft")
        assert int(total.split()[3]) == sum(int(line.split()[-1]) for line in divided)


def test_perft_counts_chance_also_in_a_seeded_game() -> None:
    with Session(FakeThinker()) as session:
        for line in ("position fen spice_road;seed=3 moves take=1", "position fen spice_road"):
            session.send(line, "go perft 0")
            assert session.until("perft")[-1].startswith("perft 0 nodes 1 ")
        session.send("go perft 2")
        assert session.until("perft")[-1].startswith("perft 2 nodes 1806 ")


def test_perft_can_be_stopped_and_has_limits() -> None:
    with Session(FakeThinker()) as session:
        session.send("position fen spice_road;players=3;seed=2", "go perft 15")
        assert session.ask("isready") == ["readyok"]
        session.send("stop")
        assert session.until("perft")[-1].endswith(" stopped")
        session.send("go perft 15", "position startpos", "isready x")
        assert session.until("readyok")[-2].endswith(" stopped")
        assert session.one("go perft 21").startswith("error bad-value go perft 21")
        assert session.one("uginewgame", "go perft 1") == "error no-position go perft"
