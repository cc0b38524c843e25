"""What a client returns for a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from serai.protocol.errors import IllegalMove
from serai.protocol.messages import BestMove, Info, parse_infojson
from serai.protocol.pending import Search


@dataclass(frozen=True)
class PlayResult:
    """What an engine chose. ``move`` is None only if it resigned.

    ``moves``: all events of the turn, if it told them (option TurnMoves). ``info``: its last line on it.
    ``wall`` and ``reported``: seconds it took, by our clock and by its own. ``fault``: ``"late"`` if it
    answered only when it was stopped after its time. ``verified``: the move was found among the legal ones.
    ``report``: its last ``infojson``.
    """

    move: str | None
    moves: tuple[str, ...] = ()
    ponder: str | None = None
    info: Info = field(default_factory=Info)
    wall: float = 0.0
    reported: float | None = None
    fault: str | None = None
    verified: bool = False
    report: dict[str, Any] | None = None

    @property
    def resigned(self) -> bool:
        """True if it gave up instead of moving."""
        return self.move is None

    def checked(self, legal: Sequence[str] | None, may_resign: bool) -> PlayResult:
        """The same, if the move is legal; None can't tell. Raises IllegalMove."""
        if self.resigned and may_resign:
            return self
        if self.resigned or (legal is not None and self.move not in legal):
            raise IllegalMove(self.moves[0], legal or ())
        return replace(self, verified=legal is not None)


def play_result(search: Search, best: BestMove, fault: str | None) -> PlayResult:
    """The result of a search that has ended."""
    move = None if best.move == "resign" else best.move
    lines = search.lines()
    info = next((line for line in lines if line.pv and line.pv[0] == move), lines[0] if lines else Info())
    return PlayResult(
        move=move,
        moves=best.moves,
        ponder=best.ponder,
        info=info,
        wall=(search.ended or search.began) - search.began,
        reported=None if info.time is None else info.time / 1000,
        fault=fault,
        report=None if search.json is None else parse_infojson(search.json),
    )
