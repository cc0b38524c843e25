"""Names of what a network sees of Concordia, in the order of the numbers in features.pxd.

>>> from serai.core.games.concordia.components import load_components
>>> player_names(load_components())[1], table_names(load_components())[6]
('house in italia/bauzanum', 'italia/bauzanum makes food')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from serai.core.feature_names import counted, each, key_of, padded
from serai.core.games.concordia.components import MAX_FOR_SALE, MAX_KINDS, PLACES, Components
from serai.core.games.concordia.maps import MAX_CITIES, MAX_PROVINCES
from serai.core.games.concordia.words import GODS, GOODS

SORTS = ("land", "sea")
ROLES = (
    "tribune",
    "architect",
    "prefect",
    "mercator",
    "diplomat",
    "senator",
    "consul",
    "colonist",
    "specialist",
)
COINS = (*(str(i) for i in range(21)), "21-24", "25-29", "30-39", "40-49", "50-69", "70+")
FINISHED = ("building", "trading", "buying", "placing")


@lru_cache(maxsize=8)
def feature_key(box: Components) -> str:
    """A digest of the features' names in their order, and of the components."""
    return key_of(player_names(box), table_names(box), option_names(box), box)


@lru_cache(maxsize=8)
def player_names(box: Components) -> tuple[str, ...]:
    """The name of each feature of a player; "" where the components leave a place unused."""
    return tuple(_player(_cities(box), _kinds(box)))


@lru_cache(maxsize=8)
def table_names(box: Components) -> tuple[str, ...]:
    """The name of each feature of the table; "" where the components leave a place unused."""
    return tuple(_table(_cities(box), _provinces(box), _for_sale(box)))


@lru_cache(maxsize=8)
def option_names(box: Components) -> tuple[str, ...]:
    """The name of each trait of an option; "" where the components leave a place unused."""
    cities, kinds = _cities(box), _kinds(box)
    return (
        *_cards_and_goods(_provinces(box), kinds),
        *_places(cities),
        *_deals(_for_sale(box)),
        *_end(cities),
    )


# ---- the names of things, with "" for places that are kept


def _cities(box: Components) -> list[str]:
    """Of both maps, the start cities too."""
    by_map = (padded([f"{m.name}/{city.name}" for city in m.cities], MAX_CITIES) for m in box.maps)
    return [name for names in by_map for name in names]


def _provinces(box: Components) -> list[str]:
    by_map = (padded([f"{m.name}/{name}" for name in m.provinces], MAX_PROVINCES) for m in box.maps)
    return [name for names in by_map for name in names]


def _kinds(box: Components) -> list[str]:
    return padded([kind.name for kind in box.kinds], MAX_KINDS)


def _for_sale(box: Components) -> list[str]:
    """Of equal cards only the first has a name: it stands for them all."""
    cards = [(card.kind, card.cost) for card in box.cards]
    names = [card.name if cards.index(cards[i]) == i else "" for i, card in enumerate(box.cards)]
    return padded(names, MAX_FOR_SALE)


# ---- the lists


def _player(cities: list[str], kinds: list[str]) -> Iterator[str]:
    yield from each("house in", cities)
    yield from each("next to", cities)
    for good in GOODS:
        yield from counted(f"houses making {good}:", 0, 6)
    yield from (f"to go {i}" for i in range(16))
    yield from counted("provinces", 0, 12)
    for sort in SORTS:
        yield from (f"{sort} colonists {i}" for i in range(4))
    for good in GOODS:
        for there in ("0", "1", "2+"):
            yield from (f"site for {good}, houses {there}{payable}" for payable in ("", ", payable"))
    yield from counted("payable sites", 0, 7)
    yield from _stored("")
    yield from counted("tens of coins with goods", 0, 15)
    for where in ("hand", "pile"):
        for kind in kinds:
            yield from (kind and f"{where} {kind}{more}" for more in ("", ", more than one"))
    yield from each("top", kinds)
    yield from counted("in hand", 0, 12)
    yield from counted("bought", 0, 15)
    yield from counted("unknown", 1, 7)
    for god in GODS:
        yield from counted(f"cards of {god}", 0, 6)
    for god in GODS[1:]:
        yield from counted(f"fours by {god}", 0, 11)
    yield from counted("fours of points", 0, 40)
    yield from (f"points beyond {i}" for i in range(4))
    yield from ("magnus", "concordia")
    for turn in ("next", "last"):
        yield from (f"{turn} turn in {i}" for i in range(5))
    yield "no turn left"
    yield from each("now", ROLES)


def _stored(then: str) -> Iterator[str]:
    for good in GOODS:
        yield from counted(f"{then}{good}", 0, 7)
    yield from counted(f"{then}free", 0, 8)
    yield from (f"{then}coins {coins}" for coins in COINS)


def _table(cities: list[str], provinces: list[str], cards: list[str]) -> Iterator[str]:
    for city in cities:
        yield from (city and f"{city} makes {good}" for good in GOODS)
    for province in provinces:
        yield from (province and f"{province} shows {face}" for face in (*GOODS, "coins"))
    yield from counted("coins on tiles", 0, 20)
    for place in range(1, PLACES + 1):
        yield from each(f"row {place}", cards)
    yield from counted("pairs for sale", 0, 16)
    yield from (f"least to go {i}" for i in range(16))
    yield from ("row gap", "last round")


def _cards_and_goods(provinces: list[str], kinds: list[str]) -> Iterator[str]:
    for what, names in (("play", kinds), ("copy", kinds), ("produce in", provinces), ("bonus", GOODS)):
        yield from each(what, names)
    yield "doubled"
    for who in ("gains", "others gain"):
        yield from counted(f"threes {who}", 0, 10)
    yield "cash provinces"
    yield from each("keep", GOODS)
    yield from each("recruit", (*SORTS, "none"))


def _places(cities: list[str]) -> Iterator[str]:
    yield from each("move by", SORTS)
    yield "stay"
    yield from each("move next to", cities)
    yield from each("move to", GOODS)
    yield from (f"move to payable sites {i}" for i in range(3))
    yield from each("build in", cities)
    yield from each("build for", GOODS)
    yield from counted("build after", 0, 2)
    yield from ("new province", "new good")


def _deals(cards: list[str]) -> Iterator[str]:
    for what in ("sell", "buy"):
        for good in GOODS:
            yield from counted(f"{what} {good}", 1, 6)
    yield from each("hire", cards)
    yield from (f"hire from {place}" for place in range(1, PLACES + 1))
    yield from each("pay", GOODS)


def _end(cities: list[str]) -> Iterator[str]:
    yield "cash colonists"
    yield from each("settle by", SORTS)
    yield from each("settle in", cities)
    yield from each("done", FINISHED)
    yield from _stored("then ")
    yield "points lost"
    yield from counted("points", 0, 12)
