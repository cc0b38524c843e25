"""``serai perft``: count the lines of play, to compare two rule books."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Final

from serai.core.errors import SetupError
from serai.core.games import load
from serai.core.spec import parse_spec

EXAMPLES: Final = """\
Decisions and chance outcomes count alike. With seed=N the first position is the one that the seed deals; from
there on chance is counted, not dealt.

examples:
  serai perft 3                                       two seats, from before the deal
  serai perft 4 "spice_road;players=4;seed=7"         quote the spec, ; ends a command in most shells
  serai perft 3 "spice_road;seed=7" --divide          one line for each first event"""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai perft",
        description="Count the sequences of events of a length.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("depth", type=int, help="events")
    made.add_argument("spec", nargs="?", default="spice_road", help="where to start, default spice_road")
    made.add_argument("--divide", action="store_true", help="tell the number behind each first event")
    return made


def run(arguments: list[str]) -> int:
    """Count and print; the exit code."""
    from serai.search import perft

    options = parser().parse_args(arguments)
    if not 0 <= options.depth <= 20:
        raise SetupError(f"the depth must be 0 to 20, not {options.depth}")
    spec = parse_spec(options.spec)
    start = load(spec).start()
    open_spec = replace(parse_spec(start.spec), seed=None)
    position = load(open_spec).start() if spec.seed is not None else start
    began = time.perf_counter()
    if options.divide and options.depth > 0:
        total = 0
        for token in position.legal_tokens():
            count = perft(position.apply(token), options.depth - 1)
            total += count
            print(f"{token} {count}")
    else:
        total = perft(position, options.depth)
    print(f"perft {options.depth} {total}  ({time.perf_counter() - began:.2f} s)")
    return 0
