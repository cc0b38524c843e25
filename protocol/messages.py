"""Lines from the engine to the front end: info, bestmove, option, game, error; both ways, pure functions.

The other direction is in :mod:`serai.protocol.commands`. Parsers forgive: what they don't know they skip, and
a line of another kind is None, so that a damaged line never stops a reader.

>>> parse_bestmove("bestmove take=3 searchid 91")
BestMove(moves=('take=3',), ponder=None, searchid='91')
>>> format_info(Info(depth=4, win=(615, 385), nodes=3900, pv=("rest",)))
'info depth 4 win 615 385 nodes 3900 pv rest'
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

MAX_LINE: Final = 2**20  # bytes of one line to the engine, its end not counted
MAX_REPLY: Final = 60_000  # bytes of one line from the engine, but for a response, which may be a MAX_LINE
MAX_SEATS: Final = 9  # p1 … p9
ERROR_CODES: Final = (
    *("unknown-command", "unknown-token", "unknown-option", "unknown-query", "unknown-game"),
    *("syntax", "bad-number", "bad-value", "bad-players", "bad-event"),
    *("illegal-move", "wrong-seat", "chance-node", "not-a-chance-node", "chance-mismatch", "seed-in-view"),
    *(
        "game-over",
        "no-position",
        "not-your-turn",
        "no-searchmoves",
        "hidden",
        "busy",
        "line-too-long",
        "internal",
    ),
)

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?")


# ---- words


def split(line: str) -> list[str]:
    """The tokens of a line: separated by spaces and tabs, nothing else (CR counts as a space)."""
    return [token for token in line.replace("\t", " ").replace("\r", " ").split(" ") if token]


def parse_integer(text: str) -> int | None:
    """A decimal integer of at most 18 digits, else None."""
    return int(text) if _INTEGER.fullmatch(text) else None


def seat_name(seat: int) -> str:
    """``p1`` for seat 0."""
    return f"p{seat + 1}"


def parse_seat(text: str) -> int | None:
    """0 for ``p1``; None for what is no seat."""
    if len(text) == 2 and text[0] in "pP" and text[1] in "123456789":
        return int(text[1]) - 1
    return None


def printable(text: str, limit: int = 80) -> str:
    """Foreign text made fit for one line: cut, and without control characters."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else "?" for c in short)


# ---- error


@dataclass(frozen=True)
class ErrorLine:
    """``error CODE detail``."""

    code: str
    detail: str = ""

    def field(self, name: str) -> str | None:
        """The value of a ``name=value`` word in the detail, such as ``at`` or ``token``."""
        for word in split(self.detail):
            key, equals, value = word.partition("=")
            if equals and key == name:
                return value
        return None


def format_error(code: str, detail: str = "") -> str:
    """The line for an error; the detail is made printable."""
    return f"error {code} {printable(detail, 400)}".rstrip()


def parse_error(line: str) -> ErrorLine | None:
    """Read an error line; also the error inside ``response error CODE``."""
    tokens = split(line)
    if tokens and tokens[0].lower() == "response":
        tokens = tokens[1:]
    if len(tokens) < 2 or tokens[0].lower() != "error":
        return None
    return ErrorLine(tokens[1], " ".join(tokens[2:]))


# ---- bestmove


@dataclass(frozen=True)
class BestMove:
    """``bestmove MOVE… [ponder MOVE] [searchid TOKEN]``; no moves is ``(none)``."""

    moves: tuple[str, ...]
    ponder: str | None = None
    searchid: str | None = None

    @property
    def move(self) -> str | None:
        """The first move; None for ``(none)``."""
        return self.moves[0] if self.moves else None


def format_bestmove(best: BestMove) -> str:
    """The line for an answer."""
    parts = ["bestmove", *(best.moves or ("(none)",))]
    if best.ponder is not None:
        parts += ["ponder", best.ponder]
    if best.searchid is not None:
        parts += ["searchid", best.searchid]
    return " ".join(parts)


