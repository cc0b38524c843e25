"""The figures of a tournament: small ones by hand, large ones against known truth, in whatever order."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import time
from collections.abc import Sequence
from random import Random
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.truth import Truth, outcome

from serai.bots.tournament.outcome import EntrantRow, Outcome, Results
from serai.bots.tournament.results import results
from serai.bots.tournament.sprt import Sprt
from serai.core.errors import RecordError

NAMES = ["ann", "bob", "cy", "dee"]
THREES = tuple(itertools.combinations(range(4), 3))


def quick(games: Sequence[Outcome], size: int = 2, entrants: int = 2) -> Results:
    return results(NAMES[:entrants], games, size, bootstrap=0)


def row(result: Results, entrant: int) -> EntrantRow:
    return next(each for each in result.entrants if each.entrant == entrant)


def two_blocks() -> list[Outcome]:
    """Ann wins both games of the first deal, and the second one is shared out."""
    return [
        outcome(0, 0, (0, 1), (1, 2), scores=(60, 50)),
        outcome(0, 1, (1, 0), (2, 1), scores=(40, 70)),
        outcome(1, 0, (0, 1), (1, 1), scores=(55, 55), shares=(0.5, 0.5)),
        outcome(1, 1, (1, 0), (1, 2), scores=(80, 45)),
    ]


# ---- by hand


def test_entrants_by_hand() -> None:
    ann, bob = quick(two_blocks()).entrants
    assert (ann.name, bob.name) == ("ann", "bob")
    assert (ann.games, ann.par, ann.place) == (4, 0.5, 1.25)
    assert ann.share.mean == 0.625
    assert ann.share.se == pytest.approx(stdev([1.0, 0.25]) / math.sqrt(2))
    assert bob.share.mean == 0.375
    assert bob.share.se == pytest.approx(ann.share.se)
    assert ann.points.mean == 57.5
    assert ann.points.se == pytest.approx(stdev([65, 50]) / math.sqrt(2))


def test_game_figures_by_hand() -> None:
    result = quick([*two_blocks(), outcome(2, 0, (0, 1), (1, 2), ended="stopped", scores=(1, 0))])
    assert (result.games, result.void, result.unfinished) == (5, 0, 1)
    assert (result.blocks, result.shared_wins) == (2, 1)
    assert result.winner_points == (60 + 70 + 55 + 80 + 1) / 5
    assert result.turns.mean == 40


def test_seats_by_hand() -> None:
    first, second = quick(two_blocks()).seats
    assert (first.seat, second.seat) == (0, 1)
    assert first.share.mean == (1 + 0 + 0.5 + 1) / 4
    assert first.share.se == pytest.approx(stdev([0.5, 0.75]) / math.sqrt(2))
    assert second.points.mean == (50 + 70 + 55 + 45) / 4
    assert first.place == (1 + 2 + 1 + 1) / 4


def test_pairs_by_hand() -> None:
    pairs = quick(two_blocks()).pairs
    assert pairs.keys() == {(0, 1), (1, 0)}
    assert pairs[0, 1].games == pairs[1, 0].games == 4
    assert pairs[0, 1].ahead.mean == (1 + 1 + 0.5 + 0) / 4
    assert pairs[1, 0].ahead.mean == 1 - pairs[0, 1].ahead.mean
    assert pairs[0, 1].ahead.se == pytest.approx(stdev([1.0, 0.25]) / math.sqrt(2))


def test_time_by_hand() -> None:
    games = [
        outcome(0, 0, (0, 1), (1, 2), wall=(100.0, 9.0), own=(80.0, None), decisions=(10, 3), turns=(5, 3)),
        outcome(0, 1, (1, 0), (1, 2), wall=(1.0, 300.0), own=(None, None), decisions=(0, 10), turns=(3, 15)),
    ]
    ann, bob = (row(quick(games), entrant) for entrant in range(2))
    assert (ann.ms_move, ann.ms_turn, ann.ms_gap) == (20.0, 20.0, 2.0)
    assert ann.turns == 10
    assert (bob.ms_move, bob.ms_gap) == (pytest.approx(10 / 3), None)


def test_no_decisions_take_no_time() -> None:
    games = [outcome(0, 0, (0, 1), (1, 2), wall=(0.0, 0.0), decisions=(0, 0), turns=(0, 0))]
    ann = row(quick(games), 0)
    assert (ann.ms_move, ann.ms_turn, ann.ms_gap) == (None, None, None)


# ---- blocks


def test_one_block_has_no_error() -> None:
    result = results(NAMES[:2], two_blocks()[:2], 2)
    assert result.blocks == 1
    assert row(result, 0).share == dataclasses.replace(row(result, 0).share, mean=1.0, se=None)
    assert result.turns.se is None
    assert row(result, 0).rating is not None
    assert row(result, 0).interval is None
    assert result.variance_ratio is None


def test_rounding_isnt_a_deviation_between_blocks() -> None:
    """15 / 22 · 22 isn't 15 in floating point."""
    games = [outcome(0, game, (0, 1), (1, 2) if game < 15 else (2, 1)) for game in range(22)]
    assert row(quick(games, 22), 0).share.se is None


