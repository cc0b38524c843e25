"""Any UGI-N engine as a player: ``cmd:./engine --flag``, with options ``cmd[Threads=2,Skill=5]:serai``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from serai.bots.bot import Bot, BotFault
from serai.search.report import Line, Report

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.protocol.client import EngineError, Limit, PlayResult

STDERR_KEPT = 2000  # characters of what a dead engine said last


class ExternalBot(Bot):
    """An engine in a process of its own. It is started again after a crash; every wait in it has an end."""

    guarded = False

    def __init__(self, command: str, options: Mapping[str, str] | None = None) -> None:
        """Start it; raises EngineError."""
        from serai.protocol.client import SimpleEngine

        self._engine = SimpleEngine.popen(command)
        try:
            self._engine.configure(dict(options or {}))
        except BaseException:
            self._engine.close()
            raise

    def new_game(self) -> None:
        """Tell it; a dead engine is started again."""
        from serai.protocol.client import EngineError

        try:
            self._engine.new_game()
        except EngineError as error:
            raise _fault(error) from None

    def choose(self, position: Position) -> str:
        """Its move; raises BotFault for whatever else it does."""
        from serai.protocol.client import EngineError

        try:
            result = self._engine.play(position, self._limit(), legal=position.legal_tokens())
        except EngineError as error:
            raise _fault(error) from None
        self.report = _report(result, position.seats)
        return str(result.move)

    def _limit(self) -> Limit:
        from serai.protocol.client import Limit

        own = self.limits
        clocks = incs = byos = None
        if own.clock is not None:
            clocks = [left / 1000 for left in self.clocks]
            incs = [own.clock[1] / 1000] * len(clocks)
            byos = [own.clock[2] / 1000] * len(clocks)
        time = None if own.movetime is None else own.movetime / 1000
        return Limit(time=time, nodes=own.nodes, depth=own.depth, clocks=clocks, incs=incs, byos=byos)

    def close(self) -> None:
        """End the process."""
        self._engine.close()


def _fault(error: EngineError) -> BotFault:
    from serai.protocol import errors

    kinds = {
        errors.EngineStalled: "hung",
        errors.EngineTimeout: "hung",
        errors.EngineTerminated: "crash",
        errors.IllegalMove: "illegal",
    }
    kind = next((kind for cls, kind in kinds.items() if isinstance(error, cls)), "protocol")
    tail = getattr(error, "stderr_tail", "").strip()[-STDERR_KEPT:]
    return BotFault(kind, f"{error}" + (f"; stderr: {tail}" if tail and tail not in str(error) else ""))


def _report(result: PlayResult, seats: int) -> Report | None:
    info = result.info
    if info.win is None or len(info.win) != seats or result.move is None:
        return None
    points = info.vp if info.vp is not None and len(info.vp) == seats else (0.0,) * seats
    win = tuple(share / 1000 for share in info.win)
    line = Line(result.move, win, tuple(points), info.visits or 0, (info.se or 0) / 1000, info.pv or ())
    return Report(
        result.move,
        (line,),
        nodes=info.nodes or 0,
        worlds=info.worlds or 0,
        depth=info.depth or 0,
        seldepth=info.seldepth or 0,
        hashfull=info.hashfull or 0,
        time=info.time or 0,
    )
