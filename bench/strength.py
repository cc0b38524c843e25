"""The ladder: how strong the engine is, in games against fixed opponents, with standard errors.

    python bench/strength.py --records strength.rec [--scale 0.1] [--only TEXT] [--jobs 2]

Every deal is played from all rotations of the seats; the standard error is over deals. Finished games are
appended to the record file and not played again when the command is given again. Use a new file for a new
build: the file doesn't know which build played.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from serai.bots.interrupts import signals_to
from serai.bots.match import Match, MatchPlan
from serai.bots.referee import Conditions
from serai.bots.standings import Standings
from serai.bots.time_control import TimeControl
from serai.core.record import RecordReader, RecordWriter

TURN: Final = 0.5  # seconds a turn
SEED: Final = 20
INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Rung:
    """A pairing, and what the project wants of its first entrant. ``threads``: of the busiest entrant."""

    title: str
    entrants: tuple[str, ...]
    games: int
    share: float | None = None  # of the wins, in percent
    points: float | None = None  # of the winner, at least
    rounds: float | None = None  # of a game, at most
    threads: int = 1


PLAIN: Final = "ismcts:priors=off,planner_prior=0,rollout=random"
LADDER: Final = (
    Rung("against random", ("ismcts", "random"), 100, 95),
    Rung("against greedy", ("ismcts", "greedy"), 200, 85),
    Rung("against planner", ("ismcts", "planner"), 400, 60),
    Rung("against itself", ("ismcts", "ismcts"), 60, points=80, rounds=36),
    Rung("planner against itself", ("planner", "planner"), 400, points=80, rounds=36),
    Rung("one against three planners", ("ismcts", "planner", "planner", "planner"), 400, 30),
    Rung("evaluation and priors against plain search", ("ismcts:planner_prior=0", PLAIN), 100, 95),
    Rung("two threads against one", ("ismcts:threads=2", "ismcts"), 200, 50, threads=2),
)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description="Play the ladder and print a Markdown table.")
    add = made.add_argument
    add("--records", type=Path, required=True, metavar="FILE", help="where games are kept, to go on later")
    add("--jobs", type=int, default=2, metavar="N", help="games at a time, default 2")
    add("--time", type=float, default=TURN, metavar="S", help=f"seconds a turn, default {TURN}")
    add("--scale", type=float, default=1.0, metavar="X", help="this many times the usual number of games")
    add("--only", default="", metavar="TEXT", help="only pairings with this in their title")
    add("--seed", type=int, default=SEED, metavar="S", help=f"of the deals, default {SEED}")
    add("--json", action="store_true", help="print a line of JSON a pairing instead of the table")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if not options.json:
        print("| | wins of the first, % | wanted | points of the winner | rounds | games | faults |")
        print("|---|---|---|---|---|---|---|", flush=True)
    with RecordWriter(options.records) as writer:
        for rung in LADDER:
            if options.only in rung.title and not climb(rung, options, writer):
                return INTERRUPTED
    return 0


def climb(rung: Rung, options: argparse.Namespace, writer: RecordWriter) -> bool:
    """Play what isn't recorded yet and print the result; False if Ctrl-C ended it."""
    jobs = max(1, min(options.jobs, (os.cpu_count() or 1) // rung.threads))
    match = Match(plan_of(rung, options.time, options.scale, options.seed), jobs, writer=writer)
    match.take(RecordReader(options.records))
    finished = play(match)
    if match.results:
        result = match.standings()
        print(json.dumps(as_data(rung, result)) if options.json else row(rung, result), flush=True)
    for note in match.notes:
        print(f"strength: {rung.title}: {note}", file=sys.stderr)
    return finished


def play(match: Match) -> bool:
    """Play the rest of a match; False if a signal ended it, after the games under way."""
    signals: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        match.stop()

    with signals_to(on_signal):
        try:
            match.play()
        except ValueError:  # stopped before the first game ended
            if not signals:
                raise
    return not signals


def plan_of(rung: Rung, seconds: float, scale: float, seed: int) -> MatchPlan:
    """The match; whole deals, at least two of them."""
    seats = len(rung.entrants)
    deals = max(2, round(rung.games * scale / seats))
    conditions = Conditions(TimeControl(turn=seconds))
    return MatchPlan(rung.entrants, games=deals * seats, seed=seed, conditions=conditions)


def row(rung: Rung, result: Standings) -> str:
    """A line of the table."""
    first = result.entrants[0]
    alone = len(result.entrants) == 1
    wanted = [
        "" if rung.share is None else f"≥ {rung.share:g} %",
        "" if rung.points is None else f"≥ {rung.points:g} points",
        "" if rung.rounds is None else f"≤ {rung.rounds:g} rounds",
    ]
    faults = sum(sum(entrant.faults.values()) for entrant in result.entrants)
    cells = (
        f"{rung.title} ({len(rung.entrants)} seats)",
        "" if alone else first.share.percent(),
        ", ".join(filter(None, wanted)),
        f"{result.winner_points:.1f}",
        result.rounds.text(),
        str(result.games),
        str(faults),
    )
    return f"| {' | '.join(cells)} |"


def as_data(rung: Rung, result: Standings) -> dict[str, Any]:
    return {"title": rung.title, "entrants": rung.entrants, **result.to_dict()}


if __name__ == "__main__":
    sys.exit(main())
