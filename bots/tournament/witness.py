"""An engine that is asked about the rules: every question ends in an answer, or in why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import isclose
from typing import Any, Final

from serai.bots.tournament.plan import Entrant
from serai.core.closing import Closing
from serai.core.errors import SetupError
from serai.protocol.client import (
    EngineError,
    EngineRefusal,
    EngineTerminated,
    EngineTimeout,
    GameText,
    Patience,
    ProtocolError,
    SimpleEngine,
)
from serai.protocol.messages import printable

UNKNOWN: Final = ("unknown-query", "unknown-command", "unknown-token")
SAME: Final = 1e-6  # probabilities


@dataclass(frozen=True)
class Answer:
    """What an engine says: a value, or a ``failure``. ``code``: of an error line; ``overdue``: too late.

    ``events``: those in a list, in its order; ``odds``: their probabilities, if they have some.
    """

    value: Any = None
    failure: str = ""
    code: str = ""
    overdue: bool = False

    @property
    def events(self) -> tuple[str, ...]:
        """The events that it lists."""
        items = self.value if isinstance(self.value, list) else []
        return tuple(item[0] if isinstance(item, tuple) else item for item in items if _is_event(item))

    @property
    def odds(self) -> tuple[float, ...]:
        """A weight for each event."""
        items = self.value if isinstance(self.value, list) else []
        return tuple(item[1] if isinstance(item, tuple) else 1.0 for item in items if _is_event(item))

    @property
    def entries(self) -> tuple[str, ...]:
        """The events, with their probabilities if they have some."""
        pairs = zip(self.events, self.odds, strict=True)
        return tuple(event if odds == 1 else f"{event}@{odds:.6g}" for event, odds in pairs)

    def agrees(self, other: Answer) -> bool:
        """Whether two engines say the same: lists in any order, errors by code. A failure never agrees."""
        if self.failure or other.failure:
            return self.code == other.code != ""
        if not self.events and not other.events:
            return bool(self.value == other.value)
        mine, theirs = (sorted(zip(a.events, a.odds, strict=True)) for a in (self, other))
        return Counter(self.events) == Counter(other.events) and all(
            isclose(a, b, abs_tol=SAME) for (_, a), (_, b) in zip(mine, theirs, strict=True)
        )

    def __str__(self) -> str:
        if self.failure:
            return printable(self.failure, 200)
        if self.events:
            return f"{len(self.events)} event{'s' * (len(self.events) != 1)}"
        if isinstance(self.value, list):
            return " ".join(map(str, self.value)) or "no event"
        return printable(str(self.value).lower() if isinstance(self.value, bool) else str(self.value))


class Witness(Closing):
    """An engine by the name of an entrant or by its command; raises SetupError if it can't be started."""

    def __init__(self, text: str, timeout: float) -> None:
        self.name = printable(text, 200)
        self._counts: str | None = None
        entrant = Entrant("engine", engine_text(text))
        patience = Patience(timeout=timeout, stall=2 * timeout + 2, longest=timeout)
        try:
            self.engine = SimpleEngine.popen(entrant.argv, patience=patience)
        except EngineError as error:
            raise SetupError(f"{self.name}: {printable(str(error), 400)}") from None
        try:
            self.engine.configure(entrant.settings)
        except EngineError as error:
            self.engine.close()
            raise SetupError(f"{self.name}: {printable(str(error), 400)}") from None

    def ask(self, query: str, text: GameText) -> Answer | None:
        """The answer to a query at a position; None if the engine doesn't know such a query."""
        try:
            answer = _answer(lambda: self.engine.query(query, text))
        except ProtocolError as error:
            return Answer(failure=f"no answer: {error.line}") if error.line else None
        return None if answer.code in UNKNOWN else answer

    def why_no_counts(self, text: GameText) -> str:
        """Why it can't be asked to ``go perft``, or nothing; tried at this position, once."""
        if self._counts is None:
            answer = self.perft(text, 1)
            self._counts = str(answer) if answer.code or answer.overdue else ""
        return self._counts

    def perft(self, text: GameText, depth: int) -> Answer:
        """How many lines of play it counts."""
        try:
            return _answer(lambda: self.engine.perft(text, depth))
        except ProtocolError as error:
            return Answer(failure=str(error), code=UNKNOWN[0])

    def history(self, text: GameText) -> list[str]:
        """All events up to a position, chance included; raises SetupError."""
        answer = self.ask("history", text)
        if answer is None or answer.failure:
            why = "" if answer is None else f": {answer}"
            raise SetupError(
                f"{self.name} doesn't say how {text.spec:.60} is dealt{why}; give positions without a seed"
            )
        return list(answer.events)

    def close(self) -> None:
        """End the process."""
        self.engine.close()


def _is_event(item: object) -> bool:
    return isinstance(item, str | tuple)


def _answer(ask: Callable[[], object]) -> Answer:
    """What comes of a question; ProtocolError passes."""
    try:
        return Answer(ask())
    except EngineRefusal as error:
        return Answer(failure=f"error {error}", code=error.code)
    except EngineTimeout as error:
        return Answer(failure=f"hangs: {error}", overdue=True)
    except EngineTerminated as error:
        return Answer(failure=f"crashes: {error}")


def engine_text(text: str) -> str:
    """A command, or an engine as a tournament names it, as the latter.

    >>> engine_text("./engine --fast"), engine_text("planner:width=9"), engine_text("serai[Skill=3]")
    ('cmd:./engine --fast', 'planner:width=9', 'serai[Skill=3]')
    """
    from serai.bots.registry import BUILT_IN

    base = text.replace("[", ":").partition(":")[0]
    named = base in (*BUILT_IN, "serai", "cmd") or (".py:" in text and " " not in text.partition(".py:")[0])
    return text if named else f"cmd:{text}"
