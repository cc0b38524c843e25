"""Connections to an engine: bytes in, whole lines out, and nothing that can block, grow or be left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol, cast

from serai.protocol.errors import EngineTerminated, explain_exit

MAX_LINE = 4 * 2**20  # bytes; a longer line is dropped
STDERR_TAIL = 64 * 1024  # bytes kept of what the engine wrote there last
SHELL = "/bin/sh"
ORPHAN_GRACE = 0.5  # seconds that a dead engine's children may keep its pipes open


class Sink(Protocol):
    """Who is told what a connection receives, always in the event loop's thread."""

    def received(self, line: str) -> None:
        """Take one line, without its end."""

    def ended(self) -> None:
        """Learn, once, that no line will follow."""


class Connection(Protocol):
    """A running engine, whatever it runs in."""

    @property
    def pid(self) -> int | None:
        """Process id, None without a process."""

    @property
    def returncode(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""

    @property
    def stderr_tail(self) -> str:
        """The last that the engine wrote to stderr."""

    def send(self, text: str) -> None:
        """Send whole lines; never blocks, and is ignored after the end."""

    def close_input(self) -> None:
        """Let the engine see the end of its input."""

    def kill(self) -> None:
        """End it now, with everything it has started."""

    async def wait(self) -> None:
        """Return when it has ended."""


Connector = Callable[[Sink], Awaitable[Connection]]


class LineSplitter:
    """Cut a byte stream into lines; CR LF is LF, bad UTF-8 is replaced, too long lines are dropped."""

    def __init__(self, longest: int = MAX_LINE) -> None:
        self.longest = longest
        self.dropped = 0
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, data: bytes) -> list[str]:
        """The lines that are complete with this piece."""
        head, *rest = data.split(b"\n")
        if not rest:
            self._keep(head)
            return []
        lines = [self._finish(head), *(self._cut(piece) for piece in rest[:-1])]
        self._keep(rest[-1])
        return [line.decode("utf-8", "replace").rstrip("\r") for line in lines if line is not None]

    def _keep(self, piece: bytes) -> None:
        if self._skipping or not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > self.longest:
            self._parts.clear()
            self._skipping = True

    def _finish(self, piece: bytes) -> bytes | None:
        line = b"".join((*self._parts, piece))
        skipped, self._skipping, self._size = self._skipping, False, 0
        self._parts.clear()
        if skipped:
            self.dropped += 1
            return None
        return self._cut(line)

    def _cut(self, line: bytes) -> bytes | None:
        if len(line) > self.longest:
            self.dropped += 1
            return None
        return line


