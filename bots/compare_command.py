"""``serai compare``: two engines are asked the same questions about the rules."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Final

from serai.core.errors import SetupError
from serai.core.spec import parse_spec

if TYPE_CHECKING:
    from serai.bots.tournament.compare import Comparison, Difference
    from serai.protocol.client import GameText

EVERY: Final = 10  # events from one position that is looked at closely to the next
GAMES: Final = 5
DIFFER: Final = 1
LINE_EVERY: Final = 10.0  # seconds between two lines of progress, off a terminal

EXAMPLES: Final = """\
A and B are engines: serai (the default of B), a bot of serai match --help, or
any command that speaks UGI-N, in quotes if it has arguments.

Asked at each position: turn, gameover, legal (or chance), scores, at the end
ranks; and go perft N, which compares all that can follow. If counts differ, the
way to the position where the lists differ is found and shown. What an engine
can't be asked is left out, and that is said.

examples:
  serai compare ./engine
      5 games at random, each position looked at; every 10th closely
  serai compare ./engine serai --depth 3 --games 20 --seed 7
      more of them, deeper
  serai compare "java -jar engine.jar" --records games.rec
      along recorded games: of serai match --record, or a tournament's journal
  serai compare ./engine --positions "spice_road;seed=1" "fen SPEC moves …"
      at positions of your own

exit code: 0 they agree, 1 they differ, 2 nothing could be compared"""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai compare",
        description="Do two engines agree on the rules? The first difference is shown.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("first", metavar="A", help="an engine")
    add("second", metavar="B", nargs="?", default="serai", help="another one, default serai")
    source = made.add_mutually_exclusive_group()
    source.add_argument("--records", metavar="FILE", nargs="+", help="positions from these recorded games")
    source.add_argument("--positions", metavar="SPEC", nargs="+", help="these positions")
    source.add_argument("--game", metavar="SPEC", help="what to play at random, default: all that both play")
    add("--games", type=int, metavar="N", help=f"games: at random, default {GAMES}; recorded, default all")
    add("--every", type=int, default=EVERY, metavar="K", help=f"events between close looks, default {EVERY}")
    add("--depth", type=int, default=2, metavar="N", help="of go perft, 0 for none, default 2")
    add("--seed", type=int, default=1, metavar="S", help="of the games at random, default 1")
    add("--timeout", type=float, default=20.0, metavar="SEC", help="for each answer, default 20")
    add("--json", action="store_true", help="print the result as JSON")
    return made


def run(arguments: list[str]) -> int:
    """Compare as the arguments say; the exit code."""
    from serai.bots.tournament.compare import Comparison
    from serai.bots.tournament.witness import Witness

    options = parser().parse_args(arguments)
    _check(options)
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(Witness(options.first, options.timeout))
        second = stack.enter_context(Witness(options.second, options.timeout))
        comparison = Comparison(first, second, options.depth)
        comparison.on_progress = progress = Ticker(comparison)
        notes: list[str] = []
        try:
            difference = _compare(options, comparison, notes)
        finally:
            progress.clear()
    for note in notes:
        print(note, file=sys.stderr)
    _print(options, comparison, difference, notes)
    return 0 if difference is None else DIFFER


def _check(options: argparse.Namespace) -> None:
    limits = (("games", 1, 1_000_000), ("every", 1, 1_000_000), ("depth", 0, 20))
    for name, low, high in limits:
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise SetupError(f"--{name} must be {low} to {high}, not {value}")
    if not 0.01 <= options.timeout <= 1e6:
        raise SetupError(f"--timeout must be 0.01 to 1000000 seconds, not {options.timeout}")


def _compare(options: argparse.Namespace, comparison: Comparison, notes: list[str]) -> Difference | None:
    """The first difference; raises SetupError if nothing could be compared."""
    from serai.bots.tournament.compare import Found

    try:
        _walk(options, comparison, notes)
    except Found as found:
        return found.difference
    if not comparison.positions:
        codes = " ".join(comparison.refused)
        why = f": neither engine takes any of them ({codes})" if codes else ""
        raise SetupError("\n".join([f"no positions to compare{why}", *notes]))
    if not comparison.counts:
        left_out = [f"{name}: {reason}" for name, reason in comparison.left_out.items()]
        raise SetupError("; ".join(["nothing could be compared", *left_out]))
    return None


def _walk(options: argparse.Namespace, comparison: Comparison, notes: list[str]) -> None:
    from serai.bots.tournament.compare_games import RandomGames, given, recorded

    texts: Iterator[GameText]
    if options.records:
        texts = recorded(options.records, options.games, options.every, notes)
    elif options.positions:
        texts = given(options.positions, comparison.witnesses[0])
    else:
        spec = None if options.game is None else str(replace(parse_spec(options.game), seed=None))
        return RandomGames(options.games or GAMES, options.seed, options.every, spec).play(comparison)
    for text in texts:
        comparison.examine(text)
    return None


def _print(
    options: argparse.Namespace, comparison: Comparison, difference: Difference | None, notes: list[str]
) -> None:
    from serai.bots.tournament.compare_report import as_data, as_text

    if options.json:
        print(json.dumps(as_data(comparison, difference, notes)))
    else:
        print(as_text(comparison, difference))


@dataclass
class Ticker:
    """How far a comparison is, on stderr: a line that is rewritten on a terminal, else one now and then."""

    comparison: Comparison
    stream: IO[str] | None = None
    _next: float = 0.0
    _shown: bool = False

    def __call__(self) -> None:
        """Say it, if it is time to."""
        now, stream = time.monotonic(), self.stream or sys.stderr
        live = stream.isatty()
        if not self._next and not live:
            self._next = now + LINE_EVERY
        if now < self._next:
            return
        self._next = now + (0.2 if live else LINE_EVERY)
        text = f"{self.comparison.positions} positions, {self.comparison.counts.total()} checks"
        print(f"\r{text:<50}" if live else text, end="" if live else "\n", file=stream, flush=True)
        self._shown = live

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._shown:
            print(f"\r{'':<50}\r", end="", file=self.stream or sys.stderr, flush=True)
