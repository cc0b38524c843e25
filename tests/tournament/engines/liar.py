"""``liar.py [WAY]``: the minimal engine of the protocol's tests, with rules that are wrong in one place.

It plays the game of tokens, so that a comparison of engines is tried on a game that ours doesn't know.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "protocol"))
WAY = sys.argv.pop(1) if len(sys.argv) > 1 else ""

import minimal_engine  # noqa: E402
from minimal_engine import Answers, Go, MinimalEngine, say  # noqa: E402
from tokens_game import Refuse, Table  # noqa: E402

ROUND = 2  # counted from 0, in which something is wrong
honest_legal, honest_perft, honest_outcomes = Table.legal, minimal_engine.perft, Table.outcomes


def is_there(table: Table) -> bool:
    """Whether this is where the rules are wrong: in the last round, and only if p1 has an odd score."""
    return table.turns == ROUND * table.seats and table.mover() == 0 and table.points[0] % 2 == 1


def drops(table: Table) -> list[str]:
    legal = honest_legal(table)
    return legal[:1] + legal[2:] if is_there(table) else legal


def invents(table: Table) -> list[str]:
    return honest_legal(table) + ["add=4"] * is_there(table)


def repeats(table: Table) -> list[str]:
    return honest_legal(table) + ["add=1"] * is_there(table)


def swaps(table: Table) -> list[str]:
    """As many moves, but not the same."""
    return [move.replace("add=3", "add=4") if is_there(table) else move for move in honest_legal(table)]


def reverses(table: Table) -> list[str]:
    return honest_legal(table)[::-1]


def crashes(table: Table) -> list[str]:
    if is_there(table):
        print("segmentation fault", file=sys.stderr, flush=True)
        os._exit(1)
    return honest_legal(table)


def hangs(table: Table) -> list[str]:
    if is_there(table):
        time.sleep(300)
    return honest_legal(table)


def miscounts(table: Table, depth: int) -> int:
    """Lists are right, but the last count isn't what they say."""
    if depth == 1:
        return len(honest_legal(table)) + is_there(table)
    return sum(miscounts(table.child(move), depth - 1) for move in honest_legal(table))


def adds_wrongly(table: Table, depth: int) -> int:
    """Each branch is counted well, the sum isn't."""
    return honest_perft(table, depth) + (depth > 1)


def loads_dice(table: Table) -> dict[str, float]:
    outcomes = honest_outcomes(table)
    return {event: 1 / len(outcomes) for event in outcomes}


def exaggerates(table: Table, args: list[str]) -> str:
    return " ".join(["9" * 200] * table.seats)


def strays(table: Table, args: list[str]) -> str:
    """A seat that the table doesn't have."""
    return f"p{table.seats + 1}"


def flatters(table: Table, args: list[str]) -> str:
    return " ".join(str(points + 1) for points in table.points)


def ranks_backwards(table: Table, args: list[str]) -> str:
    return " ".join(str(table.seats - place) for place in range(table.seats))


def never_ends(table: Table, args: list[str]) -> str:
    return "false"


def garbles(table: Table, args: list[str]) -> str:
    return "two moves, I think"


def knows_nothing(engine: MinimalEngine, args: list[str]) -> None:
    raise Refuse("unknown-query", *args[:1])


def searches_instead(engine: MinimalEngine, args: list[str]) -> None:
    """Take ``go perft`` for a search."""
    say(f"bestmove add=1{Go(args).suffix}")


def is_silent(engine: MinimalEngine, args: list[str]) -> None:
    pass


def refuses(engine: MinimalEngine, args: list[str]) -> None:
    engine.table = None
    raise Refuse("bad-value", "not today")


WAYS: dict[str, tuple[object, str, Callable[..., object]]] = {
    "drops": (Table, "legal", drops),
    "invents": (Table, "legal", invents),
    "repeats": (Table, "legal", repeats),
    "swaps": (Table, "legal", swaps),
    "reverses": (Table, "legal", reverses),
    "crashes": (Table, "legal", crashes),
    "hangs": (Table, "legal", hangs),
    "miscounts": (minimal_engine, "perft", miscounts),
    "adds-wrongly": (minimal_engine, "perft", adds_wrongly),
    "loads-dice": (Table, "outcomes", loads_dice),
    "strays": (Answers, "turn", staticmethod(strays)),
    "flatters": (Answers, "scores", staticmethod(flatters)),
    "exaggerates": (Answers, "scores", staticmethod(exaggerates)),
    "ranks-backwards": (Answers, "ranks", staticmethod(ranks_backwards)),
    "never-ends": (Answers, "gameover", staticmethod(never_ends)),
    "garbles": (Answers, "legal", staticmethod(garbles)),
    "knows-nothing": (MinimalEngine, "do_query", knows_nothing),
    "no-ranks": (Answers, "ranks", staticmethod(lambda table, args: knows_nothing(None, args))),
    "searches-instead": (MinimalEngine, "do_go", searches_instead),
    "is-silent": (MinimalEngine, "do_go", is_silent),
    "refuses": (MinimalEngine, "do_position", refuses),
}

if __name__ == "__main__":
    if WAY:
        setattr(*WAYS[WAY])
    MinimalEngine().run()
