"""Concordia in words: tokens, and checked reading of snapshots. The grammar is in this folder's README.md."""

from __future__ import annotations

import re
from typing import Any

from serai.core.errors import NotationError
from serai.core.games.concordia.components import Components
from serai.core.games.concordia.maps import Map
from serai.core.games.concordia.words import GOODS
from serai.core.snapshot import StateReader

GRAMMAR = (
    "events: play=KIND copy=KIND produce=PROVINCE cash=provinces keep=GOOD land=PLACE sea=PLACE house=CITY "
    "sell=GOOD*N buy=GOOD*N hire=K pay=GOOD colonist=land|sea|none colonist=SORT-CITY cash=colonists done "
    "~token=GOOD ~card=NAME"
)
PHASES = (
    *("token", "card", "main", "copy", "tribune", "land", "sea", "build", "prefect", "keep", "trade", "hire"),
    *("pay", "colonist", "over"),
)
SORTS = ("land", "sea")
IN_CITY = 64  # a place is a line, or this plus a city
NOBODY = 2  # instead of a sort
(PLAY, COPY, PRODUCE, CASH_PROVINCES, KEEP, RECRUIT, TO_LAND, TO_SEA, HOUSE) = range(1, 10)
(SELL, BUY, HIRE, PAY, CASH_COLONISTS, SETTLE, DONE, TOKEN, CARD) = range(10, 19)

NO_MORE = {  # what ``done`` says in a phase
    "build": "build no more houses",
    "trade": "trade no more",
    "hire": "buy no more cards",
    "colonist": "bring no more colonists",
}

_GOOD = "|".join(GOODS)
_TOKEN = re.compile(
    rf"(play|copy|produce)=[a-z][a-z0-9_-]*|cash=(provinces|colonists)|(keep|pay|~token)=({_GOOD})"
    rf"|(land|sea)=[a-z_]+(-[a-z_]+)?|house=[a-z_]+|(sell|buy)=({_GOOD})\*[1-9][0-9]?|hire=[1-7]"
    r"|colonist=(none|(land|sea)(-[a-z_]+)?)|done|~card=[a-z][a-z0-9_+/-]*"
)


def is_token(text: str) -> bool:
    """True if the text has the form of an event, legal or not."""
    return _TOKEN.fullmatch(text) is not None


