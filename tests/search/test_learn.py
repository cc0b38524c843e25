"""The trainer: right gradients, repeatable, and what it learns is what the evaluator then says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from serai.core import CHANCE, NotationError, Position, load
from serai.core.network import Network, feature_lists, shape_of, trait_lists
from serai.search.learn import Trainer
from serai.search.samples import Samples

SHAPE = shape_of(load("spice_road;players=2"))
HIDDEN, MAX_TRAITS = 32, 16  # in core/network.pxd and core/types.pxd
DIFFERENCE = 1e-2  # of a weight, for a slope


def played(seats: int, games: int, seed: int = 1) -> Samples:
    """Positions of random games; the targets are something a network can see: who has most points and cubes.

    In half of the positions a choice is known: the second merchant.
    """
    samples, rng = Samples(), random.Random(seed)
    for game in range(games):
        position = load(f"spice_road;players={seats};seed={rng.getrandbits(40)}").start()
        for _ in range(80):
            if position.is_over:
                break
            _, points = valued(position)
            best = points.index(max(points))
            win = [float(seat == best) for seat in range(seats)]
            samples.add(position, win, points, game, wanted(position) if rng.random() < 0.5 else None)
            position = position.apply(rng.choice(position.legal_tokens()))
    return samples


def wanted(position: Position) -> str | None:
    """A decision that the traits tell from all others, so that it is easily learned."""
    return "take=2" if position.to_act >= 0 and "take=2" in position.legal_tokens() else None


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
    return Trainer(*SHAPE, seed)


def everything(samples: Samples) -> NDArray[np.int32]:
    return np.arange(len(samples), dtype=np.int32)


def test_samples_hold_the_features_of_their_positions() -> None:
    position = load("spice_road;players=3;seed=4").start()
    samples = Samples()
    samples.add(position, [1, 0, 0], [80, 70, 60], 5)
    data = samples.to_data()
    table, players = feature_lists(position)
    assert (data["options"].tolist(), data["trait_counts"].tolist(), data["traits"].tolist()) == ([0], [], [])
    ends = data["ends"][0]
    assert data["features"][: ends[0]].tolist() == table
    assert [data["features"][ends[i] : ends[i + 1]].tolist() for i in range(3)] == players
    assert ends[3:].tolist() == [len(data["features"])] * 4
    assert (data["seats"][0], data["game"][0], data["win"][0][0], data["points"][0][2]) == (3, 5, 1, 60)


def decision(seats: int = 3) -> Position:
    """One with many options, some of them worth no look."""
    position = load(f"spice_road;players={seats};seed=4").start()
    while position.to_act == CHANCE:
        position = position.apply(position.draw(7))
    return position


def test_samples_hold_the_traits_of_their_options() -> None:
    position, samples = decision(), Samples()
    network = Network("spice_road", trainer().arrays())
    options = list(network.prefer(position))
    for number, token in enumerate(options):
        samples.add(position, [1, 0, 0], [80, 70, 60], number, token)
    data, traits = samples.to_data(), trait_lists(position)
    assert 1 < len(options) < len(position.legal_tokens())
    assert data["mover"].tolist() == [0] * len(options)
    assert data["options"].tolist() == [len(options)] * len(options)
    assert data["chosen"].tolist() == list(range(len(options)))
    assert data["trait_counts"].tolist() == [len(traits[token]) for token in options] * len(options)
    assert data["traits"].tolist() == [n for token in options for n in traits[token]] * len(options)


def test_what_is_no_choice_is_a_sample_without_one() -> None:
    """None known, nobody to choose, a decision that is worth no look, or the only one."""
    position, samples = decision(), Samples()
    start, end = load("spice_road;players=3;seed=4").start(), position
    network = Network("spice_road", trainer().arrays())
    dropped = set(position.legal_tokens()) - set(network.prefer(position))
    for token in (None, *dropped):
        samples.add(position, [1, 0, 0], [80, 70, 60], 1, token)
    while "take=3" in end.legal_tokens():
        end = end.apply("take=3")
    assert "pay=y" in end.legal_tokens()
    samples.add(end, [1, 0, 0], [80, 70, 60], 1, "pay=y")
    samples.add(start, [1, 0, 0], [80, 70, 60], 1, None)
    data = samples.to_data()
    assert len(dropped) > 1
    assert not data["options"].any()
    assert len(data["traits"]) == len(data["trait_counts"]) == 0
    found = trainer().loss(samples, everything(samples))
    assert found["choice"] == found["agreement"] == 0
    with pytest.raises(NotationError):
        samples.add(position, [1, 0, 0], [80, 70, 60], 1, "no token")


def test_joined_samples_are_those_of_both_in_order(samples: Samples) -> None:
    twice = Samples()
    twice.add_data(samples.to_data())
    twice.add(decision(2), [1, 0], [1, 2], 7, "take=1")
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
    assert after["entropy"] < before["entropy"] / 3
    assert after["points"] < before["points"] / 3
    assert after["accuracy"] > 0.9
    assert before["agreement"] < 0.5
    assert before["choice"] > 1
    assert after["choice"] < before["choice"] / 20
    assert after["agreement"] > 0.99


def test_a_choice_that_depends_on_what_the_mover_has_is_learned() -> None:
    """To rest with many cubes, else to take the free merchant: the traits alone can't tell."""
    samples, rng = Samples(), random.Random(3)
    for game in range(12):
        position = load(f"spice_road;players=3;seed={game}").start()
        for _ in range(120):
            tokens = position.legal_tokens()
            if {"rest", "take=1"} <= set(tokens):
                full = len(position.state()["players"][position.to_act]["caravan"]) > 5
                samples.add(position, [1, 0, 0], [9, 9, 9], game, "rest" if full else "take=1")
            position = position.apply(rng.choice(tokens))
    order = np.flatnonzero(samples.to_data()["game"] < 9)
    unseen = np.flatnonzero(samples.to_data()["game"] >= 9)
    learner = trainer()
    for _ in range(40):
        learner.epoch(samples, order, 0.01)
    assert learner.loss(samples, order)["agreement"] > 0.97
    assert learner.loss(samples, unseen)["agreement"] > 0.85


