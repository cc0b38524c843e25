"""Spice Road's components from a TOML file, checked.

>>> cards = load_components()
>>> len(cards.cards), len(cards.points), cards.cards[0].name, cards.points[0].name
(45, 36, '+yy', 'yyrr=6')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from serai.core.tables import ComponentFile, stamp_of

COLOURS = "yrgb"
SHIPPED = Path(__file__).with_name("data.toml")
MAX_CUBES = 9  # on one side of a card
MAX_UPGRADES = 4

Cubes = tuple[int, int, int, int]


@dataclass(frozen=True)
class Card:
    """A merchant: ``kind`` is produce, upgrade or trade; cubes are counts of yellow, red, green, brown."""

    kind: str
    give: Cubes
    get: Cubes
    upgrades: int

    @cached_property
    def name(self) -> str:
        """What is printed, as text: ``+yy``, ``up2``, ``yy>g``."""
        if self.kind == "upgrade":
            return f"up{self.upgrades}"
        if self.kind == "produce":
            return f"+{letters(self.get)}"
        return f"{letters(self.give)}>{letters(self.get)}"


@dataclass(frozen=True)
class PointCard:
    """A point card: the cubes it costs and the points it is worth."""

    cost: Cubes
    points: int

    @cached_property
    def name(self) -> str:
        """Cost and points, ``yyrr=6``."""
        return f"{letters(self.cost)}={self.points}"


@dataclass(frozen=True)
class Components:
    """All of a game's components; ``cards`` is the two starters, then the merchants."""

    cards: tuple[Card, ...]
    points: tuple[PointCard, ...]
    start_cubes: tuple[Cubes, ...]
    claims_to_end: tuple[int, int, int, int]  # for 2, 3, 4, 5 seats


def letters(cubes: Cubes) -> str:
    """Cubes as text, cheapest first."""
    yellow, red, green, brown = cubes
    return "y" * yellow + "r" * red + "g" * green + "b" * brown


def load_components(path: str | None = None) -> Components:
    """Read and check a component file, the shipped one by default; raises SetupError."""
    file = Path(path) if path is not None else SHIPPED
    return _load(file, stamp_of(file))


@lru_cache(maxsize=8)
def _load(path: Path, stamp: tuple[int, int]) -> Components:
    file = ComponentFile(path)
    file.check_head("spice_road")
    starters = [_card(file, e, f"starter {i + 1}") for i, e in enumerate(file.items("starter", 2, 2))]
    merchants = [_card(file, e, f"merchant {i + 1}") for i, e in enumerate(file.items("merchant", 6, 62))]
    points = [_point(file, e, f"point {i + 1}") for i, e in enumerate(file.items("point", 5, 64))]
    if "produce" not in (card.kind for card in starters):
        file.refuse("starter", "one of the two must produce, or a seat could be left without an action")
    _distinct(file, "merchant", [card.name for card in starters + merchants])
    _distinct(file, "point", [card.name for card in points])
    setup = file.table("setup")
    return Components(
        tuple(starters + merchants),
        tuple(points),
        _start_cubes(file, setup),
        _claims(file, setup, len(points)),
    )


def _card(file: ComponentFile, entry: dict[str, Any], item: str) -> Card:
    file.known_keys(entry, {"give", "get", "upgrades", "source"}, item)
    none = (0, 0, 0, 0)
    if "upgrades" in entry:
        if "give" in entry or "get" in entry:
            file.refuse(item, "an upgrade card has neither give nor get")
        return Card("upgrade", none, none, file.integer(entry, "upgrades", item, 1, MAX_UPGRADES))
    get = _cubes(file, entry, "get", item)
    if "give" not in entry:
        return Card("produce", none, get, 0)
    give = _cubes(file, entry, "give", item)
    if any(a and b for a, b in zip(give, get, strict=True)):
        file.refuse(item, "gives and gets the same colour; no card does, and it could be repeated for ever")
    return Card("trade", give, get, 0)


def _point(file: ComponentFile, entry: dict[str, Any], item: str) -> PointCard:
    file.known_keys(entry, {"cost", "points", "source"}, item)
    return PointCard(_cubes(file, entry, "cost", item), file.integer(entry, "points", item, 0, 40))


def _cubes(file: ComponentFile, entry: dict[str, Any], key: str, item: str) -> Cubes:
    text = entry.get(key)
    if not isinstance(text, str) or not 1 <= len(text) <= MAX_CUBES or set(text) - set(COLOURS):
        file.refuse(item, f"{key} must be 1 to {MAX_CUBES} letters of {COLOURS}, not {text!r:.40}")
    return tuple(text.count(colour) for colour in COLOURS)  # type: ignore[return-value]


def _distinct(file: ComponentFile, table: str, names: list[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            file.refuse(f"{table} {name}", "is there twice; all must differ")


def _start_cubes(file: ComponentFile, setup: dict[str, Any]) -> tuple[Cubes, ...]:
    entries = setup.get("start_cubes")
    if not isinstance(entries, list) or len(entries) != 5:
        file.refuse("[setup]", "start_cubes must list the cubes of 5 seats")
    return tuple(
        _cubes(file, {"start_cubes": e}, "start_cubes", f"[setup] seat {i + 1}")
        for i, e in enumerate(entries)
    )


def _claims(file: ComponentFile, setup: dict[str, Any], points: int) -> tuple[int, int, int, int]:
    entries = setup.get("claims_to_end")
    if not isinstance(entries, dict):
        file.refuse("[setup]", "claims_to_end must be a table by number of seats")
    numbers = tuple(file.integer(entries, str(n), "[setup] claims_to_end", 1, 6) for n in (2, 3, 4, 5))
    needed = max(5 + n * claims for n, claims in zip((2, 3, 4, 5), numbers, strict=True))
    if points < needed:
        file.refuse("[[point]]", f"has {points} cards; must have {needed}, so that the row never runs dry")
    return numbers  # type: ignore[return-value]
