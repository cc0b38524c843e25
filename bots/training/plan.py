"""What a training run consists of, as plain checked data; equal plans end in equal networks."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from serai.core.errors import SeraiError, SetupError
from serai.core.games import load, set_ups
from serai.core.spec import Spec

STYLES: Final = ("planner", "search", "advised", "greedy")
MOST_GENERATIONS: Final = 20
MOST_GAMES: Final = 10_000_000
LONGEST_BUDGET: Final = 30 * 86_400  # seconds
_BUDGET: Final = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")


@dataclass(frozen=True)
class Chunk:
    """Games that are played as one piece of work. ``first``: the number of the first one in the whole run."""

    generation: int
    seats: int
    number: int  # among those of its generation and seats
    first: int
    games: int

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.seats}-seats-{self.number:05}"


@dataclass(frozen=True)
class TrainingPlan:
    """A whole run.

    ``games``: of each generation, for each number of seats. ``variants``: of the game; each game of
    self-play draws one of those that there are for its number of seats, a gate plays the first of them.
    ``chunk``: games of a piece of work. ``nodes``: of a search in self-play, ``sample_nodes``: where its
    decision becomes a sample; both halved or doubled by chance. ``styles``: how often a seat plays in
    which way; in ``alike`` of the games all seats play in one. ``networked``: share of the searches that
    use the network, once there is one. ``random_moves`` and ``opening``: share of random decisions, and
    how many a seat at most at the beginning. ``sampled``: share of the open decisions that become
    samples. ``result_share``: how much of a target is the game's result; the rest is what a search of
    the best kind thought, there or the next time in this game: fewer games tell as much so.
    ``held_out``: share of the games that are tested on, not learned from. ``rate``: of Adam at first,
    ``choice_rate``: the same for the weights that choose; ``decay``: of all weights, in the first of these
    a step. ``kept``: generations learned from. ``gate_games``: at most, for each number of seats;
    ``gate_nodes``: of a turn there; the hand-made evaluation, which is faster, gets ``handicap`` times as
    many; ``gate_elo``: what is worth having.
    """

    game: str
    seats: tuple[int, ...]
    games: tuple[int, ...]
    variants: tuple[str, ...] = ("base",)
    seed: int = 1
    generations: int = 3
    chunk: int = 40
    nodes: int = 200
    sample_nodes: int = 800
    styles: tuple[tuple[str, float], ...] = (
        ("planner", 0.25),
        ("search", 0.1),
        ("advised", 0.62),
        ("greedy", 0.03),
    )
    alike: float = 0.5
    networked: float = 0.9
    random_moves: float = 0.08
    opening: int = 6
    sampled: float = 0.85
    result_share: float = 0.25
    held_out: float = 0.1
    epochs: int = 6
    rate: float = 0.001
    choice_rate: float = 0.003
    decay: float = 0.2
    kept: int = 3
    gate_games: int = 200
    gate_nodes: int = 1000
    handicap: float = 1.5
    gate_elo: float = 40.0
    budget: str = ""

    def __post_init__(self) -> None:
        _in_range("seed", self.seed, 0, 2**63 - 1)
        _in_range("generations", self.generations, 1, MOST_GENERATIONS)
        for name in ("chunk", "nodes", "sample_nodes", "epochs", "kept", "gate_games", "gate_nodes"):
            _in_range(name, getattr(self, name), 1, MOST_GAMES)
        for name in ("alike", "networked", "random_moves", "result_share"):
            _in_range(name, getattr(self, name), 0, 1)
        _in_range("sampled", self.sampled, 0.01, 1)
        _in_range("held_out", self.held_out, 0.01, 0.9)
        _in_range("rate", self.rate, 1e-6, 0.1)
        _in_range("choice_rate", self.choice_rate, 1e-6, 0.1)
        _in_range("decay", self.decay, 0, 10)
        _in_range("opening", self.opening, 0, 100)
        _in_range("handicap", self.handicap, 1, 10)
        _in_range("gate_elo", self.gate_elo, 1, 400)
        self._check_game()
        self._check_styles()

    def _check_game(self) -> None:
        check_seats(self.game, self.seats, self.variants)
        if not self.seats:
            raise SetupError("seats are missing")
        if len(self.games) != len(self.seats):
            raise SetupError(f"games must be {len(self.seats)} numbers, one for each of seats")
        for number in self.games:
            _in_range("games", number, 1, MOST_GAMES)

    def _check_styles(self) -> None:
        names = [name for name, _ in self.styles]
        if not names or len(set(names)) < len(names) or not set(names) <= set(STYLES):
            raise SetupError(f"styles must be some of {' '.join(STYLES)}, each once, not {names!r:.80}")
        if not all(0 <= share < math.inf for _, share in self.styles) or not sum(dict(self.styles).values()):
            raise SetupError("the shares of styles must be numbers from 0 up, not all 0")

    @property
    def identity(self) -> str:
        """A text that two plans share exactly if the samples of the one are samples of the other."""
        meaning = load(self.set_ups(self.seats[0])[0]).feature_key
        return blake2b(f"{self!r} {meaning}".encode(), digest_size=8).hexdigest()

    def set_ups(self, seats: int) -> list[Spec]:
        """What a game at so many seats may be set up as, without a seed."""
        return playable(self.game, self.variants, seats)

    @property
    def games_of_generation(self) -> int:
        """Games of one generation, all numbers of seats together."""
        return sum(self.games)

    def chunks(self, generation: int) -> Iterator[Chunk]:
        """The work of a generation, numbers of seats in turn."""
        first = generation * self.games_of_generation
        by_seats = []
        for seats, games in zip(self.seats, self.games, strict=True):
            starts = range(0, games, self.chunk)
            by_seats.append(
                [
                    Chunk(generation, seats, number, first + start, min(self.chunk, games - start))
                    for number, start in enumerate(starts)
                ]
            )
            first += games
        for number in range(max(map(len, by_seats))):
            yield from (chunks[number] for chunks in by_seats if number < len(chunks))

    def describe(self) -> str:
        """The plan in a line, for people."""
        games = ", ".join(f"{n} at {seats} seats" for seats, n in zip(self.seats, self.games, strict=True))
        return f"{self.game}: {self.generations} generations of {games}; seed {self.seed}"


def check_seats(game: str, seats: tuple[int, ...], variants: tuple[str, ...] = ("base",)) -> None:
    """Raise SetupError unless the game has features to learn from, and these variants for so many seats."""
    known = all_variants(game)
    if not variants or len(set(variants)) < len(variants) or not set(variants) <= set(known):
        raise SetupError(
            f"variants must be some of {' '.join(known)}, each once, not {' '.join(variants):.80}"
        )
    counts = all_seats(game, variants)
    if len(set(seats)) < len(seats) or not set(seats) <= set(counts):
        raise SetupError(
            f"seats must be some of {' '.join(map(str, counts))}, each once, not {' '.join(map(str, seats))}"
        )
    made = load(playable(game, variants, counts[0])[0])
    if not made.player_features or not made.table_features:
        raise SetupError(f"{game} says nothing that a network could see: its rules have no features")


@cache
def _set_ups(game: str) -> tuple[Spec, ...]:
    try:
        return tuple(set_ups(game))
    except SeraiError as error:
        raise SetupError(str(error)) from None


def all_variants(game: str) -> tuple[str, ...]:
    """Those of a game, in its order; raises SetupError if there is no such game."""
    return tuple(dict.fromkeys(spec.variant for spec in _set_ups(game)))


def all_seats(game: str, variants: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of seats that some of the variants are for, ascending."""
    return tuple(sorted({spec.players for spec in _set_ups(game) if spec.variant in variants}))