def test_incomplete_blocks_count_in_the_mean_and_not_in_the_error() -> None:
    whole = row(quick(two_blocks()), 0)
    more = row(quick([*two_blocks(), outcome(2, 0, (0, 1), (1, 2))]), 0)
    assert more.share.mean == (4 * whole.share.mean + 1) / 5
    assert more.share.se == pytest.approx(whole.share.se)


def test_sizes_by_block() -> None:
    games = [*two_blocks(), outcome(2, 0, (0, 1), (1, 2))]
    assert results(NAMES[:2], games, {0: 2, 1: 2, 2: 1}, bootstrap=0).blocks == 3
    assert results(NAMES[:2], games, {0: 2, 1: 3, 2: 1}, bootstrap=0).blocks == 2
    assert results(NAMES[:2], games, {0: 2}, bootstrap=0).blocks == 1


def test_games_of_a_block_arent_independent_evidence() -> None:
    """Twice the games that say the same leave the error as it is."""
    once = Truth((0.5, 0.0)).outcomes([(0, 1)] * 50, seed=1)
    twice = once + [dataclasses.replace(game, game=game.game + 2) for game in once]
    assert row(quick(twice, 4), 0).share.se == pytest.approx(row(quick(once), 0).share.se)


def test_errors_are_those_of_repeated_tournaments() -> None:
    truth, tables = Truth((0.4, 0.0, 0.0), 0.7), [(0, 1, 2)] * 40
    shares = [row(quick(truth.outcomes(tables, seed), 3, 3), 0).share for seed in range(200)]
    spread = stdev(share.mean for share in shares)
    claimed = math.sqrt(sum((share.se or 0) ** 2 for share in shares) / 200)
    assert claimed == pytest.approx(spread, rel=0.15)


# ---- void, faults, copies


def test_void_games_only_count_as_void() -> None:
    void = [
        outcome(2, 0, (0, 1), (1, 2), void=True, faults=((1, "crash"),)),
        outcome(2, 1, (1, 0), (1, 2), void=True, ended="fault"),
    ]
    plain, result = results(NAMES[:2], two_blocks(), 2), results(NAMES[:2], two_blocks() + void, 2)
    assert (result.void, result.blocks) == (2, 3)
    assert row(result, 1).void_faults == {"crash": 1}
    bare = [dataclasses.replace(each, void_faults={}) for each in result.entrants]
    assert dataclasses.replace(result, void=0, blocks=2, entrants=tuple(bare)) == plain


def test_a_void_game_completes_its_block() -> None:
    games = [*two_blocks(), outcome(2, 0, (0, 1), (1, 2)), outcome(2, 1, (1, 0), (1, 2), void=True)]
    assert quick(games).blocks == 3
    assert quick(games).variance_ratio == quick(two_blocks()).variance_ratio


def test_faults_are_put_down_to_the_entrant_in_the_seat() -> None:
    games = [
        outcome(0, 0, (0, 1), (1, 2), faults=((1, "time"), (1, "time"), (0, "crash"))),
        outcome(0, 1, (1, 0), (1, 2), faults=((1, "illegal"), (0, "time"), (0, "odd"))),
    ]
    result = quick(games)
    assert row(result, 0).faults == {"crash": 1, "illegal": 1}
    assert row(result, 1).faults == {"time": 3, "odd": 1}
    assert list(row(result, 1).faults) == ["time", "odd"]


