"""The weights of a game's evaluation, as fitted. Never for rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Weights:
    """Rows by stage of the game, columns by the features named in the file."""

    win: tuple[tuple[float, ...], ...]
    score: tuple[tuple[float, ...], ...]


def read_weights(path: Path) -> dict[int, Weights]:
    """The weights of a file by number of seats."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = {n: data[f"seats_{n}"] for n in (2, 3, 4, 5)}
    return {n: Weights(_rows(table["win"]), _rows(table["score"])) for n, table in tables.items()}


def _rows(rows: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)
