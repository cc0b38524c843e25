"""A bot as a UGI-N engine, in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from serai.bots.bot import Bot
from serai.search.report import Limits, Line, Report

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.protocol.messages import Option


def serve(bot: Bot | Callable[[], Bot]) -> int:
    """Serve a bot, or what makes one, on this process's stdin and stdout; the exit code.

    Lines, options, positions, clocks, stopping and errors are taken care of. What the bot prints goes to
    stderr.
    """
    from serai.protocol.engine import serve as serve_thinker

    served = bot if isinstance(bot, Bot) else bot()
    try:
        return serve_thinker(BotThinker(served))
    except KeyboardInterrupt:
        return 130
    finally:
        served.close()


class BotThinker:
    """A `Bot` behind the interface that `serai.protocol.engine` asks for moves."""

    author = "unknown"

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.name = bot.name or type(bot).__name__
        self.author = str(getattr(bot, "author", self.author))
        self._seed = 0
        self._identity: tuple[object, ...] | None = None
        self._history: list[str] = []

    def options(self) -> Sequence[Option]:
        """``Seed``, of the bot's random numbers; and what front ends set in any engine, to no effect here."""
        from serai.protocol.options import LARGEST, spin

        return (spin("Seed", 0, 0, LARGEST), spin("Threads", 1, 1, 1), spin("Hash", 1, 1, 65_536))

    def set_option(self, name: str, value: str) -> None:
        """Take the seed."""
        if name == "Seed":
            self._seed = int(value)

    def new_game(self) -> None:
        """Have the bot begin a new game with the next position."""
        self._identity = None

    def prepare(self) -> None:
        """Nothing: a bot loads when it is made."""

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        multipv: int = 1,
        moves: Sequence[str] | None = None,
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """Have the bot choose; a choice outside of ``moves`` is replaced by one of them.

        With ``multipv`` the other moves follow the bot's own, as moves that nobody has looked at.
        """
        bot = self._bot
        self._begin(position)
        bot.limits, bot.report = limits, None
        if limits.clock is not None:
            bot.clocks = (limits.clock[0],) * position.seats
        token = bot.choose(position)
        if moves is not None and token not in moves:
            token, bot.report = bot.random.choice(list(moves)), None
        report = _complete(bot.report, token, list(moves or position.legal_tokens()), position.seats, multipv)
        if on_report is not None:
            on_report(report)
        return report

    def _begin(self, position: Position) -> None:
        """Seed the bot for this position; start a new game with it unless this is the same one, going on."""
        bot, history = self._bot, position.history
        identity = (position.to_act, position.viewer, position.origin_spec)
        goes_on = identity == self._identity and history[: len(self._history)] == self._history
        self._identity, self._history = identity, history
        seed = self._seed or int.from_bytes(os.urandom(8), "big")
        bot.random = Random(f"{seed} {position.to_act} {position.hash}")
        if not goes_on:
            bot.seat = position.to_act
            bot.new_game()

    def stop(self) -> None:
        """Pass it on."""
        self._bot.stop()


def _complete(report: Report | None, token: str, moves: list[str], seats: int, multipv: int) -> Report:
    """The bot's report, or an empty one, with as many lines as were asked for and there are moves."""
    if report is None:
        report = Report(token, (), nodes=1, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)
        if multipv == 1:
            return report
    lines = [line for line in report.lines if line.token in moves][:multipv]
    if not lines or lines[0].token != token:
        lines = [_blank(token, seats), *(line for line in lines if line.token != token)][:multipv]
    shown = {line.token for line in lines}
    lines += [_blank(move, seats) for move in moves if move not in shown][: multipv - len(lines)]
    return replace(report, best=token, lines=tuple(lines))


def _blank(move: str, seats: int) -> Line:
    """A move that nothing is known of: an even share for everybody."""
    return Line(move, (1 / seats,) * seats, (0.0,) * seats, 0, 0.5, (move,))
