"""A tournament that nobody played, its games, and journals of them, whole or not."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from serai.bots.time_control import TimeControl
from serai.bots.tournament.journal import Journal, JournalContent
from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.schedule import block_at, blocks
from serai.core.game_record import Event, GameRecord
from serai.core.record import encode

NAMES = ("strong", "middling", "weak")
CONTROL = TimeControl(nodes=5)
PLAN = Plan(
    tuple(Entrant(name, "cmd:/nowhere/engine", control=CONTROL) for name in NAMES),
    "tokens",
    seats=2,
    games=12,
)
ENGINES = [{"name": name, "id": f"{name} 1.0"} for name in NAMES]
EVENTS = (Event("~deal=p1:8,8"), Event("add=2", 12.5, (0.5, 0.5), 10.0), Event("add=1", 7.0), Event("add=3"))


def record(block: int, game: int, plan: Plan = PLAN, **changes: Any) -> GameRecord:
    seating = block_at(plan, block).seatings[game]
    made = GameRecord(
        spec=f"tokens;players=2;seed={block_at(plan, block).deal}",
        seats=tuple(plan.names[entrant] for entrant in seating),
        events=EVENTS,
        scores=(9, 4),
        ranks=(1, 2),
        date="2026-01-01T00:00:00+00:00",
        tags={"tournament": plan.identity, "block": block, "game": game, "movers": "011"},
    )
    return dataclasses.replace(made, **changes)


def every(plan: Plan = PLAN) -> list[GameRecord]:
    return [record(block.number, game, plan) for block in blocks(plan) for game in range(block.size)]


def write(path: Path, records: Iterable[GameRecord], plan: Plan = PLAN) -> None:
    with contextlib.closing(Journal(path, plan, ENGINES)) as journal:
        for each in records:
            journal.write(each)


def append(path: Path, *data: GameRecord | dict[str, Any]) -> None:
    with path.open("ab") as file:
        for each in data:
            file.write(encode(each))


def same_games(content: JournalContent, records: list[GameRecord]) -> bool:
    return content.records == records
