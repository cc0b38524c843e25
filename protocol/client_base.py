"""Keeping one engine running: start, options, restart after a failure, end."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

from serai.protocol.channel import Channel
from serai.protocol.commands import format_setoption
from serai.protocol.errors import Busy, EngineRefusal, EngineTerminated, EngineTimeout
from serai.protocol.messages import GameLine, Option, parse_error
from serai.protocol.patience import Patience
from serai.protocol.pending import Greeting, Search
from serai.protocol.settings import OptionValue, Settings
from serai.protocol.transport import Connector


class EngineKeeper:
    """The part of a client that isn't about games. ``cut`` kills whatever runs, from any thread."""

    def __init__(
        self, connector: Connector, patience: Patience, cut: Callable[[], None], *, respawn: bool = True
    ) -> None:
        self._patience = patience
        self.restarts = 0
        self.command: tuple[str, ...] = ()
        self._connector = connector
        self._respawn = respawn
        self._settings = Settings()
        self._greeting = Greeting()
        self._channel: Channel | None = None
        self._stale = 0
        self._lock = asyncio.Lock()
        self._sweep: asyncio.Task[None] | None = None
        self._analysing: Search | None = None
        self._closed = False
        self._at: str | None = None  # the position line that the engine has
        self._cut = weakref.finalize(self, cut)

    # ---- what is known

    @property
    def patience(self) -> Patience:
        """How long it waits; what is set here counts from the next call on."""
        return self._patience

    @patience.setter
    def patience(self, patience: Patience) -> None:
        self._patience = patience
        if self._channel is not None:
            self._channel.patience = patience

    @property
    def id(self) -> dict[str, str]:
        """What the engine says of itself: ``name``, ``author``, ``protocol``."""
        return dict(self._greeting.id)

    @property
    def games(self) -> dict[str, GameLine]:
        """The games it plays, by name."""
        return dict(self._greeting.games)

    @property
    def options(self) -> dict[str, Option]:
        """The options it offers, by name; `values` has what is set."""
        return dict(self._greeting.options)

    @property
    def values(self) -> dict[str, str]:
        """The values of the options in force, as far as a client knows."""
        return self._settings.values()

    @property
    def alive(self) -> bool:
        """Whether it runs now; one that doesn't is started by the next call."""
        return self._channel is not None and self._channel.alive

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._channel.connection.pid if self._channel else None

    @property
    def returncode(self) -> int | None:
        """How the process that ran last has ended; None while it runs."""
        return self._channel.connection.returncode if self._channel else None

    @property
    def stderr_tail(self) -> str:
        """The last that the process wrote to stderr."""
        return self._channel.connection.stderr_tail if self._channel else ""

    @property
    def stale(self) -> int:
        """How many answers came when nobody waited for them, and were dropped."""
        return self._stale + (self._channel.stale if self._channel else 0)

    # ---- starting and ending

    async def start(self) -> None:
        """Start it if it doesn't run; every call does this by itself."""
        async with self._turn():
            pass

    async def restart(self) -> None:
        """End it by force and start it again, with its options."""
        await self.kill()
        await self.start()

    async def kill(self) -> None:
        """End it by force; the next call starts it again."""
        if self._channel is not None:
            await self._channel.kill()

    async def close(self) -> None:
        """End it for good: politely, then by force. Calls under way raise EngineTerminated."""
        self._closed = True
        if self._channel is not None and self._channel.alive:
            await self._channel.quit()
        self._cut()

    def cut(self) -> None:
        """Kill it at once and for good; from any thread, without an event loop."""
        self._closed = True
        self._cut()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _open(self) -> Channel:
        if self._closed:
            raise EngineTerminated("the engine was closed", self.returncode, self.stderr_tail)
        if self._channel is not None:
            if not self._respawn:
                raise self._channel.end("not started again (respawn=False)")
            self._stale += self._channel.stale
            self.restarts += 1
        self._at = None
        self._channel = await Channel.open(self._connector, self.patience)
        self._greeting = self._channel.greeting
        self._settings.offer(self._greeting.options)
        await self._channel.exchange(self._settings.commands(), "start")
        return self._channel

    # ---- one call at a time

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[Channel]:
        """A running engine, for this task alone; one that fails here is ended, to be started again."""
        async with self._lock:
            if self._sweep is not None:
                await self._sweep
                self._sweep = None
            if self._analysing is not None and self.alive and not self._analysing.best.done():
                raise Busy("an analysis is running; stop it first")
            self._analysing = None
            channel = self._channel
            try:
                if channel is None or not channel.alive:
                    channel = await self._open()
                yield channel
            except (EngineTimeout, EngineTerminated):
                await self.kill()
                raise

    async def _ask(self, commands: list[str]) -> list[str]:
        async with self._turn() as channel:
            return await channel.exchange(commands)

    # ---- commands without a position

    async def configure(self, values: Mapping[str, OptionValue]) -> None:
        """Set options; checked before, remembered for restarts. Raises EngineRefusal for a bad one."""
        if not self._settings.offered:
            await self.start()
        for option, text in self._settings.check(values):
            for line in await self._ask([format_setoption(option.name, text)]):
                refusal = parse_error(line)
                if refusal is not None:
                    raise EngineRefusal(refusal.code, refusal.detail)
            self._settings.keep(option, text)
            self._at = None

    async def new_game(self) -> None:
        """Make it forget what it has thought so far."""
        await self._ask(["uginewgame"])
        self._at = None

    async def ping(self, timeout: float | None = None) -> float:
        """Seconds until it answers ``isready``, also during an analysis. EngineTimeout ends nothing."""
        loop = asyncio.get_running_loop()
        if not self.alive:
            await self.start()
        assert self._channel is not None
        began = loop.time()
        await self._channel.exchange([], "ping", timeout)
        return loop.time() - began
