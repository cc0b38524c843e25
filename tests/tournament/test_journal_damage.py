"""What is damaged or foreign in a journal is noted or refused, and nothing in a file can do harm."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tournament.journals import ENGINES, NAMES, PLAN, append, every, record, same_games, write

from serai.bots.tournament.journal import KIND, VERSION, Journal, read_journal
from serai.bots.tournament.plan import Entrant, Plan, as_data
from serai.bots.tournament.plan_file import plan_of
from serai.core.errors import RecordError, SetupError
from serai.core.game_record import Fault
from serai.core.record import encode

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
