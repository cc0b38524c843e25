"""The journal: a record file that begins with the plan and has one record for each finished game.

It is the only truth: everything else is computed from it. Reading one starts nothing and believes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from serai.bots.guard import KINDS
from serai.bots.time_control import LONGEST
from serai.bots.tournament.outcome import EXACT, Outcome
from serai.bots.tournament.plan import MOST_GAMES, FaultPolicy, Plan, as_data
from serai.bots.tournament.plan_file import plan_of
from serai.bots.tournament.schedule import Block, block_at, block_size
from serai.core.errors import RecordError, SetupError
from serai.core.game_record import Event, GameRecord
from serai.core.record import RecordReader, RecordWriter, unpack

KIND: Final = "tournament"
VERSION: Final = 1
MOST_TEXT: Final = 10_000  # characters of what an engine says of itself


@dataclass(frozen=True)
class JournalContent:
    """What a journal holds. ``records`` and ``outcomes`` are of the same games, one for each, in file order.

    ``engines``: what was found out about each entrant's engine. ``notes``: what could not be read or used.
    """

    plan: Plan
    date: str
    engines: list[dict[str, str]]
    records: list[GameRecord] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def block_size(self) -> int:
        """Games of a block."""
        return block_size(self.plan)

    @property
    def done(self) -> set[tuple[int, int]]:
        """(block, game) of the games that are there."""
        return {(outcome.block, outcome.game) for outcome in self.outcomes}


class Journal:
    """A journal that is written to; at most one process at a time. Raises RecordError, SetupError."""

    def __init__(
        self, path: str | os.PathLike[str], plan: Plan, engines: Sequence[Mapping[str, str]]
    ) -> None:
        """Open a journal of this plan, or begin one where there is no file or an empty one."""
        self.path = Path(path)
        self._writer = RecordWriter(self.path)
        self.repaired = self._writer.repaired
        """Bytes of a record that a crash had cut short, and that were removed."""
        try:
            if self.path.stat().st_size == 0:
                self._writer.write(_header(plan, engines))
            else:
                _check_same(plan, read_journal(self.path).plan, self.path)
        except BaseException:
            self._writer.close()
            raise

    def write(self, record: GameRecord) -> None:
        """Append a finished game; it is on the disk when this returns."""
        self._writer.write(record)

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


def _header(plan: Plan, engines: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {
        "kind": KIND,
        "version": VERSION,
        "plan": as_data(plan),
        "engines": [dict(engine) for engine in engines],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "manager": f"Serai {metadata.version('serai')}",
    }


def _check_same(plan: Plan, other: Plan, path: Path) -> None:
    if plan.identity == other.identity:
        return
    mine, theirs = as_data(plan), as_data(other)
    names = [name for name in {**mine, **theirs} if repr(mine.get(name)) != repr(theirs.get(name))]
    names = [name for name in names if name not in ("games", "audit")]
    raise SetupError(
        f"{path} is the journal of another tournament; it differs in: {' '.join(names)}. "
        "Give another file, or the same settings"
    )


def read_journal(path: str | os.PathLike[str]) -> JournalContent:
    """Read a journal to its end; raises RecordError for a file that is none."""
    reader = RecordReader(path)
    content: JournalContent | None = None
    shelf: _Shelf | None = None
    notes: list[str] = []
    for place, payload in reader.frames():
        try:
            data = unpack(payload)
            if content is None:
                content = _content(data, path)
                shelf = _Shelf(content)
            elif shelf is not None and "kind" not in data:
                shelf.take(GameRecord.from_dict(data))
        except RecordError as error:
            if content is None:
                raise
            notes.append(f"at byte {place}: {error}")
    if content is None:
        raise RecordError(f"{path} is no tournament's journal: it is empty")
    content.notes.extend([*notes, *reader.notes])
    return content


def _content(data: object, path: str | os.PathLike[str]) -> JournalContent:
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise RecordError(f"{path} is no tournament's journal: it doesn't begin with a plan")
    if data.get("version") != VERSION:
        raise RecordError(f"{path}: format {data.get('version')!r:.20}; only {VERSION} is known")
    try:
        plan = plan_of(data.get("plan"), f"{path}: its plan")
    except SetupError as error:
        raise RecordError(str(error)) from None
    return JournalContent(plan, str(data.get("date"))[:40], _engines(data.get("engines")))


def _engines(data: object) -> list[dict[str, str]]:
    items = data if isinstance(data, list) else []
    return [
        {str(key)[:40]: str(value)[:MOST_TEXT] for key, value in item.items()}
        for item in items
        if isinstance(item, dict)
    ]


class _Shelf:
    """Where the games of a journal are put, each once."""

    def __init__(self, content: JournalContent) -> None:
        self._content = content
        self._identity, self._size = content.plan.identity, block_size(content.plan)
        self._seen: set[tuple[int, int]] = set()

    def take(self, record: GameRecord) -> None:
        """Add a game; raises RecordError if it isn't one of the plan, or is there already."""
        plan = self._content.plan
        number, game = self._place(record)
        if (number, game) in self._seen:
            raise RecordError(f"game {game} of block {number} for the second time")
        block = block_at(plan, number)
        if record.seats != tuple(plan.names[entrant] for entrant in block.seatings[game]):
            raise RecordError(f"game {game} of block {number}, but others sat there")
        outcome = outcome_of(record, block, game, plan.faults)
        self._seen.add((number, game))
        self._content.records.append(record)
        self._content.outcomes.append(outcome)

    def _place(self, record: GameRecord) -> tuple[int, int]:
        """Its block, and its number in there."""
        number, game = record.tags.get("block"), record.tags.get("game")
        if (
            record.tags.get("tournament") != self._identity
            or not isinstance(number, int)
            or not isinstance(game, int)
            or not 0 <= number < MOST_GAMES  # more than the plan wanted at first may have been played
            or not 0 <= game < self._size
        ):
            raise RecordError("a game that isn't of this tournament")
        return number, game


