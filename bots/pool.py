"""Several games at a time, each in a process of its own, none of which outlives the match."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from serai.bots.schedule import MatchPlan
from serai.core.errors import SetupError
from serai.core.game_record import GameRecord

POLL: Final = 0.2  # seconds between two looks at signals
START: Final = 60.0  # seconds that a process may take until its bots are ready
SLACK: Final = 30.0  # seconds without a sign of life, over the patience with one decision
LEAVE: Final = 8.0  # seconds that processes may take to end after they were told to
LONGEST: Final = 16 * 2**20  # bytes of one line


@dataclass
class _Process:
    """A worker and what it is doing: a number of a game, or None while it starts or is idle."""

    popen: subprocess.Popen[bytes]
    game: int | None = None
    ready: bool = False
    deadline: float = 0.0
    buffer: bytearray = field(default_factory=bytearray)

    def send(self, message: dict[str, Any]) -> None:
        assert self.popen.stdin is not None
        with contextlib.suppress(OSError):
            self.popen.stdin.write(json.dumps(message).encode() + b"\n")
            self.popen.stdin.flush()

    def dismiss(self) -> None:
        """Tell it to end, which it does soon also in the middle of a game."""
        assert self.popen.stdin is not None
        with contextlib.suppress(OSError):
            self.popen.stdin.close()

    def end(self) -> None:
        """End it by force, with all it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()
        self._close_pipes()

    def leave(self, deadline: float) -> None:
        """Let it end by itself, by force at the deadline."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(max(0.0, deadline - time.monotonic()))
        self.end()

    def _close_pipes(self) -> None:
        for pipe in (self.popen.stdin, self.popen.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Pool:
    """Plays games of a plan in worker processes. ``lost`` names the games whose process died, and how."""

    def __init__(self, plan: MatchPlan, jobs: int) -> None:
        self._plan, self._jobs = plan, jobs
        control = plan.conditions.control
        patience = plan.conditions.patience
        self._silence = SLACK + (control.patience() if patience is None else patience)
        self._selector = selectors.DefaultSelector()
        self._processes: list[_Process] = []
        self.lost: list[str] = []

    def play(
        self, numbers: Sequence[int], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[int, GameRecord]]:
        """The games as they end. After ``should_stop`` no game is begun; those under way are finished."""
        waiting = list(reversed(numbers))
        for _ in range(min(self._jobs, len(waiting))):
            self._start()
        while self._processes:
            if should_stop():
                waiting.clear()
            self._hand_out(waiting)
            yield from self._listen(waiting)
        self._selector.close()

    def _start(self) -> None:
        command = [sys.executable, "-m", "serai.bots.worker"]
        popen = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
        )
        process = _Process(popen, deadline=time.monotonic() + START)
        assert popen.stdout is not None
        os.set_blocking(popen.stdout.fileno(), False)
        self._selector.register(popen.stdout, selectors.EVENT_READ, process)
        self._processes.append(process)
        process.send({"plan": self._plan.to_dict()})

    def _hand_out(self, waiting: list[int]) -> None:
        for process in list(self._processes):
            if not process.ready or process.game is not None:
                continue
            if waiting:
                process.game = waiting.pop()
                process.deadline = time.monotonic() + self._silence
                process.send({"game": process.game})
            else:
                self._dismiss(process)

    def _listen(self, waiting: list[int]) -> Iterator[tuple[int, GameRecord]]:
        for key, _ in self._selector.select(POLL):
            process: _Process = key.data
            data = process.popen.stdout.read(2**20) if process.popen.stdout is not None else b""
            if not data:
                self._bury(process, waiting, "ended")
                continue
            process.deadline = time.monotonic() + self._silence
            process.buffer += data
            yield from self._messages(process)
        for process in list(self._processes):
            if time.monotonic() > process.deadline:
                self._bury(process, waiting, "gave no sign of life")

    def _messages(self, process: _Process) -> Iterator[tuple[int, GameRecord]]:
        *lines, rest = process.buffer.split(b"\n")
        process.buffer = bytearray(rest)
        for line in lines:
            message = json.loads(line)
            if "error" in message:
                self.close()
                raise SetupError(message["error"])
            process.ready = process.ready or "ready" in message
            if "record" in message:
                process.game = None
                yield message["game"], GameRecord.from_dict(message["record"])

    def _bury(self, process: _Process, waiting: list[int], what: str) -> None:
        """A process is gone: its game is lost, another process goes on with the rest."""
        self._forget(process)
        process.end()
        if process.game is None and not process.ready:
            self.close()
            raise SetupError(f"a process of the match {what} before its bots were ready")
        if process.game is not None:
            self.lost.append(
                f"game {process.game + 1}: its process {what} ({_how(process.popen.returncode)})"
            )
        if waiting:
            self._start()

    def _dismiss(self, process: _Process) -> None:
        self._forget(process)
        process.dismiss()
        process.leave(time.monotonic() + LEAVE)

    def _forget(self, process: _Process) -> None:
        if process.popen.stdout is not None:
            self._selector.unregister(process.popen.stdout)
        self._processes.remove(process)

    def close(self) -> None:
        """End all processes, by force if they don't soon end by themselves."""
        leaving = list(self._processes)
        for process in leaving:
            self._forget(process)
            process.dismiss()
        deadline = time.monotonic() + LEAVE
        for process in leaving:
            process.leave(deadline)


def _how(returncode: int | None) -> str:
    if returncode is not None and returncode < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-returncode).name
    return f"exit code {returncode}"
