import math
import random
import statistics

import pytest

from serai.bots.schedule import MatchPlan
from serai.bots.standings import Played, standings
from serai.core.game_record import Fault


def game(plan: MatchPlan, number: int, points_of: dict[str, int], faults: tuple[Fault, ...] = ()) -> Played:
    """A game whose points depend on the entrants alone; the most points win, equal ones share."""
    fixture = plan.fixture(number)
    scores = tuple(points_of[plan.entrants[entrant]] for entrant in fixture.seating)
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    winners = ranks.count(1)
    count = len(scores)
    return Played(
        number=number,
        block=fixture.block,
        seating=fixture.seating,
        scores=scores,
        ranks=ranks,
        shares=tuple(1 / winners if rank == 1 else 0.0 for rank in ranks),
        turns=(30 + number,) * count,
        decisions=(60,) * count,
        ms=tuple(10.0 * (entrant + 1) for entrant in fixture.seating),
        faults=faults,
        ended="over",
    )


def test_the_error_is_that_of_the_block_means() -> None:
    plan = MatchPlan(("a", "b"), games=40)
    numbers = random.Random(3)
    games = [
        game(plan, n, {"a": numbers.randrange(50, 90), "b": numbers.randrange(50, 90)}) for n in range(40)
    ]
    row = standings(plan, games).entrants[0]
    shares = [g.shares[g.seating.index(0)] for g in games]
    blocks = [(shares[n] + shares[n + 1]) / 2 for n in range(0, 40, 2)]
    assert math.isclose(row.share.mean, statistics.mean(shares))
    assert row.share.se is not None
    assert math.isclose(row.share.se, statistics.stdev(blocks) / math.sqrt(20))


def test_a_deal_that_decides_alone_says_nothing_about_the_entrants() -> None:
    plan = MatchPlan(("a", "b"), games=20)
    games = []
    for number in range(20):
        first = plan.entrants[plan.fixture(number).seating[0]]
        games.append(game(plan, number, {"a": 60 if first == "a" else 50, "b": 60 if first == "b" else 50}))
    result = standings(plan, games)
    assert result.entrants[0].share.mean == 0.5
    assert result.entrants[0].share.se == 0.0
    assert result.seats[0].share.mean == 1.0


def test_the_order_in_which_games_end_does_not_matter() -> None:
    plan = MatchPlan(("a", "b", "c"), games=12)
    games = [game(plan, n, {"a": 50 + n, "b": 55, "c": 70 - n}) for n in range(12)]
    shuffled = random.Random(1).sample(games, len(games))
    assert standings(plan, games) == standings(plan, shuffled)


def test_entrants_of_one_name_share_a_row() -> None:
    plan = MatchPlan(("a", "b", "b", "b"), games=8)
    result = standings(plan, [game(plan, n, {"a": 90, "b": 60}) for n in range(8)])
    assert [(row.name, row.seats) for row in result.entrants] == [("a", 1), ("b", 3)]
    assert [row.share.mean for row in result.entrants] == [1.0, 0.0]
    assert [row.rank for row in result.entrants] == [1.0, 2.0]


def test_shares_of_all_rows_add_up_also_when_wins_are_shared() -> None:
    plan = MatchPlan(("a", "b", "c"), games=6)
    result = standings(plan, [game(plan, n, {"a": 60, "b": 60, "c": 10 * n}) for n in range(6)])
    assert math.isclose(sum(row.share.mean * row.seats for row in result.entrants), 1)
    assert math.isclose(sum(row.share.mean for row in result.seats), 1)
    assert result.shared_wins == 6


def test_an_incomplete_block_counts_in_the_means_alone() -> None:
    plan = MatchPlan(("a", "b"), games=10)
    result = standings(plan, [game(plan, n, {"a": 60 + n, "b": 50}) for n in range(5)])
    assert result.blocks == 2
    assert result.entrants[0].points.mean == 62.0
    assert result.entrants[0].points.se == 1.0


def test_one_block_has_no_error() -> None:
    plan = MatchPlan(("a", "b"), games=2)
    assert standings(plan, [game(plan, n, {"a": 60, "b": 50}) for n in range(2)]).entrants[0].share.se is None
    with pytest.raises(ValueError, match="no game"):
        standings(plan, [])


def test_times_and_faults_go_to_who_caused_them() -> None:
    plan = MatchPlan(("a", "b"), games=2)
    fault = Fault(0, 5, "crash")
    result = standings(plan, [game(plan, n, {"a": 60, "b": 50}, (fault,)) for n in range(2)])
    a, b = result.entrants
    assert a.faults == b.faults == {"crash": 1}
    assert sum(sum(row.faults.values()) for row in result.seats) == 2
    assert a.ms_move is not None
    assert b.ms_move is not None
    assert math.isclose(2 * a.ms_move, b.ms_move)
    assert result.rounds.mean == 30.5
