"""``serai train``: a network for a game, from the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from serai.core.errors import SetupError

if TYPE_CHECKING:
    from serai.bots.training.plan import TrainingPlan
    from serai.bots.training.store import Store

BUDGET: Final = "30m"
INTERRUPTED: Final = 130
NOT_BETTER: Final = 1
MOST_JOBS: Final = 256

EXAMPLES: Final = """\
examples:
  serai train spice_road --budget 30m --out run
      from nothing to run/network.bin, for all numbers of seats
  serai train spice_road --out run --resume
      go on after a crash, Ctrl-C or kill -9: what is finished isn't done again
  serai train run/plan.json --out again
      the same run again: the same games, the same network to the bit
  serai train spice_road --budget 8h --out run --cluster tcp://host:8786
      self-play by the workers of a Dask scheduler

what it does, in each generation:
  self-play   games between the search, the planner and others, with random openings and moves in them
  training    a small network learns from the positions who won and with how many points; some games are
              held out to see how well it does on what it hasn't learned from
  gate        it plays against the best so far, a sequential test at each number of seats; only a network
              that passes plays in the next generation, and only such a one is shipped
The budget is turned into a plan once, by measuring how fast this machine is; plan.json has it. A network
depends on its plan alone, not on the number of processes or how often a run was interrupted.
To ship a network, copy it to core/games/GAME/network.bin; engines try one with the option EvalFile.

exit code: 0 with a network that passed, 1 if none did, 2 for what can't be done, 130 when interrupted."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai train",
        description="Train the network that judges positions of a game, from nothing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("game", metavar="GAME | PLAN.json", help="a game's name, or the plan of another run to repeat")
    add(
        "--budget", metavar="TIME", help=f"about how long it may take here: 90s, 30m, 1h30m; default {BUDGET}"
    )
    add("--out", metavar="DIR", help="the folder of the run; default GAME-training, or PLAN-training")
    add("--resume", action="store_true", help="go on with a run that is in the folder already")
    add("--seats", type=int, nargs="+", metavar="N", help="numbers of seats; default: all of the game")
    add("--seed", type=int, metavar="S", help="of everything, default 1")
    add("--jobs", type=int, metavar="N", help="processes; default: one for each core")
    add("--cluster", metavar="ADDRESS", help="let the workers of a Dask scheduler play, as tcp://host:8786")
    add("--json", action="store_true", help="print the report as JSON")
    return made


def run(arguments: list[str]) -> int:
    """Train as the arguments say; the exit code."""
    options = parser().parse_args(arguments)
    jobs = options.jobs if options.jobs is not None else len(_cores())
    if not 1 <= jobs <= MOST_JOBS:
        raise SetupError(f"--jobs must be 1 to {MOST_JOBS}, not {jobs}")
    _check(options)
    from serai.bots.training.store import Store

    name = Path(options.game).stem if options.game.endswith(".json") else options.game
    with ExitStack() as stack:
        store = Store(options.out or f"{name}-training")
        stack.callback(store.close)
        plan = _plan(options, store, jobs)
        return _train(options, plan, store, jobs, stack)


def _cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _check(options: argparse.Namespace) -> None:
    """Refuse what can't be, before a folder is made."""
    from serai.bots.training.plan import all_variants, check_seats, parse_budget, read_plan

    if options.budget is not None:
        parse_budget(options.budget)
    if options.seed is not None and not 0 <= options.seed < 2**63:
        raise SetupError(f"--seed must be 0 to {2**63 - 1}, not {options.seed}")
    if options.game.endswith(".json"):
        if (options.budget, options.seats, options.seed) != (None, None, None):
            raise SetupError("a plan says everything: leave out --budget, --seats and --seed")
        if not Path(options.game).is_file():
            raise SetupError(f"{options.game}: no such file")
        read_plan(Path(options.game))
    else:
        check_seats(options.game, tuple(options.seats or ()), all_variants(options.game))


def _plan(options: argparse.Namespace, store: Store, jobs: int) -> TrainingPlan:
    """The plan in the folder, or a fresh one, which is kept there; raises SetupError."""
    from serai.bots.training.budget import make_plan
    from serai.bots.training.pace import FILE
    from serai.bots.training.plan import read_plan

    there = store.plan()
    given = None
    if options.game.endswith(".json"):
        given = read_plan(Path(options.game))
    if there is not None:
        if not options.resume:
            raise SetupError(f"{store.folder} has a run already: --resume goes on with it, or another --out")
        _check_same(options, store, there, given)
        return there
    if given is not None:
        store.keep_plan(given)
        return given
    seed = 1 if options.seed is None else options.seed
    seats = tuple(options.seats) if options.seats else None
    _say(f"measuring how fast {options.game} is played here")
    plan, pace = make_plan(options.game, seats, seed, options.budget or BUDGET, jobs)
    store.write_json(store.folder / FILE, asdict(pace))
    store.keep_plan(plan)
    return plan


def _check_same(
    options: argparse.Namespace, store: Store, there: TrainingPlan, given: TrainingPlan | None
) -> None:
    """Raise SetupError if the arguments ask for another run than the one that is there."""
    if given is not None and given != there:
        raise SetupError(f"{store.folder} has a run of another plan than {options.game}")
    asked = {
        "GAME": (None if given else options.game, there.game),
        "--seats": (tuple(options.seats) if options.seats else None, there.seats),
        "--seed": (options.seed, there.seed),
        "--budget": (options.budget, there.budget),
    }
    for name, (wanted, known) in asked.items():
        if wanted is not None and wanted != known:
            raise SetupError(f"the run in the folder was begun with {name} {known}, not {wanted}")


def _train(options: argparse.Namespace, plan: TrainingPlan, store: Store, jobs: int, stack: ExitStack) -> int:
    from serai.bots.tournament.cluster import Cluster
    from serai.bots.training import report
    from serai.bots.training.run import Run
    from serai.bots.training.teller import Teller

    cluster = None
    if options.cluster:
        cluster = Cluster(options.cluster)
        stack.callback(cluster.close)
    _say(plan.describe())
    teller = Teller()
    try:
        found = Run(plan, store, teller, jobs, cluster).run()
    except KeyboardInterrupt:
        teller.close()
        _say(f"not finished; go on with: serai train {options.game} --out {store.folder} --resume")
        return INTERRUPTED
    finally:
        teller.close()
    text = report.text(found, store.network)
    store.write_json(store.folder / "report.json", found)
    store.write(store.folder / "report.txt", text.encode())
    print(json.dumps(found, indent=2) if options.json else text, end="\n" if options.json else "")
    return 0 if found["accepted"] else NOT_BETTER


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
