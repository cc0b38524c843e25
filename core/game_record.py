"""One game as it was played: what was dealt and decided, how long it took, how it ended."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from serai.core.errors import IllegalAction, NotationError, RecordError, SetupError
from serai.core.spec import parse_spec

if TYPE_CHECKING:
    from serai.core.game import Position

VERSION: Final = 1
ENDINGS: Final = ("over", "max-plies", "stopped")
MAX_TEXT: Final = 65_536 + 1000  # characters of any one text; a spec may hold a snapshot
MAX_SEATS: Final = 9


@dataclass(frozen=True)
class Event:
    """A decision or chance event.

    ``ms``: wall time it took; ``win``: the bot's own estimate, per seat; ``own``: the time it says it took.
    """

    token: str
    ms: float | None = None
    win: tuple[float, ...] | None = None
    own: float | None = None


@dataclass(frozen=True)
class Fault:
    """A seat did what it must not; ``event``: index of the event that was played instead.

    ``stderr``: the last that an engine said there.
    """

    seat: int
    event: int
    kind: str
    detail: str = ""
    stderr: str = ""


@dataclass(frozen=True)
class GameRecord:
    """A whole game. ``events`` holds chance events too, so it replays without the seed.

    ``ended``: ``over``, or ``max-plies`` or ``stopped`` for a game that was broken off and scored as it
    stood. ``tags``: whatever else the match wants to remember.
    """

    spec: str
    seats: tuple[str, ...]
    events: tuple[Event, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    ended: str = "over"
    faults: tuple[Fault, ...] = ()
    engine: str = ""
    date: str = ""
    tags: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of the win of each seat."""
        winners = self.ranks.count(1)
        return tuple(1 / winners if rank == 1 else 0.0 for rank in self.ranks)

    def replay(self) -> Iterator[tuple[Position, Event]]:
        """The position before each event, and the event; raises RecordError where the rules refuse one."""
        from serai.core.games import load

        played = 0
        try:
            position = load(dataclasses.replace(parse_spec(self.spec), seed=None)).start()
            for event in self.events:
                yield position, event
                position = position.apply(event.token)
                played += 1
        except (NotationError, IllegalAction, SetupError) as error:
            raise RecordError(f"event {played + 1}: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for msgpack and JSON."""
        return {
            "version": VERSION,
            "spec": self.spec,
            "seats": list(self.seats),
            "events": [_event_data(event) for event in self.events],
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "ended": self.ended,
            "faults": [_fault_data(fault) for fault in self.faults],
            "engine": self.engine,
            "date": self.date,
            "tags": dict(self.tags),
        }

    @classmethod
    def from_dict(cls, data: object) -> GameRecord:
        """The reverse of :meth:`to_dict`, for data of any origin; raises RecordError."""
        fields = _Fields(data)
        if fields.integer("version") != VERSION:
            raise RecordError(f"format {fields.integer('version')}; only {VERSION} is known")
        seats = tuple(fields.texts("seats"))
        record = cls(
            spec=fields.text("spec"),
            seats=seats,
            events=tuple(_event(item, len(seats)) for item in fields.items("events")),
            scores=tuple(fields.integers("scores")),
            ranks=tuple(fields.integers("ranks")),
            ended=fields.text("ended"),
            faults=tuple(_fault(item) for item in fields.items("faults")),
            engine=fields.text("engine"),
            date=fields.text("date"),
            tags=fields.tags("tags"),
        )
        record._check()
        return record

    def _check(self) -> None:
        seats = len(self.seats)
        if not 1 <= seats <= MAX_SEATS:
            raise RecordError(f"{seats} seats; there are 1 to {MAX_SEATS}")
        if len(self.scores) != seats or len(self.ranks) != seats:
            raise RecordError(f"{seats} seats, {len(self.scores)} scores and {len(self.ranks)} ranks")
        if self.ended not in ENDINGS:
            raise RecordError(f"ended is {self.ended!r:.40}, must be one of {', '.join(ENDINGS)}")
        if any(not 0 <= f.seat < seats or not 0 <= f.event <= len(self.events) for f in self.faults):
            raise RecordError("a fault of a seat or at an event that isn't there")


def _event_data(event: Event) -> list[Any]:
    whole: list[Any] = [event.token, event.ms, None if event.win is None else list(event.win), event.own]
    while whole[-1] is None:
        whole.pop()
    return whole


def _fault_data(fault: Fault) -> dict[str, Any]:
    data = dataclasses.asdict(fault)
    return data if fault.stderr else {key: value for key, value in data.items() if key != "stderr"}


def _event(data: object, seats: int) -> Event:
    if not isinstance(data, list) or not 1 <= len(data) <= 4:
        raise RecordError(f"an event must be a list of 1 to 4 items, not {data!r:.60}")
    token, ms, win, own = [*data, None, None, None][:4]
    if not isinstance(token, str) or not 0 < len(token) <= 1000:
        raise RecordError(f"an event's token must be text, not {token!r:.60}")
    for time in (ms, own):
        if time is not None and not _is_number(time):
            raise RecordError(f"the time of an event must be a number, not {time!r:.60}")
    if win is None:
        return Event(token, ms, None, own)
    if not isinstance(win, list) or len(win) != seats or not all(map(_is_number, win)):
        raise RecordError(f"an estimate must be {seats} numbers, not {win!r:.60}")
    return Event(token, ms, tuple(win), own)


def _fault(data: object) -> Fault:
    fields = _Fields(data)
    return Fault(
        fields.integer("seat"),
        fields.integer("event"),
        fields.text("kind"),
        fields.text("detail"),
        fields.text("stderr") if "stderr" in fields else "",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class _Fields:
    """Checked access to a map of unknown origin."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, dict):
            raise RecordError(f"a map is expected, not {data!r:.60}")
        self._data = data

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def _get(self, key: str, kind: type) -> Any:
        value = self._data.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RecordError(f"{key} must be {kind.__name__}, not {value!r:.60}")
        return value

    def text(self, key: str) -> str:
        value: str = self._get(key, str)
        return _short(key, value)

    def integer(self, key: str) -> int:
        return _bounded(key, self._get(key, int))

    def items(self, key: str) -> list[Any]:
        items: list[Any] = self._get(key, list)
        return items

    def texts(self, key: str) -> list[str]:
        return [_short(key, item) for item in self.items(key)]

    def integers(self, key: str) -> list[int]:
        return [_bounded(key, item) for item in self.items(key)]

    def tags(self, key: str) -> dict[str, str | int]:
        tags = self._get(key, dict)
        return {_short(key, name): _tag(key, value) for name, value in tags.items()}


def _tag(key: str, value: object) -> str | int:
    return _bounded(key, value) if isinstance(value, int) else _short(key, value)


def _short(key: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise RecordError(f"{key} must be text of at most {MAX_TEXT} characters, not {value!r:.60}")
    return value


def _bounded(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**63:
        raise RecordError(f"{key} must be a whole number, not {value!r:.60}")
    return value


# ---- for people


@dataclass(frozen=True)
class Turn:
    """What was decided in a seat's turn, with the chance events in it; ``seat`` is CHANCE for the set-up.

    ``tokens``: of the events, with ``pK:`` before those of other seats.
    """

    seat: int
    position: Position
    events: list[Event]
    tokens: list[str]


def turns(record: GameRecord) -> Iterator[Turn]:
    """The game turn by turn; raises RecordError, after the turns before it, where it can't be replayed."""
    turn: Turn | None = None
    try:
        for position, event in record.replay():
            mover = position.mover
            if turn is None or (mover >= 0 and mover != turn.seat):
                if turn is not None:
                    yield turn
                turn = Turn(mover, position, [], [])
            turn.events.append(event)
            turn.tokens.append(told_event(position, event.token))
    except RecordError:
        if turn is not None:
            yield turn
        raise
    if turn is not None:
        yield turn


def told_event(position: Position, token: str) -> str:
    """The next event of a position, with the seat before it that decides in another's turn."""
    aside = position.to_act != position.mover and not token.startswith("~")
    return f"p{position.to_act + 1}:{token}" if aside else token


def told_events(before: Position, after: Position) -> list[str]:
    """A decision and the chance events after it, with the seat as in `told_event`."""
    decision, *chances = after.history_since(len(before.history))
    return [told_event(before, decision), *chances]


def to_text(record: GameRecord) -> str:
    """The game as text: a line for each turn, what it did in words, and how it ended."""
    head = [f"{record.spec}   {record.date}   {record.engine}".rstrip()]
    seats = [f"p{i + 1}  {name}" for i, name in enumerate(record.seats)]
    return "\n".join([*head, *seats, "", *_turn_lines(record), "", *_result_lines(record)])


def _turn_lines(record: GameRecord) -> list[str]:
    lines: list[str] = []
    number = 0
    try:
        for turn in turns(record):
            tokens = " ".join(turn.tokens)
            number += turn.seat >= 0
            lines.append(f"{number:>4}  p{turn.seat + 1}  {tokens}" if turn.seat >= 0 else f"      {tokens}")
            if turn.seat >= 0:
                lines[-1] = f"{lines[-1]:<44}  {turn.position.describe(turn.events[0].token)}"
    except RecordError as error:
        return [*lines, f"the game can't be replayed: {error}", " ".join(e.token for e in record.events)]
    return lines


def _result_lines(record: GameRecord) -> list[str]:
    order = sorted(range(len(record.seats)), key=lambda i: record.ranks[i])
    ending = {"over": "result", "max-plies": "broken off, as it stands", "stopped": "stopped, as it stands"}
    lines = [f"{ending[record.ended]}:"]
    lines += [f"  {record.ranks[i]}.  p{i + 1} {record.seats[i]}  {record.scores[i]} points" for i in order]
    lines += [f"  fault of p{f.seat + 1} at event {f.event + 1}: {f.kind} {f.detail}" for f in record.faults]
    return lines
