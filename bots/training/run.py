"""A run from its plan to the network that is shipped; whatever is there already is not done again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from serai.bots.schedule import seed_from
from serai.bots.tournament.cluster import Cluster
from serai.bots.training import gate
from serai.bots.training.check import check
from serai.bots.training.fit import Fitted, Fitter
from serai.bots.training.hands import play_all
from serai.bots.training.pace import Pace
from serai.bots.training.plan import TrainingPlan
from serai.bots.training.store import WEIGHTS, Store
from serai.bots.training.teller import Teller
from serai.core.errors import NetworkError
from serai.core.games import load
from serai.core.network import shape_of
from serai.core.network_file import decode, encode, read_network
from serai.search.learn import Trainer
from serai.search.samples import Samples


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
            fit = self._learned(generation)
            if fit is None:
                for number in self._kept(generation):
                    self._play(number)
                fit = self._fit(generation)
            self._fits.append(fit)
            self._gates.append(self._gate(generation))
        return self._finish()

    def best(self, before: int) -> int | None:
        """The last generation before one that was accepted; None: still the hand-made evaluation."""
        accepted = [number for number, found in enumerate(self._gates[:before]) if found["accepted"]]
        return accepted[-1] if accepted else None

    def _kept(self, generation: int) -> range:
        """The generations whose samples one learns from."""
        return range(max(0, generation + 1 - self.plan.kept), generation + 1)

    def _begin(self, generation: int, what: str, total: int, unit: str, done: int = 0) -> None:
        later = self._pace.after(self.plan, generation, what)
        self.teller.begin(
            f"generation {generation + 1} of {self.plan.generations}: {what}", total, unit, done, later
        )

    # ---- the phases

    def _play(self, generation: int) -> None:
        missing, notes = self.store.missing(self.plan, generation)
        for note in notes:
            self.teller.say(note)
        if not missing:
            return
        total = self.plan.games_of_generation
        done = total - sum(chunk.games for chunk in missing)
        self._begin(generation, "self-play", total, "games", done)
        best = self.best(generation)
        network = None if best is None else self.store.candidate(best).read_bytes()
        for chunk, content in play_all(self.plan, missing, network, self._jobs, self._cluster):
            self.store.write_chunk(self.plan, chunk, content)
            done += chunk.games
            self.teller.at(done)

    def _learned(self, generation: int) -> dict[str, Any] | None:
        """What came of a fit that is there and whole; None if it is to be done, or done again."""
        folder = self.store.generation(generation)
        if not (folder / "fit.json").exists():  # the last file that a fit writes
            return None
        fit, weights = self.store.read_json(folder / "fit.json"), self.store.weights(generation)
        game = load(self.plan.set_ups(self.plan.seats[0])[0])
        try:
            fits = read_network(self.store.candidate(generation)).fits(game)
        except NetworkError:
            fits = False
        if isinstance(fit, dict) and weights is not None and fits:
            return fit
        self.teller.say(f"generation {generation + 1}: a file of its network is damaged; it learns again")
        return None

    def _fit(self, generation: int) -> dict[str, Any]:
        folder = self.store.generation(generation)
        self.teller.say(f"generation {generation + 1}: reading samples")
        trainer = self._trainer(generation)
        fitter = Fitter(self.plan, generation, self._samples(generation), trainer)
        fitter.restore(self.store, folder / "training.npz")
        self._begin(generation, "training", fitter.total, "samples", fitter.done)
        fitted = fitter.run(self.store, folder / "training.npz", self.teller.at)
        content = encode(
            trainer.arrays(), self.plan.game, {"run": self.plan.identity, "generation": generation + 1}
        )
        found = {"generation": generation + 1, **_listed(asdict(fitted))}
        self.teller.say(f"generation {generation + 1}: trying the network in integers")
        found["check"] = asdict(check(self.plan, trainer, decode(content)))
        self.store.write_candidate(generation, content)
        self.store.write_arrays(folder / WEIGHTS, {"weights": trainer.weights})
        self.store.write_json(folder / "fit.json", found)
        self._tell_fit(generation, fitted)
        return found

    def _tell_fit(self, generation: int, fitted: Fitted) -> None:
        best, choice = (fitted.epochs[number].held_out for number in (fitted.best, fitted.best_choice))
        self.teller.say(
            f"generation {generation + 1}: {fitted.samples:,} samples of {fitted.games:,} games, "
            f"held-out loss {best.entropy:.4f}, points off by {best.points:.1f}, "
            f"{100 * best.accuracy:.1f} % of the winners told, {100 * choice.agreement:.1f} % of the choices"
        )

    def _samples(self, generation: int) -> Samples:
        samples = Samples()
        for data in self.store.all_samples(self.plan, self._kept(generation)):
            samples.add_data(data)
        return samples

    def _trainer(self, generation: int) -> Trainer:
        game = load(self.plan.set_ups(self.plan.seats[0])[0])
        seed = seed_from(self.plan.seed, "weights", generation)
        return Trainer(*shape_of(game), seed)

    def _gate(self, generation: int) -> dict[str, Any]:
        folder = self.store.generation(generation)
        known = self.store.read_json(folder / "gate.json")
        if isinstance(known, dict) and "accepted" in known:
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
        number = self.best(generation)
        best = None if number is None else (f"generation {number + 1}", self.store.candidate(number))
        match = gate.match_plan(self.plan, generation, seats, self.store.candidate(generation), best)
        journal = folder / f"gate-{seats}.journal"
        games, before = gate.games_of(match), gate.games_before(match, journal)
        self._begin(generation, f"gate at {seats} seats", games, "games", before)
        return gate.play(match, journal, self._jobs, self.teller.at)

    # ---- the end

    def _finish(self) -> dict[str, Any]:
        """Put the best network in its place, with everything about how it was made."""
        best = self.best(self.plan.generations)
        shipped = self.plan.generations - 1 if best is None else best
        found = {
            "plan": _listed(asdict(self.plan)),
            "generation": shipped + 1,
            "games": (shipped + 1) * self.plan.games_of_generation,
            "accepted": best is not None,
            "fits": self._fits,
            "gates": self._gates,
        }
        trainer = self._trainer(shipped)
        trainer.weights[:] = self.store.weights(shipped)
        self.store.write(self.store.network, encode(trainer.arrays(), self.plan.game, found))
        return found


def _listed(data: Any) -> Any:
    """Plain data with lists for tuples, as files give it back."""
    if isinstance(data, dict):
        return {name: _listed(value) for name, value in data.items()}
    return [_listed(item) for item in data] if isinstance(data, list | tuple) else data
