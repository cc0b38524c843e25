"""Network files of every kind of damage and origin: read, or refused with a reason."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from contract.cases import line_of
from contract.frugal import on_linux, said
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.networks import HIDDEN, framed, random_arrays, random_file, sealed

from serai.core import load
from serai.core.errors import NetworkError
from serai.core.network import Network, shape_of, units
from serai.core.network_file import LARGEST, UNPACKED, decode, encode, load_network, read_network
from serai.core.spec import Spec

PROVENANCE = {"games": 7, "rate": 0.5, "from": ["a", None, True]}
SMALL = encode(random_arrays((3, 2, 4), 1), "spice_road", PROVENANCE)
Data = dict[str, Any]


def map_of(raw: bytes = SMALL) -> bytes:
    return zlib.decompress(raw[8:-16])


def data_of(raw: bytes = SMALL) -> Data:
    found: Data = msgpack.unpackb(map_of(raw))
    return found


# ---- whole files


def test_what_is_written_is_read() -> None:
    for seats in (2, 3, 4, 5):
        line = line_of(Spec("spice_road", seats))
        arrays = random_arrays(shape_of(line[0].game), seats)
        read = decode(encode(arrays, "spice_road", {"seed": seats}))
        assert (read.game, read.provenance) == ("spice_road", {"seed": seats})
        assert read.shape == shape_of(line[0].game)
        written = Network("spice_road", arrays)
        for position in line[::20]:
            assert read.judge(position) == written.judge(position)
            assert read.prefer(position) == written.prefer(position)


def test_a_network_without_traits_is_written_and_read() -> None:
    raw = encode(random_arrays((3, 2, 0), 1), "spice_road", PROVENANCE)
    read = decode(raw)
    assert (read.shape, read.provenance) == ((3, 2, 0), PROVENANCE)
    assert data_of(raw)["choice_players"] == data_of(raw)["traits"] == data_of(raw)["trait_bias"] == b""


def test_equal_networks_make_equal_files() -> None:
    assert random_file(seed=4) == random_file(seed=4) != random_file(seed=5)


def test_a_file_says_what_it_holds() -> None:
    data = data_of()
    assert (data["version"], data["game"], data["features"]) == (2, "spice_road", [3, 2, 4])
    assert data["units"] == units()
    assert len(data["players"]) == len(data["choice_players"]) == 3 * 2 * HIDDEN * 2
    assert (len(data["traits"]), len(data["trait_bias"])) == (4 * HIDDEN * 2, 4 * 4)


def test_a_file_of_equal_weights_is_small() -> None:
    arrays = random_arrays(shape_of(load("spice_road")), 1, most=0, heads=0)
    assert len(encode(arrays, "spice_road", {})) < 20_000 < len(random_file())


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes", {1: "number"}, object(), 2**70])
def test_nothing_is_written_that_could_not_be_read(value: object) -> None:
    with pytest.raises((NetworkError, TypeError, OverflowError)):
        encode(random_arrays((3, 2, 4), 1), "spice_road", {"value": value})


# ---- damage


def test_a_file_that_is_cut_anywhere_is_refused() -> None:
    for length in range(len(SMALL)):
        with pytest.raises(NetworkError):
            decode(SMALL[:length])


def test_a_byte_that_is_changed_anywhere_is_noticed() -> None:
    for place in range(len(SMALL)):
        for change in (0x01, 0x80, 0xFF):
            changed = bytearray(SMALL)
            changed[place] ^= change
            with pytest.raises(NetworkError):
                decode(bytes(changed))


def test_what_follows_the_end_is_refused() -> None:
    for more in (b"\0", SMALL, b"\xff" * 100):
        with pytest.raises(NetworkError, match="bytes, should have"):
            decode(SMALL + more)


def test_a_wrong_map_of_right_digest_is_read_or_refused() -> None:
    """Every byte of the map changed and sealed anew: other weights, or an error, and nothing else."""
    payload, read = map_of(), 0
    for place in range(len(payload)):
        for change in (0x01, 0x80, 0xFF):
            changed = bytearray(payload)
            changed[place] ^= change
            read += harmless(sealed(bytes(changed)))
    assert 0.5 < read / (3 * len(payload)) < 0.99


def test_a_damaged_stream_of_right_digest_is_refused_or_read_as_something_else() -> None:
    """The stream has a check sum of its own: a change shows, but for those that change nothing."""
    stream, read = SMALL[8:-16], 0
    for place in range(len(stream)):
        for change in (0x01, 0x80, 0xFF):
            changed = bytearray(stream)
            changed[place] ^= change
            read += harmless(framed(bytes(changed)))
    assert read < 10


def test_a_stream_that_is_cut_anywhere_is_refused() -> None:
    stream = SMALL[8:-16]
    for length in range(len(stream)):
        with pytest.raises(NetworkError):
            decode(framed(stream[:length]))


@pytest.mark.parametrize("more", [b"\0", SMALL, zlib.compress(b"")], ids=["a-byte", "a-file", "a-stream"])
def test_what_follows_the_stream_is_refused(more: bytes) -> None:
    with pytest.raises(NetworkError, match="goes on after its end"):
        decode(framed(SMALL[8:-16] + more))


def test_a_map_as_it_is_here_is_no_stream() -> None:
    with pytest.raises(NetworkError):
        decode(framed(map_of()))


def harmless(raw: bytes) -> bool:
    """Whether it is read; fails for any error but a NetworkError."""
    try:
        return decode(raw).shape == (3, 2, 4)
    except NetworkError:
        return False


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_refused(junk: bytes) -> None:
    for raw in (junk, b"SNet" + junk, framed(junk), sealed(junk)):
        with pytest.raises(NetworkError):
            decode(raw)


# ---- hostile maps


def without(key: str) -> Callable[[Data], None]:
    return lambda data: data.pop(key)


def with_(key: str, value: object) -> Callable[[Data], None]:
    return lambda data: data.update({key: value})


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


KEYS = tuple(data_of())
VALUES = (None, True, -1, 2**63, 1.5, float("nan"), "x", b"\0", b"\0" * 2**16, [], [1, 2, 3], {}, {"a": {}})
HOSTILE = {
    "earlier-format": with_("version", 1),
    "later-format": with_("version", 3),
    "features-too-many": with_("features", [10_001, 2, 4]),
    "features-none": with_("features", [0, 2, 4]),
    "features-none-of-the-table": with_("features", [3, 0, 4]),
    "features-below-none": with_("features", [3, 2, -4]),
    "features-wrong": with_("features", [2, 3, 4]),
    "features-without-traits": with_("features", [3, 2]),
    "features-and-more": with_("features", [3, 2, 4, 0]),
    "features-as-flags": with_("features", [True, 2, 4]),
    "features-as-numbers": with_("features", [3.0, 2, 4]),
    "traits-dropped": with_("features", [3, 2, 0]),
    "traits-fewer": with_("features", [3, 2, 3]),
    "features-as-text": with_("features", "32"),
    "other-units": with_("units", units() | {"unit": 64}),
    "fewer-units": with_("units", {}),
    "nested-units": with_("units", nested(500)),
    "weights-as-text": with_("table", "x" * 2 * 2 * HIDDEN),
    "one-weight-more": with_("win_head", bytes(2 * HIDDEN + 2)),
    "half-a-weight": with_("win_head", bytes(2 * HIDDEN + 1)),
    "heads-too-large": with_("points_head", b"\xff\x7f" * HIDDEN),
    "traits-too-large": with_("traits", b"\x01\x04" * (4 * HIDDEN)),
    "trait-bias-too-large": with_("trait_bias", b"\1\0\0\2" * 4),
    "trait-bias-of-half-the-width": with_("trait_bias", bytes(2 * 4)),
    "choices-of-fewer-seats": with_("choice_bias", bytes(6 * HIDDEN * 2)),
    "choices-as-a-list": with_("choice_table", [0] * (2 * HIDDEN)),
    "choices-of-none": with_("choice_players", b""),
    "bias-too-large": with_("win_bias", 2**29 + 1),
    "bias-as-text": with_("win_bias", "7"),
    "bias-infinite": with_("points_bias", float("inf")),
    "provenance-not-a-number": with_("provenance", {"loss": float("nan")}),
    "provenance-infinite": with_("provenance", {"losses": [0.5, float("-inf")]}),
    "provenance-in-bytes": with_("provenance", {"x": b"y"}),
    "provenance-by-bytes": with_("provenance", {b"x": "y"}),
    "provenance-in-time": with_("provenance", {"made": msgpack.Timestamp(5)}),
    "provenance-deep": with_("provenance", {"x": nested(9)}),
    "provenance-deepest": with_("provenance", {"x": nested(500)}),
    "provenance-long": with_("provenance", {"x": [0] * 5000}),
    "an-extension": with_("provenance", {"x": msgpack.ExtType(5, b"x" * 10)}),
    **{f"no-{key}": without(key) for key in KEYS},
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_a_map_that_makes_no_sense_is_refused(change: Callable[[Data], None]) -> None:
    data = data_of()
    change(data)
    with pytest.raises(NetworkError) as error:
        decode(sealed(msgpack.packb(data)))
    assert len(str(error.value)) < 300
    assert error.value.__cause__ is None


@pytest.mark.parametrize("key", KEYS)
def test_any_value_anywhere_is_read_or_refused(key: str) -> None:
    for value in VALUES:
        harmless(sealed(msgpack.packb(data_of() | {key: value})))


PAYLOADS = {
    "nothing": b"",
    "no-map": msgpack.packb([1, 2]),
    "not-a-number": msgpack.packb(float("nan")),
    "a-number": b"\x05",
    "two-maps": map_of() * 2,
    "cut": map_of()[:-5],
    "deeper-than-the-stack": b"\x91" * 100_000,
    "lists-of-four-million-within-one-another": b"\xdd\x00\x3f\xff\xff" * 800,
    "a-list-of-billions": b"\xdd\xff\xff\xff\xff",
    "a-map-of-billions": b"\xdf\xff\xff\xff\xff",
    "a-text-of-billions": b"\xdb\xff\xff\xff\xff",
    "an-extension-of-billions": b"\xc9\xff\xff\xff\xff\x05",
    "a-large-extension": b"\xc9\x00\x10\x00\x00\x05" + bytes(2**20),
    "keys-that-cannot-be-keys": b"\x81\x90\x01",
    "text-that-is-none": b"\x81\xa2\xff\xfe\x01",
    "a-reserved-byte": b"\xc1",
}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_payload_that_is_none_is_refused(payload: bytes) -> None:
    with pytest.raises(NetworkError):
        decode(sealed(payload))


# ---- bombs


def lists_of_lists(size: int) -> bytes:
    """A list of lists of empty lists, as many as there is room for."""
    of_many = b"\xdc\x0f\xff" + b"\x90" * 4095
    number = (size - 3) // len(of_many)
    return b"\xdc" + number.to_bytes(2, "big") + of_many * number


BOMBS = {
    "zeros": bytes(2**27),
    "as-large-as-may-be": bytes(UNPACKED),
    "a-byte-more": bytes(UNPACKED + 1),
    "deeper-than-the-stack": b"\x91" * (UNPACKED - 1),
    "lists-of-lists": lists_of_lists(UNPACKED - 1),
    "more-lists-of-lists": lists_of_lists(4 * UNPACKED),
}
IMPORTS = """
from serai.core.errors import NetworkError
from serai.core.network_file import read_network
"""
READING = """
try:
    read_network(sys.argv[1])
