"""One line on stderr that says how far a match is."""

from __future__ import annotations

import shutil
import sys
import time
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from serai.bots.match import Match

LIVE_EVERY: Final = 0.2  # seconds, on a terminal
LINE_EVERY: Final = 10.0  # seconds, elsewhere


class Progress:
    """Call it after each game; it says something now and then. ``clear`` leaves the line empty."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._began = time.monotonic()
        self._next = self._began + (0.0 if self._live else LINE_EVERY)
        self._shown = False

    def __call__(self, match: Match) -> None:
        """Show the state of the match, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (LIVE_EVERY if self._live else LINE_EVERY)
        text = self._text(match, now - self._began)
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{text[:width]:<{width}}")
            self._shown = True
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def _text(self, match: Match, elapsed: float) -> str:
        result = match.standings()
        rate = result.games / max(elapsed, 1e-9)
        left = round((match.plan.games - result.games) / rate)
        shares = "   ".join(f"{row.name} {row.share.percent()} %" for row in result.entrants)
        pace = f"{rate:.1f} games/s" if rate >= 1 else f"{1 / rate:.1f} s a game"
        games = f"game {result.games} of {match.plan.games}"
        return f"{games}   {left // 60}:{left % 60:02} left at {pace}   {shares}"

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._shown:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r" + " " * width + "\r")
            self._stream.flush()
            self._shown = False
