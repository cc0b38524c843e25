"""From a time to a plan: what this machine does in a second is measured first, then the plan is fixed."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

import numpy as np

from serai.bots.training.chunk_file import unpack
from serai.bots.training.pace import Pace
from serai.bots.training.plan import (
    Chunk,
    TrainingPlan,
    all_seats,
    all_variants,
    check_seats,
    parse_budget,
    playable,
)
from serai.bots.training.selfplay import play_chunk
from serai.core.games import load
from serai.core.network import shape_of
from serai.core.network_file import decode, encode
from serai.search import Limits, Search, has_planner
from serai.search.learn import Trainer
from serai.search.samples import Samples

LEARNING: Final = 0.72  # of the budget, for self-play and fitting
GATING: Final = 0.22  # the rest is for measuring, starting, reading
PROBING: Final = 0.03  # of the budget, at most, for measuring
LONGEST_PROBE: Final = 20.0  # seconds
MEMORY: Final = 2.0  # how much longer a sample takes out of many than out of the few that are measured
MOST_SAMPLES: Final = 4_000_000  # that are learned from at a time; about 1 GB, 3 GB while they are read
PROTOCOL: Final = 2.0  # how much longer a game takes in a tournament than the searches in it
FEWEST_GATE_GAMES: Final = 40
MOST_GATE_GAMES: Final = 2000
UNADVISED: Final = (("advised", 0.9), ("greedy", 0.1))  # styles for a game without a planner


def generations_for(seconds: float) -> int:
    """How many generations are worth it: a network that was learned from little makes poor games.

    >>> generations_for(60), generations_for(300), generations_for(1800)
    (1, 2, 3)
    """
    return 1 if seconds < 180 else 2 if seconds < 900 else 3


def make_plan(
    game: str, seats: tuple[int, ...] | None, seed: int, budget: str, jobs: int
) -> tuple[TrainingPlan, Pace]:
    """The plan that fits a budget here, and how long its phases will take; raises SetupError."""
    seconds = parse_budget(budget)
    variants = all_variants(game)
    chosen = seats if seats is not None else all_seats(game, variants)
    check_seats(game, chosen, variants)
    styles = TrainingPlan.styles
    if not has_planner(load(playable(game, variants, chosen[0])[0])):
        styles = UNADVISED
    plan = TrainingPlan(
        game,
        chosen,
        (1,) * len(chosen),
        variants,
        seed,
        generations_for(seconds),
        styles=styles,
        gate_nodes=1000 if seconds >= 600 else 300,
        budget=budget,
    )
    return _Probe(plan, min(LONGEST_PROBE, PROBING * seconds)).fitted(seconds, jobs)


def _clamped(games: float) -> int:
    return min(MOST_GATE_GAMES, max(FEWEST_GATE_GAMES, int(games)))


class _Probe:
    """Measures for some seconds how long things take."""

    def __init__(self, plan: TrainingPlan, seconds: float) -> None:
        self.plan = plan
        self._each = seconds / (len(plan.seats) + 2)
        made = load(plan.set_ups(plan.seats[0])[0])
        self._trainer = Trainer(*shape_of(made), plan.seed)
        self._content = encode(self._trainer.arrays(), plan.game, {})
        self._samples = Samples()
        self._played = 0

    def fitted(self, seconds: float, jobs: int) -> tuple[TrainingPlan, Pace]:
        """The plan whose phases take the budget's seconds."""
        plan = self.plan
        games = [self._seconds_a_game(seats) for seats in plan.seats]  # also gathers samples
        a_sample, a_game = self._seconds_a_sample(), len(self._samples) / self._played
        kept = [min(number + 1, plan.kept) for number in range(plan.generations)]
        # Each number of seats is played for a second in each generation; that is to be scaled up. The samples
        # are as many as ``plan.sampled`` makes them, or fewer if they would be too many.
        samples = sum(1 / game for game in games) * a_game
        play = len(games) / jobs * plan.generations
        fit = samples * a_sample * plan.epochs * sum(kept)
        scale, part = 0.0, 1.0
        for _ in range(5):
            scale = LEARNING * seconds / (play + fit * part)
            part = min(1.0, MOST_SAMPLES / (scale * samples * max(kept)))
        turn, handicap = self._gate_turn()
        gate = GATING * seconds / (plan.generations * len(games))
        made = replace(
            plan,
            games=tuple(max(plan.chunk, round(scale / game)) for game in games),
            sampled=round(max(0.01, plan.sampled * part), 2),
            gate_games=_clamped(gate * jobs / (turn * a_game / plan.sampled * PROTOCOL)),
            handicap=handicap,
        )
        return made, Pace(play * scale / plan.generations, fit * part * scale / sum(kept), gate)

    def _seconds_a_game(self, seats: int) -> float:
        """With a network for half of the games."""
        began, number = time.perf_counter(), 0
        while number < 2 or time.perf_counter() < began + self._each:
            chunk = Chunk(0, seats, number, -1000 * seats - 4 * number, 4)
            content = play_chunk(self.plan, chunk, self._content if number % 2 else None)
            self._samples.add_data(unpack(content, self.plan.identity, chunk))
            number += 1
        self._played += 4 * number
        return (time.perf_counter() - began) / (4 * number)

    def _seconds_a_sample(self) -> float:
        order = np.arange(len(self._samples), dtype=np.int32)
        began, rounds = time.perf_counter(), 0
        while rounds < 2 or time.perf_counter() < began + self._each:
            self._trainer.epoch(self._samples, order, self.plan.rate)
            rounds += 1
        return MEMORY * (time.perf_counter() - began) / rounds / len(order)

    def _gate_turn(self) -> tuple[float, float]:
        """Seconds of a decision in a gate, and how many times faster nodes are without a network."""
        times = []
        for network in (decode(self._content), None):
            search = Search(16, network=network)
            times.append(self._search_time(search))
        return sum(times) / 2, round(min(10.0, max(1.0, times[0] / times[1])), 1)

    def _search_time(self, search: Search) -> float:
        limits = Limits(nodes=self.plan.gate_nodes)
        began, number = time.perf_counter(), 0
        while number < 10 or time.perf_counter() < began + self._each / 2:
            spec = self.plan.set_ups(self.plan.seats[0])[0]
            position = load(replace(spec, seed=number)).start()
            for turn in range(20):
                position = position.apply(position.random_action(1000 * number + turn))
            search.run(position, limits)
            number += 1
        return (time.perf_counter() - began) / number
