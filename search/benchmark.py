"""How fast this build is on this machine. Times are CPU times of the thread: others disturb them little.

>>> results = run(seconds=0.2, seats=(2,))
>>> results["2"]["decisions_per_s"] > 0
True
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from serai.core.games import load
from serai.search.ismcts import Search
from serai.search.params import SearchParams
from serai.search.perft import playouts
from serai.search.planner import Planner
from serai.search.report import Limits
from serai.search.timing import OPERATIONS, nanoseconds

if TYPE_CHECKING:
    from serai.core.game import Position

SEATS: Final = (2, 3, 4, 5)
SIZES: Final = (1_000, 10_000, 100_000)  # iterations of a search that is measured
PURE: Final = SearchParams(planner_prior=0)
BATCH: Final = 20  # playouts between two looks at the clock
HASH_MB: Final = 32  # holds the largest of SIZES

EXAMPLES: Final = """\
The signature depends on rules, evaluation and search alone, not on the machine: two builds that differ in it
play differently.

examples:
  serai bench                          10 seconds, 2 and 4 seats
  serai bench --seconds 3 --seats 5
  serai bench --signature              only the signature"""

LABELS: Final = {
    "state_bytes": ("size of a state", "bytes"),
    "playouts_per_s": ("random playouts", "1/s"),
    "decisions_per_s": ("decisions in them", "1/s"),
    **{f"iterations_per_s_{n}": (f"search, {n:,} iterations", "1/s") for n in SIZES},
    **{f"pure_iterations_per_s_{n}": (f"... without the planner, {n:,}", "1/s") for n in SIZES},
    "bytes_per_iteration": ("tree memory an iteration", "bytes"),
    "planner_ms": ("planner, one decision", "ms"),
    **{f"{name}_ns": (name, "ns") for name in OPERATIONS},
}


@lru_cache(maxsize=8)
def positions(seats: int) -> tuple[Position, ...]:
    """The fixed positions for a number of seats, early to late; all of one `Game`."""
    data = tomllib.loads(Path(__file__).with_name("positions.toml").read_text(encoding="utf-8"))
    found: list[Position] = []
    for game in data["game"]:
        start = load(game["spec"]).start()
        if start.seats == seats:
            moves = game["moves"].split()
            found += [start.replay(moves[:stop]) for stop in game["stops"]]
    return tuple(found)


def run(seconds: float = 10.0, seats: Sequence[int] = (2, 4)) -> dict[str, dict[str, float]]:
    """Measure for about so many seconds in all; figures by number of seats, named as in LABELS."""
    return {str(n): _measure(n, seconds / len(seats)) for n in seats}


def _measure(seats: int, seconds: float) -> dict[str, float]:
    found = positions(seats)
    start = load(f"spice_road;players={seats};seed=1").start()
    share = seconds / (2 + 2 * len(SIZES))  # the operations take one share together, like every other figure
    games, decisions = playout_rates(start, share)
    figures = {
        "state_bytes": float(len(start.raw())),
        "playouts_per_s": games,
        "decisions_per_s": decisions,
        "bytes_per_iteration": bytes_per_iteration(found[len(found) // 2]),
        "planner_ms": planner_ms(found, share / 2),
    }
    for size in SIZES:
        figures[f"iterations_per_s_{size}"] = iteration_rate(found, size, share)
        figures[f"pure_iterations_per_s_{size}"] = iteration_rate(found, size, share, PURE)
    for name in OPERATIONS:
        figures[f"{name}_ns"] = operation_ns(name, found, share / 2 / len(OPERATIONS))
    return figures


# ---- single figures


def playout_rates(position: Position, seconds: float) -> tuple[float, float]:
    """Playouts and decisions a second of CPU time."""
    games = decisions = 0
    began = time.thread_time()
    while not games or time.thread_time() - began < seconds:
        decisions += playouts(position, BATCH, games)[0]
        games += BATCH
    elapsed = time.thread_time() - began
    return games / elapsed, decisions / elapsed


def iteration_rate(
    found: Sequence[Position], nodes: int, seconds: float, params: SearchParams | None = None
) -> float:
    """Iterations a second of CPU time, over searches of so many from an empty tree."""
    search = Search(hash_mb=HASH_MB, params=params)
    search.run(found[0], Limits(nodes=100))
    done, spent = 0, 0.0
    while not done or spent < seconds:
        for position in found:
            search.clear()
            began = time.thread_time()
            done += search.run(position, Limits(nodes=nodes)).nodes
            spent += time.thread_time() - began
            if spent >= seconds:
                break
    return done / spent


def planner_ms(found: Sequence[Position], seconds: float) -> float:
    """Milliseconds of CPU time for a decision of the planner."""
    planner = Planner()
    planner.plan(found[0], 0, False)
    return 1000 / _rate(lambda: [planner.plan(p, 0, False) for p in found], len(found), seconds)


def operation_ns(name: str, found: Sequence[Position], seconds: float) -> float:
    """Nanoseconds of CPU time for one operation of the game."""
    rounds, spent = 100, 0.0
    while True:
        began = time.thread_time()
        result = nanoseconds(name, list(found), rounds)
        spent = time.thread_time() - began
        if spent >= seconds / 2:
            return max(0.0, result)
        rounds *= 2


def bytes_per_iteration(position: Position, nodes: int = 10_000, hash_mb: int = 4) -> float:
    """Memory of the tree for each iteration, in a search of so many."""
    report = Search(hash_mb=hash_mb, params=PURE).run(position, Limits(nodes=nodes))
    return report.hashfull / 1000 * (hash_mb << 20) / report.nodes


def _rate(work: Callable[[], object], units: int, seconds: float) -> float:
    done = 0
    began = time.thread_time()
    while not done or time.thread_time() - began < seconds:
        work()
        done += units
    return done / (time.thread_time() - began)


# ---- printing


def format_table(results: dict[str, dict[str, float]]) -> str:
    """The figures as text, a column for each number of seats."""
    width = max(len(label) for label, _ in LABELS.values())
    lines = [f"{'':{width}}       " + "".join(f"{f'{n} seats':>14}" for n in results)]
    measured = next(iter(results.values()))
    for name, (label, unit) in LABELS.items():
        if name not in measured:
            continue
        values = "".join(f"{_number(figures[name]):>14}" for figures in results.values())
        lines.append(f"{label:{width}}  {unit:5}{values}")
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def parser(prog: str = "serai bench") -> argparse.ArgumentParser:
    """The arguments of :func:`main`."""
    made = argparse.ArgumentParser(
        prog=prog,
        description="Measure playouts, search, planner and the operations of the game.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--seconds", type=_positive, default=10.0, metavar="S", help="to measure, default 10")
    made.add_argument(
        "--seats", type=int, nargs="+", default=[2, 4], choices=SEATS, metavar="N", help="default 2 4"
    )
    made.add_argument("--signature", action="store_true", help="print only the signature")
    made.add_argument("--json", action="store_true", help="print JSON")
    return made


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:
        raise ValueError
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """``serai bench``: print the figures and the signature."""
    from serai.search.signature import signature

    options = parser().parse_args(argv)
    if options.signature:
        print(signature())
        return 0
    results: dict[str, Any] = run(options.seconds, options.seats)
    if options.json:
        print(json.dumps({"seats": results, "signature": signature()}))
    else:
        print(format_table(results))
        print(f"\nsignature {signature()}")
    return 0
