"""The results of a tournament: everything it says, from the games alone and in whatever order they come."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from serai.bots.guard import KINDS
from serai.bots.standings import Estimate
from serai.bots.tournament.blocks import estimates
from serai.bots.tournament.luce import Floats
from serai.bots.tournament.outcome import EntrantRow, Outcome, PairCell, Results, SeatRow, SprtState
from serai.bots.tournament.pairing import variance_ratio
from serai.bots.tournament.ratings import Ratings, rate
from serai.bots.tournament.sittings import Appearances, Sittings, appearances, in_order, meetings, sittings
from serai.bots.tournament.sprt import Sprt

RESAMPLES: Final = 1000
_NOTHING: Final = Estimate(0.0)

BlockSize = int | Mapping[int, int]


def results(
    names: Sequence[str],
    outcomes: Iterable[Outcome],
    block_size: BlockSize,
    sprt: Sprt | None = None,
    bootstrap: int = RESAMPLES,
    progress: Callable[[float], None] = lambda done: None,
) -> Results:
    """What the games say about the entrants of these names.

    ``block_size``: games of a block, or of each block. ``bootstrap``: resamples for the intervals of the
    ratings; with 0 there are no ratings, and it's fast enough for a live display. ``progress``: the part of
    the resamples done, 0 to 1. Raises RecordError for games that these entrants can't have played, SetupError
    if ``choix`` is needed and isn't there.
    """
    everything = in_order(outcomes, len(names))
    tally = _tally(names, everything, block_size)
    ratings = rate(tally.games, bootstrap, progress) if bootstrap else Ratings()
    rows = [_entrant(entrant, tally, ratings) for entrant in range(len(names))]
    whole = _complete(tally.games, block_size)
    return Results(
        games=len(tally.games),
        void=len(everything) - len(tally.games),
        unfinished=sum(game.ended != "over" for game in tally.games),
        blocks=len(tally.complete),
        entrants=tuple(sorted(rows, key=_merit)),
        seats=_seats(tally),
        pairs=_pairs(tally),
        superiority=ratings.superiority,
        variance_ratio=variance_ratio(tally.entries, tally.games, whole),
        turns=_turns(tally),
        winner_points=_mean([_best(game) for game in tally.games]),
        shared_wins=sum(game.ranks.count(1) > 1 for game in tally.games),
        sprt=None if sprt is None else _test(sprt, tally, block_size),
    )


@dataclass(frozen=True)
class _Tally:
    """``games``: those that count. The estimates are by entrant."""

    names: Sequence[str]
    games: Sequence[Outcome]
    complete: Collection[int]
    rows: Sittings
    entries: Appearances
    share: Mapping[int, Estimate]
    points: Mapping[int, Estimate]
    faults: Mapping[int, Mapping[str, int]]
    void_faults: Mapping[int, Mapping[str, int]]


def _tally(names: Sequence[str], everything: Sequence[Outcome], block_size: BlockSize) -> _Tally:
    games = [game for game in everything if not game.void]
    rows = sittings(games)
    entries = appearances(rows, len(names))
    complete = _complete(everything, block_size)
    return _Tally(
        names=names,
        games=games,
        complete=complete,
        rows=rows,
        entries=entries,
        share=estimates(entries.entrant, entries.block, entries.share, complete),
        points=estimates(entries.entrant, entries.block, entries.points, complete),
        faults=_faults(games),
        void_faults=_faults([game for game in everything if game.void]),
    )


def _complete(games: Iterable[Outcome], block_size: BlockSize) -> set[int]:
    played = Counter(game.block for game in games)
    sizes = block_size if isinstance(block_size, Mapping) else dict.fromkeys(played, block_size)
    return {block for block, number in played.items() if number == sizes.get(block)}


def _faults(games: Iterable[Outcome]) -> Mapping[int, Mapping[str, int]]:
    """By entrant and kind, the kinds in their usual order."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for game in games:
        for seat, kind in game.faults:
            counts[game.seating[seat]][kind] += 1
    return {
        entrant: {kind: kinds[kind] for kind in dict.fromkeys((*KINDS, *sorted(kinds))) if kind in kinds}
        for entrant, kinds in counts.items()
    }


