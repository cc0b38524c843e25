"""Searching with a fake thinker: one answer for each go, when it comes, and with which limits."""

from __future__ import annotations

import threading
import time

import pytest
from driver.fake_thinker import FakeThinker, limits_of
from driver.session import PATIENCE, Session

from serai.core import Position

START = "position fen spice_road;players=3;seed=42"


def test_a_bare_go_uses_the_default_time() -> None:
    with Session(FakeThinker()) as session:
        session.send("setoption name DefaultMoveTime value 7", START)
        assert session.go("")[-1] == "bestmove take=1"
        assert limits_of(session.thinker).movetime == 7


@pytest.mark.parametrize(
    ("go", "expected"),
    [
        ("movetime 30", {"movetime": 30}),
        ("movetime 0", {"movetime": 0}),
        ("movetime -5", {"movetime": 0}),
        ("nodes 0", {"nodes": 1}),
        ("nodes 3 depth 4 movetime 9", {"nodes": 3, "depth": 4, "movetime": 9}),
        ("p1time 3000 p1inc 40 p2time 99", {"clock": (3000, 40, 0, 0)}),
        ("wtime 3000 winc 40 movestogo 7", {"clock": (3000, 40, 0, 7)}),
        ("p1time -100", {"clock": (1, 0, 0, 0)}),
        ("p1byo 30", {"clock": (1, 0, 30, 0)}),
        ("p1time 99999999999999999 nodes 1", {"clock": (10**12, 0, 0, 0), "nodes": 1}),
        ("btime 3000", {"movetime": 5}),
        ("NODES 3", {"nodes": 3}),
    ],
)
def test_limits(go: str, expected: dict[str, object]) -> None:
    with Session(FakeThinker()) as session:
        session.send("setoption name DefaultMoveTime value 5", "setoption name Move Overhead value 3", START)
        assert session.go(go)[-1] == "bestmove take=1"
        limits = limits_of(session.thinker)
    found = {name: getattr(limits, name) for name in ("movetime", "nodes", "depth", "clock")}
    assert {name: value for name, value in found.items() if value is not None} == expected
    assert limits.overhead == 3


def test_the_clock_is_that_of_the_seat_to_move() -> None:
    with Session(FakeThinker()) as session:
        session.send(f"{START} moves take=1")
        session.go("p1time 1 p2time 900 p3time 3")
        assert limits_of(session.thinker).clock == (900, 0, 0, 0)


def test_unknown_and_damaged_words_are_named_and_skipped() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        lines = session.go("mate 3 nodes x movetime 3 multipv 51 depth")
        assert [line for line in lines if line.startswith("error")] == [
            "error unknown-token mate",
            "error unknown-token 3",
            "error bad-number nodes x",
            "error bad-number multipv 51: 1 to 50",
            "error syntax depth needs a value",
        ]
        assert limits_of(session.thinker).movetime == 3


def test_a_flood_of_unknown_words_is_answered_with_few_lines() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        errors = session.go("nodes 1 " + "x " * 100_000)[:-2]
        assert len(errors) == 8
        assert errors[-1] == "error unknown-token x (and 99992 more complaints)"


# ---- what can't be searched


@pytest.mark.parametrize(
    ("position", "go", "code"),
    [
        ("uginewgame", "nodes 1", "no-position"),
        ("position fen spice_road", "nodes 1", "chance-node"),
        ("position view p2 spice_road;players=2 MARKET", "nodes 1", "not-your-turn"),
        (START, "nodes 1 searchmoves rest take=9", "no-searchmoves"),
        (START, "nodes 1 searchmoves", "no-searchmoves"),
        ("uginewgame", "chance", "no-position"),
        (START, "chance", "not-a-chance-node"),
        ("position view p1 spice_road", "chance", "hidden"),
    ],
)
def test_what_cannot_be_searched_is_refused(position: str, go: str, code: str) -> None:
    with Session(FakeThinker()) as session:
        session.send(f"{START.replace('players=3', 'players=2')}")
        history = session.response("history").split(" ", 1)[1]
        session.send(position.replace("MARKET", f"moves {history}"))
        error, best = session.go(f"{go} searchid 8" if "searchmoves" not in go else f"searchid 8 {go}")
        assert error.startswith(f"error {code} go")
        assert best == "bestmove (none) searchid 8"


