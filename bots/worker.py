"""A process that plays some of a match's games: ``python -m serai.bots.worker``, driven by `serai.bots.pool`.

It reads lines of JSON on stdin, first the plan, then ``{"game": N}``; it answers on stdout with a line
``{"game": N, "record": {…}}`` for each, and ``{}`` now and then as a sign of life. The end of stdin ends it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from queue import SimpleQueue
from typing import IO, Any, Final

from serai.bots.match import Table
from serai.bots.referee import Step
from serai.bots.schedule import MatchPlan
from serai.core.errors import SeraiError
from serai.core.game import Position
from serai.core.game_record import GameRecord

PULSE: Final = 1.0  # seconds between two signs of life, at most
GRACE: Final = 0.5  # seconds that a game under way may take to end after the input has ended
CLOSING: Final = 1.0  # seconds that a bot may take to close then


class _Pulse:
    """A watcher that tells the parent that the game goes on."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._next = 0.0

    def begin(self, position: Position, names: Sequence[str], title: str) -> None:
        """Nothing to tell."""

    def step(self, step: Step) -> None:
        """A sign of life, if it is time for one."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PULSE
            self._worker.send({})

    def end(self, position: Position, record: GameRecord) -> None:
        """Nothing to tell."""


class Worker:
    """Plays what the lines ask for."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._orders: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._table: Table | None = None
        self._leaving = False

    def run(self) -> None:
        """Work until the input ends; also in the middle of a game."""
        threading.Thread(target=self._read, name="orders", daemon=True).start()
        while (order := self._orders.get()) is not None:
            try:
                self._obey(order)
            except SeraiError as error:
                self.send({"error": str(error), **order})
        self._close()

    def _read(self) -> None:
        for line in self._stdin:
            self._orders.put(json.loads(line))
        self._leaving = True
        self._orders.put(None)
        if self._table is not None:
            self._table.stop()
        time.sleep(GRACE)
        self._close()  # also if the other thread is still in a game, and never comes back from it
        os._exit(1)

    def _obey(self, order: dict[str, Any]) -> None:
        if "plan" in order:
            self._table = Table(MatchPlan.from_dict(order["plan"]))
            self.send({"ready": True})
        elif self._table is not None:
            record = self._table.play(order["game"], _Pulse(self), lambda: self._leaving)
            self.send({"game": order["game"], "record": record.to_dict()})

    def send(self, message: dict[str, Any]) -> None:
        """One line to the parent; the process ends if nobody reads it."""
        try:
            self._stdout.write(json.dumps(message) + "\n")
            self._stdout.flush()
        except OSError:
            self._close()
            os._exit(1)

    def _close(self) -> None:
        if self._table is not None:
            self._table.close(CLOSING)


def main() -> int:
    """Work on this process's stdin and stdout; what bots print goes to stderr."""
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    Worker(sys.stdin, wire).run()
    sys.stderr.flush()
    os._exit(0)  # also past threads of bots that never returned


if __name__ == "__main__":
    sys.exit(main())
