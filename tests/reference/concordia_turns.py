"""Whole turns of Concordia read naively: everything that a card allows, in any order, as a set of outcomes.

The rules play a turn as small decisions in a canonical order. Here nothing is canonical: colonists walk one
after another wherever they may, goods are traded one by one, houses and payments come in every order. What
can be reached so must be what the decisions reach, and they must reach each outcome once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import TypeVar

from reference.concordia_box import GOODS, HOUSE_COINS, PRICE, ROMA, SLOTS, Board, ends

Node = TypeVar("Node", bound=Hashable)

Placement = tuple[tuple[str, ...], tuple[str, ...]]
"""Where the land colonists and the sea colonists are, each sorted: a city or a line."""

Stock = tuple[int, ...]
"""Goods in a storehouse, by kind."""


def reachable(start: Node, ways: Callable[[Node], Iterator[Node]]) -> set[Node]:
    """All that can be reached, the start included."""
    found, new = {start}, [start]
    while new:
        for after in ways(new.pop()):
            if after not in found:
                found.add(after)
                new.append(after)
    return found


# -- the Architect ------------------------------------------------------------------------------------------


def placements(board: Board, start: Placement, taken: Placement) -> set[Placement]:
    """Everywhere that own colonists may end; ``taken`` are the lines where those of others are."""

    def walk_one(now: tuple[Placement, int]) -> Iterator[tuple[Placement, int]]:
        (land, sea), left = now
        for place in land:
            for line, steps in walks(board.lines["land"], place, left):
                if line not in (*land, *taken[0]):
                    yield (exchanged(land, place, line), sea), left - steps
        for place in sea:
            for line, steps in walks(board.lines["sea"], place, left):
                if line not in (*sea, *taken[1]):
                    yield (land, exchanged(sea, place, line)), left - steps

    steps = len(start[0]) + len(start[1])
    return {placement for placement, _ in reachable((start, steps), walk_one)}


def walks(lines: Sequence[str], place: str, most: int) -> set[tuple[str, int]]:
    """Every line on which a walk may end, with the steps it takes."""
    found: set[tuple[str, int]] = set()
    here = {place}
    for steps in range(1, most + 1):
        cities = {city for each in here for city in each.split("-")}
        here = {line for line in lines if cities & set(ends(line))}
        found |= {(line, steps) for line in here}
    return found


def exchanged(places: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    """One colonist elsewhere."""
    others = list(places)
    others.remove(old)
    return tuple(sorted([*others, new]))


def buildings(
    placement: Placement,
    good_of: Mapping[str, str],
    own: frozenset[str],
    others: Mapping[str, int],
    stock: Stock,
    coins: int,
    most: int = 15,
) -> set[tuple[frozenset[str], Stock, int]]:
    """Houses, goods and coins after building; ``others`` counts the houses of other seats in each city."""
    reached = {city for kind in placement for line in kind if "-" in line for city in ends(line)} - {ROMA}

    def build_one(now: tuple[frozenset[str], Stock, int]) -> Iterator[tuple[frozenset[str], Stock, int]]:
        houses, goods, money = now
        for city in reached - houses if len(houses) < most else ():
            good = good_of[city]
            rest = paid(goods, ["food"] if good == "brick" else ["brick", good])
            money_left = money - HOUSE_COINS[good] * (others.get(city, 0) + 1)
            if rest is not None and money_left >= 0:
                yield houses | {city}, rest, money_left

    return reachable((own, stock, coins), build_one)


def paid(stock: Stock, wanted: Sequence[str]) -> Stock | None:
    """The goods that are left, or None if some are missing."""
    rest = tuple(have - wanted.count(good) for have, good in zip(stock, GOODS, strict=True))
    return rest if min(rest) >= 0 else None


# -- trading and buying -------------------------------------------------------------------------------------


def trades(stock: Stock, coins: int, slots: int) -> set[tuple[Stock, int]]:
    """Goods and coins after trading with the bank; ``slots`` are those that colonists leave free."""

    def trade_one(now: tuple[Stock, int, frozenset[int]]) -> Iterator[tuple[Stock, int, frozenset[int]]]:
        goods, money, kinds = now
        for kind, good in enumerate(GOODS):
            if len(kinds | {kind}) > 2:
                continue
            if goods[kind] > 0:
                yield changed(goods, kind, -1), money + PRICE[good], kinds | {kind}
            if sum(goods) < slots and money >= PRICE[good]:
                yield changed(goods, kind, 1), money - PRICE[good], kinds | {kind}

    start: tuple[Stock, int, frozenset[int]] = (stock, coins, frozenset())
    return {(goods, money) for goods, money, _ in reachable(start, trade_one)}


def changed(stock: Stock, kind: int, by: int) -> Stock:
    """One good more or less."""
    return (*stock[:kind], stock[kind] + by, *stock[kind + 1 :])


def purchases(stock: Stock, costs: Sequence[Sequence[str]], most: int) -> set[tuple[frozenset[int], Stock]]:
    """Places of the row that are bought, and the goods left; ``costs`` by place, "?" being any good."""
    found = {(frozenset[int](), stock)}
    for number in range(1, most + 1):
        for chosen in permutations(range(len(costs)), number):
            price = [good for place in chosen for good in costs[place]]
            choices = [GOODS if good == "?" else (good,) for good in price]
            rests = (paid(stock, goods) for goods in product(*choices))
            found |= {(frozenset(chosen), rest) for rest in rests if rest is not None}
    return found


def senators_costs(row: Sequence[Sequence[str]]) -> list[list[str]]:
    """What each card of the row costs a Senator: its own goods and those of its place."""
    return [[*card, *place] for card, place in zip(row, SLOTS, strict=False)]


# -- colonists from the storehouse, and goods that don't fit ------------------------------------------------


def settlements(
    board: Board, start: Placement, waiting: tuple[int, int], houses: frozenset[str], stock: Stock
) -> set[tuple[Placement, Stock]]:
    """Colonists and goods after the Colonist has brought new ones, each for food and a tool."""
    homes = {ROMA, *houses}

    def settle_one(now: tuple[Placement, Stock]) -> Iterator[tuple[Placement, Stock]]:
        (land, sea), goods = now
        rest = paid(goods, ["food", "tool"])
        if rest is None:
            return
        for home in homes:
            if len(land) < len(start[0]) + waiting[0] and board.touches("land", home):
                yield (tuple(sorted([*land, home])), sea), rest
            if len(sea) < len(start[1]) + waiting[1] and board.touches("sea", home):
                yield (land, tuple(sorted([*sea, home]))), rest

    return reachable((start, stock), settle_one)


def keepings(stock: Stock, received: Sequence[str], slots: int) -> set[Stock]:
    """Goods after a production of which no more is kept, and no less, than fits."""
    room = min(slots - sum(stock), len(received))
    return {
        tuple(have + kept.count(good) for have, good in zip(stock, GOODS, strict=True))
        for kept in combinations(received, room)
    }
