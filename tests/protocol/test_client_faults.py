"""Every way an engine can misbehave, and what its client makes of it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from serai.protocol.client import (
    EngineError,
    EngineRefusal,
    EngineStalled,
    EngineTerminated,
    EngineTimeout,
    GameText,
    IllegalMove,
    Limit,
    Patience,
    ProtocolError,
    SimpleEngine,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

POSITION = GameText("tokens;players=2;seed=1")
SOON = Limit(time=0.1)  # for engines that won't keep it
EASY = Limit(time=20.0)  # for engines that answer at once, on a machine however busy
QUICK = Patience(timeout=20.0, margin=0.2, grace=0.2, stall=20.0)
FOREVER = 30.0  # seconds; whatever takes longer would have hung

Start = Callable[..., SimpleEngine]


@pytest.fixture
def start(fake_command: str) -> Iterator[Start]:
    """Start a fake by the name of its behaviour."""
    with ExitStack() as stack:

        def make(name: str, *more: str, **options: Any) -> SimpleEngine:
            options.setdefault("patience", QUICK)
            engine = SimpleEngine.popen(" ".join((fake_command, name, *more)), **options)
            return stack.enter_context(engine)

        yield make


def test_a_normal_engine_has_no_fault(start: Start) -> None:
    engine = start("normal")
    result = engine.play(POSITION, EASY)
    assert (result.move, result.fault, result.verified) == ("add=1", None, False)
    assert result.info.win == (500, 500)
    assert result.reported == 0.001
    assert engine.restarts == engine.stale == 0


def test_a_crash_is_told_with_its_signal_and_its_last_words(start: Start) -> None:
    with pytest.raises(EngineTerminated, match=r"SIGABRT.*board is upside down") as caught:
        start("crash").play(POSITION, Limit(nodes=10))
    assert caught.value.returncode == -6
    assert "upside down" in caught.value.stderr_tail


@pytest.mark.parametrize("name", ["crash", "hang", "frozen", "closed", "parent", "flood"])
def test_the_call_after_a_failure_works_and_has_the_options(name: str, start: Start, tmp_path: Path) -> None:
    engine = start(name, f"state={tmp_path / 'memory'}")
    engine.configure({"Threads": 3, "mini size": "TWO words"})
    with pytest.raises((EngineTerminated, EngineTimeout)):
        engine.play(POSITION, SOON)
    assert engine.play(POSITION, EASY).move == "add=1"
    assert engine.restarts == 1
    assert engine.stderr_tail.splitlines() == [
        "setoption name Threads value 3",
        "setoption name mini size value two words",
    ]


def test_without_respawn_a_failure_is_the_end(start: Start) -> None:
    engine = start("crash", respawn=False)
    for _ in range(2):
        with pytest.raises(EngineTerminated, match="SIGABRT"):
            engine.play(POSITION, EASY)
    assert engine.restarts == 0


def test_a_death_between_two_calls_is_not_noticed_by_the_second(start: Start) -> None:
    engine = start("crashlater")
    assert engine.play(POSITION, EASY).move == "add=1"
    deadline = time.monotonic() + FOREVER
    while engine.alive and time.monotonic() < deadline:
        time.sleep(0.02)
    assert engine.returncode == 7
    assert engine.play(POSITION, EASY).move == "add=1"


def test_an_engine_that_dies_in_the_handshake_says_why(start: Start) -> None:
    with pytest.raises(EngineTerminated, match="no network file") as caught:
        start("stillborn")
    assert caught.value.returncode == 3


def test_an_engine_that_never_greets_is_given_up(start: Start) -> None:
    with pytest.raises(EngineTimeout, match="start"):
        start("mute", timeout=1.0, patience=None)


@pytest.mark.parametrize(
    ("behaviour", "limit", "name"),
    [
        ("hang", Limit(time=0.1), "movetime"),
        ("hang", Limit(clocks=[0.1, 60.0]), "clock"),
        ("dreamer", Limit(clocks=[0.1, 60.0]), "clock"),
        ("dreamer", Limit(nodes=10, time=0.1), "movetime"),
    ],
)
def test_the_limit_that_passed_is_named(behaviour: str, limit: Limit, name: str, start: Start) -> None:
    view = GameText("tokens;players=2", seat=0)
    with pytest.raises(EngineTimeout) as caught:
        start(behaviour).play(view, limit)
    assert caught.value.limit == name
    assert not isinstance(caught.value, EngineStalled)


def test_silence_is_a_stall_whatever_the_limit(start: Start) -> None:
    engine = start("hang", patience=Patience(timeout=20.0, grace=0.1, stall=0.6))
    with pytest.raises(EngineStalled, match="stall"):
        engine.play(POSITION, Limit(depth=30))


def test_a_search_that_goes_on_for_ever_meets_the_deadline_of_its_nodes(start: Start) -> None:
    engine = start("dreamer")
    engine.patience = Patience(timeout=1.0, margin=0.1, grace=0.1, stall=0.4)
    with pytest.raises(EngineTimeout) as caught:
        engine.play(POSITION, Limit(nodes=10))
    assert caught.value.limit == "nodes"


def test_an_answer_after_stop_is_late_and_the_engine_lives(start: Start) -> None:
    engine = start("late", patience=Patience(margin=0.1, grace=20.0))
    for _ in range(2):
        result = engine.play(POSITION, SOON)
        assert (result.move, result.fault) == ("add=1", "late")
    assert engine.restarts == 0


@pytest.mark.parametrize("name", ["early", "twice", "stale"])
def test_answers_to_other_searches_are_dropped(name: str, start: Start) -> None:
    engine = start(name)
    moves = [engine.play(POSITION, EASY).move for _ in range(3)]
    assert moves == ["add=1"] * 3
    assert engine.stale >= 2
    assert engine.restarts == 0


def test_an_answer_without_its_search_id_is_against_the_protocol(start: Start) -> None:
    with pytest.raises(ProtocolError, match="searchid"):
        start("nameless").play(POSITION, EASY)


def test_a_plain_ugi_engine_is_spoken_to_plainly(start: Start) -> None:
    engine = start("plain")
    assert [engine.play(POSITION, EASY).move for _ in range(2)] == ["add=1", "add=1"]
    assert engine.games == {}


@pytest.mark.parametrize("name", ["garbage", "badutf8", "longline", "burst", "boast", "chatty"])
def test_rubbish_beside_the_answer_does_no_harm(name: str, start: Start) -> None:
    engine = start(name)
    assert [engine.play(POSITION, EASY).move for _ in range(2)] == ["add=1", "add=1"]
    assert engine.restarts == 0


def test_what_is_kept_is_bounded(start: Start) -> None:
    assert len(start("boast").options) <= 1000
    assert len(start("burst").analyse(POSITION, EASY, multipv=50)) <= 256
    chatty = start("chatty")
    chatty.play(POSITION, EASY)
    assert len(chatty.stderr_tail) <= 2**16


@pytest.mark.parametrize("name", ["bloat", "lengthy"])
def test_a_greeting_that_does_not_end_is_against_the_protocol(name: str, start: Start) -> None:
    before = psutil.Process().memory_info().rss
    with pytest.raises(ProtocolError, match="greeting is too long"):
        start(name)
    assert psutil.Process().memory_info().rss - before < 50 * 2**20


def test_a_flood_costs_no_memory(start: Start) -> None:
    before = psutil.Process().memory_info().rss
    with start("flood").analysis(POSITION) as analysis:
        time.sleep(1.0)
        assert analysis.count > 1000
    assert psutil.Process().memory_info().rss - before < 50 * 2**20


def test_an_engine_that_ignores_quit_is_killed(start: Start) -> None:
    engine = start("immortal")
    engine.play(POSITION, EASY)
    engine.close()
    assert engine.returncode == -9


def test_an_illegal_move_is_told_with_the_legal_ones(start: Start) -> None:
    engine = start("illegal")
    with pytest.raises(IllegalMove) as caught:
        engine.play(POSITION, EASY, legal=["add=1", "add=2"])
    assert (caught.value.move, caught.value.legal) == ("add=9", ("add=1", "add=2"))
    assert engine.play(POSITION, EASY, verify=False).move == "add=9"


def test_a_move_is_checked_by_our_rules_if_they_know_the_game(start: Start) -> None:
    with pytest.raises(IllegalMove, match="take=1"):
        start("normal").play(GameText("spice_road;players=2;seed=1"), EASY)


def test_to_resign_is_illegal_unless_allowed(start: Start) -> None:
    engine = start("quitter")
    with pytest.raises(IllegalMove, match="resign"):
        engine.play(POSITION, EASY)
    assert engine.play(POSITION, EASY, verify=False).resigned


def test_no_move_without_an_error_is_against_the_protocol(start: Start) -> None:
    with pytest.raises(ProtocolError, match="none"):
        start("silent").play(POSITION, EASY)


def test_a_refusal_has_its_code(start: Start) -> None:
    engine = start("refuser")
    with pytest.raises(EngineRefusal) as caught:
        engine.play(POSITION, EASY)
    assert (caught.value.code, caught.value.detail) == ("illegal-move", "at=1 token=add=1")
    with pytest.raises(EngineRefusal, match="busy"):
        engine.configure({"Threads": 2})
    assert engine.values["Threads"] == "1"


@pytest.mark.parametrize("name", ["doublereply", "badreply", "noreply"])
def test_a_question_has_exactly_one_answer(name: str, start: Start) -> None:
    engine = start(name)
    with pytest.raises(ProtocolError):
        engine.query("legal", POSITION)
    assert engine.play(POSITION, EASY).move == "add=1"


def test_a_question_that_is_never_answered_has_a_deadline(start: Start, tmp_path: Path) -> None:
    engine = start("hangonquery", f"state={tmp_path / 'memory'}")
    engine.patience = Patience(timeout=0.3, grace=0.1)
    with pytest.raises(EngineTimeout, match="query legal"):
        engine.query("legal", POSITION)
    engine.patience = QUICK
    assert engine.query("legal", POSITION) == ["add=1"]


def test_a_program_that_cannot_be_started_is_an_engine_error(tmp_path: Path) -> None:
    for command in ("", "no-such-program-anywhere", str(tmp_path)):
        with pytest.raises(EngineError):
            SimpleEngine.popen(command)


@pytest.mark.parametrize("name", ["immortal", "frozen"])
def test_an_engine_that_sees_no_end_of_its_input_dies_with_a_client_that_is_killed(
    fake_command: str, name: str
) -> None:
    """Only who is no child of the client can end it then."""
    program = (
        "from serai.protocol.client import SimpleEngine, Limit, Patience\n"
        f"engine = SimpleEngine.popen({fake_command + ' ' + name!r})\n"
        "print(engine.pid, flush=True)\n"
        "engine.play('fen tokens;players=2;seed=1', Limit(time=60), verify=False)\n"
        "input()\n"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    with client:
        engine = psutil.Process(int(client.stdout.readline()))
        time.sleep(0.3)  # until it thinks, or has answered
        client.kill()
    assert engine.wait(FOREVER) in (None, -9)
    assert not engine.is_running()
