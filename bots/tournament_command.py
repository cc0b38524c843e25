"""``serai tournament``: engines against engines from the command line."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from serai.bots.interrupts import interruptible
from serai.bots.tournament import estimate, preflight
from serai.bots.tournament.cluster import Cluster
from serai.bots.tournament.journal import Journal, JournalContent, read_journal
from serai.bots.tournament.manager import Aborted, Manager
from serai.bots.tournament.plan import FORMATS, LONGEST_NAME, ROTATIONS, Plan
from serai.bots.tournament.plan_file import EXAMPLE, plan_of, read_plan
from serai.bots.tournament.referee import AuditError, RefereeError
from serai.core.errors import SetupError

if TYPE_CHECKING:
    from serai.bots.tournament.live import Ticker
    from serai.bots.tournament.outcome import Outcome
    from serai.core.game_record import GameRecord

INTERRUPTED: Final = 130
MOST_JOBS: Final = 256

EXAMPLES: Final = """\
examples:
  serai tournament serai planner greedy --seats 3 --games 200 --nodes 1000 --journal cup.journal
      every table of three, each deal from all rotations of the seats
  serai tournament cup.toml --journal cup.journal --html cup.html
      the same and more from a file, with a page of charts at the end
  serai tournament cup.toml --journal cup.journal --resume
      go on after a crash or Ctrl-C: plays exactly the games that are missing
  serai tournament "serai[Threads=2]" serai --format sprt --h0 0.5 --h1 0.55 --games 4000 --journal t.journal
      is two threads worth it? ends as soon as the answer is clear
  serai tournament cup.toml --dry-run
      the schedule, and about how long it will take

entrants:
  serai, serai[Skill=5,Threads=2]     this engine, with options
  planner, greedy, random, ismcts:…   the bots of serai match, each served as an engine
  FILE.py:CLASS                       a bot of your own
  cmd:COMMAND, cmd[Hash=64]:COMMAND   any engine that speaks UGI-N

formats:
  round-robin   every table that the entrants make           gauntlet   those with the first entrant
  field         the first against copies of each other one   mixed      balanced tables from a large pool
  sprt          as field, between two, until it is decided

