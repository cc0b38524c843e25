"""Records survive a crash at any byte, damage anywhere, and files that are something else."""

import json
import os
import random
import struct
from pathlib import Path
from zlib import crc32

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serai.core import RecordError, load
from serai.core.game_record import Event, Fault, GameRecord, to_text, turns
from serai.core.record import HEAD, MAGIC, MAX_LENGTH, RecordReader, RecordWriter, encode, unpack

SPEC = "spice_road;players=2;seed=5"


def played_game(plies: int = 10_000, seed: int = 1) -> GameRecord:
    position, numbers, seen = load(SPEC).start(), random.Random(seed), 0
    events: list[Event] = []
    while not position.is_over and plies:
        events += [Event(token) for token in position.history_since(seen)]
        token = position.token(position.random_action(numbers.getrandbits(64)))
        events.append(Event(token, 1.5, (0.25, 0.75), 1.25))
        seen = len(position.history) + 1
        position = position.apply(token)
        plies -= 1
    events += [Event(token) for token in position.history_since(seen)]
    ended = "over" if position.is_over else "max-plies"
    scores, ranks = tuple(position.scores()), tuple(position.ranks())
    fault = Fault(1, 12, "crash", "ValueError: no", "last words")
    return GameRecord(
        SPEC, ("a", "b"), tuple(events), scores, ranks, ended, (fault,), "Serai", "today", {"block": 3}
    )


SHORT = played_game(3)


def write_all(path: Path, *records: GameRecord) -> None:
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def read_all(path: Path) -> tuple[list[GameRecord], list[str]]:
    reader = RecordReader(path)
    return list(reader), reader.notes


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = played_game()
    write_all(tmp_path / "r", record, SHORT)
    assert read_all(tmp_path / "r") == ([record, SHORT], [])


def test_a_record_replays_to_its_scores(tmp_path: Path) -> None:
    record = played_game()
    *_, (position, event) = record.replay()
    assert tuple(position.apply(event.token).scores()) == record.scores


def test_a_writer_appends_to_what_is_there(tmp_path: Path) -> None:
    write_all(tmp_path / "r", SHORT)
    write_all(tmp_path / "r", SHORT)
    assert len(read_all(tmp_path / "r")[0]) == 2


def test_an_empty_file_holds_no_record(tmp_path: Path) -> None:
    (tmp_path / "r").touch()
    assert read_all(tmp_path / "r") == ([], [])


def test_a_file_cut_at_any_byte_gives_the_records_before_and_says_so(tmp_path: Path) -> None:
    frame = encode(SHORT)
    path = tmp_path / "r"
    for length in range(len(frame)):
        path.write_bytes(frame + frame[:length])
        records, notes = read_all(path)
        assert records == [SHORT]
        assert bool(notes) == bool(length)
        assert all("cut short" in note for note in notes)


def test_after_a_cut_at_any_byte_a_writer_goes_on(tmp_path: Path) -> None:
    frame = encode(SHORT)
    path = tmp_path / "r"
    for length in range(0, len(frame), 7):
        path.write_bytes(frame + frame[:length])
        with RecordWriter(path) as writer:
            assert writer.repaired == length
            writer.write(SHORT)
        assert path.read_bytes() == frame + frame


def test_any_flipped_byte_costs_one_record_and_is_named(tmp_path: Path) -> None:
    frame = encode(SHORT)
    path = tmp_path / "r"
    for place in range(len(frame)):
        damaged = bytearray(frame)
        damaged[place] ^= 0x41
        path.write_bytes(frame + damaged + frame)
        records, notes = read_all(path)
        assert records == [SHORT, SHORT]
        assert len(notes) == 1
        assert f"at byte {len(frame)}: {len(frame)} bytes are damaged" in notes[0]


def test_a_frame_cut_short_in_the_middle_hides_no_later_one(tmp_path: Path) -> None:
    frame, path = encode(SHORT), tmp_path / "r"
    for length in range(1, len(frame)):
        path.write_bytes(frame + frame[:length] + frame)
        records, notes = read_all(path)
        assert records == [SHORT, SHORT]
        assert len(notes) == 1


def test_a_damaged_end_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(encode(SHORT) + b"\0" * 100)
    with pytest.raises(RecordError, match="damaged"):
        RecordWriter(path)
    assert path.stat().st_size == len(encode(SHORT)) + 100


@pytest.mark.parametrize(
    "content", [b"\x7fELF", b"PK\x03\x04" * 50, b"{}\n", b"\0", b"\0" * 5000, b"X" + encode(SHORT)]
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="not a record file"):
        list(RecordReader(path))
    with pytest.raises(RecordError, match="not a record file"):
        RecordWriter(path)
    assert path.read_bytes() == content


def frame_of(payload: bytes, length: int | None = None) -> bytes:
    head = struct.pack("<4sII", MAGIC, len(payload) if length is None else length, crc32(payload))
    return head + struct.pack("<I", crc32(head)) + payload


def test_a_huge_length_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "r"
    for length in (MAX_LENGTH + 1, 2**31, 2**32 - 1):
        path.write_bytes(encode(SHORT) + frame_of(b"x" * 50, length))
        records, notes = read_all(path)
        assert records == [SHORT]
        assert "damaged" in notes[0]


