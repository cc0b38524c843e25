"""``go perft N``: counts event sequences, in a thread, stoppable, one line for each first event."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, Final

from serai.protocol.messages import format_error
from serai.protocol.wire import Answer, LineWriter

if TYPE_CHECKING:
    from serai.core.game import Position

DEEPEST: Final = 20
_AT_ONCE = 3  # plies counted without looking at the stop flag


class Perft:
    """One count from its start to its answer, ``perft N nodes TOTAL time MS``."""

    failed = False

    def __init__(self, position: Position, depth: int, writer: LineWriter) -> None:
        self._position = position.game.from_state(position.state(), seed=None)  # chance is counted, not dealt
        self._depth, self._stopped = depth, False
        self.answer = Answer(writer)

    def start(self) -> None:
        """Count in a thread."""
        threading.Thread(target=self._run, name="perft", daemon=True).start()

    def stop(self, patience: float) -> bool:
        """End the count; False if that takes longer than ``patience`` seconds."""
        self._stopped = True
        return self.answer.given.wait(patience)

    def give_up(self) -> None:
        """Answer for a count that doesn't end."""
        self.answer.give(format_error("internal", "overdue: the count doesn't stop"))

    def _run(self) -> None:
        started = time.monotonic()
        try:
            total = self._divide()
            mark = " stopped" if self._stopped else ""
            milliseconds = int((time.monotonic() - started) * 1000)
            self.answer.give(f"perft {self._depth} nodes {total} time {milliseconds}{mark}")
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.answer.give(format_error("internal", f"{type(error).__name__}: {error}"))

    def _divide(self) -> int:
        if self._depth == 0:
            return 1
        total = 0
        for token in [] if self._position.is_over else self._position.legal_tokens():
            count = self._count(self._position.apply(token), self._depth - 1)
            if self._stopped:
                break
            self.answer.interim(f"info string {token} {count}")
            total += count
        return total

    def _count(self, position: Position, depth: int) -> int:
        from serai.search import perft

        if depth <= _AT_ONCE:
            return int(perft(position, depth))
        total = 0
        for action in position.legal_actions():
            if self._stopped:
                break
            total += self._count(position.apply(action), depth - 1)
        return total
