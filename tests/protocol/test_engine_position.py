"""Positions: what is accepted, what is refused with which code, and that nothing is fatal."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from driver.fake_thinker import FakeThinker
from driver.session import Session

from serai.core import load

SEEDED = "position fen spice_road;players=2;seed=7"
DEALT = load("spice_road;players=2;seed=7").start().history


def test_startpos_can_be_played_at_once() -> None:
    with Session(FakeThinker()) as session:
        session.send("position startpos")
        assert session.response("turn") == "p1"
        session.send("position startpos moves take=1 p2:play=+yy")
        assert session.response("turn") == "p1"


def test_a_seeded_game_needs_only_decisions() -> None:
    with Session(FakeThinker()) as session:
        assert session.ask(f"{SEEDED} moves take=1 p2:take=1 take=2 pay=y") == []
        assert session.response("turn") == "p2"
        assert session.response("history").split()[1 : 1 + len(DEALT)] == DEALT


def test_chance_may_be_listed_in_a_seeded_game() -> None:
    with Session(FakeThinker()) as session:
        assert session.ask(f"{SEEDED} moves {' '.join(DEALT)} take=1") == []
        assert session.response("turn") == "p2"


def test_without_a_seed_every_event_is_listed() -> None:
    with Session(FakeThinker()) as session:
        session.send("position fen spice_road")
        assert session.response("turn") == "chance"
        session.send(f"position fen spice_road moves {' '.join(DEALT)}")
        assert session.response("turn") == "p1"


def test_a_view_starts_from_events_or_from_a_snapshot() -> None:
    with Session(FakeThinker()) as session:
        session.send(f"{SEEDED} moves take=1")
        snapshot = session.response("fen").replace(";seed=7", "")
        assert ";state=" in snapshot
        assert session.ask(f"position view p2 spice_road moves {' '.join(DEALT)} take=1") == []
        session.send(f"position fen {snapshot}")
        assert session.response("turn") == "p2"
        assert session.ask(f"position view p1 {snapshot}") == []
        assert session.response("turn") == "p2"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("position", "syntax"),
        ("position fen", "syntax"),
        ("position view p1", "syntax"),
        ("position fen spice_road take=1", "syntax"),
        ("position fen chess", "unknown-game"),
        ("position fen spice_road;players=6", "bad-players"),
        ("position fen spice_road;players=1", "bad-players"),
        ("position fen spice_road;players=two", "bad-players"),
        ("position fen spice_road;seed=-1", "bad-number"),
        ("position fen spice_road;seed=99999999999999999999", "bad-number"),
        ("position fen spice_road;colour=red", "syntax"),
        ("position fen spice_road;seed", "syntax"),
        ("position fen spice_road;seed=1;seed=2", "syntax"),
        ("position fen spice_road;variant=golem", "bad-value"),
        ("position fen spice_road;components=/nowhere/at.toml", "bad-value"),
        ("position fen spice_road;components=/dev/zero", "bad-value"),
        ("position fen spice_road;state=AAAA", "bad-value"),
        ("position fen spice_road;state=!", "bad-value"),
        ("position view p3 spice_road", "bad-value"),
        ("position view p0 spice_road", "bad-value"),
        ("position view p1 spice_road;seed=3", "seed-in-view"),
        (f"{SEEDED} moves take=1 xyzzy", "bad-event at=2 token=xyzzy"),
        (f"{SEEDED} moves take=1 rest", "illegal-move at=2 token=rest"),
        (f"{SEEDED} moves p2:take=1", "wrong-seat at=1 token=p2:take=1"),
        (f"{SEEDED} moves p0:take=1", "wrong-seat at=1 token=p0:take=1"),
        (f"{SEEDED} moves {DEALT[1]}", f"chance-mismatch at=1 token={DEALT[1]}"),
        (f"{SEEDED} moves take=1 ~market=+yy ~market=+yy", "chance-mismatch at=2 token=~market=+yy"),
        (f"{SEEDED} moves {' '.join(DEALT)} {DEALT[0]}", f"not-a-chance-node at=12 token={DEALT[0]}"),
        ("position fen spice_road moves take=1", "chance-node at=1 token=take=1"),
        ("position fen spice_road moves ~point=yyrr=6", "chance-mismatch at=1 token=~point=yyrr=6"),
        (f"{SEEDED} moves {'é' * 200}", f"bad-event at=1 token={'é' * 79}…"),
    ],
)
def test_what_is_wrong_is_named_and_leaves_no_position(sent: str, expected: str) -> None:
    with Session(FakeThinker()) as session:
        session.send(SEEDED)
        assert session.one(sent).startswith(f"error {expected}")
        assert session.one("query turn") == "response error no-position query turn"
        assert session.go() == ["error no-position go", "bestmove (none)"]
        session.send(SEEDED)
        assert session.response("turn") == "p1"


def test_component_files_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "Gewürzstraße–香料.toml"
    shipped = files("serai.core.games.spice_road") / "data.toml"
    path.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    with Session(FakeThinker()) as session:
        assert session.ask(f"position fen spice_road;components={path};seed=7") == []
        assert session.response("history").split()[1:] == DEALT
        path.write_text("game = 3", encoding="utf-8")
        assert session.one(f"position fen spice_road;components={path};seed=7").startswith("error bad-value")


def test_moves_after_the_end_are_refused() -> None:
    position = load("spice_road;players=2;seed=7").start()
    decisions, number = [], 0
    while not position.is_over:
        action = position.random_action(number)
        decisions.append(position.token(action))
        position, number = position.apply(action), number + 1
    with Session(FakeThinker()) as session:
        assert session.ask(f"{SEEDED} moves {' '.join(decisions)}") == []
        assert session.response("gameover") == "true"
        assert session.go() == ["error game-over go", "bestmove (none)"]
        assert session.one(f"{SEEDED} moves {' '.join(decisions)} rest").startswith(
            f"error game-over at={len(decisions) + 1} token=rest"
        )


def test_a_mebibyte_of_moves_is_read() -> None:
    line = f"{SEEDED} moves"
    line += " rest" * ((2**20 - len(line)) // 5)
    with Session(FakeThinker()) as session:
        assert session.one(line).startswith("error illegal-move at=1 token=rest")
        assert session.one(line.replace("rest", "x")).startswith("error bad-event at=1 token=x")


def test_many_positions_do_not_add_up() -> None:
    with Session(FakeThinker()) as session:
        for number in range(10):
            batch = [f"position fen spice_road;players={2 + i % 4};seed={number * 50 + i}" for i in range(50)]
            assert session.ask(*batch) == []


def test_the_position_stays_after_a_search_and_after_a_question() -> None:
    with Session(FakeThinker()) as session:
        session.send(f"{SEEDED} moves take=1")
        before = session.response("hash")
        session.go()
        session.response("legal")
        assert session.response("hash") == before
        session.send("ucinewgame")
        assert session.one("query hash") == "response error no-position query hash"
