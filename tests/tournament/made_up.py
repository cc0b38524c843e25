"""Tournaments that were never played, with entrants of known strength; equal arguments make equal games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from serai.bots.tournament.journal import Journal
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.schedule import blocks
from serai.core.game_record import Event, Fault, GameRecord

HOSTILE = (
    "<script>alert(1)</script>",
    "[red]bold[/red]",
    "$x_1^2$ \\frac",
    "two\nlines\x1b[31m\x00",
    "long" * 2500,
    "שחמט עם ‮ היפוך",
    "🂡🎲👩‍👩‍👧 日本語の名前です",
    '=HYPERLINK("x")&"\'',
)


def outcomes(entrants: int, blocks: int, seats: int = 3, seed: int = 1, faulty: int = -1) -> list[Outcome]:
    """Blocks of all rotations of a table. The first entrants are the best; ``faulty`` faults at times."""
    random = Random(seed)
    return [
        game
        for block in range(blocks)
        for game in _block(random, block, random.sample(range(entrants), seats), faulty)
    ]


def _block(random: Random, block: int, table: Sequence[int], faulty: int) -> list[Outcome]:
    seats = len(table)
    rotations = [tuple(table[(seat + turn) % seats] for seat in range(seats)) for turn in range(seats)]
    return [_game(random, block, game, seating, faulty) for game, seating in enumerate(rotations)]


def _game(random: Random, block: int, game: int, seating: tuple[int, ...], faulty: int) -> Outcome:
    scores = tuple(
        round(random.gauss(60 - 3 * entrant + 2 * (not seat), 10)) for seat, entrant in enumerate(seating)
    )
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    best, turns = ranks.count(1), random.randint(15, 25)
    slow = [turns * 20.0 * 3 ** (entrant % 5) * math.exp(random.gauss(0, 0.3)) for entrant in seating]
    late = [
        (seat, "time") for seat, entrant in enumerate(seating) if entrant == faulty and random.random() < 0.2
    ]
    return Outcome(
        block=block,
        game=game,
        seating=seating,
        scores=scores,
        ranks=ranks,
        shares=tuple(1 / best if rank == 1 else 0.0 for rank in ranks),
        turns=(turns,) * len(seating),
        decisions=(turns,) * len(seating),
        wall=tuple(slow),
        own=tuple(ms - 3 for ms in slow),
        faults=tuple(late),
    )


# ---- and as files


def plan(names: Sequence[str] = ("strong", "middling", "weak"), games: int = 60, **more: Any) -> Plan:
    """A tournament of entrants that nobody starts."""
    entrants = tuple(Entrant(name, "cmd:/nowhere/engine --of-no-use") for name in names)
    return Plan(entrants, "tokens", seats=2, format="mixed", games=games, **more)


def write_journal(path: Path, plan: Plan, faulty: int = -1) -> list[GameRecord]:
    """A journal of games that were never played, and its records."""
    engines = [{"name": name, "id": f"{name} <1.0>", "path": "/nowhere/engine"} for name in plan.names]
    journal, random, records = Journal(path, plan, engines), Random(plan.seed), []
    for block in blocks(plan):
        for game, seating in enumerate(block.seatings):
            records.append(_record(plan, random, (block.number, game), seating, faulty))
            journal.write(records[-1])
    journal.close()
    return records


def _record(
    plan: Plan, random: Random, place: tuple[int, int], seating: Sequence[int], faulty: int
) -> GameRecord:
    scores = tuple(round(random.gauss(20 - 2 * entrant, 5)) for entrant in seating)
    late = [Fault(seat, 0, "time", "0.7 s late") for seat, entrant in enumerate(seating) if entrant == faulty]
    return GameRecord(
        spec="tokens;players=2",
        seats=tuple(plan.names[entrant] for entrant in seating),
        events=(Event("~deal=p1:8,8"), Event("add=2", 12.5, None, 10.0), Event("add=1", 7.0)),
        scores=scores,
        ranks=tuple(1 + sum(other > score for other in scores) for score in scores),
        faults=tuple(late),
        date="2026-01-01T00:00:00+00:00",
        tags={"tournament": plan.identity, "block": place[0], "game": place[1], "movers": "01"},
    )
