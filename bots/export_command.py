"""``serai export``: the games of a journal or record file for other programs, or to read."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from serai.bots.tournament.files import replacing
from serai.bots.tournament.journal import KIND, counted_ranks
from serai.bots.tournament.plan import Plan
from serai.bots.tournament.plan_file import plan_of
from serai.bots.tournament.report_data import dumps
from serai.bots.tournament.report_words import plain
from serai.core.errors import SeraiError, SetupError
from serai.core.game_record import GameRecord, to_text
from serai.core.record import RecordReader, unpack

LONGEST: Final = 70_000  # characters of any one text
_DIGITS: Final = tuple("0123456789")

EXAMPLES: Final = """\
examples:
  serai export cup.journal > games.jsonl               a JSON object on a line for each game
  serai export cup.journal --out games.jsonl           the same into a file
  serai export cup.journal --format text | less        each game, a line for each turn
  serai export games.rec --game 3 --format text        only the third game
  serai export cup.journal | jq -c '[.block, .seats, .scores]'

An object has: number (in the file, from 1), block and game (of a tournament, else null), spec, date, engine,
seats (who sat there), scores, ranks, counted (ranks as the tournament counts them after faults; null
elsewhere), shares (of the win), ended, faults (seat, event, kind, detail, stderr), tags, and events: token,
seat (who decided; null for chance), ms (by our clock), own (by the engine's), win (its estimate); null where
nothing is known. Seats and events are counted from 0.

A file is read to its end even if a crash cut it short or a part of it is damaged; what could not be read is
said on stderr. The exit code is 0 if a game was exported."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai export",
        description="Turn the journal of a tournament, or any record file, into JSON Lines or readable text.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("record", metavar="FILE", help="a journal, or a record file of serai match --record")
    made.add_argument("--format", choices=("jsonl", "text"), default="jsonl", help="default jsonl")
    made.add_argument("--game", type=int, metavar="K", help="only the K-th game of the file, from 1")
    made.add_argument("--out", metavar="FILE", help="write there instead of stdout")
    return made


def run(arguments: list[str]) -> int:
    """Export as the arguments say; the exit code: 0 if there was a game, else 1."""
    options = parser().parse_args(arguments)
    if options.game is not None and options.game < 1:
        raise SetupError(f"--game must be 1 or more, not {options.game}")
    games = Games(options.record)
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(replacing(options.out, options.record)) if options.out else sys.stdout
        exported = _export(games, options, out)
    for note in games.notes:
        _say(f"{plain(options.record, 200)}: {plain(note, 1000)}")
    if not exported:
        which = "" if options.game is None else f" {options.game}"
        _say(f"serai export: {plain(options.record, 200)} has no game{which}")
    return int(not exported)


def _export(games: Games, options: argparse.Namespace, out: IO[str]) -> int:
    """Write the games that are wanted; how many there were."""
    exported = 0
    for game in games:
        if options.game in (None, game.number):
            out.write(game.to_text() if options.format == "text" else f"{dumps(game.to_dict())}\n")
            exported += 1
            if options.game is not None:
                break
    return exported


@dataclass(frozen=True)
class Game:
    """A game of a file. ``counted``: its ranks as its tournament counts them; None outside of one."""

    number: int
    record: GameRecord
    counted: tuple[int, ...] | None

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data; what the keys mean is said by ``--help``."""
        record = self.record
        ranks = self.counted or record.ranks
        return {
            "number": self.number,
            "block": record.tags.get("block"),
            "game": record.tags.get("game"),
            "spec": record.spec,
            "date": record.date,
            "engine": record.engine,
            "seats": list(record.seats),
            "scores": list(record.scores),
            "ranks": list(record.ranks),
            "counted": None if self.counted is None else list(self.counted),
            "shares": [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks],
            "ended": record.ended,
            "faults": [dataclasses.asdict(fault) for fault in record.faults],
            "events": _events(record),
            "tags": dict(record.tags),
        }

    def to_text(self) -> str:
        """The game to read, with an empty line at its end; nothing in it moves a cursor."""
        place = [f"{key} {self.record.tags[key]}" for key in ("block", "game") if key in self.record.tags]
        head = "  ".join([f"# {self.number}", *(plain(text, 100) for text in place)])
        lines = to_text(_tame(self.record)).split("\n")
        return "\n".join([head, *(plain(line, LONGEST) for line in lines), "", ""])


def _events(record: GameRecord) -> list[dict[str, Any]]:
    movers = iter(str(record.tags.get("movers", "")))
    events = []
    for event in record.events:
        digit = "" if event.token.startswith("~") else next(movers, "")
        data = {"token": event.token, "seat": int(digit) if digit in _DIGITS else None}
        win = None if event.win is None else list(event.win)
        events.append({**data, "ms": event.ms, "own": event.own, "win": win})
    return events


def _tame(record: GameRecord) -> GameRecord:
    """The record with each of its texts on one line."""
    return dataclasses.replace(
        record,
        spec=plain(record.spec, LONGEST),
        date=plain(record.date, 100),
        engine=plain(record.engine, 1000),
        seats=tuple(plain(name, 200) for name in record.seats),
        events=tuple(dataclasses.replace(event, token=plain(event.token, 1000)) for event in record.events),
        faults=tuple(
            dataclasses.replace(fault, kind=plain(fault.kind, 100), detail=plain(fault.detail, 4000))
            for fault in record.faults
        ),
    )


class Games:
    """The games of a file, one at a time; after an iteration ``notes`` says what could not be read."""

    def __init__(self, path: str) -> None:
        self.notes: list[str] = []
        self._reader = RecordReader(path)

    def __iter__(self) -> Iterator[Game]:
        self.notes, number, plan = [], 0, None
        for place, payload in self._reader.frames():
            try:
                data = unpack(payload)
                if "kind" in data:
                    plan = self._plan(data) or plan
                    continue
                record = GameRecord.from_dict(data)
            except SeraiError as error:
                self.notes.append(f"at byte {place}: {error}")
                continue
            number += 1
            yield Game(number, record, _counted(record, plan))
        self.notes += self._reader.notes

    @staticmethod
    def _plan(data: dict[Any, Any]) -> Plan | None:
        """The plan in a map that begins a journal; raises SetupError."""
        return plan_of(data.get("plan"), "its plan") if data["kind"] == KIND else None


def _counted(record: GameRecord, plan: Plan | None) -> tuple[int, ...] | None:
    if plan is None or record.tags.get("tournament") != plan.identity:
        return None
    last = [fault.seat for fault in record.faults if plan.faults.of(fault.kind) == "rank-last"]
    return counted_ranks(record.ranks, last)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
