"""Write search/positions.toml: the games whose positions the benchmarks and the signature run on.

The games are between planners of several widths, or greedy players in a game without one, stored as what was
decided: so the positions stay the same when the players change. Run it again for a game only when its rules
or notation have changed, or for a new one; every figure and the signature change with it.

    python bench/positions.py "spice_road;players=2" … > search/positions.toml
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from serai.core import load
from serai.core.game import Position
from serai.search import Planner

STAGES = (0.1, 0.35, 0.6, 0.85)  # of the game's decisions
WIDTHS = (10, 60, 5, 30, 20)  # of the planner in each seat
OPTIONS = 5  # a position has at least so many

HEADER = """\
# Positions for benchmarks and the signature: whole games, and after how many of their decisions to stop.
# Written by bench/positions.py; changing anything here changes the signature.
"""


def main(tables: Sequence[str]) -> None:
    """Print the file with these tables, specs without a seed."""
    print(HEADER)
    for table in tables:
        seats = load(table).seats
        spec = f"{table};seed={100 + seats}"
        moves, choices = play(load(spec).start(), Random(seats))
        print("[[game]]")
        print(f'spec = "{spec}"')
        print(f"stops = {[stop(choices, int(stage * len(moves))) for stage in STAGES]}")
        print(f'moves = """\\\n{wrap(moves)}"""\n')


def play(position: Position, numbers: Random) -> tuple[list[str], list[bool]]:
    """Decisions of a game, and for each whether it is a real choice at the start of a turn."""
    planners = [Planner(width) for width in WIDTHS]
    moves: list[str] = []
    choices: list[bool] = []
    last = -1
    while not position.is_over:
        seat = position.to_act
        choices.append(seat != last and len(position.legal_actions()) >= OPTIONS)
        token = planners[seat].plan(position, numbers.getrandbits(64)).best
        moves.append(token)
        last, position = seat, position.apply(token)
    return moves, choices


def stop(choices: list[bool], decision: int) -> int:
    """The first real choice from a decision on."""
    return choices.index(True, decision)


def wrap(moves: list[str]) -> str:
    """Lines of at most 110 characters; the file's line ends are escaped."""
    lines, line = [], ""
    for move in moves:
        if len(line) + len(move) > 106:
            lines.append(line)
            line = ""
        line += move + " "
    return "\\\n".join([*lines, line.rstrip()])


if __name__ == "__main__":
    main(sys.argv[1:])
