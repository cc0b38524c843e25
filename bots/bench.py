"""``serai bench``: how fast this machine searches, and a number that tells if it searches as it should."""

from __future__ import annotations

import argparse
import time
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Final

from serai.core.games import load

if TYPE_CHECKING:
    from serai.core.game import Position

POSITIONS: Final = 12  # of the signature
NODES: Final = 1000  # for each
PLAYOUTS: Final = 2000

EXAMPLES: Final = """\
The signature depends on rules, evaluation and search alone, not on the machine: two builds that differ in it
play differently.

examples:
  serai bench                  about 5 seconds
  serai bench --signature      only the signature"""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="serai bench",
        description="Measure random playouts, search and planner, and print the search's signature.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--game", default="spice_road", metavar="SPEC", help="default spice_road")
    made.add_argument("--signature", action="store_true", help="print only the signature")
    made.add_argument("--threads", type=int, default=1, metavar="N", help="for the search's speed; default 1")
    return made


def run(arguments: list[str]) -> int:
    """Measure and print; the exit code."""
    options = parser().parse_args(arguments)
    if options.signature:
        print(signature(options.game))
        return 0
    for seats in (2, 4):
        position = load(f"{options.game};players={seats};seed=1").start()
        parts = (_playouts(position), _search(position, options.threads), _planner(position))
        print(f"{seats} seats: {', '.join(parts)}")
    print(f"signature {signature(options.game)}")
    return 0


def _playouts(position: Position) -> str:
    from serai.search import playouts

    began = time.perf_counter()
    decisions, _, _ = playouts(position, PLAYOUTS, 1)
    seconds = time.perf_counter() - began
    return f"{PLAYOUTS / seconds:,.0f} playouts/s ({decisions / seconds / 1e6:.1f} M decisions/s)"


def _search(position: Position, threads: int) -> str:
    from serai.search import Limits, Search

    report = Search(threads=threads, seed=1).run(position, Limits(movetime=1000, overhead=0))
    return f"{1000 * report.nodes / max(1, report.time):,.0f} iterations/s"


def _planner(position: Position) -> str:
    from serai.search import Planner

    planner, middle = Planner(), midgame(position, 60)
    planner.plan(middle, 0, False)
    began = time.perf_counter()
    for seed in range(50):
        planner.plan(middle, seed, False)
    return f"{(time.perf_counter() - began) * 20:.2f} ms a plan"


def midgame(position: Position, decisions: int) -> Position:
    """The position after so many random decisions, always the same ones, but never past the last one."""
    numbers = Random(1)
    for _ in range(decisions):
        following = position.apply(position.random_action(numbers.getrandbits(64)))
        if following.is_over:
            break
        position = following
    return position


def signature(game: str) -> int:
    """A 32-bit number made of what the search finds in some positions, with 2 to 5 seats."""
    from serai.search import Limits, Search

    digest = blake2b(digest_size=4)
    for number in range(POSITIONS):
        start = load(f"{game};players={2 + number % 4};seed={number + 1}").start()
        position = midgame(start, 9 * number)
        report = Search(hash_mb=16, seed=number).run(position.view(position.to_act), Limits(nodes=NODES))
        best = report.lines[0]
        digest.update(f"{report.best} {best.visits} {report.nodes} {best.win[0]:.6f};".encode())
    return int.from_bytes(digest.digest(), "big")
