"""Games to learn from: functions of a plan, a number and a network alone; any machine may play them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from serai.bots.schedule import seed_from
from serai.bots.training.chunk_file import pack
from serai.bots.training.plan import Chunk, TrainingPlan
from serai.core.errors import NetworkError
from serai.core.game import Position
from serai.core.games import load
from serai.core.network import Network
from serai.core.network_file import decode
from serai.core.spec import Spec
from serai.search import Limits, Planner, Search
from serai.search.params import SearchParams
from serai.search.planner import greedy
from serai.search.report import Line
from serai.search.samples import Samples

LONGEST: Final = 2000  # decisions; a longer game is left out
WIDTHS: Final = (20, 40)  # of the planners' beams
DEPTH: Final = 9  # own turns they look ahead
HASH_MB: Final = 4
# Told in full: equal plans must give equal games after the defaults have changed.
PARAMS: Final = SearchParams(
    exploration=0.3,
    first_play=0.1,
    prior_temperature=0.05,
    planner_prior=0.9,
    planner_visits=0,
    planner_width=WIDTHS[1],
    planner_depth=DEPTH,
    planner_trust=0.04,
    network_trust=0.005,
    network_share=0.7,
    network_prior=1.0,
    paranoid=False,
    use_book=True,
    rollout="evaluate",
    priors=True,
)
BOOK: Final = 0.75  # share of the seats that know the opening book
CALM: Final = 0.3  # share of the games that begin without random decisions


@dataclass(frozen=True)
class Sample:
    """A position and what came of it, by seat. ``win``: shares of the win; ``points``: final ones."""

    position: Position
    win: tuple[float, ...]
    points: tuple[float, ...]
    chosen: str | None  # token of a strong player's decision


Seen = tuple[Position, Line | None, str | None]  # what a good search thought of it; a strong player's choice


@dataclass(frozen=True)
class Manner:
    """How a seat plays in one game."""

    style: str
    networked: bool
    effort: float  # times the plan's nodes
    width: int
    book: bool


class Table:
    """Everybody who plays, kept from game to game: what they allocate is worth keeping."""

    def __init__(self, network: Network | None) -> None:
        self._planners = {width: Planner(width, DEPTH) for width in WIDTHS}
        self._searches = {
            networked: Search(HASH_MB, 1, 0, PARAMS, network if networked else None)
            for networked in (False, True)
        }

    def clear(self) -> None:
        """Forget the last game."""
        for search in self._searches.values():
            search.clear()

    def choose(self, position: Position, manner: Manner, nodes: int, seed: int) -> tuple[str, Line | None]:
        """The token that a manner plays, and what its search, if it has one, thought of it."""
        if manner.style == "planner":
            return self._planners[manner.width].plan(position, seed, manner.book).best, None
        if manner.style == "greedy":
            return greedy(position, seed), None
        search = self._searches[manner.networked]
        found = search.run(position, Limits(nodes=nodes), advice=manner.style == "advised")
        return found.best, found.lines[0]


def play_chunk(plan: TrainingPlan, chunk: Chunk, network: bytes | None) -> bytes:
    """The samples of a chunk, as the content of its file; the same bytes for the same arguments.

    ``network``: a network file's content, of the best network so far; None: there is none yet. Raises
    NetworkError if it isn't for the game as it is here.
    """
    best = None if network is None else decode(network)
    if best is not None and not best.fits(load(plan.set_ups(chunk.seats)[0])):
        raise NetworkError(
            f"the network doesn't fit {plan.game} as it is here: is this another version of Serai?"
        )
    table = Table(best)
    samples = Samples()
    for game in range(chunk.first, chunk.first + chunk.games):
        for sample in play_game(plan, chunk.seats, game, table, network is not None):
            samples.add(sample.position, sample.win, sample.points, game, sample.chosen)
    return pack(plan.identity, chunk, samples.to_data())


def play_game(
    plan: TrainingPlan, seats: int, number: int, table: Table, has_network: bool
) -> Iterator[Sample]:
    """Open decisions of a game as samples, except those made at random; none if it doesn't end."""
    numbers = Random(seed_from(plan.seed, "self-play", number))
    position = load(draw_set_up(plan, seats, numbers)).start()
    manners = draw_manners(plan, seats, numbers, has_network)
    noise = numbers.choice((0.5, 1.0, 1.5)) * plan.random_moves
    opening = 0 if numbers.random() < CALM else numbers.randint(0, plan.opening * seats)
    seen: list[Seen] = []
    table.clear()
    for decision in range(LONGEST):
        if position.is_over:
            return _samples(seen, position, plan.result_share)
        if len(actions := position.legal_actions()) == 1:
            position = position.apply(actions[0])
        elif decision < opening or numbers.random() < noise:
            position = position.apply(position.random_action(numbers.getrandbits(63)))
        else:
            manner = manners[position.to_act]
            kept = numbers.random() < plan.sampled
            nodes = max(2, round(manner.effort * (plan.sample_nodes if kept else plan.nodes)))
            token, line = table.choose(position, manner, nodes, numbers.getrandbits(63))
            if kept:
                thought = line if manner.networked == has_network else None
                seen.append((position, thought, token if teaches(manner, has_network) else None))
            position = position.apply(token)
    return iter(())


def draw_set_up(plan: TrainingPlan, seats: int, numbers: Random) -> Spec:
    """One of the plan's variants, all equally likely, with a deal of its own."""
    set_ups = plan.set_ups(seats)
    chosen = set_ups[0] if len(set_ups) == 1 else numbers.choice(set_ups)
    return replace(chosen, seed=numbers.getrandbits(40))


def draw_manners(plan: TrainingPlan, seats: int, numbers: Random, has_network: bool) -> list[Manner]:
    """How each seat plays. In part of the games all alike: else a weak style's habits look like faults."""
    names, shares = zip(*plan.styles, strict=True)
    drawn = [
        Manner(
            style=style,
            networked=has_network and numbers.random() < plan.networked,
            effort=numbers.choice((0.5, 1, 2)),
            width=numbers.choice(WIDTHS),
            book=numbers.random() < BOOK,
        )
        for style in numbers.choices(names, shares, k=seats)
    ]
    if numbers.random() < plan.alike:
        drawn = [replace(drawn[0], book=manner.book) for manner in drawn]
    return drawn


def teaches(manner: Manner, has_network: bool) -> bool:
    """Whether its choices are worth learning: only the best; planners, too, until there is a network."""
    if manner.style == "advised":
        return manner.networked == has_network
    return manner.style == "planner" and not has_network


def _samples(seen: list[Seen], end: Position, share: float) -> Iterator[Sample]:
    """In order; where no search thought, the next one's thought serves, and the result if there is none."""
    win, points = tuple(end.returns()), tuple(map(float, end.scores()))
    thought_win, thought_points, samples = win, points, []
    for position, line, chosen in reversed(seen):
        if line is not None:
            thought_win, thought_points = line.win, line.points
        targets = _blend(win, thought_win, share), _blend(points, thought_points, share)
        samples.append(Sample(position, *targets, chosen))
    return reversed(samples)


def _blend(result: tuple[float, ...], thought: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple(share * a + (1 - share) * b for a, b in zip(result, thought, strict=True))
