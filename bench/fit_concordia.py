"""Fit the evaluation of Concordia to games of greedy players and the search, and write evaluation.toml.

    python bench/fit_concordia.py --games 600 --seats 2 3 4 5 --out core/games/concordia/evaluation.toml

The games have some variety (both maps, random openings, random moves). Positions at the beginning of turns
say what every seat had; the game's end says who won and with what score.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from regression import Fit, Played, Subject, run

from serai.core import load
from serai.search import Limits, Search, greedy

FEATURES: Final = (
    *("points", "houses", "coins", "brick", "food", "tool", "wine", "cloth"),
    *("cards", "hand", "architect", "prefects", "senator", "specialists", "colonists"),
    *("provinces", "sorts", "income", "build", "builds", "room"),
    *("next", "turn_left", "magnus", "jupiter", "saturnus", "mars", "one"),
)
LAST_STAGE: Final = 16
MAPS: Final = {2: ("italia",), 3: ("italia", "imperium"), 4: ("italia", "imperium"), 5: ("imperium",)}
SAMPLED: Final = 0.5  # share of the turns that become samples
LONGEST: Final = 3000  # decisions; a longer game is left out
SEARCHING: Final = 0.3  # share of the games in which all search
NODES: Final = 150


def play(seats: int, number: int) -> Played | None:
    """A game, always the same for a number; None if it doesn't end."""
    numbers = Random(f"{seats} {number}")
    variant = numbers.choice(MAPS[seats])
    position = load(f"concordia;players={seats};variant={variant};seed={numbers.getrandbits(40)}").start()
    searching = numbers.random() < SEARCHING
    searches = [Search(16, seed=number) if searching else None for _ in range(seats)]
    noise = [numbers.choice((0.0, 0.03, 0.08)) for _ in range(seats)]
    opening = numbers.choice((0, 0, 4, 10)) * seats  # random decisions before anything else
    seen: list[list[list[float]]] = []
    stage: list[float] = []
    for decision in range(LONGEST):
        if position.is_over:
            win, score = np.array(position.returns()), np.array(position.scores(), float)
            return Played(np.array(stage), np.array(seen, float), win, score)
        seat = position.to_act
        if position.legal_tokens()[0].startswith("play=") and numbers.random() < SAMPLED:
            seen.append(position.game.evaluation_features(position))
            stage.append(position.game.evaluation_stage(position) / LAST_STAGE)
        if decision < opening or numbers.random() < noise[seat]:
            position = position.apply(position.random_action(numbers.getrandbits(64)))
        elif (search := searches[seat]) is not None:
            position = position.apply(search.run(position, Limits(nodes=NODES)).best)
        else:
            position = position.apply(greedy(position, numbers.getrandbits(64)))
    return None


HEADER: Final = """\
# The hand-made evaluation of Concordia, fitted to games. For search, never for rules.
#
# A seat's strength is the sum of its features times the weights; win shares are the softmax of the strengths,
# and the expected final score is another such sum. Rows: how far the game has gone, by houses or by cards, in
# sixteenths; the last is the last round. Origin: bench/fit_concordia.py, {games} games on both maps between
# greedy players and searches ({nodes} iterations), with some random moves and openings; softmax regression for
# the win, least squares for the score, both smooth in the row. Held-out log loss {losses} for {seats} seats.
"""


def header(games: Sequence[int], fits: dict[int, Fit]) -> str:
    """The head of the file."""
    losses = " / ".join(f"{found.log_loss:.2f}" for found in fits.values())
    return HEADER.format(
        games=" / ".join(map(str, games)), losses=losses, nodes=NODES, seats=" / ".join(map(str, fits))
    )


SUBJECT: Final = Subject(FEATURES, play, lambda seats: LAST_STAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, fit, write."""
    return run(SUBJECT, header, arguments)


if __name__ == "__main__":
    sys.exit(main())
