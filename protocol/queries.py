"""Questions about a position: one line in, one line out (README, section "query")."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from serai.core.errors import HiddenInformation, IllegalAction, NotationError
from serai.core.game import CHANCE, GAME_OVER
from serai.protocol.commands import CommandError
from serai.protocol.messages import format_error, parse_seat, printable, seat_name

if TYPE_CHECKING:
    from serai.core.game import Position

Query = Callable[["Position", Sequence[str]], str]


def answer(position: Position | None, name: str, arguments: Sequence[str]) -> str:
    """The line that answers ``query name arguments``; never raises for what was asked."""
    query = QUERIES.get(name.lower())
    if query is None:
        return format_error("unknown-query", f"{printable(name)}; there are: {_words([*QUERIES, 'options'])}")
    try:
        if position is None:
            raise CommandError("no-position", f"query {name}")
        return f"response {query(position, arguments)}".rstrip()
    except HiddenInformation as error:
        return f"response {format_error('hidden', str(error))}"
    except (CommandError, IllegalAction, NotationError) as error:
        return f"response {format_error(error.code, str(error))}"


# ---- arguments


def _seat(position: Position, arguments: Sequence[str]) -> int:
    """The seat named by the only argument, if the position may answer for it."""
    if len(arguments) != 1:
        raise CommandError("syntax", "this query takes a seat, p1 to p9")
    seat = parse_seat(arguments[0])
    if seat is None or seat >= position.seats:
        raise CommandError("bad-value", f"{arguments[0]} is none of the {position.seats} seats")
    if position.viewer not in (-1, seat):
        raise HiddenInformation(
            f"a view of {seat_name(position.viewer)} doesn't show what {arguments[0]} sees"
        )
    return seat


def _full(position: Position) -> Position:
    """The position, if it is no view."""
    if position.viewer >= 0:
        raise HiddenInformation(f"this is a view of {seat_name(position.viewer)}")
    return position


def _move(position: Position, arguments: Sequence[str]) -> str:
    """The event named by the only argument, its seat checked and stripped."""
    if len(arguments) != 1:
        raise CommandError("syntax", "this query takes one event")
    seat, colon, move = arguments[0].partition(":")
    if arguments[0].startswith("~") or not colon:
        return arguments[0]
    if parse_seat(seat) != position.to_act:
        raise CommandError("wrong-seat", f"{arguments[0]}: to act is {_turn(position, ())}")
    return move


def _words(values: Sequence[object]) -> str:
    return " ".join(map(str, values))


def _counted(values: Sequence[str]) -> str:
    return _words([len(values), *values])


# ---- answers, in the order of the README


def _gameover(position: Position, _: Sequence[str]) -> str:
    return str(position.is_over).lower()


def _p1turn(position: Position, _: Sequence[str]) -> str:
    return str(position.to_act == 0).lower()


def _result(position: Position, _: Sequence[str]) -> str:
    if not position.is_over:
        return "none"
    ranks = position.ranks()
    return f"{seat_name(ranks.index(1))}win" if ranks.count(1) == 1 else "draw"


def _players(position: Position, _: Sequence[str]) -> str:
    return str(position.seats)


def _turn(position: Position, _: Sequence[str]) -> str:
    return {CHANCE: "chance", GAME_OVER: "none"}.get(position.to_act) or seat_name(position.to_act)


def _mover(position: Position, _: Sequence[str]) -> str:
    return seat_name(position.mover) if position.mover >= 0 else _turn(position, ())


def _scores(position: Position, _: Sequence[str]) -> str:
    return _words(position.scores())


def _ranks(position: Position, _: Sequence[str]) -> str:
    return _words(position.ranks())


def _returns(position: Position, _: Sequence[str]) -> str:
    return _words([f"{share:.3f}" for share in position.returns()])


def _legal(position: Position, arguments: Sequence[str]) -> str:
    if arguments:
        seat = parse_seat(arguments[0])
        if seat is None or seat >= position.seats or len(arguments) > 1:
            raise CommandError("bad-value", f"{' '.join(arguments)} is none of the {position.seats} seats")
        if seat != position.to_act:
            return "0"
    return _counted(position.legal_tokens() if position.to_act >= 0 else [])


def _islegal(position: Position, arguments: Sequence[str]) -> str:
    try:
        position.action(_move(position, arguments))
    except (IllegalAction, NotationError):
        return "false"
    except CommandError as error:
        if error.code != "wrong-seat":
            raise
        return "false"
    return "true"


def _describe(position: Position, arguments: Sequence[str]) -> str:
    return _words(str(position.describe(_move(position, arguments))).split())


def _chance(position: Position, _: Sequence[str]) -> str:
    return _counted([f"{token}@{probability:.9g}" for token, probability in position.outcomes()])


def _fen(position: Position, _: Sequence[str]) -> str:
    return _full(position).spec


def _view(position: Position, arguments: Sequence[str]) -> str:
    return position.view_text(_seat(position, arguments))


def _history(position: Position, arguments: Sequence[str]) -> str:
    if not arguments:
        return _counted(position.history)
    return _counted(position.view(_seat(position, arguments)).history)


def _observation(position: Position, arguments: Sequence[str]) -> str:
    seat = _seat(position, arguments)
    return json.dumps({"seat": seat + 1, **position.view(seat).state()}, separators=(",", ":"))


def _state(position: Position, _: Sequence[str]) -> str:
    return json.dumps(_full(position).state(), separators=(",", ":"))


def _hash(position: Position, _: Sequence[str]) -> str:
    return f"{position.hash:016x}"


QUERIES: dict[str, Query] = {
    "gameover": _gameover,
    "p1turn": _p1turn,
    "result": _result,
    "players": _players,
    "turn": _turn,
    "mover": _mover,
    "scores": _scores,
    "ranks": _ranks,
    "returns": _returns,
    "legal": _legal,
    "islegal": _islegal,
    "describe": _describe,
    "chance": _chance,
    "fen": _fen,
    "view": _view,
    "history": _history,
    "observation": _observation,
    "state": _state,
    "hash": _hash,
}
