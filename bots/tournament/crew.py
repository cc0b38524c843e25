"""The processes behind one table: a referee and an engine for each seat, kept from block to block."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from serai.bots.tournament.game import TournamentGame
from serai.bots.tournament.plan import Plan, command_of
from serai.bots.tournament.player import Player
from serai.bots.tournament.referee import Audit, Referee
from serai.bots.tournament.schedule import Block, block_at
from serai.core.errors import SeraiError
from serai.core.game_record import GameRecord

SPARE: Final = 4  # engines that are kept though the block at hand doesn't need them
IDLE: Final = 20.0  # seconds after which a crew that has nothing to do goes home


class Abandoned(SeraiError):  # noqa: N818 - what happened, not what went wrong
    """The game was broken off because the tournament ends."""


class Control:
    """Ends games from another thread: after the one under way, or at once."""

    def __init__(self) -> None:
        self.finishing = False
        self.abandoned = False
        self._crews: weakref.WeakSet[Crew] = weakref.WeakSet()
        self._lock = threading.Lock()

    def finish(self) -> None:
        """Begin no game any more."""
        self.finishing = True

    def abandon(self) -> None:
        """End all processes now; the games under way are lost."""
        self.finishing = self.abandoned = True
        with self._lock:
            for crew in list(self._crews):
                crew.cut()

    def watch(self, crew: Crew) -> None:
        """Have a crew ended by `abandon`."""
        with self._lock:
            self._crews.add(crew)
        if self.abandoned:
            crew.cut()


class Crew:
    """Plays blocks, one after the other, in an event loop of its own; used by one thread at a time."""

    def __init__(self, plan: Plan, cores: Sequence[int] = ()) -> None:
        self.plan = plan
        self.cores = tuple(cores)
        self._runner = asyncio.Runner()
        self._referee = Referee(command_of(plan.referee), plan.patience)
        self._audit = None if plan.audit is None else Audit(command_of(plan.audit), plan.patience)
        self._players: dict[tuple[int, int], Player] = {}  # by entrant and copy, least used first
        self._cut = False

    def play(
        self, block: Block, games: Sequence[int], deliver: Callable[[GameRecord], None], control: Control
    ) -> None:
        """Play some games of a block and deliver each as it ends; stops early if the control says so.

        Raises RefereeError and AuditError, which no seat is to blame for, and Abandoned.
        """
        for game in games:
            if control.finishing:
                return
            try:
                deliver(self._runner.run(self._game(block, game)))
            except SeraiError:
                if control.abandoned:
                    raise Abandoned(f"game {game} of block {block.number} was broken off") from None
                raise

    async def _game(self, block: Block, game: int) -> GameRecord:
        players = await self._seated(block.seatings[game])
        record = await TournamentGame(self.plan, block, game, players, self._referee, self._audit).play()
        if self._cut:
            raise Abandoned("the crew was sent home")
        return record

    async def _seated(self, seating: Sequence[int]) -> list[Player]:
        """The players of a game by seat, each with a process of its own."""
        keys = [(entrant, seating[:seat].count(entrant)) for seat, entrant in enumerate(seating)]
        for key in keys:
            player = self._players.pop(key, None)
            self._players[key] = player or Player(self.plan.entrants[key[0]], self.plan, self.cores)
        if self._cut:  # the new ones don't know
            raise Abandoned("the crew was sent home")
        for key in list(self._players)[: -len(keys) - SPARE]:
            await self._players.pop(key).close()
        return [self._players[key] for key in keys]

    def cut(self) -> None:
        """End all processes at once; from any thread."""
        self._cut = True
        for member in self._members():
            member.cut()

    def close(self) -> None:
        """End all processes, politely, and the loop."""
        with suppress(SeraiError):
            self._runner.run(self._close())
        self._runner.close()

    async def _close(self) -> None:
        await asyncio.gather(*(member.close() for member in self._members()), return_exceptions=True)

    def _members(self) -> list[Player | Referee | Audit]:
        audits = [] if self._audit is None else [self._audit]
        return [*list(self._players.values()), self._referee, *audits]


class Barracks:
    """Crews that wait for their next block; those that wait in vain go home after a while."""

    def __init__(self) -> None:
        self._idle: list[Crew] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def take(self, plan: Plan, cores: Sequence[int] = ()) -> Crew:
        """A crew for a plan, from those that wait if there is one."""
        with self._lock:
            for crew in self._idle:
                if crew.plan == plan and crew.cores == tuple(cores):
                    self._idle.remove(crew)
                    return crew
        return Crew(plan, cores)

    def give(self, crew: Crew) -> None:
        """Let a crew wait."""
        with self._lock:
            self._idle.append(crew)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(IDLE, self.close)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Send all that wait home."""
        with self._lock:
            crews, self._idle = self._idle, []
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        for crew in crews:
            crew.close()


BARRACKS: Final = Barracks()
"""Of this process: a worker on another machine keeps its crews here between two blocks."""


def play_block(
    plan: Plan,
    number: int,
    games: Sequence[int],
    deliver: Callable[[GameRecord], None] | None = None,
    control: Control | None = None,
    cores: Sequence[int] = (),
) -> list[GameRecord]:
    """Play some games of a block, wherever this runs: the unit of work that executors are handed.

    Records come back when all are there, and one by one through ``deliver`` before that.
    """
    records: list[GameRecord] = []
    control = control or Control()
    crew = BARRACKS.take(plan, cores)
    control.watch(crew)
    try:
        crew.play(block_at(plan, number), games, _both(records.append, deliver), control)
    except BaseException:
        crew.cut()
        crew.close()
        raise
    BARRACKS.give(crew)
    return records


def _both(
    first: Callable[[GameRecord], None], second: Callable[[GameRecord], None] | None
) -> Callable[[GameRecord], None]:
    if second is None:
        return first

    def each(record: GameRecord) -> None:
        first(record)
        second(record)

    return each
