"""The manager: which block is played next, by whom, and what becomes of its games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from serai.bots.tournament.cluster import Cluster
from serai.bots.tournament.crew import BARRACKS, Abandoned, Control, play_block
from serai.bots.tournament.journal import Journal, outcome_of
from serai.bots.tournament.outcome import Outcome, SprtState
from serai.bots.tournament.plan import Plan
from serai.bots.tournament.referee import AuditError, RefereeError
from serai.bots.tournament.schedule import block_at, block_count, block_size
from serai.core.errors import SeraiError
from serai.core.game_record import GameRecord

POLL: Final = 0.2  # seconds between two looks at signals
TRIES: Final = 5  # of a block whose worker or referee was lost
LEAVE: Final = 15.0  # seconds that games under way may take to end once they were broken off


class Listener(Protocol):
    """Who hears how it goes, from the thread that manages."""

    def finished(self, outcome: Outcome, record: GameRecord) -> None:
        """A game has ended and is in the journal."""

    def playing(self, job: int, text: str | None) -> None:
        """What a job here plays now, from its own thread; None: nothing."""

    def note(self, text: str) -> None:
        """Something else has happened."""


class Aborted(SeraiError):  # noqa: N818 - what happened
    """The tournament ended before its time; the journal has all finished games."""


@dataclass(frozen=True)
class Unit:
    """Games of a block that are yet to be played."""

    block: int
    games: tuple[int, ...]
    tries: int = 1


class Manager:
    """Plays what a journal lacks of its plan; ``run`` it once.

    ``outcomes``: the games in the journal already. ``jobs``: games at a time here; with a ``cluster`` its
    workers play instead. ``cores``: a set of cores for each job, or none.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        outcomes: list[Outcome],
        listener: Listener,
        jobs: int = 1,
        cores: list[tuple[int, ...]] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.plan = plan
        self.outcomes = outcomes
        self.control = Control()
        self._journal, self._listener, self._jobs, self._cluster = journal, listener, jobs, cluster
        self._done = {(outcome.block, outcome.game) for outcome in outcomes}
        self._free: SimpleQueue[tuple[int, tuple[int, ...]]] = SimpleQueue()  # jobs and their cores
        for job in range(jobs):
            self._free.put((job, cores[job % len(cores)] if cores else ()))
        self._news: SimpleQueue[GameRecord | Future[list[GameRecord]]] = SimpleQueue()
        self._running: dict[Future[list[GameRecord]], Unit] = {}
        self._again: list[Unit] = []
        self._waiting = self._units()
        self._failure: SeraiError | None = None
        self._sprt = Progress(plan, outcomes)
        if self._sprt.decided:
            self.control.finish()

    @property
    def block_size(self) -> int:
        """Games of a block."""
        return block_size(self.plan)

    @property
    def wanted(self) -> int:
        """Games of the whole plan."""
        return block_count(self.plan) * self.block_size

    @property
    def verdict(self) -> SprtState | None:
        """The sequential test, if this is one."""
        return self._sprt.state

    def run(self) -> None:
        """Play. Raises AuditError, RefereeError, RecordError or Aborted; the journal is whole in any case."""
        executor = self._cluster.executor() if self._cluster else ThreadPoolExecutor(self._jobs, "table")
        try:
            while self._submit(executor):
                self._hear()
        except BaseException:
            self.control.abandon()
            self._drain()
            raise
        finally:
            executor.shutdown(wait=not self.control.abandoned)
            BARRACKS.close()
        if self._failure is not None:
            raise self._failure

    # ---- handing out

    def _units(self) -> Iterator[Unit]:
        """What is missing, in the order of the blocks."""
        for number in range(block_count(self.plan)):
            games = range(block_size(self.plan))
            missing = tuple(game for game in games if (number, game) not in self._done)
            if missing:
                yield Unit(number, missing)

    def _submit(self, executor: Executor) -> bool:
        """Keep everybody busy; False when all is played."""
        window = self._cluster.window() if self._cluster else self._jobs
        while len(self._running) < window and not self.control.finishing:
            unit = self._again.pop() if self._again else next(self._waiting, None)
            if unit is None:
                break
            future = self._start(executor, unit)
            self._running[future] = unit
            future.add_done_callback(self._news.put)
        if self.control.finishing and self._cluster is not None:
            for future in self._running:
                future.cancel()
        return bool(self._running)

    def _start(self, executor: Executor, unit: Unit) -> Future[list[GameRecord]]:
        if self._cluster is not None:
            return executor.submit(play_block, self.plan, unit.block, unit.games)
        return executor.submit(self._here, unit)

    def _here(self, unit: Unit) -> list[GameRecord]:
        """Play a unit in this process, as a job that is free."""
        job, cores = self._free.get()
        names = (self.plan.names[entrant] for entrant in block_at(self.plan, unit.block).table)
        self._listener.playing(job, f"block {unit.block}: {', '.join(names)}")
        try:
            return play_block(self.plan, unit.block, unit.games, self._news.put, self.control, cores)
        finally:
            self._listener.playing(job, None)
            self._free.put((job, cores))

    # ---- hearing

    def _hear(self) -> None:
        """Wait a little for news."""
        try:
            news = self._news.get(timeout=POLL)
        except Empty:
            return
        if isinstance(news, GameRecord):
            self._take(news)
            return
        unit = self._running.pop(news, None)
        if unit is not None:
            self._conclude(unit, news)

    def _take(self, record: GameRecord) -> None:
        """A finished game: into the journal, once."""
        block = block_at(self.plan, int(record.tags["block"]))
        game = int(record.tags["game"])
        if (block.number, game) in self._done:
            return
        self._journal.write(record)
        self._done.add((block.number, game))
        outcome = outcome_of(record, block, game, self.plan.faults)
        self.outcomes.append(outcome)
        self._listener.finished(outcome, record)
        self._look(outcome, record)

    def _look(self, outcome: Outcome, record: GameRecord) -> None:
        """End the tournament if this game ends it."""
        kinds = [kind for _, kind in outcome.faults if self.plan.faults.of(kind) == "abort"]
        if kinds and self._failure is None:
            detail = next(fault for fault in record.faults if fault.kind == kinds[0])
            who = record.seats[detail.seat]
            self._failure = Aborted(f"{who}: {detail.kind}: {detail.detail}; the policy for that is abort")
            self.control.finish()
        self._sprt.add(outcome)
        if self._sprt.decided:
            self.control.finish()

    def _conclude(self, unit: Unit, future: Future[list[GameRecord]]) -> None:
        """A unit has ended, one way or another."""
        for record in self._records(unit, future):
            self._take(record)

    def _records(self, unit: Unit, future: Future[list[GameRecord]]) -> list[GameRecord]:
        """What a unit has brought; none if it failed."""
        try:
            return future.result()
        except AuditError as error:
            self._failure = AuditError(f"{error}; reproducer: {self._reproducer(error)}", error.reproducer)
            self.control.abandon()
        except (Abandoned, CancelledError):
            self._requeue(unit, "was called off")
        except (RefereeError, OSError, RuntimeError) as error:
            self._requeue(unit, f"failed: {error}")
        except Exception as error:
            if self._cluster is None:
                raise
            self._requeue(unit, f"failed: {error}")  # a lost worker is whatever its library calls it
        return []

    def _requeue(self, unit: Unit, what: str) -> None:
        """Play again what is missing of a unit, unless that has been tried often enough."""
        if self.control.finishing:
            return
        missing = tuple(game for game in unit.games if (unit.block, game) not in self._done)
        if unit.tries >= TRIES:
            self._failure = Aborted(f"block {unit.block} {what}, {TRIES} times")
            self.control.finish()
        elif missing:
            self._listener.note(f"block {unit.block} {what}; it is played again")
            self._again.append(Unit(unit.block, missing, unit.tries + 1))

    def _reproducer(self, error: AuditError) -> Path:
        path = self._journal.path.with_suffix(".audit.txt")
        path.write_text(error.reproducer, encoding="utf-8")
        return path

    def _drain(self) -> None:
        """Wait for games that were broken off, so that no process is left."""
        for future in self._running:
            future.cancel()
        deadline = time.monotonic() + LEAVE
        for future in self._running:
            while not future.done() and time.monotonic() < deadline:
                time.sleep(POLL / 10)


