"""The sequential test: its bounds, its calm at extremes, and its rates of error on simulated matches.

SERAI_TRIALS sets how many matches are simulated for each rate.
"""

from __future__ import annotations

import math
import os

import pytest
from tournament.truth import Truth, outcome

from serai.bots.tournament.outcome import Outcome, SprtState
from serai.bots.tournament.results import results
from serai.bots.tournament.sprt import Sprt, share_of_elo
from serai.core.errors import SetupError

TRIALS = int(os.environ.get("SERAI_TRIALS", "1000"))
HALF = Sprt(0.5, 0.6)


def elo(value: float) -> float:
    return value * math.log(10) / 400


# ---- bounds


@pytest.mark.parametrize(
    ("h0", "h1"), [(0.5, 0.5), (0.6, 0.5), (0.0, 0.5), (-0.1, 0.5), (0.5, 1.0), (0.5, 1.1), (math.nan, 0.5)]
)
def test_shares_that_make_no_test_are_refused(h0: float, h1: float) -> None:
    with pytest.raises(SetupError, match="0 < h0 < h1 < 1"):
        Sprt(h0, h1)


@pytest.mark.parametrize("rate", [0.0, -0.1, 0.5, 0.7, math.nan, math.inf])
@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_rates_of_error_that_make_no_test_are_refused(name: str, rate: float) -> None:
    with pytest.raises(SetupError, match=f"{name} must be above 0 and below 0.5"):
        Sprt(0.5, 0.6, **{name: rate})


def test_one_block_makes_no_test() -> None:
    with pytest.raises(SetupError, match="min_blocks of 2 or more, not 1"):
        Sprt(0.5, 0.6, min_blocks=1)


def test_bounds_are_walds() -> None:
    test = Sprt(0.5, 0.6, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_entrants_share_alike(seats: int) -> None:
    assert share_of_elo(0, seats) == pytest.approx(1 / seats)


def test_share_is_that_of_plackett_and_luce() -> None:
    means = Truth((elo(120), 0.0)).share_means((0, 1, 1, 1), 40_000, seed=1)
    assert means.mean() == pytest.approx(share_of_elo(120, 4), abs=0.004)
    assert share_of_elo(400) == pytest.approx(10 / 11)


# ---- on made-up blocks


def test_nothing_played_says_nothing() -> None:
    assert HALF.state([], 2) == SprtState(0.0, HALF.lower, HALF.upper, 0, 0.0, None)


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "H1"), (0.0, "H0"), (0.5, "H0"), (0.6, "H1")])
def test_blocks_all_alike_decide_late_and_with_finite_figures(share: float, verdict: str) -> None:
    few = HALF.state([share] * (HALF.min_blocks - 1), 2)
    many = HALF.state([share] * 1000, 2)
    assert few.verdict is None
    assert math.isfinite(few.llr)
    assert many.verdict == verdict
    assert math.isfinite(many.llr)
    assert many.blocks >= HALF.min_blocks


def test_blocks_in_the_middle_never_decide() -> None:
    state = Sprt(0.4, 0.6).state([0.0, 1.0] * 500, 2)
    assert state.verdict is None
    assert state.blocks == 1000
    assert state.mean == pytest.approx(0.5)
    assert state.llr == pytest.approx(0)


def test_what_comes_after_the_verdict_changes_nothing() -> None:
    means = [1.0, 0.5] * 20
    state = HALF.state(means, 2)
    assert state.verdict == "H1"
    assert state.blocks < 40
    assert HALF.state([*means, *[0.0] * 500], 2) == state


def test_more_games_in_a_block_weigh_more() -> None:
    means = [0.75, 0.5] * 5
    assert HALF.state(means, 4).llr > HALF.state(means, 2).llr > 0


def test_hypotheses_are_treated_alike() -> None:
    means = [0.75, 0.5, 1.0, 0.0, 0.5, 0.5, 0.75]
    one = Sprt(0.4, 0.6).state(means, 2)
    other = Sprt(0.4, 0.6).state([1 - mean for mean in means], 2)
    assert one.llr == pytest.approx(-other.llr)


# ---- rates of error

MATCHES = [(2, 0.0), (2, 0.5), (4, 0.0), (4, 0.5), (4, 0.9)]


