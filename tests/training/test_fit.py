"""Fitting: games are held out whole, a stop anywhere changes nothing, integers are the network learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from training.small import small_plan

from serai.bots.training import fit
from serai.bots.training.check import check, in_floats
from serai.bots.training.chunk_file import unpack
from serai.bots.training.fit import Fitted, Fitter, split
from serai.bots.training.plan import Chunk
from serai.bots.training.selfplay import play_chunk
from serai.bots.training.store import Store
from serai.core.errors import NetworkError, SetupError
from serai.core.games import load
from serai.core.network import shape_of, units
from serai.core.network_file import decode, encode
from serai.search.learn import Trainer
from serai.search.samples import Samples

PLAN = small_plan(epochs=3)
GAME = load("spice_road;players=2")
CHUNK = Chunk(0, 2, 0, 0, 16)


class Stopped(Exception):  # noqa: N818
    pass


@pytest.fixture(scope="module")
def samples() -> Samples:
    made = Samples()
    made.add_data(unpack(play_chunk(PLAN, CHUNK, None), PLAN.identity, CHUNK))
    return made


def fresh() -> Trainer:
    return Trainer(*shape_of(GAME), 1)


def test_games_are_held_out_whole() -> None:
    games = np.repeat(np.arange(1000), 20)
    learned, held_out = split(games, 7, 0.1)
    assert not set(games[learned]) & set(games[held_out])
    assert len(learned) + len(held_out) == len(games)
    assert 0.06 < len(set(games[held_out])) / 1000 < 0.14


def test_a_game_stays_held_out_whatever_comes_besides() -> None:
    few, many = np.arange(500), np.arange(5000)
    assert set(split(few, 7, 0.2)[1]) == set(split(many, 7, 0.2)[1][split(many, 7, 0.2)[1] < 500])
    assert set(split(few, 7, 0.2)[1]) != set(split(few, 8, 0.2)[1])


def test_too_few_games_are_refused() -> None:
    one = Samples()
    one.add(GAME.start(), (1, 0), (50, 40), 1)
    with pytest.raises(SetupError, match="too few to learn from"):
        Fitter(PLAN, 0, one, fresh())


def test_it_learns(samples: Samples, tmp_path: Path) -> None:
    store = Store(tmp_path)
    fitter = Fitter(PLAN, 0, samples, fresh())
    before = fitter.trainer.loss(samples, fitter.learned)
    found = fitter.run(store, tmp_path / "training.npz", lambda done, text: None)
    store.close()
    after = fitter.trainer.loss(samples, fitter.learned)
    assert after["entropy"] < before["entropy"] - 0.02
    assert after["choice"] < before["choice"] - 0.02
    assert after["agreement"] > before["agreement"]
    assert found.epochs[found.best].held_out.entropy == min(e.held_out.entropy for e in found.epochs)
    assert (found.games, found.samples) == (16, len(samples))


def whole_run(
    samples: Samples, folder: Path, stops: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Fitted, bytes]:
    """A run that is broken off after each of its first parts, and goes on from the file."""
    monkeypatch.setattr(fit, "PART", 512)
    store = Store(folder)
    told: list[int] = []

    def stop(done: int, text: str) -> None:
        told.append(done)
        if len(told) <= stops:
            raise Stopped

    while True:
        fitter = Fitter(PLAN, 0, samples, fresh())
        fitter.restore(store, folder / "training.npz")
        assert fitter.done == (told[-1] if told else 0)
        try:
            found = fitter.run(store, folder / "training.npz", stop)
        except Stopped:
            continue
        store.close()
        return found, fitter.trainer.weights.tobytes()


def test_a_run_that_was_broken_off_ends_as_any_other(
    samples: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = whole_run(samples, tmp_path / "a", 0, monkeypatch)
    assert whole_run(samples, tmp_path / "b", 7, monkeypatch) == undisturbed


def test_judgement_and_preferences_are_kept_from_their_own_best_epochs(
    samples: Samples, tmp_path: Path
) -> None:
    """Here it judges worse after the first epoch, while its choices go on getting better."""
    states: list[np.ndarray] = []

    class Told(Trainer):
        def loss(self, samples: Samples, order: object) -> dict[str, float]:
            states.append(self.weights.copy())
            number = float(len(states))
            return {"entropy": number, "points": 1, "accuracy": 1, "choice": 1 / number, "agreement": 1}

    trainer = Told(*shape_of(GAME), 1)
    store = Store(tmp_path)
    found = Fitter(PLAN, 0, samples, trainer).run(store, tmp_path / "training.npz", lambda done, text: None)
    store.close()
    assert (found.best, found.best_choice, len(found.epochs)) == (0, 2, 3)
    assert np.array_equal(trainer.weights[: trainer.choice_at], states[0][: trainer.choice_at])
    assert np.array_equal(trainer.weights[trainer.choice_at :], states[2][trainer.choice_at :])
    assert not np.array_equal(states[0], states[2])


def test_a_damaged_checkpoint_is_begun_anew(samples: Samples, tmp_path: Path) -> None:
    store = Store(tmp_path)
    path = tmp_path / "training.npz"
    first = Fitter(PLAN, 0, samples, fresh()).run(store, path, lambda done, text: None)
    path.write_bytes(path.read_bytes()[:1000])
    fitter = Fitter(PLAN, 0, samples, fresh())
    fitter.restore(store, path)
    assert fitter.done == 0
    assert fitter.run(store, path, lambda done, text: None) == first
    store.close()


def test_a_checkpoint_of_another_plan_is_no_use(samples: Samples, tmp_path: Path) -> None:
    store = Store(tmp_path)
    path = tmp_path / "training.npz"
    Fitter(PLAN, 0, samples, fresh()).run(store, path, lambda done, text: None)
    same, other = Fitter(PLAN, 0, samples, fresh()), Fitter(small_plan(seed=6), 0, samples, fresh())
    for fitter in (same, other):
        fitter.restore(store, path)
    assert (same.done, other.done) == (same.total, 0)
    store.close()


def test_any_changed_byte_of_a_checkpoint_is_survived(samples: Samples, tmp_path: Path) -> None:
    """It may be noticed, or lie in a name or in what nobody reads; it never ends in another error."""
    store = Store(tmp_path)
    path = tmp_path / "training.npz"
    store.write_arrays(path, {"best": np.arange(30, dtype=np.float32), "notes": np.zeros(5, np.uint8)})
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        found = store.read_arrays(path)
        assert found is None or all(isinstance(array, np.ndarray) for array in found.values())
    store.close()


def test_weights_decay_towards_nothing_and_not_beyond(samples: Samples, tmp_path: Path) -> None:
    """Whatever a plan may ask for: with much decay they come near 0, and never change their signs."""
    plan = small_plan(epochs=1, rate=0.1, decay=9.9)
    store = Store(tmp_path)
    fitter = Fitter(plan, 0, samples, fresh())
    fitter.run(store, tmp_path / "training.npz", lambda done, text: None)
    store.close()
    assert np.abs(fitter.trainer.weights).max() < 0.1


def test_preferences_learn_at_the_plans_rate_for_them(samples: Samples, tmp_path: Path) -> None:
    store, found = Store(tmp_path), []
    for number, choice_rate in enumerate((0.003, 0.001)):
        fitter = Fitter(small_plan(epochs=1, choice_rate=choice_rate), 0, samples, fresh())
        fitter.run(store, tmp_path / f"{number}.npz", lambda done, text: None)
        found.append(fitter.trainer.weights)
    store.close()
    border = fresh().choice_at
    assert (found[0][:border] == found[1][:border]).all()
    assert (found[0][border:] != found[1][border:]).any()


def test_integers_mean_the_floats() -> None:
    trainer = fresh()
    trainer.weights[:] += np.random.default_rng(1).normal(0, 0.1, len(trainer.weights)).astype(np.float32)
    assert np.abs(in_floats(trainer.arrays()) - trainer.weights).max() < 1 / 100


def test_the_evaluator_is_what_was_learned() -> None:
    trainer = fresh()
    found = check(PLAN, trainer, decode(encode(trainer.arrays(), "spice_road", {})))
    assert found.positions > 500
    assert found.evaluator == pytest.approx(found.integers, abs=1e-3)
    assert found.hand_made < found.evaluator
    assert found.choice_evaluator == pytest.approx(found.choice_integers, abs=1e-3)
    assert found.choice_integers == pytest.approx(found.choice_floats, abs=1e-2)
    assert 1 < found.choice_floats < 5


def test_another_network_is_found_out() -> None:
    other = Trainer(*shape_of(GAME), 2)
    other.weights[:] *= 3
    with pytest.raises(NetworkError, match="no good in integers"):
        check(PLAN, fresh(), decode(encode(other.arrays(), "spice_road", {})))


def test_other_points_are_found_out() -> None:
    """Also where the shares of the win are those that were learned."""
    trainer = fresh()
    arrays = trainer.arrays()
    arrays["points_bias"] += 5 * units()["unit"] * units()["points_unit"]
    with pytest.raises(NetworkError, match="points"):
        check(PLAN, trainer, decode(encode(arrays, "spice_road", {})))


def test_other_preferences_are_found_out() -> None:
    """Also where the network judges all states alike."""
    other = fresh()
    traits = slice(len(other.weights) - 33 * other.options, None)
    other.weights[traits] = np.random.default_rng(1).normal(0, 0.5, 33 * other.options)
    with pytest.raises(NetworkError, match="choices"):
        check(PLAN, fresh(), decode(encode(other.arrays(), "spice_road", {})))
