"""What a match says about its entrants. The unit of the statistics is the block: a deal, all rotations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from serai.bots.guard import KINDS
from serai.bots.schedule import Fixture, MatchPlan
from serai.core.game_record import Fault, GameRecord


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error; None where fewer than two blocks are complete."""

    mean: float
    se: float | None = None

    def text(self, digits: int = 1) -> str:
        """``64.2 ± 5.1``."""
        error = "" if self.se is None else f" ± {self.se:.{digits}f}"
        return f"{self.mean:.{digits}f}{error}"

    def percent(self) -> str:
        """The same, of a share in percent."""
        return Estimate(100 * self.mean, None if self.se is None else 100 * self.se).text()


@dataclass(frozen=True)
class Row:
    """An entrant, or a seat. ``share``: of the wins, a shared win split; ``turns``: its own, a game."""

    name: str
    seats: int  # how many of the table's seats it has
    share: Estimate
    points: Estimate
    rank: float
    turns: float
    ms_move: float | None
    ms_turn: float | None
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Standings:
    """The result. ``rounds``: turns of the first seat; ``unfinished``: games scored as they stood."""

    games: int
    blocks: int  # complete ones
    entrants: tuple[Row, ...]
    seats: tuple[Row, ...]
    rounds: Estimate
    winner_points: float
    unfinished: int
    shared_wins: int

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Played:
    """What the statistics need of a game. Tuples are by seat; ``decisions``: those that were asked for."""

    number: int
    block: int
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    shares: tuple[float, ...]
    turns: tuple[int, ...]
    decisions: tuple[int, ...]
    ms: tuple[float, ...]
    faults: tuple[Fault, ...]
    ended: str


def played(fixture: Fixture, record: GameRecord) -> Played:
    """The digest of a game; raises RecordError if it doesn't replay."""
    seats = len(record.seats)
    turns, decisions, ms, last = [0] * seats, [0] * seats, [0.0] * seats, -1
    for position, event in record.replay():
        seat = position.to_act
        if seat < 0:
            continue
        turns[position.mover] += position.mover != last
        decisions[seat] += event.ms is not None
        ms[seat] += event.ms or 0.0
        last = position.mover
    return Played(
        number=fixture.number,
        block=fixture.block,
        seating=fixture.seating,
        scores=record.scores,
        ranks=record.ranks,
        shares=record.shares,
        turns=tuple(turns),
        decisions=tuple(decisions),
        ms=tuple(ms),
        faults=record.faults,
        ended=record.ended,
    )


def standings(plan: MatchPlan, games: Iterable[Played]) -> Standings:
    """The result of the games, in whatever order they come. Entrants of one name are counted together."""
    results = sorted(games, key=lambda game: game.number)
    if not results:
        raise ValueError("no game was played")
    complete = _complete_blocks(results, plan.block_size)
    names = list(dict.fromkeys(plan.entrants))
    by_name = [[_seats_of(game, plan, name) for game in results] for name in names]
    by_seat = [[(seat,) for _ in results] for seat in range(len(plan.entrants))]
    return Standings(
        games=len(results),
        blocks=len(complete),
        entrants=tuple(_row(*each, results, complete) for each in zip(names, by_name, strict=True)),
        seats=tuple(_row(f"p{i + 1}", seats, results, complete) for i, seats in enumerate(by_seat)),
        rounds=_estimate([float(game.turns[0]) for game in results], results, complete),
        winner_points=_mean([max(game.scores) for game in results]),
        unfinished=sum(game.ended != "over" for game in results),
        shared_wins=sum(game.ranks.count(1) > 1 for game in results),
    )


def _seats_of(game: Played, plan: MatchPlan, name: str) -> tuple[int, ...]:
    return tuple(seat for seat, entrant in enumerate(game.seating) if plan.entrants[entrant] == name)


def _complete_blocks(results: Sequence[Played], size: int) -> list[int]:
    counts: dict[int, int] = {}
    for game in results:
        counts[game.block] = counts.get(game.block, 0) + 1
    return [block for block, count in counts.items() if count == size]


def _row(
    name: str, seats: Sequence[tuple[int, ...]], results: Sequence[Played], complete: Sequence[int]
) -> Row:
    pairs = list(zip(results, seats, strict=True))
    turns = sum(game.turns[seat] for game, mine in pairs for seat in mine)
    decisions = sum(game.decisions[seat] for game, mine in pairs for seat in mine)
    ms = sum(game.ms[seat] for game, mine in pairs for seat in mine)
    kinds = [fault.kind for game, mine in pairs for fault in game.faults if fault.seat in mine]
    return Row(
        name=name,
        seats=len(seats[0]),
        share=_estimate([_over(game.shares, mine) for game, mine in pairs], results, complete),
        points=_estimate([_over(game.scores, mine) for game, mine in pairs], results, complete),
        rank=_mean([_over(game.ranks, mine) for game, mine in pairs]),
        turns=turns / sum(len(mine) for mine in seats),
        ms_move=ms / decisions if decisions else None,
        ms_turn=ms / turns if turns and decisions else None,
        faults={kind: kinds.count(kind) for kind in KINDS if kind in kinds},
    )


def _over(values: Sequence[float], seats: Sequence[int]) -> float:
    return sum(values[seat] for seat in seats) / len(seats)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _estimate(values: Sequence[float], results: Sequence[Played], complete: Sequence[int]) -> Estimate:
    """The mean over all games, with the standard error over the complete blocks."""
    blocks: dict[int, list[float]] = {block: [] for block in complete}
    for value, game in zip(values, results, strict=True):
        if game.block in blocks:
            blocks[game.block].append(value)
    means = [_mean(block) for block in blocks.values()]
    if len(means) < 2:
        return Estimate(_mean(values))
    centre = _mean(means)
    variance = sum((mean - centre) ** 2 for mean in means) / (len(means) - 1)
    return Estimate(_mean(values), math.sqrt(variance / len(means)))
