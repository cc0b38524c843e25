"""The result of a tournament as tables on a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from serai.bots.tournament import report_words as words
from serai.bots.tournament.outcome import EntrantRow, PairCell, Results

NAME: Final = 24  # columns of a name at most
LEAST_NAME: Final = 8  # and at least
MATRIX_NAME: Final = 12  # where columns of pairs want room
ROWS: Final = 60  # of a matrix at most
NOTES: Final = 10  # shown at most
FAULTY: Final = "bold red"
FAINT: Final = "bright_black"

Column = tuple[str, Callable[[EntrantRow], str]]

STRENGTH: Final[tuple[Column, ...]] = (
    ("rating", lambda row: words.number(row.rating, 0, "+")),
    ("95 %", words.interval),
    ("wins %", lambda row: words.percent(row.share)),
    ("par", lambda row: words.number(100 * row.par)),
)
PLAY: Final[tuple[Column, ...]] = (
    ("points", lambda row: words.spread(row.points)),
    ("place", lambda row: words.number(row.place, 2)),
    ("ms/turn", lambda row: words.duration(row.ms_turn)),
    ("gap", lambda row: words.duration(row.ms_gap)),
    ("faults", words.entrant_faults),
)


@dataclass(frozen=True)
class Fitting:
    """Shows the first of several renderables that is as narrow as the terminal; else the last."""

    choices: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for choice in self.choices[:-1]:
            if Measurement.get(console, options.update(width=10_000), choice).maximum <= options.max_width:
                yield choice
                return
        yield self.choices[-1]


def report(
    results: Results, title: str = "", notes: Sequence[str] = (), block_size: int | None = None
) -> RenderableType:
    """Everything of a result that a terminal has room for; ``title`` says what was played.

    Names and notes are shown as they are: neither markup nor control characters in them do anything.
    """
    parts: list[RenderableType] = [Text(words.plain(title, 500), "bold")] if title else []
    if results.games:
        parts += [standing(results), *_matrices(results)]
        parts += [_heading("what a seat is worth"), _seats(results)]
    if results.sprt is not None:
        parts.append(Text(words.sprt_sentence(results.sprt), "bold"))
    parts.append(Text(words.summary(results, block_size)))
    return Group(*parts, *_notes(notes))


def standing(results: Results) -> RenderableType:
    """The entrants, best first: one table, or two on a narrow terminal."""
    whole = _entrants(results, (*STRENGTH, *PLAY))
    return Fitting([whole, Group(_entrants(results, STRENGTH), _entrants(results, PLAY))])


def _entrants(results: Results, columns: Sequence[Column]) -> Table:
    table = _table("", "player", *(name for name, _ in columns))
    for place, row in enumerate(results.entrants, 1):
        table.add_row(str(place), _name(row.name), *(_cell(row, *column) for column in columns))
    return table


def _cell(row: EntrantRow, name: str, show: Callable[[EntrantRow], str]) -> Text:
    if name == "faults":
        text = show(row)
        return Text(text, FAULTY if text != words.NOTHING else "")
    return Text(show(row) if row.games else words.NOTHING)


def _table(*columns: str) -> Table:
    """A table with names on the left of their columns and numbers on the right; names and faults give way."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(
            name,
            justify="left" if name in ("player", "seat", "faults") else "right",
            no_wrap=name not in ("player", "faults"),
            overflow="fold" if name == "faults" else "ellipsis",
            min_width=LEAST_NAME if name in ("player", "faults") else None,
            max_width=NAME if name == "player" else None,
        )
    return table


def _name(name: str) -> Text:
    return Text(words.plain(name), no_wrap=True, overflow="ellipsis")


# ---- entrants against each other


def _matrices(results: Results) -> list[RenderableType]:
    if len(results.entrants) < 2:
        return []
    exact = _Matrix(results, lambda i, j: _ahead(results.pairs.get((i, j)), True))
    rough = _Matrix(results, lambda i, j: _ahead(results.pairs.get((i, j)), False))
    parts: list[RenderableType] = [_heading("row ahead of column, %"), Fitting([exact.table(), rough])]
    if results.superiority:
        sure = _Matrix(results, lambda i, j: words.certainty(results.superiority.get((i, j))))
        parts += [_heading("how sure it is that row is stronger than column, %"), sure]
    return parts


def _heading(text: str) -> Text:
    return Text(text, "bold")


def _ahead(cell: PairCell | None, error: bool) -> str:
    if cell is None or not math.isfinite(cell.ahead.mean):
        return words.NOTHING
    return words.percent(cell.ahead, 0) if error else words.number(100 * cell.ahead.mean, 0)


class _Matrix:
    """A table of pairs; columns go by the number of their row, and as many are shown as fit."""

    def __init__(self, results: Results, cell: Callable[[int, int], str]) -> None:
        rows = results.entrants[:ROWS]
        self._names, self._count = [row.name for row in rows], len(results.entrants)
        ids = [row.entrant for row in rows]
        self._cells = [["·" if i == j else cell(i, j) for j in ids] for i in ids]

    def table(self, columns: int | None = None) -> Table:
        """The table with its first columns."""
        shown = len(self._names) if columns is None else columns
        table = _table("", "player", *map(str, range(1, shown + 1)))
        for place, (name, cells) in enumerate(zip(self._names, self._cells, strict=True), 1):
            table.add_row(str(place), _name(name), *cells[:shown])
        return table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = self._fitting(options.max_width)
        yield self.table(shown)
        if shown < self._count:
            yield Text(f"{shown} of {self._count} columns; the page (--html) and the data have more", FAINT)

    def _fitting(self, width: int) -> int:
        """How many columns there is room for beside the names."""
        left = width - 2 - (len(str(len(self._names))) + 2) - (MATRIX_NAME + 2)
        shown = 0
        for place, column in enumerate(zip(*self._cells, strict=True), 1):
            left -= max(map(len, (*column, str(place)))) + 2
            if left < 0:
                break
            shown += 1
        return max(1, shown)


# ---- the rest


def _seats(results: Results) -> Table:
    table = _table("seat", "wins %", "points", "place")
    for row in results.seats:
        cells = words.percent(row.share), words.spread(row.points), words.number(row.place, 2)
        table.add_row(f"p{row.seat + 1}", *cells)
    return table


def _notes(notes: Sequence[str]) -> list[Text]:
    lines = [Text(f"note: {words.plain(note, 300)}", "yellow") for note in notes[:NOTES]]
    left = len(notes) - NOTES
    return lines + ([Text(f"and {left} more notes", "yellow")] if left > 0 else [])
