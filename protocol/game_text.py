"""Positions as a client holds them: text, which needs no rules to be passed on."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from serai.core.errors import HiddenInformation, SeraiError
from serai.protocol.commands import CommandError, PositionCommand, format_position, parse_position
from serai.protocol.errors import EngineRefusal
from serai.protocol.messages import parse_seat, seat_name, split

if TYPE_CHECKING:
    from serai.core import Position


@dataclass(frozen=True)
class GameText:
    """A spec and the events after it; ``seat`` is None for full information, else whose view it is (0 = p1).

    >>> GameText("spice_road;players=3;seed=7", ["take=1"]).line
    'position fen spice_road;players=3;seed=7 moves take=1'
    """

    spec: str
    moves: Sequence[str] = ()
    seat: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(self.moves))
        check_tokens((self.spec, *self.moves))

    @classmethod
    def parse(cls, text: str) -> GameText:
        """Read ``[position] fen SPEC …`` or ``[position] view pK SPEC …``; raises EngineRefusal."""
        tokens = split(text)
        try:
            command = parse_position(tokens[1:] if tokens[:1] == ["position"] else tokens)
        except CommandError as error:
            raise EngineRefusal(error.code, str(error)) from None
        if command.spec is None:
            raise EngineRefusal("syntax", "startpos names no game; give a spec")
        return cls(command.spec, command.moves, command.seat)

    @property
    def line(self) -> str:
        """The command that sets this position up."""
        return format_position(PositionCommand(self.spec, self.seat, tuple(self.moves)))

    def after(self, *moves: str) -> GameText:
        """The position some events later."""
        check_tokens(moves)
        text = copy(self)
        object.__setattr__(text, "moves", (*self.moves, *moves))
        return text

    def view(self, seat: int | str) -> GameText:
        """What a seat (``"p2"``, or 1) knows of it; raises SeraiError if our rules don't know the game."""
        wanted = seat_index(seat)
        if self.seat is not None:
            if wanted != self.seat:
                raise HiddenInformation(
                    f"a view of {seat_name(self.seat)} doesn't show what {seat_name(wanted)} sees"
                )
            return self
        return GameText.parse(self.position().view_text(wanted))

    def position(self) -> Position:
        """The position under our own rules; raises EngineRefusal if they don't know or refuse it."""
        from serai.protocol.setup import set_up

        try:
            return set_up(PositionCommand(self.spec, self.seat, tuple(self.moves)), self.spec)
        except CommandError as error:
            raise EngineRefusal(error.code, str(error)) from None

    def legal(self) -> tuple[str, ...] | None:
        """The legal events by our own rules; None if those can't tell."""
        with contextlib.suppress(SeraiError):
            return tuple(self.position().legal_tokens())
        return None


@dataclass(frozen=True)
class PositionLine:
    """A ``position`` command as a referee gave it, passed on as it is; ``seat`` is the one to move.

    For whoever drives engines without knowing the rules: nothing in it is looked at.
    """

    line: str
    seat: int | None = None

    def legal(self) -> None:
        """Nothing is known of it."""
        return None


def check_tokens(tokens: Sequence[str]) -> None:
    """Raise EngineRefusal for what would be more than one token on the wire, or none."""
    for token in tokens:
        if not token or token != token.strip() or len(token.split()) != 1:
            raise EngineRefusal("syntax", f"{token!r:.80} is not one token")


def seat_index(seat: int | str) -> int:
    """0 for ``"p1"`` and for 0; raises EngineRefusal for what is no seat."""
    index = parse_seat(seat) if isinstance(seat, str) else seat
    if index is None or not 0 <= index <= 8:
        raise EngineRefusal("bad-value", f"{seat!r:.40} is no seat; 'p1' or 0 is the first")
    return index


@overload
def game_text(position: GameText | Position | str) -> GameText: ...
@overload
def game_text(
    position: GameText | PositionLine | Position | str,
) -> GameText | PositionLine: ...
def game_text(position: GameText | PositionLine | Position | str) -> GameText | PositionLine:
    """Any form of a position as text: itself, ``serai.core``'s, or a line of the protocol."""
    if isinstance(position, GameText | PositionLine):
        return position
    if isinstance(position, str):
        return GameText.parse(position)
    if position.viewer >= 0:
        return GameText.parse(position.view_text(position.viewer))
    return GameText(position.origin_spec, tuple(position.history))


def mover(position: GameText | PositionLine | Position | str) -> int | None:
    """The seat to move, as far as that is known without rules: a view is of that seat."""
    if isinstance(position, PositionLine):
        return position.seat
    if isinstance(position, GameText | str):
        return game_text(position).seat
    return position.to_act if position.to_act >= 0 else None
