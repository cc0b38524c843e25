"""Checked access to a state dictionary of unknown origin; every complaint is a NotationError."""

from __future__ import annotations

from typing import Any

from serai.core.errors import NotationError


class StateReader:
    """What the readers of all games share: fields of a type, numbers and lists within limits."""

    def get(self, data: Any, key: str, kind: type, default: Any = None) -> Any:
        """A field of a given type."""
        value = data.get(key, default) if isinstance(data, dict) else None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise NotationError(f"state: {key} must be {kind.__name__}, not {value!r:.40}", "bad-value")
        return value

    def integer(self, data: Any, key: str, highest: int, default: int | None = None) -> int:
        """A whole number from 0."""
        value = self.get(data, key, int, default)
        if not 0 <= value <= highest:
            raise NotationError(f"state: {key} must be 0 to {highest}, not {value}", "bad-value")
        return int(value)

    def listed(self, data: Any, key: str, longest: int) -> list[Any]:
        """A list of limited length."""
        value = self.get(data, key, list, [])
        if len(value) > longest:
            raise NotationError(f"state: {key} has {len(value)} entries, at most {longest} fit", "bad-value")
        return list(value)