def test_a_refusal_says_what_would_be_right() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        history = session.response("history").split(" ", 1)[1]
        legal = session.response("legal").split()[1:]
        assert session.go("searchmoves take=9")[0] == (
            "error no-searchmoves go: none of them is legal; "
            f"legal: {' '.join(legal[:8])} … (query legal: all {len(legal)})"
        )
        session.send(f"position view p2 spice_road;players=3 moves {history}")
        assert session.go()[0] == "error not-your-turn go: this is a view of p2; p1 is to act"


def test_go_after_a_bad_position_has_no_move() -> None:
    with Session(FakeThinker()) as session:
        assert session.ask(START, f"{START} moves rest")[0].startswith("error illegal-move at=1 token=rest")
        assert session.go() == ["error no-position go", "bestmove (none)"]
        session.send(START)
        assert session.go()[-1] == "bestmove take=1"


def test_searchmoves_restricts_the_choice() -> None:
    thinker = FakeThinker()
    with Session(thinker) as session:
        session.send(START)
        assert (
            session.go("nodes 1 searchmoves p1:take=3 rest take=2 searchid 5")[-1]
            == "bestmove take=3 searchid 5"
        )
        assert thinker.calls[-1].moves == ("take=3", "take=2")


# ---- one answer each, in order


def test_infinite_waits_for_stop_even_if_the_search_has_ended() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go infinite nodes 1 searchid a")
        assert session.ask() == []
        assert session.silent()
        session.send("stop")
        assert session.until("bestmove")[-1] == "bestmove take=1 searchid a"


def test_stop_without_a_search_is_not_remembered() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "stop", "stop", "stop", "go infinite")
        session.until("info")
        assert all(line.startswith("info") for line in session.ask())
        session.send("stop")
        assert session.until("bestmove")[-1] == "bestmove take=1"
        assert session.ask("stop") == []


def test_a_search_id_comes_back_whole_or_not_at_all() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        for searchid in ("x" * 1000, "é…~" * 100):
            info, best = session.go(f"nodes 1 searchid {searchid}")
            assert f" searchid {searchid} pv" in info
            assert best == f"bestmove take=1 searchid {searchid}"
        for searchid in ("x" * 1001, "a\x85b"):
            error, _, best = session.go(f"nodes 1 searchid {searchid}")
            assert error == "error bad-value searchid: at most 1000 printable characters"
            assert best == "bestmove take=1"


@pytest.mark.parametrize("interrupting", ["go infinite searchid 2", f"{START}", "uginewgame", "ucinewgame"])
def test_an_interrupted_search_is_answered_first(interrupting: str) -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go infinite searchid 1", interrupting, "isready 9")
        lines = [line for line in session.until("readyok 9") if not line.startswith("info")]
        assert lines == ["bestmove take=1 searchid 1", "readyok 9"]


def test_a_burst_of_searches_is_answered_one_by_one() -> None:
    with Session(FakeThinker()) as session:
        burst = []
        for number in range(30):
            burst += [START, f"go infinite searchid {number}", "stop", START]
        answers = [line for line in session.ask(*burst) if line.startswith("bestmove")]
        assert answers == [f"bestmove take=1 searchid {number}" for number in range(30)]


def test_isready_is_answered_during_a_search_and_leaves_it_alone() -> None:
    thinker = FakeThinker()
    with Session(thinker) as session:
        session.send(START, "go infinite")
        for number in range(20):
            session.send(f"isready {number}")
            assert session.until(f"readyok {number}")
        assert not thinker.stops
        session.send("stop")
        session.until("bestmove")


def test_options_are_refused_during_a_search() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go infinite", "setoption name MultiPV value 3")
        assert session.until("error")[-1] == "error busy setoption"
        session.send("stop")
        session.until("bestmove")
        assert session.ask("setoption name MultiPV value 3") == []


def test_questions_are_answered_during_a_search() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go infinite", "query turn")
        assert session.until("response")[-1] == "response p1"
        session.send("stop")
        session.until("bestmove")