@pytest.mark.parametrize(("seats", "deal"), MATCHES)
@pytest.mark.parametrize(("true", "wrong"), [(0, "H1"), (60, "H0")])
def test_errors_are_as_rare_as_asked(seats: int, deal: float, true: int, wrong: str) -> None:
    """At the bounds themselves, where they are most frequent; 5 % and twice the error of the simulation."""
    states = trials(seats, deal, true)
    wrongly = sum(state.verdict == wrong for state in states) / TRIALS
    undecided = sum(state.verdict is None for state in states) / TRIALS
    blocks = sum(state.blocks for state in states) / TRIALS
    print(f"{seats} seats, deal {deal}, true {true}: {wrong} {wrongly:.2%}, {blocks:.1f} blocks")
    assert wrongly <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / TRIALS)
    assert undecided < 0.01


def test_blocks_that_share_their_luck_decide_sooner() -> None:
    blocks = [sum(state.blocks for state in trials(2, deal, 60)) / TRIALS for deal in (0.0, 0.5, 0.9)]
    assert blocks[0] > 1.2 * blocks[1] > 1.5 * blocks[2]


def trials(seats: int, deal: float, true: int, longest: int = 600) -> list[SprtState]:
    """Matches of one entrant, ``true`` Elo better than the field, tested for 0 against 60."""
    test = Sprt(share_of_elo(0, seats), share_of_elo(60, seats))
    truth, table = Truth((elo(true), 0.0), deal), (0,) + (1,) * (seats - 1)
    means = truth.share_means(table, TRIALS * longest, seed=seats + true)
    return [test.state(map(float, each), seats) for each in means.reshape(TRIALS, longest)]


# ---- in a tournament


def match(blocks: int) -> list[Outcome]:
    return Truth((1.0, 0.0), 0.5).outcomes([(0, 1)] * blocks, seed=4)


def test_it_is_of_the_first_entrant() -> None:
    result = results(["a", "b"], match(60), 2, HALF, bootstrap=0)
    assert result.sprt is not None
    assert result.sprt.verdict == "H1"
    other = [
        outcome(game.block, game.game, tuple(1 - each for each in game.seating), game.ranks)
        for game in match(60)
    ]
    mirrored = results(["b", "a"], other, 2, HALF, bootstrap=0)
    assert mirrored.sprt is not None
    assert mirrored.sprt.verdict == "H0"


def test_a_block_that_lacks_a_game_holds_up_those_after_it() -> None:
    games = match(60)
    states = [
        results(["a", "b"], kept, 2, HALF, bootstrap=0).sprt
        for kept in (games[:6], games[:7] + games[8:], games[2:])
    ]
    assert [state and state.blocks for state in states] == [3, 3, 0]
    assert states[0] == states[1]


def test_sizes_by_block_say_which_blocks_are_planned() -> None:
    games = [game for game in match(20) if game.block != 5]
    sizes = {block: 2 for block in range(20) if block != 5}
    whole, planned = (results(["a", "b"], games, size, Sprt(0.5, 0.51), bootstrap=0) for size in (2, sizes))
    assert whole.sprt is not None
    assert planned.sprt is not None
    assert (whole.sprt.blocks, planned.sprt.blocks) == (5, 19)


def test_void_games_are_there_and_dont_count() -> None:
    games = match(4)
    void = [outcome(4, game, (game, 1 - game), (1, 2), void=True) for game in range(2)]
    half = [outcome(5, 0, (0, 1), (1, 2)), outcome(5, 1, (1, 0), (1, 2), void=True)]
    state = results(["a", "b"], games + void + half, 2, HALF, bootstrap=0).sprt
    plain = results(["a", "b"], games, 2, HALF, bootstrap=0).sprt
    assert state is not None
    assert plain is not None
    assert state.blocks == 5
    assert state.mean == pytest.approx((4 * plain.mean + 1) / 5)


def test_blocks_without_the_first_entrant_are_passed_over() -> None:
    games = Truth((0.0, 0.0, 0.0)).outcomes([(0, 1), (1, 2), (2, 0)] * 4, seed=1)
    state = results(["a", "b", "c"], games, 2, Sprt(0.5, 0.51), bootstrap=0).sprt
    assert state is not None
    assert state.blocks == 8
