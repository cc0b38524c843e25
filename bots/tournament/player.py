"""One seat's engine in a process of its own: whatever it does, there is an answer or a fault in time."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from serai.bots.time_control import LONGEST
from serai.bots.tournament.keeper import Keeper
from serai.bots.tournament.plan import Entrant, Plan
from serai.protocol.client import (
    Analysis,
    Engine,
    EngineError,
    EngineTerminated,
    EngineTimeout,
    IllegalMove,
    Info,
    Limit,
    Patience,
    PlayResult,
    PositionLine,
)
from serai.protocol.errors import explain_exit

STDERR_KEPT: Final = 64_000  # characters of an engine's last words in a record
DETAIL: Final = 500  # characters kept of what went wrong


@dataclass(frozen=True)
class Choice:
    """What an engine said: a legal move, or None and a fault; a move that came too late has both.

    ``seconds``: by our clock; ``own``: as the engine says; ``win``: its estimate, by seat, 0 to 1.
    """

    move: str | None
    seconds: float
    own: float | None = None
    win: tuple[float, ...] | None = None
    ponder: str | None = None
    fault: tuple[str, str] | None = None  # kind, detail


class Player(Keeper):
    """An engine of an entrant, kept from game to game and started again after it has died."""

    def __init__(self, entrant: Entrant, plan: Plan, cores: Sequence[int] = ()) -> None:
        super().__init__()
        self.entrant = entrant
        self._plan = plan
        self._cores = cores
        self._pondering: tuple[str, Analysis] | None = None
        self._buried: int | None = None  # the process whose end is known
        self.stderr = ""
        """The last that the process wrote to stderr before its latest fault."""

    # ---- a game

    async def sit(self, seed: int) -> tuple[str, str] | None:
        """Begin a game, with random numbers of its own; the fault, if it doesn't get that far."""
        try:
            try:
                await self._begin(seed)
            except EngineTerminated:  # it may have ended after the last game, which harms nobody
                await self._begin(seed)
        except EngineError as error:
            return self._failed(error)
        return None

    async def _begin(self, seed: int) -> None:
        engine = await self.engine()
        option = next((o for name, o in engine.options.items() if name.lower() == "seed"), None)
        if option is not None and option.type == "spin":
            lowest = max(1, option.minimum or 0)  # 0 often means any
            highest = option.maximum if option.maximum is not None else 2**31 - 1
            if lowest <= highest:
                await engine.configure({option.name: lowest + seed % (highest - lowest + 1)})
        await engine.new_game()
        await engine.ping()

    def _failed(self, error: EngineError) -> tuple[str, str]:
        """The fault that an error is; with what the process said, and whether it lives on."""
        engine, said = self._engine, getattr(error, "stderr_tail", "")
        started = not (isinstance(error, EngineTimeout) and error.limit == "start")
        if engine is not None:
            said = said or (engine.stderr_tail if started else "")
            self._buried = None if engine.alive else engine.pid
        self.stderr = said[-STDERR_KEPT:]
        return fault_of(error)

    def _mourn(self) -> None:
        """Raise EngineTerminated for an engine that has ended by itself since it answered last.

        It would be started again without a word, or not, depending on who was faster.
        """
        engine = self._engine
        if engine is not None and not engine.alive and engine.pid != self._buried:
            why = f"the engine has ended by itself ({explain_exit(engine.returncode)})"
            raise EngineTerminated(why, engine.returncode, engine.stderr_tail)

    async def engine(self) -> Engine:
        """Its engine, running; raises EngineError."""
        engine = self._engine
        if engine is None:
            engine = await self._popen(self.entrant.argv, self._patience())
            try:
                await engine.configure(self.entrant.settings)
            except EngineError:
                await self.close()
                raise
        await engine.start()
        self._pin(engine.pid)
        return engine

    def _patience(self) -> Patience:
        wait = self._plan.patience
        return Patience(timeout=wait, margin=self._plan.margin, grace=min(1.0, wait), stall=wait)

    def _pin(self, pid: int | None) -> None:
        if self._cores and pid is not None and hasattr(os, "sched_setaffinity"):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(pid, self._cores)

    async def choose(self, line: str, seat: int, limit: Limit, legal: Sequence[str]) -> Choice:
        """Have it choose one of the legal moves at a position, as its seat sees it."""
        began = asyncio.get_running_loop().time()
        try:
            self._mourn()
            hit = await self._answer_to_ponder(line, limit)
            if hit is not None:
                return _checked(hit, legal)
            engine = await self.engine()
            began = asyncio.get_running_loop().time()
            result = await engine.play(PositionLine(line, seat), limit, verify=False)
        except EngineError as error:
            seconds = asyncio.get_running_loop().time() - began
            return Choice(None, seconds, fault=self._failed(error))
        return _checked(_choice(result), legal)

    # ---- pondering

    async def ponder(self, line: str, seat: int, limit: Limit) -> None:
        """Let it think ahead at a position that it expects to be asked about."""
        with contextlib.suppress(EngineError):  # if it has died, the next choice will say so
            engine = await self.engine()
            self._pondering = line, await engine.analysis(PositionLine(line, seat), limit, ponder=True)

    async def _answer_to_ponder(self, line: str, limit: Limit) -> Choice | None:
        """Its choice if it has thought about this position; else its thinking ahead is ended."""
        if self._pondering is None:
            return None
        expected, analysis = self._pondering
        self._pondering = None
        loop = asyncio.get_running_loop()
        began = loop.time()
        if line != expected:
            analysis.stop()
            await analysis.wait()
            return None
        analysis.hit(limit)
        best = await analysis.wait()
        return Choice(best.move, loop.time() - began, None, _win(analysis.info), best.ponder)

    async def rest(self) -> None:
        """End the game: no thinking ahead any more."""
        with contextlib.suppress(EngineError):
            if self._pondering is not None:
                _, analysis = self._pondering
                self._pondering = None
                analysis.stop()
                await analysis.wait()


def _choice(result: PlayResult) -> Choice:
    fault = ("time", "it answered only when it was stopped") if result.fault == "late" else None
    said = result.moves[0] if result.moves else None  # also "resign", which nobody was allowed to
    return Choice(said, result.wall, _own(result.reported), _win(result.info), result.ponder, fault)


def _checked(choice: Choice, legal: Sequence[str]) -> Choice:
    if choice.move in legal:
        return choice
    fault = "illegal", str(IllegalMove(choice.move or "(none)", legal))[:DETAIL]
    return Choice(None, choice.seconds, choice.own, choice.win, None, fault)


def _own(seconds: float | None) -> float | None:
    """The time that an engine says it took, if it can be one: absurd ones would spoil every sum."""
    return seconds if seconds is not None and 0 <= seconds <= LONGEST else None


def _win(info: Info | None) -> tuple[float, ...] | None:
    """The estimate in an info line, if it can be one."""
    if info is None or info.win is None or not 2 <= len(info.win) <= 9:
        return None
    if not all(0 <= share <= 1000 for share in info.win):
        return None
    return tuple(round(share / 1000, 4) for share in info.win)


def fault_of(error: EngineError) -> tuple[str, str]:
    """The kind of fault that an error of the client is, and what to say of it."""
    if isinstance(error, EngineTimeout):
        kind = "hung"
    elif isinstance(error, EngineTerminated):
        kind = "crash"
    elif isinstance(error, IllegalMove):
        kind = "illegal"
    else:
        kind = "protocol"
    return kind, " ".join(str(error).split())[:DETAIL]
