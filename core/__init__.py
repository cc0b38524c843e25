"""Rules: states, actions, chance, hidden information, scores, text. Knows no search."""

from serai.core.errors import (
    HiddenInformation,
    IllegalAction,
    NotationError,
    RecordError,
    SeraiError,
    SetupError,
)
from serai.core.game import CHANCE, GAME_OVER, Game, Position
from serai.core.games import NAMES, load
from serai.core.spec import Spec, parse_spec

__all__ = [
    "CHANCE",
    "GAME_OVER",
    "NAMES",
    "Game",
    "HiddenInformation",
    "IllegalAction",
    "NotationError",
    "Position",
    "RecordError",
    "SeraiError",
    "SetupError",
    "Spec",
    "load",
    "parse_spec",
]
