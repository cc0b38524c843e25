"""What the engine asks of whatever chooses the moves, and the one that searches.

Serve a bot of your own by giving :func:`serai.protocol.engine.serve` an object with the members of
:class:`Thinker`; the engine does the rest: lines, options, positions, clocks, stopping, errors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Protocol

from serai.core.errors import NetworkError
from serai.core.games import NAMES
from serai.protocol.commands import CommandError
from serai.protocol.messages import Option
from serai.protocol.options import LARGEST, check, combo, spin

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.core.network import Network
    from serai.search import Limits, Report, Search

OnReport = Callable[["Report"], None]
NetworkOf = Callable[[str], "Network | None"]  # of a game, by its name


class Thinker(Protocol):
    """Chooses moves. All but ``stop`` is called from one thread at a time.

    ``name``, ``author``: as in ``id``. ``options()``: settings beyond those of the engine, constant.
    ``set_option``: a checked value as text, never during a search; CommandError refuses it for the old one.
    """

    name: str
    author: str

    def options(self) -> Sequence[Option]:
        """Settings of this thinker."""

    def set_option(self, name: str, value: str) -> None:
        """Take a new value of one of ``options()``."""

    def new_game(self) -> None:
        """Forget everything about earlier positions."""

    def prepare(self) -> None:
        """Load what is heavy and not loaded yet; called at each ``isready`` and before each search."""

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        multipv: int,
        moves: Sequence[str] | None,
        on_report: OnReport | None,
    ) -> Report:
        """Choose a move for the seat to act, among ``moves`` if given, within the limits or until ``stop``.

        The position is never over, never at a chance node, and shows only what the seat may use.
        ``on_report`` may be called now and then, from this thread. No limit at all means until ``stop``.
        """

    def stop(self) -> None:
        """End a running search within milliseconds; from any thread, any number of times.

        Without a running search it does nothing and is not remembered.
        """


# ---- strength by number

WEAKEST_ELO, STRONGEST_ELO = 500, 1500
LEVELS = 20


def level_of_elo(elo: int) -> int:
    """The skill level for an Elo: a straight line, provisional until levels have been measured in matches."""
    return round((elo - WEAKEST_ELO) * LEVELS / (STRONGEST_ELO - WEAKEST_ELO))


class SearchThinker:
    """The tree search of :mod:`serai.search`; it keeps its tree while one seat's game goes on."""

    author = "The Serai authors"

    def __init__(self) -> None:
        self.name = f"Serai {metadata.version('serai')}"
        self._values = {option.name: option.default for option in self.options()}
        self._search: Search | None = None
        self._network_of: NetworkOf | None = None  # None: as EvalFile says, not yet read
        self._game = next(iter(NAMES))  # the one searched last

    def options(self) -> Sequence[Option]:
        """Settings of the search."""
        return (
            spin("Threads", 1, 1, 64),
            spin("Hash", 64, 1, 65_536),
            spin("Seed", 0, 0, LARGEST),
            combo("Memory", "perfect", "none"),
            spin("Skill", LEVELS, 0, LEVELS),
            check("UGI_LimitStrength", False),
            spin("UGI_Elo", STRONGEST_ELO, WEAKEST_ELO, STRONGEST_ELO),
            check("UGI_AnalyseMode", False),
            Option("EvalFile", "string"),
        )

    def set_option(self, name: str, value: str) -> None:
        """Take a value; another one than before makes a new search, since its tree is of another strength.

        A network file is read at once, though it may be the one there was, and more memory is tried at once;
        CommandError if that is no good.
        """
        if name == "EvalFile":
            self._network_of = _networks(value)
        if self._values.get(name) != value:
            self._search = None
            if name == "Hash" and int(value) > int(self._values["Hash"]):
                _try_memory(int(value))
            self._values[name] = value

    def new_game(self) -> None:
        """Drop the search with its tree; with ``Seed 0`` the next one draws its own seed."""
        self._search = None

    def prepare(self) -> None:
        """Make a search if there is none with these settings; the first time, import it, read a network."""
        self._ready(self._game)

    def _ready(self, game: str) -> Search:
        """The search for a game."""
        if self._network_of is None:
            self._network_of = _networks(self._values["EvalFile"])
        network = self._network_of(game)
        if self._search is None or self._search.network is not network:
            self._search = self._make(network)
        self._game = game
        return self._search

    def _make(self, network: Network | None) -> Search:
        from serai.search import Search, SearchParams

        return Search(
            hash_mb=int(self._values["Hash"]),
            threads=int(self._values["Threads"]),
            seed=int(self._values["Seed"]) or int.from_bytes(os.urandom(7), "big"),
            params=SearchParams(use_book=not self._analysing),
            network=network,
        )

    @property
    def _analysing(self) -> bool:
        return self._values["UGI_AnalyseMode"] == "true"

    @property
    def _level(self) -> int:
        """The skill in force: the lower of both settings, full in analysis."""
        if self._analysing:
            return LEVELS
        level = int(self._values["Skill"])
        if self._values["UGI_LimitStrength"] == "true":
            level = min(level, level_of_elo(int(self._values["UGI_Elo"])))
        return level

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        multipv: int = 1,
        moves: Sequence[str] | None = None,
        on_report: OnReport | None = None,
    ) -> Report:
        """Search as :class:`Thinker` says."""
        search = self._ready(position.game.name)
        limits, softness, memory, advice = self._weakened(_unforced(position, limits, moves))
        return search.run(
            position,
            limits,
            multipv=multipv,
            moves=list(moves) if moves is not None else None,
            on_report=on_report,
            memory=memory,
            softness=softness,
            advice=advice,
            peek=True,  # a full position comes here only if option Information is full
        )

    def _weakened(self, limits: Limits) -> tuple[Limits, float, str, bool]:
        """Limits, softness, memory and advice for the skill in force."""
        from serai.search import Limits
        from serai.search.skill import settings

        memory = self._values["Memory"]
        if self._level == LEVELS:
            return limits, 0.0, memory, True
        skill = settings(self._level)
        nodes = min((n for n in (limits.nodes, skill.nodes) if n is not None), default=None)
        weaker = Limits(limits.movetime, nodes, limits.depth, limits.clock, limits.overhead)
        return weaker, skill.softness, "none" if "none" in (memory, skill.memory) else memory, skill.advice

    def stop(self) -> None:
        """End a running search."""
        search = self._search
        if search is not None:
            search.stop()


def _try_memory(megabytes: int) -> None:
    """Raise CommandError if the machine refuses so much memory; nothing of it is used yet."""
    from serai.search import Search

    try:
        Search(hash_mb=megabytes)
    except MemoryError:
        raise CommandError("bad-value", f"Hash {megabytes}: more than this machine gives") from None


def _networks(value: str) -> NetworkOf:
    """What a value of EvalFile means; raises CommandError."""
    from serai.core.network_file import network_choice

    try:
        return network_choice(value)
    except NetworkError as error:
        raise CommandError("bad-value", f"EvalFile {error}") from None


def _unforced(position: Position, limits: Limits, moves: Sequence[str] | None) -> Limits:
    """The limits, or none of the clock for a forced move; ``movetime`` is taken at its word, as in UCI."""
    from serai.search import Limits

    timed = limits.movetime is None and limits.clock is not None
    if timed and len(moves if moves is not None else position.legal_actions()) == 1:
        return Limits(movetime=0, overhead=limits.overhead)
    return limits
