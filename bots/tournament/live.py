"""What a tournament says while it is played: a picture on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from serai.bots.tournament import report_words as words
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.tally import Tally

LINE_EVERY: Final = 10.0  # seconds, where there is no terminal
PICTURES: Final = 4  # a second, on a terminal
JOBS: Final = 8  # shown at most
IN_LINE: Final = 4  # entrants in a line at most
NARROWEST: Final = 20  # columns that a terminal may pretend to have


class Ticker:
    """Tells how a tournament goes. All methods may be called from any thread; none raises for want of room.

    ``done_before``: the games of an earlier run, which count for the shares but not for the time left.
    ``block_size``: games of a block. ``stream``: stderr if None. ``clock``: seconds, for tests.
    """

    def __init__(
        self,
        names: Sequence[str],
        total: int,
        done_before: Iterable[Outcome] = (),
        stream: IO[str] | None = None,
        *,
        block_size: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names = [words.plain(name, 40) for name in names]
        self._total, self._clock = total, clock
        self._lock = threading.RLock()
        self._tally = Tally(len(names), block_size)
        for outcome in done_before:
            self._tally.add(outcome)
        self._before = self._tally.games
        self._jobs: dict[int, str] = {}
        self._last = ""
        self._began = clock()
        self._next, self._told = self._began + LINE_EVERY, self._before
        self._stream = sys.stderr if stream is None else stream
        self._live: Live | None = None
        self._live = self._picture_on(Console(file=self._stream, highlight=False, markup=False))

    def _picture_on(self, console: Console) -> Live | None:
        if not console.is_terminal or console.is_dumb_terminal:
            return None
        live = Live(
            console=console,
            get_renderable=self._picture,
            refresh_per_second=PICTURES,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        live.start()
        return live

    # ---- called by whoever plays

    def playing(self, job: int, text: str | None) -> None:
        """What a job plays now; None when it does nothing."""
        with self._lock:
            if text is None:
                self._jobs.pop(job, None)
            else:
                self._jobs[job] = words.plain(text, 200)

    def finished(self, outcome: Outcome, text: str) -> None:
        """Count a finished game; ``text`` says in a line what came of it."""
        with self._lock:
            self._tally.add(outcome)
            self._last = words.plain(text, 200)
            if self._live is None and self._clock() >= self._next:
                self._tell()

    def note(self, text: str) -> None:
        """Say something that stays on the screen."""
        line, live = words.plain(text, 1000), self._live
        if live is not None:  # without our lock: the picture's thread takes rich's first and then ours
            with contextlib.suppress(OSError, ValueError):
                live.console.print(Text(line), soft_wrap=True)
            return
        with self._lock:
            self._write(line)

    def close(self) -> None:
        """Take the picture away, or say how it ended; a second time does nothing."""
        if self._live is not None:
            with contextlib.suppress(OSError, ValueError):
                self._live.stop()
            self._live, self._told = None, self._tally.games
        with self._lock:
            if self._told != self._tally.games:
                self._tell()

    # ---- a line

    def _tell(self) -> None:
        self._next, self._told = self._clock() + LINE_EVERY, self._tally.games
        self._write(f"{self._pace()}: {self._shares()}")

    def _write(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody listens any more; the games go on
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def _pace(self) -> str:
        left, rate = self._left()
        speed = "" if rate <= 0 else f", {rate:.1f} games/s" if rate >= 1 else f", {1 / rate:.1f} s a game"
        return f"{self._tally.games} of {self._total} games{'' if left is None else f', {left} left'}{speed}"

    def _left(self) -> tuple[str | None, float]:
        """The time left, and the games a second; from the games of this run alone."""
        played, elapsed = self._tally.games - self._before, self._clock() - self._began
        if played == 0 or elapsed <= 0:
            return None, 0.0
        seconds = math.ceil(max(0, self._total - self._tally.games) * elapsed / played)
        hours, minutes = seconds // 3600, seconds // 60 % 60
        return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}", (
            played / elapsed
        )

    def _shares(self) -> str:
        best, left = self._tally.order(), len(self._names) - IN_LINE
        parts = [f"{self._names[i]} {self._share(i)}" for i in best[:IN_LINE]]
        faults = sum(self._tally.faults[i].total() for i in best)
        parts += [f"and {left} more"] if left > 0 else []
        return "  ".join([*parts, *([f"faults {faults}"] if faults else [])])

    # ---- a picture

    def _picture(self) -> RenderableType:
        live = self._live
        if live is None:
            return Text()
        width, height = max(NARROWEST, live.console.width), live.console.height
        with self._lock:
            jobs = [self._jobs[job] for job in sorted(self._jobs)][: min(JOBS, max(1, height // 4))]
            rows = max(2, height - len(jobs) - 5)
            tail = [Text(f"plays  {text}", "bright_black") for text in jobs]
            tail += [Text(f"last   {self._last}")] if self._last else []
            head = _cut(Text(self._pace(), "bold"))
            return Group(head, self._bar(width), self._standing(rows), *map(_cut, tail))

    def _bar(self, width: int) -> Text:
        width = min(width, 60)
        done = width * min(self._tally.games, self._total) // max(1, self._total)
        return Text("━" * done, "green").append("━" * (width - done), "bright_black")

    def _standing(self, room: int) -> Table:
        """The entrants, best first; of many the first and the last."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis", min_width=6)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis", style="bold red")
        order = self._tally.order()
        last = 0 if len(order) <= room else min(3, room // 3)
        first = len(order) if len(order) <= room else max(1, room - 1 - last)
        for place, i in enumerate(order, 1):
            if first < place <= len(order) - last:
                if place == first + 1:
                    table.add_row("", Text(f"… {len(order) - first - last} more", "bright_black"), "", "")
                continue
            table.add_row(str(place), Text(self._names[i]), *self._figures(i))
        return table

    def _figures(self, i: int) -> tuple[str, str]:
        counts = self._tally.faults[i]
        return self._share(i), words.faults(counts) if counts else ""

    def _share(self, i: int) -> str:
        share = words.percent(self._tally.share(i))
        return share if share == words.NOTHING else f"{share} %"


def _cut(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
