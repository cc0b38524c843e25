"""A client and a well-behaved engine: what programs do with them."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from serai.core import load
from serai.protocol.client import (
    Busy,
    Engine,
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

SEEDED = GameText("tokens;players=3;seed=7")


@pytest.fixture
def engine(minimal_command: list[str]) -> Iterator[SimpleEngine]:
    with SimpleEngine.popen(minimal_command, timeout=20) as engine:
        yield engine


# ---- the sample of the design


def test_what_an_engine_says_of_itself(engine: SimpleEngine) -> None:
    assert engine.id["name"] == "Minimal 1.0"
    assert engine.games["tokens"].most == 5
    assert engine.options["Move Overhead"].maximum == 1000
    assert os.path.isabs(engine.command[0])


def test_play_under_a_clock(engine: SimpleEngine) -> None:
    result = engine.play(SEEDED, Limit(clocks=[6, 6, 6], incs=[1, 1, 1]))
    assert result.move in engine.query("legal", SEEDED)
    assert result.wall > 0.2
    assert result.info.searchid is not None


def test_analyse_gives_the_best_lines(engine: SimpleEngine) -> None:
    lines = engine.analyse(SEEDED, Limit(nodes=50), multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert all(line.win and sum(line.win) == 1000 for line in lines)


def test_searchmoves_are_obeyed(engine: SimpleEngine) -> None:
    assert engine.play(SEEDED, Limit(nodes=1), searchmoves=["add=2"]).move == "add=2"
    with pytest.raises(EngineRefusal, match="no-searchmoves"):
        engine.play(SEEDED, Limit(nodes=1), searchmoves=[])


def test_questions_have_typed_answers(engine: SimpleEngine) -> None:
    after = SEEDED.after("add=1")
    assert engine.query("turn", after) == "p2"
    assert engine.query("gameover", after) is False
    assert engine.query("scores", after) == [1, 0, 0]
    assert engine.query("players") == 3
    assert engine.query("islegal", after, "add=9") is False
    assert engine.query("options")["Threads"] == "1"
    view = engine.query("view", after, seat="p2")
    assert (view.seat, view.spec, view.moves[-1]) == (1, "tokens;players=3", "add=1")
    assert engine.query("legal", view) == engine.query("legal", after)
    chances = engine.query("chance", GameText("tokens"))
    assert sum(chance for _, chance in chances) == pytest.approx(1)
    with pytest.raises(EngineRefusal, match="unknown-query"):
        engine.query("weather", after)


def test_a_bad_position_is_refused_and_the_next_one_works(engine: SimpleEngine) -> None:
    bad = SEEDED.after("add=1", "add=7")
    for _ in range(2):
        with pytest.raises(EngineRefusal) as caught:
            engine.query("legal", bad)
        assert (caught.value.code, caught.value.detail) == ("illegal-move", "at=2 token=add=7")
    assert engine.query("turn", SEEDED) == "p1"


def test_chance_is_drawn_by_a_referee(engine: SimpleEngine) -> None:
    assert engine.chance(GameText("tokens")).startswith("~deal=p1:")
    with pytest.raises(EngineRefusal, match="not-a-chance-node"):
        engine.chance(SEEDED)


# ---- options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Threads", 5),
        ("Threads", "many"),
        ("Threads", 1.5),
        ("Ponder", "maybe"),
        ("Information", "none"),
        ("Colour", "red"),
        ("MultiPV", 3),
        ("UGI_Opponents", "a\nquit"),
    ],
)
def test_a_bad_option_is_refused_before_it_is_sent(name: str, value: str, engine: SimpleEngine) -> None:
    before = engine.values
    with pytest.raises(EngineRefusal):
        engine.configure({name: value})
    assert engine.values == before
    assert engine.query("options") == before


def test_good_options_arrive(engine: SimpleEngine) -> None:
    engine.configure({"threads": 2, "Ponder": True, "information": "FULL", "Clear Hash": None})
    engine.configure({"UGI_Opponents": "p1=human p3=Serai", "Move Overhead": 40})
    wanted = {"Threads": "2", "Ponder": "true", "Information": "full", "Move Overhead": "40"}
    assert wanted.items() <= engine.query("options").items()
    assert engine.values["UGI_Opponents"] == "p1=human p3=Serai"
    engine.restart()
    assert engine.query("options") == engine.values
    assert engine.restarts == 1


# ---- analysis


def test_an_analysis_runs_until_it_is_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(SEEDED, multipv=2) as analysis:
        first = analysis.get(timeout=20)
        assert first is not None
        assert first.multipv == 1
        assert engine.ping(timeout=20) >= 0
        with pytest.raises(Busy):
            engine.play(SEEDED, Limit(nodes=1))
        analysis.stop()
        best = analysis.wait(timeout=20)
        assert [line.multipv for line in analysis.multipv] == [1, 2]
        assert analysis.get() is not None
    assert best.move in engine.query("legal", SEEDED)


def test_iterating_ends_with_the_search(engine: SimpleEngine) -> None:
    with engine.analysis(SEEDED, Limit(time=0.3)) as analysis:
        lines = list(analysis)
    assert lines
    assert analysis.done
    assert analysis.count >= len(lines)


def test_to_wait_for_an_analysis_can_time_out_without_harm(engine: SimpleEngine) -> None:
    with engine.analysis(SEEDED) as analysis:
        with pytest.raises(EngineTimeout, match="wait"):
            analysis.wait(timeout=0.1)
        assert not analysis.done
    assert engine.restarts == 0


def test_pondering_ends_with_the_hit(engine: SimpleEngine) -> None:
    with engine.analysis(SEEDED, Limit(time=0.1), ponder=True) as analysis:
        with pytest.raises(EngineTimeout):
            analysis.wait(timeout=0.5)
        analysis.hit()
        assert analysis.wait(timeout=20).move


def test_an_engine_that_dies_under_an_analysis_is_noticed(engine: SimpleEngine) -> None:
    with engine.analysis(SEEDED) as analysis:
        os.kill(engine.pid or 0, signal.SIGKILL)
        with pytest.raises(EngineTerminated, match="SIGKILL"):
            list(analysis)
    assert engine.play(SEEDED, Limit(nodes=1)).move


def test_an_engine_that_freezes_under_an_analysis_is_noticed(minimal_command: list[str]) -> None:
    with SimpleEngine.popen(minimal_command, timeout=20) as engine, engine.analysis(SEEDED) as analysis:
        engine.patience = Patience(stall=0.6, grace=0.1)
        os.kill(engine.pid or 0, signal.SIGSTOP)
        with pytest.raises(EngineStalled):
            list(analysis)


# ---- threads, tasks, loops


def test_threads_queue_up(engine: SimpleEngine) -> None:
    moves: list[str | None] = []
    limit = Limit(nodes=5)
    threads = [
        threading.Thread(target=lambda: moves.append(engine.play(SEEDED, limit).move)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(moves) == 8
    assert len(set(moves)) == 1


def test_a_sync_engine_works_beside_a_running_loop(minimal_command: list[str]) -> None:
    async def main() -> str | None:
        with SimpleEngine.popen(minimal_command, timeout=20) as engine:
            return engine.play(SEEDED, Limit(nodes=5)).move

    assert asyncio.run(main())


def test_async_calls_queue_up_and_can_be_cancelled(minimal_command: list[str]) -> None:
    async def main() -> None:
        async with await Engine.popen(minimal_command, timeout=20) as engine:
            thinking = asyncio.create_task(engine.play(SEEDED, Limit(time=60)))
            await asyncio.sleep(0.1)
            thinking.cancel()
            results = await asyncio.gather(
                thinking, *(engine.play(SEEDED, Limit(nodes=5)) for _ in range(3)), return_exceptions=True
            )
            assert isinstance(results[0], asyncio.CancelledError)
            assert len({result.move for result in results[1:] if not isinstance(result, BaseException)}) == 1
            assert engine.restarts == 0

    asyncio.run(main())


def test_async_analysis(minimal_command: list[str]) -> None:
    async def main() -> None:
        async with (
            await Engine.popen(minimal_command, timeout=20) as engine,
            await engine.analysis(SEEDED, Limit(time=0.2)) as analysis,
        ):
            lines = [info async for info in analysis]
            assert lines[-1].pv
            assert (await analysis.wait()).move

    asyncio.run(main())


def test_closing_ends_calls_under_way(minimal_command: list[str]) -> None:
    async def main() -> None:
        engine = await Engine.popen(minimal_command, timeout=20)
        thinking = asyncio.create_task(engine.play(SEEDED, Limit(time=60)))
        await asyncio.sleep(0.1)
        await engine.close()
        with suppress(EngineTerminated):  # unless the engine answers before it goes
            await thinking
        with pytest.raises(EngineTerminated, match="closed"):
            await engine.play(SEEDED)

    asyncio.run(main())


# ---- nothing is left behind


def runs(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped by init doesn't."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("end", ["del engine; import gc; gc.collect()", "sys.exit()", "os._exit(0)", "1 / 0"])
def test_an_engine_ends_with_its_client(end: str, minimal_command: list[str], tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = f"""
        import os, sys, time
        from serai.protocol.client import *
        engine = SimpleEngine.popen({minimal_command!r}, timeout=20)
        analysis = engine.analysis({str(SEEDED.line)!r})
        open({str(note)!r}, "w").write(str(engine.pid))
        del analysis
        {end}
    """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], timeout=60, check=False, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 10
    while runs(int(note.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(int(note.read_text()))


def test_a_dropped_engine_is_ended_while_its_client_lives_on(minimal_command: list[str]) -> None:
    engine = SimpleEngine.popen(minimal_command, timeout=20)
    pid = engine.pid or 0
    del engine
    deadline = time.monotonic() + 10
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(pid)


def test_a_question_can_not_smuggle_a_command(engine: SimpleEngine) -> None:
    for words in (["legal\nquit"], ["islegal", "add=1\rstop"], ["islegal", ""]):
        with pytest.raises(EngineRefusal, match="not one token"):
            engine.query(words[0], SEEDED, *words[1:])
    with pytest.raises(EngineRefusal, match="not one token"):
        engine.play(SEEDED, searchmoves=["add=1 infinite"])


def test_a_fork_does_not_end_the_engine_of_its_parent(minimal_command: list[str]) -> None:
    script = f"""
        import multiprocessing, sys
        from serai.protocol.client import *
        engine = SimpleEngine.popen({minimal_command!r}, timeout=20)
        child = multiprocessing.get_context("fork").Process(target=engine.close)
        child.start(); child.join(20)
        print(child.exitcode, engine.ping(), engine.restarts)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], timeout=60, capture_output=True, check=True
    )
    assert done.stdout.decode().split()[::2] == ["0", "0"]


