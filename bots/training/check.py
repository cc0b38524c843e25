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
from serai.search.learn import Trainer
from serai.search.samples import Samples

GAMES: Final = 10  # of each number of seats
LAYER: Final = ("players", "table", "bias")  # parts of a first layer
ROUNDING: Final = 0.01  # of entropy that the integers may lose
AGREEMENT: Final = 0.003  # between the evaluator and the same integers as floats
POINTS: Final = 0.1  # points of mean error, between any two of the three


@dataclass(frozen=True)
class Checked:
    """Cross entropies of the win shares on games that nobody learned from, and of the choices there.

    ``points…``: how far off the foretold points are, in the mean.
    """

    positions: int
    floats: float
    integers: float  # of the same network, in floats that the integers mean
    evaluator: float  # as the search computes it
    hand_made: float  # of the game's own evaluation
    choice_floats: float  # the same of what strong players chose there
    choice_integers: float
    choice_evaluator: float
    points_floats: float
    points_integers: float
    points_evaluator: float


def check(plan: TrainingPlan, trainer: Trainer, network: Network) -> Checked:
    """Compare; raises NetworkError if the network to be shipped isn't the one that was learned."""
    table = Table(None)
    games = [(seats, -1 - number) for seats in plan.seats for number in range(GAMES)]
    played = [sample for seats, number in games for sample in play_game(plan, seats, number, table, False)]
    samples = Samples()
    for sample in played:
        samples.add(sample.position, sample.win, sample.points, 0, sample.chosen)
    places = np.arange(len(samples), dtype=np.int32)
    rounded = Trainer(trainer.players, trainer.table, trainer.options)
    rounded.load_state({**rounded.state(), "weights": in_floats(trainer.arrays())})
    planner = Planner(1, 1)
    judged = [network.judge(sample.position) for sample in played]
    learned, integers = trainer.loss(samples, places), rounded.loss(samples, places)
    found = Checked(
        positions=len(played),
        floats=learned["entropy"],
        integers=integers["entropy"],
        evaluator=entropy(played, (win for win, _ in judged)),
        hand_made=entropy(played, (planner.plan(sample.position).lines[0].win for sample in played)),
        choice_floats=learned["choice"],
        choice_integers=integers["choice"],
        choice_evaluator=surprise(network, played),
        points_floats=learned["points"],
        points_integers=integers["points"],
        points_evaluator=points_off(played, [points for _, points in judged]),
    )
    _demand("rounding changes the loss", found.integers - found.floats, ROUNDING)
    _demand("rounding changes the loss of choices", found.choice_integers - found.choice_floats, ROUNDING)
    _demand(
        "the evaluator's choices differ from what was learned",
        found.choice_evaluator - found.choice_integers,
        AGREEMENT,
    )
    _demand("the evaluator differs from what was learned", found.evaluator - found.integers, AGREEMENT)
    _demand("rounding changes the points", found.points_integers - found.points_floats, POINTS)
    _demand("the evaluator's points differ", found.points_evaluator - found.points_integers, POINTS)
    return found


def in_floats(arrays: dict[str, Any]) -> NDArray[np.float32]:
    """The weights of a trainer that a network's integers mean."""
    unit, head, points = (units()[name] for name in ("unit", "head_unit", "points_unit"))
    scales = {name: unit for name in (*LAYER, *(f"choice_{name}" for name in LAYER))}
    scales |= {"win_head": head, "win_bias": unit * head, "points_head": points, "points_bias": unit * points}
    scales |= {"traits": head, "trait_bias": unit * head}
    order = (
        *LAYER,
        *("win_head", "win_bias", "points_head", "points_bias"),
        *(f"choice_{name}" for name in LAYER),
        *("traits", "trait_bias"),
    )
    parts = [np.asarray(arrays[name], np.float64).reshape(-1) / scales[name] for name in order]
    return np.concatenate(parts).astype(np.float32)


def surprise(network: Network, played: Sequence[Sample]) -> float:
    """Mean cross entropy of what was chosen to the network's preferences, where there was a choice."""
    total, count = 0.0, 0
    for sample in played:
        likely = {} if sample.chosen is None else network.prefer(sample.position)
        if len(likely) > 1 and sample.chosen in likely:
            total -= math.log(max(likely[sample.chosen], 1e-9))
            count += 1
    return total / max(1, count)


def entropy(played: Sequence[Sample], said: Iterable[tuple[float, ...]]) -> float:
    """Mean cross entropy of what was said about positions to what came of them."""
    total = 0.0
    for sample, shares in zip(played, said, strict=True):
        total -= sum(
            truth * math.log(max(share, 1e-9)) for truth, share in zip(sample.win, shares, strict=True)
        )
    return total / max(1, len(played))


def points_off(played: Sequence[Sample], said: Sequence[tuple[float, ...]]) -> float:
    """Mean error of what was said about the final points."""
    total = 0.0
    for sample, points in zip(played, said, strict=True):
        total += sum(abs(a - b) for a, b in zip(sample.points, points, strict=True)) / len(points)
    return total / max(1, len(played))


def _demand(what: str, off: float, limit: float) -> None:
    if not abs(off) <= limit:
        raise NetworkError(f"the network is no good in integers: {what} by {off:.4f}, more than {limit}")
