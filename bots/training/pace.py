"""About how long the phases of a run take: for the time left, never for what is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from serai.bots.training.plan import TrainingPlan
from serai.bots.training.store import Store

FILE: Final = "pace.json"


@dataclass(frozen=True)
class Pace:
    """Seconds: of a generation's self-play, of fitting to one generation, of a gate at one seat count."""

    play: float = 0.0
    fit: float = 0.0
    gate: float = 0.0

    @classmethod
    def of(cls, store: Store) -> Pace:
        """What was measured when the run began; nothing known if it wasn't."""
        data = store.read_json(store.folder / FILE)
        known = isinstance(data, dict) and all(type(value) is float for value in data.values())
        return cls(**data) if known and data.keys() == {"play", "fit", "gate"} else cls()

    def after(self, plan: TrainingPlan, generation: int, what: str) -> float:
        """Seconds that follow a phase."""
        phases = list(self._phases(plan))
        place = next(i for i, (number, name, _) in enumerate(phases) if (number, name) == (generation, what))
        return sum(seconds for _, _, seconds in phases[place + 1 :])

    def whole(self, plan: TrainingPlan) -> float:
        """Seconds of the run."""
        return sum(seconds for _, _, seconds in self._phases(plan))

    def _phases(self, plan: TrainingPlan) -> Iterator[tuple[int, str, float]]:
        for generation in range(plan.generations):
            yield generation, "self-play", self.play
            yield generation, "training", self.fit * min(generation + 1, plan.kept)
            for seats in plan.seats:
                yield generation, f"gate at {seats} seats", self.gate
