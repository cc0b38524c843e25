"""Reading files in TOML, components above all: every refusal names file, item and rule."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NoReturn

from serai.core.errors import SetupError

MAX_BYTES = 1_000_000


def stamp_of(path: Path) -> tuple[int, int]:
    """What changes with a file's content: its time and size; zeros if there is none to be read."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


class ComponentFile:
    """A component file while it is being read; ``refuse`` is the one way to complain."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = read_toml(path, f"{path}: component file")

    def refuse(self, item: str, rule: str) -> NoReturn:
        """Raise SetupError that names file, item and the rule broken."""
        raise SetupError(f"{self.path}: {item}: {rule}")

    def check_head(self, game: str) -> None:
        """Refuse a file of another game or format."""
        if self.data.get("game") != game or self.data.get("format") != 1:
            self.refuse("head", f'must say game = "{game}" and format = 1')

    def table(self, name: str) -> dict[str, Any]:
        """A table."""
        table = self.data.get(name)
        if not isinstance(table, dict):
            self.refuse(f"[{name}]", "is missing")
        return table

    def items(self, table: str, lowest: int, highest: int) -> list[dict[str, Any]]:
        """The entries of an array of tables, ``lowest`` to ``highest`` of them."""
        entries = self.data.get(table)
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.refuse(f"[[{table}]]", "must be an array of tables")
        if not lowest <= len(entries) <= highest:
            self.refuse(f"[[{table}]]", f"has {len(entries)} entries; must have {lowest} to {highest}")
        return entries

    def integer(self, entry: dict[str, Any], key: str, item: str, lowest: int, highest: int) -> int:
        """A whole number in a range."""
        value = entry.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            self.refuse(item, f"{key} must be a whole number from {lowest} to {highest}, not {value!r:.40}")
        return value

    def known_keys(self, entry: dict[str, Any], keys: set[str], item: str) -> None:
        """Refuse a key that nobody reads: most likely a slip of the pen."""
        for key in entry:
            if key not in keys:
                self.refuse(item, f"unknown key {key!r:.40}; known: {' '.join(sorted(keys))}")


def read_toml(path: Path, place: str) -> dict[str, Any]:
    """A TOML file of whatever origin; raises SetupError that begins with ``place``."""
    try:
        if not path.is_file():
            raise SetupError(f"{place}: no such file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise SetupError(f"{place}: larger than {MAX_BYTES} bytes")
        return tomllib.loads(raw.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, SetupError):
            raise
        raise SetupError(f"{place}: {error}") from None
