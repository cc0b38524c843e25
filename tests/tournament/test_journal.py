"""The journal: what was written is there, what wasn't is refused, and nothing in a file can do harm."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serai.bots.guard import KINDS
from serai.bots.time_control import TimeControl
from serai.bots.tournament.journal import (
    KIND,
    VERSION,
    Journal,
    JournalContent,
    counted_ranks,
    outcome_of,
    read_journal,
)
from serai.bots.tournament.plan import Entrant, FaultPolicy, Plan, as_data
from serai.bots.tournament.plan_file import plan_of
from serai.bots.tournament.schedule import block_at, blocks
from serai.core.errors import RecordError, SetupError
from serai.core.game_record import Event, Fault, GameRecord
from serai.core.record import encode

NAMES = ("strong", "middling", "weak")
CONTROL = TimeControl(nodes=5)
PLAN = Plan(
    tuple(Entrant(name, "cmd:/nowhere/engine", control=CONTROL) for name in NAMES),
    "tokens",
    seats=2,
    games=12,
)
ENGINES = [{"name": name, "id": f"{name} 1.0"} for name in NAMES]
EVENTS = (Event("~deal=p1:8,8"), Event("add=2", 12.5, (0.5, 0.5), 10.0), Event("add=1", 7.0), Event("add=3"))


def record(block: int, game: int, plan: Plan = PLAN, **changes: Any) -> GameRecord:
    seating = block_at(plan, block).seatings[game]
    made = GameRecord(
        spec=f"tokens;players=2;seed={block_at(plan, block).deal}",
        seats=tuple(plan.names[entrant] for entrant in seating),
        events=EVENTS,
        scores=(9, 4),
        ranks=(1, 2),
        date="2026-01-01T00:00:00+00:00",
        tags={"tournament": plan.identity, "block": block, "game": game, "movers": "011"},
    )
    return dataclasses.replace(made, **changes)


def every(plan: Plan = PLAN) -> list[GameRecord]:
    return [record(block.number, game, plan) for block in blocks(plan) for game in range(block.size)]


def write(path: Path, records: Iterable[GameRecord], plan: Plan = PLAN) -> None:
    with contextlib.closing(Journal(path, plan, ENGINES)) as journal:
        for each in records:
            journal.write(each)


def append(path: Path, *data: GameRecord | dict[str, Any]) -> None:
    with path.open("ab") as file:
        for each in data:
            file.write(encode(each))


def same_games(content: JournalContent, records: list[GameRecord]) -> bool:
    return content.records == records


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.journal"


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


# ---- damage


def test_a_torn_tail_is_repaired_wherever_it_is_torn(path: Path) -> None:
    write(path, every()[:3])
    whole = path.read_bytes()
    last = len(whole) - len(encode(every()[2]))
    for size in range(last + 1, len(whole)):
        path.write_bytes(whole[:size])
        content = read_journal(path)
        assert same_games(content, every()[:2])
        assert "cut short" in content.notes[0]
        journal = Journal(path, PLAN, ENGINES)
        journal.close()
        assert journal.repaired == size - last
        assert path.read_bytes() == whole[:last]
    write(path, every()[2:])
    assert same_games(read_journal(path), every())
    assert read_journal(path).notes == []


def test_a_torn_plan_is_begun_again(path: Path) -> None:
    write(path, [])
    size = len(path.read_bytes())
    for left in range(1, size, 7):
        path.write_bytes(path.read_bytes()[:left])
        with pytest.raises(RecordError):
            read_journal(path)
        write(path, [])
        assert read_journal(path).plan == PLAN


def test_a_damaged_stretch_costs_its_games_alone(path: Path) -> None:
    write(path, every())
    data = bytearray(path.read_bytes())
    at = data.index(encode(every()[4])) + 50
    data[at] ^= 0xFF
    path.write_bytes(data)
    content = read_journal(path)
    assert same_games(content, every()[:4] + every()[5:])
    assert len(content.notes) == 1
    assert "damaged" in content.notes[0]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("written") / "cup.journal"
    write(path, every()[:4])
    return path.read_bytes()


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_is_noted_or_refused(written: bytes, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(written)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(st.binary(max_size=9))
        content[at : at + data.draw(st.integers(0, 60))] = piece
    path = tmp_path / "damaged"
    path.write_bytes(content)
    try:
        found = read_journal(path)
    except RecordError:
        return
    assert found.plan == PLAN
    assert all(each in every() for each in found.records)  # sums protect what is read
    assert len(found.records) == 4 or found.notes or bytes(content) != written


def test_each_byte_flipped_is_noted_or_refused(written: bytes, tmp_path: Path) -> None:
    path = tmp_path / "flipped"
    outcomes = []
    for at in range(0, len(written), 3):
        path.write_bytes(written[:at] + bytes([written[at] ^ 0x55]) + written[at + 1 :])
        try:
            content = read_journal(path)
            outcomes.append(len(content.records))
            assert content.notes
        except RecordError:
            outcomes.append(-1)
    assert set(outcomes) == {-1, 3}


# ---- what doesn't belong there


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tags": {}}, "a game that isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "tournament": "0123"}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "block": -1}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "block": 2**62}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "block": "1"}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "game": 2}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "game": -1}}, "isn't of this tournament"),
        ({"tags": {**record(1, 0).tags, "movers": "01"}}, "don't say whose they are"),
        ({"tags": {**record(1, 0).tags, "movers": "012"}}, "don't say whose they are"),
        ({"tags": {**record(1, 0).tags, "movers": 11}}, "don't say whose they are"),
        (
            {"seats": NAMES, "scores": (1, 2, 3), "ranks": (3, 2, 1), "events": ()},
            "others sat there",
        ),
        ({"faults": (Fault(0, 1, "ugly"),)}, "fault of an unknown kind"),
        ({"faults": (Fault(2, 1, "time"),)}, "a fault of a seat or at an event that isn't there"),
        ({"ended": "maybe"}, "ended is 'maybe'"),
        ({"ranks": (1,)}, "2 seats, 2 scores and 1 ranks"),
        ({"seats": NAMES[::-1][:2]}, "others sat there"),
    ],
)
def test_a_foreign_game_is_noted_and_dropped(path: Path, changes: dict[str, Any], words: str) -> None:
    write(path, every()[:2])
    append(path, record(1, 0, **changes), every()[3])
    content = read_journal(path)
    assert same_games(content, [*every()[:2], every()[3]])
    assert len(content.notes) == 1
    assert words in content.notes[0]
    assert content.notes[0].startswith("at byte ")


def test_a_game_for_the_second_time_is_noted_and_dropped(path: Path) -> None:
    write(path, [*every()[:2], dataclasses.replace(every()[1], scores=(0, 99), ranks=(2, 1)), every()[2]])
    content = read_journal(path)
    assert same_games(content, every()[:3])
    assert len(content.notes) == 1
    assert "game 1 of block 0 for the second time" in content.notes[0]


def test_a_refused_game_may_still_come(path: Path) -> None:
    write(path, [record(0, 0, tags={**record(0, 0).tags, "movers": ""}), *every()])
    content = read_journal(path)
    assert same_games(content, every())
    assert len(content.notes) == 1


def test_other_things_in_it_are_passed_by(path: Path) -> None:
    write(path, every()[:1])
    append(path, {"kind": "something else", "x": [1]}, every()[1])
    other = path.with_name("other")
    write(other, every())
    with path.open("ab") as file:
        file.write(other.read_bytes())  # as cat does
    content = read_journal(path)
    assert same_games(content, every())
    assert len(content.notes) == 2


# ---- hostile plans


HEADER: dict[str, Any] = {
    "kind": KIND,
    "version": VERSION,
    "plan": as_data(PLAN),
    "engines": ENGINES,
    "date": "d",
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "match"}, "doesn't begin with a plan"),
        ({"version": 2}, "format 2; only 1 is known"),
        ({"version": None}, "format None; only 1 is known"),
        ({"version": "1" * 10_000}, "format '1111"),
        ({"plan": None}, "its plan: must be a table, not None"),
        ({"plan": {}}, "its plan: entrants must be 2 to 64"),
        ({"plan": {**as_data(PLAN), "gmae": 1}}, "its plan: gmae: isn't known here"),
        ({"plan": {**as_data(PLAN), "seats": 10**9}}, "its plan: seats must be 2 to 9"),
        ({"plan": {**as_data(PLAN), "games": 2**63}}, "its plan: games must be 1 to"),
        ({"plan": {**as_data(PLAN), "margin": float("nan")}}, "its plan: margin: must be a number"),
        ({"plan": {**as_data(PLAN), "game": "a\x1b[2J"}}, "its plan: game must be one word"),
        ({"plan": {**as_data(PLAN), b"x": 1}}, "its plan: b'x': isn't known here"),
    ],
)
def test_a_hostile_plan_is_refused(path: Path, change: dict[str, Any], words: str) -> None:
    path.write_bytes(encode({**HEADER, **change}))
    with pytest.raises(RecordError, match=words) as caught:
        read_journal(path)
    assert len(str(caught.value)) < 500 + len(str(path))


def test_reading_starts_nothing(path: Path, tmp_path: Path) -> None:
    marker = tmp_path / "started"
    command = f"cmd:touch {marker}"
    hostile = Plan(
        (Entrant("a", command), Entrant("b", f"cmd:sh -c 'touch {marker}'")), referee=command, audit=command
    )
    write(path, every(hostile)[:2], hostile)
    content = read_journal(path)
    assert content.plan.commands["a"] == ["touch", str(marker)]
    assert len(content.records) == 2
    with pytest.raises(SetupError, match="another tournament"):
        Journal(path, PLAN, ENGINES)
    assert not marker.exists()


def test_what_engines_say_of_themselves_is_bounded(path: Path) -> None:
    engines: list[Any] = [{"name": "x" * 100_000, "k" * 99: [1]}, 5, None, ["a"]]
    path.write_bytes(encode({**HEADER, "engines": engines, "date": "d" * 1000}))
    content = read_journal(path)
    assert content.engines == [{"name": "x" * 10_000, "k" * 40: "[1]"}]
    assert content.date == "d" * 40


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=9)
    | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
GAME = record(0, 0).to_dict()


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*HEADER, *as_data(PLAN)]), JUNK, max_size=4), st.booleans())
def test_junk_with_right_sums_is_a_plan_or_refused(
    tmp_path: Path, junk: dict[str, Any], within: bool
) -> None:
    path = tmp_path / "junk"
    path.write_bytes(encode({**HEADER, **({"plan": {**as_data(PLAN), **junk}} if within else junk)}))
    with contextlib.suppress(RecordError):
        content = read_journal(path)
        assert plan_of(as_data(content.plan), "x").identity == content.plan.identity


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from([*GAME, "kind"]), JUNK, max_size=3), max_size=3))
def test_junk_games_with_right_sums_are_dropped(tmp_path: Path, junk: list[dict[str, Any]]) -> None:
    path = tmp_path / "junk"
    path.write_bytes(encode(HEADER))
    append(path, *[{**GAME, **each} for each in junk], every()[3])
    content = read_journal(path)
    assert every()[3] in content.records
    assert len(content.records) == len(content.outcomes) <= 2


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


def test_no_fault_changes_nothing() -> None:
    for policy in ("rank-last", "count", "void", "abort"):
        clean = outcome(FaultPolicy(policy))
        assert (clean.ranks, clean.shares, clean.void) == ((1, 2), (1.0, 0.0), False)
