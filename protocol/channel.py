"""One running engine as its client sees it: a handshake, answers fenced by ``isready``, one search at a time.

Every exchange ends with ``isready TAG``; what comes before its ``readyok TAG`` belongs to the exchange, so
nothing late is ever taken for an answer. All waiting goes through `Channel.until`, which has a deadline and
knows when the engine has died.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from serai.protocol.commands import GoCommand, format_go
from serai.protocol.errors import EngineStalled, EngineTerminated, EngineTimeout, ProtocolError
from serai.protocol.messages import BestMove, parse_bestmove, parse_integer, split
from serai.protocol.patience import Deadline, Patience
from serai.protocol.pending import MOST_KEPT, Fence, Greeting, Search
from serai.protocol.transport import Connection, Connector, describe_end


class Channel:
    """The engine's side of one conversation; made by `Channel.open`, used by one task at a time."""

    def __init__(self, patience: Patience) -> None:
        loop = asyncio.get_running_loop()
        self.patience = patience
        self.greeting = Greeting()
        self.stale = 0  # answers to searches that nobody waits for
        self.noise = 0  # lines that mean nothing
        self._gone: asyncio.Future[None] = loop.create_future()
        self._greeted: asyncio.Future[None] = loop.create_future()
        self._fences: deque[Fence] = deque()
        self._search: Search | None = None
        self._serial = 0
        self._heard = loop.time()
        self.connection: Connection

    @classmethod
    async def open(cls, connector: Connector, patience: Patience) -> Channel:
        """Start an engine and greet it. No error leaves a process behind."""
        channel = cls(patience)
        channel.connection = await connector(channel)
        try:
            channel.connection.send("ugi\n")
            await channel.until(channel._greeted, patience.timeout, "ugi", "start")
            if channel.greeting.fault is not None:
                raise channel.greeting.fault
            await channel.exchange([], "start")
        except BaseException:
            await channel.kill()
            raise
        return channel

    @property
    def alive(self) -> bool:
        """False when nothing more will be heard."""
        return not self._gone.done()

    # ---- what is received

    def received(self, line: str) -> None:
        """Take one line from the engine."""
        self._heard = asyncio.get_running_loop().time()
        word = line[:12].split(None, 1)[0].lower() if line[:12].strip() else ""
        if word in ("info", "infojson"):
            if self._search is not None and self._search.fence.done.done():
                self._search.note(line)
        elif word == "bestmove":
            self._take_bestmove(line)
        elif word == "readyok":
            self._take_readyok(split(line)[1:2])
        elif word in ("response", "error"):
            self._take_answer(line)
        elif word == "perft":
            self._take_total(split(line))
        elif word in ("id", "game", "option") and not self._greeted.done():
            self.greeting.take(line)
            if self.greeting.fault is not None:
                self._greeted.set_result(None)
        elif word in ("ugiok", "uciok") and not self._greeted.done():
            self._greeted.set_result(None)
        elif word:
            self.noise += 1

    def ended(self) -> None:
        """Take the news that the engine has died."""
        if not self._gone.done():
            self._gone.set_result(None)

    def _take_bestmove(self, line: str) -> None:
        best = parse_bestmove(line)
        search = self._search
        if best is None or search is None or not search.awaits(best):
            self.stale += 1
        else:
            self._end_search(best)

    def _take_total(self, words: list[str]) -> None:
        """``perft N nodes TOTAL …``."""
        total = parse_integer(words[3]) if len(words) > 3 and words[2] == "nodes" else None
        if self._search is None or not self._search.perft or total is None:
            self.noise += 1
            return
        self._search.total = total
        self._end_search(BestMove((words[3],)))

    def _end_search(self, best: BestMove) -> None:
        search, self._search = self._search, None
        if search is not None:
            search.answer(best)

    def _take_readyok(self, tag: list[str]) -> None:
        if not any(tag in ([], [fence.tag]) for fence in self._fences):
            self.noise += 1
            return
        while self._fences:
            fence = self._fences.popleft()
            if not fence.done.done():
                fence.done.set_result(None)
            if tag in ([], [fence.tag]):
                return

    def _take_answer(self, line: str) -> None:
        if self._fences:
            lines = self._fences[0].lines
            if len(lines) < MOST_KEPT:
                lines.append(line)
        elif self._search is not None:
            self._search.errors.append(line)
            if self._search.perft:
                self._end_search(BestMove(()))
        else:
            self.noise += 1

    # ---- what is asked

    async def until(self, event: asyncio.Future[Any], seconds: float, what: str, limit: str) -> None:
        """Wait for an event; EngineTimeout after so many seconds, EngineTerminated when the engine dies."""
        await asyncio.wait({event, self._gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if event.done():
            return
        if not self.alive:
            raise describe_end(self.connection, what)
        raise EngineTimeout(f"{what}: no answer within {seconds:.3g} s ({limit})", limit)

    def _fence(self, commands: Sequence[str]) -> Fence:
        self._serial += 1
        fence = Fence(f"f{self._serial}", asyncio.get_running_loop().create_future())
        self._fences.append(fence)
        closing = f"isready {fence.tag}" if self.greeting.full else "isready"
        self.connection.send("".join(f"{command}\n" for command in (*commands, closing)))
        return fence

    async def exchange(
        self, commands: Sequence[str], limit: str = "timeout", seconds: float | None = None
    ) -> list[str]:
        """Send commands and return the ``response`` and ``error`` lines that they caused."""
        seconds = self.patience.timeout if seconds is None else seconds
        fence = self._fence(commands)
        what = commands[-1][:80] if commands else "isready"
        await self.until(fence.done, seconds, what, limit)
        return fence.lines

    def search(self, position: str, command: GoCommand) -> Search:
        """Start a search; its errors in the position are in ``search.fence.lines``."""
        fence = self._fence([position])
        full = self.greeting.full
        name = f"s{self._serial}"
        command = replace(command, searchid=name) if full else replace(command, multipv=None)
        search = Search(name, fence, full, command.perft is not None)
        self._search = search
        self.connection.send(format_go(command) + "\n")
        return search

    async def finish(self, search: Search, limit: Deadline | None) -> BestMove:
        """Wait for the answer. Raises EngineTimeout at the deadline, EngineStalled when nothing is heard."""
        end = None if limit is None else search.began + limit.seconds
        while not search.best.done():
            await self.listen(search.best, end, limit)
        best = search.best.result()
        if search.checked and best.searchid is None and not search.perft:
            raise ProtocolError("bestmove without its searchid", f"bestmove {' '.join(best.moves)}")
        return best

    async def listen(self, event: asyncio.Future[Any], end: float | None, limit: Deadline | None) -> None:
        """Wait a while for an event of a search, and watch that the engine is alive meanwhile."""
        loop = asyncio.get_running_loop()
        pause = self.patience.stall / 2
        now = loop.time()
        if end is not None:
            pause = min(pause, max(end - now, 0))
        await asyncio.wait({event, self._gone}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        if event.done():
            return
        if not self.alive:
            raise describe_end(self.connection, "go")
        now = loop.time()
        if limit is not None and end is not None and now >= end:
            raise EngineTimeout(f"go: no bestmove within {limit.seconds:.3g} s ({limit.limit})", limit.limit)
        self._watch(now)

    def _watch(self, now: float) -> None:
        silence = now - self._heard
        if silence >= self.patience.stall:
            raise EngineStalled(f"go: nothing heard for {silence:.3g} s (stall)", "stall")
        if silence >= self.patience.stall / 2 and self.greeting.full and not self._fences:
            self._fence([])

    async def stop(self, search: Search) -> BestMove | None:
        """Stop a search and wait for its answer for a grace; None if there was none."""
        events: set[asyncio.Future[Any]] = {search.best, self._gone}
        if not search.best.done() and self.alive:
            self.connection.send("stop\n")
            await asyncio.wait(events, timeout=self.patience.grace, return_when=asyncio.FIRST_COMPLETED)
        return search.best.result() if search.best.done() else None

    async def settle(self, search: Search) -> None:
        """Clean up after a search that nobody waits for any more."""
        if await self.stop(search) is None:
            await self.kill()

    async def quit(self) -> None:
        """End the engine: ``quit``, then after a grace by force."""
        self.connection.send("quit\n")
        self.connection.close_input()
        await asyncio.wait({self._gone}, timeout=self.patience.grace)
        await self.kill()

    async def kill(self) -> None:
        """End the engine by force; nothing more is heard from it, even if it takes its time to die."""
        self.connection.kill()
        await asyncio.wait({self._gone}, timeout=self.patience.grace)
        self.ended()

    def end(self, what: str) -> EngineTerminated:
        """The exception for a conversation that has ended."""
        return describe_end(self.connection, what)
