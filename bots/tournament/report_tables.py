"""The tables of a report's page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from serai.bots.tournament import report_words as words
from serai.bots.tournament.outcome import EntrantRow, Results

MOST: Final = 60  # rows and columns of a matrix


def entrants_table(results: Results) -> str:
    """The entrants, best first."""
    titles = ("rating", "95 %", "wins %", "par", "points", "place", "games", "turns", "ms/turn", "gap")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    rows = [_entrant(place, row) for place, row in enumerate(results.entrants, 1)]
    start = '<th scope="col">#</th><th scope="col" class="name">entrant</th>'
    return _table("Entrants, best first", f'{start}{head}<th scope="col" class="faults">faults</th>', rows)


def _entrant(place: int, row: EntrantRow) -> str:
    counts = words.entrant_faults(row)
    alert = " alert" if counts != words.NOTHING else ""
    return (
        f"<td>{place}</td>{_row_head(row)}{''.join(f'<td>{escape(cell)}</td>' for cell in figures(row))}"
        f'<td class="faults{alert}">{escape(counts)}</td>'
    )


def figures(row: EntrantRow) -> Sequence[str]:
    """Rating to gap, as text; dashes for who hasn't played."""
    if not row.games:
        return [words.NOTHING] * 6 + ["0"] + [words.NOTHING] * 3
    return (
        words.number(row.rating, 0, "+"),
        words.interval(row),
        words.percent(row.share),
        words.number(100 * row.par),
        words.spread(row.points),
        words.number(row.place, 2),
        str(row.games),
        words.number(row.turns),
        words.duration(row.ms_turn),
        words.duration(row.ms_gap),
    )


def name_of(row: EntrantRow) -> str:
    """A name as HTML that keeps its direction of writing to itself."""
    return f"<bdi>{escape(words.plain(row.name))}</bdi>"


def _row_head(row: EntrantRow) -> str:
    return f'<th scope="row" class="name" title="{escape(words.plain(row.name))}">{name_of(row)}</th>'


def seats_table(results: Results) -> str:
    """What each seat is worth."""
    head = "".join(f'<th scope="col">{title}</th>' for title in ("seat", "wins %", "points", "place"))
    rows = [
        f'<th scope="row">p{row.seat + 1}</th><td>{words.percent(row.share)}</td>'
        f"<td>{words.spread(row.points)}</td><td>{words.number(row.place, 2)}</td>"
        for row in results.seats
    ]
    return _table("Seats, whoever sat there", head, rows)


def pairs_table(results: Results) -> str:
    """How often each came in before each other."""

    def cell(first: int, second: int) -> str:
        found = results.pairs.get((first, second))
        if found is None or not math.isfinite(found.ahead.mean):
            return "<td>-</td>"
        return _tinted(found.ahead.mean, words.percent(found.ahead, 0), f"{found.games} games")

    return _matrix(
        "Games in which the row came in ahead of the column, %; a level place is half", results, cell
    )


def sure_table(results: Results) -> str:
    """How sure it is which of two is the stronger one; nothing if that is not known."""
    if not results.superiority:
        return ""

    def cell(first: int, second: int) -> str:
        sure = results.superiority.get((first, second))
        return "<td>-</td>" if sure is None else _tinted(sure, words.certainty(sure))

    return _matrix("How sure it is that the row is stronger than the column, %", results, cell)


def _matrix(caption: str, results: Results, cell: Callable[[int, int], str]) -> str:
    """Columns go by the number of their row."""
    shown = results.entrants[:MOST]
    head = '<th scope="col">#</th><th scope="col" class="name">entrant</th>' + "".join(
        f'<th scope="col" title="{escape(words.plain(row.name))}">{place}</th>'
        for place, row in enumerate(shown, 1)
    )
    rows = [
        f"<td>{place}</td>{_row_head(row)}"
        + "".join("<td>·</td>" if row is other else cell(row.entrant, other.entrant) for other in shown)
        for place, row in enumerate(shown, 1)
    ]
    left = len(results.entrants) - len(shown)
    return _table(caption + (f"; {left} more entrants are in the data" if left else ""), head, rows, "matrix")


def _tinted(value: float, text: str, title: str = "") -> str:
    """A cell that is the more coloured the further its value is from ½."""
    step = min(3, int(abs(value - 0.5) * 10 + 0.5))
    kind = f' class="{"a" if value > 0.5 else "b"}{step}"' if step else ""
    return f"<td{kind}{f' title={chr(34)}{escape(title)}{chr(34)}' if title else ''}>{escape(text)}</td>"


def _table(caption: str, head: str, rows: Sequence[str], kind: str = "") -> str:
    """A table that scrolls by itself where it is too wide."""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    start = f'<table class="{kind}">' if kind else "<table>"
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0">{start}'
        f"<caption>{escape(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )
