"""Clocks become budgets that win no game on time and lose none."""

from __future__ import annotations

import pytest
from contract.cases import TABLES, line_of
from hypothesis import given
from hypothesis import strategies as st
from reference.asides import keeping, opening, turning

from serai.core import Position
from serai.search import Limits
from serai.search.budget import HARDEST, TURN_SHARE, TURNS_LEFT, plan_time

CLOCKS = st.tuples(
    st.integers(0, 10_000_000), st.integers(0, 60_000), st.integers(0, 600_000), st.integers(0, 60)
)


def decision(continues: bool = False) -> Position:
    """A decision that starts a turn, or one that goes on with it."""
    line = line_of(TABLES[0])
    return next(p for p in line if p.to_act >= 0 and p.continues_turn == continues)


def test_without_limits_there_is_no_budget() -> None:
    budget = plan_time(Limits(), decision(), 5)
    assert (budget.soft, budget.hard) == (None, None)


@pytest.mark.parametrize(("movetime", "hard"), [(0, 0), (10, 9), (100, 90), (1000, 980), (60_000, 59_980)])
def test_a_time_for_the_move_is_used_up_less_the_overhead(movetime: int, hard: float) -> None:
    budget = plan_time(Limits(movetime=movetime, overhead=20), decision(), 5)
    assert (budget.soft, budget.hard) == (None, hard)


def test_a_clock_is_shared_among_the_turns_left() -> None:
    budget = plan_time(Limits(clock=(60_000, 0, 0, 0), overhead=0), decision(), 5)
    assert budget.soft == pytest.approx(60_000 / TURNS_LEFT)
    assert budget.hard == pytest.approx(HARDEST * 60_000 / TURNS_LEFT)


def test_moves_to_go_and_increment_count() -> None:
    budget = plan_time(Limits(clock=(60_000, 1_000, 0, 10), overhead=0), decision(), 5)
    assert budget.soft == pytest.approx(6_000 + 800)


def test_later_decisions_of_a_turn_get_less() -> None:
    limits = Limits(clock=(60_000, 0, 0, 0), overhead=0)
    first, later = plan_time(limits, decision(), 5), plan_time(limits, decision(continues=True), 5)
    assert first.soft is not None
    assert later.soft == pytest.approx(TURN_SHARE * first.soft)


@pytest.mark.parametrize("clock", [(300_000, 2000, 0, 0), (1, 0, 5000, 0)])
def test_on_the_clock_the_next_turn_gets_all_of_its_time(clock: tuple[int, int, int, int]) -> None:
    budgets = [
        plan_time(Limits(clock=clock, overhead=0), position, 5)
        for position in (opening(), keeping(), turning())
    ]
    first, kept, turn = (budget.soft or 0.0 for budget in budgets)
    assert turn == first
    assert kept == pytest.approx(first / 10)


def test_forced_decisions_get_nothing() -> None:
    budget = plan_time(Limits(clock=(60_000, 0, 0, 0)), decision(), 1)
    assert budget.soft == 0
    assert budget.hard is not None
    assert budget.hard <= 1


def test_the_shorter_of_clock_and_time_for_the_move_counts() -> None:
    limits = Limits(movetime=100, clock=(600_000, 0, 0, 0), overhead=0)
    assert plan_time(limits, decision(), 5).hard == 100


@given(CLOCKS, st.integers(0, 1_000), st.integers(1, 100))
def test_a_budget_is_never_more_than_the_clock_holds(
    clock: tuple[int, int, int, int], overhead: int, options: int
) -> None:
    budget = plan_time(Limits(clock=clock, overhead=overhead), decision(), options)
    assert budget.soft is not None
    assert budget.hard is not None
    assert 0 <= budget.soft <= budget.hard
    assert budget.hard <= max(1.0, clock[0] + clock[2] - overhead)
