"""Asking a bot for a decision, so that nothing it does can stop or hang the one who asks."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from serai.bots.bot import Bot, BotFault
from serai.bots.plain_report import plain_report

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.search.report import Report

KINDS: Final = ("time", "hung", "crash", "illegal", "protocol")
DETAIL: Final = 2000  # characters kept of what went wrong
_POLL: Final = 1.0  # seconds between two looks at signals while a bot thinks

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What a bot said: a legal token, or a fault. ``seconds``: by our own clock."""

    token: str | None
    seconds: float
    report: Report | None = None
    fault: tuple[str, str] | None = None  # kind and detail


class Guard:
    """A bot and what keeps it from doing harm. A bot that hangs is asked no more; ``lost`` says so."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.lost = False
        self._thread: _Courier | None = None

    def new_game(self, patience: float) -> tuple[str, str] | None:
        """Have the bot begin a game; what went wrong, if anything did."""
        return self._call(self.bot.new_game, patience)[1]

    def choose(self, position: Position, legal: list[str], patience: float) -> Answer:
        """Ask for a decision, and wait at most so many seconds for it."""
        began = time.perf_counter()
        said, fault = self._call(lambda: self._decision(position, legal), patience)
        seconds = time.perf_counter() - began
        return Answer(None, seconds, None, fault) if said is None else Answer(said[0], seconds, said[1])

    def _decision(self, position: Position, legal: list[str]) -> tuple[str, Report | None]:
        """Its token, one of the legal ones, and its report. All that is the bot's is looked at in here."""
        self.bot.report = None
        token: object = self.bot.choose(position)
        if not isinstance(token, str) or token not in legal:
            raise BotFault("illegal", _refusal(token))
        return legal[legal.index(token)], plain_report(self.bot.report, position.seats)

    def close(self, patience: float) -> None:
        """Close the bot, if it can be reached, and end its thread."""
        self._call(self.bot.close, patience)
        if self._thread is not None:
            self._thread.end()
            self._thread = None

    def _call(self, work: Callable[[], T], patience: float) -> tuple[T | None, tuple[str, str] | None]:
        """The result of some work, or the fault it ended in."""
        if self.lost:
            return None, ("hung", "it never came back from an earlier call")
        try:
            if not self.bot.guarded:
                return work(), None
            return self._deliver(work, patience), None
        except BotFault as fault:
            return None, (fault.kind if fault.kind in KINDS else "protocol", _words(fault))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit as well, and what asyncio raises
            return None, ("crash", _describe(error))

    def _deliver(self, work: Callable[[], T], patience: float) -> T:
        if self._thread is None:
            self._thread = _Courier()
        try:
            return self._thread.run(work, patience)
        except TimeoutError:
            self.lost = True
            self.bot.stop()
            raise BotFault("hung", f"no answer within {patience:.0f} s") from None


class _Courier:
    """A thread that does one piece of work after the other for whoever waits."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="bot", daemon=True).start()

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                self._done.put((work(), None))
            except BaseException as error:  # handed on to the waiting thread
                self._done.put((None, error))

    def end(self) -> None:
        """Let the thread end, when it has done what it does."""
        self._work.put(None)

    def run(self, work: Callable[[], T], patience: float) -> T:
        """Do it; TimeoutError if it isn't done in time, and then this thread must not be used again."""
        self._work.put(work)
        deadline = time.monotonic() + patience
        while True:
            try:
                result, error = self._done.get(timeout=max(0.0, min(_POLL, deadline - time.monotonic())))
                break
            except queue.Empty:
                if time.monotonic() >= deadline:
                    raise TimeoutError from None
        if error is not None:
            raise error
        done: T = result
        return done


def _refusal(token: object) -> str:
    if isinstance(token, str):
        return f"{token!r:.100} is not legal"
    return f"choose() returned {token!r:.100}; it must return a token, such as position.legal_tokens()[0]"


def _describe(error: BaseException) -> str:
    """The exception and where it was raised, on one line."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return _text(f"{type(error).__name__}: {_words(error)}"[:DETAIL] + place)


def _words(error: BaseException) -> str:
    """What an exception says, if it can say anything."""
    try:
        return _text(str(error)[:DETAIL])
    except Exception:
        return "(without words)"


def _text(text: str) -> str:
    """Text that can be written to a file, whatever was in it."""
    return text.encode(errors="replace").decode()
