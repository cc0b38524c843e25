"""Which games a match consists of: blocks of the same deal with every rotation of the seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from typing import Any

from serai.bots.referee import Conditions
from serai.bots.time_control import TimeControl
from serai.core.errors import SetupError
from serai.core.games import load
from serai.core.spec import Spec, parse_spec


@dataclass(frozen=True)
class MatchPlan:
    """A match, completely: equal plans with limits in nodes give equal games."""

    entrants: tuple[str, ...]
    game: str = "spice_road"
    games: int = 1
    seed: int = 1
    rotate: bool = True
    conditions: Conditions = field(default_factory=lambda: Conditions(TimeControl(turn=0.5)))

    def __post_init__(self) -> None:
        if self.games < 1:
            raise SetupError(f"a match has at least 1 game, not {self.games}")
        if not 0 <= self.seed < 2**64:
            raise SetupError(f"the seed must be 0 to 2^64 - 1, not {self.seed}")
        spec = self._spec()
        if spec.seed is not None or spec.state is not None:
            raise SetupError("the match deals by itself: leave seed= and state= out of the game")
        load(spec)

    def _spec(self) -> Spec:
        spec = parse_spec(self.game)
        if "players=" in self.game and spec.players != len(self.entrants):
            raise SetupError(
                f"{self.game} has {spec.players} seats, and there are {len(self.entrants)} entrants"
            )
        return replace(spec, players=len(self.entrants))

    @property
    def block_size(self) -> int:
        """Games of one deal."""
        return len(self.entrants) if self.rotate else 1

    def fixtures(self) -> Iterator[Fixture]:
        """The games, in order."""
        return (self.fixture(number) for number in range(self.games))

    def fixture(self, number: int) -> Fixture:
        """The game of a number, from 0."""
        block, turn = divmod(number, self.block_size)
        count = len(self.entrants)
        deal = seed_from(self.seed, "deal", block)
        return Fixture(
            number=number,
            block=block,
            spec=str(replace(self._spec(), seed=deal)),
            seating=tuple((seat + turn) % count for seat in range(count)),
            seed=seed_from(self.seed, "bots", number),
        )

    @property
    def identity(self) -> str:
        """A text that two plans share if games of the one are games of the other."""
        digest = blake2b(repr(replace(self, games=1)).encode(), digest_size=8)
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MatchPlan:
        """The reverse of :meth:`to_dict`, after a trip through JSON."""
        conditions = dict(data["conditions"])
        control = dict(conditions["control"])
        control["clock"] = control["clock"] and tuple(control["clock"])
        conditions["control"] = TimeControl(**control)
        return cls(**{**data, "entrants": tuple(data["entrants"]), "conditions": Conditions(**conditions)})


@dataclass(frozen=True)
class Fixture:
    """One game to play. ``seating``: for each seat the index of the entrant in it; ``seed``: of the bots."""

    number: int
    block: int
    spec: str
    seating: tuple[int, ...]
    seed: int


def seed_from(*parts: object) -> int:
    """A 63-bit number that depends on all parts and, for all anybody can tell, on nothing else."""
    digest = blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
