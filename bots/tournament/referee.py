"""The referee: an engine that knows the rules, so that the tournament needn't; a second one checks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from serai.bots.tournament.keeper import Keeper
from serai.bots.tournament.outcome import EXACT
from serai.core.errors import SeraiError
from serai.protocol.client import Engine, EngineError, EngineTerminated, EngineTimeout, Patience
from serai.protocol.messages import parse_error, parse_seat, split

TRIES: Final = 2  # a referee is stateless: one that has died is started again and asked again


class RefereeError(SeraiError):
    """The referee can't do its work; no seat is to blame."""


class AuditError(SeraiError):
    """Two referees disagree. ``reproducer``: lines for each of them that show it."""

    def __init__(self, message: str, reproducer: str) -> None:
        super().__init__(message)
        self.reproducer = reproducer

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.reproducer)


@dataclass(frozen=True)
class Situation:
    """Who decides (None: the game is over), what can be done, and whose turn it is."""

    seat: int | None
    legal: tuple[str, ...]
    mover: int | None


@dataclass(frozen=True)
class Ending:
    """How a game stands: points and places by seat, and all events so far, chance included."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    events: tuple[str, ...]


class Referee(Keeper):
    """A process that is asked about positions, each given in full by its line."""

    def __init__(self, argv: Sequence[str], patience: float) -> None:
        super().__init__()
        self._argv = list(argv)
        self._patience = Patience(timeout=patience, stall=patience)

    async def situation(self, line: str) -> Situation:
        """Who decides at a position, what, and in whose turn: its own, if the referee can't tell."""
        queries = [line, "query turn", "query legal", "query mover"]
        turn, legal, mover = await self._ask(queries, 3, optional=1)
        if turn == ["none"]:
            return Situation(None, (), None)
        seat = parse_seat(turn[0]) if turn else None
        if seat is None or len(legal) < 2 or legal[0] != str(len(legal) - 1):
            raise RefereeError(
                f"the referee says turn {' '.join(turn):.40}, legal {' '.join(legal):.80} at {line[-200:]}"
            )
        owner = parse_seat(mover[0]) if mover else None
        return Situation(seat, tuple(legal[1:]), seat if owner is None else owner)

    async def view(self, line: str, seat: int) -> str:
        """The position command for the engine of a seat."""
        (words,) = await self._ask([line, f"query view p{seat + 1}"], 1)
        if words[:2] != ["view", f"p{seat + 1}"]:
            raise RefereeError(f"the referee's view of p{seat + 1} is {' '.join(words):.80}")
        return f"position {' '.join(words)}"

    async def ending(self, line: str, seats: int) -> Ending:
        """How a game stands."""
        queries = [line, "query scores", "query ranks", "query history"]
        scores, ranks, events = await self._ask(queries, 3)
        try:
            points, places = [int(word) for word in scores], [int(word) for word in ranks]
        except ValueError:
            points, places = [], []
        sound = len(points) == seats and all(abs(each) <= EXACT for each in points)
        if not sound or len(places) != seats or not set(places) <= set(range(1, seats + 1)):
            raise RefereeError(f"the referee says scores {scores!r:.80}, ranks {ranks!r:.80}")
        return Ending(tuple(points), tuple(places), tuple(events[1:]))

    async def foresee(self, line: str, move: str, seat: int) -> tuple[str, Situation] | None:
        """The view after a move that may come, if it is legal and that seat decides then; else None.

        None, too, if something is dealt after the move: the seat would see it before its time.
        """
        expected = f"{line} {move}"
        try:
            situation = await self.situation(expected)
            if situation.seat != seat or await self._dealt(expected) != await self._dealt(line):
                return None
            return await self.view(expected, seat), situation
        except RefereeError:
            return None

    async def _dealt(self, line: str) -> int:
        """How many chance events there have been."""
        (words,) = await self._ask([line, "query history"], 1)
        return sum(word.startswith("~") for word in words)

    async def _ask(self, commands: Sequence[str], answers: int, optional: int = 0) -> list[list[str]]:
        """The words of the answers, one line for each query; the last ``optional`` ones may be errors."""
        for attempt in range(TRIES):
            try:
                engine = await self.engine()
                lines = await engine.ask(commands)
                break
            except (EngineTimeout, EngineTerminated) as error:
                if attempt == TRIES - 1:
                    raise RefereeError(f"the referee failed: {error}") from None
            except EngineError as error:
                raise RefereeError(f"the referee failed: {error}") from None
        wrong = next((line for line in lines[: len(lines) - optional] if parse_error(line)), None)
        if wrong is not None or len(lines) != answers:
            raise RefereeError(f"the referee says {(wrong or lines)!r:.200} to {commands[0][-200:]}")
        return [split(line)[1:] for line in lines]

    async def engine(self) -> Engine:
        """Its engine, running; raises EngineError."""
        if self._engine is None:
            return await self._popen(self._argv, self._patience)
        return self._engine


class Audit:
    """A second referee, which hears the events as they were and must agree with the first."""

    def __init__(self, argv: Sequence[str], patience: float) -> None:
        self._second = Referee(argv, patience)

    async def check(self, first: Referee, line: str, bare: str, seats: int) -> None:
        """Compare both referees at a position; ``bare``: the spec without its seed. Raises AuditError."""
        mine = await _opinion(first, line, seats)
        told = await first.ending(line, seats)
        second = f"position fen {bare}" + (f" moves {' '.join(told.events)}" if told.events else "")
        theirs = await _opinion(self._second, second, seats)
        if mine == theirs:
            return
        names = [name for name in mine if mine[name] != theirs[name]]
        said = "; ".join(f"{name}: {mine[name]!r:.300} against {theirs[name]!r:.300}" for name in names)
        raise AuditError(f"the referees disagree about {said}", _reproducer(line, second, names))

    def cut(self) -> None:
        """End it at once."""
        self._second.cut()

    async def close(self) -> None:
        """End it."""
        await self._second.close()


async def _opinion(referee: Referee, line: str, seats: int) -> dict[str, object]:
    """What a referee says of a position; an error is an opinion too."""
    try:
        situation, ending = await referee.situation(line), await referee.ending(line, seats)
    except RefereeError as error:
        return {"turn": str(error), "legal": None, "scores": None, "ranks": None}
    over = situation.seat is None
    return {
        "turn": situation.seat,
        "legal": sorted(situation.legal),
        "scores": ending.scores,
        "ranks": ending.ranks if over else None,
    }


def _reproducer(first: str, second: str, names: Sequence[str]) -> str:
    queries = "".join(f"query {name}\n" for name in names)
    return f"# to the referee\n{first}\n{queries}# to the audit\n{second}\n{queries}"
