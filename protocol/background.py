"""One event loop in a thread of its own, for all clients of this process that have no loop."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from serai.protocol.errors import EngineError

T = TypeVar("T")
_LAST_WAIT = 2.0  # seconds at exit


class Background:
    """The loop and its thread. Usable from any thread but its own, also from one that runs another loop."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="serai-client", daemon=True)
        self._thread.start()
        atexit.register(self._end)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def _end(self) -> None:
        if os.getpid() == self._process and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_LAST_WAIT)

    @property
    def usable(self) -> bool:
        """False after a fork and after the end."""
        return os.getpid() == self._process and self._thread.is_alive()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; being interrupted cancels it."""
        if not self.usable or threading.current_thread() is self._thread:
            work.close()
            raise EngineError("this client can't be used here: its event loop is this thread, or is gone")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, function: Callable[[], T]) -> T:
        """The result of a function that the loop's thread runs."""

        async def work() -> T:
            return function()

        return self.run(work())


_lock = threading.Lock()
_current: Background | None = None


def background() -> Background:
    """The one of this process, started when first needed."""
    global _current  # noqa: PLW0603 - one thread for all is the point
    with _lock:
        if _current is None or not _current.usable:
            _current = Background()
        return _current
