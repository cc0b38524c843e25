"""Concordia's components from a TOML file, checked.

>>> box = load_components()
>>> [kind.name for kind in box.kinds][:6]
['tribune', 'architect', 'prefect', 'mercator', 'diplomat-jupiter', 'senator']
>>> italia = box.maps[0]
>>> italia.cities[0].name, italia.name_of(italia.land[0]), len(italia.land), len(italia.sea)
('roma', 'roma-cosa', 40, 23)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from serai.core.games.concordia.maps import Map, read_maps
from serai.core.games.concordia.words import GODS, GOODS, NUMERALS, ROLES, SPECIALISTS, Goods, goods_of
from serai.core.tables import ComponentFile, stamp_of

SHIPPED = Path(__file__).with_name("data.toml")
PLACES = 7  # in the row of cards for sale
MAX_COPIES = 7  # of one kind of card in one hand
MAX_KINDS = 21
MAX_STARTERS = 12
MAX_FOR_SALE = 32
MAX_COLONISTS = 3  # of each sort, of one seat


@dataclass(frozen=True)
class Good:
    """A good: its price, what a house in its cities costs, and the coins on the back of its province tile."""

    name: str
    price: int
    house_coins: int
    house_goods: Goods
    bonus_coins: int


@dataclass(frozen=True)
class Kind:
    """What a card does and scores; ``coins`` of a mercator, ``points`` of a specialist for each house."""

    name: str
    role: str
    god: str
    coins: int
    points: int

    @property
    def good(self) -> int:
        """The good of a specialist, -1 of any other card."""
        return SPECIALISTS.index(self.role) if self.role in SPECIALISTS else -1


@dataclass(frozen=True)
class Card:
    """A card for sale: ``kind`` is an index into the kinds; the name tells the cost if the kind doesn't."""

    name: str
    numeral: int
    kind: int
    cost: Goods


@dataclass(frozen=True)
class Place:
    """What a place in the row adds to the cost of its card; ``any`` goods are of the buyer's choice."""

    goods: Goods
    any: int


@dataclass(frozen=True)
class Setup:
    """What a seat starts with; colonists are land, then sea."""

    slots: int
    goods: Goods
    waiting: tuple[int, int]
    placed: tuple[int, int]
    houses: int
    coins: tuple[int, ...]
    concordia: int


@dataclass(frozen=True)
class Components:
    """All of a game's components; ``starters`` are counts of each kind, ``cards`` is by numeral."""

    goods: tuple[Good, ...]
    setup: Setup
    tokens: dict[str, Goods]
    places: tuple[Place, ...]
    kinds: tuple[Kind, ...]
    starters: tuple[int, ...]
    cards: tuple[Card, ...]
    maps: tuple[Map, ...]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.goods, self.setup, self.places, self.kinds, self.starters, self.cards, self.maps))

    def map_named(self, name: str) -> Map:
        """The map of that name."""
        return next(item for item in self.maps if item.name == name)

    def map_for(self, seats: int) -> Map:
        """The map that the variant ``base`` takes: the first for that number of seats."""
        return next(item for item in self.maps if seats in item.players)


def load_components(path: str | None = None) -> Components:
    """Read and check a component file, the shipped one by default; raises SetupError."""
    file = Path(path) if path is not None else SHIPPED
    return _load(file, stamp_of(file))


@lru_cache(maxsize=8)
def _load(path: Path, stamp: tuple[int, int]) -> Components:
    file = ComponentFile(path)
    file.check_head("concordia")
    file.known_keys(
        file.data,
        {"game", "format", "good", "setup", "tokens", "market", "starter", "card", "map"},
        "head",
    )
    starters = [
        _starter(file, e, f"starter {i + 1}") for i, e in enumerate(file.items("starter", 1, MAX_KINDS))
    ]
    sale = [_for_sale(file, e, f"card {i + 1}") for i, e in enumerate(file.items("card", 1, MAX_FOR_SALE))]
    kinds = _kinds(file, [traits for traits, _ in starters] + [traits for traits, *_ in sale])
    tokens = _tokens(file)
    places = {(kind.role, kind.god, kind.coins, kind.points): i for i, kind in enumerate(kinds)}
    counts = [0] * len(kinds)
    for traits, copies in starters:
        counts[places[traits]] += copies
    cards = _cards(kinds, [(places[traits], numeral, cost) for traits, numeral, cost in sale])
    _check_cards(file, kinds, counts, cards)
    return Components(
        _goods(file),
        _setup(file),
        tokens,
        _places(file),
        kinds,
        tuple(counts),
        tuple(cards),
        read_maps(file, tokens),
    )


