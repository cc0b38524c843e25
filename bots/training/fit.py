"""Fitting a network to samples: epochs, games that are held out, an early stop; it goes on after a kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from serai.bots.schedule import seed_from
from serai.bots.training.plan import TrainingPlan
from serai.bots.training.store import Store
from serai.core.errors import SetupError
from serai.search.learn import Trainer
from serai.search.samples import Samples

BATCH: Final = 512  # samples of a step of the trainer
PART: Final = 256 * BATCH  # samples between two savings, and between two decays of the weights
PATIENCE: Final = 2  # epochs without progress; the falling rate may still bring it after one
LAST_RATE: Final = 0.05  # of the first one; it falls in a line
ODD: Final = 0x9E3779B97F4A7C15  # spreads the numbers of games; golden ratio

Indices = NDArray[np.int32]
Told = Callable[[int, str], None]


@dataclass(frozen=True)
class Loss:
    """On held-out games; see `Trainer.loss`."""

    entropy: float
    points: float
    accuracy: float
    choice: float
    agreement: float


@dataclass(frozen=True)
class Epoch:
    """``learned``: the mean loss on the way, win and points together."""

    learned: float
    held_out: Loss


@dataclass(frozen=True)
class Fitted:
    """What came of it. ``best``: the epoch whose judgement was kept, ``best_choice``: whose preferences.

    ``by_seats``: held-out entropy of the judgement that was kept.
    """

    samples: int
    games: int
    games_held_out: int
    epochs: tuple[Epoch, ...]
    best: int
    best_choice: int
    by_seats: dict[str, float]


def split(games: NDArray[Any], seed: int, share: float) -> tuple[Indices, Indices]:
    """The samples to learn from and those held out, by their games: always the same ones for a seed."""
    salt = np.uint64(seed_from(seed, "held out"))
    mixed = (games.astype(np.uint64) + salt) * np.uint64(ODD)
    held_out = (mixed >> np.uint64(40)) < np.uint64(round(share * 2**24))
    places = np.arange(len(games), dtype=np.int32)
    return places[~held_out], places[held_out]


class Fitter:
    """Fits one generation's network; ``told`` hears how many samples were learned from, and a text."""

    def __init__(self, plan: TrainingPlan, generation: int, samples: Samples, trainer: Trainer) -> None:
        self.plan, self.generation, self.samples, self.trainer = plan, generation, samples, trainer
        games = samples.to_data()["game"]
        self.learned, self.held_out = split(games, plan.seed, plan.held_out)
        if not len(self.learned) or not len(self.held_out):
            raise SetupError(f"{len(np.unique(games))} games are too few to learn from and to test on")
        self._epochs: list[Epoch] = []
        self._part = 0  # of the epoch under way
        self._sum = 0.0
        self._best: NDArray[np.float32] = trainer.weights.copy()

    @property
    def total(self) -> int:
        """Samples of all epochs together."""
        return self.plan.epochs * len(self.learned)

    @property
    def done(self) -> int:
        """Samples of them that have been learned from."""
        return len(self._epochs) * len(self.learned) + min(self._part * PART, len(self.learned))

    def run(self, store: Store, checkpoint: Path, told: Told) -> Fitted:
        """Learn what is left; the trainer has the best weights afterwards."""
        while not self._finished:
            order = np.random.default_rng([self.plan.seed, self.generation, len(self._epochs)])
            places = order.permutation(self.learned)
            for first in range(self._part * PART, len(places), PART):
                self._learn(places[first : first + PART], len(places))
                self._save(store, checkpoint)
                told(self.done, self._text())
            self._close_epoch(len(places))
            self._save(store, checkpoint)
        self.trainer.weights[:] = self._best
        return self._result()

    # ---- an epoch

    @property
    def _finished(self) -> bool:
        """After all epochs, or when the last ones made it worse."""
        latest = max(self._best_epoch("entropy"), self._best_epoch("choice"))
        return len(self._epochs) >= self.plan.epochs or latest < len(self._epochs) - PATIENCE

    def _best_epoch(self, loss: str) -> int:
        losses = [getattr(epoch.held_out, loss) for epoch in self._epochs]
        return losses.index(min(losses)) if losses else -1

    def _learn(self, places: Indices, of: int) -> None:
        done = (len(self._epochs) + self._part * PART / of) / self.plan.epochs
        left = 1 - (1 - LAST_RATE) * done
        rate, choice_rate = self.plan.rate * left, self.plan.choice_rate * left
        self._sum += self.trainer.epoch(self.samples, places, rate, choice_rate) * len(places)
        kept = (1 - rate * self.plan.decay) ** (len(places) / BATCH)
        np.multiply(self.trainer.weights, np.float32(kept), out=self.trainer.weights)
        self._part += 1

    def _close_epoch(self, of: int) -> None:
        loss = Loss(**self.trainer.loss(self.samples, self.held_out))
        self._epochs.append(Epoch(self._sum / of, loss))
        self._part, self._sum = 0, 0.0
        self._keep_best()

    def _keep_best(self) -> None:
        """Judgement and preferences share no weights, and learn games by heart at different times."""
        border = self.trainer.choice_at
        for loss, part in (("entropy", slice(border)), ("choice", slice(border, None))):
            if self._best_epoch(loss) == len(self._epochs) - 1:
                self._best[part] = self.trainer.weights[part]

    def _text(self) -> str:
        if not self._epochs:
            return f"epoch 1 of {self.plan.epochs}"
        last = self._epochs[-1].held_out.entropy
        return f"epoch {len(self._epochs) + 1} of {self.plan.epochs}, held-out loss {last:.4f}"

    def _result(self) -> Fitted:
        data = self.samples.to_data()
        games, seats = data["game"], data["seats"]
        by_seats = {
            str(n): self.trainer.loss(self.samples, self.held_out[seats[self.held_out] == n])["entropy"]
            for n in sorted(set(seats[self.held_out].tolist()))
        }
        held_out = len(np.unique(games[self.held_out]))
        whole = len(np.unique(games))
        best = self._best_epoch("entropy"), self._best_epoch("choice")
        return Fitted(len(games), whole, held_out, tuple(self._epochs), *best, by_seats)

    # ---- checkpoints

    def _save(self, store: Store, path: Path) -> None:
        notes = {
            "plan": self.plan.identity,
            "epochs": [asdict(epoch) for epoch in self._epochs],
            "part": self._part,
            "sum": self._sum,
        }
        text = np.frombuffer(json.dumps(notes).encode(), np.uint8)
        store.write_arrays(path, {**self.trainer.state(), "best": self._best, "notes": text})

    def restore(self, store: Store, path: Path) -> None:
        """Go on from a checkpoint, if there is one of this plan that is whole."""
        arrays = store.read_arrays(path)
        if arrays is None or arrays.keys() != {*self.trainer.state(), "best", "notes"}:
            return
        notes = json.loads(arrays["notes"].tobytes())
        if notes["plan"] != self.plan.identity:
            return
        self._epochs = [Epoch(e["learned"], Loss(**e["held_out"])) for e in notes["epochs"]]
        self._part, self._sum = notes["part"], notes["sum"]
        self.trainer.load_state(arrays)
        self._best = arrays["best"]