def _entrant(entrant: int, tally: _Tally, ratings: Ratings) -> EntrantRow:
    mine, entries = tally.rows.entrant == entrant, tally.entries.entrant == entrant
    return EntrantRow(
        entrant=entrant,
        name=tally.names[entrant],
        games=int(np.count_nonzero(entries)),
        share=tally.share.get(entrant, _NOTHING),
        par=_mean(tally.entries.par[entries]),
        points=tally.points.get(entrant, _NOTHING),
        place=_mean(tally.entries.place[entries]),
        rating=ratings.values.get(entrant),
        interval=ratings.intervals.get(entrant),
        turns=_mean(tally.rows.turns[mine]),
        **_times(tally.rows, mine),
        faults=tally.faults.get(entrant, {}),
        void_faults=tally.void_faults.get(entrant, {}),
    )


def _merit(row: EntrantRow) -> tuple[bool, float, int]:
    """Sorts the best first: by rating, those without one after them by what they won beyond chance."""
    value = row.share.mean - row.par if row.rating is None else row.rating
    return row.rating is None, -value, row.entrant


def _times(rows: Sittings, mine: NDArray[np.bool_]) -> dict[str, float | None]:
    turns, decisions, wall = (float(column[mine].sum()) for column in (rows.turns, rows.decisions, rows.wall))
    said = mine & ~np.isnan(rows.own)
    gap, said_for = float((rows.wall - rows.own)[said].sum()), float(rows.decisions[said].sum())
    return {
        "ms_move": wall / decisions if decisions else None,
        "ms_turn": wall / turns if turns and decisions else None,
        "ms_gap": gap / said_for if said_for else None,
    }


def _seats(tally: _Tally) -> tuple[SeatRow, ...]:
    rows = tally.rows
    share = estimates(rows.seat, rows.block, rows.share, tally.complete)
    points = estimates(rows.seat, rows.block, rows.points, tally.complete)
    return tuple(
        SeatRow(seat, share[seat], points[seat], _mean(rows.place[rows.seat == seat]))
        for seat in sorted(share)
    )


def _pairs(tally: _Tally) -> dict[tuple[int, int], PairCell]:
    entrants, met = len(tally.names), meetings(tally.rows, len(tally.names))
    pair = met.first * entrants + met.second
    pairs = {}
    games = Counter(pair.tolist())
    for code, ahead in estimates(pair, met.block, met.ahead, tally.complete).items():
        first, second = divmod(code, entrants)
        pairs[first, second] = PairCell(games[code], ahead)
        pairs[second, first] = PairCell(games[code], Estimate(1 - ahead.mean, ahead.se))
    return pairs


def _turns(tally: _Tally) -> Estimate:
    turns = np.array([sum(game.turns) for game in tally.games], dtype=np.float64)
    block = np.array([game.block for game in tally.games], dtype=np.int64)
    return estimates(np.zeros_like(block), block, turns, tally.complete).get(0, _NOTHING)


def _best(game: Outcome) -> float:
    """Points of the winner; of the best of those who share the win."""
    first = min(game.ranks)
    return max(score for score, rank in zip(game.scores, game.ranks, strict=True) if rank == first)


def _test(sprt: Sprt, tally: _Tally, block_size: BlockSize) -> SprtState:
    """On the first entrant's blocks, as far as all before them are complete."""
    shares: defaultdict[int, list[float]] = defaultdict(list)
    mine = tally.entries.entrant == 0
    for block, share in zip(
        tally.entries.block[mine].tolist(), tally.entries.share[mine].tolist(), strict=True
    ):
        shares[block].append(share)
    planned = sorted(block_size) if isinstance(block_size, Mapping) else count()
    prefix = takewhile(tally.complete.__contains__, planned)
    size = max(block_size.values(), default=1) if isinstance(block_size, Mapping) else block_size
    return sprt.state((_mean(shares[block]) for block in prefix if block in shares), size)


def _mean(values: Sequence[float] | Floats) -> float:
    return float(np.mean(values)) if len(values) else 0.0
