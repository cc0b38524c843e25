"""A frame that claims more than it holds is left out, and costs little; a long game is read all the same."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import msgpack
import pytest
from contract.frugal import on_linux, said

from serai.core.errors import RecordError
from serai.core.game_record import Event, GameRecord
from serai.core.record import HEAD, LONGEST, MAGIC, MAX_LENGTH, RecordReader, encode, unpack

SHORT = GameRecord("spice_road;players=2", ("a", "b"), (Event("x", 1.0),), (1, 2), (2, 1))
DEPTH = 1000  # lists in a list; deeper ones are refused anyway
LISTS = (b"\xdd" + (MAX_LENGTH - 6 * DEPTH).to_bytes(4, "big")) * DEPTH
EVENTS = b"\xa6events"


def frame_of(payload: bytes) -> bytes:
    head = HEAD.pack(MAGIC, len(payload), crc32(payload), 0)[:12]
    return head + crc32(head).to_bytes(4, "little") + payload


def filled(start: bytes) -> bytes:
    """As many bytes as there is room for."""
    return start + bytes(MAX_LENGTH - len(start))


BOMBS = {
    "lists": filled(LISTS),
    "lists in a map": filled(b"\x81\xa4tags" + LISTS),
    "events in events": filled(b"\x81" + EVENTS + LISTS),
    "events in an event": filled(b"\x81" + EVENTS + b"\xdd\x00\x00\xff\xff" + LISTS),
    "events of billions": filled(b"\x81" + EVENTS + b"\xdd\xff\xff\xff\xff"),
    "a map of billions": filled(b"\xdf\xff\xff\xff\xff"),
    "maps": filled((b"\xdf\x00\x3f\xff\xff\xa1x") * DEPTH),
}
IMPORTS = "from serai.core.record import RecordReader"
READING = """
reader = RecordReader(sys.argv[1])
print(len(list(reader)), *reader.notes)
"""


@on_linux
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_frame_that_claims_much_costs_little(bomb: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.rec"
    path.write_bytes(frame_of(bomb) + encode(SHORT))
    found = said(IMPORTS, READING, 400, str(path))
    assert found.startswith("1 at byte 0: no game record: no map in msgpack: ")
    assert "MemoryError" not in found


def test_a_game_of_more_events_than_a_list_may_have_is_read(tmp_path: Path) -> None:
    events = tuple(Event(f"add={n}", 1.5, (0.5, 0.5), 1.0) for n in range(20 * LONGEST))
    long = GameRecord("tokens;players=2", ("a", "b"), events, (1, 2), (2, 1))
    path = tmp_path / "long.rec"
    path.write_bytes(encode(long))
    reader = RecordReader(path)
    assert list(reader) == [long]
    assert reader.notes == []


@pytest.mark.parametrize(
    "payload",
    [
        msgpack.packb([1, 2]),
        msgpack.packb({"kind": "x"}) + b"\x00",
        msgpack.packb({1: "x"}),
        msgpack.packb({b"kind": "x"}),
        msgpack.packb({"events": {}}),
        msgpack.packb({"kind": [0] * (LONGEST + 1)}),
        msgpack.packb({"kind": msgpack.ExtType(5, b"x" * 10)}),
        msgpack.packb({"kind": "x"})[:-1],
    ],
    ids=["a list", "more", "a number", "bytes", "a map of events", "a long list", "an extension", "cut"],
)
def test_what_is_no_map_of_plain_data_is_refused(payload: bytes) -> None:
    with pytest.raises(RecordError, match="no map in msgpack"):
        unpack(payload)
