"""A search in a thread of its own: start, stop, ponderhit, and exactly one answer for each ``go``."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from serai.protocol.effort import later_decision
from serai.protocol.messages import BestMove, format_bestmove, format_error
from serai.protocol.reporting import Asked, report_lines
from serai.protocol.wire import Answer, LineWriter

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.protocol.thinker import Thinker
    from serai.search import Limits, Report

GRACE: Final = 2.0  # seconds that a thinker may take to stop before the engine answers for it
PROMPT: Final = 0.1  # seconds that ``stop`` waits for the answer before the next line is read
_NUDGE = 0.002  # seconds between two calls of Thinker.stop
_INFO_EVERY = 0.05  # seconds between two info lines during a search
_LONGEST_TURN = 64  # decisions
_RESIGN_BELOW = 0.005  # share of the win


@dataclass(frozen=True)
class Task:
    """A ``go``: what to think about and how to answer."""

    position: Position  # as the thinker may see it
    moves: tuple[str, ...] | None  # searchmoves, legal ones only
    multipv: int
    asked: Asked
    whole_turn: bool = False
    may_ponder: bool = False
    may_resign: bool = False


class Job:
    """One ``go`` from its start to its answer."""

    def __init__(self, thinker: Thinker, lock: threading.Lock, writer: LineWriter, task: Task) -> None:
        self._thinker, self.task = thinker, task
        self._thinker_lock = lock  # held while the thinker works; a thinker that won't stop keeps it
        self.answer = Answer(writer)
        self._quiet = False
        self._last: Report | None = None
        self._next_info = 0.0
        self.failed = False
        self.stopped = False
        self.later: Limits | None = None  # what to search with after a ponderhit
        self.idle = threading.Event()  # the thinker is not searching (yet, any more, or while held)
        self.resume = threading.Event()  # stop or ponderhit has come

    # ---- called by the reading thread

    def start(self, limits: Limits, *, hold: bool) -> None:
        """Search in a thread; with ``hold`` the answer waits for ``stop`` or ``ponderhit``.

        Limited by nodes alone, a search says nothing before its answer, so that its output is reproducible.
        """
        self._quiet = limits.nodes is not None and limits.movetime is None and limits.clock is None
        thread = threading.Thread(target=self._run, args=(limits, hold), name="search", daemon=True)
        thread.start()

    def stop(self, patience: float) -> bool:
        """End the search and have it answered; False if that takes longer than ``patience`` seconds."""
        self.stopped = True
        deadline = time.monotonic() + patience
        self._quieten(deadline)
        self.resume.set()
        return self.answer.given.wait(max(0.0, deadline - time.monotonic()))

    def ponderhit(self, limits: Limits) -> None:
        """Go on as an ordinary search with these limits."""
        if not self.resume.is_set():
            self.later = limits
            self._quieten(time.monotonic() + GRACE)
            self.resume.set()

    def _quieten(self, deadline: float) -> None:
        # Repeated, since a stop that comes just before the thinker starts is not remembered by it.
        while not self.idle.is_set() and time.monotonic() < deadline:
            self._thinker.stop()
            self.idle.wait(_NUDGE)

    def give_up(self) -> None:
        """Answer in place of a thinker that doesn't stop; what it says later is dropped."""
        from serai.search import Report

        asked, report = self.task.asked, self._last
        if report is None:
            first = (self.task.moves or self.task.position.legal_tokens())[0]
            report = Report(first, (), nodes=0, worlds=0, depth=0, seldepth=0, hashfull=0, time=0)
        self.answer.give(
            format_error("internal", "overdue: the search doesn't stop"),
            *report_lines(report, asked, final=True),
            format_bestmove(BestMove((report.best,), None, asked.searchid)),
        )

    # ---- the searching thread

    def _run(self, limits: Limits, hold: bool) -> None:
        try:
            with self._thinker_lock:
                if self.answer.is_given():  # the thinker was busy with an earlier search for too long
                    return
                self._thinker.prepare()
                self.answer.give(*self._think(limits, hold))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.failed = True
            refusal = format_error("internal", f"{type(error).__name__}: {error}")
            self.answer.give(refusal, format_bestmove(BestMove((), None, self.task.asked.searchid)))
        finally:
            self.idle.set()

    def _think(self, limits: Limits, hold: bool) -> list[str]:
        started = time.monotonic()
        try:
            report = self._phase(limits)
        except Exception:
            if hold:
                self.resume.wait()
            raise
        if hold:
            self.resume.wait()
            if self.later is not None:
                started, limits, self._quiet = time.monotonic(), self.later, False
                report = self._phase(self.later) or report
        if report is None:  # stopped before it began
            report = self._hurried()
        return self._closing(report, limits, time.monotonic() - started)

    def _phase(self, limits: Limits) -> Report | None:
        """One search; None if there is no time for it any more."""
        self.idle.clear()
        try:
            if self.stopped:
                return None
            return self._call(self.task.position, limits, self.task.multipv, self.task.moves, self._on_report)
        finally:
            self.idle.set()

    def _hurried(self) -> Report:
        from serai.search import Limits

        return self._call(self.task.position, Limits(movetime=0), self.task.multipv, self.task.moves, None)

    def _call(
        self,
        position: Position,
        limits: Limits,
        multipv: int,
        moves: tuple[str, ...] | None,
        on_report: Callable[[Report], None] | None,
    ) -> Report:
        report = self._thinker.search(position, limits, multipv=multipv, moves=moves, on_report=on_report)
        if report.best not in (moves if moves is not None else position.legal_tokens()):
            raise ValueError(f"the thinker chose {report.best!r:.60}, which is not legal")
        return report

    def _on_report(self, report: Report) -> None:
        if self.stopped:
            self._thinker.stop()
        self._last = report
        now = time.monotonic()
        if now >= self._next_info and not self._quiet:
            lines = report_lines(report, self.task.asked, final=False)
            self._next_info = now + _INFO_EVERY * len(lines)
            self.answer.interim(*lines)

    # ---- the answer

    def _closing(self, report: Report, limits: Limits, elapsed: float) -> list[str]:
        moves, ponder = [report.best], report.ponder
        if self.task.whole_turn:
            rest, ponder = self._rest_of_turn(report, limits, elapsed)
            moves += rest
        if (
            self.task.may_resign
            and report.lines
            and report.lines[0].win[self.task.asked.mover] < _RESIGN_BELOW
        ):
            moves, ponder = ["resign"], None
        best = BestMove(tuple(moves), ponder if self.task.may_ponder else None, self.task.asked.searchid)
        return [*report_lines(report, self.task.asked, final=True), format_bestmove(best)]

    def _rest_of_turn(self, report: Report, limits: Limits, elapsed: float) -> tuple[list[str], str | None]:
        """The decisions of the seat that follow in the same turn."""
        rest: list[str] = []
        position, last, ponder = self.task.position, report.best, report.ponder
        while len(rest) < _LONGEST_TURN:
            known = len(position.history)
            position = position.apply(last)
            if position.to_act != self.task.asked.mover or len(position.history) != known + 1:
                break  # another seat, the end, or a chance event comes first
            if position.mover != self.task.position.mover:
                break  # the seat had decided in another's turn, and now has its own
            following = self._afterwards(position, limits, elapsed, len(rest))
            last, ponder = following.best, following.ponder
            rest.append(last)
        return rest, ponder

    def _afterwards(self, position: Position, limits: Limits, elapsed: float, earlier: int) -> Report:
        """One more search of the same answer."""
        self.idle.clear()  # before the limits are chosen: a stop is seen there, or ends the search
        try:
            return self._call(position, self._later(limits, elapsed, earlier), 1, None, None)
        finally:
            self.idle.set()

    def _later(self, limits: Limits, elapsed: float, earlier: int) -> Limits:
        from serai.search import Limits

        return Limits(movetime=0) if self.stopped else later_decision(limits, elapsed, earlier)
