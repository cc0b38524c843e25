"""Lines from the front end to the engine: go, position, setoption; both ways, pure functions.

>>> command, complaints = parse_go(["p2time", "58210", "p2inc", "1000", "searchid", "91"])
>>> command.clocks[1].time, command.searchid, complaints
(58210, '91', [])
>>> format_go(GoCommand(nodes=1000, searchmoves=("rest", "take=1")))
'go nodes 1000 searchmoves rest take=1'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from serai.core.errors import SeraiError
from serai.protocol.messages import MAX_SEATS, parse_integer, parse_seat, printable, seat_name, split

MAX_MULTIPV: Final = 50
_LIMIT = 10**12  # a larger number in a go command counts as this
_COMPLAINTS = 8  # error lines that one command may cause
MAX_TAG: Final = 1000  # characters of a searchid, or of the tag of an isready
TAG_RULE: Final = f"at most {MAX_TAG} printable characters"

Complaint = tuple[str, str]  # error code, detail


def is_tag(text: str) -> bool:
    """Whether it may be a searchid or the tag of an isready, which are given back as they are."""
    return len(text) <= MAX_TAG and text.isprintable()


# ---- go


@dataclass(frozen=True)
class Clock:
    """A seat's clock in milliseconds: left, increment a turn, byo-yomi a turn."""

    time: int | None = None
    inc: int = 0
    byo: int = 0


@dataclass(frozen=True)
class GoCommand:
    """A ``go`` line; None = not given. ``clocks`` by seat, 0 = p1."""

    clocks: dict[int, Clock] = field(default_factory=dict)
    movestogo: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    ponder: bool = False
    multipv: int | None = None
    searchid: str | None = None
    searchmoves: tuple[str, ...] | None = None
    perft: int | None = None
    chance: bool = False


_CLOCK = re.compile(r"p([1-9])(time|inc|byo)")
_CHESS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
_SMALLEST = {"movestogo": 0, "movetime": 0, "nodes": 1, "depth": 1, "perft": 0}
_FLAGS = ("infinite", "ponder", "chance")
_KEYWORDS = frozenset((*_SMALLEST, *_FLAGS, *_CHESS, "multipv", "searchid", "searchmoves"))


def _keyword(token: str) -> str | None:
    word = token.lower()
    word = _CHESS.get(word, word)
    return word if word in _KEYWORDS or _CLOCK.fullmatch(word) else None


def parse_go(tokens: Sequence[str]) -> tuple[GoCommand, list[Complaint]]:
    """Read the words after ``go``. What can't be read is skipped and complained about, the rest counts.

    Numbers too small count as the smallest possible one (a clock: 1 ms), numbers too large as the largest.
    """
    found: dict[str, Any] = {}
    clocks: dict[int, dict[str, int]] = {}
    complaints: list[Complaint] = []
    words = _Words(tokens)
    for token in words:
        word = _keyword(token)
        if word is None:
            complaints.append(("unknown-token", token))
        elif word in _FLAGS:
            found[word] = True
        elif word == "searchmoves":
            found[word] = words.until_keyword()
        else:
            complaint = _read_value(word, words.take(), found, clocks)
            complaints += [complaint] if complaint else []
    command = GoCommand(**found, clocks={seat: Clock(**clock) for seat, clock in clocks.items()})
    return command, _summary(complaints)


