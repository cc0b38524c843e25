"""Ratings: entrants of known strength are recovered, and the intervals hold what they promise.

SERAI_REPETITIONS sets how many tournaments are simulated for each coverage.
"""

from __future__ import annotations

import itertools
import math
import os
import sys
from collections.abc import Sequence
from random import Random

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.truth import Truth, outcome

from serai.bots.tournament.luce import choices
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.ratings import ELO, MIN_BLOCKS, Ratings, rate
from serai.core.errors import SetupError

REPETITIONS = int(os.environ.get("SERAI_REPETITIONS", "100"))
RESAMPLES = 400
THREES = tuple(itertools.combinations(range(4), 3))


def rated(games: Sequence[Outcome], resamples: int = RESAMPLES) -> Ratings:
    return rate(games, resamples, lambda done: None)


def duel(block: int, first: int, second: int, ranks: tuple[int, int] = (1, 2)) -> list[Outcome]:
    """A block in which the first seat's entrant has the same luck in both seats."""
    return [
        outcome(block, 0, (first, second), ranks),
        outcome(block, 1, (second, first), (ranks[1], ranks[0])),
    ]


def centred(truth: Truth) -> list[float]:
    mean = sum(truth.strengths) / len(truth.strengths)
    return [ELO * (strength - mean) for strength in truth.strengths]


# ---- known truth


@pytest.mark.parametrize(
    ("truth", "tables"),
    [
        (Truth((0.0, 0.3, 0.6, 0.9), 0.5), THREES * 500),
        (Truth((0.5, 0.0), 0.9), ((0, 1, 1, 1),) * 1000),
        (Truth((-1.0, 0.0, 2.0)), ((0, 1), (1, 2), (0, 2)) * 1000),
        (Truth((1.0, 0.5, 0.0, -0.5, -1.0)), ((0, 1, 2, 3, 4),) * 400),
    ],
    ids=["pool", "field", "wide", "five"],
)
def test_strengths_are_recovered(truth: Truth, tables: Sequence[tuple[int, ...]]) -> None:
    found = rated(truth.outcomes(tables, seed=1), 0)
    assert [found.values[entrant] for entrant in sorted(found.values)] == pytest.approx(
        centred(truth), abs=15
    )


@pytest.mark.parametrize(
    ("truth", "tables"),
    [
        (Truth((0.0, 1.0), 0.5), ((0, 1),) * 12),
        (Truth((0.0, 0.3, 0.6, 0.9), 0.5), THREES * 5),
        (Truth((0.7, 0.0), 0.8), ((0, 1, 1, 1),) * 15),
        (Truth((0.0, 1.5, 3.0, 5.0)), ((0, 1, 2, 3),) * 20),
        (Truth((3.0, 0.0)), ((0, 1),) * 20),
    ],
    ids=["two", "pool", "field", "spread", "nearly-always"],
)
def test_intervals_cover_the_truth(truth: Truth, tables: Sequence[tuple[int, ...]]) -> None:
    true, hits = centred(truth), [0] * len(truth.strengths)
    for seed in range(REPETITIONS):
        intervals = rated(truth.outcomes(tables, seed)).intervals
        for entrant, (low, high) in intervals.items():
            hits[entrant] += low <= true[entrant] <= high
    print(f"{truth}: covered in {[f'{each / REPETITIONS:.1%}' for each in hits]}")
    assert min(hits) >= 0.9 * REPETITIONS


def test_superiority_is_a_probability_of_the_truth() -> None:
    """Equal entrants: below a tenth in about a tenth of the tournaments."""
    truth = Truth((0.0, 0.0), 0.5)
    sure = [rated(truth.outcomes([(0, 1)] * 30, seed), 200).superiority[0, 1] for seed in range(200)]
    assert 0.04 <= sum(each < 0.1 for each in sure) / 200 <= 0.18
    assert 0.4 <= sum(each < 0.5 for each in sure) / 200 <= 0.6


# ---- against choix