# ---- goods, set-up, tokens, places


def _goods(file: ComponentFile) -> tuple[Good, ...]:
    goods = []
    for name, entry in zip(GOODS, file.items("good", len(GOODS), len(GOODS)), strict=True):
        item = f"good {name}"
        file.known_keys(entry, {"name", "price", "house_coins", "house_goods", "bonus_coins"}, item)
        if entry.get("name") != name:
            file.refuse(
                f"[[good]] {entry.get('name')!r:.40}", f"must be one of {' '.join(GOODS)}, in this order"
            )
        goods.append(
            Good(
                name,
                file.integer(entry, "price", item, 1, 20),
                file.integer(entry, "house_coins", item, 0, 20),
                goods_of(file, entry.get("house_goods"), f"{item} house_goods")[0],
                file.integer(entry, "bonus_coins", item, 0, 9),
            )
        )
    return tuple(goods)


def _counts(
    file: ComponentFile, table: Any, names: tuple[str, ...], item: str, highest: int
) -> tuple[int, ...]:
    """Whole numbers by name; those not named are 0."""
    if not isinstance(table, dict):
        file.refuse(item, f"must be a table of numbers by {' '.join(names)}")
    file.known_keys(table, set(names), item)
    return tuple(file.integer(table, name, item, 0, highest) if name in table else 0 for name in names)


def _setup(file: ComponentFile) -> Setup:
    table, item = file.table("setup"), "[setup]"
    file.known_keys(table, {"slots", "goods", "waiting", "placed", "houses", "coins", "concordia"}, item)
    slots = file.integer(table, "slots", item, 1, 15)
    goods = _counts(file, table.get("goods"), GOODS, f"{item} goods", 15)
    waiting = _counts(file, table.get("waiting"), ("land", "sea"), f"{item} waiting", MAX_COLONISTS)
    placed = _counts(file, table.get("placed"), ("land", "sea"), f"{item} placed", MAX_COLONISTS)
    if any(a + b > MAX_COLONISTS for a, b in zip(waiting, placed, strict=True)):
        file.refuse(item, f"waiting and placed are at most {MAX_COLONISTS} colonists of each sort together")
    if sum(goods) + sum(waiting) > slots:
        file.refuse(item, f"goods and waiting colonists must fit into {slots} slots")
    coins = table.get("coins")
    if not isinstance(coins, list) or len(coins) != 5:
        file.refuse(item, "coins must list the coins of 5 seats")
    return Setup(
        slots,
        goods,  # type: ignore[arg-type]
        waiting,  # type: ignore[arg-type]
        placed,  # type: ignore[arg-type]
        file.integer(table, "houses", item, 1, 15),
        tuple(
            file.integer({"coins": c}, "coins", f"{item} seat {i + 1}", 0, 99) for i, c in enumerate(coins)
        ),
        file.integer(table, "concordia", item, 0, 40),
    )


def _tokens(file: ComponentFile) -> dict[str, Goods]:
    table = file.table("tokens")
    if not 1 <= len(table) <= 4:
        file.refuse("[tokens]", "must have 1 to 4 letters")
    return {
        letter: _counts(file, counts, GOODS, f"[tokens] {letter}", 15)  # type: ignore[misc]
        for letter, counts in table.items()
    }


def _places(file: ComponentFile) -> tuple[Place, ...]:
    places = file.table("market").get("places")
    if not isinstance(places, list) or len(places) != PLACES:
        file.refuse("[market]", f"places must list what each of {PLACES} places costs")
    return tuple(Place(*goods_of(file, p, f"[market] place {i + 1}", True)) for i, p in enumerate(places))


# ---- cards

Traits = tuple[str, str, int, int]  # role, god, coins, points


