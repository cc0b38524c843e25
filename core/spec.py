"""Specs: one token that says which game, for how many seats, dealt how (protocol section 1).

>>> parse_spec("spice_road;players=3;seed=42")
Spec(game='spice_road', players=3, seed=42, variant='base', components=None, state=None)
>>> str(parse_spec("spice_road"))
'spice_road;players=2'
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import msgpack

from serai.core.errors import NotationError

MAX_SNAPSHOT = 65_536  # characters of a state= value
LONGEST = 1024  # entries of a list or map in it; those of the games here have fewer than 100


@dataclass(frozen=True)
class Spec:
    """A game, its seats, its deal. ``seed`` None: chance events are listed by whoever controls the game."""

    game: str
    players: int = 2
    seed: int | None = None
    variant: str = "base"
    components: str | None = None
    state: str | None = None

    def __str__(self) -> str:
        parts = [self.game, f"players={self.players}"]
        if self.variant != "base":
            parts.append(f"variant={self.variant}")
        if self.components is not None:
            parts.append(f"components={self.components}")
        if self.seed is not None:
            parts.append(f"seed={self.seed}")
        if self.state is not None:
            parts.append(f"state={self.state}")
        return ";".join(parts)


def parse_spec(text: str) -> Spec:
    """Read a spec; raises NotationError with the protocol's code."""
    game, *pairs = text.split(";")
    fields: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not value:
            raise NotationError(f"spec: {pair!r} is not key=value", "syntax")
        if key in fields:
            raise NotationError(f"spec: {key} is given twice", "syntax")
        fields[key] = _value(key, value)
    return Spec(game, **fields)


def _value(key: str, value: str) -> int | str:
    if key == "players":
        return _number(key, value, 99, "bad-players")
    if key == "seed":
        return _number(key, value, 2**64 - 1, "bad-number")
    if key in ("variant", "components"):
        return value
    if key == "state":
        if len(value) > MAX_SNAPSHOT:
            raise NotationError(f"spec: state is longer than {MAX_SNAPSHOT} characters", "bad-value")
        return value
    raise NotationError(f"spec: unknown key {key!r}; known: players variant components seed state", "syntax")


def _number(key: str, value: str, highest: int, code: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 20 and int(value) <= highest):
        raise NotationError(f"spec: {key}={value!r} is not a number from 0 to {highest}", code)
    return int(value)


def encode_snapshot(state: dict[str, Any]) -> str:
    """A state dictionary as the value of ``state=``."""
    return base64.urlsafe_b64encode(msgpack.packb(state)).rstrip(b"=").decode("ascii")


def decode_snapshot(text: str) -> dict[str, Any]:
    """The reverse of :func:`encode_snapshot`; raises NotationError for anything else."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        # Without these limits a list may claim tens of thousands of entries, within another one, and so on.
        state = msgpack.unpackb(
            raw, strict_map_key=True, max_array_len=LONGEST, max_map_len=LONGEST, max_ext_len=0
        )
    except (binascii.Error, ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise NotationError(f"state= is not a snapshot: {error}", "bad-value") from None
    if not isinstance(state, dict):
        raise NotationError("state= is not a snapshot: no map inside", "bad-value")
    return state
