"""Concordia's maps from the component file, checked: cities in provinces, lines of two sorts between them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from serai.core.games.concordia.words import Goods
from serai.core.tables import ComponentFile

NAMES = ("italia", "imperium")  # of the two maps that a file must have
MAX_CITIES = 32  # with the start city
MAX_PROVINCES = 16
MAX_LINES = 60  # of one sort

Line = tuple[int, int]  # two cities, the earlier one first


@dataclass(frozen=True)
class City:
    """A city; the start city has the province -1 and no letter."""

    name: str
    province: int
    letter: str


@dataclass(frozen=True)
class Map:
    """A side of the board: the start city is city 0, the others are by province; lines are in their order."""

    name: str
    players: tuple[int, ...]
    cities: tuple[City, ...]
    provinces: tuple[str, ...]
    land: tuple[Line, ...]
    sea: tuple[Line, ...]

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters of its cities."""
        return tuple(sorted({city.letter for city in self.cities[1:]}))

    def cities_of(self, province: int) -> tuple[int, ...]:
        """The cities of a province."""
        return tuple(i for i, city in enumerate(self.cities) if city.province == province)

    def name_of(self, line: Line) -> str:
        """A line as text: ``roma-cosa``."""
        return f"{self.cities[line[0]].name}-{self.cities[line[1]].name}"


def read_maps(file: ComponentFile, tokens: dict[str, Goods]) -> tuple[Map, ...]:
    """The maps of a component file; ``tokens`` must fill their cities."""
    entries = file.items("map", len(NAMES), len(NAMES))
    if tuple(entry.get("name") for entry in entries) != NAMES:
        file.refuse("[[map]]", f"must be {' and '.join(NAMES)}, in this order")
    maps = tuple(_map(file, entry, f"map {entry['name']}") for entry in entries)
    for item in maps:
        _check_tokens(file, item, tokens)
    for seats in range(2, 6):
        if not any(seats in item.players for item in maps):
            file.refuse("[[map]]", f"no map is for {seats} players")
    return maps


def _map(file: ComponentFile, entry: dict[str, Any], item: str) -> Map:
    file.known_keys(entry, {"name", "players", "start", "land", "sea", "province"}, item)
    players = entry.get("players")
    if not isinstance(players, list) or not players or any(n not in (2, 3, 4, 5) for n in players):
        file.refuse(item, "players must list numbers from 2 to 5")
    provinces = entry.get("province")
    if not isinstance(provinces, list) or not all(isinstance(p, dict) for p in provinces):
        file.refuse(item, "must have [[map.province]] entries")
    if not 1 <= len(provinces) <= MAX_PROVINCES:
        file.refuse(item, f"has {len(provinces)} provinces; must have 1 to {MAX_PROVINCES}")
    cities = [City(_name(file, entry.get("start"), f"{item} start"), -1, "")]
    for index, province in enumerate(provinces):
        cities += _cities(file, province, index, item)
    if len(cities) > MAX_CITIES:
        file.refuse(item, f"has {len(cities)} cities; at most {MAX_CITIES}")
    _distinct(file, item, [city.name for city in cities])
    names = [_name(file, province.get("name"), f"{item} province") for province in provinces]
    _distinct(file, item, names)
    places = {city.name: i for i, city in enumerate(cities)}
    land, sea = (_lines(file, entry, sort, places, item) for sort in ("land", "sea"))
    return Map(str(entry["name"]), tuple(players), tuple(cities), tuple(names), land, sea)


def _name(file: ComponentFile, text: Any, item: str) -> str:
    if not isinstance(text, str) or not re.fullmatch("[a-z][a-z_]{1,19}", text):
        file.refuse(item, f"a name is 2 to 20 lower case letters, not {text!r:.40}")
    return text


def _cities(file: ComponentFile, province: dict[str, Any], index: int, item: str) -> list[City]:
    item = f"{item} province {province.get('name')!r:.40}"
    file.known_keys(province, {"name", "letter", "cities"}, item)
    letter, names = province.get("letter"), province.get("cities")
    if not isinstance(letter, str) or not isinstance(names, list) or not names:
        file.refuse(item, "must have a letter and cities")
    return [City(_name(file, name, item), index, letter) for name in names]


def _lines(
    file: ComponentFile, entry: dict[str, Any], sort: str, places: dict[str, int], item: str
) -> tuple[Line, ...]:
    texts = entry.get(sort)
    if not isinstance(texts, list) or not 1 <= len(texts) <= MAX_LINES:
        file.refuse(item, f"{sort} must list 1 to {MAX_LINES} lines")
    lines = tuple(_line(file, text, places, f"{item} {sort}") for text in texts)
    if list(lines) != sorted(set(lines)):
        file.refuse(f"{item} {sort}", "lines must all differ and stand in the order of their cities")
    if not any(0 in line for line in lines):
        file.refuse(f"{item} {sort}", "no line leaves the start city")
    return lines


def _line(file: ComponentFile, text: Any, places: dict[str, int], item: str) -> Line:
    ends = text.split("-") if isinstance(text, str) else []
    if len(ends) != 2 or any(end not in places for end in ends):
        file.refuse(item, f"a line is two cities of the map with a hyphen, not {text!r:.60}")
    first, second = places[ends[0]], places[ends[1]]
    if first >= second:
        file.refuse(item, f"{text!r:.60} must name the city first that stands first in the file")
    return first, second


def _check_tokens(file: ComponentFile, item: Map, tokens: dict[str, Goods]) -> None:
    for letter, number in Counter(city.letter for city in item.cities[1:]).items():
        if letter not in tokens or sum(tokens[letter]) != number:
            file.refuse(
                f"map {item.name}", f"has {number} cities of letter {letter}; as many tokens are needed"
            )


def _distinct(file: ComponentFile, item: str, names: list[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            file.refuse(item, f"{name} is there twice; all must differ")