class Words:
    """The names on one map, and what is written with them."""

    def __init__(self, box: Components, board: Map) -> None:
        self.board = board.name
        self.kinds = [kind.name for kind in box.kinds]
        self.cards = [card.name for card in box.cards]
        self.cities = [city.name for city in board.cities]
        self.provinces = list(board.provinces)
        self.prices = {good.name: good.price for good in box.goods}
        self.cities_of = {
            name: [self.cities[c] for c in board.cities_of(i)] for i, name in enumerate(board.provinces)
        }
        self.lines = [[board.name_of(line) for line in lines] for lines in (board.land, board.sea)]

    def place(self, sort: int, place: int) -> str:
        """A line, or the city in which a colonist is."""
        return self.lines[sort][place] if place < IN_CITY else self.cities[place - IN_CITY]

    def bonus(self, state: dict[str, Any], province: str) -> str:
        """The good of a province's tile: its dearest one; once all cities have theirs."""
        goods: list[str] = [state["tokens"][city] for city in self.cities_of[province]]
        return max(goods, key=lambda good: self.prices[good])

    def format(self, action: int) -> str:
        """The token of an action."""
        verb, major, minor = action >> 16, action >> 8 & 255, action & 255
        if verb in (PLAY, COPY):
            return f"{'play' if verb == PLAY else 'copy'}={self.kinds[minor]}"
        if verb == PRODUCE:
            return f"produce={self.provinces[minor]}"
        if verb in (KEEP, PAY, TOKEN):
            return f"{ {KEEP: 'keep', PAY: 'pay', TOKEN: '~token'}[verb] }={GOODS[minor]}"
        if verb in (TO_LAND, TO_SEA):
            return f"{SORTS[verb - TO_LAND]}={self.place(verb - TO_LAND, minor)}"
        if verb in (SELL, BUY):
            return f"{'sell' if verb == SELL else 'buy'}={GOODS[major]}*{minor}"
        if verb == RECRUIT:
            return f"colonist={(*SORTS, 'none')[minor]}"
        if verb == SETTLE:
            return f"colonist={SORTS[major]}-{self.cities[minor]}"
        if verb == HOUSE:
            return f"house={self.cities[minor]}"
        if verb == HIRE:
            return f"hire={minor + 1}"
        if verb == CARD:
            return f"~card={self.cards[minor]}"
        return {CASH_PROVINCES: "cash=provinces", CASH_COLONISTS: "cash=colonists", DONE: "done"}[verb]

    def bound(self, token: str) -> int:
        """The action of a token that bounds the following ones, 0 for none; raises ValueError."""
        verb, _, value = token.partition("=")
        if token == "":
            return 0
        if verb == "house":
            return HOUSE << 16 | self.cities.index(value)
        if verb == "pay":
            return PAY << 16 | GOODS.index(value)
        if verb in ("sell", "buy"):
            good, _, number = value.partition("*")
            return (SELL if verb == "sell" else BUY) << 16 | GOODS.index(good) << 8 | min(255, int(number))
        if verb == "colonist":
            sort, _, city = value.partition("-")
            return SETTLE << 16 | SORTS.index(sort) << 8 | self.cities.index(city)
        raise ValueError(token)

    def describe(self, state: dict[str, Any], action: int) -> str:
        """One sentence, for people."""
        verb, major, minor = action >> 16, action >> 8 & 255, action & 255
        if verb == PLAY:
            return f"play the {self.kinds[minor]}"
        if verb == COPY:
            return f"do what another seat's {self.kinds[minor]} does"
        if verb == PRODUCE:
            name = self.provinces[minor]
            return f"let {name} produce, with a bonus of {self.bonus(state, name)}"
        if verb in (TO_LAND, TO_SEA):
            sort = SORTS[verb - TO_LAND]
            return f"a colonist by {sort} ends {_at(self.place(verb - TO_LAND, minor))}"
        if verb == HOUSE:
            return f"build a house in {self.cities[minor]}, which makes {state['tokens'][self.cities[minor]]}"
        if verb in (SELL, BUY):
            return f"{'sell' if verb == SELL else 'buy'} {minor} {GOODS[major]}"
        if verb == HIRE:
            return f"buy {state['row'][minor]}, number {minor + 1} in the row"
        if verb == SETTLE:
            return f"bring a colonist by {SORTS[major]} to {self.cities[minor]}"
        if verb == RECRUIT:
            return f"bring a colonist by {SORTS[minor]} to roma" if minor < NOBODY else "bring no colonist"
        if verb == DONE:
            return NO_MORE[state["phase"]]
        return self._plainly(verb, minor)

    def _plainly(self, verb: int, minor: int) -> str:
        if verb in (KEEP, PAY):
            return f"{'keep' if verb == KEEP else 'pay'} {GOODS[minor]}"
        if verb == TOKEN:
            return f"the next city makes {GOODS[minor]}"
        if verb == CARD:
            return f"turn up {self.cards[minor]}"
        return {
            CASH_PROVINCES: "take the coins of the provinces and turn their tiles back",
            CASH_COLONISTS: "take 5 coins and 1 for each own colonist on the board",
        }[verb]


def _at(place: str) -> str:
    return f"on {place}" if "-" in place else f"in {place}"


# ---- snapshots


class Reader(StateReader):
    """Reads what Concordia's snapshots hold."""

    def index(self, name: Any, names: list[str], key: str) -> int:
        """The number of a name."""
        if not isinstance(name, str) or name not in names:
            raise NotationError(f"state: {key}: {name!r:.40} is none of this game", "bad-value")
        return names.index(name)

    def indices(self, data: Any, key: str, names: list[str], longest: int) -> list[int]:
        """The numbers of a list of names."""
        return [self.index(name, names, key) for name in self.listed(data, key, longest)]

    def distinct(self, data: Any, key: str, names: list[str]) -> int:
        """A list of different names as a mask."""
        numbers = self.indices(data, key, names, len(names))
        if len(set(numbers)) != len(numbers):
            raise NotationError(f"state: {key} names something twice", "bad-value")
        return sum(1 << n for n in numbers)

    def counts(self, data: Any, key: str, most: int) -> list[int]:
        """Goods by name; those not named are 0."""
        table = self.get(data, key, dict, {})
        for name in table:
            self.index(name, list(GOODS), key)
        return [self.integer(table, name, most, 0) for name in GOODS]

    def cards(self, data: Any, key: str, names: list[str]) -> int:
        """Cards by kind, three bits each."""
        numbers = self.indices(data, key, names, 48)
        if any(numbers.count(n) > 7 for n in set(numbers)):
            raise NotationError(f"state: {key} has more cards of one kind than there are", "bad-value")
        return sum(1 << 3 * n for n in numbers)

    def seat(self, data: Any, key: str, seats: int, none: bool = False) -> int:
        """A seat, or 255 for none where that may be."""
        text = self.get(data, key, str)
        if none and text == "none":
            return 255
        return self.index(text, [f"p{n + 1}" for n in range(seats)], key)
