"""Fit the evaluation of Spice Road to games of the planner and the search, and write evaluation.toml.

    python bench/fit_spice_road.py --games 500 --seats 2 3 4 5 --out core/games/spice_road/evaluation.toml

Both play games with some variety (openings with and without the book, random moves). Each position
sampled from them says, for every seat, what it had; the game's end says who won and with what score. Weights:
softmax regression for the win, least squares for the score, both quadratic in the stage of the game.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from serai.core import load
from serai.core.games.spice_road.components import load_components
from serai.search import Limits, Planner, Search

Array = NDArray[np.float64]

FEATURES: Final = (
    *("points", "claims", "yellow", "red", "green", "brown"),
    *("cards", "worth", "played", "to_move", "turn_left", "one"),
    *("surplus", "crowding", "claimable", "extra"),
)
CLAIMS: Final = FEATURES.index("claims")
ONE: Final = FEATURES.index("one")  # cancels out among seats: of no use for the win
POWERS: Final = (0, 1, 2)  # of the stage, by which the weights change
RIDGE: Final = 1e-3  # for the win, on standardized features
SCORE_RIDGE: Final = 1.0
NEWTON_STEPS: Final = 25
HELD_OUT: Final = 0.2  # of the games, not fitted but tested on

SAMPLED: Final = 0.5  # share of the turns that become samples
LONGEST: Final = 1500  # decisions; a longer game is left out
WIDTHS: Final = (20, 40)
DEPTH: Final = 9
SEARCHING: Final = 0.35  # share of the games in which all search instead: their ways must be in the data too
NODES: Final = 300


@dataclass(frozen=True)
class Played:
    """A game: what each seat had in the sampled positions (sample, seat, feature), and how it ended."""

    seen: Array
    win: Array
    score: Array


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
            return Played(
                np.array(seen, float), np.array(position.returns()), np.array(position.scores(), float)
            )
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


# ---- regression


@dataclass(frozen=True)
class Fit:
    """Weights by stage and feature, and how well they tell held-out games."""

    win: Array
    score: Array
    log_loss: float
    score_error: float


def fit(games: Sequence[Played], claims_to_end: int) -> Fit:
    """Both regressions. Games come in random order already: the last ones are held out."""
    kept = max(1, round(len(games) * (1 - HELD_OUT)))
    x, win, score = samples(games[:kept], claims_to_end)
    x_test, win_test, score_test = samples(games[kept:] or games, claims_to_end)
    win_weights = fit_win(x, win)
    score_weights = fit_score(x, score)
    return Fit(
        by_stage(win_weights, claims_to_end),
        by_stage(score_weights, claims_to_end),
        float(-np.mean(np.sum(win_test * np.log(shares(x_test @ win_weights) + 1e-9), axis=1))),
        float(np.sqrt(np.mean((x_test @ score_weights - score_test) ** 2))),
    )


def samples(games: Sequence[Played], claims_to_end: int) -> tuple[Array, Array, Array]:
    """(sample, seat, feature times power of the stage), and the win share and score of each seat."""
    seen = np.concatenate([game.seen for game in games])
    stage = seen[:, :, CLAIMS].max(axis=1)[:, None, None] / claims_to_end
    counts = [len(game.seen) for game in games]
    return (
        np.concatenate([seen * stage**power for power in POWERS], axis=2),
        np.repeat([game.win for game in games], counts, axis=0),
        np.repeat([game.score for game in games], counts, axis=0),
    )


def shares(strengths: Array) -> Array:
    """Softmax over the seats."""
    powers = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def fit_win(x: Array, win: Array) -> Array:
    """Softmax regression by Newton's method, with halved steps where the whole one goes too far."""
    scale = x.reshape(-1, x.shape[2]).std(axis=0) + 1e-6
    x = x / scale
    x[:, :, ONE :: len(FEATURES)] = 0
    weights = np.zeros(x.shape[2])
    loss = win_loss(x, win, weights)
    for _ in range(NEWTON_STEPS):
        p = shares(x @ weights)
        gradient = np.einsum("ns,nsf->f", p - win, x) / len(x) + RIDGE * weights
        mean = np.einsum("ns,nsf->nf", p, x)
        curvature = (np.einsum("ns,nsf,nsg->fg", p, x, x, optimize=True) - mean.T @ mean) / len(x)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(weights)), gradient)
        while (better := win_loss(x, win, weights - step)) > loss + 1e-12:
            step /= 2
        weights -= step
        if loss - better < 1e-9:
            break
        loss = better
    return np.asarray(weights / scale, dtype=np.float64)


