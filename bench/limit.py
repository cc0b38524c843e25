"""Ratios to a C++ program that plays random playouts and runs a plain ISMCTS as fast as we know how.

The program isn't part of the project; its source is given by path. It is compiled twice, portable and for
this machine, and runs in turns with us. All rates are per second of CPU time of one thread.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from serai.core import load
from serai.core.game import Position
from serai.search import SearchParams
from serai.search.benchmark import PURE, SIZES, iteration_rate, playout_rates

BUILDS: Final = {"portable": [], "native": ["-march=native"]}
COMPILE: Final = 300.0  # seconds
RUN: Final = 600.0
EVERY: Final = 6  # as the program: it searches at every sixth decision of a random game ...
PLIES: Final = 120  # ... among its first so many
BARE: Final = SearchParams(planner_prior=0, priors=False)  # as near to the program's search as ours gets
FLAVOURS: Final = {"": None, "without planner": PURE, "without planner and priors": BARE}
MEASURED: Final = ("", "without planner")  # what the project's goals are about

_PLAYOUTS = re.compile(r"^\|\s*(list|tab-list)\s*\|\s*\d+\s*\|\s*(\d+)\s*\|", re.MULTILINE)
_SEARCH = re.compile(r"^\|\s*ismcts\s+(\d+) sims, rollout 0 dec\s*\|\s*(\d+) sims/s", re.MULTILINE)


class LimitError(Exception):
    """The program can't be compiled, run or understood."""


@dataclass(frozen=True)
class Ratio:
    """A figure of ours over one of the program's, in each round."""

    ours: str
    theirs: str
    values: tuple[float, ...]
    target: float | None = None

    @property
    def middle(self) -> float:
        return median(self.values)


def compare(source: Path, seconds: float, rounds: int) -> list[Ratio]:
    """Our rates over the program's, so many rounds in turns; a figure takes ``seconds`` in each round."""
    pairs: list[tuple[dict[str, float], dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: compiled(source, Path(folder) / name, flags) for name, flags in BUILDS.items()}
        for _ in range(rounds):
            theirs = {
                f"{row}, {name}": rate
                for name, program in programs.items()
                for row, rate in rates_of(program, seconds).items()
            }
            pairs.append((our_rates(seconds), theirs))
    ratios = [Ratio(a, b, tuple(o[a] / t[b] for o, t in pairs), target) for a, b, target in _rows()]
    return ratios + [_depth_loss(flavour, [ours for ours, _ in pairs]) for flavour in FLAVOURS]


def _rows() -> list[tuple[str, str, float | None]]:
    """(ours, theirs, what the project wants)."""
    rows: list[tuple[str, str, float | None]] = []
    for build in BUILDS:
        portable = build == "portable"
        rows.append(("decisions", f"list, {build}", 0.75 if portable else None))
        rows.append(("decisions", f"tab-list, {build}", None))
        for size in SIZES:
            for flavour in FLAVOURS:
                wanted = 0.3 if portable and size == SIZES[0] and flavour in MEASURED else None
                rows.append((_iterations(size, flavour), f"ismcts {size}, {build}", wanted))
    return rows


def _iterations(size: int, flavour: str = "") -> str:
    return f"search {size}" + (f", {flavour}" if flavour else "")


def _depth_loss(flavour: str, rounds: Sequence[dict[str, float]]) -> Ratio:
    """How much of its speed the search keeps when the tree is large."""
    small, large = _iterations(SIZES[0], flavour), _iterations(SIZES[-1], flavour)
    wanted = 0.5 if flavour in MEASURED else None
    return Ratio(large, f"our {small}", tuple(ours[large] / ours[small] for ours in rounds), wanted)


# ---- theirs


def compiled(source: Path, program: Path, flags: Sequence[str]) -> Path:
    """The program, built with -O3; raises LimitError."""
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-O3", *flags, "-std=c++17", "-pthread", str(source), "-o", str(program)]
    _output(command, COMPILE)
    return program


def rates_of(program: Path, seconds: float) -> dict[str, float]:
    """Decisions or iterations a second by row of its table."""
    text = _output([str(program), f"{seconds:g}"], RUN)
    rates = {name: float(rate) for name, rate in _PLAYOUTS.findall(text)}
    rates |= {f"ismcts {sims}": float(rate) for sims, rate in _SEARCH.findall(text)}
    wanted = {"list", "tab-list", *(f"ismcts {size}" for size in SIZES)}
    if missing := wanted - rates.keys():
        raise LimitError(f"{program.name} printed no row for {', '.join(sorted(missing))}")
    return rates


def _output(command: list[str], timeout: float) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LimitError(str(error)) from None
    if done.returncode:
        raise LimitError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-1000:]}")
    return done.stdout


# ---- ours


def our_rates(seconds: float) -> dict[str, float]:
    """The same rates of ours, with 2 seats, in positions found as the program finds its own."""
    found = random_positions(40)
    rates = {"decisions": playout_rates(load("spice_road;players=2;seed=1").start(), seconds)[1]}
    for size in SIZES:
        for flavour, params in FLAVOURS.items():
            rates[_iterations(size, flavour)] = iteration_rate(found, size, seconds, params)
    return rates


def random_positions(number: int) -> list[Position]:
    """Starts of a turn in games of random decisions, all of one `Game`."""
    numbers = Random(1)
    found: list[Position] = []
    game = load("spice_road;players=2;seed=1")
    for seed in range(number):
        position = game.from_state(load(f"spice_road;players=2;seed={seed}").start().state(), seed=seed)
        for ply in range(PLIES):
            if position.is_over:
                break
            if ply % EVERY == 0 and not position.legal_tokens()[0].startswith(("pay=", "drop=")):
                found.append(position)
            position = position.apply(position.random_action(numbers.getrandbits(64)))
    numbers.shuffle(found)
    return found


def table(ratios: Sequence[Ratio]) -> str:
    """The ratios as a Markdown table."""
    lines = ["| ours | over | ratio | lowest | highest | wanted |", "|---|---|---|---|---|---|"]
    for r in ratios:
        wanted = (
            "" if r.target is None else f"{r.target:.2f} {'reached' if r.middle >= r.target else 'MISSED'}"
        )
        values = f"{r.middle:.3f} | {min(r.values):.3f} | {max(r.values):.3f}"
        lines.append(f"| {r.ours} | {r.theirs} | {values} | {wanted} |")
    return "\n".join(lines)
