"""``serai match``: a match from the command line."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from serai.bots.interrupts import interruptible
from serai.bots.match import Match, MatchPlan
from serai.bots.progress import Progress
from serai.bots.referee import Conditions
from serai.bots.registry import describe_bots, options_of_name
from serai.bots.time_control import TimeControl, parse_clock
from serai.core.errors import SetupError
from serai.core.record import RecordReader, RecordWriter

if TYPE_CHECKING:
    from rich.console import Console

    from serai.bots.watch import Watch

DEFAULT_TIME: Final = 0.5  # seconds a turn
WATCHED_SPEED: Final = 4.0  # turns a second on a terminal
INTERRUPTED: Final = 130

EXAMPLES: Final = """\
examples:
  serai match ismcts planner greedy random --watch --time 0.2
      one game of four engines, to look at
  serai match ismcts planner --games 100 --nodes 1000 --jobs 2
      50 deals, each played from both seats; the table says who is stronger, and how sure that is
  serai match ismcts planner planner planner --games 40
      one against three
  serai match mine.py:Miser "cmd:./engine --fast" --clock 60+1 --record games.rec
      a bot of your own against any UGI-N engine, on the clock, each game recorded

entrants (2 to 5, one for each seat):
{bots}
FILE.py:CLASS   a bot of your own: a class with choose(self, position); options as FILE.py:CLASS:x=3
cmd:COMMAND     any engine that speaks UGI-N; its options as cmd[Threads=2,Skill=5]:COMMAND

