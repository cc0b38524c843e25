"""A running analysis, as a program with an event loop holds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from serai.protocol.channel import Channel
from serai.protocol.commands import format_go
from serai.protocol.errors import EngineRefusal, EngineTimeout, ProtocolError
from serai.protocol.messages import BestMove, Info, parse_error
from serai.protocol.patience import Deadline, Limit, deadline
from serai.protocol.pending import Search


class Analysis:
    """Lines as they come: iterate, or look at `multipv` now and then.

    A line that is replaced before it is read is skipped, never queued. The engine is watched: if it dies or
    falls silent, the next read raises. Leaving the ``async with`` block stops the search.
    """

    def __init__(self, channel: Channel, search: Search, limit: Deadline, *, held: bool) -> None:
        self._channel = channel
        self._search = search
        self._limit = limit  # counts once the search isn't held any more
        self._end = None if held else search.began + limit.seconds

    @property
    def done(self) -> bool:
        """True when the engine has answered."""
        return self._search.best.done()

    @property
    def multipv(self) -> list[Info]:
        """The latest state of each line, best first."""
        return self._search.lines()

    @property
    def info(self) -> Info | None:
        """The latest state of the best line."""
        return next(iter(self._search.lines()), None)

    @property
    def count(self) -> int:
        """How many info lines came, read or not."""
        return self._search.count

    def stop(self) -> None:
        """Ask for the answer now; returns at once, `wait` has it."""
        if not self.done:
            self._channel.connection.send("stop\n")
            self._limit = Deadline(self._channel.patience.grace, "stop")
            self._end = asyncio.get_running_loop().time() + self._limit.seconds

    def hit(self, limit: Limit | None = None) -> None:
        """The move that was pondered on has been played (``ponderhit``); optionally with fresh clocks."""
        words = format_go((limit or Limit()).command()).removeprefix("go")
        self._channel.connection.send(f"ponderhit{words}\n")
        if limit is not None:
            self._limit = deadline(limit, None, self._channel.patience, {})
        self._end = asyncio.get_running_loop().time() + self._limit.seconds

    async def wait(self, timeout: float | None = None) -> BestMove:
        """The answer. EngineTimeout after ``timeout`` seconds leaves the analysis running."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while not self.done:
            self._search.changed.clear()
            await self._listen(None if end is None else max(end - loop.time(), 0))
        return self._answer()

    async def get(self, timeout: float | None = None) -> Info | None:
        """The next new line; None when there will be no more. EngineTimeout leaves the analysis running."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while (info := self._search.unread()) is None:
            if self.done:
                self._answer()
                return None
            self._search.changed.clear()
            await self._listen(None if end is None else max(end - loop.time(), 0))
        return info

    def _answer(self) -> BestMove:
        best = self._search.best.result()
        raise_refusal(self._search, best)
        return best

    async def _listen(self, timeout: float | None) -> None:
        """Until something changes, or it is time to look whether the engine lives."""
        news = asyncio.ensure_future(self._search.changed.wait())
        try:
            async with asyncio.timeout(timeout):
                await self._channel.listen(news, self._end, self._limit)
        except EngineTimeout:
            if await self._channel.stop(self._search) is None:
                await self._channel.kill()
                raise
        except TimeoutError:
            raise EngineTimeout(f"nothing new within {timeout:.3g} s (wait)", "wait") from None
        finally:
            news.cancel()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = await self.get()
        if info is None:
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._channel.settle(self._search)


def raise_refusal(search: Search, best: BestMove) -> None:
    """Raise EngineRefusal or ProtocolError if an answer is none."""
    refusal = next((error for line in search.fence.lines if (error := parse_error(line))), None)
    if refusal is None and not best.moves:
        refusal = next((error for line in search.errors if (error := parse_error(line))), None)
        if refusal is None:
            raise ProtocolError("bestmove (none) without an error", "bestmove (none)")
    if refusal is not None:
        raise EngineRefusal(refusal.code, refusal.detail)
