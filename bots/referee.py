"""One game between bots, from the deal to its record. Whatever a bot does, the game goes on to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from serai.bots.guard import Answer, Guard
from serai.bots.time_control import SeatTimer, TimeControl, pass_turn
from serai.core.game_record import Event, Fault, GameRecord
from serai.core.games import load

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.search.report import Report

FAULTS_ALLOWED: Final = 3  # then the seat plays at random for the rest of the game


@dataclass(frozen=True)
class Step:
    """A decision as it was played. ``token`` is what was played, also after a fault."""

    before: Position
    after: Position
    seat: int
    token: str
    seconds: float
    report: Report | None
    fault: Fault | None


class Watcher(Protocol):
    """Who looks on. It is called from the thread that plays."""

    def begin(self, position: Position, names: Sequence[str], title: str) -> None:
        """A game starts."""

    def step(self, step: Step) -> None:
        """A decision was played."""

    def end(self, position: Position, record: GameRecord) -> None:
        """A game has ended."""


@dataclass(frozen=True)
class Conditions:
    """What all games of a match have in common."""

    control: TimeControl
    margin: float = 0.5  # seconds over the time per turn that are not yet a fault
    patience: float | None = None  # seconds for a decision, after which the bot counts as hung
    max_plies: int = 5000  # decisions; then the game is scored as it stands


@dataclass
class _Chair:
    """A seat of one game."""

    guard: Guard
    timer: SeatTimer
    faults: int = 0


@dataclass
class Game:
    """A game under way; ``play`` it once.

    ``seed`` is of the bots' random numbers and the replacement moves; the deal is in ``spec``. A seat's fault
    is replaced by a random legal move; after ``FAULTS_ALLOWED`` of them the seat plays at random to the end.
    """

    spec: str
    guards: Sequence[Guard]
    conditions: Conditions
    seed: int
    title: str = ""
    tags: dict[str, str | int] = field(default_factory=dict)
    watcher: Watcher | None = None
    should_stop: Callable[[], bool] = lambda: False

    def play(self) -> GameRecord:
        """The record of the whole game."""
        self._position = load(self.spec).start()
        self._random = Random(f"{self.seed} replacements")
        self._events = [Event(token) for token in self._position.history]
        self._faults: list[Fault] = []
        control = self.conditions.control
        self._chairs = [_Chair(guard, SeatTimer(control, self.conditions.margin)) for guard in self.guards]
        patience = self.conditions.patience
        self._patience = control.patience() if patience is None else patience
        self._begin()
        ended = self._run()
        record = self._record(ended)
        if self.watcher is not None:
            self.watcher.end(self._position, record)
        return record

    def _begin(self) -> None:
        for seat, chair in enumerate(self._chairs):
            bot = chair.guard.bot
            bot.seat, bot.random = seat, Random(f"{self.seed} seat {seat}")
            fault = chair.guard.new_game(self._patience)
            if fault is not None:
                self._fault(seat, *fault)
        if self.watcher is not None:
            self.watcher.begin(self._position, [guard.bot.name for guard in self.guards], self.title)

    def _run(self) -> str:
        last: int | None = None
        plies = 0
        while not self._position.is_over:
            if self.should_stop():
                return "stopped"
            if plies >= self.conditions.max_plies:
                return "max-plies"
            mover = self._position.mover
            pass_turn([chair.timer for chair in self._chairs], last, mover)
            self._decide(self._position.to_act)
            last, plies = mover, plies + 1
        return "over"

    def _decide(self, seat: int) -> None:
        before = self._position
        faults = len(self._faults)
        legal = before.legal_tokens()
        answer = self._answer(seat, legal)
        token = answer.token if answer.token is not None else self._random.choice(legal)
        after = before.apply(token)
        asked = answer.seconds > 0
        win = answer.report.lines[0].win if answer.report is not None and answer.report.lines else None
        self._events.append(Event(token, round(1000 * answer.seconds, 3) if asked else None, _rounded(win)))
        drawn = after.history_since(len(before.history) + 1)
        self._events += [Event(chance) for chance in drawn]
        self._position = after
        if self.watcher is not None:
            fault = self._faults[-1] if len(self._faults) > faults else None
            self.watcher.step(Step(before, after, seat, token, answer.seconds, answer.report, fault))

    def _answer(self, seat: int, legal: list[str]) -> Answer:
        """What a seat decides. One without a choice, or with too many faults, isn't asked."""
        chair = self._chairs[seat]
        if len(legal) == 1:
            return Answer(legal[0], 0.0)
        if chair.faults >= FAULTS_ALLOWED:
            return Answer(None, 0.0)
        bot = chair.guard.bot
        bot.limits = chair.timer.limits()
        bot.clocks = tuple(each.timer.left_ms for each in self._chairs)
        answer = chair.guard.choose(self._position.view(seat), legal, self._patience)
        late = chair.timer.spend(answer.seconds)
        if answer.fault is not None:
            self._fault(seat, *answer.fault)
        elif late is not None:
            self._fault(seat, "time", late)
        return answer

    def _fault(self, seat: int, kind: str, detail: str) -> None:
        chair = self._chairs[seat]
        chair.faults = FAULTS_ALLOWED if chair.guard.lost else chair.faults + 1
        self._faults.append(Fault(seat, len(self._events), kind, detail))

    def _record(self, ended: str) -> GameRecord:
        return GameRecord(
            spec=self.spec,
            seats=tuple(guard.bot.name for guard in self.guards),
            events=tuple(self._events),
            scores=tuple(self._position.scores()),
            ranks=tuple(self._position.ranks()),
            ended=ended,
            faults=tuple(self._faults),
            engine=f"Serai {metadata.version('serai')}",
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            tags=self.tags,
        )


def _rounded(win: tuple[float, ...] | None) -> tuple[float, ...] | None:
    return None if win is None else tuple(round(share, 4) for share in win)
