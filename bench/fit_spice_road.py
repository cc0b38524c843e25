"""Fit the evaluation of Spice Road to games of the planner and the search, and write evaluation.toml.

    python bench/fit_spice_road.py --games 500 --seats 2 3 4 5 --out core/games/spice_road/evaluation.toml

Both play games with some variety (openings with and without the book, random moves). Each position
sampled from them says, for every seat, what it had; the game's end says who won and with what score. Weights:
softmax regression for the win, least squares for the score, both quadratic in the stage of the game.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from regression import Fit, Played, Subject, run

from serai.core import load
from serai.core.games.spice_road.components import load_components
from serai.search import Limits, Planner, Search

FEATURES: Final = (
    *("points", "claims", "yellow", "red", "green", "brown"),
    *("cards", "worth", "played", "to_move", "turn_left", "one"),
    *("surplus", "crowding", "claimable", "extra"),
)
CLAIMS: Final = FEATURES.index("claims")
SAMPLED: Final = 0.5  # share of the turns that become samples
LONGEST: Final = 1500  # decisions; a longer game is left out
WIDTHS: Final = (20, 40)
DEPTH: Final = 9
SEARCHING: Final = 0.35  # share of the games in which all search instead: their ways must be in the data too
NODES: Final = 300


# ---- games


def play(seats: int, number: int) -> Played | None:
    """A game with a planner in each seat, always the same for a number; None if it doesn't end."""
    numbers = Random(f"{seats} {number}")
    position = load(f"spice_road;players={seats};seed={numbers.getrandbits(40)}").start()
    planners = [Planner(numbers.choice(WIDTHS), DEPTH) for _ in range(seats)]
    # All seats of a game alike: else what the weaker kind of player does would itself look like a fault.
    searching = numbers.random() < SEARCHING
    searches = [Search(16, seed=number) if searching else None for _ in range(seats)]
    use_book = [numbers.random() < 0.75 for _ in range(seats)]
    noise = [numbers.choice((0.0, 0.03, 0.08)) for _ in range(seats)]
    opening = numbers.choice((0, 0, 2, 5)) * seats  # random decisions before anything else
    seen: list[list[list[float]]] = []
    for decision in range(LONGEST):
        if position.is_over:
            rows, win = np.array(seen, float), np.array(position.returns())
            stage = rows[:, :, CLAIMS].max(axis=1) / last_claim(seats) if seen else np.zeros(0)
            return Played(stage, rows, win, np.array(position.scores(), float))
        seat = position.to_act
        if len(position.legal_actions()) > 4 and numbers.random() < SAMPLED:  # not a payment or a discard
            seen.append(position.game.evaluation_features(position))
        if decision < opening or numbers.random() < noise[seat]:
            position = position.apply(position.random_action(numbers.getrandbits(64)))
        elif (search := searches[seat]) is not None:
            position = position.apply(search.run(position, Limits(nodes=NODES)).best)
        else:
            position = position.apply(planners[seat].plan(position, 0, use_book[seat]).best)
    return None


# ---- the file


HEADER: Final = """\
# The hand-made evaluation of Spice Road, fitted to games. For search, never for rules.
#
# A seat's strength is the sum of its features times the weights; win shares are the softmax of the strengths,
# and the expected final score is another such sum. Rows: point cards claimed by the seat that has claimed
# most, 0 up (how far the game has gone). Origin: bench/fit_spice_road.py, {games} games between planners
# (beam {widths}) and searches ({nodes} iterations), with some random moves and openings; softmax
# regression for the win, least squares for the score, both smooth in the row. Held-out log loss {losses}
# for {seats} seats.
"""


def header(games: Sequence[int], fits: dict[int, Fit]) -> str:
    """The head of the file."""
    return HEADER.format(
        games=" / ".join(map(str, games)),
        widths="-".join(map(str, WIDTHS)),
        losses=" / ".join(f"{found.log_loss:.2f}" for found in fits.values()),
        nodes=NODES,
        seats=" / ".join(map(str, fits)),
    )


def last_claim(seats: int) -> int:
    """Claims that end the game."""
    return load_components().claims_to_end[seats - 2]


SUBJECT: Final = Subject(FEATURES, play, last_claim)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, fit, write."""
    return run(SUBJECT, header, arguments)


if __name__ == "__main__":
    sys.exit(main())