def test_no_file_descriptor_is_leaked(minimal_command: list[str]) -> None:
    counts = []
    for _ in range(4):
        with SimpleEngine.popen(minimal_command, timeout=20) as engine:
            engine.play(SEEDED, Limit(nodes=1))
        counts.append(psutil.Process().num_fds())
    assert counts[-1] <= counts[0]


def test_stderr_can_go_to_a_file(fake_command: str, tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    with SimpleEngine.popen(f"{fake_command} normal", timeout=20, stderr=log) as engine:
        engine.configure({"Path": "/tmp/ä ö"})
    assert log.read_text() == "setoption name Path value /tmp/ä ö\n"


def test_environment_and_directory(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(
        "import os, sys\n"
        "name = f\"id name {os.environ['WHO']} {os.getcwd()}\\nugiok\"\n"
        "for line in sys.stdin:\n"
        "    print({'ugi\\n': name, 'isready\\n': 'readyok'}.get(line, ''), flush=True)\n"
    )
    command = [sys.executable, str(script)]
    with SimpleEngine.popen(command, env={"WHO": "me"}, cwd=tmp_path, timeout=20) as engine:
        assert engine.id["name"] == f"me {tmp_path}"


# ---- positions and errors


def test_a_position_of_the_core_is_a_position(engine: SimpleEngine) -> None:
    position = load("spice_road;players=3;seed=42").start().apply("take=1")
    with pytest.raises(EngineRefusal, match="unknown-game"):
        engine.play(position)


def test_game_text_views_by_our_own_rules() -> None:
    game = GameText("spice_road;players=3;seed=42", ["take=1"])
    view = game.view("p2")
    assert (view.seat, view.spec) == (1, "spice_road;players=3")
    assert view.legal() == game.legal()
    assert view.view(1) is view
    with pytest.raises(ValueError, match="p3"):
        view.view("p3")
    with pytest.raises(EngineRefusal, match="unknown-game"):
        SEEDED.view(0)
    assert SEEDED.legal() is None


@pytest.mark.parametrize(
    "text", ["", "fen", "view p9", "startpos", "fen a b", "view x spice_road", "go nodes 1"]
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(EngineRefusal):
        GameText.parse(text)


@pytest.mark.parametrize("token", ["", "a b", "a\nquit", " a", "a\tb"])
def test_a_token_can_not_smuggle_a_command(token: str) -> None:
    with pytest.raises(EngineRefusal):
        SEEDED.after(token)


@pytest.mark.parametrize(
    "error",
    [
        EngineError("x"),
        ProtocolError("x", "line"),
        EngineRefusal("hidden", "p2"),
        EngineTimeout("x", "clock"),
        EngineStalled("x", "stall"),
        EngineTerminated("x", -9, "tail"),
        IllegalMove("a", ["b"]),
        Busy("x"),
    ],
)
def test_errors_travel_between_processes(error: EngineError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))
