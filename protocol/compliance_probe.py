"""A process under test: what is sent and got, when, and the transcript that reproduces a failure."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from serai.core.closing import Closing
from serai.protocol.messages import (
    BestMove,
    ErrorLine,
    Info,
    longest_reply,
    parse_bestmove,
    parse_error,
    parse_info,
    split,
)
from serai.protocol.transport import LineSplitter

WORDS: Final = frozenset(
    (
        *("id", "option", "game", "ugiok", "uciok", "readyok"),
        *("info", "infojson", "bestmove", "perft", "response", "error"),
    )
)  # what a line may start with
TRANSCRIPT: Final = 120  # lines kept
SHOWN: Final = 2000  # characters of a line kept
SHOWN_IN_A_ROW: Final = 30  # received lines before some are left out


class FailedCheckError(Exception):
    """The engine broke the protocol."""


class SkippedCheckError(Exception):
    """The engine offers nothing that this check could look at."""


@dataclass
class Answer:
    """What came between a ``go`` and its ``bestmove``."""

    best: BestMove
    infos: list[Info] = field(default_factory=list)
    errors: list[ErrorLine] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def move(self) -> str:
        """The only move, or ``(none)``."""
        return " ".join(self.best.moves) or "(none)"

    def final(self) -> dict[int, Info]:
        """The last info of each line, by multipv."""
        return {info.multipv or 1: info for info in self.infos if info.pv}


class Probe(Closing):
    """An engine process. Every method that waits raises `FailedCheckError` when the time is up."""

    def __init__(self, argv: Sequence[str], timeout: float, violations: list[str]) -> None:
        self.timeout = timeout
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT)
        self._received = 0  # lines in a row
        self._violations = violations
        self._serial = 0
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue(10_000)
        self._output: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._write)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    # ---- threads

    def _read(self) -> None:
        assert self._process.stdout is not None
        splitter = LineSplitter()
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._process.stdout.fileno(), 65_536):
                now = time.monotonic()
                if b"\r" in data:
                    self._complain("a carriage return in the output")
                for line in splitter.feed(data):
                    self._lines.put((now, line))
        self._lines.put((time.monotonic(), None))

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (data := self._output.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(self._process.stdin.fileno(), rest) :]
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _complain(self, what: str) -> None:
        if what not in self._violations and len(self._violations) < 20:
            self._violations.append(what)

    def _inspect(self, line: str) -> None:
        word = (split(line) or [""])[0]
        if word not in WORDS:
            self._complain(f"a line that is none of the protocol's: {line[:120]!r}")
        if len(line.encode()) > longest_reply(line):
            self._complain(f"a line of {len(line.encode())} bytes")
        if "\ufffd" in line:
            self._complain(f"a line that isn't UTF-8: {line[:120]!r}")

    # ---- sending

    def send(self, *lines: str) -> float:
        """Send lines in one piece; when that was."""
        return self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> float:
        """Send bytes as they are; when that was."""
        for line in data.decode("utf-8", "replace").splitlines():
            self._tell("> " + _shown(line))
        self._output.put(data)
        return time.monotonic()

    def close_input(self) -> None:
        """Let it see the end of its input."""
        self._tell("> (end of input)")
        self._output.put(None)

    def signal(self, number: int) -> None:
        """Send a signal."""
        self._tell(f"> (signal {signal.Signals(number).name})")
        self._process.send_signal(number)

    # ---- the story

    def _tell(self, line: str) -> None:
        """Note a line; of many that were received in a row, the first ones, a count and the last."""
        self._received = self._received + 1 if line.startswith("<") else 0
        if self._received > SHOWN_IN_A_ROW + 1:
            self._transcript.pop()
        if self._received > SHOWN_IN_A_ROW + 2:
            self._transcript.pop()
        if self._received > SHOWN_IN_A_ROW + 1:
            self._transcript.append(f"< … ({self._received - SHOWN_IN_A_ROW - 1} lines)")
        self._transcript.append(line)

    def story(self) -> list[str]:
        """What was sent and got; a handshake that was only the beginning is cut."""
        sent = [line for line in self._transcript if line.startswith(">")]
        trivial = ("< id ", "< option ", "< game ") if sent != ["> ugi"] else ()
        return [line for line in self._transcript if not line.startswith(trivial)]

    # ---- receiving

    def get(self, seconds: float) -> tuple[float, str] | None:
        """The next line and when it came; None if none comes in time. Raises if there is an end instead."""
        try:
            when, line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put((when, None))
            self._tell("< (end of output)")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
            raise FailedCheckError(f"the engine has ended (exit code {self._process.returncode})")
        self._tell("< " + _shown(line))
        self._inspect(line)
        return when, line

    def until(self, word: str, seconds: float | None = None, what: str = "") -> list[tuple[float, str]]:
        """All lines up to the first that starts with a word."""
        seconds = self.timeout if seconds is None else seconds
        deadline = time.monotonic() + seconds
        lines: list[tuple[float, str]] = []
        while (got := self.get(deadline - time.monotonic())) is not None:
            lines.append(got)
            if split(got[1])[:1] == [word]:
                return lines
        raise FailedCheckError(f"no {word} within {seconds:.3g} s" + (f" after {what}" if what else ""))

    def quiet(self, seconds: float) -> list[str]:
        """What it says in some time in which nothing is sent."""
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while (got := self.get(deadline - time.monotonic())) is not None:
            lines.append(got[1])
        return lines

    # ---- conversations

    def greet(self) -> list[str]:
        """The handshake; its lines."""
        self.send("ugi")
        return [line for _, line in self.until("ugiok", what="ugi")]

    def sync(self, *lines: str) -> list[str]:
        """Send lines and ``isready``; what came before its answer."""
        self._serial += 1
        tag = f"t{self._serial}"
        self.send(*lines, f"isready {tag}")
        got: list[str] = []
        while True:
            got += [line for _, line in self.until("readyok", what=(lines or ("isready",))[-1][:80])]
            if split(got[-1])[1:2] in ([], [tag]):
                return got[:-1]

    def ask(self, question: str, *before: str) -> str:
        """The text of the answer to one query; raises if it is not exactly one response line."""
        got = self.sync(*before, f"query {question}")
        if len(got) != 1 or split(got[0])[:1] != ["response"]:
            raise FailedCheckError(f"query {question}: needs one response line, got {got[:3]}")
        return got[0].partition(" ")[2].strip()

    def go(self, *lines: str, seconds: float | None = None) -> Answer:
        """Send lines, the last of them a ``go``, and wait for the answer."""
        began = self.send(*lines)
        return self.answer(began, seconds, lines[-1][:80])

    def answer(self, began: float, seconds: float | None = None, what: str = "go") -> Answer:
        """The answer to a search that was started before."""
        got = self.until("bestmove", seconds, what)
        best = parse_bestmove(got[-1][1])
        assert best is not None
        lines = [line for _, line in got]
        infos = [info for line in lines if (info := parse_info(line)) is not None]
        errors = [error for line in lines if (error := parse_error(line)) is not None]
        return Answer(best, infos, errors, lines, got[-1][0] - began)

    # ---- the end

    def exit_code(self, seconds: float) -> int:
        """The exit code; raises if it doesn't end in time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise FailedCheckError(f"the engine doesn't end within {seconds:.3g} s") from None

    def close(self) -> None:
        """End it by force."""
        self._output.put(None)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for thread in self._threads:
            while thread.is_alive():
                with contextlib.suppress(queue.Empty):  # make room for a reader that waits for it
                    self._lines.get_nowait()
                thread.join(0.01)
        if self._process.stdout is not None:
            self._process.stdout.close()


def _shown(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}… ({len(line)} characters)"
