"""What a network sees of a position of any game, in words: as it is compiled, and as it is read slowly."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from reference import concordia_features, spice_road_features

from serai.core import CHANCE, Game, Position
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec

MOST, MOST_TRAITS = 128, 16  # MAX_FEATURES and MAX_TRAITS in core/types.pxd
TABLES = (
    *(Spec("spice_road", seats) for seats in (2, 3, 4, 5)),
    Spec("concordia", 2),
    Spec("concordia", 3, variant="imperium"),
    Spec("concordia", 4, variant="italia-first"),
    Spec("concordia", 5),
)
READINGS: dict[str, Any] = {"spice_road": spice_road_features, "concordia": concordia_features}

State = dict[str, Any]
Seen = tuple[set[str], list[set[str]]]  # of the table, and of each seat


@dataclass(frozen=True)
class Names:
    """What the numbers of a game with the shipped components mean; "" for a number that is not in use."""

    table: tuple[str, ...]
    player: tuple[str, ...]
    option: tuple[str, ...]


@cache
def names_of(game: str) -> Names:
    """The names that a game gives to what is seen of it."""
    components = import_module(f"serai.core.games.{game}.components").load_components()
    given = import_module(f"serai.core.games.{game}.feature_names")
    return Names(
        given.table_names(components), given.player_names(components), given.option_names(components)
    )


def named(position: Position) -> Seen:
    """The names of what is seen; each is seen once."""
    names = names_of(position.game.name)
    table, players = feature_lists(position)
    of_table = [names.table[i] for i in table]
    of_players = [[names.player[i] for i in found] for found in players]
    for found in (of_table, *of_players):
        assert len(set(found)) == len(found) <= MOST
    return set(of_table), [set(found) for found in of_players]


def named_traits(position: Position) -> dict[str, set[str]]:
    """The names of the traits of each legal decision; each is there once."""
    names, found = names_of(position.game.name), {}
    for token, numbers in trait_lists(position).items():
        found[token] = {names.option[i] for i in numbers}
        assert len(found[token]) == len(numbers) <= MOST_TRAITS
    return found


def expected(position: Position) -> Seen:
    """The slow reading of what is seen."""
    seen: Seen = READINGS[position.game.name].features(position.state())
    return seen


def expected_traits(position: Position) -> dict[str, set[str]]:
    """The slow reading of all legal decisions."""
    if position.to_act < 0:
        return {}
    reading, state = READINGS[position.game.name], position.state()
    return {
        token: reading.traits(state, token, position.apply(token).state())
        for token in position.legal_tokens()
    }


def assert_within_limits(position: Position) -> None:
    """No list is longer than there is room, and no number is there twice or beyond those of the game."""
    game = position.game
    table, players = feature_lists(position)
    limits = (game.table_features, *[game.player_features] * game.seats)
    for found, limit in zip((table, *players), limits, strict=True):
        assert len(set(found)) == len(found) <= MOST
        assert all(0 <= number < limit for number in found)
    for found in trait_lists(position).values():
        assert len(set(found)) == len(found) <= MOST_TRAITS
        assert all(0 <= number < game.option_traits for number in found)


def at_random(game: Game, seed: int, events: int) -> list[Position]:
    """A game of random decisions, up to so many events."""
    numbers, position, line = random.Random(seed), game.start(), []
    while not position.is_over and len(line) < events:
        line.append(position)
        if position.to_act == CHANCE:
            position = position.apply(position.draw(numbers.getrandbits(64)))
        else:
            position = position.apply(numbers.choice(position.legal_tokens()))
    return [*line, position]


def what_changes(game: Game, state: State, change: Callable[[State], None]) -> tuple[bool, set[int]]:
    """Whether another list of the table comes with a change of the state, and of which seats."""
    before = feature_lists(game.from_state(state))
    change(state)
    after = feature_lists(game.from_state(state))
    return before[0] != after[0], {i for i in range(game.seats) if before[1][i] != after[1][i]}


def moved_on(state: State, by: int) -> State:
    """The same table with everybody moved on by some seats, and whatever is said of a seat as well."""
    seats = state["seats"]
    moved = {**state, "players": [state["players"][(i - by) % seats] for i in range(seats)]}
    for key in ("turn", "mover", "magnus", "concordia"):
        if str(state.get(key)).startswith("p"):
            moved[key] = f"p{(int(state[key][1:]) - 1 + by) % seats + 1}"
    return moved
