"""A tournament of fake engines in one call, and a look at what it has left behind."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from serai.bots.time_control import TimeControl
from serai.bots.tournament import preflight
from serai.bots.tournament.journal import Journal, JournalContent, read_journal
from serai.bots.tournament.manager import Manager
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Entrant, Plan
from serai.core.game_record import GameRecord

FAKE = Path(__file__).parent / "engines" / "fake.py"
QUICK = TimeControl(turn=0.1)
WAIT = 10.0  # seconds for processes to disappear


def command(way: str, *keys: str) -> str:
    """The command line of a fake engine."""
    return " ".join([sys.executable, "-ES", str(FAKE), way, *keys])


def entrant(name: str, way: str = "", *keys: str, control: TimeControl = QUICK) -> Entrant:
    """A fake engine that takes part; by default one whose name is its way."""
    return Entrant(name, f"cmd:{command(way or name, *keys)}", control=control)


def make_plan(*entrants: Entrant, **settings: Any) -> Plan:
    """A short tournament that doesn't wait for long."""
    given = {"games": 1, "max_plies": 16, "margin": 0.6, "patience": 3.0, **settings}
    return Plan(entrants, **given)


@dataclass
class Heard:
    """A listener that remembers."""

    games: list[tuple[Outcome, GameRecord]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    marker: str = ""  # of the processes to watch
    processes: int = 0  # the most of them at a time
    descriptors: int = 0  # the most that one of them had open
    last: int | None = None  # games after which it is enough
    manager: Manager | None = None

    def finished(self, outcome: Outcome, record: GameRecord) -> None:
        self.games.append((outcome, record))
        if self.marker:
            seen = marked(self.marker)
            self.processes = max(self.processes, len(seen))
            self.descriptors = max(self.descriptors, *map(_descriptors, seen))
        if self.manager is not None and len(self.games) == self.last:
            self.manager.control.finish()

    def playing(self, job: int, text: str | None) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


@dataclass(frozen=True)
class Played:
    """A tournament that has ended."""

    plan: Plan
    content: JournalContent
    heard: Heard
    seconds: float

    def games_of(self, name: str) -> list[tuple[Outcome, GameRecord]]:
        """The games in which an entrant played."""
        games = zip(self.content.outcomes, self.content.records, strict=True)
        return [(outcome, record) for outcome, record in games if name in record.seats]

    def faults_of(self, name: str) -> list[str]:
        """The kinds of its faults."""
        return [
            fault.kind
            for _, record in self.games_of(name)
            for fault in record.faults
            if record.seats[fault.seat] == name
        ]


def play(
    path: Path,
    plan: Plan,
    jobs: int = 2,
    heard: Heard | None = None,
    ready: Callable[[], None] = lambda: None,
) -> Played:
    """Play what the journal lacks of a tournament, until its end or until enough is heard.

    ``ready`` is called between the look at the engines and the first game.
    """
    began = time.monotonic()
    engines = asyncio.run(preflight.inspect(plan))
    ready()
    before = read_journal(path).outcomes if path.exists() else []
    heard = heard or Heard()
    journal = Journal(path, plan, engines)
    with contextlib.closing(journal):
        manager = heard.manager = Manager(plan, journal, before, heard, jobs)
        manager.run()
    return Played(plan, read_journal(path), heard, time.monotonic() - began)


def marked(marker: str) -> list[psutil.Process]:
    """The processes that have a word in their command line; zombies of ours count, they have none."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            if marker in process.cmdline():
                found.append(process)
    return found


def left_behind(marker: str, seconds: float = WAIT) -> list[str]:
    """The marked processes, and children of ours, that are still there after a while; they are ended then."""
    deadline = time.monotonic() + seconds
    while (left := [*marked(marker), *_children()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [word for process in left for word in _ended(process)]


def _descriptors(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.NoSuchProcess):
        return int(process.num_fds())
    return 0


def _children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def _ended(process: psutil.Process) -> Iterator[str]:
    with contextlib.suppress(psutil.NoSuchProcess):
        yield f"{process.pid} {process.status()} {' '.join(process.cmdline())}"
        process.kill()