def test_copies_share_by_the_seat() -> None:
    games = Truth((0.0, 0.0), 0.5).outcomes([(0, 1, 1, 1)] * 200, seed=2)
    result = results(NAMES[:2], games, 4)
    ann, bob = row(result, 0), row(result, 1)
    assert ann.par == bob.par == 0.25
    assert ann.games == bob.games == 800
    assert ann.share.mean + 3 * bob.share.mean == pytest.approx(1)
    assert ann.share.se == pytest.approx(3 * (bob.share.se or 0))
    assert ann.share.mean == pytest.approx(0.25, abs=0.04)
    assert result.pairs.keys() == {(0, 1), (1, 0)}
    assert result.pairs[0, 1].ahead.mean == pytest.approx(0.5, abs=0.04)


def test_par_is_a_mean_over_tables() -> None:
    games = [outcome(0, 0, (0, 1), (1, 2)), outcome(1, 0, (0, 1, 2, 3), (1, 2, 3, 4))]
    result = quick(games, 1, 4)
    assert [row(result, entrant).par for entrant in range(4)] == [0.375, 0.375, 0.25, 0.25]
    assert len(result.seats) == 4


# ---- emptiness and nonsense


def test_nothing_played() -> None:
    result = results(NAMES, [], 3, Sprt(0.3, 0.4))
    assert (result.games, result.blocks, result.seats, result.pairs) == (0, 0, (), {})
    assert [each.name for each in result.entrants] == NAMES
    assert all(each.games == 0 and each.rating is None for each in result.entrants)
    assert result.sprt is not None
    assert result.sprt.verdict is None
    assert_plain(result)


def test_only_void_games() -> None:
    result = results(NAMES[:2], [outcome(0, game, (0, 1), (1, 2), void=True) for game in range(2)], 2)
    assert (result.games, result.void, result.blocks) == (0, 2, 1)


def test_no_one_entered() -> None:
    assert results([], [], 2).entrants == ()


def test_one_who_never_played_comes_last() -> None:
    result = results(NAMES[:3], two_blocks(), 2)
    assert [each.name for each in result.entrants] == ["ann", "bob", "cy"]
    assert result.entrants[-1].rating is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seating": (0, 2)}, r"entrants should be 0 to 1, not \(0, 2\)"),
        ({"seating": (-1, 0)}, "entrants should be 0 to 1"),
        ({"seating": ()}, "once for each of its 0 seats"),
        ({"ranks": (1,)}, "once for each of its 2 seats"),
        ({"own": (1.0, 2.0, 3.0)}, "once for each of its 2 seats"),
        ({"faults": ((2, "time"),)}, "faults should be by seats 0 to 1"),
        ({"shares": (math.nan, 1.0)}, "finite"),
        ({"wall": (math.inf, 1.0)}, "finite"),
        ({"scores": (10**400, 1)}, "finite and at most 2\\^53"),
        ({"block": 2**70}, "numbered from 0"),
        ({"block": -1}, "numbered from 0"),
    ],
)
def test_games_that_cant_be_are_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        quick([*two_blocks()[1:], dataclasses.replace(two_blocks()[0], **change)])


def test_a_game_counts_once() -> None:
    with pytest.raises(RecordError, match="game 1 of block 0 is there twice"):
        quick([*two_blocks(), two_blocks()[1]])


# ---- order


def test_order_of_games_doesnt_matter() -> None:
    games = Truth((0.0, 0.2, 0.4, 0.9), 0.5, grain=0.5).outcomes(THREES * 10, seed=3)
    first = results(NAMES, games, 3, Sprt(0.3, 0.4), bootstrap=100)
    for seed in range(3):
        Random(seed).shuffle(games)
        assert results(NAMES, iter(games), 3, Sprt(0.3, 0.4), bootstrap=100) == first


