"""May a network take the place of the best so far? A sequential test at each number of seats decides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serai.bots.schedule import seed_from
from serai.bots.time_control import TimeControl
from serai.bots.tournament import preflight
from serai.bots.tournament.journal import Journal, read_journal
from serai.bots.tournament.manager import Manager, Progress
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.schedule import block_count, block_size
from serai.bots.tournament.sprt import Sprt, share_of_elo
from serai.bots.training.plan import TrainingPlan
from serai.core.errors import RecordError
from serai.core.game_record import GameRecord

HAND_MADE: Final = "hand-made"
NO_NETWORK: Final = "none"  # the value of EvalFile
Told = Callable[[int, str], None]


@dataclass(frozen=True)
class Match:
    """The games at one number of seats. ``share``: of the wins a seat, ``par`` if both are equally strong."""

    seats: int
    opponent: str
    games: int
    share: float
    par: float
    llr: float
    verdict: str | None


def accepts(matches: list[Match]) -> bool:
    """All matches together speak for the candidate, and none by itself against it."""
    return sum(match.llr for match in matches) > 0 and all(match.verdict != "H0" for match in matches)


def match_plan(
    plan: TrainingPlan, generation: int, seats: int, candidate: Path, best: tuple[str, Path] | None
) -> Plan:
    """The tournament of a gate. ``best``: name and file of the network so far; None: there is none."""
    nodes = plan.gate_nodes if best else round(plan.gate_nodes * plan.handicap)
    other, file = best if best else (HAND_MADE, None)
    variant = plan.set_ups(seats)[0].variant
    entrants = (
        _entrant(f"generation {generation + 1}", str(candidate), plan.gate_nodes),
        _entrant(other, NO_NETWORK if file is None else str(file), nodes),
    )
    return Plan(
        entrants,
        game=plan.game if variant == "base" else f"{plan.game};variant={variant}",
        seats=seats,
        format="sprt",
        games=plan.gate_games,
        seed=seed_from(plan.seed, "gate", generation, seats),
        trusted=True,
        sprt=Sprt(1 / seats, share_of_elo(plan.gate_elo, seats)),
    )


def _entrant(name: str, file: str, nodes: int) -> Entrant:
    options = (("EvalFile", file), ("Hash", "16"))
    return Entrant(name, "serai", options, TimeControl(turn=None, nodes=nodes))


def games_of(match: Plan) -> int:
    """How many games a gate has at most: whole blocks."""
    return block_count(match) * block_size(match)


def games_before(match: Plan, journal: Path) -> int:
    """How many of them are in a journal."""
    return len(_before(match, journal))


def play(match: Plan, journal: Path, jobs: int, told: Told) -> Match:
    """Play what a journal lacks of a gate; ``told`` hears of its games so far, and of the test."""
    before = _before(match, journal)
    preflight.make_room(match, jobs)
    listener = _Listener(Progress(match, list(before)), len(before), told)
    if not listener.progress.decided:
        engines = asyncio.run(preflight.inspect(match))
        book = Journal(journal, match, engines)
        try:
            Manager(match, book, before, listener, jobs).run()
        finally:
            book.close()
    return _result(match, read_journal(journal).outcomes)


def _before(match: Plan, journal: Path) -> list[Outcome]:
    """The games that were played already; a journal of another match is thrown away."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    if not journal.exists() or not journal.stat().st_size:
        return []
    try:
        content = read_journal(journal)
        if content.plan.identity == match.identity:
            return content.outcomes
    except RecordError:
        pass
    journal.unlink()
    return []


def _result(match: Plan, outcomes: list[Outcome]) -> Match:
    progress = Progress(match, outcomes)
    assert progress.state is not None  # the plan has a test
    state, par = progress.state, 1 / match.seats
    games = state.blocks * match.seats
    return Match(match.seats, match.names[1], games, state.mean, par, state.llr, state.verdict)


class _Listener:
    """Passes on how a gate goes."""

    def __init__(self, progress: Progress, games: int, told: Told) -> None:
        self.progress, self._games, self._told = progress, games, told

    def finished(self, outcome: Outcome, record: GameRecord) -> None:
        """A game has ended."""
        self.progress.add(outcome)
        self._games += 1
        state = self.progress.state
        text = ""
        if state is not None and state.blocks:
            text = f"share {state.mean:.3f}, LLR {state.llr:+.2f} ({state.lower:.2f} … {state.upper:.2f})"
        self._told(self._games, text)

    def playing(self, job: int, text: str | None) -> None:
        """Nothing to tell."""

    def note(self, text: str) -> None:
        """A block is played again: the journal has it."""