def playable(game: str, variants: tuple[str, ...], seats: int) -> list[Spec]:
    """The set-ups for a number of seats, in the order of the variants."""
    found = [spec for spec in _set_ups(game) if spec.players == seats and spec.variant in variants]
    return sorted(found, key=lambda spec: variants.index(spec.variant))


def parse_budget(text: str) -> float:
    """Seconds; raises SetupError.

    >>> parse_budget("30m"), parse_budget("1h30m"), parse_budget("90s")
    (1800.0, 5400.0, 90.0)
    """
    match = _BUDGET.fullmatch(text.strip())
    if match is None or not any(match.groups()) or len(text) > 20:
        raise SetupError(f"a budget is a time as 30m, 1h30m or 90s, not {text!r:.40}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    total = float(3600 * hours + 60 * minutes + seconds)
    if not 10 <= total <= LONGEST_BUDGET:
        raise SetupError(f"a budget is 10s to {LONGEST_BUDGET // 3600}h, not {text}")
    return total


def as_json(plan: TrainingPlan) -> str:
    """A plan as text that `plan_of` reads."""
    return json.dumps(asdict(plan), indent=2) + "\n"


def read_plan(path: Path) -> TrainingPlan:
    """The plan in a file; raises SetupError that begins with its name."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(f"{path}: {error.strerror or error}") from None
    except ValueError:
        raise SetupError(f"{path} is no training plan: it is no text in UTF-8") from None
    return plan_of(text, str(path))


def plan_of(text: str, where: str) -> TrainingPlan:
    """The plan in a text of any origin; raises SetupError that begins with ``where``."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise SetupError("it is no JSON object")
        return _plan(data)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise SetupError(f"{where} is no training plan: {error}") from None


def _plan(data: Mapping[str, Any]) -> TrainingPlan:
    unknown = data.keys() - {field.name for field in fields(TrainingPlan)}
    if unknown:
        raise SetupError(f"it has {', '.join(sorted(unknown)):.80}, which isn't known here")
    kinds = {field.name: str(field.type) for field in fields(TrainingPlan)}
    values = {name: _value(name, value, kinds[name]) for name, value in data.items()}
    for name in ("game", "seats", "games"):
        if name not in values:
            raise SetupError(f"{name} is missing")
    return TrainingPlan(**values)


def _value(name: str, value: Any, kind: str) -> Any:
    """A value in the type that the field has; raises SetupError for any other."""
    if name == "styles":
        return tuple((str(style), float(share)) for style, share in value)
    if kind.startswith("tuple"):
        item_type, items = (str, "texts") if "str" in kind else (int, "whole numbers")
        if not isinstance(value, list) or not all(type(item) is item_type for item in value):
            raise SetupError(f"{name} must be a list of {items}, not {value!r:.40}")
        return tuple(value)
    types = {"int": (int,), "float": (int, float), "str": (str,)}[kind]
    if type(value) not in types:
        raise SetupError(f"{name} must be of type {kind}, not {value!r:.40}")
    return float(value) if kind == "float" else value


def _in_range(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise SetupError(f"{name} must be {lowest:g} to {highest:g}, not {value!r:.40}")
