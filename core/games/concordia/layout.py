"""Where the cities of Concordia's maps stand when they are drawn, and how lines become dots between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.maps import Line, Map

ROWS = 26
COLUMNS = 84  # that the places below are made for; a label needs MARGIN more on the right
MARGIN = 16
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a braille character, by row and column
APART = 1.5  # dots between the two lines of a pair of cities, each to its side
GAP = 3  # a sea line has a dot where a land line has three

# Column and row of each city; its name is written to the right of it.
PLACES = {
    "italia": """
        roma 43 14  bauzanum 3 2  aquileia 21 0  verona 13 4  comum 3 11  segusio 1 18  genua 11 17
        nicaea 8 24  mutina 17 8  ravenna 28 5  florentia 27 11  cosa 34 16  aleria 28 22  olbia 38 25
        ancona 39 3  spoletum 39 9  hadria 51 5  casinum 50 11  neapolis 59 13  luceria 62 7
        brundisium 73 2  potentia 67 9  croton 80 11  messana 79 18  panormus 70 24  syracusae 84 21
    """,
    "imperium": """
        roma 38 11  isca_d 2 2  londinium 8 0  burdigala 13 9  lutetia 17 4  massilia 24 10
        brigantium 1 11  olisipo 1 17  valentia 19 17  colonia_a 30 0  vindobona 42 1  novaria 29 7
        aquileia 38 4  syracusae 46 16  carthago 36 18  rusadir 12 23  napoca 58 2  sirmium 52 6
        tomis 66 4  dyrrhachium 50 10  athenae 61 14  leptis_magna 45 24  cyrene 59 22  bycantium 68 8
        sinope 81 6  attalia 73 15  antiochia 83 13  tyros 84 18  alexandria 71 20  petra 84 23
        memphis 76 25
    """,
}

Spot = tuple[int, int]  # column and row


@dataclass(frozen=True)
class Drawing:
    """An empty map: characters of the lines, whether they are sea, where cities and colonists are put."""

    text: tuple[str, ...]
    water: tuple[tuple[bool, ...], ...]
    cities: dict[str, Spot]
    land: dict[str, Spot]
    sea: dict[str, Spot]


@lru_cache(maxsize=16)
def drawing_of(name: str, width: int) -> Drawing:
    """The map as shipped, for a table of that width."""
    side = load_components().map_named(name)
    words = PLACES[name].split()
    scale = max(0.5, (width - MARGIN) / COLUMNS)
    places = {
        words[i]: (round(int(words[i + 1]) * scale), int(words[i + 2])) for i in range(0, len(words), 3)
    }
    canvas = _Canvas(width)
    for sort in ("sea", "land"):
        canvas.lines(side, places, sort)
    stands = _Stands(side, places)
    return Drawing(canvas.text(), canvas.water(), places, stands.of(side.land), stands.of(side.sea))


class _Canvas:
    """Dots, eight to a character; a character shows land lines if there are any."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.dots = [[0] * width for _ in range(ROWS)]
        self.sea = [[False] * width for _ in range(ROWS)]

    def lines(self, side: Map, places: dict[str, Spot], sort: str) -> None:
        here, other = (side.land, side.sea) if sort == "land" else (side.sea, side.land)
        for line in here:
            first, second = (places[side.cities[end].name] for end in line)
            shift = 0.0 if line not in other else APART if sort == "land" else -APART
            self._line(first, second, shift, sort == "sea")

    def _line(self, first: Spot, second: Spot, shift: float, sea: bool) -> None:
        x, y = first[0] * 2 + 0.5, first[1] * 4 + 1.5
        dx, dy = second[0] * 2 + 0.5 - x, second[1] * 4 + 1.5 - y
        length = (dx * dx + dy * dy) ** 0.5
        x, y = x - dy / length * shift, y + dx / length * shift
        steps = int(length * 2)
        spots = dict.fromkeys(
            (round(x + dx * i / steps), round(y + dy * i / steps)) for i in range(steps + 1)
        )
        for column, row in list(spots)[:: GAP if sea else 1]:
            self._dot(column, row, sea)

    def _dot(self, column: int, row: int, sea: bool) -> None:
        if 0 <= row < 4 * ROWS and 0 <= column < 2 * self.width:
            self.dots[row // 4][column // 2] |= DOTS[row % 4][column % 2]
            self.sea[row // 4][column // 2] = sea

    def text(self) -> tuple[str, ...]:
        return tuple("".join(chr(BRAILLE + d) if d else " " for d in row) for row in self.dots)

    def water(self) -> tuple[tuple[bool, ...], ...]:
        return tuple(tuple(row) for row in self.sea)


class _Stands:
    """Places for colonists, two characters each: near the middle of their line, and on nothing else."""

    def __init__(self, side: Map, places: dict[str, Spot]) -> None:
        self.side, self.places = side, places
        self.labels = [
            {(x + i, y) for city, (x, y) in places.items() for i in range(len(city) + needed)}
            for needed in (9, 6, 3)  # beside the name: the good, blanks, and five, two or no houses
        ]
        self.taken: set[Spot] = set()

    def of(self, lines: tuple[Line, ...]) -> dict[str, Spot]:
        """The place on each line."""
        return {self.side.name_of(line): self._near_middle(line) for line in lines}

    def _near_middle(self, line: Line) -> Spot:
        """Farther from labels is better than nearer to the middle."""
        (x, y), (p, q) = (self.places[self.side.cities[end].name] for end in line)
        ways = sorted((i / 60 for i in range(9, 52)), key=lambda way: (abs(way - 0.5), way))
        spots = [(round(x + (p - x) * way), round(y + (q - y) * way)) for way in ways]
        spots += [(column, row + off) for off in (1, -1) for column, row in spots if 0 <= row + off < ROWS]
        for labels in self.labels:
            for spot in spots:
                if not {spot, (spot[0] + 1, spot[1])} & (labels | self.taken):
                    self.taken |= {(spot[0] + i, spot[1]) for i in (-1, 0, 1, 2)}
                    return spot
        return spots[0]
