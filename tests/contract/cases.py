"""Positions that the contract is tried on, for any registered game."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from serai.core import CHANCE, Game, Position, load
from serai.core.games import NAMES, set_ups
from serai.core.spec import Spec
from serai.search import greedy

TABLES = [table for name in NAMES for table in set_ups(name)]
LONGEST = 3_000  # events; a game that somebody tries to win is far shorter


def name_of(table: Spec) -> str:
    """The words of a table in the names of its tests."""
    variant = "" if table.variant == "base" else f"-{table.variant}"
    return f"{table.game}{variant}-{table.players}-seats"


@cache
def game_of(table: Spec) -> Game:
    """The game, without a seed."""
    return load(table)


@cache
def line_of(table: Spec, seed: int | None = None) -> tuple[Position, ...]:
    """Every position of one game in which the seats mostly do what looks best at once, start to end."""
    position = load(replace(table, seed=seed)).start()
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


def sampled(table: Spec, number: int) -> list[Position]:
    """Positions spread over the line, the first and the last ones among them."""
    line = line_of(table)
    step = max(1, len(line) // number)
    return [*line[:3], *line[3:-3:step], *line[-3:]]
