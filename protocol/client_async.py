"""The client for programs with an event loop: `Engine`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from serai.protocol.analysis import Analysis, raise_refusal
from serai.protocol.channel import Channel
from serai.protocol.client_base import EngineKeeper
from serai.protocol.commands import GoCommand
from serai.protocol.errors import EngineTimeout, ProtocolError
from serai.protocol.game_text import GameText, PositionLine, check_tokens, game_text, mover, seat_index
from serai.protocol.messages import BestMove, Info, seat_name
from serai.protocol.patience import Deadline, Limit, Patience, deadline
from serai.protocol.pending import Search
from serai.protocol.play_result import PlayResult, play_result
from serai.protocol.replies import read_reply
from serai.protocol.transport import Connection, Connector, Leash, Sink, open_process, split_command

if TYPE_CHECKING:
    from serai.core import Position

NO_LIMIT = Limit()


class Engine(EngineKeeper):
    """An engine in a process of its own; made by `Engine.popen`. Every call ends in time, one way or another.

    Calls from several tasks queue up; `Busy` is raised only while an `analysis` is running. An engine that
    hangs or dies is ended, the call raises, and the next call starts it again with the same options, unless
    it was made with ``respawn=False``. A position is a `GameText`, a ``serai.core`` position, or a text for
    `GameText.parse`; it is sent as it is, so give a player that must not see everything its own view.
    """

    @classmethod
    async def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        patience: Patience | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        stderr: str | os.PathLike[str] = "tail",
        respawn: bool = True,
    ) -> Self:
        """Start an engine. ``env`` replaces the environment, ``stderr`` is ``"tail"`` or a file to append to.

        ``timeout`` is for the start, for plain answers and for silence; ``patience`` sets every wait.
        """
        argv = split_command(command)
        leash = Leash()

        async def connect(sink: Sink) -> Connection:
            return await open_process(argv, sink, leash, env=env, cwd=cwd, stderr=stderr)

        waits = patience or Patience(timeout=timeout, stall=timeout)
        engine = await cls.connect(connect, waits, leash.cut_all, respawn=respawn)
        engine.command = tuple(argv)
        return engine

    @classmethod
    async def connect(
        cls, connector: Connector, patience: Patience, cut: Callable[[], None], *, respawn: bool = True
    ) -> Self:
        """An engine behind any connection. ``cut`` ends it at once, from any thread."""
        engine = cls(connector, patience, cut, respawn=respawn)
        await engine.start()
        return engine

    # ---- searches

    async def play(
        self,
        position: GameText | PositionLine | Position | str,
        limit: Limit = NO_LIMIT,
        *,
        searchmoves: Sequence[str] | None = None,
        legal: Sequence[str] | None = None,
        verify: bool = True,
    ) -> PlayResult:
        """Have it choose a move.

        With ``verify`` the move is checked against ``legal``, or else against our own rules if they know the
        game; raises IllegalMove. An answer that comes only after ``stop`` has ``fault="late"``; none at all
        is EngineTimeout.
        """
        text = game_text(position)
        command = limit.command(searchmoves=searchmoves)
        result = play_result(*await self._search(text, mover(position), limit, command))
        if not verify:
            return result
        may_resign = self.values.get("AllowResign") == "true"
        return result.checked(legal if legal is not None else text.legal(), may_resign)

    async def analyse(
        self,
        position: GameText | Position | str,
        limit: Limit = NO_LIMIT,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str] | None = None,
    ) -> list[Info]:
        """What it thinks of the best moves when the limit is reached, best first."""
        command = limit.command(multipv=multipv, searchmoves=searchmoves)
        search, _, _ = await self._search(game_text(position), mover(position), limit, command)
        return search.lines()

    async def analysis(
        self,
        position: GameText | PositionLine | Position | str,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str] | None = None,
        ponder: bool = False,
    ) -> Analysis:
        """Start a search and return at once; without a limit it runs until it is stopped.

        With ``ponder`` it runs until `Analysis.hit` or `Analysis.stop`, and the limit counts from there.
        """
        text = game_text(position)
        asked = limit or NO_LIMIT
        infinite = limit is None and not ponder
        command = asked.command(multipv=multipv, searchmoves=searchmoves, infinite=infinite, ponder=ponder)
        check_tokens(searchmoves or ())
        end = deadline(asked, mover(position), self.patience, self.values)
        async with self._turn() as channel:
            self._at = None
            search = channel.search(text.line, command)
            self._analysing = search
        return Analysis(channel, search, end, held=infinite or ponder)

    async def chance(self, position: GameText | Position | str) -> str:
        """Have it draw the outcome of a chance node."""
        text = game_text(position)
        _, best, _ = await self._search(text, None, Limit(time=0), GoCommand(chance=True))
        if best.move is None or not best.move.startswith("~"):
            raise ProtocolError("the answer to go chance is no chance event", f"bestmove {best.move}")
        return best.move

    async def perft(self, position: GameText | Position | str, depth: int) -> int:
        """How many lines of play there are to a depth, chance outcomes counted."""
        text = game_text(position)
        search, best, _ = await self._search(text, None, Limit(depth=depth), GoCommand(perft=depth))
        if search.total is None:
            raise ProtocolError("go perft was not answered with a number", f"bestmove {best.move}")
        return search.total

    async def _search(
        self, text: GameText | PositionLine, seat: int | None, limit: Limit, command: GoCommand
    ) -> tuple[Search, BestMove, str | None]:
        """The ended search, its answer, and ``"late"`` if that came only after ``stop``."""
        check_tokens(command.searchmoves or ())
        end = deadline(limit, seat, self.patience, self.values)
        async with self._turn() as channel:
            self._at = None
            search = channel.search(text.line, command)
            try:
                best, fault = await _conclude(channel, search, end)
            except asyncio.CancelledError:
                self._sweep = asyncio.ensure_future(channel.settle(search))
                raise
        raise_refusal(search, best)
        return search, best, fault

    # ---- questions

    async def ask(self, commands: Sequence[str]) -> list[str]:
        """Send some commands at once, and return the ``response`` and ``error`` lines that they caused."""
        self._at = None
        return await self._ask(list(commands))

    async def query(
        self,
        name: str,
        position: GameText | Position | str | None = None,
        *words: str,
        seat: int | str | None = None,
    ) -> Any:
        """Ask about a position; the value is typed as `read_reply` says. A seat is ``"p1"`` or 0, and so on.

        Raises EngineRefusal if the engine answers with an error.
        """
        seats = [] if seat is None else [seat_name(seat_index(seat))]
        check_tokens((name, *words))
        commands = [" ".join(("query", name, *words, *seats))]
        line = None if position is None else game_text(position).line
        async with self._turn() as channel:
            if line is not None and line != self._at:
                commands.insert(0, line)
            self._at = None
            lines = await channel.exchange(commands)
            self._at = line if len(lines) == 1 else None
        return read_reply(name, lines)


async def _conclude(channel: Channel, search: Search, end: Deadline) -> tuple[BestMove, str | None]:
    try:
        return await channel.finish(search, end), None
    except EngineTimeout:
        best = await channel.stop(search)
        if best is None:
            raise
        return best, "late"
