"""A tournament before it is played: its schedule, and about how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from serai.bots.time_control import TimeControl
from serai.bots.tournament.journal import JournalContent
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Plan
from serai.bots.tournament.schedule import block_at, block_count, block_size

TURNS: Final = 35  # of a seat in a game, as long as no game has been played
SHOWN: Final = 12  # blocks in the listing


def describe(plan: Plan, jobs: int, played: JournalContent | None) -> str:
    """The schedule and the time in words, for people."""
    count, size = block_count(plan), block_size(plan)
    done = len(played.outcomes) if played is not None else 0
    most = " at most" if plan.format == "sprt" else ""
    lines = [
        plan.describe(),
        f"{count} blocks of {size} games{most}: {count * size} games, {done} of them are there already",
        *(f"  {entrant.name}: {entrant.engine}, {entrant.control}" for entrant in plan.entrants),
        "tables:",
        *_tables(plan),
        f"the first of {count} blocks, each at its deal:",
        *_blocks(plan, min(count, SHOWN)),
        _time(plan, max(0, count * size - done), jobs, played),
    ]
    return "\n".join(lines)


def _tables(plan: Plan) -> list[str]:
    """How often each table plays; only a part of them if there are many."""
    counts = Counter(tuple(sorted(block_at(plan, n).table)) for n in range(min(block_count(plan), 10_000)))
    lines = [f"  {_named(plan, table)}: {blocks} blocks" for table, blocks in sorted(counts.items())[:SHOWN]]
    return lines + ([f"  and {len(counts) - SHOWN} more"] if len(counts) > SHOWN else [])


def _blocks(plan: Plan, count: int) -> list[str]:
    blocks = [block_at(plan, number) for number in range(count)]
    return [f"  block {block.number}: seed {block.deal}: {_named(plan, block.table)}" for block in blocks]


def _named(plan: Plan, table: Sequence[int]) -> str:
    return " ".join(plan.names[entrant] for entrant in table)


def _time(plan: Plan, games: int, jobs: int, played: JournalContent | None) -> str:
    if played is not None and played.outcomes:
        seconds, basis = _measured(played.outcomes), "as long as those played so far"
    else:
        each = [_turn(entrant.control) for entrant in plan.entrants]
        if any(seconds is None for seconds in each):
            return "time: nobody can tell how long nodes take; play a few games, then ask again"
        mean = sum(seconds or 0.0 for seconds in each) / len(each)
        seconds, basis = mean * TURNS * plan.seats, f"of {TURNS} turns a seat"
    left = timedelta(seconds=round(games * seconds / jobs))
    return f"time: about {left} for {games} games {basis}, {jobs} at a time"


def _measured(outcomes: Sequence[Outcome]) -> float:
    """Seconds a game."""
    return sum(sum(outcome.wall) for outcome in outcomes) / 1000 / len(outcomes)


def _turn(control: TimeControl) -> float | None:
    """Seconds of a turn; None if that isn't known."""
    if control.turn is not None:
        return control.turn
    if control.clock is None:
        return None
    return control.clock[0] / TURNS + control.clock[1] + control.byo
