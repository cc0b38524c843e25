"""Concordia's choices of several things at once, made one after another so that none comes about twice.

Each function says what may be named next so that the choice can still be completed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations, product

from reference.concordia_box import GOODS, SLOTS, WARES, Board

NEVER = 99
"""More steps than there are."""


# -- the Architect: where colonists of one sort end ---------------------------------------------------------


class Walkers:
    """The colonists of one sort of one seat, and the lines that are closed to them at the end of a walk."""

    def __init__(self, board: Board, sort: str, starts: Sequence[str], closed: set[str]) -> None:
        self.steps = board.steps[sort]
        self.starts = list(starts)
        homes = sorted({place for place in starts if "-" not in place}, key=["roma", *board.cities].index)
        self.order = [line for line in board.lines[sort] if line not in closed] + homes
        """Where a colonist may end, in the order in which ends are named: a city only for staying there."""

    def options(self, named: Sequence[str], budget: int) -> list[str]:
        """What may be named next, if all walks together must take no more steps than the budget."""
        first = self.order.index(named[-1]) if named else 0
        if named and "-" in named[-1]:
            first += 1  # no two on one line
        return [
            end
            for bound, end in enumerate(self.order[first:], start=first)
            if any(self.walk(start, end) <= budget for start in self.starts)
            and self.fewest_steps([*named, end], bound) <= budget
        ]

    def fewest_steps(self, named: Sequence[str], bound: int = 0) -> int:
        """The cheapest way to the named ends, the others ending at places from a bound on in the order."""
        later = self.order[bound:]
        least = NEVER
        for starts in set(permutations(self.starts)):
            steps = sum(map(self.walk, starts, named))
            if steps < least:
                least = min(least, steps + self.others(starts[len(named) :], named, later))
        return least

    def walk(self, start: str, end: str) -> int:
        """Steps from a place to another; into a city nobody walks."""
        return 0 if start == end else self.steps[start].get(end, NEVER)

    def others(self, starts: Sequence[str], named: Sequence[str], later: Sequence[str]) -> int:
        """The cheapest ends of those who have none yet, no two on one line."""
        free = {place for place in later if place not in named or "-" not in place}
        ways = []
        for start in starts:
            stay = [start] if start in free and "-" not in start else []
            near = (line for line in self.steps[start] if line in free)
            ways.append([*stay, *islice(near, len(starts))])
        least = NEVER if starts else 0
        for ends in product(*ways) if starts else ():
            lines = [end for end in ends if "-" in end]
            if len(set(lines)) == len(lines):
                least = min(least, sum(map(self.walk, starts, ends)))
        return least


# -- goods that don't fit -----------------------------------------------------------------------------------


def keepable(offered: Counter[str], room: int) -> list[str]:
    """Goods that may be kept next: what is below is given up, and the rest must still fill all the room."""
    rest = [sum(offered[good] for good in GOODS[index:]) for index in range(len(GOODS))]
    return [good for index, good in enumerate(GOODS) if offered[good] and rest[index] >= room > 0]


def from_here_on(goods: Counter[str], good: str) -> Counter[str]:
    """The goods that are not below a good."""
    return Counter({each: goods[each] for each in GOODS[GOODS.index(good) :] if goods[each]})


# -- Senator and Consul: which cards of the row -------------------------------------------------------------


def hires(row: Sequence[str], goods: Counter[str], most: int, with_places: bool) -> list[tuple[int, ...]]:
    """Sets of places (left = 1) that can be paid for, without those that another one stands for.

    A set stands for one that takes the same cards and leaves the same row for the same number of goods, if it
    asks for no good that the other doesn't ask for: then whatever pays for the other pays for it. Of those
    that ask for the same goods, the one farthest left stands for all.
    """
    deals: dict[object, list[tuple[Counter[str], tuple[int, ...]]]] = {}
    for places in some_of(range(1, len(row) + 1), most):
        fixed, free = price(row, places, with_places)
        left = tuple(name for place, name in enumerate(row, start=1) if place not in places)
        key = (tuple(sorted(row[place - 1] for place in places)), left, fixed.total() + free)
        if affordable(goods, fixed, free):
            deals.setdefault(key, []).append((fixed, places))
    return [
        places
        for alike in deals.values()
        for fixed, places in alike
        if not any(other < fixed or (other == fixed and first < places) for other, first in alike)
    ]


def some_of(places: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """One place, or two, up to so many."""
    for number in range(1, most + 1):
        yield from combinations(places, number)


def price(row: Sequence[str], places: Sequence[int], with_places: bool) -> tuple[Counter[str], int]:
    """The goods that must be paid, and the number of "?"."""
    goods = [good for place in places for good in WARES[row[place - 1]].cost]
    if with_places:
        goods += [good for place in places for good in SLOTS[place - 1]]
    return Counter(good for good in goods if good != "?"), goods.count("?")


def affordable(goods: Counter[str], fixed: Counter[str], free: int) -> bool:
    """Whether one pool of goods covers it all."""
    return fixed <= goods and goods.total() - fixed.total() >= free


def payable(goods: Counter[str], owed: int, last: str) -> list[str]:
    """Goods that may pay for the next "?": none before the last one, and enough must be left from it on."""
    first = GOODS.index(last) if last else 0
    return [
        good
        for index, good in enumerate(GOODS)
        if index >= first and goods[good] and sum(goods[each] for each in GOODS[index:]) >= owed
    ]
