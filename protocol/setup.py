"""Positions from commands: what ``position`` sets up, and what ``go`` needs of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from serai.core.errors import HiddenInformation, IllegalAction, NotationError, SetupError
from serai.core.game import CHANCE
from serai.core.games import load
from serai.core.spec import Spec, decode_snapshot, parse_spec
from serai.protocol.commands import CommandError, GoCommand, PositionCommand
from serai.protocol.messages import printable, seat_name

if TYPE_CHECKING:
    from serai.core.game import Game, Position

_SHOWN: Final = 8  # legal moves named in a refusal


def set_up(command: PositionCommand, startpos: str) -> Position:
    """The position a command describes; raises CommandError."""
    try:
        start = _start(command, startpos)
    except (NotationError, IllegalAction) as error:
        raise CommandError(error.code, str(error)) from None
    except SetupError as error:
        raise CommandError("bad-players" if "players" in str(error) else "bad-value", str(error)) from None
    try:
        return start.replay(command.moves)
    except (NotationError, IllegalAction, HiddenInformation) as error:
        raise CommandError(getattr(error, "code", "hidden"), _place(command, error)) from None


def _start(command: PositionCommand, startpos: str) -> Position:
    spec = parse_spec(startpos if command.spec is None else command.spec)
    game = _game(replace(spec, state=None))
    if command.seat is None:
        if spec.state is None:
            return game.start()
        return game.from_state(decode_snapshot(spec.state), seed=spec.seed)
    if spec.seed is not None:
        raise CommandError("seed-in-view", "a view shows what a seat has seen; the seed would show the rest")
    if command.seat >= spec.players:
        raise CommandError("bad-value", f"p{command.seat + 1} is none of the {spec.players} seats")
    if spec.state is None:
        return game.start().view(command.seat)
    return game.from_state(decode_snapshot(spec.state), viewer=command.seat)


def _game(spec: Spec) -> Game:
    """The game of a spec; one object for one spec, since it comes with every ``position``."""
    return load(spec) if spec.components is not None else _shipped_game(spec)


@lru_cache(maxsize=8)
def _shipped_game(spec: Spec) -> Game:
    return load(spec)


def _place(command: PositionCommand, error: Exception) -> str:
    """``at=I token=T`` of the event that failed, counted from 1, and why."""
    at: int = getattr(error, "at", 0)
    token = command.moves[at] if at < len(command.moves) else "?"
    why = str(error).removeprefix(token).lstrip(": ")
    return f"at={at + 1} token={printable(token)} {why}"


# ---- what a go command needs


def decision(position: Position | None) -> Position:
    """The position, if there is a decision to make that it shows; raises CommandError."""
    if position is None:
        raise CommandError("no-position", "go")
    if position.is_over:
        raise CommandError("game-over", "go")
    if position.to_act == CHANCE:
        raise CommandError("chance-node", "go")
    if position.viewer not in (-1, position.to_act):
        viewer, mover = seat_name(position.viewer), seat_name(position.to_act)
        raise CommandError("not-your-turn", f"go: this is a view of {viewer}; {mover} is to act")
    return position


def legal_searchmoves(position: Position, command: GoCommand) -> tuple[str, ...] | None:
    """The legal ones of the moves to search, None for all; raises CommandError if none is legal."""
    if command.searchmoves is None:
        return None
    legal, mover = position.legal_tokens(), f"{seat_name(position.to_act)}:"
    named = dict.fromkeys(token.removeprefix(mover) for token in command.searchmoves)
    known = set(legal)
    moves = tuple(token for token in named if token in known)
    if not moves:
        raise CommandError("no-searchmoves", f"go: none of them is legal; legal: {_some(legal)}")
    return moves


def _some(tokens: Sequence[str]) -> str:
    """A few of the tokens, and where the others are."""
    more = "" if len(tokens) <= _SHOWN else f" … (query legal: all {len(tokens)})"
    return " ".join(tokens[:_SHOWN]) + more


def chance_node(position: Position | None) -> Position:
    """The position, if a chance event comes next and may be drawn; raises CommandError."""
    if position is None:
        raise CommandError("no-position", "go chance")
    if position.to_act != CHANCE:
        raise CommandError("not-a-chance-node", "go chance")
    if position.viewer >= 0:
        raise CommandError("hidden", "go chance: this is a view")
    return position


def chance_draw(position: Position, seed: int) -> str:
    """An outcome of a chance node by its probability; from the system's randomness if ``seed`` is 0.

    With a seed the draw depends on nothing but the seed and the position.
    """
    if seed == 0:
        return position.draw(int.from_bytes(os.urandom(8), "big"))
    text = f"{seed} {len(position.history)} {position.hash:016x}"
    digest = hashlib.blake2b(text.encode(), digest_size=8)
    return position.draw(int.from_bytes(digest.digest(), "big"))
