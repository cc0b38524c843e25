"""From a time to a plan: what this machine does in a second is measured first, then the plan is fixed."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

import numpy as np

from serai.bots.training.chunk_file import unpack
from serai.bots.training.pace import Pace
from serai.bots.training.plan import Chunk, TrainingPlan, check_seats, parse_budget
from serai.bots.training.selfplay import play_chunk
from serai.core.games import load, seat_counts
from serai.core.network_file import decode, encode
from serai.core.spec import Spec
from serai.search import Limits, Search
from serai.search.learn import Samples, Trainer

LEARNING: Final = 0.72  # of the budget, for self-play and fitting
GATING: Final = 0.22  # the rest is for measuring, starting, reading
PROBING: Final = 0.03  # of the budget, at most, for measuring
LONGEST_PROBE: Final = 20.0  # seconds
PROTOCOL: Final = 2.0  # how much longer a game takes in a tournament than the searches in it
FEWEST_GATE_GAMES: Final = 40
MOST_GATE_GAMES: Final = 2000


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
    chosen = seats if seats is not None else _all_seats(game)
    check_seats(game, chosen)
    plan = TrainingPlan(
        game,
        chosen,
        (1,) * len(chosen),
        seed,
        generations_for(seconds),
        gate_nodes=1000 if seconds >= 600 else 300,
        budget=budget,
    )
    return _Probe(plan, min(LONGEST_PROBE, PROBING * seconds)).fitted(seconds, jobs)


def _all_seats(game: str) -> tuple[int, ...]:
    check_seats(game, ())
    return tuple(seat_counts(game))


class _Probe:
    """Measures for some seconds how long things take."""

    def __init__(self, plan: TrainingPlan, seconds: float) -> None:
        self.plan = plan
        self._each = seconds / (len(plan.seats) + 2)
        made = load(Spec(plan.game, plan.seats[0]))
        self._trainer = Trainer(made.player_features, made.table_features, plan.seed)
        self._content = encode(self._trainer.arrays(), plan.game, {})
        self._samples = Samples()
        self._played = 0

    def fitted(self, seconds: float, jobs: int) -> tuple[TrainingPlan, Pace]:
        """The plan whose phases take the budget's seconds."""
        games = [self._seconds_a_game(seats) for seats in self.plan.seats]  # also gathers samples
        a_sample, a_game = self._seconds_a_sample(), len(self._samples) / self._played
        turns, handicap = self._gate_turn()
        rounds = sum(min(number + 1, self.plan.kept) for number in range(self.plan.generations))
        # A unit of work: each number of seats is played for one second.
        units = sum(1 / game for game in games)
        play = len(games) / jobs * self.plan.generations
        fit = units * a_game * a_sample * self.plan.epochs * rounds
        scale = LEARNING * seconds / (play + fit)
        gate = GATING * seconds / (self.plan.generations * len(games))
        gate_games = int(gate * jobs / (turns * a_game * PROTOCOL))
        plan = replace(
            self.plan,
            games=tuple(max(self.plan.chunk, round(scale / game)) for game in games),
            gate_games=min(MOST_GATE_GAMES, max(FEWEST_GATE_GAMES, gate_games)),
            handicap=handicap,
        )
        return plan, Pace(play * scale / self.plan.generations, fit * scale / rounds, gate)

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
        return (time.perf_counter() - began) / rounds / len(order)

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
            position = load(Spec(self.plan.game, self.plan.seats[0], seed=number)).start()
            for turn in range(20):
                position = position.apply(position.random_action(1000 * number + turn))
            search.run(position, limits)
            number += 1
        return (time.perf_counter() - began) / number
