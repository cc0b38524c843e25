"""Fit the evaluation of Concordia to games of greedy players and the search, and write evaluation.toml.

    python bench/fit_concordia.py --games 900 --players first.toml second.toml --out evaluation.toml

The games have some variety: both maps, random openings, random moves, and players by different weights (the
files of ``--players``, else the shipped one). Positions at the beginning of turns say what every seat had;
how the game ended says who won and with what score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from regression import Fit, Played, Subject, run

from serai.core import Position, load
from serai.core.game import Game
from serai.core.games.concordia import knowledge, rules
from serai.core.games.concordia.weights import SHIPPED
from serai.core.weights import read_weights
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
SEARCHING: Final = 0.05  # share of the games in which all search
NODES: Final = 150


class Seat:
    """A greedy player, or a searching one, by some weights, with random moves in between."""

    def __init__(self, game: Game, searching: bool, noise: float, seed: int) -> None:
        """``noise``: share of random moves."""
        self._game, self._noise, self._numbers = game, noise, Random(seed)
        self._search = Search(16, seed=seed) if searching else None

    def choose(self, position: Position) -> str:
        """Its decision, seen with its own weights."""
        bits = self._numbers.getrandbits(60)
        if self._numbers.random() < self._noise:
            return position.game.token(position.random_action(bits))
        seen = self._game.from_state(position.state())
        if self._search is not None:
            return self._search.run(seen, Limits(nodes=NODES)).best
        return greedy(seen, bits)


@cache
def game_with(weights: Path, seats: int, variant: str) -> Game:
    """A game whose evaluation has the weights of a file."""
    knowledge.load_weights = lambda: read_weights(weights)
    rules._shared_tables.cache_clear()
    return load(f"concordia;players={seats};variant={variant}")


def play(files: Sequence[Path], seats: int, number: int) -> Played | None:
    """A game, always the same for a number; None if it doesn't end."""
    numbers = Random(f"{seats} {number}")
    variant = numbers.choice(MAPS[seats])
    games = [game_with(file, seats, variant) for file in files]
    searching = numbers.random() < SEARCHING
    # All seats of a game alike: else what the weaker kind of player does would itself look like a fault.
    game = numbers.choice(games)
    players = [
        Seat(game, searching, numbers.choice((0.0, 0.03, 0.08)), numbers.getrandbits(40))
        for _ in range(seats)
    ]
    spec = f"concordia;players={seats};variant={variant};seed={numbers.getrandbits(40)}"
    position = load(spec).start()
    opening = numbers.choice((0, 0, 4, 10)) * seats  # random decisions before anything else
    seen: list[list[list[float]]] = []
    stage: list[float] = []
    for decision in range(LONGEST):
        if position.is_over:
            win, score = np.array(position.returns()), np.array(position.scores(), float)
            return Played(np.array(stage), np.array(seen, float), win, score)
        if position.legal_tokens()[0].startswith("play=") and numbers.random() < SAMPLED:
            seen.append(position.game.evaluation_features(position))
            stage.append(position.game.evaluation_stage(position) / LAST_STAGE)
        if decision < opening:
            position = position.apply(position.random_action(numbers.getrandbits(64)))
        else:
            position = position.apply(players[position.to_act].choose(position))
    return None


HEADER: Final = """\
# The hand-made evaluation of Concordia, fitted to games. For search, never for rules.
#
# A seat's strength is the sum of its features times the weights; win shares are the softmax of the strengths,
# and the expected final score is another such sum. Rows: how far the game has gone, by houses or by cards, in
# sixteenths; the last is the last round. Origin: bench/fit_concordia.py, {games} games on both maps between
# greedy players and searches ({nodes} iterations), with some random moves and openings; softmax regression
# for the win, least squares for the score, both smooth in the row. Held-out log loss {losses}
# for {seats} seats.
"""


def header(games: Sequence[int], fits: dict[int, Fit]) -> str:
    """The head of the file."""
    losses = " / ".join(f"{found.log_loss:.2f}" for found in fits.values())
    return HEADER.format(
        games=" / ".join(map(str, games)), losses=losses, nodes=NODES, seats=" / ".join(map(str, fits))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, fit, write."""
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--players", type=Path, nargs="+", default=[SHIPPED])
    options, others = made.parse_known_args(arguments)
    subject = Subject(FEATURES, partial(play, options.players), lambda seats: LAST_STAGE)
    return run(subject, header, others)


if __name__ == "__main__":
    sys.exit(main())
