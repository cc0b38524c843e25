"""A search report as lines: ``info …`` for each candidate, or one ``infojson {…}``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from serai.protocol.messages import (
    Info,
    centipawns,
    format_info,
    format_infojson,
    permilles,
    seat_name,
)

if TYPE_CHECKING:
    from serai.search import Line, Report

_JSON_PV: Final = 40  # events of a line in infojson
_JSON_MOVES: Final = 50  # candidates in infojson
_CONFIDENCE: Final = 1.96  # standard errors below the mean that count as a lower bound


@dataclass(frozen=True)
class Asked:
    """What a search was asked, as far as its lines tell it."""

    seats: int
    mover: int
    turn: int  # events before this decision
    legal: int
    searchid: str | None = None
    as_json: bool = False


def report_lines(report: Report, asked: Asked, *, final: bool) -> list[str]:
    """All lines of a report, best candidate first."""
    if asked.as_json:
        return [_json_line(report, asked, final)]
    if not report.lines:
        return [format_info(_unjudged(report, asked))]
    return [format_info(_info(report, line, number, asked)) for number, line in enumerate(report.lines, 1)]


def _nps(report: Report) -> int:
    return report.nodes * 1000 // max(report.time, 1)


def _info(report: Report, line: Line, number: int, asked: Asked) -> Info:
    return Info(
        depth=report.depth,
        seldepth=report.seldepth,
        multipv=number,
        cp=centipawns(line.win[asked.mover], asked.seats),
        win=permilles(line.win),
        vp=tuple(line.points),
        nodes=report.nodes,
        nps=_nps(report),
        worlds=report.worlds,
        hashfull=report.hashfull,
        time=report.time,
        searchid=asked.searchid,
        visits=line.visits,
        se=round(1000 * line.se),
        pv=tuple(line.pv) or (line.token,),
    )


def _unjudged(report: Report, asked: Asked) -> Info:
    """A move from a thinker that judges nothing: an even share for everybody."""
    return Info(
        depth=report.depth,
        multipv=1,
        cp=0,
        win=permilles([1.0] * asked.seats),
        nodes=report.nodes,
        time=report.time,
        searchid=asked.searchid,
        pv=(report.best,),
    )


def _json_line(report: Report, asked: Asked, final: bool) -> str:
    best = report.lines[0] if report.lines else None
    even = 1 / asked.seats
    root: dict[str, Any] = {
        "win": _rounded(best.win if best else [even] * asked.seats),
        "vp": _rounded(best.points) if best else None,
        "nodes": report.nodes,
        "worlds": report.worlds,
        "depth": report.depth,
        "seldepth": report.seldepth,
        "time": report.time,
    }
    moves = report.lines[:_JSON_MOVES]
    return format_infojson(
        {
            "id": asked.searchid,
            "turn": asked.turn,
            "seat": seat_name(asked.mover),
            "legal": asked.legal,
            "moves": [_json_move(line, order, asked.mover) for order, line in enumerate(moves)],
            "root": root,
            "best": report.best,
            **report.extra,
            "isDuringSearch": not final,
        }
    )


def _json_move(line: Line, order: int, mover: int) -> dict[str, Any]:
    return {
        "move": line.token,
        "order": order,
        "visits": line.visits,
        "win": _rounded(line.win),
        "vp": _rounded(line.points),
        "se": round(line.se, 4),
        "lcb": round(max(0.0, line.win[mover] - _CONFIDENCE * line.se), 4),
        "pv": list(line.pv[:_JSON_PV]),
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]
