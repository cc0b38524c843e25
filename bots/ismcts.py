"""The tree search as a player, its settings in its name: ``ismcts:nodes=1000,skill=10,memory=none``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from serai.bots.bot import Bot
from serai.core.errors import NetworkError
from serai.core.network_file import network_choice
from serai.search.params import SearchParams
from serai.search.report import Limits, Report

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.core.network import Network
    from serai.search import Search

# A later decision of a turn, or one in another's, gets this part of the nodes: the tree is kept.
LATER_SHARE = 8


class IsmctsBot(Bot):
    """Serai's search; a limit of its own replaces the match's."""

    guarded = False

    def __init__(
        self,
        nodes: int = 0,
        time: float = 0.0,
        skill: int = 20,
        memory: str = "perfect",
        softness: float = 0.0,
        threads: int = 1,
        hash: int = 64,
        network: str = "",
        **params: bool | float | str,
    ) -> None:
        """``nodes``: iterations a turn; ``time``: seconds a turn; ``skill``: 0 to 20; ``hash``: MB.

        ``network``: a file, ``none`` for the hand-made evaluation, empty for what is shipped with the game.
        """
        from serai.search.skill import settings

        if memory not in ("perfect", "none"):
            raise ValueError(f"memory must be perfect or none, not {memory}")
        if nodes < 0 or time < 0 or softness < 0:
            raise ValueError("nodes, time and softness can't be below 0")
        level = settings(skill)
        self._memory = "none" if "none" in (memory, level.memory) else "perfect"
        self._softness = softness or level.softness
        self._advice = level.advice
        self._own = Limits(movetime=round(1000 * time) or None, nodes=nodes or None, overhead=0)
        self._most = level.nodes
        self._threads, self._hash, self._params = threads, hash, SearchParams(**params)  # type: ignore[arg-type]
        self._network_of = _networks(network)
        self._search: Search = self._make(0, None)

    def _make(self, seed: int, network: Network | None) -> Search:
        from serai.search import Search

        return Search(self._hash, self._threads, seed, self._params, network)

    @classmethod
    def more_options(cls) -> dict[str, object]:
        """Names and defaults of what ``**params`` takes."""
        return {field.name: field.default for field in fields(SearchParams)}

    def new_game(self) -> None:
        """Start with an empty tree and a seed of this game's."""
        self._search = self._make(self.random.getrandbits(64), self._search.network)

    def choose(self, position: Position) -> str:
        """The most visited decision."""
        limits = self._limits(position)
        network = self._network_of(position.game.name)
        if self._search.network is not network:
            self._search = self._make(self._search.seed, network)
        report: Report = self._search.run(
            position,
            limits,
            on_report=_let_signals_in,
            memory=self._memory,
            softness=self._softness,
            advice=self._advice,
        )
        self.report = report
        return report.best

    def _limits(self, position: Position) -> Limits:
        limits = self.limits
        if self._own.nodes or self._own.movetime:
            later = LATER_SHARE if position.continues_turn else 1
            limits = replace(
                self._own,
                nodes=self._own.nodes and max(1, self._own.nodes // later),
                movetime=self._own.movetime and self._own.movetime // later,
                clock=limits.clock,
            )
        if self._most is not None:
            limits = replace(limits, nodes=min(self._most, limits.nodes or self._most))
        return limits

    def stop(self) -> None:
        """End a running search."""
        self._search.stop()


def _networks(choice: str) -> Callable[[str], Network | None]:
    try:
        return network_choice(choice)
    except NetworkError as error:
        raise ValueError(f"network: {error}") from None


def _let_signals_in(report: Report) -> None:
    """Python handles Ctrl-C only while it runs Python."""