def outcome_of(record: GameRecord, block: Block, game: int, policy: FaultPolicy) -> Outcome:
    """What counts of a game; raises RecordError for one that can't be of this block."""
    seating = block.seatings[game]
    seats = len(seating)
    if len(record.seats) != seats:
        raise RecordError(f"a game of {len(record.seats)} seats; the tournament has {seats}")
    faults = [(fault.seat, fault.kind) for fault in record.faults]
    if any(kind not in KINDS for _, kind in faults):
        raise RecordError("a fault of an unknown kind")
    ranks = counted_ranks(record.ranks, [seat for seat, kind in faults if policy.of(kind) == "rank-last"])
    best = ranks.count(1)
    turns, decisions, wall, own = _effort(record, seats)
    if not all(abs(figure) <= EXACT for figure in (*record.scores, *wall)):
        raise RecordError("points or times beyond 2^53")
    return Outcome(
        block=block.number,
        game=game,
        seating=seating,
        scores=record.scores,
        ranks=ranks,
        shares=tuple(1 / best if rank == 1 else 0.0 for rank in ranks),
        turns=turns,
        decisions=decisions,
        wall=wall,
        own=own,
        faults=tuple(faults),
        ended=record.ended,
        void=any(policy.of(kind) in ("void", "abort") for _, kind in faults),
    )


def counted_ranks(ranks: Sequence[int], last: Iterable[int]) -> tuple[int, ...]:
    """Ranks after some seats were put last, level with each other; the order of the others stands.

    >>> counted_ranks((1, 2, 3), [0])
    (3, 1, 2)
    """
    worst = set(last)
    keys = [(seat in worst, 0 if seat in worst else rank) for seat, rank in enumerate(ranks)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def _seats_in(record: GameRecord, tag: str, seats: int) -> Iterator[int]:
    """The seats that a tag names, a digit for each decision; raises RecordError after the last one."""
    for digit in str(record.tags.get(tag, "")):
        if not digit.isdecimal() or int(digit) >= seats:
            break
        yield int(digit)
    raise RecordError("its decisions don't say whose they are")


def _effort(
    record: GameRecord, seats: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...], tuple[float | None, ...]]:
    """By seat: turns, decisions that were asked for, milliseconds of them, and those by its own clock.

    Whose a decision is, the record's tag ``movers`` says, a digit for each, and ``turns`` in whose turn it
    was made; without that, in its own. One without a time of the engine's own counts with ours.
    """
    turns, decisions, wall = [0] * seats, [0] * seats, [0.0] * seats
    own, says = [0.0] * seats, [False] * seats
    movers = _seats_in(record, "movers", seats)
    owners = _seats_in(record, "turns" if "turns" in record.tags else "movers", seats)
    last = -1
    for event in record.events:
        if event.token.startswith("~"):
            continue
        seat, owner = next(movers), next(owners)
        turns[owner] += owner != last
        last = owner
        if event.ms is not None:
            said = _said(event)
            decisions[seat] += 1
            wall[seat] += event.ms
            own[seat] += event.ms if said is None else said
            says[seat] |= said is not None
    reported = tuple(time if told else None for time, told in zip(own, says, strict=True))
    return tuple(turns), tuple(decisions), tuple(wall), reported


def _said(event: Event) -> float | None:
    """The time that an engine says a decision took; none if it says what can't be."""
    return event.own if event.own is not None and 0 <= event.own <= 1000 * LONGEST else None
