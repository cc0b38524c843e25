"""How the names of what a network sees are written, in the order of their numbers.

A game keeps a number for a thing that its components may leave out; such a number has the name "".
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b


def key_of(*meaning: object) -> str:
    """A digest of all that the numbers mean: names in their order, and components."""
    return blake2b(repr(meaning).encode(), digest_size=8).hexdigest()


def padded(names: Sequence[str], places: int) -> list[str]:
    """The names, and "" for each place that is kept beyond them."""
    return [*names, *[""] * (places - len(names))]


def counted(what: str, first: int, most: int) -> list[str]:
    """``what 0`` … ``what 7+``."""
    return [f"{what} {i}" for i in range(first, most)] + [f"{what} {most}+"]


def each(what: str, names: Sequence[str]) -> list[str]:
    """``what name`` for each name; a number not in use stays so."""
    return [name and f"{what} {name}" for name in names]
