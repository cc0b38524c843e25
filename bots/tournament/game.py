"""One game of a tournament, from the deal to its record, by lines of the protocol alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from random import Random
from typing import Final

from serai.bots.schedule import seed_from
from serai.bots.time_control import SeatTimer, pass_turn
from serai.bots.tournament.plan import Plan
from serai.bots.tournament.player import Choice, Player
from serai.bots.tournament.referee import Audit, Referee, RefereeError, Situation
from serai.bots.tournament.schedule import Block
from serai.core.game_record import Event, Fault, GameRecord
from serai.protocol.client import Limit

FAULTS_ALLOWED: Final = 3  # in a game; then the seat's moves are drawn to the end of it
GIVEN_UP: Final = frozenset({"hung"})  # one such fault is enough: each costs everybody a deadline
LATE_TAIL: Final = 2000  # characters of stderr with a seat's later faults


@dataclass
class Chair:
    """A seat of one game."""

    player: Player
    timer: SeatTimer
    faults: int = 0
    lost: bool = False  # is asked no more


@dataclass
class TournamentGame:
    """A game under way; ``play`` it once. ``number``: within its block.

    A seat with a fault has its move drawn from the legal ones, by numbers that depend on the game and the
    place in it alone, so that the same faults make the same game.
    """

    plan: Plan
    block: Block
    number: int
    players: Sequence[Player]  # by seat
    referee: Referee
    audit: Audit | None = None
    _decisions: list[Event] = field(default_factory=list)
    _movers: list[int] = field(default_factory=list)  # who made each decision
    _turns: list[int] = field(default_factory=list)  # ... and in whose turn
    _faults: list[tuple[int, int, str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        plan = self.plan
        self._bare = f"{plan.game};players={plan.seats}"
        self._line = f"position fen {self._bare};seed={self.block.deal}"
        self._seed = seed_from(plan.seed, "game", self.block.number, self.number)
        self._chairs = [
            Chair(player, SeatTimer(player.entrant.control, plan.margin)) for player in self.players
        ]

    async def play(self) -> GameRecord:
        """The record of the whole game. Raises RefereeError or AuditError; a seat's faults are in it."""
        for seat, chair in enumerate(self._chairs):
            fault = await chair.player.sit(seed_from(self._seed, "seat", seat))
            if fault is not None:
                self._fault(seat, *fault)
        ended = await self._run()
        for chair in self._chairs:
            await chair.player.rest()
        return await self._record(ended)

    async def _run(self) -> str:
        last: int | None = None
        while True:
            if self.audit is not None:
                await self.audit.check(self.referee, self._line, self._bare, self.plan.seats)
            situation = await self.referee.situation(self._line)
            if situation.seat is None or situation.mover is None:
                return "over"
            if max(situation.seat, situation.mover) >= self.plan.seats:
                named = f"p{max(situation.seat, situation.mover) + 1}"
                raise RefereeError(f"the referee says that it is {named}'s turn, of {self.plan.seats} seats")
            if len(self._decisions) >= self.plan.max_plies:
                return "max-plies"
            pass_turn([chair.timer for chair in self._chairs], last, situation.mover)
            self._turns.append(situation.mover)
            await self._decide(situation.seat, situation)
            last = situation.mover

    async def _decide(self, seat: int, situation: Situation) -> None:
        chair = self._chairs[seat]
        if len(situation.legal) == 1:
            self._play(seat, Event(situation.legal[0]))
        elif chair.lost:
            self._play(seat, Event(self._drawn(situation)))
        else:
            choice = await self._ask(seat, situation)
            move = choice.move or self._drawn(situation)
            own = None if choice.own is None else round(1000 * choice.own, 3)
            win = choice.win if choice.win is not None and len(choice.win) == self.plan.seats else None
            self._play(seat, Event(move, round(1000 * choice.seconds, 3), win, own))
            await self._think_ahead(seat, choice)

    def _play(self, seat: int, event: Event) -> None:
        self._line += f" {event.token}" if self._decisions else f" moves {event.token}"
        self._decisions.append(event)
        self._movers.append(seat)

    def _drawn(self, situation: Situation) -> str:
        return Random(f"{self._seed} {len(self._decisions)}").choice(situation.legal)

    async def _ask(self, seat: int, situation: Situation) -> Choice:
        chair = self._chairs[seat]
        line = self._line if self.plan.trusted else await self.referee.view(self._line, seat)
        choice = await chair.player.choose(line, seat, self._limit(seat), situation.legal)
        late = chair.timer.spend(choice.seconds)
        if choice.fault is not None:
            self._fault(seat, *choice.fault)
        elif late is not None:
            self._fault(seat, "time", f"{late}; load {_load()}")
        return choice

    def _limit(self, seat: int, timer: SeatTimer | None = None) -> Limit:
        """What a seat may use, by its timer or another one, and what is left to the others on the clock."""
        timers = [chair.timer for chair in self._chairs]
        timers[seat] = timer or timers[seat]
        limits = timers[seat].limits()
        time = None if limits.movetime is None else limits.movetime / 1000
        if limits.clock is None:
            return Limit(time=time, nodes=limits.nodes)
        controls = [chair.player.entrant.control for chair in self._chairs]
        return Limit(
            time=time,
            clocks=[each.left_ms / 1000 if each.left else 0.0 for each in timers],
            incs=[0.0 if control.clock is None else control.clock[1] for control in controls],
            byos=[control.byo for control in controls],
        )

    async def _think_ahead(self, seat: int, choice: Choice) -> None:
        """Have the seat ponder, if its engine says what another will do, and then it decides again."""
        player, timer = self._chairs[seat].player, self._chairs[seat].timer
        if player.entrant not in self.plan.pondering or choice.ponder is None:
            return
        if (await self.referee.situation(self._line)).seat == seat:  # it is asked at once
            return
        foreseen = await self.referee.foresee(self._line, choice.ponder, seat)
        if foreseen is not None:
            view, situation = foreseen
            line = f"{self._line} {choice.ponder}" if self.plan.trusted else view
            await player.ponder(line, seat, self._limit(seat, timer.next_turn(situation.mover == seat)))

    def _fault(self, seat: int, kind: str, detail: str) -> None:
        chair = self._chairs[seat]
        chair.faults += 1
        chair.lost = kind in GIVEN_UP or chair.faults >= FAULTS_ALLOWED
        said = chair.player.stderr if kind in ("hung", "crash") else ""
        kept = said if chair.faults == 1 else said[-LATE_TAIL:]
        self._faults.append((seat, len(self._decisions), kind, detail, kept))

    async def _record(self, ended: str) -> GameRecord:
        ending = await self.referee.ending(self._line, self.plan.seats)
        events, places = self._merged(ending.events)
        return GameRecord(
            spec=f"{self._bare};seed={self.block.deal}",
            seats=tuple(player.entrant.name for player in self.players),
            events=events,
            scores=ending.scores,
            ranks=ending.ranks,
            ended=ended,
            faults=tuple(Fault(s, places[at], kind, text, said) for s, at, kind, text, said in self._faults),
            engine=f"Serai {metadata.version('serai')}",
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            tags=self._tags(),
        )

    def _tags(self) -> dict[str, str | int]:
        """Where the game belongs; a digit for each decision: who made it, in whose turn if that differs."""
        movers, turns = "".join(map(str, self._movers)), "".join(map(str, self._turns))
        return {
            "tournament": self.plan.identity,
            "block": self.block.number,
            "game": self.number,
            "movers": movers,
            **({"turns": turns} if turns != movers else {}),
        }

    def _merged(self, history: Sequence[str]) -> tuple[tuple[Event, ...], list[int]]:
        """All events, and the place of each decision among them (one more: the end).

        A history is the decisions in their order and chance events between them; one that isn't (a referee
        that lists no chance) leaves the decisions alone.
        """
        decisions = iter(self._decisions)
        told = [token for token in history if not token.startswith("~")]
        if [token.rpartition(":")[2] for token in told] != [event.token for event in self._decisions]:
            history = [event.token for event in self._decisions]
        events = [Event(token) if token.startswith("~") else next(decisions) for token in history]
        places = [i for i, event in enumerate(events) if not event.token.startswith("~")]
        return tuple(events), [*places, len(events)]


def _load() -> str:
    """How busy the machine is: who lost the time is otherwise anybody's guess."""
    if not hasattr(os, "getloadavg"):
        return "unknown"
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