def test_best_comes_first() -> None:
    games = Truth((0.0, 1.0, -1.0, 2.0)).outcomes(THREES * 40, seed=3)
    for bootstrap in (0, 20):
        ranked = results(NAMES, games, 3, bootstrap=bootstrap).entrants
        assert [each.entrant for each in ranked] == [3, 1, 0, 2]


def test_a_rating_beats_a_share_against_weaker_opponents() -> None:
    """Cy beats only Dee; Bob loses to Ann and beats Cy. So Bob is better, though he shares less."""
    games = [
        outcome(block, game, seating, (1, 2) if seating == table else (2, 1))
        for block, table in enumerate([(0, 1)] * 30 + [(1, 2)] * 10 + [(2, 3)] * 60)
        for game, seating in enumerate([table, table[::-1]])
    ]
    result = results(NAMES, games, 2, bootstrap=10)
    assert row(result, 2).share.mean > row(result, 1).share.mean
    assert [each.name for each in result.entrants] == NAMES


# ---- known truth


def test_seat_effect_is_found() -> None:
    truth = Truth((0.0, 0.0, 0.0), seats=(0.5, 0.0, 0.0))
    seats = quick(truth.outcomes([(0, 1, 2)] * 1000, seed=1), 3, 3).seats
    best = math.exp(0.5) / (math.exp(0.5) + 2)
    assert [seat.share.mean for seat in seats] == pytest.approx([best, *[(1 - best) / 2] * 2], abs=0.03)


# ---- properties

RANKS = st.lists(st.integers(1, 4), min_size=3, max_size=3).map(
    lambda places: tuple(1 + sum(other < place for other in places) for place in places)
)
SEATINGS = st.lists(st.integers(0, 2), min_size=3, max_size=3).map(tuple)
KINDS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["time", "crash"])), max_size=2).map(tuple)
GAMES = st.lists(st.tuples(SEATINGS, RANKS, KINDS, st.booleans()), max_size=20)


def made(games: list[tuple[Any, Any, Any, bool]]) -> list[Outcome]:
    return [
        outcome(i // 3, i % 3, seating, ranks, faults=faults, void=void)
        for i, (seating, ranks, faults, void) in enumerate(games)
    ]


@settings(deadline=None, max_examples=150)
@given(GAMES, st.randoms(use_true_random=False))
def test_sums_come_out(played: list[tuple[Any, Any, Any, bool]], random: Random) -> None:
    games = made(played)
    result = quick(games, 3, 3)
    counted = [game for game in games if not game.void]
    seats_won = sum(seat.share.mean for seat in result.seats)
    assert seats_won == pytest.approx(1 if counted else 0)
    assert result.games + result.void == len(games)
    assert faults(result, "faults") == sum(len(game.faults) for game in counted)
    assert faults(result, "void_faults") == sum(len(game.faults) for game in games if game.void)
    assert all(each.par == pytest.approx(1 / 3 if each.games else 0) for each in result.entrants)
    assert all(0 <= each.share.mean <= 1 for each in result.entrants)
    for (first, second), cell in result.pairs.items():
        assert cell.ahead.mean + result.pairs[second, first].ahead.mean == pytest.approx(1)
    assert_plain(result)
    random.shuffle(games)
    assert quick(games, 3, 3) == result


def faults(result: Results, name: str) -> int:
    return sum(sum(getattr(each, name).values()) for each in result.entrants)


def assert_plain(result: Results) -> None:
    """Figures that JSON knows: no NaN, no infinity, no number of NumPy's."""
    tables = {"pairs": list(result.pairs.values()), "superiority": list(result.superiority.values())}
    plain = dataclasses.asdict(dataclasses.replace(result, pairs={}, superiority={}))
    cells = [dataclasses.asdict(cell) for cell in tables["pairs"]]
    json.dumps([plain, cells, tables["superiority"]], allow_nan=False)


def test_thousands_of_games_are_quick_without_ratings() -> None:
    """About 40 ms on a desktop; the bound is for the slowest of machines."""
    games = Truth((0.0, 0.2, 0.4, 0.9)).outcomes(THREES * 400, seed=3)
    start = time.perf_counter()
    quick(games, 3, 4)
    assert time.perf_counter() - start < 1.5
