"""Networks of random weights, and a slow reading of what a network computes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serai.core import Game, load
from serai.core.network import Network, feature_lists
from serai.core.network_file import encode

HIDDEN, UNIT, CEILING, HEAD_UNIT, POINTS_UNIT = 32, 128, 2047, 256, 64
LARGEST_WEIGHT = 2**15 - 1
Arrays = dict[str, Any]


def random_arrays(shape: tuple[int, int], seed: int, most: int = 200, heads: int = 2000) -> Arrays:
    """Weights up to ± ``most`` and ``heads``, for so many features of a player and of the table."""
    numbers = np.random.default_rng(seed)

    def weights(limit: int, *size: int) -> NDArray[np.int16]:
        return numbers.integers(-limit, limit, size, dtype=np.int16, endpoint=True)

    return {
        "players": weights(most, shape[0], 2, HIDDEN),
        "table": weights(most, shape[1], HIDDEN),
        "bias": weights(most, 7, HIDDEN),
        "win_head": weights(heads, HIDDEN),
        "points_head": weights(heads, HIDDEN),
        "win_bias": int(numbers.integers(-(2**20), 2**20)),
        "points_bias": int(numbers.integers(-(2**20), 2**20)),
    }


def shape_of(game: Game) -> tuple[int, int]:
    return game.player_features, game.table_features


def random_network(name: str = "spice_road", seed: int = 1, most: int = 200) -> Network:
    """A network that fits a game."""
    return Network(name, random_arrays(shape_of(load(name)), seed, most))


def random_file(name: str = "spice_road", seed: int = 1) -> bytes:
    """The content of a file with that network."""
    return encode(random_arrays(shape_of(load(name)), seed), name, {"seed": seed})


def sealed(payload: bytes) -> bytes:
    """A file of right form and digest around any payload."""
    body = struct.pack("<4sI", b"SNet", len(payload)) + payload
    return body + blake2b(body, digest_size=16).digest()


# ---- the slow reading


def hidden_sums(arrays: Arrays, table: Sequence[int], players: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The sums of each seat, taken modulo 2**16 into -2**15 to 2**15 - 1, then clipped."""
    rows = []
    for seat in range(len(players)):
        total = arrays["bias"][len(players)].astype(np.int64)
        for feature in table:
            total = total + arrays["table"][feature]
        for other, features in enumerate(players):
            for feature in features:
                total = total + arrays["players"][feature][0 if other == seat else 1]
        rows.append((total + 2**15) % 2**16 - 2**15)
    return np.clip(np.array(rows), 0, CEILING)


def read(arrays: Arrays, position: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Win shares, and points in units of the arithmetic, 1 / (UNIT * POINTS_UNIT)."""
    sums = hidden_sums(arrays, *feature_lists(position))
    logits = (sums @ arrays["win_head"].astype(np.int64) + arrays["win_bias"]) / (UNIT * HEAD_UNIT)
    shares = np.exp(logits - logits.max())
    return shares / shares.sum(), sums @ arrays["points_head"].astype(np.int64) + arrays["points_bias"]
