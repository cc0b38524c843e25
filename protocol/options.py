"""The settings of an engine: what is offered, what is set, and the check of every value."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from serai.core.games import NAMES
from serai.protocol.commands import MAX_MULTIPV, CommandError, PositionCommand
from serai.protocol.messages import Option, parse_integer, printable
from serai.protocol.setup import set_up

LARGEST: Final = 2**31 - 1  # of a spin, so that front ends with 32-bit integers can hold it
_LONGEST = 4096  # characters of a string


def check(name: str, default: bool) -> Option:
    """A setting that is on or off."""
    return Option(name, "check", str(default).lower())


def spin(name: str, default: int, minimum: int, maximum: int) -> Option:
    """A whole number."""
    return Option(name, "spin", str(default), minimum, maximum)


def combo(name: str, *choices: str) -> Option:
    """One of some words; the first is the default."""
    return Option(name, "combo", choices[0], choices=choices)


def engine_options() -> list[Option]:
    """The settings that every engine built on this package has, whatever thinks inside."""
    return [
        spin("MultiPV", 1, 1, MAX_MULTIPV),
        check("Ponder", False),
        spin("Move Overhead", 20, 0, 5000),
        spin("DefaultMoveTime", 1000, 0, 3_600_000),
        combo("Information", "seat", "full"),
        check("TurnMoves", False),
        check("AllowResign", False),
        Option("UGI_Game", "string", f"{next(iter(NAMES))};players=2;seed=1"),
        Option("UGI_Opponents", "string"),
        check("UGI_InfoJSON", False),
    ]


class Options:
    """The current values, as text; names are found whatever their case."""

    def __init__(self, offered: Iterable[Option]) -> None:
        self.offered = tuple(offered)
        self._by_name = {option.name.lower(): option for option in self.offered}
        self._values = {option.name: option.default for option in self.offered if option.type != "button"}
        if len(self._by_name) != len(self.offered):
            raise ValueError("two options have one name")

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def integer(self, name: str) -> int:
        """The value of a spin."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """The value of a check."""
        return self._values[name] == "true"

    def checked(self, name: str, value: str | None) -> tuple[str, str]:
        """A setting's own name, and a value for it in its canonical form; raises CommandError."""
        option = self._by_name.get(name.lower())
        if option is None:
            names = ", ".join(offered.name for offered in self.offered)
            raise CommandError("unknown-option", f"{printable(name)}; there are: {names}")
        return option.name, _checked(option, value)

    def keep(self, name: str, value: str) -> None:
        """Change a setting, to what `checked` gave."""
        if name in self._values:
            self._values[name] = value

    def to_json(self) -> str:
        """All values as one line of JSON."""
        typed = {option.name: self._typed(option) for option in self.offered if option.type != "button"}
        return json.dumps(typed, ensure_ascii=False)

    def _typed(self, option: Option) -> str | int | bool:
        if option.type == "check":
            return self.flag(option.name)
        return self.integer(option.name) if option.type == "spin" else self[option.name]


def _checked(option: Option, value: str | None) -> str:
    """The value in its canonical form; raises CommandError."""
    if option.type == "button":
        return ""
    text = "" if value is None or value == "<empty>" else value
    if option.type == "string":
        return _checked_text(option, text)
    if option.type == "spin":
        number = parse_integer(text)
        if number is None or not _within(option, number):
            raise CommandError(
                "bad-value", f"{option.name} {text or '<empty>'}: {option.minimum} to {option.maximum}"
            )
        return str(number)
    choices = ("true", "false") if option.type == "check" else option.choices
    for choice in choices:
        if choice.lower() == text.lower():
            return choice
    raise CommandError("bad-value", f"{option.name} {text or '<empty>'}: one of {' '.join(choices)}")


def _within(option: Option, number: int) -> bool:
    low = option.minimum if option.minimum is not None else -LARGEST
    high = option.maximum if option.maximum is not None else LARGEST
    return low <= number <= high


def _checked_text(option: Option, text: str) -> str:
    if len(text) > _LONGEST or not text.isprintable():
        raise CommandError("bad-value", f"{option.name}: at most {_LONGEST} printable characters")
    if option.name == "UGI_Game":
        _check_game(text)
    return text


def _check_game(text: str) -> None:
    if " " in text:
        raise CommandError("bad-value", "UGI_Game: a spec has no spaces")
    try:
        set_up(PositionCommand(None), text)
    except CommandError as error:
        raise CommandError("bad-value", f"UGI_Game: {error}") from None
