"""`Bot`: what every player is, and all that a player of your own has to be."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar

from serai.search.report import Limits, Report

if TYPE_CHECKING:
    from serai.core.game import Position


class BotFault(Exception):  # noqa: N818 - a fault is data for the match, not an error of the program
    """A bot couldn't move. ``kind`` is one of ``KINDS`` in :mod:`serai.bots.referee`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Bot:
    """Subclass it and write ``choose``; the rest is there if you want it.

    Arguments of your ``__init__`` that have a default can be set in a bot's name, ``mine.py:Miser:greed=3``;
    their annotation (int, float, bool, str) says how to read them.
    """

    name: str = ""
    """How it is shown; a match fills in the name it was asked for by."""
    seat: int = 0
    """The seat it plays in this game, 0 = first."""
    limits: Limits = Limits(movetime=1000)
    """What it may use for the decision at hand. Later decisions of a turn get less than its first.

    So do decisions in turns of others.
    """
    clocks: tuple[int, ...] = ()
    """Milliseconds that each seat has left, in a match on the clock."""
    random: Random = Random(0)
    """Random numbers; a match seeds them for each game, so that it can be played again."""
    report: Report | None = None
    """Set it in ``choose`` to show what you think of the game; it is cleared before each decision."""
    guarded: ClassVar[bool] = True
    """Run in a thread of its own, so that it can't hang a match. False only if it always returns in time."""

    def choose(self, position: Position) -> str:
        """Return one of ``position.legal_tokens()``. The position shows what the seat may see, no more."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose(self, position)")

    def new_game(self) -> None:
        """Get ready for another game; ``seat`` and ``random`` are set."""

    def stop(self) -> None:
        """Make a running ``choose`` return soon; called from another thread."""

    def close(self) -> None:
        """Let go of whatever was opened; the bot isn't used again."""
