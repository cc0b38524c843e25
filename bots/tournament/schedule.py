"""Which games a tournament has: blocks of one deal from all rotations of the seats, at one table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from serai.bots.schedule import seed_from
from serai.bots.tournament.plan import Plan


@dataclass(frozen=True)
class Block:
    """One deal at one table. ``seatings``: for each game the index of the entrant in each seat.

    ``deal``: the seed of the deal, the same in all its games.
    """

    number: int
    table: tuple[int, ...]
    deal: int
    seatings: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Games in it."""
        return len(self.seatings)


def block_size(plan: Plan) -> int:
    """Games of a block; the same for all blocks of a plan."""
    return block_at(plan, 0).size


def block_count(plan: Plan) -> int:
    """How many blocks hold the games wanted; each table of a fixed format gets as many as the others."""
    blocks = -(-plan.games // block_size(plan))
    if plan.format in ("mixed", "sprt"):
        return blocks
    tables = len(fixed_tables(plan))
    return -(-blocks // tables) * tables


def blocks(plan: Plan) -> Iterator[Block]:
    """All blocks in order; the first ones are the same whatever number of games is wanted."""
    return (block_at(plan, number) for number in range(block_count(plan)))


def block_at(plan: Plan, number: int) -> Block:
    """The block of a number, from 0."""
    tables, place = fixed_tables(plan), number
    if plan.format == "mixed":
        part, place = divmod(number, len(plan.entrants))
        tables = _mixed_tables(plan, part)
    table = tables[place % len(tables)]
    return Block(number, table, seed_from(plan.seed, "deal", number), rotations(plan, table))


def rotations(plan: Plan, table: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The seatings of a table: cyclic ones, or all orders that differ."""
    count = len(table)
    if plan.rotations == "all":
        return tuple(dict.fromkeys(itertools.permutations(table)))
    return tuple(tuple(table[(seat + turn) % count] for seat in range(count)) for turn in range(count))


@lru_cache(maxsize=8)
def fixed_tables(plan: Plan) -> list[tuple[int, ...]]:
    """The tables of a format that goes round and round; none for a mixed one."""
    count, seats = len(plan.entrants), plan.seats
    if plan.format == "mixed":
        return []
    if plan.format == "round-robin":
        return list(itertools.combinations(range(count), seats))
    if plan.format == "gauntlet":
        return [(0, *others) for others in itertools.combinations(range(1, count), seats - 1)]
    return [(0, *[other] * (seats - 1)) for other in range(1, count)]


@lru_cache(maxsize=8)
def _mixed_tables(plan: Plan, part: int) -> list[tuple[int, ...]]:
    """As many tables as entrants, each entrant at as many of them as there are seats.

    Who has played least comes first, beside those he has met least.
    """
    count = len(plan.entrants)
    random = Random(f"{plan.seed} tables {part}")
    played, met = [0] * count, [[0] * count for _ in range(count)]
    tables = []
    for _ in range(count):
        table = _fill(plan.seats, played, met, random)
        for i in table:
            played[i] += 1
            for j in table:
                met[i][j] += 1
        tables.append(table)
    return tables


def _fill(seats: int, played: Sequence[int], met: Sequence[Sequence[int]], random: Random) -> tuple[int, ...]:
    chosen: list[int] = []
    for _ in range(seats):
        free = (i for i in range(len(played)) if i not in chosen)
        order = [(played[i], sum(met[i][j] for j in chosen), random.random(), i) for i in free]
        chosen.append(min(order)[-1])
    return tuple(chosen)
