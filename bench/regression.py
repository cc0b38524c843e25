"""Evaluation weights from games: softmax regression for the win, least squares for the score.

For the scripts ``fit_GAME.py``, which say how the games are played. Both regressions are quadratic in the
stage of the game, so a table of weights has a smooth row for each stage.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

POWERS: Final = (0, 1, 2)  # of the stage, by which the weights change
RIDGE: Final = 1e-3  # for the win, on standardized features
SCORE_RIDGE: Final = 1.0
NEWTON_STEPS: Final = 25
HELD_OUT: Final = 0.2  # of the games, not fitted but tested on


@dataclass(frozen=True)
class Played:
    """A game: stage and what each seat had (sample, seat, feature) in the sampled positions; how it ended."""

    stage: Array  # 0 to 1
    seen: Array
    win: Array
    score: Array


@dataclass(frozen=True)
class Fit:
    """Weights by stage and feature, and how well they tell held-out games."""

    win: Array
    score: Array
    log_loss: float
    score_error: float


@dataclass(frozen=True)
class Subject:
    """What is fitted: how a game of some seats and number is played, the features, the rows of the tables."""

    features: tuple[str, ...]
    play: Callable[[int, int], Played | None]  # seats, number; None: left out
    last_stage: Callable[[int], int]  # the last row for some seats; the first is 0


def fit(games: Sequence[Played], last_stage: int) -> Fit:
    """Both regressions. Games come in random order already: the last ones are held out."""
    kept = max(1, round(len(games) * (1 - HELD_OUT)))
    x, win, score = samples(games[:kept])
    x_test, win_test, score_test = samples(games[kept:] or games)
    win_weights = fit_win(x, win)
    score_weights = fit_score(x, score)
    return Fit(
        by_stage(win_weights, last_stage),
        by_stage(score_weights, last_stage),
        float(-np.mean(np.sum(win_test * np.log(shares(x_test @ win_weights) + 1e-9), axis=1))),
        float(np.sqrt(np.mean((x_test @ score_weights - score_test) ** 2))),
    )


def samples(games: Sequence[Played]) -> tuple[Array, Array, Array]:
    """(sample, seat, feature times power of the stage), and the win share and score of each seat."""
    seen = np.concatenate([game.seen for game in games])
    stage = np.concatenate([game.stage for game in games])[:, None, None]
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
    """Softmax regression by Newton's method, with halved steps where the whole one goes too far.

    What all seats have alike cancels out and gets no weight.
    """
    x = x - x.mean(axis=1, keepdims=True)
    scale = x.reshape(-1, x.shape[2]).std(axis=0) + 1e-6
    x = x / scale
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


def by_stage(weights: Array, last_stage: int) -> Array:
    """The weights for each stage from 0 to the last."""
    powers = np.array([[(row / last_stage) ** power for power in POWERS] for row in range(last_stage + 1)])
    return np.asarray(powers @ weights.reshape(len(POWERS), -1), dtype=np.float64)


def mean(found: Fit, seats: int, files: Sequence[Path]) -> Fit:
    """The fit with the mean of its weights and those of some files."""
    tables = [tomllib.loads(path.read_text(encoding="utf-8"))[f"seats_{seats}"] for path in files]
    return replace(
        found,
        win=np.mean([found.win, *(np.array(table["win"]) for table in tables)], axis=0),
        score=np.mean([found.score, *(np.array(table["score"]) for table in tables)], axis=0),
    )


# ---- the command


def as_toml(header: str, features: tuple[str, ...], fits: dict[int, Fit]) -> str:
    """The text of evaluation.toml."""
    parts = [header, f"features = {json.dumps(features)}"]
    for number, found in fits.items():
        parts.append(f"\n[seats_{number}]\nwin = {_rows(found.win, 3)}\nscore = {_rows(found.score, 2)}")
    return "\n".join(parts) + "\n"


def _rows(table: Array, digits: int) -> str:
    rows = (", ".join(f"{value + 0.0:.{digits}f}" for value in row) for row in table)
    return "[\n" + "".join(f"    [{row}],\n" for row in rows) + "]"


def run(
    subject: Subject, header: Callable[[Sequence[int], dict[int, Fit]], str], arguments: Sequence[str] | None
) -> int:
    """Play, fit, write; ``header`` makes the head of the file from the numbers of games and the fits."""
    made = argparse.ArgumentParser(description="Fit a hand-made evaluation to games.")
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
    made.add_argument(
        "--mean-with",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="write the mean of these files' weights and the new ones: less by chance, and stronger",
    )
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play, default 1")
    options = made.parse_args(arguments)
    if len(options.games) not in (1, len(options.seats)):
        made.error("--games takes one number, or as many as --seats")
    games = options.games * (len(options.seats) // len(options.games))
    fits = {
        n: _fitted(subject, n, number, options.jobs) for n, number in zip(options.seats, games, strict=True)
    }
    fits = {n: mean(found, n, options.mean_with) for n, found in fits.items()}
    options.out.write_text(as_toml(header(games, fits), subject.features, fits), encoding="utf-8")
    return 0


def _fitted(subject: Subject, seats: int, number: int, jobs: int) -> Fit:
    games: list[Played] = []
    with Pool(jobs) as pool:
        for each, played in enumerate(pool.imap(partial(subject.play, seats), range(number))):
            if played is not None and len(played.seen):
                games.append(played)
            _say(f"\r{seats} seats: {each + 1} of {number} games")
    found = fit(games, subject.last_stage(seats))
    _say(f", held-out log loss {found.log_loss:.3f}, score off by {found.score_error:.1f}\n")
    return found


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