def test_resamples_solve_what_choix_solves() -> None:
    """A block of weight 2 is one that is there twice; copies in one game are no special case."""
    random = Random(5)
    orders = [(block, random.sample([0, 1, 2, 2, 3], 4)) for block in range(30) for _ in range(3)]
    weights = [random.randrange(3) for _ in range(30)]
    twice = [order for block, order in orders for _ in range(weights[block])]
    expected = choix.ilsr_rankings(4, twice, alpha=0.5 / 4)
    found = choices(orders, 4).solve(np.array([weights], float), np.full((1, 4), 0.5), np.zeros(4))[0]
    assert found == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_likelihood_is_at_its_top() -> None:
    """Each entrant has won as many choices as expected, those of the pool among them; with copies too."""
    games = Truth((0.7, 0.0)).outcomes([(0, 1, 1, 1)] * 20, seed=3)
    theta = [value / ELO for _, value in sorted(rated(games, 0).values.items())]
    surplus = 0.5 - expected_first(theta, (0, 1))
    for game in games:
        order = [game.seating[seat] for seat in sorted(range(4), key=lambda seat: game.ranks[seat])]
        for place in range(3):
            surplus += (order[place] == 0) - expected_first(theta, order[place:])
    assert surplus == pytest.approx(0, abs=1e-6)


def expected_first(theta: Sequence[float], among: Sequence[int]) -> float:
    strengths = [math.exp(theta[entrant]) for entrant in among]
    chance = sum(strengths[i] for i, entrant in enumerate(among) if entrant == 0) / sum(strengths)
    return chance


def test_without_choix_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(SetupError, match=r"pip install 'serai\[tournament\]'"):
        rated(duel(0, 0, 1))


# ---- special cases


def test_always_level_is_equally_strong() -> None:
    games = [outcome(0, turn, (turn, (turn + 1) % 3, (turn + 2) % 3), (1, 1, 1)) for turn in range(3)]
    assert list(rated(games).values.values()) == pytest.approx([0, 0, 0], abs=1e-6)


def test_level_is_equal_though_the_seats_never_change() -> None:
    pairs = rated([outcome(block, 0, (0, 1), (1, 1)) for block in range(20)])
    assert list(pairs.values.values()) == pytest.approx([0, 0], abs=1e-6)
    behind = rated([outcome(block, 0, (2, 0, 1), (1, 2, 2)) for block in range(20)])
    assert behind.values[0] == pytest.approx(behind.values[1])


def test_level_is_worth_half_a_win() -> None:
    drawn = [game for block in range(20) for game in duel(block, 0, 1, (1, 1) if block % 2 else (1, 2))]
    split = [
        game for block in range(20) for game in (duel(block, 1, 0) if block % 4 == 1 else duel(block, 0, 1))
    ]
    assert rated(drawn, 0).values == pytest.approx(rated(split, 0).values)


@pytest.mark.parametrize("blocks", [20, 100])
def test_one_that_always_wins_is_finite_and_surely_better(blocks: int) -> None:
    found = rated([game for block in range(blocks) for game in duel(block, 0, 1)])
    low, high = found.intervals[0]
    assert 0 < low < found.values[0] < high < 2000
    assert 0.99 < found.superiority[0, 1] < 1
    # half the gap, since the mean is 0; without a loss in so many games, 2.5 % is a chance of 1 loss in …
    loss = 1 - 0.025 ** (1 / (2 * blocks))
    assert 2 * low == pytest.approx(400 * math.log10((1 - loss) / loss), abs=60)


def test_one_that_always_wins_is_rated_higher_the_longer_it_does() -> None:
    short, long = (rated([game for block in range(n) for game in duel(block, 0, 1)], 0) for n in (10, 100))
    assert long.values[0] > short.values[0] + 100


