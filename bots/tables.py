"""Results as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from serai.bots.schedule import MatchPlan
from serai.bots.standings import Played, Row, Standings

if TYPE_CHECKING:
    from serai.core.game_record import GameRecord


def final_table(record: GameRecord) -> Table:
    """The seats of one game in the order in which they came in."""
    ending = {"over": "", "max-plies": "broken off, as it stands", "stopped": "stopped, as it stands"}
    table = Table(
        box=box.SIMPLE_HEAD, title=ending[record.ended] or None, title_justify="left", pad_edge=False
    )
    table.add_column("place", justify="right")
    table.add_column("seat")
    table.add_column("player", overflow="ellipsis", no_wrap=True)
    table.add_column("points", justify="right")
    for seat in sorted(range(len(record.seats)), key=lambda seat: record.ranks[seat]):
        style = "bold" if record.ranks[seat] == 1 else ""
        cells = (f"{record.ranks[seat]}.", f"p{seat + 1}", record.seats[seat], str(record.scores[seat]))
        table.add_row(*cells, style=style)
    return table


def result_tables(result: Standings) -> Group:
    """The result of a match: entrants, seats if that says anything, and a line about the games."""
    parts: list[RenderableType] = [_rows("player", result.entrants, len(result.seats))]
    if result.games > 1:
        parts.append(_rows("seat", result.seats, len(result.seats)))
    return Group(*parts, Text(summary(result), no_wrap=False))


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


def _rows(head: str, rows: Sequence[Row], seats: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(head, overflow="ellipsis", no_wrap=True)
    for name in ("wins %", "points", "place", "ms/turn", "ms/move", "faults"):
        table.add_column(name, justify="right", no_wrap=True)
    ordered = sorted(rows, key=lambda row: -row.share.mean) if head == "player" else rows
    for row in ordered:
        name = row.name + (f" ×{row.seats}" if row.seats > 1 else "")
        faults = " ".join(f"{kind} {count}" for kind, count in row.faults.items())
        table.add_row(
            Text(name),
            row.share.percent(),
            row.points.text(),
            f"{row.rank:.2f}",
            _time(row.ms_turn),
            _time(row.ms_move),
            Text(faults or "-", "bold red" if faults else ""),
        )
    return table


def _time(ms: float | None) -> str:
    if ms is None:
        return "-"
    return f"{ms:.2f}" if ms < 10 else f"{ms:.0f}"
