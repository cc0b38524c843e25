"""Waiting times of the engine process as a front end sees them. By the clock: measure on an idle machine."""

from __future__ import annotations

import contextlib
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import IO, Final

from serai.core.game import Position
from serai.search.benchmark import positions, tables

COMMAND: Final = (sys.executable, "-m", "serai.bots.cli")
DEADLINE: Final = 30.0  # seconds for any answer
MOVETIME: Final = 1000  # ms; 99 of 100 answers come between ...
EARLIEST: Final = 900
LATEST: Final = 1050


class Engine:
    """The engine behind pipes, read without a thread so that nothing is added to the times."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in: IO[bytes] = process.stdin
        self._out: IO[bytes] = process.stdout
        self._buffer = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)

    def send(self, line: str) -> None:
        self._in.write(line.encode() + b"\n")
        self._in.flush()

    def wait(self, word: str) -> float:
        """Seconds until a line begins with a word; raises TimeoutError or EOFError."""
        began = time.perf_counter()
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if newline:
                self._buffer = rest
                if line.split(b" ")[0] == word.encode():
                    return time.perf_counter() - began
                continue
            if not self._selector.select(DEADLINE):
                raise TimeoutError(f"no {word} within {DEADLINE:g} s")
            chunk = self._out.read1(65536)  # type: ignore[attr-defined]
            if not chunk:
                raise EOFError(f"the engine ended before {word}")
            self._buffer += chunk

    def close(self) -> None:
        self._selector.close()


@contextlib.contextmanager
def engine() -> Iterator[Engine]:
    """An engine that hasn't been spoken to; it is gone at the end, whatever happens."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    speaker = Engine(process)
    try:
        yield speaker
        speaker.send("quit")
        process.wait(DEADLINE)
    finally:
        process.kill()
        process.communicate()
        speaker.close()


def startup_ms(times: int) -> list[float]:
    """From starting the process to ``ugiok``."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        with engine() as speaker:
            speaker.send("ugi")
            speaker.wait("ugiok")
            found.append(1000 * (time.perf_counter() - began))
    return found


def stop_ms(times: int) -> list[float]:
    """From ``stop`` to ``bestmove``, at a random moment of a search without limits."""
    numbers = Random(1)
    found = []
    with greeted() as speaker:
        for text in position_texts(times):
            speaker.send(text)
            speaker.send("go infinite")
            time.sleep(numbers.uniform(0.02, 0.15))
            speaker.send("stop")
            found.append(1000 * speaker.wait("bestmove"))
    return found


def movetime_ms(times: int) -> list[float]:
    """From ``go movetime`` to ``bestmove``."""
    found = []
    with greeted() as speaker:
        for text in position_texts(times):
            speaker.send(text)
            speaker.send("isready")
            speaker.wait("readyok")
            speaker.send(f"go movetime {MOVETIME}")
            found.append(1000 * speaker.wait("bestmove"))
    return found


@contextlib.contextmanager
def greeted() -> Iterator[Engine]:
    with engine() as speaker:
        speaker.send("ugi")
        speaker.wait("ugiok")
        yield speaker


def position_texts(number: int) -> list[str]:
    """``position`` commands with views of the seat to move: the fixed positions and what follows them."""
    texts: list[str] = []
    numbers = Random(2)
    found = [p for table in tables() for p in positions(table)]
    while len(texts) < number:
        texts += [f"position {position.view_text(position.to_act)}" for position in found]
        found = [_later(position, numbers) for position in found]
    return texts[:number]


def _later(position: Position, numbers: Random) -> Position:
    """A few random decisions on, but never the end of the game."""
    for _ in range(3):
        following = position.apply(position.random_action(numbers.getrandbits(64)))
        if following.is_over:
            break
        position = following
    return position


def spread(values: list[float]) -> dict[str, float]:
    """Percentiles of some values."""
    ordered = sorted(values)
    places = {"median": 0.5, "90 %": 0.9, "99 %": 0.99, "most": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in places.items()}


def punctual(values: list[float]) -> int:
    """How many of ``movetime_ms`` lie within the limits."""
    return sum(EARLIEST <= value <= LATEST for value in values)
