"""Matches: N bots, many deals, every rotation of the seats, one result.

>>> from serai.bots.referee import Conditions
>>> from serai.bots.time_control import TimeControl
>>> plan = MatchPlan(("planner", "random"), games=2, conditions=Conditions(TimeControl(nodes=50)))
>>> result = Match(plan).play()
>>> result.games, result.entrants[0].name, result.entrants[0].share.mean
(2, 'planner', 1.0)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable
from typing import Final

from serai.bots.guard import Guard
from serai.bots.referee import Game, Watcher
from serai.bots.registry import make_bot
from serai.bots.schedule import MatchPlan
from serai.bots.standings import Played, Standings, played, standings
from serai.core.errors import RecordError
from serai.core.game_record import GameRecord
from serai.core.record import RecordWriter

__all__ = ["Match", "MatchPlan", "Table"]

CLOSING: Final = 5.0  # seconds that a bot may take to close


class Table:
    """The bots of a match, which sit down for game after game. Raises SetupError if one can't be made."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self._guards: list[Guard] = []
        try:
            for name in plan.entrants:
                self._guards.append(Guard(make_bot(name)))
        except BaseException:
            self.close()
            raise

    def play(
        self,
        number: int,
        watcher: Watcher | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> GameRecord:
        """Play a game of the plan."""
        plan, fixture = self.plan, self.plan.fixture(number)
        return Game(
            spec=fixture.spec,
            guards=[self._guards[entrant] for entrant in fixture.seating],
            conditions=plan.conditions,
            seed=fixture.seed,
            title=f"game {number + 1} of {plan.games}" if plan.games > 1 else "",
            tags={"match": plan.identity, "game": number, "block": fixture.block},
            watcher=watcher,
            should_stop=should_stop,
        ).play()

    def stop(self) -> None:
        """Make the bots answer soon; from another thread."""
        for guard in self._guards:
            guard.bot.stop()

    def close(self, patience: float = CLOSING) -> None:
        """Close the bots, each within so many seconds."""
        for guard in self._guards:
            guard.close(patience)


class Match:
    """Play a plan. ``results`` grows as games end, in the order in which they end.

    ``notes`` has sentences about what went wrong beside the games: processes lost, records not written.
    """

    def __init__(
        self,
        plan: MatchPlan,
        jobs: int = 1,
        watcher: Watcher | None = None,
        writer: RecordWriter | None = None,
        progress: Callable[[Match], None] = lambda match: None,
    ) -> None:
        self.plan = plan
        self.results: list[Played] = []
        self.notes: list[str] = []
        self._jobs, self._watcher, self._writer, self._progress = jobs, watcher, writer, progress
        self._stopping = False

    def stop(self) -> None:
        """Begin no further game; from a signal handler or another thread."""
        self._stopping = True

    def take(self, records: Iterable[GameRecord]) -> int:
        """Count games of this same match that were recorded earlier; they aren't played again."""
        known = {result.number for result in self.results}
        for record in records:
            number = record.tags.get("game")
            wanted = record.tags.get("match") == self.plan.identity and record.ended != "stopped"
            if wanted and isinstance(number, int) and 0 <= number < self.plan.games and number not in known:
                known.add(number)
                self.results.append(played(self.plan.fixture(number), record))
        return len(known)

    def play(self) -> Standings:
        """Play all games that aren't counted yet; the standings then.

        Raises SetupError if a bot can't be made, ValueError if it was stopped before the first game ended.
        """
        known = {result.number for result in self.results}
        numbers = [number for number in range(self.plan.games) if number not in known]
        with contextlib.closing(self._games(numbers)) as games:
            for number, record in games:
                self.results.append(played(self.plan.fixture(number), record))
                self._write(record)
                self._progress(self)
        return self.standings()

    def standings(self) -> Standings:
        """The result so far; ValueError if there is none."""
        return standings(self.plan, self.results)

    def _games(self, numbers: list[int]) -> Generator[tuple[int, GameRecord], None, None]:
        return self._in_processes(numbers) if self._jobs > 1 else self._here(numbers)

    def _here(self, numbers: list[int]) -> Generator[tuple[int, GameRecord], None, None]:
        table = Table(self.plan)
        try:
            for number in numbers:
                if self._stopping:
                    return
                yield number, table.play(number, self._watcher)
        finally:
            table.close()

    def _in_processes(self, numbers: list[int]) -> Generator[tuple[int, GameRecord], None, None]:
        from serai.bots.pool import Pool

        pool = Pool(self.plan, self._jobs)
        try:
            yield from pool.play(numbers, lambda: self._stopping)
        finally:
            pool.close()
            self.notes += pool.lost

    def _write(self, record: GameRecord) -> None:
        if self._writer is None:
            return
        try:
            self._writer.write(record)
        except RecordError as error:
            self.notes.append(f"no further game was recorded: {error}")
            self._writer = None
