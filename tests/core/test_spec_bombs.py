"""A snapshot that claims more than it holds is refused, and costs little."""

from __future__ import annotations

import base64

import msgpack
import pytest
from contract.frugal import on_linux, said

from serai.core import NotationError, load
from serai.core.games import NAMES, seat_counts
from serai.core.spec import LONGEST, MAX_SNAPSHOT, decode_snapshot

ROOM = MAX_SNAPSHOT // 4 * 3  # bytes
DEPTH = 1000  # lists in a list; deeper ones are refused anyway


def filled(*starts: bytes) -> bytes:
    """As many bytes as there is room for."""
    start = b"".join(starts)
    return start + bytes(ROOM - len(start))


CLAIM = (ROOM - 5 * DEPTH).to_bytes(4, "big")
BOMBS = {
    "lists": filled((b"\xdd" + CLAIM) * DEPTH),
    "lists in a map": filled(b"\x81\xa1x", (b"\xdd" + CLAIM) * DEPTH),
    "maps": filled((b"\xdf" + CLAIM + b"\xa1x") * DEPTH),
    "an extension": b"\x81\xa1x" + b"\xc8" + (ROOM - 7).to_bytes(2, "big") + b"\x05" + bytes(ROOM - 7),
}
IMPORTS = """
from serai.core.errors import NotationError
from serai.core.spec import decode_snapshot
"""
READING = """
try:
    decode_snapshot(sys.stdin.read())
except NotationError as error:
    print(len(str(error)))
"""


@on_linux
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_snapshot_that_claims_much_costs_little(bomb: bytes) -> None:
    text = base64.urlsafe_b64encode(bomb).decode()
    assert len(text) <= MAX_SNAPSHOT
    assert int(said(IMPORTS, READING, 60, given=text)) < 300


HELD = {"list": [0] * (LONGEST + 1), "map": {str(n): n for n in range(LONGEST + 1)}}


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_a_list_or_a_map_is_no_longer_than_the_limit(held: object) -> None:
    raw = msgpack.packb({"x": held})
    with pytest.raises(NotationError, match=f"{LONGEST + 1} exceeds"):
        decode_snapshot(base64.urlsafe_b64encode(raw).decode())


def longest(value: object) -> int:
    """Entries of the longest list or map in some data."""
    if not isinstance(value, list | dict):
        return 0
    return max(len(value), *map(longest, value.values() if isinstance(value, dict) else value), 0)


@pytest.mark.parametrize("name", NAMES)
def test_what_games_have_is_far_below_the_limit(name: str) -> None:
    position = load(f"{name};players={seat_counts(name)[-1]};seed=1").start()
    most = 0
    for number in range(2000):
        if position.is_over:
            break
        most = max(most, longest(position.state()))
        position = position.apply(position.random_action(number * 7919))
    assert 5 < most < LONGEST / 10
