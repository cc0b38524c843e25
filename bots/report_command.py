"""``serai report``: what a tournament's journal says."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from serai.bots.tournament import report_data, report_text
from serai.bots.tournament.files import replacing
from serai.bots.tournament.report_words import plain
from serai.bots.tournament.schedule import block_size
from serai.core.errors import SetupError

if TYPE_CHECKING:
    from serai.bots.tournament.journal import JournalContent
    from serai.bots.tournament.outcome import Results

MOST_RESAMPLES: Final = 100_000
PATIENCE: Final = 2.0  # seconds before one is told how far it is
EVERY: Final = 0.5  # seconds between two such lines
LINE: Final = 40  # columns of one at most

EXAMPLES: Final = """\
examples:
  serai report cup.journal                          tables: ratings, pairs, seats
  serai report cup.journal --html cup.html          and a page with charts, which needs nothing else
  serai report cup.journal --format json | jq '.entrants[] | {name, share}'
  serai report cup.journal --format csv > cup.csv   a row for each entrant
  serai report cup.journal --bootstrap 2000         intervals that hardly depend on chance

The journal of a tournament that is still played can be read at any time; nothing is started by it.

How to read the tables:
  rating    400 points are odds of 10 to 1; 0 is the mean of all entrants; 95 % is the interval
  wins %    the share of the wins ± one standard error; a shared win is split. par: what chance gives
  place     the mean place at the table, 1 is best
  ms/turn   time of a turn by our clock; gap: how much longer a decision took than the engine says
Errors are over blocks: one deal, played with all rotations of the seats."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai report",
        description="Say what a tournament's journal says: for people, for programs, or as a page.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("journal", metavar="JOURNAL", help="the journal, as written by serai tournament")
    add("--format", choices=("text", "json", "csv"), default="text", help="of what is printed, default text")
    add("--html", metavar="FILE", help="also write a page that opens offline; an existing file is replaced")
    add("--bootstrap", type=int, metavar="N", help="resamples for the intervals; 0: no ratings, but at once")
    return made


def run(arguments: list[str]) -> int:
    """Report as the arguments say; the exit code."""
    from serai.bots.tournament.journal import read_journal

    options = parser().parse_args(arguments)
    if options.bootstrap is not None and not 0 <= options.bootstrap <= MOST_RESAMPLES:
        raise SetupError(f"--bootstrap must be 0 to {MOST_RESAMPLES}, not {options.bootstrap}")
    content = read_journal(options.journal)
    progress = _Progress()
    results = results_of(content, options.bootstrap, progress)
    progress.close()
    if options.html:
        with replacing(options.html, options.journal) as file:
            file.write(page(content, results))
    show(content, results, options.format)
    return 0


def results_of(
    content: JournalContent,
    bootstrap: int | None = None,
    progress: Callable[[float], None] = lambda done: None,
) -> Results:
    """The results of the games in a journal. ``bootstrap``: resamples, None for the usual number."""
    from serai.bots.tournament.results import RESAMPLES, results

    resamples = RESAMPLES if bootstrap is None else bootstrap
    plan = content.plan
    return results(plan.names, content.outcomes, block_size(plan), plan.sprt, resamples, progress)


def show(content: JournalContent, results: Results, form: str = "text") -> None:
    """Print results on stdout. ``form``: ``text``, ``json``, ``csv``."""
    if form == "csv":
        sys.stdout.write(report_data.as_csv(results))
    elif form == "json":
        sys.stdout.write(report_data.as_json(results, **_known(content)))
    else:
        from rich.console import Console

        title, size = content.plan.describe(), block_size(content.plan)
        Console(file=sys.stdout).print(report_text.report(results, title, content.notes, size))
    if form != "text":
        for note in content.notes:
            _say(f"note: {plain(note, 1000)}")


def page(content: JournalContent, results: Results) -> str:
    """The results as a page."""
    from serai.bots.tournament.report_html import as_html

    return as_html(
        results,
        content.outcomes,
        title=content.plan.describe(),
        date=content.date,
        engines=content.engines,
        notes=content.notes,
        block_size=block_size(content.plan),
    )


def _known(content: JournalContent) -> dict[str, object]:
    from serai.bots.tournament.plan import as_data

    return {
        "plan": as_data(content.plan),
        "date": content.date,
        "engines": content.engines,
        "notes": content.notes,
        "block_size": block_size(content.plan),
    }


class _Progress:
    """A line on stderr that says how far the resamples are, if they take their time."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def __call__(self, done: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY
            self._shown = sys.stderr.isatty()
            start, end = ("\r", "") if self._shown else ("", "\n")
            sys.stderr.write(f"{start}resamples for the intervals: {done:4.0%}{end}")
            sys.stderr.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write(f"\r{'':{LINE}}\r")
            sys.stderr.flush()
            self._shown = False


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
