"""What blocks are worth: the variance ratio is the true one where that is known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import pytest
from tournament.truth import Truth

from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.results import results


def ratio(games: Sequence[Outcome], size: int = 2, entrants: int = 2) -> float | None:
    return results(["ann", "bob", "cy"][:entrants], games, size, bootstrap=0).variance_ratio


@pytest.mark.parametrize("deal", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("table", [(0, 1), (0, 1, 2), (0, 1, 1, 1)])
def test_variance_ratio_is_the_true_one(deal: float, table: tuple[int, ...]) -> None:
    truth = Truth((0.0,) * len(set(table)), deal)
    games = truth.outcomes([table] * 3000, seed=5)
    found = ratio(games, len(table), len(set(table)))
    print(f"table {table}, deal {deal}: ratio {found or 0:.3f}, true {truth.variance_ratio:.3f}")
    assert found == pytest.approx(truth.variance_ratio, rel=0.07)


def test_variance_ratio_of_few_blocks_isnt_biased() -> None:
    """The variances themselves are unbiased, so they're averaged before the division."""
    games = Truth((0.0, 0.7)).outcomes([(0, 1)] * 6000, seed=7)
    few = [ratio(games[i : i + 24]) for i in range(0, 12_000, 24)]
    assert sum(1 / each for each in few if each) / len(few) == pytest.approx(1, abs=0.05)


def test_variance_ratio_compares_within_tables() -> None:
    """Weak and strong opponents alone make no difference between blocks that would count against them."""
    truth = Truth((0.0, 2.0, -2.0))
    mixed = ratio(truth.outcomes([(0, 1), (0, 2), (1, 2)] * 1000, seed=1), 2, 3)
    assert mixed == pytest.approx(1, abs=0.07)


def test_blocks_even_out_a_good_seat() -> None:
    truth = Truth((0.0, 0.0), seats=(math.log(3), 0.0))
    found = ratio(truth.outcomes([(0, 1)] * 3000, seed=1))
    assert found == pytest.approx(0.25 / (0.75 * 0.25), rel=0.07)


def test_blocks_of_one_game_are_worth_a_game() -> None:
    games = [
        dataclasses.replace(game, block=2 * game.block + game.game, game=0)
        for game in Truth((0.0, 1.0)).outcomes([(0, 1)] * 30, seed=1)
    ]
    assert ratio(games, 1) == pytest.approx(1)


def test_blocks_that_never_vary_have_no_ratio() -> None:
    games = Truth((0.0, 0.0), 1.0).outcomes([(0, 1)] * 30, seed=1)
    assert ratio(games) is None
