"""What of a game doesn't depend on the clock, so that tournaments can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from serai.core.game_record import GameRecord


def story(record: GameRecord) -> dict[str, Any]:
    """All of a record but times and dates."""
    events = tuple((event.token, event.win) for event in record.events)
    return {**vars(record), "events": events, "date": ""}


def stories(records: Iterable[GameRecord]) -> list[dict[str, Any]]:
    """The same of many, by block and game."""
    order = sorted(records, key=lambda record: (int(record.tags["block"]), int(record.tags["game"])))
    return list(map(story, order))
