"""How fast this build is on this machine. Times are CPU times of the thread: others disturb them little.

>>> results = run(seconds=0.2, chosen=("spice_road;players=2",))
>>> results["spice_road;players=2"]["decisions_per_s"] > 0
True
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from serai.core.errors import SetupError
from serai.core.games import NAMES, load
from serai.core.network_file import shipped_network
from serai.core.spec import parse_spec
from serai.search.ismcts import Search
from serai.search.params import SearchParams
from serai.search.perft import playouts
from serai.search.planner import Planner, has_planner
from serai.search.report import Limits
from serai.search.timing import NEED_NETWORK, OPERATIONS, nanoseconds

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.core.network import Network

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
  serai bench --game concordia --seats 3
  serai bench --signature              only the signature"""

LABELS: Final = {
    "state_bytes": ("size of a state", "bytes"),
    "playouts_per_s": ("random playouts", "1/s"),
    "decisions_per_s": ("decisions in them", "1/s"),
    **{f"iterations_per_s_{n}": (f"search, {n:,} iterations", "1/s") for n in SIZES},
    **{f"pure_iterations_per_s_{n}": (f"... without the planner, {n:,}", "1/s") for n in SIZES},
    **{f"network_iterations_per_s_{n}": (f"... with the network, {n:,}", "1/s") for n in SIZES},
    "bytes_per_iteration": ("tree memory an iteration", "bytes"),
    "planner_ms": ("planner, one decision", "ms"),
    **{f"{name}_ns": (name, "ns") for name in OPERATIONS},
}


@lru_cache(maxsize=1)
def _games() -> dict[str, dict[str, Any]]:
    """The fixed games, by their set-up without the seed."""
    data = tomllib.loads(Path(__file__).with_name("positions.toml").read_text(encoding="utf-8"))
    return {str(replace(parse_spec(game["spec"]), seed=None)): game for game in data["game"]}


def tables(game: str | None = None, seats: Sequence[int] = ()) -> tuple[str, ...]:
    """Set-ups with fixed positions, as specs without a seed; of one game, for some numbers of seats."""
    specs = [(table, parse_spec(table)) for table in _games()]
    return tuple(
        table for table, spec in specs if game in (None, spec.game) and (not seats or spec.players in seats)
    )


@lru_cache(maxsize=16)
def positions(table: str) -> tuple[Position, ...]:
    """The fixed positions of one of `tables`, early to late; all of one `Game`."""
    game = _games()[table]
    start, moves = load(game["spec"]).start(), game["moves"].split()
    return tuple(start.replay(moves[:stop]) for stop in game["stops"])


def run(seconds: float, chosen: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure for about so many seconds in all; figures by table of `tables`, named as in LABELS."""
    return {table: _measure(table, seconds / len(chosen)) for table in chosen}


def _measure(table: str, seconds: float) -> dict[str, float]:
    found = positions(table)
    start = load(f"{table};seed=1").start()
    network = shipped_network(start.game.spec.game)
    advised = has_planner(start.game)
    # The operations take one share together, like every other figure.
    share = seconds / (2 + (1 + advised + (network is not None)) * len(SIZES))
    games, decisions = playout_rates(start, share)
    figures = {
        "state_bytes": float(len(start.raw())),
        "playouts_per_s": games,
        "decisions_per_s": decisions,
        "bytes_per_iteration": bytes_per_iteration(found[len(found) // 2]),
    }
    if advised:
        figures["planner_ms"] = planner_ms(found, share / 2)
    for size in SIZES:
        figures[f"iterations_per_s_{size}"] = iteration_rate(found, size, share)
        if advised:
            figures[f"pure_iterations_per_s_{size}"] = iteration_rate(found, size, share, PURE)
        if network is not None:
            figures[f"network_iterations_per_s_{size}"] = iteration_rate(found, size, share, network=network)
    for name in OPERATIONS:
        if name not in NEED_NETWORK or network is not None:
            figures[f"{name}_ns"] = operation_ns(name, found, share / 2 / len(OPERATIONS), network)
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
    found: Sequence[Position],
    nodes: int,
    seconds: float,
    params: SearchParams | None = None,
    network: Network | None = None,
) -> float:
    """Iterations a second of CPU time, over searches of so many from an empty tree."""
    search = Search(hash_mb=HASH_MB, params=params, network=network)
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


def operation_ns(
    name: str, found: Sequence[Position], seconds: float, network: Network | None = None
) -> float:
    """Nanoseconds of CPU time for one operation of the game, or of a network for it."""
    rounds, spent = 100, 0.0
    while True:
        began = time.thread_time()
        result = nanoseconds(name, list(found), rounds, network)
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
    """The figures as text, a column for each table."""
    names = [_column(table) for table in results]
    first, columns = max(len(label) for label, _ in LABELS.values()), [max(14, 3 + len(n)) for n in names]
    lines = [f"{'':{first}}       " + "".join(f"{n:>{w}}" for n, w in zip(names, columns, strict=True))]
    for name, (label, unit) in LABELS.items():
        if not any(name in figures for figures in results.values()):
            continue
        values = [_number(figures[name]) if name in figures else "-" for figures in results.values()]
        row = "".join(f"{value:>{w}}" for value, w in zip(values, columns, strict=True))
        lines.append(f"{label:{first}}  {unit:5}{row}")
    return "\n".join(lines)


def _column(table: str) -> str:
    """The head of a column: the seats, and the variant if it isn't the usual one."""
    spec = parse_spec(table)
    return f"{spec.players} seats" + (f", {spec.variant}" if spec.variant != "base" else "")


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
    usual = next(iter(NAMES))
    made.add_argument("--game", choices=NAMES, default=usual, help=f"{' or '.join(NAMES)}, default {usual}")
    made.add_argument("--seats", type=int, nargs="+", default=[2, 4], metavar="N", help="default 2 4")
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
    chosen = tables(options.game, options.seats)
    if not chosen:
        known = sorted({parse_spec(table).players for table in tables(options.game)})
        raise SetupError(f"--seats must be some of {' '.join(map(str, known))} for {options.game}")
    results: dict[str, Any] = run(options.seconds, chosen)
    if options.json:
        print(json.dumps({"tables": results, "signature": signature()}))
    else:
        print(format_table(results))
        print(f"\nsignature {signature()}")
    return 0