def test_a_trainer_without_traits_leaves_choices_alone(samples: Samples) -> None:
    """What it learns of the states is what another one learns besides the choices."""
    order, both, one = everything(samples), trainer(), Trainer(*SHAPE[:2], 0, 3)
    for learner in (both, one):
        learner.epoch(samples, order, 0.003)
    size = len(one.weights)
    assert (both.weights[:size] == one.weights).all()
    found, other = both.loss(samples, order), one.loss(samples, order)
    assert other["choice"] == other["agreement"] == 0
    assert all(found[name] == other[name] for name in ("entropy", "points", "accuracy"))
    assert Network("spice_road", one.arrays()).shape == (*SHAPE[:2], 0)


def test_judgement_and_choice_have_rates_of_their_own(samples: Samples) -> None:
    order, first, border = everything(samples), trainer().weights, trainer().choice_at
    learners = {rates: trainer() for rates in ((0.003, None), (0.003, 0.003), (0.003, 0.0), (0.0, 0.003))}
    for rates, learner in learners.items():
        learner.epoch(samples, order, *rates)
    both, same, judged, chose = (learner.weights for learner in learners.values())
    assert (both == same).all()
    assert (judged[:border] == both[:border]).all()
    assert (judged[border:] == first[border:]).all()
    assert (chose[border:] == both[border:]).all()
    assert (chose[:border] == first[:border]).all()
    assert (both[:border] != first[:border]).any()
    assert (both[border:] != first[border:]).any()


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


def parts() -> dict[str, slice]:
    """Where the weights of each part of a network are."""
    players, table, options = SHAPE
    sizes = {
        "players": 2 * HIDDEN * players,
        "table": HIDDEN * table,
        "bias": HIDDEN * 7,
        "win": HIDDEN + 1,
        "points": HIDDEN + 1,
        "choice players": 2 * HIDDEN * players,
        "choice table": HIDDEN * table,
        "choice bias": HIDDEN * 7,
        "traits": HIDDEN * options,
        "trait bias": options,
    }
    ends = np.cumsum([0, *sizes.values()]).tolist()
    assert ends[-1] == len(trainer().weights)
    return {name: slice(*ends[i : i + 2]) for i, name in enumerate(sizes)}


