"""``serai show``: what is in a record file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Final

from serai.core.errors import RecordError
from serai.core.game_record import GameRecord, to_text
from serai.core.record import RecordReader

EXAMPLES: Final = """\
examples:
  serai show games.rec                     a line for each game
  serai show games.rec --game 3            the third game, a line for each turn
  serai show games.rec --game 3 --watch    the third game on the board again
  serai show games.rec --format jsonl > games.jsonl

A file is read to its end even if a crash cut it short or a part of it is damaged; what could not be read is
said on stderr."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai show",
        description="Show the games in a record file, as written by serai match --record.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("record", metavar="FILE", help="the record file")
    made.add_argument("--game", type=int, metavar="K", help="only the K-th game of the file, from 1")
    made.add_argument("--format", choices=("text", "jsonl", "json"), default="text", help="default text")
    made.add_argument("--watch", action="store_true", help="play the game on the board again; needs --game")
    made.add_argument("--speed", type=float, default=2.0, metavar="T", help="turns a second, default 2")
    return made


def run(arguments: list[str]) -> int:
    """Show as the arguments say; the exit code."""
    options = parser().parse_args(arguments)
    if options.watch and options.game is None:
        raise RecordError("--watch shows one game: give --game K")
    reader = RecordReader(options.record)
    games = _chosen(reader, options.game)
    if options.watch:
        _watch(next(games), options.speed)
    elif options.format == "json":
        print(json.dumps([record.to_dict() for record in games], ensure_ascii=False))
    else:
        for number, record in enumerate(games, options.game or 1):
            print(_shown(number, record, options))
    for note in reader.notes:
        print(f"{options.record}: {note}", file=sys.stderr)
    return 0


def _chosen(reader: RecordReader, wanted: int | None) -> Iterator[GameRecord]:
    if wanted is None:
        yield from reader
        return
    number = 0
    for number, record in enumerate(reader, 1):
        if number == wanted:
            yield record
            return
    raise RecordError(f"{reader.path} has {number} games; there is no game {wanted}")


def _shown(number: int, record: GameRecord, options: argparse.Namespace) -> str:
    if options.format == "jsonl":
        return json.dumps(record.to_dict(), ensure_ascii=False)
    return to_text(record) if options.game is not None else _line(number, record)


def _line(number: int, record: GameRecord) -> str:
    """A game on one line."""
    results = zip(record.seats, record.scores, record.ranks, strict=True)
    seats = "  ".join(f"{name} {score}{'*' if rank == 1 else ''}" for name, score, rank in results)
    faults = f"  {len(record.faults)} faults" if record.faults else ""
    ended = "" if record.ended == "over" else f"  ({record.ended})"
    return f"{number:>4}  {record.date[:16]}  {record.spec}  {seats}{ended}{faults}"


def _watch(record: GameRecord, speed: float) -> None:
    from rich.console import Console

    from serai.bots.replay import show_again
    from serai.bots.watch import Watch

    watch = Watch(Console(file=sys.stdout), speed)
    try:
        show_again(record, watch)
    finally:
        watch.close()