class Leash:
    """The process groups of an engine, over its restarts; they can be killed from anywhere, also at exit."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._groups: dict[int, Heir | None] = {}
        self._lock = threading.Lock()

    def tie(self, pid: int) -> None:
        """Hold the group that this process leads."""
        heir = Heir.of(pid)
        with self._lock:
            self._groups[pid] = heir

    def cut(self, pid: int) -> None:
        """Kill a group, if it is held, and hold it no longer."""
        with self._lock:
            if pid not in self._groups or os.getpid() != self._owner:  # a fork of us has no say
                return
            heir = self._groups.pop(pid)
        if heir is not None:
            heir.dismiss()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGTERM)

    def cut_all(self) -> None:
        """Kill every group that is held."""
        for pid in list(self._groups):
            self.cut(pid)


class Heir:
    """A shell that ends an engine's group if we are killed; a hanging engine doesn't see its input end.

    It waits for the end of a pipe that only we hold.
    """

    def __init__(self, shell: subprocess.Popen[bytes]) -> None:
        self._shell = shell

    @classmethod
    def of(cls, pid: int) -> Heir | None:
        """Watch over the group that a process leads; None where there is no shell."""
        if not os.path.exists(SHELL):
            return None
        command = [SHELL, "-c", 'read line; kill -s KILL -- "-$0"', str(pid)]
        silent = subprocess.DEVNULL
        with contextlib.suppress(OSError):
            return cls(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, start_new_session=True
                )
            )
        return None

    def dismiss(self) -> None:
        """Stop watching: whoever is next to have this process id must not be harmed."""
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None
        self._shell.stdin.close()


class ProcessConnection(asyncio.SubprocessProtocol):
    """An engine in a process group of its own, on three pipes."""

    def __init__(self, sink: Sink, leash: Leash) -> None:
        self._sink = sink
        self._leash = leash
        self._lines = LineSplitter()
        self._stderr = bytearray()
        self._transport: asyncio.SubprocessTransport | None = None
        self._done = asyncio.get_running_loop().create_future()
        self.pid = 0

    @property
    def returncode(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._transport.get_returncode() if self._transport else None

    @property
    def stderr_tail(self) -> str:
        """The last that the engine wrote to stderr."""
        return self._stderr.decode("utf-8", "replace")

    def send(self, text: str) -> None:
        """Send whole lines; never blocks, and is ignored after the end."""
        pipe = self._input()
        if pipe is not None and not pipe.is_closing():
            pipe.write(text.encode("utf-8"))

    def close_input(self) -> None:
        """Let the engine see the end of its input."""
        pipe = self._input()
        if pipe is not None:
            pipe.close()

    def kill(self) -> None:
        """End it now, with everything it has started."""
        self._leash.cut(self.pid)

    async def wait(self) -> None:
        """Return when it has ended."""
        await asyncio.shield(self._done)

    def _input(self) -> asyncio.WriteTransport | None:
        pipe = self._transport.get_pipe_transport(0) if self._transport else None
        return cast("asyncio.WriteTransport | None", pipe)

    # ---- called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the process; from here on it is on the leash."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self.pid = self._transport.get_pid()
        self._leash.tie(self.pid)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Pass lines on, or keep the tail of stderr."""
        if fd == 1:
            for line in self._lines.feed(data):
                self._sink.received(line)
        else:
            self._stderr += data
            del self._stderr[:-STDERR_TAIL]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """End an engine that has closed its output: it can't answer any more."""
        if fd == 1:
            asyncio.get_running_loop().call_later(ORPHAN_GRACE, self.kill)

    def process_exited(self) -> None:
        """End what the process has left behind; its last lines may still be on their way."""
        self._leash.cut(self.pid)
        if self._transport is not None:
            asyncio.get_running_loop().call_later(ORPHAN_GRACE, self._transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the end; all pipes are closed."""
        if self._transport is not None:
            self._transport.close()
        if not self._done.done():
            self._done.set_result(None)
            self._sink.ended()


def split_command(command: str | Sequence[str | os.PathLike[str]]) -> list[str]:
    """A command line as a list, its program as an absolute path; raises EngineTerminated if there is none.

    The program is looked up from our working directory, whatever directory the engine is then started in.
    """
    argv = shlex.split(command) if isinstance(command, str) else [os.fspath(part) for part in command]
    if not argv:
        raise EngineTerminated("no command to start an engine with")
    found = shutil.which(argv[0])
    if found is None:
        raise EngineTerminated(f"can't start {argv[0]!r}: no such program")
    return [os.path.abspath(found), *argv[1:]]


async def open_process(
    argv: Sequence[str],
    sink: Sink,
    leash: Leash,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    stderr: str | os.PathLike[str] = "tail",
) -> ProcessConnection:
    """Start an engine. ``env`` replaces the environment; ``stderr`` is ``"tail"`` or a file to append to."""
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as stack:
        log: int | IO[bytes] = asyncio.subprocess.PIPE
        try:
            if stderr != "tail":
                log = stack.enter_context(Path(stderr).open("ab"))
            _, protocol = await loop.subprocess_exec(
                lambda: ProcessConnection(sink, leash),
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=env,
                cwd=cwd,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineTerminated(f"can't start {argv[0]!r}: {error}") from error
    return protocol


def describe_end(connection: Connection, what: str) -> EngineTerminated:
    """The exception for a connection that has ended."""
    tail = connection.stderr_tail
    last = tail.strip().rsplit("\n", 1)[-1][-200:]
    message = f"{what}: the engine is gone ({explain_exit(connection.returncode)})"
    return EngineTerminated(
        message + (f"; its last words: {last}" if last else ""), connection.returncode, tail
    )
