"""What a tournament consists of, as plain checked data; equal plans play equal games."""

from __future__ import annotations

import math
import re
import shlex
import sys
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from serai.bots.guard import KINDS
from serai.bots.time_control import TimeControl
from serai.bots.tournament.sprt import Sprt
from serai.core.errors import SetupError

FORMATS: Final = ("round-robin", "gauntlet", "field", "mixed", "sprt")
ROTATIONS: Final = ("cyclic", "all")
POLICIES: Final = ("rank-last", "count", "void", "abort")
MOST_ENTRANTS: Final = 64
MOST_GAMES: Final = 1_000_000
MOST_TABLES: Final = 10_000
MOST_SEATS: Final = 9
LONGEST_NAME: Final = 100  # characters
_ENGINE: Final = re.compile(
    r"(?P<kind>serai|cmd)(?:\[(?P<options>[^\]]*)\])?(?::(?P<command>.*))?", re.DOTALL
)


@dataclass(frozen=True)
class Entrant:
    """An engine under conditions of its own.

    ``engine``: ``serai`` or ``serai[Skill=5]``, ``cmd:COMMAND`` or ``cmd[Threads=2]:COMMAND`` for any UGI-N
    engine, else a bot of ``serai match`` (``planner``, ``ismcts:width=3``, ``mine.py:Miser``), served as one.
    """

    name: str
    engine: str
    options: tuple[tuple[str, str], ...] = ()
    control: TimeControl = field(default_factory=lambda: TimeControl(turn=0.5))
    ponder: bool = False

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise SetupError(
                f"an entrant's name is 1 to {LONGEST_NAME} printable characters, not {self.name!r:.40}"
            )
        if self.control == TimeControl():
            raise SetupError(f"{self.name}: without a limit its turns would never end; give a time or nodes")
        command_of(self.engine)

    @property
    def argv(self) -> list[str]:
        """The command line of its engine."""
        return command_of(self.engine)

    @property
    def settings(self) -> dict[str, str]:
        """The options to set: those in the engine's text, then its own."""
        match = _ENGINE.fullmatch(self.engine)
        written = _pairs(self.engine, match["options"] or "") if match else {}
        ponder = {"Ponder": "true"} if self.ponder else {}
        return {**written, **dict(self.options), **ponder}

    @property
    def ponders(self) -> bool:
        """Whether it is given the others' time, by whichever way that was said."""
        values = [value for name, value in self.settings.items() if name.lower() == "ponder"]
        return bool(values) and values[-1].lower() == "true"

    @property
    def threads(self) -> int:
        """How many cores it keeps busy, as far as its options say."""
        values = [value for name, value in self.settings.items() if name.lower() == "threads"]
        return int(values[-1]) if values and values[-1].isdecimal() else 1


def command_of(engine: str) -> list[str]:
    """The command line that an engine's text means; raises SetupError."""
    here = [sys.executable, "-m", "serai.bots.cli"]
    match = _ENGINE.fullmatch(engine)
    if match is None:
        if not engine.strip():
            raise SetupError("an engine is missing: serai, planner, cmd:COMMAND, …")
        return [*here, "engine", engine]
    _pairs(engine, match["options"] or "")
    if match["kind"] == "serai":
        if match["command"]:
            raise SetupError(f"{engine}: serai takes no command; options are written serai[Skill=5]")
        return here
    try:
        argv = shlex.split(match["command"] or "")
    except ValueError as error:
        raise SetupError(f"{engine}: {error}") from None
    if not argv:
        raise SetupError(f"{engine}: a command must follow, as in cmd:./engine --flag")
    return argv


def _pairs(engine: str, text: str) -> dict[str, str]:
    pairs = {}
    for item in filter(None, text.split(",")):
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise SetupError(f"{engine}: {item!r:.60} must be Option=value")
        pairs[name.strip()] = value.strip()
    return pairs


@dataclass(frozen=True)
class FaultPolicy:
    """What becomes of a game with a fault; ``kinds`` are exceptions from ``default``.

    ``rank-last``: the game is played on, the seat comes in last, the order of the others stands. ``count``:
    noted, and the result stands as played. ``void``: the game doesn't count. ``abort``: the tournament ends.
    """

    default: str = "rank-last"
    kinds: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for kind, policy in (*self.kinds, ("default", self.default)):
            if policy not in POLICIES:
                raise SetupError(
                    f"{kind}: the policy must be one of {' '.join(POLICIES)}, not {policy!r:.40}"
                )
            if kind not in (*KINDS, "default"):
                raise SetupError(f"no kind {kind!r:.40} of fault; there are: {' '.join(KINDS)}")
        object.__setattr__(self, "kinds", tuple(sorted(self.kinds)))  # their order means nothing

    def of(self, kind: str) -> str:
        """The policy for a kind of fault."""
        return dict(self.kinds).get(kind, self.default)