@pytest.mark.parametrize("part", parts())
def test_a_gradient_is_the_slope_of_the_loss(samples: Samples, part: str) -> None:
    """Adam's memory after a step holds a tenth of the gradient: it must be that of finite differences.

    Where a sum crosses a bound of its clip within the difference, it needn't be; few do.
    """
    order = everything(samples)[::37]
    learner = trainer()
    start = learner.state()
    learner.epoch(samples, order, 0.0)
    gradient = learner.state()["mean"] * 10
    steep = np.flatnonzero(np.abs(gradient[parts()[part]]) > 1e-3) + parts()[part].start
    assert len(steep) >= 10
    places = random.Random(1).sample(steep.tolist(), min(len(steep), 25))
    slopes = np.array([slope(learner, start, samples, order, place) for place in places])
    close = np.isclose(slopes, gradient[places], rtol=0.05, atol=2e-4)
    assert close.mean() > 0.85, (slopes, gradient[places])


def slope(
    learner: Trainer,
    start: dict[str, NDArray[Any]],
    samples: Samples,
    order: NDArray[np.int32],
    place: int,
) -> float:
    """How much the loss grows with a weight."""
    values = []
    for change in (DIFFERENCE, -DIFFERENCE):
        state = {name: value.copy() for name, value in start.items()}
        state["weights"][place] += change
        learner.load_state(state)
        values.append(learner.epoch(samples, order, 0.0))
    return (values[0] - values[1]) / (2 * DIFFERENCE)


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
    found = learner.loss(mine, [0])
    assert found["points"] < 0.7  # rounding of the weights
    ideal = -sum(share * np.log(share) for share in win if share > 0)
    assert found["entropy"] == pytest.approx(ideal, abs=0.01)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_evaluator_prefers_what_was_learned(samples: Samples, seats: int) -> None:
    """Each option's share, from the loss that it would be as the choice."""
    learner, order, position = trainer(), everything(samples), decision(seats)
    for _ in range(3):
        learner.epoch(samples, order, 0.001)
    likely = Network("spice_road", learner.arrays()).prefer(position)
    assert sum(likely.values()) == pytest.approx(1, abs=1e-5)
    assert len(likely) > 4
    best = max(likely, key=lambda token: likely[token])
    for token, share in likely.items():
        mine = Samples()
        mine.add(position, [1] + [0] * (seats - 1), [0] * seats, 0, token)
        found = learner.loss(mine, [0])
        assert np.exp(-found["choice"]) == pytest.approx(share, rel=0.05, abs=1e-6)
        assert found["agreement"] == (token == best)


def test_steep_weights_stay_where_integers_do_not_overflow(samples: Samples) -> None:
    """At a rate that is much too high they end at their bounds; the network takes them."""
    learner, order = trainer(), everything(samples)
    for _ in range(4):
        learner.epoch(samples, order, 3.0)
    layers = [name for name in parts() if name not in ("win", "points", "trait bias")]
    assert max(np.abs(learner.weights[parts()[name]]).max() for name in layers) == pytest.approx(3.9)
    position = decision()
    assert sum(Network("spice_road", learner.arrays()).prefer(position).values()) == pytest.approx(1)


