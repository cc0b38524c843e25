"""In a record of a tournament a decision counts for the turn that it was made in."""

from __future__ import annotations

import pytest
from tournament.journals import PLAN, record

from serai.bots.tournament.journal import outcome_of
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.schedule import block_at
from serai.core.errors import RecordError


def outcome(**tags: str) -> Outcome:
    """Of a game of three decisions, the first two of them timed: 12.5 and 7 ms."""
    made = record(0, 0)
    return outcome_of(record(0, 0, tags={**made.tags, **tags}), block_at(PLAN, 0), 0, PLAN.faults)


def test_what_a_seat_decides_in_anothers_turn_is_no_turn_of_its_own() -> None:
    found = outcome(movers="011", turns="001")
    assert found.turns == (1, 1)
    assert found.decisions == (1, 1)
    assert found.wall == (12.5, 7.0)


def test_a_record_that_does_not_tell_turns_has_them_where_the_seat_changes() -> None:
    assert outcome(movers="010").turns == (2, 1)


@pytest.mark.parametrize("turns", ["", "00", "00x", "002"])
def test_turns_of_nobody_are_refused(turns: str) -> None:
    with pytest.raises(RecordError, match="don't say whose they are"):
        outcome(movers="011", turns=turns)