class _Words:
    """The words of a line, read one by one."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens, self.at = tokens, 0

    def __iter__(self) -> Iterator[str]:
        while self.at < len(self.tokens):
            self.at += 1
            yield self.tokens[self.at - 1]

    def take(self) -> str | None:
        """The value after a keyword; None if the next word is missing or a keyword."""
        if self.at < len(self.tokens) and _keyword(self.tokens[self.at]) is None:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def until_keyword(self) -> tuple[str, ...]:
        """All words up to the next keyword."""
        start = self.at
        while self.take() is not None:
            pass
        return tuple(self.tokens[start : self.at])


def _read_value(
    word: str, value: str | None, found: dict[str, Any], clocks: dict[int, dict[str, int]]
) -> Complaint | None:
    if value is None:
        return "syntax", f"{word} needs a value"
    if word == "searchid":
        if not is_tag(value):
            return "bad-value", f"searchid: {TAG_RULE}"
        found[word] = value
        return None
    number = parse_integer(value)
    if number is None:
        return "bad-number", f"{word} {value}"
    clock = _CLOCK.fullmatch(word)
    if clock:
        smallest = 1 if clock[2] == "time" else 0
        clocks.setdefault(int(clock[1]) - 1, {})[clock[2]] = min(max(number, smallest), _LIMIT)
    elif word == "multipv":
        if not 1 <= number <= MAX_MULTIPV:
            return "bad-number", f"multipv {value}: 1 to {MAX_MULTIPV}"
        found[word] = number
    else:
        found[word] = min(max(number, _SMALLEST[word]), _LIMIT)
    return None


def _summary(complaints: list[Complaint]) -> list[Complaint]:
    """At most a handful of complaints, the last one counting the rest."""
    shown = [(code, printable(detail)) for code, detail in complaints[:_COMPLAINTS]]
    if len(complaints) > _COMPLAINTS:
        code, detail = shown[-1]
        shown[-1] = code, f"{detail} (and {len(complaints) - _COMPLAINTS} more complaints)"
    return shown


def format_go(command: GoCommand) -> str:
    """The line for a go command."""
    parts = ["go"]
    for seat, clock in sorted(command.clocks.items()):
        for unit, number in (("time", clock.time), ("inc", clock.inc or None), ("byo", clock.byo or None)):
            parts += [f"{seat_name(seat)}{unit} {number}"] if number is not None else []
    for word in ("movestogo", "movetime", "nodes", "depth", "multipv", "perft", "searchid"):
        value = getattr(command, word)
        parts += [f"{word} {value}"] if value is not None else []
    parts += [word for word in _FLAGS if getattr(command, word)]
    if command.searchmoves is not None:
        parts += ["searchmoves", *command.searchmoves]
    return " ".join(parts)


def fresh_clocks(command: GoCommand, later: GoCommand) -> GoCommand:
    """The command with the clocks and limits of a later ``ponderhit``, where that names any."""
    changed: dict[str, Any] = {"clocks": {**command.clocks, **later.clocks}, "ponder": False}
    for word in ("movestogo", "movetime", "nodes", "depth"):
        if getattr(later, word) is not None:
            changed[word] = getattr(later, word)
    return replace(command, **changed)


# ---- position


@dataclass(frozen=True)
class PositionCommand:
    """A ``position`` line: ``seat`` None = full information; ``spec`` None = startpos."""

    spec: str | None
    seat: int | None = None
    moves: tuple[str, ...] = ()


class CommandError(SeraiError, ValueError):
    """A line that isn't in the grammar; ``code`` is the protocol's error code."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def parse_position(tokens: Sequence[str]) -> PositionCommand:
    """Read the words after ``position``; raises CommandError."""
    kind = tokens[0].lower() if tokens else ""
    spec: str | None = None
    seat: int | None = None
    if kind == "startpos":
        rest = tokens[1:]
    elif kind == "fen" and len(tokens) >= 2:
        spec, rest = tokens[1], tokens[2:]
    elif kind == "view" and len(tokens) >= 3:
        spec, rest = tokens[2], tokens[3:]
        seat = parse_seat(tokens[1])
        if seat is None:
            raise CommandError("bad-value", f"{tokens[1]} is no seat; p1 to p{MAX_SEATS}")
    else:
        raise CommandError("syntax", "position startpos | fen SPEC | view SEAT SPEC [moves EVENT...]")
    if rest and rest[0].lower() != "moves":
        raise CommandError("syntax", f"expected moves, not {printable(rest[0])}")
    return PositionCommand(spec, seat, tuple(rest[1:]))


def format_position(command: PositionCommand) -> str:
    """The line for a position command."""
    head = "position startpos" if command.spec is None else f"position fen {command.spec}"
    if command.seat is not None:
        head = f"position view {seat_name(command.seat)} {command.spec}"
    return f"{head} moves {' '.join(command.moves)}" if command.moves else head


# ---- setoption


def parse_setoption(line: str) -> tuple[str, str | None]:
    """Name and value of a ``setoption`` line; value None if there is none. Raises CommandError.

    The name is what stands between the first `` name `` and the first `` value ``; both may have spaces.
    """
    body = line.replace("\t", " ").replace("\r", " ").strip(" ")
    match = re.match(r"\S+ +name +(\S.*)", body, re.IGNORECASE | re.DOTALL)
    if match is None:
        raise CommandError("syntax", "setoption name NAME [value VALUE]")
    found = re.search(r" value(?: |$)", match[1], re.IGNORECASE)
    name = match[1][: found.start()] if found else match[1]
    return " ".join(split(name)), match[1][found.end() :].strip(" ") if found else None


def format_setoption(name: str, value: str | None = None) -> str:
    """The line that sets an option; value None for a button."""
    return f"setoption name {name}" if value is None else f"setoption name {name} value {value}".rstrip(" ")
