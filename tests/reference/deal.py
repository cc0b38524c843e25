"""The published way from a seed to the order of a pile, in plain Python.

Anybody who knows the seed of a game can deal the same cards with this page: SplitMix64 numbers, started
from the seed and the name of the pile, drive a Fisher-Yates shuffle of the pile, which lies in the order of
the component list at first. A pile may hold several copies of one thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reference.readings import CHANCE, Reading

WORD = 2**64
"""All arithmetic is on 64 bits."""


def fnv1a(name: str) -> int:
    """FNV-1a, 64 bits, of the name's bytes."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) % WORD
    return value


def splitmix64(state: int) -> Iterator[int]:
    """An endless row of 64-bit numbers."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) % WORD
        yield mixed ^ (mixed >> 31)


def pile_order(seed: int, pile: str, cards: Sequence[str]) -> list[str]:
    """The pile after the shuffle, first card to be drawn first."""
    assert 0 <= seed < WORD, f"a seed has 64 bits, not {seed}"
    order = list(cards)
    numbers = splitmix64(seed ^ fnv1a(pile))
    for last in range(len(order) - 1, 0, -1):
        other = ((next(numbers) >> 32) * (last + 1)) >> 32
        order[last], order[other] = order[other], order[last]
    return order


def dealt(game: Reading, seed: int) -> str:
    """The outcome of the chance event at hand: the first of the order that has not gone yet."""
    assert game.to_act() == CHANCE, "nothing is dealt at a decision"
    name, everything, left = game.pile_at_hand()
    gone = Counter(everything) - Counter(left)
    for outcome in pile_order(seed, name, everything):
        if not gone[outcome]:
            return outcome
        gone[outcome] -= 1
    raise AssertionError(f"nothing is left of the pile {name}")


def play_out(game: Reading, seed: int, decisions: Sequence[str]) -> list[str]:
    """All events of a game: its decisions with the chance events between them, up to the next decision."""
    events: list[str] = []
    waiting = list(decisions)
    while game.to_act() == CHANCE or waiting:
        event = dealt(game, seed) if game.to_act() == CHANCE else waiting.pop(0)
        game.apply(event)
        events.append(event)
    return events