def test_few_blocks_give_ratings_without_intervals() -> None:
    one = rated(duel(0, 0, 1))
    assert one.values[0] > 0
    assert one.intervals == {}
    assert one.superiority == {}
    games = [game for block in range(MIN_BLOCKS) for game in duel(block, 0, 1)]
    assert rated(games).intervals.keys() == {0, 1}
    assert rated(games[:-2]).intervals == {}


def test_interval_needs_blocks_of_ones_own() -> None:
    games = [game for block in range(20) for game in duel(block, 0, 1)] + duel(20, 1, 2)
    found = rated(games)
    assert found.values.keys() == {0, 1, 2}
    assert found.intervals.keys() == {0, 1}
    assert found.superiority.keys() == {(0, 1), (1, 0)}


def test_without_resamples_there_are_only_values() -> None:
    found = rated(Truth((0.0, 1.0)).outcomes([(0, 1)] * 20, seed=1), 0)
    assert found.values.keys() == {0, 1}
    assert found.intervals == {}


def test_groups_that_never_met_have_no_ratings() -> None:
    apart = [game for block in range(20) for game in duel(block, 2 * (block % 2), 2 * (block % 2) + 1)]
    assert rated(apart) == Ratings()
    assert rated(apart + duel(20, 1, 2), 0).values.keys() == {0, 1, 2, 3}


def test_games_against_oneself_say_nothing() -> None:
    selfish = [outcome(block, 0, (2, 2), (1, 2)) for block in range(20)]
    assert rated(selfish) == Ratings()
    games = [game for block in range(20, 40) for game in duel(block, 0, 1)]
    assert rated(selfish + games) == rated(games)


def test_nothing_played_gives_nothing() -> None:
    assert rated([]) == Ratings()


def test_progress_rises_to_1() -> None:
    seen: list[float] = []
    rate(Truth((0.0, 1.0)).outcomes([(0, 1)] * 20, seed=1), 130, seen.append)
    assert seen == sorted(set(seen))
    assert len(seen) > 1
    assert seen[-1] == 1


def test_names_dont_matter() -> None:
    """Entrants numbered otherwise have the same ratings, and about the same intervals."""
    truth = Truth((0.0, 0.3, 0.6, 0.9))
    plain = rated(truth.outcomes(THREES * 10, seed=1))
    turned = [
        outcome(game.block, game.game, tuple(3 - entrant for entrant in game.seating), game.ranks)
        for game in truth.outcomes(THREES * 10, seed=1)
    ]
    other = rated(turned)
    assert [other.values[3 - entrant] for entrant in range(4)] == pytest.approx(
        [plain.values[entrant] for entrant in range(4)], abs=1e-3
    )
    assert other.intervals[3] == pytest.approx(plain.intervals[0], abs=25)


def test_a_large_pool_takes_little_memory_at_once() -> None:
    random = Random(1)
    tables = [tuple(random.sample(range(30), 4)) for _ in range(400)]
    games = Truth(tuple(entrant / 30 for entrant in range(30))).outcomes(tables, seed=1)
    orders = [(game.block, game.seating) for game in games]
    assert choices(orders, 30).rows < 50
    assert len(rated(games, 30).values) == 30


RANKS = st.lists(st.integers(1, 3), min_size=3, max_size=3).map(
    lambda places: tuple(1 + sum(other < place for other in places) for place in places)
)
TABLES = st.permutations(range(3)) | st.just([0, 1, 1]) | st.just([2, 2, 0])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(TABLES, RANKS), min_size=1, max_size=24))
def test_figures_are_always_finite(games: list[tuple[list[int], tuple[int, ...]]]) -> None:
    found = rated([outcome(i // 2, i % 2, tuple(table), ranks) for i, (table, ranks) in enumerate(games)], 40)
    assert all(math.isfinite(value) for value in found.values.values())
    assert math.isclose(sum(found.values.values()), 0, abs_tol=1e-6)
    assert all(-math.inf < low <= high < math.inf for low, high in found.intervals.values())
    for (first, second), sure in found.superiority.items():
        assert 0 < sure < 1
        assert sure + found.superiority[second, first] == pytest.approx(1)
