"""The journal: what was written is there, only one may write, and a fault counts as the plan says."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.journals import ENGINES, EVENTS, PLAN, every, record, same_games, write

from serai.bots.guard import KINDS
from serai.bots.tournament.journal import Journal, counted_ranks, outcome_of, read_journal
from serai.bots.tournament.plan import FaultPolicy
from serai.bots.tournament.results import results
from serai.bots.tournament.schedule import block_at
from serai.core.errors import RecordError, SetupError
from serai.core.game_record import Event, Fault

# ---- there and back


def test_what_was_written_is_read(path: Path) -> None:
    write(path, every())
    content = read_journal(path)
    assert content.plan == PLAN
    assert content.records == every()
    assert content.engines == ENGINES
    assert content.notes == []
    assert content.block_size == 2
    assert content.done == {(block, game) for block in range(6) for game in range(2)}
    assert content.date.startswith("20")


def test_an_outcome_has_what_counts(path: Path) -> None:
    write(path, [record(1, 1)])
    (outcome,) = read_journal(path).outcomes
    assert (outcome.block, outcome.game, outcome.seating) == (1, 1, block_at(PLAN, 1).seatings[1])
    assert (outcome.scores, outcome.ranks, outcome.shares) == ((9, 4), (1, 2), (1.0, 0.0))
    assert outcome.turns == (1, 1)  # the last two decisions are one turn of the second seat
    assert outcome.decisions == (1, 1)  # the last one was not asked for
    assert outcome.wall == (12.5, 7.0)
    assert outcome.own == (10.0, None)
    assert (outcome.faults, outcome.ended, outcome.void) == ((), "over", False)


def test_it_is_opened_again_where_it_ended(path: Path) -> None:
    for each in every():
        write(path, [each])
    assert same_games(read_journal(path), every())


def test_an_empty_file_becomes_one(path: Path) -> None:
    path.touch()
    with pytest.raises(RecordError, match="it is empty"):
        read_journal(path)
    write(path, every())
    assert same_games(read_journal(path), every())


def test_games_out_of_order_are_as_good(path: Path) -> None:
    records = every()
    Random(3).shuffle(records)
    write(path, records)
    content = read_journal(path)
    assert content.records == records
    assert [(outcome.block, outcome.game) for outcome in content.outcomes] == [
        (each.tags["block"], each.tags["game"]) for each in records
    ]


# ---- who may write


def test_a_second_writer_is_refused(path: Path) -> None:
    with (
        contextlib.closing(Journal(path, PLAN, ENGINES)),
        pytest.raises(RecordError, match="is being written by another process"),
    ):
        Journal(path, PLAN, ENGINES)
    Journal(path, PLAN, ENGINES).close()


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"seed": 2}, "seed"),
        ({"faults": FaultPolicy("void")}, "faults"),
        ({"game": "another", "margin": 2.0}, "game margin"),
        ({"entrants": PLAN.entrants[::-1]}, "entrants"),
        ({"seats": 3, "rotations": "all"}, "seats rotations"),
    ],
)
def test_another_plan_is_refused_with_what_differs(path: Path, change: dict[str, Any], names: str) -> None:
    write(path, every())
    before = path.read_bytes()
    words = f"is the journal of another tournament; it differs in: {names}. Give another file"
    with pytest.raises(SetupError, match=words):
        Journal(path, dataclasses.replace(PLAN, **change), ENGINES)
    assert path.read_bytes() == before
    write(path, [])  # it isn't locked


def test_options_in_another_order_are_another_plan(path: Path) -> None:
    options = (("Hash", "1"), ("Style", "calm"))
    one, other = (
        dataclasses.replace(
            PLAN, entrants=(dataclasses.replace(PLAN.entrants[0], options=each), *PLAN.entrants[1:])
        )
        for each in (options, options[::-1])
    )
    write(path, [], one)
    with pytest.raises(SetupError, match="differs in: entrants"):
        write(path, [], other)


def test_more_games_and_an_audit_go_on_with_it(path: Path) -> None:
    write(path, every())
    longer = dataclasses.replace(PLAN, games=24, audit="serai")
    write(path, every(longer)[12:], longer)
    content = read_journal(path)
    assert content.plan.games == 12  # as it began
    assert content.notes == []
    assert same_games(content, every(longer))


@pytest.mark.parametrize("target", ["folder", "device", "pipe", "text"])
def test_what_is_no_journal_stays_as_it_is(path: Path, target: str) -> None:
    if target == "folder":
        path.mkdir()
    elif target == "device":
        path = Path(os.devnull)
    elif target == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("my only copy of a poem\n")
    with pytest.raises(RecordError):
        read_journal(path)
    if target != "pipe":  # opening one for appending would wait for a reader
        with pytest.raises(RecordError):
            Journal(path, PLAN, ENGINES)
    if target == "text":
        assert path.read_text() == "my only copy of a poem\n"


# ---- what counts


@pytest.mark.parametrize(
    ("ranks", "last", "counted"),
    [
        ((1, 2, 3), [], (1, 2, 3)),
        ((1, 2, 3), [0], (3, 1, 2)),
        ((1, 2, 3), [2], (1, 2, 3)),
        ((1, 2, 3), [0, 1], (2, 2, 1)),
        ((1, 2, 3), [0, 1, 2], (1, 1, 1)),
        ((1, 1, 3), [0], (3, 1, 2)),
        ((1, 1, 3, 3), [2], (1, 1, 4, 3)),
        ((2, 1, 2, 4), [1, 1], (1, 4, 1, 3)),
        ((1, 2), [1, 0], (1, 1)),
    ],
)
def test_ranks_after_some_were_put_last(
    ranks: tuple[int, ...], last: list[int], counted: tuple[int, ...]
) -> None:
    assert counted_ranks(ranks, last) == counted


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.sets(st.integers(0, 8)))
def test_counted_ranks_are_ranks(ranks: list[int], last: set[int]) -> None:
    counted = counted_ranks(ranks, last)
    for seat, rank in enumerate(counted):
        assert rank == 1 + sum(other < rank for other in counted)
        for other in range(len(ranks)):
            if seat not in last and other not in last:
                assert (counted[seat] < counted[other]) == (ranks[seat] < ranks[other])
            if seat in last and other not in last:
                assert counted[other] < rank


def outcome(policy: FaultPolicy, *faults: tuple[int, str]) -> Any:
    made = record(0, 0, faults=tuple(Fault(seat, 1, kind) for seat, kind in faults))
    return outcome_of(made, block_at(PLAN, 0), 0, policy)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_policy_makes_of_a_fault(kind: str) -> None:
    last, count = outcome(FaultPolicy("rank-last"), (0, kind)), outcome(FaultPolicy("count"), (0, kind))
    assert (last.ranks, last.shares, last.void) == ((2, 1), (0.0, 1.0), False)
    assert (count.ranks, count.shares, count.void) == ((1, 2), (1.0, 0.0), False)
    for policy in ("void", "abort"):
        gone = outcome(FaultPolicy(policy), (0, kind))
        assert (gone.ranks, gone.void) == ((1, 2), True)
    for each in (last, count):
        assert each.faults == ((0, kind),)


def test_policies_by_kind() -> None:
    policy = FaultPolicy("count", (("crash", "void"), ("hung", "rank-last")))
    assert outcome(policy, (0, "time")).ranks == (1, 2)
    assert outcome(policy, (0, "hung")).ranks == (2, 1)
    assert outcome(policy, (0, "time"), (1, "crash")).void
    both = outcome(policy, (0, "hung"), (1, "hung"), (1, "time"))
    assert (both.ranks, both.shares, both.void) == ((1, 1), (0.5, 0.5), False)
    assert both.faults == ((0, "hung"), (1, "hung"), (1, "time"))


@pytest.mark.parametrize("own", [1e17, 1e300, -1.0, 2**60])
def test_a_time_that_an_engine_can_not_mean_counts_as_none(own: float, path: Path) -> None:
    """It is in journals that were written when engines were believed everything."""
    absurd = dataclasses.replace(record(0, 0).events[1], own=own)
    first, second = record(0, 0), record(0, 1)
    write(path, [dataclasses.replace(first, events=(first.events[0], absurd, *first.events[2:])), second])
    content = read_journal(path)
    assert content.notes == []
    assert [each.own for each in content.outcomes] == [(None, None), (10.0, None)]
    assert results(PLAN.names, content.outcomes, content.block_size, bootstrap=0).games == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"scores": (2**62, 4)},
        {"events": (EVENTS[0], Event("add=2", 1e300), *EVENTS[2:])},
        {"events": (EVENTS[0], *[Event("add=2", 1e308)] * 3), "tags": {**record(0, 0).tags, "movers": "000"}},
    ],
    ids=["points", "time", "sum of times"],
)
def test_a_game_with_figures_beyond_all_measure_is_left_out(changes: dict[str, Any], path: Path) -> None:
    write(path, [record(0, 0, **changes), record(0, 1)])
    content = read_journal(path)
    assert content.done == {(0, 1)}
    assert "points or times beyond" in content.notes[0]
    results(PLAN.names, content.outcomes, content.block_size, bootstrap=0)


def test_no_fault_changes_nothing() -> None:
    for policy in ("rank-last", "count", "void", "abort"):
        clean = outcome(FaultPolicy(policy))
        assert (clean.ranks, clean.shares, clean.void) == ((1, 2), (1.0, 0.0), False)
