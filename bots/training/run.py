"""A run from its plan to the network that is shipped; whatever is there already is not done again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from serai.bots.schedule import seed_from
from serai.bots.tournament.cluster import Cluster
from serai.bots.training import gate
from serai.bots.training.check import check
from serai.bots.training.fit import Fitted, Fitter
from serai.bots.training.hands import play_all
from serai.bots.training.pace import Pace
from serai.bots.training.plan import TrainingPlan
from serai.bots.training.store import Store
from serai.bots.training.teller import Teller
from serai.core.errors import SetupError
from serai.core.games import load
from serai.core.network import shape_of
from serai.core.network_file import decode, encode
from serai.search.learn import Trainer
from serai.search.samples import Samples

FITTED: Final = ("fit.json", "weights.npz", "network.bin")  # what is there when a generation has learned


class Run:
    """``jobs``: processes here, for self-play unless there is a ``cluster``, and for gates."""

    def __init__(
        self, plan: TrainingPlan, store: Store, teller: Teller, jobs: int = 1, cluster: Cluster | None = None
    ) -> None:
        self.plan, self.store, self.teller, self._jobs, self._cluster = plan, store, teller, jobs, cluster
        self._pace = Pace.of(store)
        self._fits: list[dict[str, Any]] = []
        self._gates: list[dict[str, Any]] = []

    def run(self) -> dict[str, Any]:
        """Do what is left; what came of it all, as plain data. Raises SeraiError."""
        for generation in range(self.plan.generations):
            self._play(generation)
            self._fits.append(self._fit(generation))
            self._gates.append(self._gate(generation))
        return self._finish()

    @property
    def best(self) -> int | None:
        """The last generation that was accepted; None: still the hand-made evaluation."""
        accepted = [number for number, found in enumerate(self._gates) if found["accepted"]]
        return accepted[-1] if accepted else None

    def _begin(self, generation: int, what: str, total: int, unit: str, done: int = 0) -> None:
        later = self._pace.after(self.plan, generation, what)
        self.teller.begin(
            f"generation {generation + 1} of {self.plan.generations}: {what}", total, unit, done, later
        )

    # ---- the phases

    def _play(self, generation: int) -> None:
        if self._has_learned(generation):
            return
        missing, notes = self.store.missing(self.plan, generation)
        for note in notes:
            self.teller.say(note)
        total = self.plan.games_of_generation
        done = total - sum(chunk.games for chunk in missing)
        self._begin(generation, "self-play", total, "games", done)
        network = None if self.best is None else self.store.candidate(self.best).read_bytes()
        for chunk, content in play_all(self.plan, missing, network, self._jobs, self._cluster):
            self.store.write(self.store.chunk(chunk), content)
            done += chunk.games
            self.teller.at(done)

    def _fit(self, generation: int) -> dict[str, Any]:
        folder = self.store.generation(generation)
        if self._has_learned(generation):
            known: dict[str, Any] = self.store.read_json(folder / "fit.json")
            return known
        self.teller.say(f"generation {generation + 1}: reading samples")
        trainer = self._trainer(generation)
        fitter = Fitter(self.plan, generation, self._samples(generation), trainer)
        self._begin(generation, "training", fitter.total, "samples")
        fitted = fitter.run(self.store, folder / "training.npz", self.teller.at)
        content = encode(
            trainer.arrays(), self.plan.game, {"run": self.plan.identity, "generation": generation + 1}
        )
        found = {"generation": generation + 1, **_listed(asdict(fitted))}
        found["check"] = asdict(check(self.plan, trainer, decode(content)))
        self.store.write(self.store.candidate(generation), content)
        self.store.write_arrays(folder / "weights.npz", trainer.state())
        self.store.write_json(folder / "fit.json", found)
        self._tell_fit(generation, fitted)
        return found

    def _has_learned(self, generation: int) -> bool:
        return all((self.store.generation(generation) / name).exists() for name in FITTED)

    def _tell_fit(self, generation: int, fitted: Fitted) -> None:
        best, choice = (fitted.epochs[number].held_out for number in (fitted.best, fitted.best_choice))
        self.teller.say(
            f"generation {generation + 1}: {fitted.samples:,} samples of {fitted.games:,} games, "
            f"held-out loss {best.entropy:.4f}, points off by {best.points:.1f}, "
            f"{100 * best.accuracy:.1f} % of the winners told, {100 * choice.agreement:.1f} % of the choices"
        )

    def _samples(self, generation: int) -> Samples:
        samples = Samples()
        first = max(0, generation + 1 - self.plan.kept)
        for data in self.store.all_samples(self.plan, range(first, generation + 1)):
            samples.add_data(data)
        return samples

    def _trainer(self, generation: int) -> Trainer:
        game = load(self.plan.set_ups(self.plan.seats[0])[0])
        seed = seed_from(self.plan.seed, "weights", generation)
        return Trainer(*shape_of(game), seed)

    def _gate(self, generation: int) -> dict[str, Any]:
        folder = self.store.generation(generation)
        known: dict[str, Any] | None = self.store.read_json(folder / "gate.json")
        if known is not None:
            return known
        matches = [self._match(generation, seats) for seats in self.plan.seats]
        found = {
            "generation": generation + 1,
            "accepted": gate.accepts(matches),
            "matches": [asdict(match) for match in matches],
        }
        self.store.write_json(folder / "gate.json", found)
        self.teller.say(
            f"generation {generation + 1}: {'accepted' if found['accepted'] else 'not accepted'}; "
            + ", ".join(
                f"{match.seats} seats {100 * match.share:.1f} % of {match.games}" for match in matches
            )
        )
        return found

    def _match(self, generation: int, seats: int) -> gate.Match:
        folder = self.store.generation(generation)
        best = None
        if self.best is not None:
            best = f"generation {self.best + 1}", self.store.candidate(self.best)
        match = gate.match_plan(self.plan, generation, seats, self.store.candidate(generation), best)
        self._begin(generation, f"gate at {seats} seats", match.games, "games")
        return gate.play(match, folder / f"gate-{seats}.journal", self._jobs, self.teller.at)

    # ---- the end

    def _finish(self) -> dict[str, Any]:
        """Put the best network in its place, with everything about how it was made."""
        shipped = self.best if self.best is not None else self.plan.generations - 1
        found = {
            "plan": _listed(asdict(self.plan)),
            "generation": shipped + 1,
            "games": (shipped + 1) * self.plan.games_of_generation,
            "accepted": self.best is not None,
            "fits": self._fits,
            "gates": self._gates,
        }
        trainer = self._trainer(shipped)
        weights = self.store.read_arrays(self.store.generation(shipped) / "weights.npz")
        if weights is None:
            raise SetupError(
                f"{self.store.generation(shipped)}: weights.npz is damaged; remove it, and --resume"
            )
        trainer.load_state(weights)
        self.store.write(self.store.network, encode(trainer.arrays(), self.plan.game, found))
        return found


def _listed(data: Any) -> Any:
    """Plain data with lists for tuples, as files give it back."""
    if isinstance(data, dict):
        return {name: _listed(value) for name, value in data.items()}
    return [_listed(item) for item in data] if isinstance(data, list | tuple) else data
