"""The options of an engine as its client keeps them: checked before sending, replayed after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from serai.protocol.commands import format_setoption
from serai.protocol.errors import EngineRefusal
from serai.protocol.messages import Option, parse_integer

OptionValue = bool | int | str | None
MANAGED: Final = frozenset({"multipv"})  # a client asks for these search by search


class Settings:
    """What an engine offers, and what has been set."""

    def __init__(self) -> None:
        self.offered: dict[str, Option] = {}
        self._set: dict[str, str] = {}

    def offer(self, options: Mapping[str, Option]) -> None:
        """Take the options that a (re)started engine announces; what was set stays set."""
        self.offered = {name.lower(): option for name, option in options.items()}

    def values(self) -> dict[str, str]:
        """The values in force, as text."""
        defaults = {
            option.name: option.default for option in self.offered.values() if option.type != "button"
        }
        return defaults | self._set

    def check(self, values: Mapping[str, OptionValue]) -> list[tuple[Option, str | None]]:
        """Options and texts for some values; raises EngineRefusal and changes nothing."""
        return [self._check(name, value) for name, value in values.items()]

    def _check(self, name: str, value: OptionValue) -> tuple[Option, str | None]:
        option = self.offered.get(name.lower())
        if option is None:
            raise EngineRefusal("unknown-option", f"{name}; offered: {', '.join(sorted(self.offered))}")
        if name.lower() in MANAGED:
            raise EngineRefusal("bad-value", f"{name} is an argument of the search, not an option to set")
        return option, option_text(option, value)

    def keep(self, option: Option, text: str | None) -> None:
        """Remember a value that was set."""
        if text is not None:
            self._set[option.name] = text

    def commands(self) -> list[str]:
        """The lines that set everything again."""
        return [
            format_setoption(name, text) for name, text in self._set.items() if name.lower() in self.offered
        ]


def option_text(option: Option, value: OptionValue) -> str | None:
    """A value as it is sent; None for a button. Raises EngineRefusal if the option can't have it.

    >>> option_text(Option("Threads", "spin", "1", 1, 64), 2)
    '2'
    """
    if option.type == "button":
        return None
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    if "\n" in text or "\r" in text:
        raise EngineRefusal("bad-value", f"{option.name}: a value is one line")
    if option.type == "spin":
        number = parse_integer(text)
        low, high = option.minimum, option.maximum
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            raise EngineRefusal("bad-value", f"{option.name} {text:.80}: a number from {low} to {high}")
        return str(number)
    choices = {"check": ("true", "false"), "combo": option.choices}.get(option.type)
    if choices is None:
        return text
    for choice in choices:
        if choice.lower() == text.lower():
            return choice
    raise EngineRefusal("bad-value", f"{option.name} {text:.80}: one of {' '.join(choices)}")
