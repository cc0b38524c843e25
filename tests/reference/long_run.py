"""Many random games on both readings of Spice Road, compared on every event.

    cd tests && python -m reference.long_run --games 10000 --seats 2 3 4 5 --jobs 2

Each game's legal list, state, scores and ranks are compared after every event, chance included. Three games
in four claim whenever they can, so that they end; the others are uniformly random and cut at 600 events.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from reference.spice_road import OVER, Reference

from serai.core import load

LONGEST = 600
CHUNK = 25  # games a process plays between two lines of progress


def play(seats: int, number: int) -> int:
    """Play one game on both sides; the number of events. Raises AssertionError with a reproducer."""
    chooser = random.Random(f"long run, {seats} seats, game {number}")
    position, reference = load(f"spice_road;players={seats}").start(), Reference(seats)
    for count in range(LONGEST):
        legal = position.legal_tokens()
        same = (
            set(legal) == set(reference.legal())
            and position.state() == reference.state()
            and list(position.scores()) == reference.scores()
            and list(position.ranks()) == reference.ranks()
        )
        if not same:
            raise AssertionError(f"spice_road;players={seats} moves {' '.join(position.history)}")
        if reference.to_act() == OVER:
            return count
        claims = [token for token in legal if token.startswith("claim=")] if number % 4 else []
        event = chooser.choice(claims or legal)
        position = position.apply(event)
        reference.apply(event)
    return LONGEST


def chunk(seats: int, first: int, last: int) -> int:
    """Events of the games first … last-1."""
    return sum(play(seats, number) for number in range(first, last))


def main(arguments: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(description="Compare both readings of the rules over many random games.")
    made.add_argument("--games", type=int, default=1000, metavar="N", help="for each number of seats")
    made.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game, to go on")
    made.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 5], choices=(2, 3, 4, 5))
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    options = made.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs) as pool:
        for seats in options.seats:
            starts = range(options.first, options.first + options.games, CHUNK)
            ends = [min(start + CHUNK, starts.stop) for start in starts]
            events = 0
            for done, some in zip(ends, pool.map(chunk, [seats] * len(starts), starts, ends), strict=True):
                events += some
                print(
                    f"\r{seats} seats: games {options.first} to {done - 1} agree",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
            print(f"\r{seats} seats: {options.games} games, {events} events: both readings agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
