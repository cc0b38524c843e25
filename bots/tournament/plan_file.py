"""Tournament files: TOML, or the same as plain data, to a `Plan`; every refusal names the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from serai.bots.time_control import LONGEST, TimeControl, parse_clock
from serai.bots.tournament.plan import Entrant, FaultPolicy, Plan
from serai.bots.tournament.sprt import Sprt
from serai.core.errors import SetupError
from serai.core.tables import read_toml

MOST_BITS: Final = 64  # of a whole number
LIMITS: Final = ("time", "nodes", "clock")  # an entrant has one of them
EXAMPLE: Final = """\
game = "spice_road"
seats = 3
format = "round-robin"      # gauntlet, field, mixed, sprt
games = 200                 # rounded up to whole blocks: a deal from all rotations of the seats
seed = 1
time = 0.5                  # seconds a turn; or nodes = 1000, or clock = "60+1" (10:00/30: byo-yomi)

[faults]
default = "rank-last"       # count, void, abort
time = "count"

[[entrants]]
engine = "serai"

[[entrants]]
name = "half asleep"
engine = "serai[Skill=8]"

[[entrants]]
name = "theirs"
engine = "cmd:./engine --uci"
options = { Threads = 1 }
time = 0.25
"""

T = TypeVar("T")


def _shown(value: object) -> str:
    """The beginning of a value of unknown origin; some can't be written out."""
    try:
        return f"{value!r:.40}"
    except (ValueError, RecursionError):
        return f"such a {type(value).__name__}"


