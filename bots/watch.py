"""A game to look at while it is played: a live board on a terminal, a line for each turn anywhere else."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from serai.bots.tables import final_table
from serai.core.display import SeatLabel, Spans, board_of, pad
from serai.core.game_record import told_events

if TYPE_CHECKING:
    from serai.bots.referee import Step
    from serai.core.game import Position
    from serai.core.game_record import GameRecord
    from serai.search.report import Report

STYLES: Final = {
    "": "",
    "strong": "bold",
    "faint": "bright_black",
    "alert": "bold magenta",
    "yellow": "black on #e5c02e",
    "red": "bright_white on #b3261e",
    "green": "bright_white on #2f7d32",
    "brown": "bright_white on #6b4423",
    "blue": "bright_white on #1f5fa8",
    "gold": "#e5a50a",
    "silver": "#9aa0a6",
    "land": "#a8834f",
    "sea": "#4a90d9",
}
BAR: Final = 6  # columns of the bar of the win estimate
LOG: Final = 12  # turns shown below a live board, at most
FEWEST: Final = 4  # turns there must be room for
NAME: Final = 10  # columns of a name in a turn's line


class Watch:
    """Shows games, at most ``speed`` turns a second (0: as fast as they are played)."""

    def __init__(self, console: Console, speed: float = 0.0) -> None:
        self._console = console
        self._pause = 1 / speed if speed > 0 else 0.0
        self._next = 0.0
        self._live: Live | None = None
        self._title = ""
        self._several = False  # games in this match, so that each one's result is worth a table
        self._names: Sequence[str] = ()
        self._log: deque[Text] = deque(maxlen=LOG)
        self._opened: Position | None = None  # before the turn under way
        self._tokens: list[str] = []
        self._report: Report | None = None
        self._reporter = -1
        self._round = 0

    # ---- called by the referee

    def begin(self, position: Position, names: Sequence[str], title: str) -> None:
        """Show the table of a game that starts."""
        self._names, self._log = names, deque(maxlen=LOG)
        self._report, self._reporter, self._round, self._opened = None, -1, 0, None
        self._title = f"{position.game.spec}" + (f"   {title}" if title else "")
        self._several = bool(title)
        if self._fits(position):
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
            self._refresh(position)
        else:
            self._console.rule(self._title, style="bright_black")
            self._console.print(self._board(position))

    def step(self, step: Step) -> None:
        """Take in a decision; show the turn when it is complete."""
        mover = step.before.mover
        if self._opened is None or self._opened.mover != mover:
            self._opened, self._tokens = step.before, []
            self._round += mover == 0
        self._tokens += told_events(step.before, step.after)
        self._consider(step)
        if step.fault is not None:
            self._tell(Text(f"       {step.fault.kind}: {step.fault.detail}"[:200], "bold red"))
        if step.after.mover != mover:
            self._show_turn(self._opened, step.after)

    def end(self, position: Position, record: GameRecord) -> None:
        """Leave the last table and the order of the seats on the screen."""
        self.close()
        self._console.print(self._board(position))
        if self._several:
            self._console.print(final_table(record))

    def close(self) -> None:
        """Give the screen back; also in the middle of a game."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    # ---- what is shown

    def _consider(self, step: Step) -> None:
        """Keep the estimate of whoever searches most."""
        report = step.report
        if report is None or not report.lines:
            return
        if self._report is None or step.seat == self._reporter or report.nodes > self._report.nodes:
            self._report, self._reporter = report, step.seat

    def _show_turn(self, before: Position, after: Position) -> None:
        mover = before.mover
        if self._live is None and mover == 0 and self._round > 1 and self._round % 5 == 1:
            self._console.print(self._interim(before))
        self._wait()
        line = Text(f"{self._round:>3} ", "bright_black")
        line.append(f"p{mover + 1} ", "bright_black")
        line.append_text(styled(pad([(self._names[mover], "strong")], NAME))).append(" ")
        self._tell(line.append_text(self._sentence(before, after)))
        if self._live is not None:
            self._refresh(after)

    def _wait(self) -> None:
        pause = self._next - time.monotonic()
        if self._pause and pause > 0:
            time.sleep(pause)
        self._next = time.monotonic() + self._pause

    def _tell(self, line: Text) -> None:
        line.no_wrap, line.overflow = True, "ellipsis"
        if self._live is None:
            self._console.print(line)
        else:
            self._log.append(line)

    def _sentence(self, before: Position, after: Position) -> Text:
        board = board_of(before.game.name)
        if board is not None:
            return styled(board.sentence(before.state(), self._tokens, after.state()))
        return Text(f"{before.describe(self._tokens[0])}   {' '.join(self._tokens[1:])}")

    def _interim(self, position: Position) -> Text:
        chances = [""] * position.seats
        if self._report is not None:
            chances = [f" ({share:.0%})" for share in self._report.lines[0].win]
        scores = zip(self._names, position.scores(), chances, strict=True)
        parts = [f"{name} {points}{chance}" for name, points, chance in scores]
        text = f"--- round {self._round}: {', '.join(parts)}"
        return Text(text, "bright_black", no_wrap=True, overflow="ellipsis")

    def _fits(self, position: Position) -> bool:
        """True if a live board can be shown: a terminal that can move its cursor, and is high enough."""
        console = self._console
        if not console.is_terminal or console.is_dumb_terminal or not console.is_interactive:
            return False
        return len(self._board(position).renderables) + FEWEST + 3 <= console.height and console.width >= 60

    def _refresh(self, position: Position) -> None:
        assert self._live is not None
        board = self._board(position)
        room = self._console.height - len(board.renderables) - 3
        log = list(self._log)[-max(FEWEST, min(LOG, room)) :]
        head = Text(f"{self._title}   round {self._round}", "bold", no_wrap=True, overflow="ellipsis")
        self._live.update(Group(head, Text(), board, Text(), *log), refresh=True)

    def _board(self, position: Position) -> Group:
        """The table, line by line; its height stays the same throughout a game."""
        board = board_of(position.game.name)
        if board is None:
            return Group(*(Text(line, no_wrap=True) for line in position.render().splitlines()))
        labels = [
            SeatLabel(name, points, self._note(seat))
            for seat, (name, points) in enumerate(zip(self._names, position.scores(), strict=True))
        ]
        lines = board.table(position.state(), labels, self._console.width)
        return Group(*map(styled, lines), *self._source())

    def _note(self, seat: int) -> str:
        if self._report is None:
            return ""
        share = self._report.lines[0].win[seat]
        return f"{share:>4.0%} {'█' * round(BAR * share)}"

    def _source(self) -> list[Text]:
        who = "" if self._report is None else f"chances of the win as {self._names[self._reporter]} sees them"
        return [
            Text(f"{who:>{min(80, self._console.width)}}", "bright_black", no_wrap=True, overflow="ellipsis")
        ]


def styled(spans: Spans) -> Text:
    """Spans in this program's colours."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for text, style in spans:
        line.append(text, STYLES.get(style, ""))
    return line