@dataclass(frozen=True)
class Plan:
    """A whole tournament. ``games``: as many as wanted, rounded up to whole blocks.

    ``margin``: seconds over its time after which a seat has lost on time. ``patience``: seconds for a start
    or a plain answer, of silence, and over the time that a search may take, after which an engine hangs.
    ``trusted``: engines get the full position; faster, and only for tests among one's own.
    """

    entrants: tuple[Entrant, ...]
    game: str = "spice_road"
    seats: int = 2
    format: str = "round-robin"
    games: int = 100
    rotations: str = "cyclic"
    seed: int = 1
    faults: FaultPolicy = FaultPolicy()
    margin: float = 0.5
    patience: float = 10.0
    max_plies: int = 5000
    referee: str = "serai"
    audit: str | None = None
    trusted: bool = False
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        _in_range("entrants", len(self.entrants), 2, MOST_ENTRANTS)
        _in_range("seats", self.seats, 2, MOST_SEATS)
        _in_range("games", self.games, 1, MOST_GAMES)
        _in_range("seed", self.seed, 0, 2**63 - 1)
        _in_range("margin", self.margin, 0, 3600)
        _in_range("patience", self.patience, 0.1, 86_400)
        _in_range("max_plies", self.max_plies, 1, 60_000)
        _one_of("format", self.format, FORMATS)
        _one_of("rotations", self.rotations, ROTATIONS)
        _checked_engine("referee", self.referee)
        if self.audit is not None:
            _checked_engine("audit", self.audit)
        self._check_game()
        self._check_entrants()

    def _check_game(self) -> None:
        if len(self.game) > 4000 or self.game.split() != [self.game] or not self.game.isprintable():
            raise SetupError(f"game must be one word, as spice_road, not {self.game!r:.40}")
        for key in ("seed", "players", "state"):
            if f";{key}=" in self.game:
                raise SetupError(f"game: leave out {key}=; the tournament deals by itself")

    def _check_entrants(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SetupError(f"two entrants are called {twice!r}; give each a name of its own")
        if self.format == "sprt" and (len(names) != 2 or self.sprt is None):
            raise SetupError("an SPRT is between 2 entrants, and needs its bounds [sprt] h0 and h1")
        if self.format != "sprt" and self.sprt is not None:
            raise SetupError("[sprt] goes with format = 'sprt'")
        if self.rotations == "all" and self.seats > 4:
            raise SetupError("rotations = 'all' is for up to 4 seats: 5 have 120 of them")
        if self.format in ("round-robin", "gauntlet", "mixed") and len(names) < self.seats:
            raise SetupError(
                f"{self.format} at {self.seats} seats needs {self.seats} entrants, not {len(names)}; "
                "format = 'field' fills the table with copies"
            )
        if self.format in ("round-robin", "gauntlet") and math.comb(len(names), self.seats) > MOST_TABLES:
            raise SetupError(f"{len(names)} entrants make more than {MOST_TABLES} tables; format = 'mixed'")

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def pondering(self) -> tuple[Entrant, ...]:
        """Who is given the other's time: at a table of two, as an engine says no more than one move ahead."""
        return tuple(entrant for entrant in self.entrants if entrant.ponders) if self.seats == 2 else ()

    @property
    def identity(self) -> str:
        """A text that two plans share exactly if games of the one are games of the other."""
        parts = {name: value for name, value in vars(self).items() if name not in ("games", "audit")}
        return blake2b(repr(parts).encode(), digest_size=8).hexdigest()

    @property
    def commands(self) -> dict[str, list[str]]:
        """Every command line that it starts, by what for."""
        found = {entrant.name: entrant.argv for entrant in self.entrants}
        found["(referee)"] = command_of(self.referee)
        return found if self.audit is None else {**found, "(audit)": command_of(self.audit)}

    def describe(self) -> str:
        """The plan in a line, for people."""
        return (
            f"{self.game}, {self.seats} seats, {self.format}, {len(self.entrants)} entrants, "
            f"{self.games} games wanted, seed {self.seed}"
        )


def _in_range(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise SetupError(f"{name} must be {lowest:g} to {highest:g}, not {value!r:.40}")


def _checked_engine(name: str, engine: str) -> None:
    try:
        command_of(engine)
    except SetupError as error:
        raise SetupError(f"{name}: {error}") from None


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SetupError(f"{name} must be one of {' '.join(known)}, not {value!r:.40}")


def as_data(plan: Plan) -> dict[str, Any]:
    """A plan as plain data in the words of a tournament file; `plan_file.plan_of` reads it."""
    data = {name: value for name, value in vars(plan).items() if value is not None}
    data["entrants"] = [_entrant_data(entrant) for entrant in plan.entrants]
    data["faults"] = {"default": plan.faults.default, **dict(plan.faults.kinds)}
    if plan.sprt is not None:
        data["sprt"] = dict(vars(plan.sprt))
    return data


def _entrant_data(entrant: Entrant) -> dict[str, Any]:
    control = entrant.control
    clock = None if control.clock is None else [*control.clock, control.byo]
    data = {
        "name": entrant.name,
        "engine": entrant.engine,
        "options": dict(entrant.options),
        "ponder": entrant.ponder,
        "time": control.turn,
        "nodes": control.nodes,
        "clock": clock,
    }
    return {name: value for name, value in data.items() if value is not None}
