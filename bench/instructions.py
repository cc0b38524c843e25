"""Machine instructions of a decision and of an iteration, counted by valgrind: the same on a busy machine.

    python bench/instructions.py

The count of a run without work is subtracted, so the start of Python doesn't matter.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Final

from serai.search import Limits, Search, playouts
from serai.search.benchmark import PURE, positions

DEADLINE: Final = 900.0  # seconds of a run under valgrind
WORK: Final = {  # what is counted: amount of work, and what a unit of it is
    "playouts": (30, "instructions a decision of a random playout"),
    "search": (1500, "instructions an iteration, without the planner"),
}
_COUNT = re.compile(r"Collected : (\d+)")


def available() -> bool:
    """True if there is a valgrind to count with."""
    return shutil.which("valgrind") is not None


def count() -> dict[str, float]:
    """Instructions a unit; raises RuntimeError if valgrind fails."""
    return {text: per_unit(name, amount) for name, (amount, text) in WORK.items()}


def per_unit(name: str, amount: int) -> float:
    more, done = _instructions(name, amount)
    less, done_less = _instructions(name, 1)
    return (more - less) / (done - done_less)


def _instructions(name: str, amount: int) -> tuple[int, int]:
    """Instructions of a process that does some work, and how many units of it that was."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [sys.executable, __file__, name, str(amount)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLINE, env=environment, check=False
    )
    counted = _COUNT.search(done.stderr)
    if done.returncode or counted is None:
        raise RuntimeError(f"valgrind: exit code {done.returncode}\n{done.stderr[-1000:]}")
    return int(counted[1]), int(done.stdout)


def work(name: str, amount: int) -> int:
    """Do it; the number of units."""
    position = positions("spice_road;players=2")[1]
    if name == "playouts":
        return playouts(position, amount, 1)[0]
    return Search(hash_mb=8, params=PURE).run(position, Limits(nodes=amount)).nodes


def main(arguments: list[str]) -> int:
    if arguments:
        print(work(arguments[0], int(arguments[1])))
        return 0
    if not available():
        print("there is no valgrind here", file=sys.stderr)
        return 1
    for text, number in count().items():
        print(f"{number:10,.1f} {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
