"""Answers to ``query``, as typed values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from serai.protocol.errors import EngineRefusal, ProtocolError
from serai.protocol.game_text import GameText
from serai.protocol.messages import parse_error, split


def read_reply(query: str, lines: list[str]) -> Any:
    """The value in the lines that answer a query: exactly one ``response`` or ``error``.

    bool for yes/no questions, int and lists of numbers for counts and scores, list[str] for events,
    [(event, probability)] for ``chance``, a dictionary for JSON, `GameText` for ``view`` and ``fen``,
    else text. Raises EngineRefusal for an error, ProtocolError for anything else.

    >>> read_reply("legal", ["response 2 rest take=1"])
    ['rest', 'take=1']
    """
    if not lines:
        raise ProtocolError(f"no answer to query {query}")
    refusal = parse_error(lines[0])
    if refusal is not None:
        raise EngineRefusal(refusal.code, refusal.detail)
    word, _, text = lines[0].strip().partition(" ")
    if len(lines) > 1 or word.lower() != "response":
        raise ProtocolError(f"query {query} needs exactly one response line", lines[-1])
    try:
        return _READERS.get(query, str)(text.strip())
    except (ValueError, TypeError, RecursionError, EngineRefusal) as error:
        raise ProtocolError(f"query {query}: {error}", lines[0]) from None


def _yes_no(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{text!r:.60} is neither true nor false")
    return text == "true"


def _counted(text: str) -> list[str]:
    tokens = split(text)
    count = int(tokens[0]) if tokens else -1
    if count != len(tokens) - 1:
        raise ValueError(f"announces {count} tokens, has {len(tokens) - 1}")
    return tokens[1:]


def _chance(text: str) -> list[tuple[str, float]]:
    pairs = [token.rpartition("@") for token in _counted(text)]
    return [(event, float(probability)) for event, _, probability in pairs]


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _numbers(text: str) -> list[int | float]:
    return [float(word) if "." in word else int(word) for word in split(text)]


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("gameover", "p1turn", "islegal"), _yes_no),
    **dict.fromkeys(("legal", "history"), _counted),
    **dict.fromkeys(("scores", "ranks"), _numbers),
    **dict.fromkeys(("observation", "state", "options"), _object),
    "returns": lambda text: [float(word) for word in split(text)],
    "players": int,
    "chance": _chance,
    "view": GameText.parse,
    "fen": GameText,
}
