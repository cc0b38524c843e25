"""The figures of many games as columns: a row for each seat of each game, or for each entrant in a game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serai.bots.tournament.luce import Floats, Ints
from serai.bots.tournament.outcome import EXACT, Outcome
from serai.core.errors import RecordError


@dataclass(frozen=True)
class Sittings:
    """Columns by seat of a game, in the order of the games. ``own``: not a number where nothing was said."""

    game: Ints
    block: Ints
    seat: Ints
    entrant: Ints
    share: Floats
    points: Floats
    place: Floats
    turns: Floats
    decisions: Floats
    wall: Floats
    own: Floats


@dataclass(frozen=True)
class Appearances:
    """Columns by entrant of a game: means over the seats that it has there."""

    block: Ints
    entrant: Ints
    share: Floats
    points: Floats
    place: Floats
    par: Floats


@dataclass(frozen=True)
class Meetings:
    """Columns by two entrants of a game, the lower number first. ``ahead``: 1, 0, or ½ when level."""

    block: Ints
    first: Ints
    second: Ints
    ahead: Floats


def in_order(outcomes: Iterable[Outcome], entrants: int) -> list[Outcome]:
    """The games by block and number. Raises RecordError for one of other entrants, or that is there twice."""
    games = sorted(outcomes, key=lambda each: (each.block, each.game))
    for game in games:
        if problem := _problem(game, entrants):
            raise RecordError(f"game {game.game} of block {game.block}: {problem}")
    for game, following in pairwise(games):
        if (game.block, game.game) == (following.block, following.game):
            raise RecordError(f"game {game.game} of block {game.block} is there twice, should be once")
    return games


def _problem(game: Outcome, entrants: int) -> str | None:
    seats = len(game.seating)
    if not 0 <= game.block <= EXACT:
        return "blocks should be numbered from 0"
    columns = (game.scores, game.ranks, game.shares, game.turns, game.decisions, game.wall, game.own)
    if not seats or any(len(column) != seats for column in columns):
        return f"every figure should be there once for each of its {seats} seats"
    if not all(0 <= entrant < entrants for entrant in game.seating):
        return f"its entrants should be 0 to {entrants - 1}, not {game.seating}"
    if not all(0 <= seat < seats for seat, _ in game.faults):
        return f"its faults should be by seats 0 to {seats - 1}"
    if not all(abs(value) <= EXACT for column in columns for value in column if value is not None):
        return "its figures should be finite and at most 2^53"
    return None


def sittings(games: Sequence[Outcome]) -> Sittings:
    """The columns of the games, which are in order."""
    size = np.array([len(game.seating) for game in games], dtype=np.int64)
    total = int(size.sum())

    def column(values: Iterable[Iterable[Any]], kind: type = float) -> NDArray[Any]:
        return np.fromiter(chain.from_iterable(values), kind, total)

    return Sittings(
        game=np.repeat(np.arange(len(games)), size),
        block=np.repeat(np.array([game.block for game in games], dtype=np.int64), size),
        seat=column((range(each) for each in size), int),
        entrant=column((game.seating for game in games), int),
        share=column(game.shares for game in games),
        points=column(game.scores for game in games),
        place=column(game.ranks for game in games),
        turns=column(game.turns for game in games),
        decisions=column(game.decisions for game in games),
        wall=column(game.wall for game in games),
        own=column([math.nan if ms is None else ms for ms in game.own] for game in games),
    )


def appearances(rows: Sittings, entrants: int) -> Appearances:
    """The seats of one entrant in one game as one row."""
    code, where = np.unique(rows.game * entrants + rows.entrant, return_inverse=True)
    held = np.bincount(where)
    _, first = np.unique(where, return_index=True)
    _, game, size = np.unique(rows.game, return_inverse=True, return_counts=True)
    return Appearances(
        block=rows.block[first],
        entrant=code % entrants,
        share=np.bincount(where, rows.share) / held,
        points=np.bincount(where, rows.points) / held,
        place=np.bincount(where, rows.place) / held,
        par=1 / size[game[first]],
    )


def meetings(rows: Sittings, entrants: int) -> Meetings:
    """Two entrants in one game as one row, the mean over their pairs of seats."""
    a, b = _seat_pairs(rows)
    swap = rows.entrant[a] > rows.entrant[b]
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    ahead = (1 + np.sign(rows.place[b] - rows.place[a])) / 2
    pair = rows.entrant[a] * entrants + rows.entrant[b]
    _, first, where = np.unique(rows.game[a] * entrants**2 + pair, return_index=True, return_inverse=True)
    return Meetings(
        block=rows.block[a][first],
        first=rows.entrant[a][first],
        second=rows.entrant[b][first],
        ahead=np.bincount(where, ahead) / np.bincount(where),
    )


def _seat_pairs(rows: Sittings) -> tuple[Ints, Ints]:
    """The rows of each two seats of a game that different entrants have."""
    row = np.arange(len(rows.game))
    pairs: list[tuple[Ints, Ints]] = []
    for apart in range(1, int(rows.seat.max(initial=0)) + 1):
        first, second = row[:-apart], row[apart:]
        met = (rows.game[first] == rows.game[second]) & (rows.entrant[first] != rows.entrant[second])
        pairs.append((first[met], second[met]))
    if not pairs:
        return row[:0], row[:0]
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])
