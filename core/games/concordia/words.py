"""The words of Concordia's components: goods, roles, gods, and goods written as a list."""

from __future__ import annotations

from typing import Any

from serai.core.tables import ComponentFile

GOODS = ("brick", "food", "tool", "wine", "cloth")
SPECIALISTS = ("mason", "farmer", "smith", "vintner", "weaver")  # in the order of their goods
ROLES = (
    *("tribune", "architect", "prefect", "mercator", "diplomat", "senator", "consul", "colonist"),
    *SPECIALISTS,
)
GODS = ("vesta", "jupiter", "saturnus", "mercurius", "mars", "minerva")
NUMERAL_NAMES = ("i", "ii", "iii", "iv", "v")
NUMERALS = len(NUMERAL_NAMES)
ANY = "?"  # a good of the buyer's choice
MAX_COST = 4  # goods in one cost

Goods = tuple[int, int, int, int, int]


def goods_of(file: ComponentFile, names: Any, item: str, or_any: bool = False) -> tuple[Goods, int]:
    """A list of goods as counts, and the number of goods of free choice in it."""
    allowed = (*GOODS, ANY) if or_any else GOODS
    if not isinstance(names, list) or len(names) > MAX_COST or any(name not in allowed for name in names):
        file.refuse(item, f"must be a list of at most {MAX_COST} of {' '.join(allowed)}")
    counts = tuple(names.count(good) for good in GOODS)
    return counts, names.count(ANY)  # type: ignore[return-value]
