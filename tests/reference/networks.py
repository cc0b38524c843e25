"""Networks of random weights, and a slow reading of what a network computes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from serai.core import load
from serai.core.network import Network, feature_lists, shape_of, trait_lists
from serai.core.network_file import encode

HIDDEN, UNIT, CEILING, HEAD_UNIT, POINTS_UNIT = 32, 128, 2047, 256, 64
SEATS = 7  # rows of a bias
MAX_TRAITS = 16  # in core/types.pxd
LARGEST_WEIGHT = 2**15 - 1
Arrays = dict[str, Any]
Shape = tuple[int, int, int]


def shapes(players: int, table: int, options: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network; those of the choice are empty without traits."""
    choice = (players, table, SEATS) if options else (0, 0, 0)
    return {
        "players": (players, 2, HIDDEN),
        "table": (table, HIDDEN),
        "bias": (SEATS, HIDDEN),
        "win_head": (HIDDEN,),
        "points_head": (HIDDEN,),
        "choice_players": (choice[0], 2, HIDDEN),
        "choice_table": (choice[1], HIDDEN),
        "choice_bias": (choice[2], HIDDEN),
        "traits": (options, HIDDEN),
        "trait_bias": (options,),
    }


def random_arrays(shape: Shape, seed: int, most: int = 200, heads: int = 2000) -> Arrays:
    """Weights up to ± ``most`` and ``heads`` for a shape: features of a player, of the table, traits."""
    numbers = np.random.default_rng(seed)
    limits = {"win_head": heads, "points_head": heads, "traits": heads // MAX_TRAITS}
    arrays: Arrays = {}
    for name, size in shapes(*shape).items():
        limit, kind = (2**20, np.int32) if name == "trait_bias" else (limits.get(name, most), np.int16)
        arrays[name] = numbers.integers(-limit, limit, size, dtype=kind, endpoint=True)
    return arrays | {name: int(numbers.integers(-(2**20), 2**20)) for name in ("win_bias", "points_bias")}


def random_network(name: str = "spice_road", seed: int = 1, most: int = 200) -> Network:
    """A network that fits a game."""
    return Network(name, random_arrays(shape_of(load(name)), seed, most))


def random_file(name: str = "spice_road", seed: int = 1) -> bytes:
    """The content of a file with that network."""
    return encode(random_arrays(shape_of(load(name)), seed), name, {"seed": seed})


def sealed(payload: bytes) -> bytes:
    """A file of right form and digest around any payload, which is deflated."""
    return framed(zlib.compress(payload))


def framed(payload: bytes) -> bytes:
    """A file of right form and digest around what should be a deflated map."""
    body = struct.pack("<4sI", b"SNet", len(payload)) + payload
    return body + blake2b(body, digest_size=16).digest()


def arrays_of(raw: bytes) -> Arrays:
    """The arrays in a network file, which is known to be whole."""
    data = msgpack.unpackb(zlib.decompress(raw[8:-16]))
    return {
        name: np.frombuffer(data[name], "<i4" if name == "trait_bias" else "<i2").reshape(shape)
        for name, shape in shapes(*data["features"]).items()
    }


# ---- the slow reading


def hidden_sums(
    arrays: Arrays, table: Sequence[int], players: Sequence[Sequence[int]], layer: str = ""
) -> NDArray[np.int64]:
    """The sums of each seat, taken modulo 2**16 into -2**15 to 2**15 - 1, then clipped."""
    return np.clip((whole_sums(arrays, table, players, layer) + 2**15) % 2**16 - 2**15, 0, CEILING)


def whole_sums(
    arrays: Arrays, table: Sequence[int], players: Sequence[Sequence[int]], layer: str = ""
) -> NDArray[np.int64]:
    """The sums of each seat, as large as they are. ``layer``: what the names of its arrays begin with."""
    of_table, of_players = arrays[f"{layer}table"], arrays[f"{layer}players"]
    rows = []
    for seat in range(len(players)):
        total = arrays[f"{layer}bias"][len(players)].astype(np.int64)
        for feature in table:
            total = total + of_table[feature]
        for other, features in enumerate(players):
            for feature in features:
                total = total + of_players[feature][0 if other == seat else 1]
        rows.append(total)
    return np.array(rows)


def read(arrays: Arrays, position: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Win shares, and points in units of the arithmetic, 1 / (UNIT * POINTS_UNIT)."""
    sums = hidden_sums(arrays, *feature_lists(position))
    logits = (sums @ arrays["win_head"].astype(np.int64) + arrays["win_bias"]) / (UNIT * HEAD_UNIT)
    return softmax(logits), sums @ arrays["points_head"].astype(np.int64) + arrays["points_bias"]


def preferences(arrays: Arrays, position: Any, options: Sequence[str]) -> NDArray[np.float64]:
    """The shares of some options of the seat to move."""
    sums = hidden_sums(arrays, *feature_lists(position), layer="choice_")[position.to_act]
    traits = trait_lists(position)
    logits = []
    for token in options:
        row = sum(arrays["traits"][trait].astype(np.int64) for trait in traits[token])
        logits.append(int(sums @ row) + sum(int(arrays["trait_bias"][trait]) for trait in traits[token]))
    return softmax(np.array(logits) / (UNIT * HEAD_UNIT))


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares that sum to 1; the evaluator has its logits in 32 bits."""
    single = logits.astype(np.float32)
    shares = np.exp((single - single.max()).astype(np.float64))
    return np.array(shares / shares.sum())
