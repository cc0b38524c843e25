"""Component files in tests: the shipped ones, changes to them, and what makes a file of any game unfit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

Change = Callable[[str], str]
Fault = tuple[Change, str, str]  # the change that breaks a file; the item and the rule that its refusal names


def shipped(game: str) -> Path:
    """The component file of a game."""
    return Path(__file__).parents[2] / "core" / "games" / game / "data.toml"


def shipped_text(game: str) -> str:
    """What it says."""
    return shipped(game).read_text(encoding="utf-8")


def entry(table: str, **values: object) -> str:
    """One more entry of a table, as TOML."""
    return f"\n[[{table}]]\n" + "".join(f"{key} = {json.dumps(given)}\n" for key, given in values.items())


def more(table: str, **values: object) -> Change:
    """One more entry of a table."""
    return lambda text: text + entry(table, **values)


def swap(old: str, new: str) -> Change:
    """The first place with the old text has the new one."""
    return lambda text: text.replace(old, new, 1)


OF_ANY_GAME: dict[str, Fault] = {
    "another game": (swap('game = "', 'game = "no_'), "head", "must say"),
    "another format": (swap("format = 1", "format = 2"), "head", "must say"),
    "an empty file": (lambda _: "", "head", "must say"),
    "no TOML": (lambda _: "[[[", "component file", ""),
    "a huge file": (lambda t: t + "# more\n" * 200_000, "component file", "larger"),
    "a deeply nested file": (lambda t: t + "\nx = " + "[" * 100_000, "component file", ""),
}
