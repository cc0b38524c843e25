"""Other things that are used like an engine: mocks, the engine in this process, pools, the relay."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serai.protocol.client import (
    Engine,
    EngineRefusal,
    EngineTerminated,
    EngineTimeout,
    GameText,
    IllegalMove,
    Limit,
    LocalEngine,
    MockEngine,
    MockFault,
    Option,
    Patience,
    Pool,
    Script,
    SimpleEngine,
)
from serai.protocol.patience import deadline, milliseconds
from serai.protocol.relay import main as relay
from serai.protocol.transport import LineSplitter

pytestmark = pytest.mark.usefixtures("no_leftovers")

OPENING = GameText("spice_road;players=3;seed=42")
SEEDED = GameText("tokens;players=3;seed=7")


# ---- mock


def test_a_mock_plays_its_moves_and_keeps_what_it_was_sent() -> None:
    with MockEngine(["take=1", lambda game: f"take={1 + len(game.moves)}"]) as engine:
        assert engine.play(OPENING, Limit(time=1)).move == "take=1"
        assert engine.play(OPENING.after("take=1"), Limit(time=1)).move == "take=2"
        engine.assert_done()
    assert "position fen spice_road;players=3;seed=42 moves take=1" in engine.sent
    assert engine.sent[-1] == "quit"


def test_a_mock_answers_what_is_expected_of_it() -> None:
    with MockEngine(replies={"legal": "2 rest take=1"}) as engine:
        engine.expect("go nodes 10 *", "info depth 2 multipv 1 pv rest", "bestmove rest searchid {searchid}")
        assert engine.query("legal", OPENING) == ["rest", "take=1"]
        result = engine.play(OPENING, Limit(nodes=10), legal=["rest"])
        assert (result.move, result.info.depth, result.verified) == ("rest", 2, True)
        engine.assert_done()
        engine.expect("ponderhit")
        with pytest.raises(AssertionError, match="ponderhit"):
            engine.assert_done()


def test_a_mock_says_what_it_didn_t_expect() -> None:
    with MockEngine() as engine:
        with pytest.raises(EngineRefusal, match="no move left"):
            engine.play(OPENING, Limit(time=1))
        with pytest.raises(EngineRefusal, match="unknown-query"):
            engine.query("hash", OPENING)
        with pytest.raises(AssertionError, match="query hash"):
            engine.assert_done()


def test_a_mock_can_fail_like_a_real_one() -> None:
    moves: list[str | MockFault] = [MockFault.CRASH, "take=1", MockFault.HANG, "take=2", "fly"]
    with MockEngine(moves, options=[Option("Level", "spin", "3", 1, 9)]) as engine:
        engine.configure({"Level": 5})
        with pytest.raises(EngineTerminated, match="exit code 1"):
            engine.play(OPENING, Limit(time=0.1))
        assert engine.play(OPENING, Limit(time=0.1)).move == "take=1"
        with pytest.raises(EngineTimeout, match="movetime"):
            engine.play(OPENING, Limit(time=0.1))
        assert engine.play(OPENING, Limit(time=0.1)).move == "take=2"
        with pytest.raises(IllegalMove, match="fly"):
            engine.play(OPENING, Limit(time=0.1))
        assert engine.restarts == 2
        assert engine.sent.count("setoption name Level value 5") == 3


def test_a_script_serves_async_clients() -> None:
    async def main() -> None:
        script = Script(["take=4"])
        async with await Engine.connect(script.connect, Patience(timeout=5), lambda: None) as engine:
            assert (await engine.play(OPENING, Limit(time=1))).move == "take=4"

    asyncio.run(main())


# ---- local


def test_the_local_engine_answers_like_the_one_in_a_process() -> None:
    command = [sys.executable, "-m", "serai.protocol.engine"]
    limit = Limit(nodes=300)
    answers = []
    with LocalEngine() as local, SimpleEngine.popen(command, timeout=30) as distant:
        for engine in (local, distant):
            engine.configure({"Seed": 5, "Threads": 1})
            lines = engine.analyse(OPENING, limit, multipv=3)
            view = engine.query("view", OPENING, seat=2)
            lines += engine.analyse(OPENING.view(0), limit)
            answers.append(
                [[(line.pv, line.win, line.visits) for line in lines], view, engine.id, engine.games]
            )
    assert answers[0] == answers[1]


def test_the_local_engine_can_be_stopped_and_closed_in_a_search() -> None:
    before = threading.active_count()
    engine = LocalEngine()
    with engine.analysis(OPENING, multipv=2) as analysis:
        assert analysis.get(timeout=20) is not None
        analysis.stop()
        assert analysis.wait(timeout=20).move in (OPENING.legal() or ())
    engine.analysis(OPENING)
    engine.close()
    with pytest.raises(EngineTerminated, match="closed"):
        engine.play(OPENING)
    deadline = time.monotonic() + 20
    while threading.active_count() > before:  # its threads end by themselves
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_local_engine_survives_bad_positions() -> None:
    with LocalEngine() as engine:
        with pytest.raises(EngineRefusal, match="illegal-move at=1"):
            engine.play(OPENING.after("rest"), Limit(nodes=1))
        with pytest.raises(EngineRefusal, match="hidden"):
            engine.query("fen", OPENING.view("p1"))
        assert engine.perft(OPENING, 1) == 9


# ---- pool


def test_a_pool_answers_in_order_with_no_more_engines_than_it_has() -> None:
    made = []

    def make() -> SimpleEngine:
        made.append(MockEngine([lambda game: f"take={len(game.moves)}"] * 20))
        return made[-1]

    positions = [OPENING.after(*["take=1"] * count) for count in range(1, 13)]
    with Pool(3, make) as pool:
        work = pool.map(lambda engine, game: engine.play(game, Limit(time=5), verify=False), positions)
        assert [result.move for result in work] == [f"take={count}" for count in range(1, 13)]
    assert 1 <= len(made) <= 3
    assert not any(engine.alive for engine in made)


def test_a_pool_has_its_options_in_every_engine(minimal_command: list[str]) -> None:
    with Pool.popen(2, minimal_command, timeout=20) as pool:
        pool.configure({"Hash": 3})
        assert {engine.values["Hash"] for engine in _both(pool)} == {"3"}
        pool.configure({"Hash": 4})
        assert {engine.values["Hash"] for engine in _both(pool)} == {"4"}
        lines = list(pool.analyse_all([SEEDED] * 4, Limit(nodes=3), multipv=2))
    assert [len(line) for line in lines] == [2, 2, 2, 2]


def _both(pool: Pool) -> list[SimpleEngine]:
    with pool.engine() as first, pool.engine() as second:
        return [first, second]


def test_an_error_in_a_pool_is_raised_in_its_place(fake_command: str) -> None:
    with Pool.popen(2, f"{fake_command} crash", timeout=20) as pool:
        results = pool.play_all([SEEDED] * 3, Limit(nodes=1))
        with pytest.raises(EngineTerminated):
            next(results)


def test_a_pool_takes_items_as_it_needs_them() -> None:
    taken = []

    def endless() -> Iterator[GameText]:
        while True:
            taken.append(1)
            yield OPENING

    with Pool(2, lambda: MockEngine(["rest"] * 50)) as pool:
        work = pool.map(lambda engine, game: engine.play(game, verify=False).move, endless())
        assert [next(work) for _ in range(3)] == ["rest"] * 3
        work.close()
    assert len(taken) <= 6


# ---- relay


def test_the_relay_passes_everything_and_logs_it(minimal_command: list[str], tmp_path: Path) -> None:
    log = tmp_path / "traffic.log"
    command = [sys.executable, "-m", "serai.protocol.relay", "--log", str(log), *minimal_command]
    with SimpleEngine.popen(command, timeout=20) as engine:
        move = engine.play(SEEDED, Limit(nodes=1)).move
    lines = [line.split(None, 1)[1] for line in log.read_text().splitlines()]
    assert lines[0] == "> ugi"
    assert "> position fen tokens;players=3;seed=7" in lines
    assert any(line.startswith(f"< bestmove {move} searchid") for line in lines)
    assert lines[-1] == "# ended with 0"
    assert engine.returncode == 0


def test_the_relay_ends_an_engine_that_outlives_its_input(fake_command: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "serai.protocol.relay", *fake_command.split(), "immortal"]
    done = subprocess.run(command, input=b"ugi\n", capture_output=True, timeout=60, check=False)
    assert done.stdout.endswith(b"ugiok\n")
    assert b"> ugi" in done.stderr
    assert done.returncode == 128 + 9


def test_the_relay_refuses_what_it_can_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert relay([]) == 2
    assert relay(["no-such-program-anywhere"]) == 2
    assert "relay:" in capsys.readouterr().err


# ---- small parts


@pytest.mark.parametrize(
    ("seconds", "number"),
    [(0.5, 500), (0, 0), (-3, 0), (float("nan"), 0), (float("inf"), 10**9), (1e30, 10**9)],
)
def test_seconds_become_milliseconds(seconds: float, number: int) -> None:
    assert milliseconds(seconds) == number


@pytest.mark.parametrize(
    ("limit", "seat", "seconds", "name"),
    [
        (Limit(), None, 2, "DefaultMoveTime"),
        (Limit(time=3), None, 4, "movetime"),
        (Limit(clocks=[60, 5], incs=[0, 2], byos=[0, 1]), 1, 9, "clock"),
        (Limit(clocks=[60, 5]), None, 61, "clock"),
        (Limit(clocks=[60, -5]), 1, 1.001, "clock"),
        (Limit(nodes=1000), None, 16, "nodes"),
        (Limit(nodes=10**12, time=2), None, 3, "movetime"),
        (Limit(depth=5), None, 3601, "longest"),
        (Limit(time=float("inf")), None, 3601, "longest"),
    ],
)
def test_every_limit_has_a_deadline(limit: Limit, seat: int | None, seconds: float, name: str) -> None:
    end = deadline(limit, seat, Patience(), {})
    assert end.seconds == pytest.approx(seconds)
    assert end.limit == name


@given(st.lists(st.binary(max_size=40)))
def test_lines_do_not_depend_on_how_the_bytes_come(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    splitter = LineSplitter()
    lines = [line for piece in pieces for line in splitter.feed(piece)]
    assert lines == LineSplitter().feed(whole)
    assert len(lines) == whole.count(b"\n")


@given(st.lists(st.binary(max_size=40)), st.integers(1, 30))
def test_no_line_is_longer_than_allowed(pieces: list[bytes], longest: int) -> None:
    splitter = LineSplitter(longest)
    lines = [line for piece in pieces for line in splitter.feed(piece)]
    fit = [line for line in b"".join(pieces).split(b"\n")[:-1] if len(line) <= longest]
    assert lines == [line.decode("utf-8", "replace").rstrip("\r") for line in fit]
    assert splitter.dropped == b"".join(pieces).count(b"\n") - len(lines)
