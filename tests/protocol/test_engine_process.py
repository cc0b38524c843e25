"""The engine as a process behind pipes, as managers run it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

ENGINE = [sys.executable, "-m", "serai.protocol.engine"]
PATIENCE = 30.0
START = "position fen spice_road;players=3;seed=42"


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    )
    with process:
        yield process
        process.kill()


def send(process: subprocess.Popen[bytes], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())


def until(process: subprocess.Popen[bytes], beginning: str) -> list[str]:
    """Lines up to one that begins so; the process is killed by the fixture if that never comes."""
    assert process.stdout is not None
    lines = []
    for raw in process.stdout:
        lines.append(raw.decode().removesuffix("\n"))
        if lines[-1].startswith(beginning):
            return lines
    raise AssertionError(f"the output ended: {lines[-3:]}")


def test_handshake_and_a_move_through_a_pipe(engine: subprocess.Popen[bytes]) -> None:
    send(engine, "ugi")
    assert until(engine, "ugiok")[0].startswith("id name ")
    send(engine, "isready", START, "go movetime 50")
    assert until(engine, "bestmove")[-1].split()[1].startswith(("take=", "play="))
    send(engine, "quit")
    assert engine.wait(PATIENCE) == 0


@pytest.mark.parametrize("running", ["", "go infinite", "go movetime 600000"])
def test_the_end_of_the_input_ends_the_process(engine: subprocess.Popen[bytes], running: str) -> None:
    send(engine, START, running, "isready")
    until(engine, "readyok")
    assert engine.stdin is not None
    started = time.monotonic()
    engine.stdin.close()
    assert engine.wait(PATIENCE) == 0
    assert time.monotonic() - started < 5


def test_a_reader_that_goes_away_ends_the_process(engine: subprocess.Popen[bytes]) -> None:
    send(engine, START, "go infinite")
    until(engine, "info")
    assert engine.stdout is not None
    engine.stdout.close()
    assert engine.wait(PATIENCE) == 0


def test_a_flood_of_isready_during_a_search_keeps_lines_whole(engine: subprocess.Popen[bytes]) -> None:
    send(engine, START, "go infinite", *(f"isready {number}" for number in range(500)))
    lines = until(engine, "readyok 499")
    send(engine, "stop")
    lines += until(engine, "bestmove")
    assert {line.split()[0] for line in lines} <= {"info", "readyok", "bestmove"}
    assert [line for line in lines if line.startswith("readyok")] == [
        f"readyok {number}" for number in range(500)
    ]


def test_an_idle_engine_is_idle(engine: subprocess.Popen[bytes]) -> None:
    send(engine, START, "go nodes 100", "isready")
    until(engine, "bestmove")
    process = psutil.Process(engine.pid)

    def used() -> float:
        """Seconds of CPU in a second of the clock."""
        before = sum(process.cpu_times()[:2])
        time.sleep(1.0)
        return float(sum(process.cpu_times()[:2]) - before)

    assert min(used() for _ in range(3)) < 0.05  # the end of a search may take its time on a busy machine


def test_memory_does_not_grow_with_positions_or_long_lines(engine: subprocess.Popen[bytes]) -> None:
    process = psutil.Process(engine.pid)
    send(engine, "setoption name Hash value 4", START, "go nodes 500", "isready warm")
    until(engine, "readyok warm")
    batch = [
        f"position fen spice_road;players={2 + i % 4};seed={i // 50} moves take=1 take=2 pay=y"
        for i in range(400)
    ]
    send(engine, *batch, "isready a")
    until(engine, "readyok a")
    before = process.memory_info().rss
    send(engine, *batch, *batch, "isready b")
    until(engine, "readyok b")
    assert engine.stdin is not None
    for _ in range(30):
        engine.stdin.write(b"x" * 2**20)
    send(engine, "", "isready c")
    until(engine, "readyok c")
    assert process.memory_info().rss - before < 20 * 2**20


def test_what_a_thinker_prints_does_not_reach_the_protocol() -> None:
    program = (
        "import os\n"
        "from serai.protocol.engine import serve\n"
        "from serai.protocol.thinker import SearchThinker\n"
        "class Chatty(SearchThinker):\n"
        "    def prepare(self):\n"
        "        print('hello'); os.write(1, b'from below\\n'); super().prepare()\n"
        "raise SystemExit(serve(Chatty()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"isready\n", capture_output=True, timeout=PATIENCE, check=True
    )
    assert done.stdout == b"readyok\n"
    assert b"from below" in done.stderr
    assert b"hello" in done.stderr


def test_a_paused_engine_goes_on(engine: subprocess.Popen[bytes]) -> None:
    send(engine, START, "go infinite")
    until(engine, "info")
    process = psutil.Process(engine.pid)
    process.suspend()
    time.sleep(0.2)
    process.resume()
    send(engine, "stop", "quit")
    assert until(engine, "bestmove")
    assert engine.wait(PATIENCE) == 0