def test_what_is_of_another_game_is_refused(samples: Samples) -> None:
    others = [(*SHAPE[:i], SHAPE[i] // 2, *SHAPE[i + 1 :]) for i in range(3)]
    for shape in ((3, 3, 0), (3, 3, 3), *others):
        with pytest.raises(ValueError, match="another game"):
            Trainer(*shape).epoch(samples, everything(samples), 0.01)
        with pytest.raises(ValueError, match="another game"):
            Trainer(*shape).loss(samples, everything(samples))
    for place in (len(samples), -1):
        with pytest.raises(ValueError, match="there are"):
            trainer().loss(samples, [place])
    for shape in ((3, 3, 3), (*SHAPE[:2], 0)):
        with pytest.raises(ValueError, match="weights"):
            Trainer(*shape).load_state(trainer().state())
    for shape in ((0, 3, 3), (3, 0, 3), (3, 3, -1)):
        with pytest.raises(ValueError, match="without features"):
            Trainer(*shape)


# ---- damaged samples

Data = dict[str, NDArray[Any]]


def put(name: str, place: Any, value: float) -> Callable[[Data], None]:
    return lambda data: data[name].__setitem__(place, value)


def shortened(name: str) -> Callable[[Data], None]:
    return lambda data: data.update({name: data[name][:-1]})


def halved(name: str) -> Callable[[Data], None]:
    return lambda data: data.update({name: data[name][: len(data[name]) // 2]})


def nested(name: str) -> Callable[[Data], None]:
    return lambda data: data.update({name: data[name][None]})


def of_type(name: str, kind: str) -> Callable[[Data], None]:
    return lambda data: data.update({name: data[name].astype(kind)})


def a_choice(data: Data) -> int:
    return int(np.flatnonzero(data["options"])[0])


NAMES = tuple(Samples().to_data())
DAMAGE: dict[str, Callable[[Data], None]] = {
    **{f"{name}-shorter": shortened(name) for name in NAMES},
    **{f"{name}-of-half": halved(name) for name in NAMES},
    **{f"{name}-signed": of_type(name, "i8") for name in NAMES},
    **{f"{name}-double": of_type(name, "f8") for name in NAMES},
    **{f"{name}-nested": nested(name) for name in NAMES},
    "no-seats": put("seats", 5, 0),
    "one-seat": put("seats", 5, 1),
    "seven-seats": put("seats", 5, 7),
    "lists-that-go-back": put("ends", (5, 1), 60_000),
    "a-longer-list": put("ends", (-1, -1), 60_000),
    "a-feature-beyond": put("features", 100, 60_000),
    "a-trait-beyond": put("traits", 100, SHAPE[2]),
    "a-last-trait-beyond": put("traits", -1, 65_535),
    "a-mover-beyond": put("mover", 0, 6),
    "more-options": lambda data: put("options", a_choice(data), 60_000)(data),
    "an-option-more": lambda data: put("options", a_choice(data), data["options"][a_choice(data)] + 1)(data),
    "no-options": lambda data: put("options", a_choice(data), 0)(data),
    "another-choice": lambda data: put("chosen", a_choice(data), data["options"][a_choice(data)])(data),
    "too-many-traits": put("trait_counts", 3, MAX_TRAITS + 1),
    "a-trait-less": lambda data: put("trait_counts", 3, data["trait_counts"][3] - 1)(data),
    "a-win-that-is-none": put("win", (3, 0), float("nan")),
    "points-without-end": put("points", (3, 1), float("inf")),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_samples_are_refused(samples: Samples, damage: Callable[[Data], None]) -> None:
    data = {name: values.copy() for name, values in samples.to_data().items()}
    damage(data)
    learner = trainer()
    before = learner.weights.copy()
    with pytest.raises(ValueError, match=r"sample|another game"):
        learn_from(data, learner)
    assert (learner.weights == before).all()


def learn_from(data: Data, learner: Trainer) -> None:
    """Add the data to new samples, and learn from all of them."""
    spoiled = Samples()
    spoiled.add_data(data)
    learner.epoch(spoiled, everything(spoiled), 0.01)


def test_whole_samples_are_learned_from(samples: Samples) -> None:
    learner = trainer()
    learn_from(samples.to_data(), learner)
    other = trainer()
    other.epoch(samples, everything(samples), 0.01)
    assert (learner.weights == other.weights).all()


def test_nothing_is_learned_from_nothing() -> None:
    learner, none = trainer(), Samples()
    before = learner.weights.copy()
    assert learner.epoch(none, [], 0.01) == 0
    assert set(learner.loss(none, []).values()) == {0}
    assert (learner.weights == before).all()
