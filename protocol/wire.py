"""Whole lines in, whole lines out: bounded, locked, flushed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from serai.protocol.messages import MAX_LINE, format_error, longest_reply

_CHUNK: Final = 65_536


class LineReader:
    """The lines of a byte stream as text; a line that can't be one is reported by its error code instead.

    Iterating yields ``(text, None)`` or ``("", code)`` and ends at the end of the stream. Memory stays within
    a few times ``MAX_LINE``, whatever is sent.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[tuple[str, str | None]]:
        while True:
            try:
                raw = self._stream.readline(MAX_LINE + 2)
            except (OSError, ValueError):  # closed under our feet
                return
            if not raw:
                return
            yield self._decode(raw)

    def _decode(self, raw: bytes) -> tuple[str, str | None]:
        complete = raw.endswith(b"\n")
        body = raw.rstrip(b"\n").removesuffix(b"\r")
        if len(body) > MAX_LINE:
            if not complete:
                self._skip()
            return "", "line-too-long"
        try:
            return body.decode("utf-8").removeprefix("\ufeff"), None
        except UnicodeDecodeError:
            return "", "syntax"

    def _skip(self) -> None:
        """Drop the rest of a line."""
        while True:
            chunk = self._stream.readline(_CHUNK)
            if not chunk or chunk.endswith(b"\n"):
                return


class LineWriter:
    """Writes whole lines from any thread; a line ends with LF and is flushed at once.

    Once the other side is gone, ``broken`` is true, ``on_broken`` is called and writing does nothing.
    """

    def __init__(self, stream: BinaryIO, on_broken: Callable[[], None] | None = None) -> None:
        self._stream = stream
        self._on_broken = on_broken
        self._lock = threading.Lock()
        self.broken = False

    def send(self, *lines: str) -> None:
        """Write lines that belong together; nobody else's line comes between."""
        data = b"".join(_encode(line) for line in lines)
        with self._lock:
            if self.broken or not data:
                return
            try:
                self._write(data)
                return
            except (OSError, ValueError):
                self.broken = True
        if self._on_broken is not None:
            self._on_broken()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:  # a raw stream may take only a part
            rest = rest[self._stream.write(rest) :]
        self._stream.flush()


class Answer:
    """What is owed for one ``go``: interim lines while it is open, then the answer, exactly once."""

    def __init__(self, writer: LineWriter) -> None:
        self._writer = writer
        self._lock = threading.Lock()
        self.given = threading.Event()

    def is_given(self) -> bool:
        """True once the answer is out; waits while it is being written."""
        with self._lock:
            return self.given.is_set()

    def interim(self, *lines: str) -> None:
        """Write lines unless the answer has been given."""
        with self._lock:
            if not self.given.is_set():
                self._writer.send(*lines)

    def give(self, *lines: str) -> None:
        """Write the lines of the answer; a second answer is dropped."""
        with self._lock:
            if not self.given.is_set():
                self._writer.send(*lines)
                self.given.set()


def _encode(line: str) -> bytes:
    data = line.encode("utf-8", errors="replace")
    if len(data) <= longest_reply(line):
        return data + b"\n"
    return (
        format_error("internal", f"an answer of {len(data)} bytes is too long for one line").encode() + b"\n"
    )
