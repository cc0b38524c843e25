"""Network files: a head, a deflated msgpack map, a digest. What is damaged or foreign is refused with
a reason.

"SNet" | length of the map as deflated, u32 little-endian | the map | BLAKE2b of everything before, 16 bytes
"""

from __future__ import annotations

import math
import os
import struct
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgpack
import numpy as np

from serai.core.errors import NetworkError
from serai.core.games import NAMES, load, seat_counts
from serai.core.network import Network, shape_of, shapes, units
from serai.core.spec import Spec

MAGIC: Final = b"SNet"
HEAD: Final = struct.Struct("<4sI")
DIGEST: Final = 16  # bytes
VERSION: Final = 2
LARGEST: Final = 4 * 2**20  # bytes of a file
UNPACKED: Final = 4 * 2**20  # bytes of its map; as empty lists they would take a quarter of a gigabyte
MOST_FEATURES: Final = 10_000
DEEPEST: Final = 8  # of lists and maps within one another in the provenance
LONGEST: Final = 4096  # entries of one of them
SENSELESS: Final = (ValueError, TypeError, KeyError, RecursionError, OverflowError)
NONE: Final = "none"  # in place of a file's name: no network
SHIPPED: Final = Path(__file__).parent / "games"


def encode(network_arrays: dict[str, Any], game: str, provenance: dict[str, Any]) -> bytes:
    """A network as the content of a file; raises NetworkError for what couldn't be read again.

    ``provenance``: how it was made, as JSON could say it: finite numbers, text, lists, maps by text.
    """
    shape = tuple(network_arrays[name].shape[0] for name in ("players", "table", "traits"))
    data = {
        "version": VERSION,
        "game": game,
        "features": list(shape),
        "key": load(game).feature_key if game in NAMES else "",
        "units": units(),
        "provenance": provenance,
        "win_bias": int(network_arrays["win_bias"]),
        "points_bias": int(network_arrays["points_bias"]),
        **{name: network_arrays[name].astype(_kind(name)).tobytes() for name in shapes(*shape)},
    }
    payload = zlib.compress(msgpack.packb(data), 9)
    body = HEAD.pack(MAGIC, len(payload)) + payload
    raw = body + blake2b(body, digest_size=DIGEST).digest()
    decode(raw)
    return raw


def _kind(name: str) -> str:
    """Of an array's numbers in a file."""
    return "<i4" if name == "trait_bias" else "<i2"


def decode(raw: bytes) -> Network:
    """The network in a file's content, of whatever origin; raises NetworkError."""
    if raw[: len(MAGIC)] != MAGIC or len(raw) < HEAD.size + DIGEST:
        raise NetworkError("this is no network file")
    if len(raw) > LARGEST:
        raise NetworkError(f"the network file is larger than {LARGEST} bytes")
    _, length = HEAD.unpack(raw[: HEAD.size])
    if len(raw) != HEAD.size + length + DIGEST:
        right = HEAD.size + length + DIGEST
        raise NetworkError(f"the network file has {len(raw)} bytes, should have {right}")
    if blake2b(raw[:-DIGEST], digest_size=DIGEST).digest() != raw[-DIGEST:]:
        raise NetworkError("the network file is damaged: its digest is wrong")
    try:
        return _network(_unpacked(raw[HEAD.size : -DIGEST]))
    except NetworkError:
        raise
    except (*SENSELESS, zlib.error, msgpack.UnpackException) as error:
        raise NetworkError(f"the network file makes no sense: {type(error).__name__}: {error}") from None


def _unpacked(payload: bytes) -> Any:
    inflate = zlib.decompressobj()
    payload = inflate.decompress(payload, UNPACKED)
    if not inflate.eof:
        raise NetworkError(f"the network file is larger than {UNPACKED} bytes when unpacked, or cut")
    if inflate.unused_data:
        raise NetworkError("the network file goes on after its end")
    # Without these limits a few bytes can ask for a list of millions, within another one, a thousand times.
    return msgpack.unpackb(
        payload, strict_map_key=True, max_array_len=LONGEST, max_map_len=LONGEST, max_ext_len=0
    )


