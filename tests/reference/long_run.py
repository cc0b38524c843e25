"""Many games on both readings of the rules, compared on every event.

    cd tests && python -m reference.long_run --games 10000 --jobs 2 "spice_road;players=2"
    python -m reference.long_run --games 3000 "concordia;players=4" "concordia;players=4;variant=imperium"

Each game's legal list, state, scores and ranks are compared after every event, chance included. One random
game in four is uniformly random; in the others the seats rather do what brings the game forward, so that it
ends. With ``--greedy`` the seats do what looks best at once. Games are cut where they get too long.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from reference.readings import OVER, Reading, new_game, wished_for

from serai.core import Position, load
from serai.core.spec import Spec, parse_spec
from serai.search import greedy

LONGEST = {"spice_road": 600, "concordia": 6_000}
CHUNK = 10  # games a process plays between two lines of progress


def play(spec: Spec, by_greedy: bool, number: int) -> int:
    """Play one game on both sides; the number of events. Raises AssertionError with a reproducer."""
    chooser = random.Random(f"long run of {spec}, game {number}")
    position, reference = load(spec).start(), new_game(spec)
    for count in range(LONGEST[spec.game]):
        if not same(position, reference):
            raise AssertionError(f"{spec} moves {' '.join(position.history)}")
        if reference.to_act() == OVER:
            return count
        event = chosen_by_greedy(position, chooser) if by_greedy else chosen(position, chooser, number)
        position = position.apply(event)
        reference.apply(event)
    return LONGEST[spec.game]


def same(position: Position, reference: Reading) -> bool:
    """Whether both sides say the same about the game now, and no component is lost."""
    return (
        set(position.legal_tokens()) == set(reference.legal())
        and position.state() == reference.state()
        and list(position.scores()) == reference.scores()
        and list(position.ranks()) == reference.ranks()
        and position.consistent()
    )


def chosen(position: Position, chooser: random.Random, number: int) -> str:
    """A random event; in three games of four one that brings the game forward, if there is one."""
    legal = position.legal_tokens()
    return chooser.choice((number % 4 and wished_for(position.game.name, legal)) or legal)


def chosen_by_greedy(position: Position, chooser: random.Random) -> str:
    """What looks best at once; outcomes by chance."""
    number = chooser.getrandbits(64)
    return position.draw(number) if position.to_act < 0 else greedy(position, number)


def chunk(spec: Spec, by_greedy: bool, first: int, last: int) -> int:
    """Events of the games first … last-1."""
    return sum(play(spec, by_greedy, number) for number in range(first, last))


def main(arguments: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(description="Compare both readings of the rules over many games.")
    made.add_argument("specs", nargs="+", type=parse_spec, metavar="SPEC", help="like concordia;players=3")
    made.add_argument("--games", type=int, default=1000, metavar="N", help="for each spec")
    made.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game, to go on")
    made.add_argument("--greedy", action="store_true", help="played by the greedy player, not at random")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    options = made.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs) as pool:
        for spec in options.specs:
            starts = range(options.first, options.first + options.games, CHUNK)
            ends = [min(start + CHUNK, starts.stop) for start in starts]
            played = pool.map(partial(chunk, spec, options.greedy), starts, ends)
            events = 0
            for done, some in zip(ends, played, strict=True):
                events += some
                tell(f"{spec}: games {options.first} to {done - 1} agree")
            print(f"\r{spec}: {options.games} games, {events} events: both readings agree", flush=True)
    return 0


def tell(progress: str) -> None:
    """Progress goes over the line before."""
    print(f"\r{progress}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