a file:
{file}
An engine that fails never ends a tournament: a move drawn from the legal ones is played in its place, and
the seat is ranked last (--on-fault). The journal has one record for each finished game and is all there is:
serai report, export and show read it, at any time.
With ponder = true an entrant thinks in the other's turns as well; that is for two seats, at more nobody does.
Ctrl-C once: the games under way are finished; on a cluster they are called off. Twice: at once. Nothing that
is in the journal is lost."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments; those of the plan default to None, so that a file's values stand."""
    made = argparse.ArgumentParser(
        prog="serai tournament",
        description="Play engines against engines: a process for each seat, a referee, a journal.",
        epilog=EXAMPLES.replace("{file}", "".join(f"  {line}\n" for line in EXAMPLE.splitlines())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("entrants", nargs="+", metavar="FILE.toml | ENGINE", help="a tournament file, or who plays")
    _plan_arguments(made)
    add("--journal", metavar="FILE", help="where finished games are kept")
    add("--resume", action="store_true", help="go on with a journal that is there already")
    add("--jobs", type=int, metavar="N", help="games at a time; default: what suits the cores")
    add("--affinity", action="store_true", help="give the engines of each job cores of their own")
    add("--cluster", metavar="ADDRESS", help="let the workers of a Dask scheduler play, as tcp://host:8786")
    add("--dry-run", action="store_true", help="print the schedule and an estimate of the time, play nothing")
    add("--html", metavar="FILE", help="write the report as a page at the end")
    add("--json", action="store_true", help="print the report as JSON")
    return made


def _plan_arguments(made: argparse.ArgumentParser) -> None:
    group = made.add_argument_group("the plan; each replaces the file's value")
    add = group.add_argument
    add("--game", metavar="SPEC", help="default spice_road; no seed, no seats")
    add("--seats", type=int, metavar="N", help="at a table; default: as many as entrants, at most 5")
    add("--format", choices=FORMATS, help="default round-robin; field if there are more seats than entrants")
    add("--games", type=int, metavar="N", help="default 100; rounded up to whole blocks")
    add("--rotations", choices=ROTATIONS, help="of the seats for each deal; all: every order, up to 4 seats")
    add("--seed", type=int, metavar="S", help="of deals, moves drawn and engines' seeds; default 1")
    limits = group.add_mutually_exclusive_group()
    limits.add_argument("--time", type=float, metavar="SEC", help="seconds a turn, default 0.5")
    limits.add_argument("--nodes", type=int, metavar="N", help="nodes a turn; then a seed repeats the games")
    limits.add_argument("--clock", metavar="SEC+INC", help="60+1, 5:00+2, 10:00/30 (byo-yomi)")
    add(
        "--on-fault", metavar="POLICY", help="rank-last (default), count, void, abort; for all kinds of fault"
    )
    add(
        "--margin",
        type=float,
        metavar="SEC",
        help="over its time before a seat has lost on time, default 0.5",
    )
    add(
        "--patience",
        type=float,
        metavar="SEC",
        help="for starts, answers, silence; then it hangs; default 10",
    )
    add("--max-plies", type=int, metavar="N", help="decisions, then a game is ranked as it stands")
    add("--referee", metavar="ENGINE", help="who knows the rules, default serai")
    add("--audit", metavar="ENGINE", help="a second referee that must agree after every event")
    add(
        "--trusted",
        action="store_true",
        default=None,
        help="send full positions to players: faster, no secrets",
    )
    add("--h0", type=float, metavar="SHARE", help="sprt: the share of the wins that is no gain")
    add("--h1", type=float, metavar="SHARE", help="sprt: the share that is worth having")


def run(arguments: list[str]) -> int:
    """Play as the arguments say; the exit code."""
    options = parser().parse_args(arguments)
    plan = make_plan(options)
    if options.dry_run:
        print(estimate.describe(plan, _jobs(options, plan), _timed(options)))
        return 0
    if not options.journal:
        raise SetupError("give a file for the games: --journal FILE")
    return _play(options, plan)


def make_plan(options: argparse.Namespace) -> Plan:
    """The plan that the arguments say; raises SetupError."""
    given = {name: value for name, value in _overrides(options).items() if value is not None}
    first = options.entrants[0]
    if first.endswith(".toml"):
        if len(options.entrants) > 1:
            raise SetupError("give one tournament file, or engines, not both")
        return read_plan(Path(first), given)
    entrants = [
        {"name": name, "engine": engine}
        for name, engine in zip(_names(options.entrants), options.entrants, strict=True)
    ]
    if "format" not in given and given.get("seats", 0) > len(entrants):
        given["format"] = "field"
    return plan_of({"entrants": entrants, **given}, "tournament")


def _names(engines: Sequence[str]) -> list[str]:
    """A name for each engine; those that are there twice are numbered."""
    plain = [_name(engine) for engine in engines]
    return [
        f"{name} #{plain[: i + 1].count(name)}" if plain.count(name) > 1 else name
        for i, name in enumerate(plain)
    ]


def _name(engine: str) -> str:
    """An engine's text as a name, if need be without its middle."""
    if len(engine) <= LONGEST_NAME:
        return engine
    half = LONGEST_NAME // 2
    return f"{engine[: half - 1]}…{engine[-half:]}"


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    same = "game seats format games rotations seed time nodes clock margin patience max_plies"
    found = {name: getattr(options, name) for name in (*same.split(), "referee", "audit", "trusted")}
    found["faults"] = None if options.on_fault is None else {"default": options.on_fault}
    bounds = {name: value for name in ("h0", "h1") if (value := getattr(options, name)) is not None}
    found["sprt"] = bounds or None
    return found


def _timed(options: argparse.Namespace) -> JournalContent | None:
    """The journal, if there is one, for how long games take."""
    path = options.journal
    return read_journal(path) if path and Path(path).exists() else None


def _jobs(options: argparse.Namespace, plan: Plan) -> int:
    jobs: int = preflight.default_jobs(plan) if options.jobs is None else options.jobs
    if not 1 <= jobs <= MOST_JOBS:
        raise SetupError(f"--jobs must be 1 to {MOST_JOBS}, not {jobs}")
    return jobs


def _play(options: argparse.Namespace, plan: Plan) -> int:
    _check_free(options)
    jobs = _jobs(options, plan)
    preflight.make_room(plan, jobs)
    engines = asyncio.run(preflight.inspect(plan))
    with contextlib.ExitStack() as stack:
        cluster = None
        if options.cluster:
            cluster = Cluster(options.cluster)
            stack.callback(cluster.close)
        journal = Journal(options.journal, plan, engines)
        stack.callback(journal.close)
        if journal.repaired:
            _say(f"{journal.path}: a record cut short by a crash was removed ({journal.repaired} bytes)")
        return _manage(options, plan, journal, _before(journal), jobs, cluster)


def _check_free(options: argparse.Namespace) -> None:
    """Raise SetupError if there is a journal that nobody said to go on with."""
    path = Path(options.journal)
    if path.exists() and path.stat().st_size > 0 and not options.resume:
        raise SetupError(f"{path} is there already: --resume goes on with it, or give another file")


def _before(journal: Journal) -> list[Outcome]:
    """The games that are in a journal already, now that nobody else writes to it."""
    content = read_journal(journal.path)
    for note in content.notes:
        _say(f"{journal.path}: {note}")
    return content.outcomes


def _manage(
    options: argparse.Namespace,
    plan: Plan,
    journal: Journal,
    before: list[Outcome],
    jobs: int,
    cluster: Cluster | None,
) -> int:
    from serai.bots.tournament.live import Ticker

    where = f"{jobs} at a time here" if cluster is None else f"by {cluster.threads} workers"
    _say(f"{plan.describe()}; {where}" + (f"; {len(before)} are there already" if before else ""))
    crowded = preflight.load_warning(plan, jobs) if cluster is None else None
    for warning in filter(None, (crowded, preflight.ponder_warning(plan))):
        _say(f"note: {warning}")
    teller = Teller(plan)
    cores = preflight.core_sets(jobs) if options.affinity else None
    manager = Manager(plan, journal, list(before), teller, jobs, cores, cluster)
    teller.ticker = Ticker(plan.names, manager.wanted, before, block_size=manager.block_size)
    failure: str | None = None
    with _interruptible(manager) as signals:
        try:
            manager.run()
        except (Aborted, AuditError, RefereeError) as error:
            failure = str(error)
        except KeyboardInterrupt:
            signals.append(signal.SIGINT)
        finally:
            teller.ticker.close()
    _report(options)
    if failure is not None:
        _say(f"serai tournament: {failure}")
        return 1
    if signals:
        _say(f"not finished; go on with: --journal {journal.path} --resume")
        return INTERRUPTED
    return 0


class Teller:
    """Passes on to the ticker what happens, in words."""

    ticker: Ticker

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def finished(self, outcome: Outcome, record: GameRecord) -> None:
        """A game has ended."""
        order = sorted(zip(outcome.ranks, record.seats, outcome.scores, strict=True))
        text = ", ".join(f"{name} {score}" for _, name, score in order)
        faults = f" ({len(record.faults)} faults)" if record.faults else ""
        self.ticker.finished(outcome, f"block {outcome.block} game {outcome.game}: {text}{faults}")

    def playing(self, job: int, text: str | None) -> None:
        """What a job plays now."""
        self.ticker.playing(job, text)

    def note(self, text: str) -> None:
        """Something else has happened."""
        self.ticker.note(text)


def _interruptible(manager: Manager) -> contextlib.AbstractContextManager[list[int]]:
    """The first Ctrl-C lets the games under way end; a second one, or SIGTERM, ends them."""

    def finish() -> None:
        manager.control.finish()
        os.write(2, b"\nthe games under way will be finished; Ctrl-C again to stop at once\n")

    def abandon() -> None:
        manager.control.finishing = manager.control.abandoned = True

    return interruptible(finish, abandon)


def _report(options: argparse.Namespace) -> None:
    from serai.bots.report_command import page, results_of, show
    from serai.bots.tournament.files import replacing

    content = read_journal(options.journal)
    if not content.outcomes:
        _say("no game was finished")
        return
    results = results_of(content)
    if options.html:
        with replacing(options.html, options.journal) as file:
            file.write(page(content, results))
    show(content, results, "json" if options.json else "text")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
