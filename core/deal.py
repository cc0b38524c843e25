"""The published map from a seed to a deal (protocol, section 3).

Every pile has a name and its items in the order of the component file. Its order under a seed is a
Fisher-Yates shuffle with SplitMix64, started at ``seed XOR FNV-1a-64(name)``; cards come from the front.
A chance event is the first item that is still in the pile, so two games with one seed turn the same cards
from a pile whatever the players do. Of equal items the first in that order are the ones that are gone.
"""

from __future__ import annotations

from functools import lru_cache

MASK = 2**64 - 1


def fnv1a(name: str) -> int:
    """FNV-1a, 64 bits, of the ASCII name."""
    value = 0xCBF29CE484222325
    for byte in name.encode("ascii"):
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def splitmix64(state: int) -> tuple[int, int]:
    """Next state and next output of SplitMix64."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return state, z ^ (z >> 31)


@lru_cache(maxsize=256)
def deal_order(seed: int, name: str, items: tuple[int, ...]) -> tuple[int, ...]:
    """The items of a pile in the order in which this seed deals them.

    >>> deal_order(1, "market", (0, 1, 2, 3, 4))
    (0, 3, 1, 4, 2)
    """
    order = list(items)
    state = seed ^ fnv1a(name)
    for i in range(len(order) - 1, 0, -1):
        state, value = splitmix64(state)
        j = (value >> 32) * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return tuple(order)