class Table:
    """A table of unknown origin; what it holds is asked for by name, and nothing else may be in it."""

    def __init__(self, data: object, where: str) -> None:
        self.where = where
        if not isinstance(data, Mapping):
            self.refuse("", f"must be a table, not {_shown(data)}")
        self._data: Mapping[str, Any] = data
        self._asked: set[str] = set()

    def refuse(self, key: str, rule: str) -> NoReturn:
        """Raise SetupError that names the place and the rule."""
        raise SetupError(f"{self.where}{': ' if key else ''}{key}: {rule}")

    def has(self, key: str) -> bool:
        """Whether it is there."""
        self._asked.add(key)
        return key in self._data

    def get(self, key: str, default: Any, kind: type | tuple[type, ...], what: str) -> Any:
        """A value of a kind, or the default."""
        if not self.has(key):
            return default
        value = self._data[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.refuse(key, f"must be {what}, not {_shown(value)}")
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            self.refuse(key, "is too large")
        return value

    def text(self, key: str, default: str | None = None) -> Any:
        """Text."""
        return self.get(key, default, str, "text")

    def integer(self, key: str, default: int | None = None) -> Any:
        """A whole number."""
        return self.get(key, default, int, "a whole number")

    def number(self, key: str, default: float | None = None) -> Any:
        """A number; never NaN."""
        value = self.get(key, default, (int, float), "a number")
        if value is None:
            return None
        if value != value:
            self.refuse(key, "must be a number, not nan")
        return float(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        return bool(self.get(key, default, bool, "true or false"))

    def table(self, key: str) -> Table:
        """A table within; empty if it isn't there."""
        data = self.get(key, {}, Mapping, "a table")
        return Table(data, f"{self.where}: {key}")

    def names(self) -> list[str]:
        """All names in it, every one of them text."""
        if not all(isinstance(key, str) for key in self._data):
            self.refuse("", "has a name that is no text")
        self._asked.update(self._data)
        return list(self._data)

    def close(self) -> None:
        """Refuse what nobody has asked for: most likely a slip of the pen."""
        for key in self._data:
            if key not in self._asked:
                self.refuse(str(key)[:40], f"isn't known here; known: {' '.join(sorted(self._asked))}")


def read_plan(path: Path, overrides: Mapping[str, Any] | None = None) -> Plan:
    """The plan in a TOML file, some of its top-level values replaced; raises SetupError.

    A time control replaces any other one, except those that entrants have of their own; bounds of an SPRT
    replace one another by name.
    """
    data, given = read_toml(path, str(path)), dict(overrides or {})
    if given.keys() & LIMITS:
        data = {name: value for name, value in data.items() if name not in LIMITS}
    if "sprt" in given and isinstance(data.get("sprt"), dict):
        given["sprt"] = {**data["sprt"], **given["sprt"]}
    return plan_of({**data, **given}, str(path))


def plan_of(data: object, where: str) -> Plan:
    """A plan from plain data of any origin; raises SetupError that begins with ``where``."""
    table = Table(data, where)
    control = _control(table, TimeControl(turn=0.5))
    entrants = _entrants(table, where, control)
    known: dict[str, Any] = {
        "game": table.text("game"),
        "seats": table.integer("seats", min(len(entrants), 5)),
        "format": table.text("format"),
        "games": table.integer("games"),
        "rotations": table.text("rotations"),
        "seed": table.integer("seed"),
        "margin": table.number("margin"),
        "patience": table.number("patience"),
        "max_plies": table.integer("max_plies"),
        "referee": table.text("referee"),
        "audit": table.text("audit"),
        "trusted": table.flag("trusted"),
        "faults": _faults(table.table("faults")),
        "sprt": _sprt(table.table("sprt")) if table.has("sprt") else None,
    }
    table.close()
    given = {name: value for name, value in known.items() if value is not None}
    return _located(where, lambda: Plan(entrants, **given))


def _entrants(table: Table, where: str, control: TimeControl) -> tuple[Entrant, ...]:
    items = table.get("entrants", [], list, "a list of tables [[entrants]]")
    tables = [Table(item, f"{where}: entrant {number}") for number, item in enumerate(items, 1)]
    made = [_entrant(item, f"{where}: entrant {n}", control) for n, item in enumerate(tables, 1)]
    return tuple(made)


def _entrant(table: Table, where: str, control: TimeControl) -> Entrant:
    engine = table.text("engine")
    if engine is None:
        table.refuse("engine", "is missing: serai, planner, cmd:COMMAND, …")
    options = table.table("options")
    pairs = tuple((name, _option(options, name)) for name in options.names())
    own = _control(table, control)
    name, ponder = table.text("name", engine), table.flag("ponder")
    table.close()
    return _located(where, lambda: Entrant(name, engine, pairs, own, ponder))


def _option(table: Table, name: str) -> str:
    value = table.get(name, None, (str, int, float, bool), "text, a number, true or false")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _control(table: Table, default: TimeControl) -> TimeControl:
    """The time control of a table, by whichever of its three names it goes."""
    turn, nodes = table.number("time"), table.integer("nodes")
    clock = table.get("clock", None, (str, list), "text as 60+1")
    if turn is nodes is clock is None:
        return default
    if [turn, nodes, clock].count(None) < 2:
        table.refuse("time, nodes, clock", "give one of them")
    if clock is None:
        return _located(table.where, lambda: TimeControl(turn, nodes))
    return _located(table.where, lambda: parse_clock(clock) if isinstance(clock, str) else _listed(clock))


def _listed(clock: list[Any]) -> TimeControl:
    """``[seconds, increment, byo-yomi]``."""
    if len(clock) != 3 or not all(type(value) in (int, float) and 0 <= value <= LONGEST for value in clock):
        raise SetupError(
            f"a clock is text as 60+1, or three numbers from 0 to {LONGEST:.0f}, not {_shown(clock)}"
        )
    return TimeControl(clock=(float(clock[0]), float(clock[1])), byo=float(clock[2]))


def _faults(table: Table) -> FaultPolicy:
    default = table.text("default", "rank-last")
    kinds = [(key, table.text(key)) for key in table.names() if key != "default"]
    return _located(table.where, lambda: FaultPolicy(default, tuple(kinds)))


def _sprt(table: Table) -> Sprt:
    names = ("h0", "h1", "alpha", "beta")
    given = {name: table.number(name) for name in names if table.has(name)}
    if table.has("min_blocks"):
        given["min_blocks"] = table.integer("min_blocks")
    for name in names[:2]:
        if name not in given:
            table.refuse(name, "is missing: a share of the wins, as 0.5")
    table.close()
    return _located(table.where, lambda: Sprt(**given))


def _located(where: str, make: Callable[[], T]) -> T:
    """What is made, or a refusal that says where."""
    try:
        return make()
    except SetupError as error:
        raise SetupError(f"{where}: {error}") from None
