"""Names of what a network sees of Spice Road, in the order of the numbers in features.pxd.

>>> from serai.core.games.spice_road.components import load_components
>>> player_names(load_components())[3], table_names(load_components())[2]
('yellow 3', 'market 1 +g')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from serai.core.feature_names import counted, each, key_of, padded
from serai.core.games.spice_road.components import Components
from serai.core.games.spice_road.notation import COLOUR_NAMES

MAX_CARDS = MAX_POINTS = 64  # places kept, so that any component file fits
VALUES = ("up to 9", "10-12", "13-15", "16-18", "from 19")


@lru_cache(maxsize=8)
def feature_key(cards: Components) -> str:
    """A digest of the features' names in their order, and of the components."""
    return key_of(player_names(cards), table_names(cards), option_names(cards), cards)


@lru_cache(maxsize=8)
def player_names(cards: Components) -> tuple[str, ...]:
    """The name of each feature of a player; "" where the components leave a place unused."""
    return tuple(_player(_merchants(cards)))


@lru_cache(maxsize=8)
def table_names(cards: Components) -> tuple[str, ...]:
    """The name of each feature of the table; "" where the components leave a place unused."""
    return tuple(_table(_merchants(cards), _points(cards)))


@lru_cache(maxsize=8)
def option_names(cards: Components) -> tuple[str, ...]:
    """The name of each trait of an option; "" where the components leave a place unused."""
    return tuple(_option(_merchants(cards), _points(cards)))


def _merchants(cards: Components) -> list[str]:
    return padded([card.name for card in cards.cards], MAX_CARDS)


def _points(cards: Components) -> list[str]:
    return padded([card.name for card in cards.points], MAX_POINTS)


def _player(cards: list[str]) -> Iterator[str]:
    for what in (*COLOUR_NAMES, "cubes"):
        yield from (f"{what} {i}" for i in range(11))
    yield from each("hand", cards)
    yield from each("played", cards)
    yield from counted("merchants", 0, 15)
    yield from counted("in hand", 0, 12)
    yield from counted("unknown", 1, 7)
    yield from counted("playable", 0, 7)
    yield from (f"to go {i}" for i in range(7))
    yield from counted("fours of points", 0, 30)
    yield from (f"points beyond {i}" for i in range(4))
    for round_ in ("", "last round, "):
        for left in ("", "turn left, "):
            yield from (f"{round_}{left}next turn in {i}" for i in range(5))
    yield from (f"claimable {i}" for i in range(1, 6))
    yield from counted("twos of the best claim", 0, 12)
    for slot in range(1, 6):
        for value in VALUES:
            yield from counted(f"point {slot}, {value}, missing", 0, 5)


def _table(merchants: list[str], points: list[str]) -> Iterator[str]:
    for slot in range(1, 7):
        yield from each(f"market {slot}", merchants)
    for slot in range(1, 7):
        yield from counted(f"cubes on market {slot}:", 1, 6)
    for slot in range(1, 7):
        yield from counted(f"worth on market {slot}:", 1, 12)
    for slot in range(1, 6):
        yield from each(f"point {slot}", points)
    for coin in ("gold", "silver"):
        yield from (f"{coin} {i}" for i in range(11))
    yield from (f"least to go {i}" for i in range(7))
    yield from counted("fours of merchants in the deck", 0, 10)
    yield from ("market gap", "point gap")


def _option(merchants: list[str], points: list[str]) -> Iterator[str]:
    yield from each("claim", points)
    yield from (f"claim from {slot}" for slot in range(1, 6))
    yield from each("take", merchants)
    yield from (f"take from {slot}" for slot in range(1, 7))
    yield from each("play", merchants)
    yield from counted("times", 1, 6)
    yield from each("upgrade by", merchants)
    yield "rest"
    for what in ("pay", "return"):
        yield from (f"{what} {colour}" for colour in COLOUR_NAMES)
    for colour in COLOUR_NAMES:
        yield from (f"then {colour} {i}" for i in range(11))
    yield from counted("lost", 0, 5)
    yield from counted("then twos of the best claim", 0, 12)