class Progress:
    """The sequential test of a plan, if it has one, as games come in whatever order.

    Only whole blocks count, and only those before the first block that isn't whole.
    """

    def __init__(self, plan: Plan, outcomes: list[Outcome]) -> None:
        self._sprt, self._size = plan.sprt, block_size(plan)
        self._open: dict[int, list[Outcome]] = {}
        self._next = 0
        self._means: list[float] = []
        self.state: SprtState | None = None
        for outcome in outcomes:
            self.add(outcome)

    @property
    def decided(self) -> bool:
        """True when it has a verdict."""
        return self.state is not None and self.state.verdict is not None

    def add(self, outcome: Outcome) -> None:
        """Count a game."""
        if self._sprt is None or self.decided:
            return
        self._open.setdefault(outcome.block, []).append(outcome)
        while len(self._open.get(self._next, ())) == self._size:
            games = [game for game in self._open.pop(self._next) if not game.void]
            self._next += 1
            if games:
                self._means.append(sum(map(_first_share, games)) / len(games))
        self.state = self._sprt.state(self._means, self._size)


def _first_share(outcome: Outcome) -> float:
    """The share of the first entrant, per seat it holds."""
    mine = [share for share, who in zip(outcome.shares, outcome.seating, strict=True) if who == 0]
    return sum(mine) / len(mine)
