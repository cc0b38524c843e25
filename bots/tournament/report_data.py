"""The result of a tournament for programs: JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from serai.bots.guard import KINDS
from serai.bots.standings import Estimate
from serai.bots.tournament.outcome import EntrantRow, Results, SeatRow, SprtState
from serai.bots.tournament.report_words import plain

VERSION: Final = 1
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes a cell that begins with one
_UNPRINTABLE: Final = re.compile(r"[^\x20-\x7e]")


def as_data(
    results: Results,
    *,
    plan: Mapping[str, Any] | None = None,
    date: str = "",
    engines: Sequence[Mapping[str, str]] = (),
    notes: Sequence[str] = (),
    block_size: int | None = None,
) -> dict[str, Any]:
    """A result as plain data with keys that stay; every number is finite, and null where there is none.

    ``format``, ``version``: ``serai-results`` and 1; keys may be added without a change of version.
    ``plan``, ``date``, ``engines``, ``notes``, ``block_size``: as given.
    ``games``, ``void``, ``unfinished``, ``blocks``, ``shared_wins``, ``winner_points``, ``variance_ratio``,
    ``turns``: as in `Results`; a measured value is ``{"mean": …, "se": …}``.
    ``entrants``: best first; ``entrant`` is the number by which ``pairs`` and ``superiority`` name it, and
    ``rating`` is ``{"value", "low", "high"}`` or null. Shares are of 1, times in milliseconds.
    ``seats``: ``seat`` from 0. ``pairs``: ``first``, ``second``, ``games``, ``ahead``. ``superiority``:
    ``first``, ``second``, ``sure``. ``sprt``: null, or ``llr``, ``lower``, ``upper``, ``blocks``, ``mean``,
    ``verdict``.
    """
    data = {
        "format": "serai-results",
        "version": VERSION,
        "plan": None if plan is None else dict(plan),
        "date": date,
        "engines": [dict(engine) for engine in engines],
        "notes": list(notes),
        "block_size": block_size,
        **_counts(results),
        "entrants": [_entrant(row) for row in results.entrants],
        "seats": [_seat(row) for row in results.seats],
        "pairs": _pairs(results),
        "superiority": _superiority(results),
        "sprt": None if results.sprt is None else _sprt(results.sprt),
    }
    return {key: _finite(value) for key, value in data.items()}


def _counts(results: Results) -> dict[str, Any]:
    return {
        "games": results.games,
        "void": results.void,
        "unfinished": results.unfinished,
        "blocks": results.blocks,
        "shared_wins": results.shared_wins,
        "winner_points": results.winner_points,
        "turns": _estimate(results.turns),
        "variance_ratio": results.variance_ratio,
    }


def _entrant(row: EntrantRow) -> dict[str, Any]:
    low, high = (None, None) if row.interval is None else row.interval
    return {
        "entrant": row.entrant,
        "name": row.name,
        "games": row.games,
        "share": _estimate(row.share),
        "par": row.par,
        "points": _estimate(row.points),
        "place": row.place,
        "rating": None if row.rating is None else {"value": row.rating, "low": low, "high": high},
        "turns": row.turns,
        "ms_move": row.ms_move,
        "ms_turn": row.ms_turn,
        "ms_gap": row.ms_gap,
        "faults": dict(row.faults),
        "void_faults": dict(row.void_faults),
    }


def _seat(row: SeatRow) -> dict[str, Any]:
    points = _estimate(row.points)
    return {"seat": row.seat, "share": _estimate(row.share), "points": points, "place": row.place}


def _pairs(results: Results) -> list[dict[str, Any]]:
    return [
        {"first": first, "second": second, "games": cell.games, "ahead": _estimate(cell.ahead)}
        for (first, second), cell in sorted(results.pairs.items())
    ]


def _superiority(results: Results) -> list[dict[str, Any]]:
    cells = sorted(results.superiority.items())
    return [{"first": first, "second": second, "sure": sure} for (first, second), sure in cells]


def _sprt(state: SprtState) -> dict[str, Any]:
    return {key: getattr(state, key) for key in ("llr", "lower", "upper", "blocks", "mean", "verdict")}


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "se": estimate.se}


def _finite(value: Any) -> Any:
    """The same without numbers that JSON hasn't."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value


def as_json(results: Results, **known: Any) -> str:
    """`as_data` as indented JSON text with a line end; arguments as there."""
    return dumps(as_data(results, **known), indent=2) + "\n"


def dumps(data: object, indent: int | None = None) -> str:
    """JSON in which letters of all scripts are readable, and no character moves a cursor or turns a line."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNPRINTABLE.sub(lambda match: _escaped(match[0]), text)


def _escaped(character: str) -> str:
    if character.isprintable() or character == "\n":  # json has escaped those within texts
        return character
    return json.dumps(character)[1:-1]


# ---- CSV


def as_csv(results: Results) -> str:
    """A row for each entrant, best first, after a row of titles. Empty where there is no number."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    rows = [_csv_row(row) for row in results.entrants]
    titles = list(_csv_row(_NOBODY))
    writer.writerow(titles)
    writer.writerows([[row[title] for title in titles] for row in rows])
    return file.getvalue()


_NOBODY: Final = EntrantRow(
    0, "", 0, Estimate(0.0), 0.0, Estimate(0.0), 0.0, None, None, 0.0, None, None, None
)


def _csv_row(row: EntrantRow) -> dict[str, Any]:
    low, high = (None, None) if row.interval is None else row.interval
    values: dict[str, Any] = {
        "name": cell(row.name),
        "games": row.games,
        "share": row.share.mean,
        "share_se": row.share.se,
        "par": row.par,
        "points": row.points.mean,
        "points_se": row.points.se,
        "place": row.place,
        "rating": row.rating,
        "rating_low": low,
        "rating_high": high,
        "turns": row.turns,
        "ms_move": row.ms_move,
        "ms_turn": row.ms_turn,
        "ms_gap": row.ms_gap,
        **{f"faults_{kind}": row.faults.get(kind, 0) for kind in KINDS},
        "faults_void": sum(row.void_faults.values()),
    }
    return {key: "" if _finite(value) is None else value for key, value in values.items()}


def cell(text: str) -> str:
    """Text as a cell of a table that no spreadsheet takes for a formula.

    >>> cell("=1+1"), cell("a=b")
    ("'=1+1", 'a=b')
    """
    guarded = f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
    return plain(guarded, 10_000)
