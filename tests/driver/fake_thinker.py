"""A thinker that does what a test wants: wait, judge, misbehave."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from serai.core import Position
from serai.protocol.messages import Option
from serai.search.report import Limits, Line, Report


@dataclass(frozen=True)
class Call:
    """What the thinker was asked."""

    position: Position
    limits: Limits
    multipv: int
    moves: Sequence[str] | None


class FakeThinker:
    """Plays the first legal move; not limited by nodes it thinks until its time is up or it is stopped."""

    name = "Fake 1"
    author = "nobody"

    def __init__(
        self,
        *,
        stubborn: float = 0.0,
        choose: Callable[[Position], str] | None = None,
        share: float | None = None,
        crash: type[Exception] | None = None,
        slow_to_load: float = 0.0,
    ) -> None:
        self.calls: list[Call] = []
        self.told: list[str] = []
        self.stops = 0
        self._stubborn = stubborn  # seconds that it goes on after a stop
        self._choose = choose
        self._share = share  # of the win, for the mover; None: no lines at all
        self._crash = crash
        self._slow_to_load = slow_to_load
        self._stop = threading.Event()

    def options(self) -> Sequence[Option]:
        return (Option("Temper", "string", "calm"), Option("Seed", "spin", "0", 0, 2**31 - 1))

    def set_option(self, name: str, value: str) -> None:
        self.told.append(f"{name}={value}")

    def new_game(self) -> None:
        self.told.append("new game")

    def prepare(self) -> None:
        time.sleep(self._slow_to_load)
        self.told.append("prepare")

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        multipv: int,
        moves: Sequence[str] | None,
        on_report: Callable[[Report], None] | None,
    ) -> Report:
        self._stop.clear()
        self.calls.append(Call(position, limits, multipv, moves))
        if self._crash is not None:
            raise self._crash("as asked")
        choices = list(moves) if moves is not None else position.legal_tokens()
        best = self._choose(position) if self._choose is not None else choices[0]
        report = self._report(position, best, choices[:multipv])
        if limits.nodes is None:
            self._wait(limits, report, on_report)
        return report

    def _wait(self, limits: Limits, report: Report, on_report: Callable[[Report], None] | None) -> None:
        allowed = limits.movetime if limits.movetime is not None else limits.clock and limits.clock[0] // 30
        end = time.monotonic() + (allowed / 1000 if allowed is not None else 3600)
        while time.monotonic() < end:
            if on_report is not None:
                on_report(report)
            if self._stop.wait(0.002):
                time.sleep(self._stubborn)
                return

    def _report(self, position: Position, best: str, choices: Sequence[str]) -> Report:
        lines = tuple(self._line(position, token) for token in choices) if self._share is not None else ()
        return Report(best, lines, nodes=7, worlds=7, depth=1, seldepth=1, hashfull=0, time=1, ponder="rest")

    def _line(self, position: Position, token: str) -> Line:
        assert self._share is not None
        others = (1 - self._share) / (position.seats - 1)
        win = [others] * position.seats
        win[position.to_act] = self._share
        return Line(token, tuple(win), (1.0,) * position.seats, 7, 0.01, (token,))

    def stop(self) -> None:
        self.stops += 1
        self._stop.set()


def limits_of(thinker: Any) -> Limits:
    """The limits of the last search."""
    limits: Limits = thinker.calls[-1].limits
    return limits
