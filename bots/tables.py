"""Results as tables for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, JustifyMethod
from rich.table import Table
from rich.text import Text

from serai.bots.schedule import MatchPlan
from serai.bots.standings import Played, Row, Standings, standings

if TYPE_CHECKING:
    from serai.core.game_record import GameRecord


def final_table(record: GameRecord) -> Table:
    """The seats of one game in the order in which they came in."""
    table = _table("place", "seat", "player", "points")
    for seat in sorted(range(len(record.seats)), key=lambda seat: record.ranks[seat]):
        style = "bold" if record.ranks[seat] == 1 else ""
        name, points = _name(record.seats[seat]), str(record.scores[seat])
        table.add_row(f"{record.ranks[seat]}.", f"p{seat + 1}", name, points, style=style)
    return table


def result_tables(plan: MatchPlan, games: Sequence[Played]) -> Group:
    """The result of a match: its entrants, what the seats were worth, and a line about the games."""
    result = standings(plan, games)
    tail = Text(summary(result))
    if result.games == 1:
        names = [plan.entrants[entrant] for entrant in games[0].seating]
        return Group(_single(result, names), tail)
    return Group(_entrants(result), _seats(result), tail)


def summary(result: Standings) -> str:
    """The games in a sentence or two."""
    many = "s" * (result.games != 1)
    text = f"{result.games} game{many}, {result.rounds.text()} rounds, "
    text += f"winner's points {result.winner_points:.1f}"
    if result.blocks > 1:
        text += f"; ± is one standard error over {result.blocks} deals, each played from every seat"
    elif result.games > 1:
        text += "; no standard errors: they need two complete deals"
    if result.shared_wins:
        text += f"; {result.shared_wins} shared win{'s' * (result.shared_wins != 1)}"
    return (
        text + (f"; {result.unfinished} unfinished, scored as they stood" if result.unfinished else "") + "."
    )


def fault_lines(plan: MatchPlan, games: Iterable[Played], most: int = 5) -> list[str]:
    """The first faults in words, so that their cause can be found."""
    lines = [
        f"game {game.number + 1}, p{fault.seat + 1} {plan.entrants[game.seating[fault.seat]]}: "
        f"{fault.kind}: {fault.detail}"
        for game in sorted(games, key=lambda game: game.number)
        for fault in game.faults
    ]
    left = len(lines) - most
    return lines[:most] + ([f"and {left} more"] if left > 0 else [])


def _table(*columns: str) -> Table:
    """A table with text on the left in columns of names, and numbers on the right in the others."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        justify: JustifyMethod = "left" if name in ("player", "seat") else "right"
        table.add_column(name, justify=justify, no_wrap=name != "player", overflow="ellipsis")
    return table


def _entrants(result: Standings) -> Table:
    table = _table("player", "wins %", "points", "place", "ms/turn", "ms/move", "faults")
    for row in sorted(result.entrants, key=lambda row: -row.share.mean):
        name = row.name + (f" ×{row.seats}" if row.seats > 1 else "")
        table.add_row(_name(name), row.share.percent(), row.points.text(), f"{row.rank:.2f}", *_effort(row))
    return table


def _seats(result: Standings) -> Table:
    table = _table("seat", "wins %", "points", "place")
    for row in result.seats:
        table.add_row(row.name, row.share.percent(), row.points.text(), f"{row.rank:.2f}")
    return table


def _single(result: Standings, names: Sequence[str]) -> Table:
    """One game: the seats in the order in which they came in."""
    table = _table("place", "seat", "player", "points", "ms/turn", "ms/move", "faults")
    for row, name in sorted(zip(result.seats, names, strict=True), key=lambda pair: pair[0].rank):
        cells = (f"{row.rank:.0f}.", row.name, _name(name), f"{row.points.mean:.0f}", *_effort(row))
        table.add_row(*cells, style="bold" if row.rank == 1 else "")
    return table


def _effort(row: Row) -> tuple[str, str, Text]:
    faults = " ".join(f"{kind} {count}" for kind, count in row.faults.items())
    return _time(row.ms_turn), _time(row.ms_move), Text(faults or "-", "bold red" if faults else "")


def _name(name: str) -> Text:
    """A name as a cell: of a path only its end."""
    return Text(re.sub(r"\S*/(?=\S)", "", name))


def _time(ms: float | None) -> str:
    if ms is None:
        return "-"
    return f"{ms:.2f}" if ms < 10 else f"{ms:.0f}"
