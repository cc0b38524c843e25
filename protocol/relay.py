"""``python -m serai.protocol.relay [--log FILE] CMD …``: pass lines through to an engine and log the traffic.

Put it where a front end wants an engine. Each line is logged with the seconds since the start and its
direction: ``>`` to the engine, ``<`` from it, ``!`` what it wrote to stderr. Without a file the log goes to
stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import BinaryIO, Final

from serai.protocol.errors import EngineError
from serai.protocol.transport import LineSplitter, split_command

GRACE: Final = 2.0  # seconds for the engine to end after its input has ended
_CHUNK: Final = 65_536


class Log:
    """Lines with their time and direction, from several threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._began = time.monotonic()

    def write(self, mark: str, line: str) -> None:
        """One line; a log that can't be written is no reason to stop."""
        text = f"{time.monotonic() - self._began:9.3f} {mark} {line}\n"
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._stream.write(text.encode("utf-8"))
            self._stream.flush()


def pump(source: int, target: int | None, mark: str, log: Log) -> None:
    """Copy bytes until the end of the source or of the target, and log the lines."""
    lines = LineSplitter()
    with contextlib.suppress(OSError):
        while data := os.read(source, _CHUNK):
            rest = memoryview(data)
            while target is not None and rest:
                rest = rest[os.write(target, rest) :]
            for line in lines.feed(data):
                log.write(mark, line)


def relay(command: Sequence[str], log: Log) -> int:
    """Run an engine between our own stdin and stdout; its exit code (128 + N for a signal)."""
    engine = subprocess.Popen(
        split_command(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert engine.stdin is not None
    assert engine.stdout is not None
    assert engine.stderr is not None
    signal.signal(signal.SIGTERM, lambda *_: engine.kill())
    into, out, err = engine.stdin, engine.stdout.fileno(), engine.stderr.fileno()

    def feed() -> None:
        pump(sys.stdin.fileno(), into.fileno(), ">", log)
        with contextlib.suppress(OSError):
            into.close()
        try:
            engine.wait(GRACE)
        except subprocess.TimeoutExpired:
            engine.kill()

    threading.Thread(target=feed, daemon=True).start()
    threading.Thread(target=pump, args=(err, None, "!", log), daemon=True).start()
    pump(out, sys.stdout.fileno(), "<", log)
    return _end(engine, log)


def _end(engine: subprocess.Popen[bytes], log: Log) -> int:
    """The engine has closed its output, or nobody reads it any more."""
    try:
        code = engine.wait(GRACE)
    except subprocess.TimeoutExpired:
        engine.kill()
        code = engine.wait()
    log.write("#", f"ended with {code}")
    return code if code >= 0 else 128 - code


def main(argv: Sequence[str] | None = None) -> int:
    """Relay; the exit code is that of the engine."""
    parser = argparse.ArgumentParser(
        prog="serai.protocol.relay", description="Log what an engine is told and says."
    )
    parser.add_argument("--log", metavar="FILE", help="append to this file (default: stderr)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the engine and its arguments")
    options = parser.parse_args(argv)
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(open(options.log, "ab")) if options.log else sys.stderr.buffer
            return relay(options.command, Log(stream))
        except (OSError, EngineError) as error:
            print(f"relay: {error}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