def parse_bestmove(line: str) -> BestMove | None:
    """Read a bestmove line; None for any other line."""
    command, *tokens = split(line) or [""]
    if command.lower() != "bestmove":
        return None
    found: dict[str, str] = {}
    for key in ("searchid", "ponder"):
        if len(tokens) > 2 and tokens[-2] == key:
            found[key] = tokens.pop()
            tokens.pop()
    return BestMove(() if tokens == ["(none)"] else tuple(tokens), found.get("ponder"), found.get("searchid"))


# ---- info


@dataclass(frozen=True)
class Info:
    """One info line; a field that the line doesn't have is None. In the order of the wire."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    cp: int | None = None  # 0 = an even share of the win
    win: tuple[int, ...] | None = None  # permille per seat
    vp: tuple[float, ...] | None = None  # expected final score per seat
    nodes: int | None = None
    nps: int | None = None
    worlds: int | None = None
    hashfull: int | None = None  # permille
    time: int | None = None  # milliseconds
    searchid: str | None = None
    visits: int | None = None
    se: int | None = None  # standard error of the mover's win, permille
    pv: tuple[str, ...] | None = None
    string: str | None = None


_WORD = {"cp": "score cp"}
_NUMBERS = frozenset(field.name for field in fields(Info) if field.type == "int | None") - {"cp"}


def format_info(info: Info) -> str:
    """The line for an info; ``pv`` or ``string`` comes last. A line too long loses the end of its pv."""
    parts = ["info"]
    for field in fields(info):
        value = getattr(info, field.name)
        if value is None:
            continue
        parts.append(_WORD.get(field.name, field.name))
        if field.name == "vp":
            parts += [f"{points:.1f}" for points in value]
        elif isinstance(value, tuple):
            parts += map(str, value)
        else:
            parts.append(str(value))
    return _cut(" ".join(parts))


def longest_reply(line: str) -> int:
    """How many bytes such a line from the engine may have, its end not counted.

    A response may hold a whole position with its history, which the client can send back.
    """
    return MAX_LINE if line.startswith("response ") else MAX_REPLY - 1


def _cut(line: str) -> str:
    if len(line.encode()) < MAX_REPLY:
        return line
    return line.encode()[: MAX_REPLY - 1].decode(errors="ignore").rpartition(" ")[0]


def parse_info(line: str) -> Info | None:
    """Read an info line; None for any other line. Unknown or damaged parts are skipped."""
    tokens = split(line)
    if not tokens or tokens[0].lower() != "info":
        return None
    found: dict[str, Any] = {}
    i = 1
    while i < len(tokens):
        word = tokens[i].lower()
        i += 1
        if word in ("pv", "string"):
            rest = tokens[i:]
            found[word] = tuple(rest) if word == "pv" else " ".join(rest)
            break
        i += _read(word, tokens[i : i + MAX_SEATS], found)
    return Info(**found)


def _read(word: str, values: Sequence[str], found: dict[str, Any]) -> int:
    """Take one field from the front of the values; how many were used."""
    if word in ("win", "vp"):
        numbers = _leading_numbers(values)
        found[word] = tuple(round(n) for n in numbers) if word == "win" else tuple(numbers)
        return len(numbers)
    if word == "searchid" and values:
        found[word] = values[0]
        return 1
    if word in _NUMBERS or word == "cp":
        number = parse_integer(values[0]) if values else None
        if number is not None:
            found[word] = number
            return 1
    return 0


def _leading_numbers(values: Sequence[str]) -> list[float]:
    numbers: list[float] = []
    for value in values:
        if not _DECIMAL.fullmatch(value):
            break
        numbers.append(float(value))
    return numbers


def format_infojson(report: dict[str, Any]) -> str:
    """``infojson {…}``."""
    return f"infojson {json.dumps(report, separators=(',', ':'), ensure_ascii=True, allow_nan=False)}"


def parse_infojson(line: str) -> dict[str, Any] | None:
    """The object of an infojson line; None for any other or a damaged line."""
    word, _, text = line.strip().partition(" ")
    if word.lower() != "infojson":
        return None
    try:
        report = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return report if isinstance(report, dict) else None


# ---- numbers of an evaluation


def permilles(shares: Sequence[float]) -> tuple[int, ...]:
    """Shares as whole permilles that sum to exactly 1000 (largest remainder).

    >>> permilles([1 / 3, 1 / 3, 1 / 3])
    (334, 333, 333)
    """
    kept = [share if math.isfinite(share) and share > 0 else 0.0 for share in shares]
    total = sum(kept)
    exact = [1000 * share / total for share in kept] if total > 0 else [1000 / len(kept)] * len(kept)
    floors = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda seat: (floors[seat] - exact[seat], seat))
    for seat in by_remainder[: 1000 - sum(floors)]:
        floors[seat] += 1
    return tuple(floors)


def centipawns(share: float, seats: int) -> int:
    """A share of the win on the scale of ``score cp``: 0 = an even share, Elo-like for two seats."""
    clipped = min(max(share, 0.001), 0.999)
    return round(400 * math.log10(clipped * (seats - 1) / (1 - clipped)))


# ---- handshake


@dataclass(frozen=True)
class Option:
    """A setting that an engine offers. ``type``: check, spin, combo, string or button."""

    name: str
    type: str
    default: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()


def format_option(option: Option) -> str:
    """``option name … type … default … min … max … var …``; an empty text prints as ``<empty>``."""
    parts = [f"option name {option.name} type {option.type}"]
    if option.type != "button":
        parts.append(f"default {option.default or '<empty>'}")
    if option.minimum is not None:
        parts.append(f"min {option.minimum}")
    if option.maximum is not None:
        parts.append(f"max {option.maximum}")
    parts += [f"var {choice}" for choice in option.choices]
    return " ".join(parts)


_OPTION_KEYS = ("type", "default", "min", "max", "var")


def parse_option(line: str) -> Option | None:
    """Read an option line; None for any other or a damaged line. Names and values may have spaces."""
    tokens = split(line)
    if [t.lower() for t in tokens[:2]] != ["option", "name"]:
        return None
    found: dict[str, list[list[str]]] = {"name": [[]]}
    current = found["name"][0]
    for token in tokens[2:]:
        if token in _OPTION_KEYS and (token == "var" or token not in found):
            current = []
            found.setdefault(token, []).append(current)
        else:
            current.append(token)
    texts = {key: [" ".join(words) for words in values] for key, values in found.items()}
    kind = texts.get("type", [""])[0].lower()
    if not texts["name"][0] or kind not in ("check", "spin", "combo", "string", "button"):
        return None
    default = texts.get("default", [""])[0]
    return Option(
        texts["name"][0],
        kind,
        "" if default == "<empty>" else default,
        parse_integer(texts.get("min", [""])[0]),
        parse_integer(texts.get("max", [""])[0]),
        tuple(texts.get("var", ())),
    )


@dataclass(frozen=True)
class GameLine:
    """``game name … players LOW HIGH hidden … chance … maxlen …``: a game the engine plays."""

    name: str
    fewest: int
    most: int
    hidden: bool
    chance: bool
    maxlen: int


def format_game(game: GameLine) -> str:
    """The line for a game."""
    return (
        f"game name {game.name} players {game.fewest} {game.most} hidden {str(game.hidden).lower()} "
        f"chance {str(game.chance).lower()} maxlen {game.maxlen}"
    )


_GAME = re.compile(
    r"game name (\S+) players ([1-9]) ([1-9]) hidden (true|false) chance (true|false) maxlen ([0-9]{1,9})\b"
)


def parse_game(line: str) -> GameLine | None:
    """Read a game line; None for any other or a damaged line."""
    match = _GAME.match(" ".join(split(line)))
    if match is None:
        return None
    name, fewest, most, hidden, chance, maxlen = match.groups()
    return GameLine(name, int(fewest), int(most), hidden == "true", chance == "true", int(maxlen))
