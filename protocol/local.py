"""`LocalEngine`: the engine in this process, behind the interface of one in another."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import BinaryIO, cast

from serai.protocol.client_sync import SimpleEngine
from serai.protocol.engine import Engine as Server
from serai.protocol.patience import Patience
from serai.protocol.thinker import SearchThinker, Thinker
from serai.protocol.transport import Connection, LineSplitter, Sink

LOCAL_PATIENCE = Patience(timeout=30.0, stall=30.0)


class _Inbox:
    """A byte stream to read from, filled from another thread."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._rest = b""
        self._ended = False

    def put(self, line: bytes) -> None:
        """Add a line with its end; an empty one is the end of the stream."""
        self._lines.put(line)

    def readline(self, limit: int = -1) -> bytes:
        """The next line, or as much of it as the limit allows; empty at the end."""
        if not self._rest and not self._ended:
            self._rest = self._lines.get()
            self._ended = not self._rest
        limit = len(self._rest) if limit < 0 else limit
        line, self._rest = self._rest[:limit], self._rest[limit:]
        return line


class _Outbox:
    """A byte stream to write to; whole lines go to a sink in its event loop's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, sink: Sink) -> None:
        self._loop = loop
        self._sink = sink
        self._splitter = LineSplitter()

    def write(self, data: bytes | memoryview) -> int:
        """Pass on the lines that are complete."""
        for line in self._splitter.feed(bytes(data)):
            try:
                self._loop.call_soon_threadsafe(self._sink.received, line)
            except RuntimeError as error:
                raise OSError("the client's event loop is closed") from error
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""


class _LocalConnection:
    pid: int | None = None
    stderr_tail = ""

    def __init__(self, thinker: Thinker, sink: Sink) -> None:
        self.returncode: int | None = None
        self._thinker = thinker
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._done = self._loop.create_future()
        self._inbox = _Inbox()
        outbox = _Outbox(self._loop, self)
        self._server = Server(thinker, cast(BinaryIO, self._inbox), cast(BinaryIO, outbox))
        threading.Thread(target=self._serve, name="serai-local", daemon=True).start()

    def _serve(self) -> None:
        try:
            self._server.run()
        finally:
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._end, 0)

    def _end(self, returncode: int) -> None:
        if self.returncode is None:
            self.returncode = returncode
            self._done.set_result(None)
            self._sink.ended()

    def received(self, line: str) -> None:
        """Pass a line on, unless the client has given this engine up."""
        if self.returncode is None:
            self._sink.received(line)

    def ended(self) -> None:
        """Never called: the end is told by `_end`."""

    def send(self, text: str) -> None:
        """Send whole lines."""
        for line in text.encode("utf-8").splitlines(keepends=True):
            self._inbox.put(line)

    def close_input(self) -> None:
        """Let the engine see the end of its input."""
        self._inbox.put(b"")

    def kill(self) -> None:
        """Stop the search and drop whatever is still said; a thread can't be ended by force."""
        self._thinker.stop()
        self.close_input()
        self._loop.call_soon(self._end, -9)

    async def wait(self) -> None:
        """Return when it has ended."""
        await asyncio.shield(self._done)


class LocalEngine(SimpleEngine):
    """A `SimpleEngine` without a process: the same calls, answers and errors, without pipes.

    ``make`` makes what thinks, by default Serai's own search.

    >>> with LocalEngine() as engine:
    ...     engine.query("players", "fen spice_road;players=3;seed=7")
    3
    """

    def __init__(
        self, make: Callable[[], Thinker] = SearchThinker, *, patience: Patience = LOCAL_PATIENCE
    ) -> None:
        async def connect(sink: Sink) -> Connection:
            return _LocalConnection(make(), sink)

        self._connect(connect, patience, lambda: None)
