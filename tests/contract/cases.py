"""Positions that the contract is tried on, for any registered game."""

from __future__ import annotations

import random
from functools import cache

from serai.core import CHANCE, Game, Position, load
from serai.core.games import NAMES, seat_counts
from serai.search import greedy

TABLES = [(name, seats) for name in NAMES for seats in seat_counts(name)]
LONGEST = 3_000  # events; a game that somebody tries to win is far shorter


def name_of(table: tuple[str, int]) -> str:
    """The words of a table in the names of its tests."""
    return f"{table[0]}-{table[1]}-seats"


@cache
def game_of(table: tuple[str, int]) -> Game:
    """The game, without a seed."""
    return load(f"{table[0]};players={table[1]}")


@cache
def line_of(table: tuple[str, int], seed: int | None = None) -> tuple[Position, ...]:
    """Every position of one game in which the seats mostly do what looks best at once, start to end."""
    position = load(f"{table[0]};players={table[1]}" + ("" if seed is None else f";seed={seed}")).start()
    numbers = random.Random(f"{table} {seed}")
    line = [position]
    while not position.is_over and len(line) < LONGEST:
        position = position.apply(next_event(position, numbers))
        line.append(position)
    return tuple(line)


def next_event(position: Position, numbers: random.Random) -> str:
    """A card drawn, or a decision: greedy in two of three cases."""
    if position.to_act == CHANCE:
        return position.draw(numbers.getrandbits(64))
    if numbers.random() < 2 / 3:
        return greedy(position, numbers.getrandbits(64))
    return numbers.choice(position.legal_tokens())


def sampled(table: tuple[str, int], number: int) -> list[Position]:
    """Positions spread over the line, the first and the last ones among them."""
    line = line_of(table)
    step = max(1, len(line) // number)
    return [*line[:3], *line[3:-3:step], *line[-3:]]