def test_a_record_that_no_reader_accepts_is_not_written(tmp_path: Path) -> None:
    big = GameRecord(SPEC, ("a",), (Event("x" * 900),) * 6000, (0,), (1,))
    with RecordWriter(tmp_path / "r") as writer, pytest.raises(RecordError, match="bytes"):
        writer.write(big)
    assert (tmp_path / "r").stat().st_size == 0


DATA = SHORT.to_dict()


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 2},
        {"version": True},
        {"spec": 3},
        {"seats": []},
        {"seats": ["a"] * 10},
        {"seats": ["a", 2]},
        {"events": [[]]},
        {"events": [["x", "soon"]]},
        {"events": [["x", float("nan")]]},
        {"events": [["x", 1.0, [0.5]]]},
        {"events": "abc"},
        {"scores": [1]},
        {"scores": [1, 2**64 - 1]},
        {"ended": "draw"},
        {"faults": [{"seat": 9, "event": 0, "kind": "x", "detail": ""}]},
        {"tags": {"a": None}},
    ],
    ids=str,
)
def test_a_good_frame_without_a_game_is_left_out_and_named(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    path = tmp_path / "r"
    path.write_bytes(frame_of(msgpack.packb({**DATA, **changed})) + encode(SHORT))
    records, notes = read_all(path)
    assert records == [SHORT]
    assert "no game record" in notes[0]


@pytest.mark.parametrize(
    "payload", [b"", b"\xc1", b"\x91" * 5000, b"\xdd\xff\xff\xff\xff", b"\xa5ab", b"\x81\x90\x01"]
)
def test_a_good_frame_without_msgpack_is_left_out(tmp_path: Path, payload: bytes) -> None:
    path = tmp_path / "r"
    path.write_bytes(frame_of(payload) + encode(SHORT))
    assert read_all(path)[0] == [SHORT]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.booleans())
def test_whatever_follows_a_record_the_record_is_read(
    tmp_path_factory: pytest.TempPathFactory, rest: bytes, magic: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(encode(SHORT) + (MAGIC if magic else b"") + rest)
    records, notes = read_all(path)
    assert records == [SHORT]
    assert bool(notes) == bool(rest or magic)


TEXT = st.text(max_size=30)
WHOLE = st.integers(-(2**63) + 1, 2**63 - 1)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    seats = draw(st.integers(1, 6))
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    win = st.none() | st.tuples(*[numbers] * seats)
    events = draw(
        st.lists(st.builds(Event, st.text(min_size=1, max_size=30), numbers | st.none(), win), max_size=20)
    )
    faults = st.builds(Fault, st.integers(0, seats - 1), st.integers(0, len(events)), TEXT, TEXT)
    return GameRecord(
        draw(TEXT),
        draw(st.tuples(*[TEXT] * seats)),
        tuple(events),
        draw(st.tuples(*[WHOLE] * seats)),
        draw(st.tuples(*[WHOLE] * seats)),
        draw(st.sampled_from(["over", "max-plies", "stopped"])),
        tuple(draw(st.lists(faults, max_size=3))),
        draw(TEXT),
        draw(TEXT),
        draw(st.dictionaries(TEXT, TEXT | WHOLE, max_size=3)),
    )


@settings(max_examples=200, deadline=None)
@given(records())
def test_every_record_makes_the_round_trip(record: GameRecord) -> None:
    frame = encode(record)
    assert GameRecord.from_dict(msgpack.unpackb(frame[HEAD.size :])) == record
    assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_two_writers_of_one_file_are_kept_apart(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "r"), pytest.raises(RecordError, match="another process"):
        RecordWriter(tmp_path / "r")


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "missing", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(RecordError):
            list(RecordReader(path))
    with pytest.raises(RecordError):
        RecordWriter(tmp_path / "no" / "folder")


def test_a_game_becomes_text_with_a_line_for_each_turn() -> None:
    record = played_game()
    text = to_text(record)
    assert "p1  a" in text
    assert "take the merchant" in text
    assert f"{max(record.scores)} points" in text
    assert "fault of p2 at event 13: crash ValueError: no" in text
    assert sum(turn.seat >= 0 for turn in turns(record)) > 40


def test_a_game_that_does_not_replay_is_told_as_far_as_it_goes() -> None:
    broken = GameRecord(SPEC, ("a", "b"), (*SHORT.events[:12], Event("take=9")), (0, 0), (1, 2))
    text = to_text(broken)
    assert "the game can't be replayed: event 13: take=9" in text
    unknown = GameRecord("chess;players=2", ("a", "b"), (Event("e4"),), (0, 0), (1, 2))
    assert "unknown game 'chess'" in to_text(unknown)


def test_a_map_of_another_kind_is_passed_by(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    with RecordWriter(path) as writer:
        writer.write({"kind": "plan", "games": 2})
        writer.write(SHORT)
    reader = RecordReader(path)
    assert list(reader) == [SHORT]
    assert not reader.notes
    assert unpack(next(reader.frames())[1]) == {"kind": "plan", "games": 2}