def _traits(file: ComponentFile, entry: dict[str, Any], item: str) -> Traits:
    role, god = entry.get("role"), entry.get("god")
    if role not in ROLES:
        file.refuse(item, f"role must be one of {' '.join(ROLES)}, not {role!r:.40}")
    if god not in GODS:
        file.refuse(item, f"god must be one of {' '.join(GODS)}, not {god!r:.40}")
    if (role in SPECIALISTS) != (god == "minerva"):
        file.refuse(item, "minerva is the god of the specialists, and of no other card")
    if "coins" in entry and role != "mercator":
        file.refuse(item, "only a mercator has coins")
    if "points" in entry and god != "minerva":
        file.refuse(item, "only a specialist has points")
    coins = file.integer(entry, "coins", item, 0, 20) if role == "mercator" else 0
    points = file.integer(entry, "points", item, 0, 20) if god == "minerva" else 0
    return str(role), str(god), coins, points


def _starter(file: ComponentFile, entry: dict[str, Any], item: str) -> tuple[Traits, int]:
    file.known_keys(entry, {"role", "god", "coins", "points", "copies"}, item)
    copies = file.integer(entry, "copies", item, 1, MAX_COPIES) if "copies" in entry else 1
    return _traits(file, entry, item), copies


def _for_sale(file: ComponentFile, entry: dict[str, Any], item: str) -> tuple[Traits, int, Goods]:
    file.known_keys(entry, {"numeral", "role", "god", "coins", "points", "cost"}, item)
    numeral = file.integer(entry, "numeral", item, 1, NUMERALS)
    return _traits(file, entry, item), numeral, goods_of(file, entry.get("cost"), f"{item} cost")[0]


def _kinds(file: ComponentFile, traits: list[Traits]) -> tuple[Kind, ...]:
    """The kinds in their order; a god or coins come into the name where the role isn't enough."""
    different = list(dict.fromkeys(traits))
    if len(different) > MAX_KINDS:
        file.refuse(
            "[[card]]", f"has {len(different)} kinds with the starters; must have at most {MAX_KINDS}"
        )
    kinds: list[Kind] = []
    for role, god, coins, points in different:
        same = [other for other in different if other[0] == role]
        name = f"{role}-{god}" if len({other[1] for other in same}) > 1 else role
        if any(kind.name == name for kind in kinds):
            name += str(coins or points)
        kinds.append(Kind(name, role, god, coins, points))
    return tuple(kinds)


def _cards(kinds: tuple[Kind, ...], sale: list[tuple[int, int, Goods]]) -> list[Card]:
    """The cards for sale by numeral; where one kind has two costs, the name tells which."""
    cards = []
    for kind, numeral, cost in sorted(sale, key=lambda card: card[1]):
        name = kinds[kind].name
        if len({other[2] for other in sale if other[0] == kind}) > 1:
            name += "/" + "+".join(good for good, n in zip(GOODS, cost, strict=True) for _ in range(n))
        cards.append(Card(name, numeral, kind, cost))
    return cards


def _check_cards(
    file: ComponentFile, kinds: tuple[Kind, ...], starters: list[int], cards: list[Card]
) -> None:
    for index, kind in enumerate(kinds):
        copies = starters[index] + sum(card.kind == index for card in cards)
        if copies > MAX_COPIES:
            file.refuse(f"card {kind.name}", f"is there {copies} times; at most {MAX_COPIES}")
        if kind.role in ("tribune", "senator") and copies != starters[index]:
            file.refuse(f"card {kind.name}", "is never for sale")
        for numeral in range(1, NUMERALS + 1):
            if sum((card.numeral, card.kind) == (numeral, index) for card in cards) > 1:
                file.refuse(
                    f"card {kind.name}", f"is there twice with the numeral {numeral}; all must differ"
                )
    if sum(n for n, kind in zip(starters, kinds, strict=False) if kind.role == "tribune") != 1:
        file.refuse("[[starter]]", "must have one tribune, or a seat could be left without a card")
    if sum(starters) > MAX_STARTERS:
        file.refuse("[[starter]]", f"has {sum(starters)} cards; at most {MAX_STARTERS}")
    if not any(card.numeral <= 2 for card in cards):
        file.refuse("[[card]]", "two seats need a card with the numeral 1 or 2")
