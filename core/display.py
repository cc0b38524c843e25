"""Text with named styles: how a game shows its table to people, without knowing what shows it.

A span is a text and the name of a style: ``""``, ``strong``, ``faint``, ``alert``, or a material of the games
(``yellow red green brown blue gold silver land sea``). The texts alone, without the styles, must say all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

Span = tuple[str, str]
Spans = list[Span]


@dataclass(frozen=True)
class SeatLabel:
    """What is shown of a seat beside its things: name and points, and a note at the end of its line."""

    name: str
    points: int
    note: str = ""


class Board(Protocol):
    """What the module ``board`` of a game's folder has. ``state`` is as from ``Position.state``."""

    def table(self, state: dict[str, Any], labels: Sequence[SeatLabel], width: int) -> list[Spans]:
        """The table; the same number of lines throughout a game."""

    def sentence(self, state: dict[str, Any], tokens: Sequence[str], after: dict[str, Any]) -> Spans:
        """What a turn did: its events, and the states before and after them. Without a subject: ``rests …``.

        An event of another seat than the mover has its seat before it: ``p2:keep=food``.
        """


def board_of(game: str) -> Board | None:
    """The board of a game; None if it has none, and then ``Position.render`` must do."""
    try:
        module: Any = import_module(f"serai.core.games.{game}.board")
    except ModuleNotFoundError:
        return None
    board: Board = module
    return board


def width_of(spans: Spans) -> int:
    """Characters of a line."""
    return sum(len(text) for text, _ in spans)


def pad(spans: Spans, width: int) -> Spans:
    """The line, filled up with spaces or cut to a width.

    >>> pad([("ab", ""), ("cdef", "strong")], 4)
    [('ab', ''), ('c', 'strong'), ('…', '')]
    """
    room = width - width_of(spans)
    if room >= 0:
        return [*spans, (" " * room, "")] if room else spans
    kept: Spans = []
    left = width - 1
    for text, style in spans:
        if left > 0 and text:
            kept.append((text[:left], style))
            left -= len(text)
    return [*kept, ("…", "")]