A fault of a bot (time, hung, crash, illegal, protocol) never ends a match: a random legal move is played
in its place (a late move stands), and after three faults the seat plays at random to the end of that game.
Ctrl-C once: the game under way is finished, then the table is printed. Twice: at once."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai match",
        description="Play deals, each with every rotation of the seats, and print a table of the result.",
        epilog=EXAMPLES.replace("{bots}", describe_bots()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("entrants", nargs="+", metavar="BOT", help="who plays, see below")
    add(
        "--game", default="spice_road", metavar="SPEC", help="the game, default spice_road; no seed, no seats"
    )
    add("--games", type=int, metavar="N", help="default: each deal once from every seat; 1 with --watch")
    add(
        "--seed",
        type=int,
        default=1,
        metavar="S",
        help="of the deals and of the bots' random numbers, default 1",
    )
    limits = made.add_mutually_exclusive_group()
    limits.add_argument("--time", type=float, metavar="SEC", help=f"seconds a turn, default {DEFAULT_TIME}")
    limits.add_argument(
        "--nodes", type=int, metavar="N", help="search nodes a turn; then a seed repeats a match"
    )
    limits.add_argument(
        "--clock",
        metavar="SEC+INC",
        help="for the game and more after each turn: 60+1, 5:00+2, 5:00/10 with byo-yomi",
    )
    add("--rotate", action=argparse.BooleanOptionalAction, default=True, help="rotate the seats (default)")
    add("--watch", action="store_true", help="show the games while they are played")
    add(
        "--speed", type=float, metavar="T", help="with --watch: at most T turns a second, 0 as fast as can be"
    )
    add("--record", metavar="FILE", help="append each game to a file; look at it with: serai show FILE")
    add("--resume", action="store_true", help="count this match's games that are in the file already")
    add("--jobs", type=int, default=1, metavar="N", help="games at a time, each in a process; default 1")
    add(
        "--max-plies",
        type=int,
        default=5000,
        metavar="N",
        help="decisions, then a game is scored as it stands",
    )
    add(
        "--margin", type=float, default=0.5, metavar="SEC", help="over the time per turn before it is a fault"
    )
    add("--patience", type=float, metavar="SEC", help="for one decision, before a bot counts as hung")
    add("--json", action="store_true", help="print the result as JSON")
    return made


def run(arguments: list[str]) -> int:
    """Play as the arguments say; the exit code."""
    options = parser().parse_args(arguments)
    plan = _plan(options)
    _check(options)
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(RecordWriter(options.record)) if options.record else None
        return _play(options, plan, writer)


def _plan(options: argparse.Namespace) -> MatchPlan:
    entrants = tuple(options.entrants)
    if len(entrants) < 2:
        raise SetupError(f"a match needs at least 2 entrants: serai match {entrants[0]} random")
    if options.clock is not None:
        control = parse_clock(options.clock)
    else:
        control = TimeControl(
            DEFAULT_TIME if options.time is options.nodes is None else options.time, options.nodes
        )
    games = options.games
    if games is None:
        games = 1 if options.watch or not options.rotate else len(entrants)
    conditions = Conditions(control, options.margin, options.patience, options.max_plies)
    return MatchPlan(entrants, options.game, games, options.seed, options.rotate, conditions)


def _check(options: argparse.Namespace) -> None:
    if options.watch and (options.jobs != 1 or options.json):
        raise SetupError("--watch shows one game at a time: leave out --jobs and --json")
    if not 1 <= options.jobs <= 64:
        raise SetupError(f"--jobs must be 1 to 64, not {options.jobs}")
    if options.resume and not options.record:
        raise SetupError("--resume goes on with a file: give --record FILE")
    counts = [options_of_name(name).get("threads", "1") for name in options.entrants]
    threads = max(int(count) if count.isdecimal() else 1 for count in counts)
    cores = os.cpu_count() or 1
    if options.jobs * threads > cores:
        load = f"{options.jobs} games at a time with {threads} threads each"
        _say(f"note: {load} on {cores} cores; bots will be late")
    _warn_of_slow(options)


def _warn_of_slow(options: argparse.Namespace) -> None:
    """A bot's own time goes beyond the match's: it would be late in each turn."""
    if options.nodes is not None or options.clock is not None:
        return
    allowed = DEFAULT_TIME if options.time is None else options.time
    for name in options.entrants:
        own = options_of_name(name).get("time", "")
        if own.replace(".", "", 1).isdecimal() and float(own) > allowed:
            _say(f"note: {name} will be late in this match of {allowed:g} s a turn; give --time {own}")


def _play(options: argparse.Namespace, plan: MatchPlan, writer: RecordWriter | None) -> int:
    from rich.console import Console

    console = Console(file=sys.stdout)
    watch = _watch(options, console) if options.watch else None
    progress = Progress()
    quiet = (lambda match: None) if watch is not None else progress
    match = Match(plan, options.jobs, watch, writer, quiet)
    if writer is not None and writer.repaired:
        _say(f"{writer.path}: a record cut short by a crash was removed ({writer.repaired} bytes)")
    if options.resume:
        _say(f"{match.take(RecordReader(Path(options.record)))} of {plan.games} games are there already")
    interrupted = False
    with _interruptible(match) as signals, contextlib.redirect_stdout(sys.stderr):
        try:
            match.play()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            progress.clear()
            if watch is not None:
                watch.close()
    _report(options, match, console)
    return INTERRUPTED if interrupted or signals else int(bool(match.notes))


def _watch(options: argparse.Namespace, console: Console) -> Watch:
    from serai.bots.watch import Watch

    speed = options.speed
    if speed is None:
        speed = WATCHED_SPEED if console.is_terminal else 0.0
    return Watch(console, speed)


def _interruptible(match: Match) -> contextlib.AbstractContextManager[list[int]]:
    """The first Ctrl-C lets the game under way end; a second one, or SIGTERM, raises KeyboardInterrupt."""

    def finish() -> None:
        match.stop()
        _say("\nthe game under way will be finished; Ctrl-C again to stop at once")

    return interruptible(finish)


def _report(options: argparse.Namespace, match: Match, console: Console) -> None:
    from serai.bots.tables import fault_lines, result_tables

    for note in match.notes:
        _say(note)
    if not match.results:
        _say("no game was finished")
    elif options.json:
        result = match.standings().to_dict()
        console.file.write(json.dumps({"plan": match.plan.to_dict(), **result, "notes": match.notes}) + "\n")
    else:
        console.print(result_tables(match.plan, match.results))
        for line in fault_lines(match.plan, match.results):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