def win_loss(x: Array, win: Array, weights: Array) -> float:
    """Mean log loss with the penalty."""
    logs = np.log(shares(x @ weights) + 1e-12)
    return float(-np.sum(win * logs) / len(x) + RIDGE / 2 * weights @ weights)


def fit_score(x: Array, score: Array) -> Array:
    """Least squares with a small ridge, all seats alike."""
    a, b = x.reshape(-1, x.shape[2]), score.reshape(-1)
    return np.asarray(np.linalg.solve(a.T @ a + SCORE_RIDGE * np.eye(a.shape[1]), a.T @ b), dtype=np.float64)


def by_stage(weights: Array, claims_to_end: int) -> Array:
    """The weights for 0, 1, 2 … claims of the seat that has claimed most."""
    powers = np.array([[(c / claims_to_end) ** power for power in POWERS] for c in range(claims_to_end + 1)])
    return np.asarray(powers @ weights.reshape(len(POWERS), len(FEATURES)), dtype=np.float64)


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


def as_toml(fits: dict[int, Fit], games: Sequence[int]) -> str:
    """The text of evaluation.toml."""
    losses = " / ".join(f"{found.log_loss:.2f}" for found in fits.values())
    seats = " / ".join(map(str, fits))
    header = HEADER.format(
        games=games, widths="-".join(map(str, WIDTHS)), losses=losses, nodes=NODES, seats=seats
    )
    parts = [header, f"features = {json.dumps(FEATURES)}"]
    for number, found in fits.items():
        parts.append(f"\n[seats_{number}]\nwin = {_rows(found.win, 3)}\nscore = {_rows(found.score, 2)}")
    return "\n".join(parts) + "\n"


def _rows(table: Array, digits: int) -> str:
    rows = (", ".join(f"{value + 0.0:.{digits}f}" for value in row) for row in table)
    return "[\n" + "".join(f"    [{row}],\n" for row in rows) + "]"


def main(arguments: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(description="Fit the evaluation of Spice Road to games of the planner.")
    made.add_argument(
        "--games",
        type=int,
        nargs="+",
        default=[500],
        metavar="N",
        help="one number, or one for each of --seats",
    )
    made.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 5], choices=(2, 3, 4, 5), metavar="N")
    made.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write the weights")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play, default 1")
    options = made.parse_args(arguments)
    if len(options.games) not in (1, len(options.seats)):
        made.error("--games takes one number, or as many as --seats")
    games = options.games * (len(options.seats) // len(options.games))
    fits = {n: _fitted(n, number, options.jobs) for n, number in zip(options.seats, games, strict=True)}
    options.out.write_text(as_toml(fits, games), encoding="utf-8")
    return 0


def _fitted(seats: int, number: int, jobs: int) -> Fit:
    games: list[Played] = []
    with Pool(jobs) as pool:
        for each, played in enumerate(pool.imap(partial(play, seats), range(number))):
            if played is not None and len(played.seen):
                games.append(played)
            _say(f"\r{seats} seats: {each + 1} of {number} games")
    found = fit(games, load_components().claims_to_end[seats - 2])
    _say(f", held-out log loss {found.log_loss:.3f}, score off by {found.score_error:.1f}\n")
    return found


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
