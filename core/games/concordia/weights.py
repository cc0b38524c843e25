"""The weights of the evaluation of Concordia. Never for rules."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from serai.core.weights import Weights, read_weights

SHIPPED = Path(__file__).with_name("evaluation.toml")


@lru_cache(maxsize=1)
def load_weights() -> dict[int, Weights]:
    """The shipped weights by number of seats; the stage is how far the game has gone."""
    return read_weights(SHIPPED)
