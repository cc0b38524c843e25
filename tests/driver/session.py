"""An engine in this process, driven line by line; every wait has a deadline."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Sequence
from types import TracebackType

from serai.protocol.engine import Engine
from serai.protocol.thinker import SearchThinker, Thinker

PATIENCE = 20.0  # seconds; far more than anything takes, also on a loaded machine


class Session:
    """Runs an engine in a thread behind two pipes. Leaving the ``with`` block ends it."""

    def __init__(self, thinker: Thinker | None = None) -> None:
        engine_in, self._to = os.pipe()
        self._from, engine_out = os.pipe()
        self.thinker = thinker or SearchThinker()
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.exit_code: int | None = None
        self._tag = 0
        self._engine = threading.Thread(target=self._serve, args=(engine_in, engine_out), daemon=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._engine.start()
        self._listener.start()

    def _serve(self, engine_in: int, engine_out: int) -> None:
        with os.fdopen(engine_in, "rb") as stdin, os.fdopen(engine_out, "wb", buffering=0) as stdout:
            self.exit_code = Engine(self.thinker, stdin, stdout).run()

    def _listen(self) -> None:
        with os.fdopen(self._from, "rb") as stream:
            for raw in stream:
                assert raw.endswith(b"\n")
                assert b"\r" not in raw
                assert len(raw) <= 60_000 or raw.startswith(b"response ")
                self.lines.put(raw[:-1].decode("utf-8"))
        self.lines.put(None)

    # ---- talking

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._to, rest) :]

    def send(self, *lines: str) -> None:
        """Write lines, in one piece."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def line(self, patience: float = PATIENCE) -> str:
        """The next line; fails if none comes."""
        try:
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            raise AssertionError("the engine says nothing") from None
        assert line is not None, "the engine is gone"
        return line

    def until(self, *beginnings: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first that begins with one of some words."""
        deadline = time.monotonic() + patience
        lines = [self.line(patience)]
        while not lines[-1].startswith(beginnings):
            lines.append(self.line(max(0.0, deadline - time.monotonic())))
        return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines; everything said until a following ``isready`` is answered."""
        self._tag += 1
        self.send(*lines, f"isready fence{self._tag}")
        return self.until(f"readyok fence{self._tag}")[:-1]

    def one(self, *lines: str) -> str:
        """The only answer to some lines."""
        answers = self.ask(*lines)
        assert len(answers) == 1, answers
        return answers[0]

    def response(self, query: str) -> str:
        """What comes after ``response`` for a query."""
        answer = self.one(f"query {query}")
        assert answer.startswith("response"), answer
        return answer.removeprefix("response").strip()

    def go(self, arguments: str = "nodes 50") -> list[str]:
        """All lines of a search up to its bestmove."""
        self.send(f"go {arguments}")
        return self.until("bestmove")

    def silent(self, seconds: float = 0.15) -> bool:
        """True if nothing is said for a while."""
        try:
            return self.lines.get(timeout=seconds) is None
        except queue.Empty:
            return True

    def rest(self) -> list[str]:
        """Close the input; the lines that still came."""
        os.close(self._to)
        self._to = -1
        lines = []
        while (line := self._last_line()) is not None:
            lines.append(line)
        return lines

    def _last_line(self) -> str | None:
        return self.lines.get(timeout=PATIENCE)

    # ---- ending

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._to >= 0:
            os.close(self._to)
            self._to = -1
        self._engine.join(PATIENCE)
        assert not self._engine.is_alive(), "the engine doesn't end"
        self._listener.join(PATIENCE)


def words(line: str) -> Sequence[str]:
    """The words of a line."""
    return line.split(" ")