def test_each_bestmove_follows_an_info_with_win() -> None:
    with Session(FakeThinker(share=0.5)) as session:
        session.send(START)
        assert session.go("nodes 1 searchid q") == [
            "info depth 1 seldepth 1 multipv 1 score cp 120 win 500 250 250 vp 1.0 1.0 1.0 nodes 7 nps 7000 "
            "worlds 7 hashfull 0 time 1 searchid q visits 7 se 10 pv take=1",
            "bestmove take=1 searchid q",
        ]


def test_a_thinker_without_judgement_gives_everybody_an_even_share() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        assert (
            session.go("nodes 1")[0]
            == "info depth 1 multipv 1 score cp 0 win 334 333 333 nodes 7 time 1 pv take=1"
        )


def test_info_lines_come_at_most_twenty_a_second() -> None:
    with Session(FakeThinker(share=0.4)) as session:
        session.send(START)
        lines = session.go("movetime 400 multipv 2")
        assert len(lines) <= 2 * (1 + 400 // 100 + 1) + 1


# ---- pondering


def test_pondering_goes_on_as_a_search_after_ponderhit() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go ponder p1time 60000 searchid 1")
        session.until("info")
        assert limits_of(session.thinker).clock is None
        session.send("ponderhit p1time 300")
        assert session.until("bestmove")[-1] == "bestmove take=1 searchid 1"
        assert limits_of(session.thinker).clock == (300, 0, 0, 0)


def test_ponderhit_without_limits_uses_those_of_go() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go ponder nodes 3", "ponderhit")
        assert session.until("bestmove")[-1] == "bestmove take=1"
        assert limits_of(session.thinker).nodes == 3


def test_pondering_ends_with_stop() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go ponder nodes 3")
        assert all(line.startswith("info") for line in session.ask())
        session.send("stop")
        assert session.until("bestmove")[-1] == "bestmove take=1"


def test_ponderhit_then_stop() -> None:
    with Session(FakeThinker()) as session:
        session.send(START, "go ponder", "ponderhit movetime 3600000", "stop")
        assert session.until("bestmove")[-1] == "bestmove take=1"


def test_a_stray_ponderhit_means_nothing() -> None:
    with Session(FakeThinker()) as session:
        assert session.ask(START, "ponderhit", "ponderhit p1time 3") == []
        session.send("go infinite", "ponderhit")
        session.until("info")
        session.send("stop")
        session.until("bestmove")


def test_the_ponder_move_is_told_only_on_request() -> None:
    with Session(FakeThinker()) as session:
        session.send(START)
        assert session.go()[-1] == "bestmove take=1"
        session.send("setoption name Ponder value true")
        assert session.go("nodes 1 searchid 3")[-1] == "bestmove take=1 ponder rest searchid 3"


# ---- whole turns, resigning


def test_a_turn_of_several_decisions_is_one_answer_on_request() -> None:
    thinker = FakeThinker(
        choose=lambda position: min(position.legal_tokens(), key=lambda t: (t != "take=3", t))
    )
    with Session(thinker) as session:
        session.send(START)
        assert session.go("nodes 80")[-1] == "bestmove take=3"
        session.send("setoption name TurnMoves value true")
        assert session.go("nodes 80 searchid 4")[-1] == "bestmove take=3 pay=y pay=y searchid 4"
        assert limits_of(thinker).nodes == 10
        assert session.go("movetime 80")[-1] == "bestmove take=3 pay=y pay=y"
        times = [call.limits.movetime or 0 for call in thinker.calls[-3:]]
        assert times == sorted(times, reverse=True)
        assert times[0] == 70
        assert sum(times) <= 80


def test_a_stop_is_heeded_while_the_rest_of_a_turn_is_thought_about() -> None:
    later = threading.Event()

    def choose(position: Position) -> str:
        if position.continues_turn and not later.is_set():
            later.set()
            assert thinker._stop.wait(PATIENCE)
        return min(position.legal_tokens(), key=lambda token: (token != "take=3", token))

    thinker = FakeThinker(choose=choose)
    with Session(thinker) as session:
        session.send("setoption name TurnMoves value true", START, "go nodes 80")
        assert later.wait(PATIENCE)
        session.send("stop")
        assert session.until("bestmove", patience=PATIENCE / 2)[-1] == "bestmove take=3 pay=y pay=y"
        assert limits_of(thinker).movetime == 0


def test_a_whole_turn_ends_at_a_chance_event_that_the_seed_decides() -> None:
    with Session(FakeThinker()) as session:
        session.send("setoption name TurnMoves value true", "setoption name Information value full", START)
        assert session.go()[-1] == "bestmove take=1"


def test_resigning_is_an_option() -> None:
    with Session(FakeThinker(share=0.001)) as session:
        session.send(START)
        assert session.go()[-1] == "bestmove take=1"
        session.send("setoption name AllowResign value true")
        assert session.go()[-1] == "bestmove resign"


# ---- information


def test_the_thinker_sees_only_what_its_seat_sees() -> None:
    thinker = FakeThinker()
    with Session(thinker) as session:
        session.send(f"{START} moves take=1")
        session.go()
        seen = thinker.calls[-1].position
        assert (seen.viewer, seen.seed) == (1, None)
        session.send("setoption name Information value full")
        session.go()
        seen = thinker.calls[-1].position
        assert (seen.viewer, seen.seed) == (-1, 42)


# ---- misbehaving thinkers


def test_a_crash_is_reported_and_survived(capsys: pytest.CaptureFixture[str]) -> None:
    with Session(FakeThinker(crash=ZeroDivisionError)) as session:
        session.send(START)
        error, best = session.go("nodes 1 searchid 6")
        assert error == "error internal ZeroDivisionError: as asked"
        assert best == "bestmove (none) searchid 6"
        assert session.go() == ["error no-position go", "bestmove (none)"]
        session.send(START, "go infinite")
        assert session.ask() == []
        session.send("stop")
        assert session.until("bestmove")[-1] == "bestmove (none)"
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.usefixtures("capsys")
def test_an_illegal_choice_is_never_passed_on() -> None:
    with Session(FakeThinker(choose=lambda position: "take=9")) as session:
        session.send(START)
        error, best = session.go()
        assert error.startswith("error internal ValueError: the thinker chose 'take=9'")
        assert best == "bestmove (none)"


def test_a_thinker_that_does_not_stop_is_answered_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serai.protocol.engine.GRACE", 0.1)
    with Session(FakeThinker(stubborn=0.7, share=0.5)) as session:
        session.send(START, "go infinite searchid 1")
        session.until("info")
        session.send(START, "go nodes 1 searchid 2", "isready")
        lines = [line for line in session.until("readyok") if not line.startswith("info")]
        assert lines == [
            "error internal overdue: the search doesn't stop",
            "bestmove take=1 searchid 1",
            "readyok",
        ]
        assert session.until("bestmove")[-1] == "bestmove take=1 searchid 2"
        time.sleep(0.2)
        assert session.ask() == []


def test_a_bare_stop_is_answered_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serai.protocol.engine.GRACE", 0.4)
    with Session(FakeThinker(stubborn=1.5, share=0.5)) as session:
        session.send(START, "go infinite searchid 1")
        session.until("info")
        session.send("stop", "isready")
        lines = [line for line in session.until("bestmove") if not line.startswith("info")]
        assert lines == [
            "readyok",
            "error internal overdue: the search doesn't stop",
            "bestmove take=1 searchid 1",
        ]
        session.send(START, "go nodes 1 searchid 2")
        assert session.until("bestmove")[-1] == "bestmove take=1 searchid 2"
        assert session.ask() == []


def test_a_slow_start_does_not_lose_the_answer() -> None:
    with Session(FakeThinker(slow_to_load=0.3)) as session:
        session.send(START, "go infinite", "stop")
        assert session.until("bestmove")[-1] == "bestmove take=1"


# ---- the end


@pytest.mark.parametrize("last", ["", "quit", "go infinite", "go movetime 3600000", "go ponder"])
def test_the_engine_ends_with_its_input(last: str) -> None:
    session = Session(FakeThinker())
    with session:
        session.send(START, last)
        started = time.monotonic()
        lines = [line for line in session.rest() if not line.startswith("info")]
        assert lines == (["bestmove take=1"] if last.startswith("go") else [])
        assert time.monotonic() - started < 5
    assert session.exit_code == 0


def test_an_unfinished_last_line_counts() -> None:
    session = Session(FakeThinker())
    with session:
        session.send_bytes(b"isready 1\nisready 2")
        assert session.rest() == ["readyok 1", "readyok 2"]
