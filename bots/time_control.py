"""What a seat may spend on a turn, and how that is divided among the turn's decisions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from serai.core.errors import SetupError
from serai.search.report import Limits

FIRST_SHARE: Final = 0.9  # of a turn's time, for its first decision
LATER_SHARE: Final = 8  # a later decision gets this part of the first one's nodes, or of the time it took
LONGEST: Final = 86_400.0  # seconds
_NUMBER: Final = r"(\d{1,5}(?:\.\d+)?)"
_CLOCK: Final = re.compile(rf"(?:(\d{{1,4}}):)?{_NUMBER}(?:\+{_NUMBER})?(?:/{_NUMBER})?")


@dataclass(frozen=True)
class TimeControl:
    """At most one of: seconds a turn, nodes a turn, (seconds for the game, seconds more after each turn).

    ``byo``: with a clock, seconds for each turn once the clock is empty; what isn't used of them is lost.
    """

    turn: float | None = None
    nodes: int | None = None
    clock: tuple[float, float] | None = None
    byo: float = 0.0

    def __post_init__(self) -> None:
        if [self.turn, self.nodes, self.clock].count(None) < 2:
            raise SetupError("give one of: a time per turn, a number of nodes, a clock")
        if self.turn is not None and not 0 < self.turn <= LONGEST:
            raise SetupError(
                f"the time per turn must be above 0 and at most {LONGEST:.0f} s, not {self.turn:g}"
            )
        if self.nodes is not None and not 1 <= self.nodes <= 10**12:
            raise SetupError(f"nodes must be at least 1, not {self.nodes}")
        if self.clock is not None and not 0 < sum(self.clock[:1]) + self.byo <= LONGEST:
            raise SetupError(f"the clock must start above 0 and at most at {LONGEST:.0f} s")
        if self.clock is not None and not all(0 <= seconds <= LONGEST for seconds in self.clock):
            raise SetupError(f"a clock's start and increment must be 0 to {LONGEST:.0f} s")
        if self.byo and (self.clock is None or not 0 < self.byo <= LONGEST):
            raise SetupError("byo-yomi are seconds above 0, and go with a clock")

    def __str__(self) -> str:
        if self.turn is not None:
            return f"{self.turn:g} s a turn"
        if self.nodes is not None:
            return f"{self.nodes} nodes a turn"
        if self.clock is None:
            return "no limit"
        after = f", then {self.byo:g} s for each" if self.byo else ""
        return f"{self.clock[0]:g} s + {self.clock[1]:g} s a turn{after}"

    def patience(self) -> float:
        """Seconds after which a decision isn't late but hung."""
        longest = self.turn or (self.clock[0] + self.byo if self.clock else 0.0)
        return max(60.0, 10 * longest) if self.nodes is None else 600.0


def parse_clock(text: str) -> TimeControl:
    """A clock as people write it: seconds, more of them after each turn, and byo-yomi after a slash.

    >>> parse_clock("5:00").clock, parse_clock("1:30+0.5").clock, parse_clock("10:00/30").byo
    ((300.0, 0.0), (90.0, 0.5), 30.0)
    """
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise SetupError(
            "a clock is written SECONDS+INCREMENT or MINUTES:SECONDS+INCREMENT, "
            f"with /SECONDS after it for byo-yomi, not {text!r:.40}"
        )
    minutes, seconds, increment, byo = match.groups()
    clock = 60.0 * int(minutes or 0) + float(seconds), float(increment or 0)
    return TimeControl(clock=clock, byo=float(byo or 0))


class SeatTimer:
    """The time of one seat in one game. Decisions it had no choice in are not counted.

    For what it decides in turns of others there is little: between two turns of its own as much as the later
    decisions of a turn may use. Its next turn begins with all that a turn has.
    """

    def __init__(self, control: TimeControl, margin: float) -> None:
        self._control, self._margin = control, margin
        self.left = control.clock[0] if control.clock else 0.0
        """Seconds left on the clock."""
        self._own = False  # its turn is under way
        self._spent = 0.0  # in this turn, or since the last one
        self._first: float | None = None  # seconds of the first decision of this turn, or of the last one

    def begin_turn(self) -> None:
        """Start counting a turn of its own."""
        self.left = max(0.0, self.left)
        self._own, self._spent, self._first = True, 0.0, None

    def limits(self) -> Limits:
        """For the decision at hand."""
        control, first = self._control, self._first
        later = not self._own or first is not None
        if control.nodes is not None:
            return Limits(nodes=max(1, control.nodes // LATER_SHARE) if later else control.nodes)
        if control.turn is not None:
            seconds = self._later(control.turn) if later else control.turn * FIRST_SHARE
            return Limits(movetime=max(1, int(1000 * seconds)), overhead=0)
        assert control.clock is not None
        clock = (self.left_ms, int(1000 * control.clock[1]), int(1000 * control.byo), 0)
        if first is None:
            return Limits(clock=clock)
        return Limits(clock=clock, movetime=max(1, int(1000 * first / LATER_SHARE)))

    def _later(self, turn: float) -> float:
        return max(0.0, min(turn * (1 - FIRST_SHARE), (turn - self._spent) / 2))

    @property
    def left_ms(self) -> int:
        """Milliseconds left, at least 1."""
        return max(1, int(1000 * self.left))

    def spend(self, seconds: float) -> str | None:
        """Take the time of a decision; a sentence if the turn's time has just run out.

        Byo-yomi come after the clock: the clock may be below zero by as much until the turn ends.
        """
        was_late = self._overrun() > 0
        self._spent += seconds
        if self._own and self._first is None:
            self._first = seconds
        self.left -= seconds if self._control.clock else 0.0
        over = self._overrun()
        if over <= 0 or was_late:
            return None
        return f"{over:.3f} s too late, of {self._control}"

    def _overrun(self) -> float:
        if self._control.clock is not None:
            return -self.left - self._control.byo
        if self._control.turn is None:
            return 0.0
        over = self._spent - self._control.turn
        return over if over > self._margin else 0.0

    def end_turn(self) -> None:
        """Add the increment; a clock that ran out starts again from it."""
        if self._control.clock is not None:
            self.left = max(0.0, self.left) + self._control.clock[1]
        self._own, self._spent = False, 0.0

    def next_turn(self, own: bool) -> SeatTimer:
        """As it will be in the turn after this one: its own, or one in which it only decides something."""
        after = copy(self)
        if after._own:
            after.end_turn()
        if own:
            after.begin_turn()
        return after


def pass_turn(timers: Sequence[SeatTimer], last: int | None, mover: int) -> None:
    """Before a decision in a turn of ``mover``; ``last``: whose turn it was at the one before, if any."""
    if mover == last:
        return
    if last is not None:
        timers[last].end_turn()
    timers[mover].begin_turn()
