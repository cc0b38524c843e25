"""How a run goes, on stderr: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import IO, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

LINE_EVERY: Final = 10.0  # seconds, where there is no terminal


class Teller:
    """Tells of one phase after the other. ``stream``: stderr if None. ``clock``: seconds, for tests."""

    def __init__(self, stream: IO[str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = sys.stderr if stream is None else stream, clock
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._what, self._unit, self._total, self._before, self._later = "", "", 1, 0, 0.0
        self._began = self._next = clock()
        console = Console(file=self._stream, highlight=False, markup=False)
        if console.is_terminal and not console.is_dumb_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn())
            self._bar = Progress(
                *columns, TextColumn("{task.fields[words]}", markup=False), console=console, transient=True
            )
            self._bar.start()

    def begin(self, what: str, total: int, unit: str, done: int = 0, later: float = 0.0) -> None:
        """A phase begins. ``done``: what an earlier run did of it; ``later``: seconds that will follow it."""
        self._what, self._unit, self._total, self._before, self._later = what, unit, total, done, later
        self._began = self._clock()
        self._next = self._began + LINE_EVERY
        if self._bar is not None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(what, total=total, completed=done, words="")

    def at(self, done: int, note: str = "") -> None:
        """So much of the phase is done."""
        words = self._words(done, note)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, words=words)
        elif self._clock() >= self._next:
            self._next = self._clock() + LINE_EVERY
            self._write(f"{self._what}: {done:,} of {self._total:,} {self._unit}, {words}")

    def say(self, text: str) -> None:
        """Something that stays on the screen."""
        if self._bar is not None:
            self._bar.console.print(text, soft_wrap=True)
        else:
            self._write(text)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = self._task = None

    def _words(self, done: int, note: str) -> str:
        elapsed, fresh = self._clock() - self._began, done - self._before
        if not fresh or elapsed <= 0:
            return note
        rate = fresh / elapsed
        left = (self._total - done) / rate + self._later
        words = f"{rate:,.0f} {self._unit}/s" if rate >= 10 else f"{rate:.1f} {self._unit}/s"
        return f"{words}, {_span(left)} left in all" + (f"; {note}" if note else "")

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
