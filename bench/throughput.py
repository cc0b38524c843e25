"""All speed figures in one run, as a table or as JSON; README.md here says what each means.

python bench/throughput.py [--seconds S] [--seats N …] [--limit SOURCE] [--instructions] [--movetime N]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import instructions
import latency
import limit

from serai.core.game import Position
from serai.core.games import NAMES
from serai.search import Limits, Search
from serai.search.benchmark import HASH_MB, format_table, positions, run, tables
from serai.search.signature import signature


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description="Measure everything that is fast or slow about this build.")
    add = made.add_argument
    add("--seconds", type=float, default=10.0, metavar="S", help="for the figures of the build, default 10")
    add("--game", choices=NAMES, default=next(iter(NAMES)), help="whose figures, default %(default)s")
    add("--seats", type=int, nargs="+", default=[2, 4], metavar="N", help="default 2 4")
    add("--limit", type=Path, metavar="SOURCE", help="C++ source of the yardstick: also print ratios to it")
    add("--rounds", type=int, default=3, metavar="N", help="of comparisons, medians of which are printed")
    add("--slice", type=float, default=0.3, metavar="S", help="seconds for a figure in a round, default 0.3")
    add("--instructions", action="store_true", help="also count instructions with valgrind; minutes")
    add("--movetime", type=int, default=0, metavar="N", help="also time N searches of 1 s; an idle machine!")
    add("--latency", type=int, default=20, metavar="N", help="stops to time, 0 to leave the engine out")
    add("--json", action="store_true", help="print JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        results = measure(options, lambda text: print(text, file=sys.stderr, flush=True))
    except (limit.LimitError, RuntimeError, OSError, EOFError) as error:
        print(f"throughput: {error}", file=sys.stderr)
        return 1
    print(json.dumps(results) if options.json else as_text(results))
    return 0


def measure(options: argparse.Namespace, say: Callable[[str], None]) -> dict[str, Any]:
    """All figures asked for, as plain data."""
    results: dict[str, Any] = {"load": list(os.getloadavg()), "signature": signature()}
    say("figures of the build ...")
    chosen = tables(options.game, options.seats)
    results["tables"] = run(options.seconds, chosen)
    results["two_threads"] = two_threads(positions(chosen[0]), options.rounds, options.slice)
    if options.latency > 0:
        say("the engine ...")
        results["startup_ms"] = latency.spread(latency.startup_ms(max(3, options.latency // 4)))
        results["stop_ms"] = latency.spread(latency.stop_ms(options.latency))
    if options.movetime > 0:
        say("movetime ...")
        values = latency.movetime_ms(options.movetime)
        results["movetime_ms"] = {
            **latency.spread(values),
            "least": min(values),
            "in time": latency.punctual(values),
        }
    if options.instructions and instructions.available():
        say("instructions ...")
        results["instructions"] = instructions.count()
    if options.limit is not None:
        say("the yardstick ...")
        results["limit"] = [
            {"ours": r.ours, "over": r.theirs, "values": r.values, "ratio": r.middle, "wanted": r.target}
            for r in limit.compare(options.limit, options.slice, options.rounds)
        ]
    return results


def two_threads(found: Sequence[Position], rounds: int, seconds: float) -> dict[str, float]:
    """Iterations a second of two threads over those of one: by the clock, and if each thread had a core."""
    engines = [Search(HASH_MB, threads, params=None) for threads in (1, 2)]
    wall, cpu = [], []
    for number in range(rounds):
        position = found[number % len(found)]
        (one, one_cpu), (two, two_cpu) = (_rates(engine, position, seconds) for engine in engines)
        wall.append(two / one)
        cpu.append(2 * two_cpu / one_cpu)
    return {"by the clock": median(wall), "by CPU time": median(cpu)}


def _rates(search: Search, position: Any, seconds: float) -> tuple[float, float]:
    """Iterations a second, by the clock and by the CPU time of all threads."""
    search.clear()
    began, used = time.perf_counter(), time.process_time()
    nodes = search.run(position, Limits(movetime=int(1000 * seconds), overhead=0)).nodes
    return nodes / (time.perf_counter() - began), nodes / (time.process_time() - used)


def as_text(results: dict[str, Any]) -> str:
    """The results for people, in Markdown where they are tables."""
    lines = [format_table(results["tables"]), ""]
    threads = results["two_threads"]
    lines.append("two threads: " + ", ".join(f"{value:.2f} × one {by}" for by, value in threads.items()))
    for key in ("startup_ms", "stop_ms", "movetime_ms"):
        if key in results:
            lines.append(
                f"{key}: " + ", ".join(f"{name} {value:.4g}" for name, value in results[key].items())
            )
    for text, number in results.get("instructions", {}).items():
        lines.append(f"{number:,.0f} {text}")
    if "limit" in results:
        ratios = [limit.Ratio(r["ours"], r["over"], r["values"], r["wanted"]) for r in results["limit"]]
        lines += ["", limit.table(ratios), ""]
    lines.append(f"load average before: {results['load'][0]:.1f} of {os.cpu_count()} cores")
    lines.append(f"signature: {results['signature']}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
