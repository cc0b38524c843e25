"""Is the network in integers the one that was learned? The evaluator itself is asked, on games of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from serai.bots.training.plan import TrainingPlan
from serai.bots.training.selfplay import Sample, Table, play_game
from serai.core.errors import NetworkError
from serai.core.network import Network, units
from serai.search import Planner
from serai.search.learn import Samples, Trainer

GAMES: Final = 10  # of each number of seats
ROUNDING: Final = 0.01  # of entropy that the integers may lose
AGREEMENT: Final = 0.003  # between the evaluator and the same integers as floats


@dataclass(frozen=True)
class Checked:
    """Cross entropies of the win shares on games that nobody learned from."""

    positions: int
    floats: float
    integers: float  # of the same network, in floats that the integers mean
    evaluator: float  # as the search computes it
    hand_made: float  # of the game's own evaluation


def check(plan: TrainingPlan, trainer: Trainer, network: Network) -> Checked:
    """Compare; raises NetworkError if the network to be shipped isn't the one that was learned."""
    table = Table(None)
    games = [(seats, -1 - number) for seats in plan.seats for number in range(GAMES)]
    played = [sample for seats, number in games for sample in play_game(plan, seats, number, table, False)]
    samples = Samples()
    for sample in played:
        samples.add(sample.position, sample.win, sample.points, 0)
    places = np.arange(len(samples), dtype=np.int32)
    rounded = Trainer(trainer.players, trainer.table)
    rounded.load_state({**rounded.state(), "weights": in_floats(trainer.arrays())})
    planner = Planner(1, 1)
    found = Checked(
        positions=len(played),
        floats=trainer.loss(samples, places)[0],
        integers=rounded.loss(samples, places)[0],
        evaluator=entropy(played, (network.judge(sample.position)[0] for sample in played)),
        hand_made=entropy(played, (planner.plan(sample.position).lines[0].win for sample in played)),
    )
    _demand("rounding changes the loss", found.integers - found.floats, ROUNDING)
    _demand("the evaluator differs from what was learned", found.evaluator - found.integers, AGREEMENT)
    return found


def in_floats(arrays: dict[str, Any]) -> NDArray[np.float32]:
    """The weights of a trainer that a network's integers mean."""
    unit, head, points = (units()[name] for name in ("unit", "head_unit", "points_unit"))
    parts = [arrays[name].astype(np.float64).reshape(-1) / unit for name in ("players", "table", "bias")]
    for name, scale in (("win", head), ("points", points)):
        parts.append(arrays[f"{name}_head"].astype(np.float64) / scale)
        parts.append(np.array([arrays[f"{name}_bias"] / (unit * scale)]))
    return np.concatenate(parts).astype(np.float32)


def entropy(played: Sequence[Sample], said: Iterable[tuple[float, ...]]) -> float:
    """Mean cross entropy of what was said about positions to what came of them."""
    total = 0.0
    for sample, shares in zip(played, said, strict=True):
        total -= sum(
            truth * math.log(max(share, 1e-9)) for truth, share in zip(sample.win, shares, strict=True)
        )
    return total / max(1, len(played))


def _demand(what: str, off: float, limit: float) -> None:
    if not abs(off) <= limit:
        raise NetworkError(f"the network is no good in integers: {what} by {off:.4f}, more than {limit}")
