"""Points and places in Concordia: the gods, the card for the one who ended the game, and who wins a tie."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from reference.concordia_box import GOODS, PRICE, Board, Card

CONCORDIA = 7
MADE_BY = {"mason": "brick", "farmer": "food", "smith": "tool", "vintner": "wine", "weaver": "cloth"}
"""The good of each specialist."""


class Estate(Protocol):
    """What the gods look at."""

    coins: int
    goods: Counter[str]
    houses: set[str]

    def cards(self) -> list[Card]:
        """All cards, in hand or played."""

    def on_board(self) -> int:
        """Colonists outside the storehouse."""


def points(estate: Estate, board: Board, good_of: dict[str, str]) -> int:
    """What all cards together score, without the card Concordia."""
    made = [good_of[city] for city in estate.houses]
    worth = {
        "vesta": (estate.coins + sum(PRICE[good] * estate.goods[good] for good in GOODS)) // 10,
        "jupiter": sum(good != "brick" for good in made),
        "saturnus": len({board.province_of[city] for city in estate.houses}),
        "mercurius": 2 * len(set(made)),
        "mars": 2 * estate.on_board(),
    }
    total = 0
    for card in estate.cards():
        if card.god == "minerva":
            total += card.points * made.count(MADE_BY[card.role])
        else:
            total += worth[card.god]
    return total


def places(totals: list[int], holder: int) -> list[int]:
    """The place of each seat; of equals, whoever holds the Praefectus Magnus or would receive it sooner.

    It goes to the right, which is to the seat before.
    """
    seats = len(totals)
    order = sorted(range(seats), key=lambda seat: (-totals[seat], (holder - seat) % seats))
    return [order.index(seat) + 1 for seat in range(seats)]


def prizes(recorded: list[int]) -> list[int]:
    """Coins of the scoring in the middle of a first game: 2 for the most points, 1 for the next number."""
    best = sorted(set(recorded), reverse=True)
    return [{0: 2, 1: 1}.get(best.index(total), 0) for total in recorded]
