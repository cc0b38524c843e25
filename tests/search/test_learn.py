"""The trainer: right gradients, repeatable, and what it learns is what the evaluator then says."""

from __future__ import annotations

import random

import numpy as np
import pytest

from serai.core import load
from serai.core.network import Network, feature_lists
from serai.search.learn import Samples, Trainer


def played(seats: int, games: int, seed: int = 1) -> Samples:
    """Positions of random games; the target is something a network can see: who has most points and cubes."""
    samples, rng = Samples(), random.Random(seed)
    for game in range(games):
        position = load(f"spice_road;players={seats};seed={rng.getrandbits(40)}").start()
        for _ in range(80):
            if position.is_over:
                break
            _, points = valued(position)
            best = points.index(max(points))
            samples.add(position, [float(seat == best) for seat in range(seats)], points, game)
            position = position.apply(rng.choice(position.legal_tokens()))
    return samples


def valued(position: object) -> tuple[int, list[float]]:
    state = position.state()  # type: ignore[attr-defined]
    scores = position.scores()  # type: ignore[attr-defined]
    points = [
        float(score + 2 * len(player["caravan"]))
        for score, player in zip(scores, state["players"], strict=True)
    ]
    return sum(scores), points


@pytest.fixture(scope="module")
def samples() -> Samples:
    whole = Samples()
    for seats in (2, 3, 5):
        whole.add_data(played(seats, 6).to_data())
    return whole


def trainer(seed: int = 3) -> Trainer:
    game = load("spice_road;players=2")
    return Trainer(game.player_features, game.table_features, seed)


def everything(samples: Samples) -> np.ndarray:
    return np.arange(len(samples), dtype=np.int32)


def test_samples_hold_the_features_of_their_positions() -> None:
    position = load("spice_road;players=3;seed=4").start()
    samples = Samples()
    samples.add(position, [1, 0, 0], [80, 70, 60], 5)
    data = samples.to_data()
    table, players = feature_lists(position)
    ends = data["ends"][0]
    assert data["features"][: ends[0]].tolist() == table
    assert [data["features"][ends[i] : ends[i + 1]].tolist() for i in range(3)] == players
    assert ends[3:].tolist() == [len(data["features"])] * 4
    assert (data["seats"][0], data["game"][0], data["win"][0][0], data["points"][0][2]) == (3, 5, 1, 60)


def test_joined_samples_are_those_of_both_in_order(samples: Samples) -> None:
    twice = Samples()
    twice.add_data(samples.to_data())
    twice.add(load("spice_road;players=2;seed=4").start(), [1, 0], [1, 2], 7)
    twice.add_data(samples.to_data())
    data, once = twice.to_data(), samples.to_data()
    assert len(twice) == 2 * len(samples) + 1
    for name, values in once.items():
        assert (data[name][: len(values)] == values).all()
        assert (data[name][-len(values) :] == values).all()


def test_it_learns_what_can_be_seen(samples: Samples) -> None:
    learner, order = trainer(), everything(samples)
    before = learner.loss(samples, order)
    for _ in range(30):
        learner.epoch(samples, order, 0.003)
    after = learner.loss(samples, order)
    assert after[0] < before[0] / 3
    assert after[1] < before[1] / 3
    assert after[2] > 0.9


def test_the_same_seed_and_order_give_the_same_bits(samples: Samples) -> None:
    states = []
    for _ in range(2):
        learner = trainer()
        learner.epoch(samples, everything(samples), 0.01)
        states.append(learner.state())
    assert all((states[0][name] == states[1][name]).all() for name in states[0])
    other = trainer(4)
    other.epoch(samples, everything(samples), 0.01)
    assert (other.weights != states[0]["weights"]).any()


def test_it_goes_on_from_its_state_as_if_it_had_never_stopped(samples: Samples) -> None:
    order = everything(samples)
    whole, first, second = trainer(), trainer(), trainer(9)
    for _ in range(2):
        whole.epoch(samples, order, 0.01)
    first.epoch(samples, order, 0.01)
    second.load_state(first.state())
    second.epoch(samples, order, 0.01)
    assert (whole.weights == second.weights).all()


def test_a_step_goes_down_the_slope(samples: Samples) -> None:
    """Adam's first step has the sign of the gradient: it must be that of finite differences."""
    order = everything(samples)[:200:7]
    learner = trainer()
    start = learner.state()
    learner.epoch(samples, order, 1e-6)
    step = learner.weights - start["weights"]
    moved = np.flatnonzero(np.abs(step) > 5e-7)
    assert len(moved) > 1000
    rng = random.Random(1)
    agreed = 0
    for place in rng.sample(moved.tolist(), 40):
        agreed += np.sign(slope(learner, start, samples, order, place)) == -np.sign(step[place])
    assert agreed >= 38  # float32 differences of the flattest are noise


def slope(learner: Trainer, start: dict, samples: Samples, order: np.ndarray, place: int) -> float:
    values = []
    for change in (2e-2, -2e-2):
        state = {name: value.copy() for name, value in start.items()}
        state["weights"][place] += change
        learner.load_state(state)
        values.append(learner.epoch(samples, order, 0.0))
    return values[0] - values[1]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_evaluator_says_what_was_learned(samples: Samples, seats: int) -> None:
    learner, order = trainer(), everything(samples)
    for _ in range(10):
        learner.epoch(samples, order, 0.003)
    network = Network("spice_road", learner.arrays())
    position = load(f"spice_road;players={seats};seed=77").start()
    for token in ("take=1", "take=1"):
        position = position.apply(token)
    win, points = network.judge(position)
    mine = Samples()
    mine.add(position, win, points, 0)
    entropy, error, _ = learner.loss(mine, [0])
    assert error < 0.7  # points: rounding of the weights
    ideal = -sum(share * np.log(share) for share in win if share > 0)
    assert entropy == pytest.approx(ideal, abs=0.01)


def test_what_is_of_another_game_is_refused(samples: Samples) -> None:
    with pytest.raises(ValueError, match="another game"):
        Trainer(3, 3).epoch(samples, everything(samples), 0.01)
    with pytest.raises(ValueError, match="there are"):
        trainer().loss(samples, [len(samples)])
    with pytest.raises(ValueError, match="weights"):
        Trainer(3, 3).load_state(trainer().state())
    with pytest.raises(ValueError, match="without features"):
        Trainer(0, 3)
