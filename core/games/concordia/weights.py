"""The weights of the evaluation of Concordia. Never for rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

SHIPPED = Path(__file__).with_name("evaluation.toml")


@dataclass(frozen=True)
class Weights:
    """Rows by stage of the game, columns by the features named in evaluation.toml."""

    win: tuple[tuple[float, ...], ...]
    score: tuple[tuple[float, ...], ...]


@lru_cache(maxsize=1)
def load_weights() -> dict[int, Weights]:
    """The shipped weights by number of seats."""
    return read_weights(SHIPPED)


def read_weights(path: Path) -> dict[int, Weights]:
    """The weights of a file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = {n: data[f"seats_{n}"] for n in (2, 3, 4, 5)}
    return {n: Weights(_rows(table["win"]), _rows(table["score"])) for n, table in tables.items()}


def _rows(rows: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)
