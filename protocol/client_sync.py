"""The client for programs without an event loop: `SimpleEngine`."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from serai.core.closing import Closing
from serai.protocol.analysis import Analysis
from serai.protocol.background import Background, background
from serai.protocol.client_async import NO_LIMIT, Engine
from serai.protocol.game_text import GameText
from serai.protocol.messages import BestMove, GameLine, Info, Option
from serai.protocol.patience import Limit, Patience
from serai.protocol.play_result import PlayResult
from serai.protocol.settings import OptionValue
from serai.protocol.transport import Connector

if TYPE_CHECKING:
    from serai.core import Position

T = TypeVar("T")


class SimpleAnalysis:
    """A running analysis: iterate over new lines, or look at `multipv` now and then.

    Leaving the ``with`` block stops it. Everything else is as in `serai.protocol.analysis.Analysis`.
    """

    def __init__(self, background: Background, analysis: Analysis) -> None:
        self._background = background
        self._analysis = analysis

    @property
    def done(self) -> bool:
        """True when the engine has answered."""
        return self._analysis.done

    @property
    def multipv(self) -> list[Info]:
        """The latest state of each line, best first."""
        return self._background.call(lambda: self._analysis.multipv)

    @property
    def info(self) -> Info | None:
        """The latest state of the best line."""
        return next(iter(self.multipv), None)

    @property
    def count(self) -> int:
        """How many info lines came, read or not."""
        return self._analysis.count

    def stop(self) -> None:
        """Ask for the answer now; `wait` has it."""
        self._background.call(self._analysis.stop)

    def hit(self, limit: Limit | None = None) -> None:
        """The move that was pondered on has been played."""
        self._background.call(lambda: self._analysis.hit(limit))

    def wait(self, timeout: float | None = None) -> BestMove:
        """The answer. EngineTimeout after ``timeout`` seconds leaves the analysis running."""
        return self._background.run(self._analysis.wait(timeout))

    def get(self, timeout: float | None = None) -> Info | None:
        """The next new line; None when there will be no more. EngineTimeout leaves the analysis running."""
        return self._background.run(self._analysis.get(timeout))

    def __iter__(self) -> Iterator[Info]:
        while (info := self.get()) is not None:
            yield info

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._background.run(self._analysis.__aexit__(kind, error, trace))


class SimpleEngine(Closing):
    """An engine in a process of its own; made by `SimpleEngine.popen`. Thread-safe, and fine beside a loop.

    Calls from several threads queue up. Each has the arguments, the result, the errors and the deadline of
    the method of `Engine` with its name.
    """

    def __init__(self, background: Background, engine: Engine) -> None:
        self._background = background
        self._engine = engine

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        patience: Patience | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        stderr: str | os.PathLike[str] = "tail",
        respawn: bool = True,
    ) -> SimpleEngine:
        """Start an engine; the arguments are those of `Engine.popen`."""
        loop = background()
        engine = loop.run(
            Engine.popen(
                command, timeout=timeout, patience=patience, env=env, cwd=cwd, stderr=stderr, respawn=respawn
            )
        )
        return SimpleEngine(loop, engine)

    def _connect(self, connector: Connector, patience: Patience, cut: Callable[[], None]) -> None:
        """Be an engine behind any connection; for subclasses, instead of ``__init__``."""
        self._background = background()
        self._engine = self._background.run(Engine.connect(connector, patience, cut))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._background.run(work)

    # ---- what is known

    @property
    def id(self) -> dict[str, str]:
        """What the engine says of itself: ``name``, ``author``, ``protocol``."""
        return self._engine.id

    @property
    def games(self) -> dict[str, GameLine]:
        """The games it plays, by name."""
        return self._engine.games

    @property
    def options(self) -> dict[str, Option]:
        """The options it offers, by name; `values` has what is set."""
        return self._engine.options

    @property
    def values(self) -> dict[str, str]:
        """The values of the options in force, as far as a client knows."""
        return self._engine.values

    @property
    def command(self) -> tuple[str, ...]:
        """What was started, its program as an absolute path."""
        return self._engine.command

    @property
    def patience(self) -> Patience:
        """How long it waits; what is set here counts from the next call on."""
        return self._engine.patience

    @patience.setter
    def patience(self, patience: Patience) -> None:
        self._engine.patience = patience

    @property
    def alive(self) -> bool:
        """Whether it runs now; one that doesn't is started by the next call."""
        return self._engine.alive

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._engine.pid

    @property
    def returncode(self) -> int | None:
        """How the process that ran last has ended; None while it runs."""
        return self._engine.returncode

    @property
    def restarts(self) -> int:
        """How often it had to be started again."""
        return self._engine.restarts

    @property
    def stale(self) -> int:
        """How many answers came when nobody waited for them, and were dropped."""
        return self._engine.stale

    @property
    def stderr_tail(self) -> str:
        """The last that the process wrote to stderr."""
        return self._background.call(lambda: self._engine.stderr_tail)

    # ---- commands

    def configure(self, values: Mapping[str, OptionValue]) -> None:
        """Set options; checked before, remembered for restarts."""
        self._run(self._engine.configure(values))

    def new_game(self) -> None:
        """Make it forget what it has thought so far."""
        self._run(self._engine.new_game())

    def ping(self, timeout: float | None = None) -> float:
        """Seconds until it answers ``isready``, also during an analysis."""
        return self._run(self._engine.ping(timeout))

    def play(
        self,
        position: GameText | Position | str,
        limit: Limit = NO_LIMIT,
        *,
        searchmoves: Sequence[str] | None = None,
        legal: Sequence[str] | None = None,
        verify: bool = True,
    ) -> PlayResult:
        """Have it choose a move."""
        work = self._engine.play(position, limit, searchmoves=searchmoves, legal=legal, verify=verify)
        return self._run(work)

    def analyse(
        self,
        position: GameText | Position | str,
        limit: Limit = NO_LIMIT,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str] | None = None,
    ) -> list[Info]:
        """What it thinks of the best moves when the limit is reached, best first."""
        return self._run(self._engine.analyse(position, limit, multipv=multipv, searchmoves=searchmoves))

    def analysis(
        self,
        position: GameText | Position | str,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str] | None = None,
        ponder: bool = False,
    ) -> SimpleAnalysis:
        """Start a search and return at once; without a limit it runs until it is stopped."""
        work = self._engine.analysis(position, limit, multipv=multipv, searchmoves=searchmoves, ponder=ponder)
        return SimpleAnalysis(self._background, self._run(work))

    def chance(self, position: GameText | Position | str) -> str:
        """Have it draw the outcome of a chance node."""
        return self._run(self._engine.chance(position))

    def perft(self, position: GameText | Position | str, depth: int) -> int:
        """How many lines of play there are to a depth, chance outcomes counted."""
        return self._run(self._engine.perft(position, depth))

    def query(
        self,
        name: str,
        position: GameText | Position | str | None = None,
        *words: str,
        seat: int | str | None = None,
    ) -> Any:
        """Ask about a position; the value is typed as `read_reply` says."""
        return self._run(self._engine.query(name, position, *words, seat=seat))

    # ---- starting and ending

    def start(self) -> None:
        """Start it if it doesn't run; every call does this by itself."""
        self._run(self._engine.start())

    def restart(self) -> None:
        """End it by force and start it again, with its options."""
        self._run(self._engine.restart())

    def kill(self) -> None:
        """End it by force; the next call starts it again."""
        self._run(self._engine.kill())

    def close(self) -> None:
        """End it for good: politely, then by force. Calls under way raise EngineTerminated."""
        if self._background.usable:
            self._run(self._engine.close())
        else:  # the interpreter exits, or this is a fork
            self._engine.cut()