except NetworkError as error:
    print(len(str(error)))
"""


@on_linux
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_little_file_of_much_content_costs_little(bomb: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.net"
    path.write_bytes(framed(zlib.compress(bomb, 9)))
    assert path.stat().st_size < 2**18
    assert int(said(IMPORTS, READING, 400, str(path))) < 300


# ---- from a disk


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", SMALL[:-1], SMALL + b"x", sealed(b"\xc1")])
def test_an_error_begins_with_the_name_of_the_file(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "a network.net"
    path.write_bytes(raw)
    for read in (read_network, load_network):
        with pytest.raises(NetworkError) as error:
            read(path)
        assert str(error.value).startswith(f"{path}: ")


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.net"
    with path.open("wb") as file:
        file.write(SMALL)
        file.truncate(2**40)
    with pytest.raises(NetworkError, match=f"larger than {LARGEST} bytes"):
        read_network(path)


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "pipe-link").symlink_to(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "pipe-link", "/dev/zero", "/dev/null", "/", "."):
        with pytest.raises(NetworkError, match="a folder, a pipe or a device"):
            read_network(path)
    for path in (tmp_path / "missing", tmp_path / "loop", tmp_path / "missing" / "deeper", ""):
        with pytest.raises(NetworkError):
            read_network(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "d/" * 3000, "\udcff"])
def test_a_name_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(NetworkError) as error:
        read_network(name)
    assert len(str(error.value)) < 300


def test_a_long_name_leaves_room_for_what_is_wrong(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(4):
        folder /= "f" * 100
    folder.mkdir(parents=True)
    (folder / "short.net").write_bytes(SMALL[:-1])
    with pytest.raises(NetworkError, match=r"^….{,200}/short\.net: .* should have"):
        read_network(folder / "short.net")


def test_a_link_to_a_network_is_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(random_file(seed=8))
    (tmp_path / "link").symlink_to("real")
    assert load_network(tmp_path / "link").provenance == {"seed": 8}
    assert load_network(str(tmp_path / "link")).fits(load("spice_road;players=4"))


# ---- for which game


def test_a_network_for_something_else_is_read_but_not_loaded(tmp_path: Path) -> None:
    shape = shape_of(load("spice_road"))
    arrays = random_arrays(shape, 1)
    foreign = {
        "chess.net": (encode(arrays, "chess", {}), r"for 'chess'; the games here: .*spice_road"),
        "small.net": (
            SMALL,
            re.escape(f"features (players, table, options) (3, 2, 4); spice_road has {shape}"),
        ),
        "bare.net": (encode(random_arrays((*shape[:2], 0), 1), "spice_road", {}), r"features .*, 0\); "),
        "escape.net": (encode(arrays, "\x1b[2J\n" + "x" * 500, {}), r"for '\\x1b\[2J\\nxxx"),
    }
    for name, (raw, complaint) in foreign.items():
        (tmp_path / name).write_bytes(raw)
        read_network(tmp_path / name)
        with pytest.raises(NetworkError, match=rf"{name}: the network (is|has) {complaint}") as error:
            load_network(tmp_path / name)
        assert str(error.value).isprintable()


def test_a_network_for_features_that_meant_something_else_is_refused() -> None:
    """Equal numbers of features aren't enough: an order or a card may have changed."""
    game = load("spice_road")
    raw = encode(random_arrays(shape_of(game), 1), "spice_road", {})
    assert decode(raw).fits(game)
    other = map_of(raw).replace(game.feature_key.encode(), b"0123456789abcdef")
    assert not decode(sealed(other)).fits(game)