def _network(data: Any) -> Network:
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise NetworkError(f"the network file has not the format {VERSION}")
    if data["units"] != units():
        raise NetworkError(f"the network file has units {data['units']!r:.80}; here they are {units()}")
    shape = data["features"]
    if not isinstance(shape, list) or len(shape) != 3 or not all(map(_is_size, shape)):
        raise NetworkError(
            f"the network file has {shape!r:.60} features of a player, of the table, of an option"
        )
    arrays: dict[str, Any] = {
        name: np.frombuffer(data[name], _kind(name)).reshape(dimensions).astype(_kind(name)[1:])
        for name, dimensions in shapes(*shape).items()
    }
    arrays |= {name: _whole(data[name]) for name in ("win_bias", "points_bias")}
    game, provenance = data["game"], data["provenance"]
    if not isinstance(game, str) or not isinstance(provenance, dict) or not _plain(provenance, DEEPEST):
        raise NetworkError("the network file doesn't say in plain data for which game, or how it was made")
    if not isinstance(data["key"], str):
        raise NetworkError("the network file doesn't say what its features mean")
    return Network(game, arrays, provenance, data["key"])


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_FEATURES


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise NetworkError(f"the network file has a bias that is no whole number: {value!r:.20}")
    return value


def _plain(value: Any, depth: int) -> bool:
    """Whether JSON could say it, with no more than some lists and maps within one another."""
    if isinstance(value, dict):
        return depth > 0 and all(isinstance(k, str) and _plain(v, depth - 1) for k, v in value.items())
    if isinstance(value, list):
        return depth > 0 and all(_plain(item, depth - 1) for item in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)


def read_network(path: str | os.PathLike[str]) -> Network:
    """The network in a file; raises NetworkError that begins with its name."""
    try:
        return decode(_content(Path(path)))
    except (OSError, ValueError) as error:
        raise NetworkError(f"{_named(path)}: {getattr(error, 'strerror', None) or error}") from None


def _content(path: Path) -> bytes:
    """At most one byte more than a network file may have; a pipe or a device isn't opened at all."""
    if not path.exists():
        raise NetworkError("there is no such file")
    if not path.is_file():
        raise NetworkError("this is no file but a folder, a pipe or a device")
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def _named(path: str | os.PathLike[str]) -> str:
    """The name in a message; of a very long one the end, so that there is room for what is wrong."""
    text = os.fspath(path)
    return text if len(text) <= 200 else f"…{text[-199:]}"


# ---- networks to play with


def load_network(path: str | os.PathLike[str]) -> Network:
    """The network in a file, if a game here can use it; raises NetworkError that begins with its name."""
    network = read_network(path)
    complaint = _misfit(network)
    if complaint:
        raise NetworkError(f"{_named(path)}: {complaint}")
    return network


def _misfit(network: Network) -> str:
    """Why no game here can use it; empty if one can."""
    name = network.game
    if name not in NAMES:
        return f"the network is for {name!r:.40}; the games here: {' '.join(NAMES)}"
    game = load(Spec(name, seat_counts(name)[0]))
    if network.fits(game):
        return ""
    own = shape_of(game)
    if network.shape != own:
        return f"the network has features (players, table, options) {network.shape}; {name} has {own} here"
    return f"the network was made for other features or components of {name} than those here"


@cache
def shipped_network(game: str) -> Network | None:
    """The network that comes with a game, None if there is none.

    One that can't be used, so that something is wrong with the installation, is None and a RuntimeWarning.
    """
    path = SHIPPED / game / "network.bin"
    try:
        network = load_network(path) if path.exists() else None
        if network is None or network.game == game:
            return network
        raise NetworkError(f"{_named(path)}: the network is for {network.game}, not for {game}")
    except NetworkError as error:
        warnings.warn(f"{error}; {game} is played without a network", RuntimeWarning, stacklevel=2)
        return None


def network_choice(text: str) -> Callable[[str], Network | None]:
    """What a user's choice means: a function from a game's name to the network that judges it, or None.

    Empty: the network shipped with each game; ``none``: no network; else a file, read here and now, for the
    game that it is for. Raises NetworkError that begins with the file's name.
    """
    if not text:
        return shipped_network
    if text.lower() == NONE:
        return lambda game: None
    network = load_network(text)
    return lambda game: network if game == network.game else shipped_network(game)
