"""The games. This module is the only place that knows them by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from serai.core.errors import NotationError, SetupError
from serai.core.facts import Facts
from serai.core.spec import Spec, parse_spec

if TYPE_CHECKING:
    from serai.core.game import Game

NAMES = {"spice_road": "SpiceRoad", "concordia": "Concordia"}


def load(spec: str | Spec) -> Game:
    """The game a spec names, ready to start; raises NotationError or SetupError.

    >>> load("spice_road;players=3;seed=42").start().to_act
    0
    """
    if isinstance(spec, str):
        spec = parse_spec(spec)
    game: Game = _class_of(spec.game)(spec)
    return game


def _class_of(name: str) -> Any:
    if name not in NAMES:
        raise NotationError(f"unknown game {name!r:.60}; known: {' '.join(NAMES)}", "unknown-game")
    return getattr(import_module(f"serai.core.games.{name}.rules"), NAMES[name])


def facts_of(name: str) -> Facts:
    """What is known of a game without loading its rules.

    >>> facts_of("spice_road").most
    5
    """
    facts: Facts = import_module(f"serai.core.games.{name}").FACTS
    return facts


def seat_counts(name: str, variant: str = "base") -> list[int]:
    """The numbers of seats that a game can be set up for.

    >>> seat_counts("spice_road")
    [2, 3, 4, 5]
    """
    counts = []
    for players in range(1, 10):
        try:
            load(Spec(name, players, variant=variant))
        except SetupError:
            continue
        counts.append(players)
    return counts


def set_ups(name: str) -> list[Spec]:
    """Every variant of a game with every number of seats that it can be set up for; raises NotationError.

    >>> [str(spec) for spec in set_ups("concordia")][3:5]
    ['concordia;players=5', 'concordia;players=2;variant=base-first']
    """
    variants: tuple[str, ...] = _class_of(name).variants
    return [Spec(name, n, variant=variant) for variant in variants for n in seat_counts(name, variant)]
