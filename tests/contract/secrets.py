"""Positions with secrets, and the same positions with other secrets.

What a game hides is its own business, so each game has an entry in SECRETS. Everything else about hidden
information is tried without knowing the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contract.cases import game_of, line_of

from serai.core import CHANCE, Position

State = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """Two positions that differ only in what one seat keeps secret."""

    owner: int
    position: Position
    other: Position


def pairs_of(table: tuple[str, int], number: int) -> list[Pair]:
    """Pairs from all over a game, made by the game's entry."""
    numbers = random.Random(f"secrets {table}")
    line = [position for position in line_of(table) if position.to_act != CHANCE and not position.is_over]
    pairs = []
    for position in numbers.sample(line, min(len(line), 3 * number)):
        made = SECRETS[table[0]](position.state(), numbers)
        if made is not None and len(pairs) < number:
            owner, state, other = made
            game = game_of(table)
            pairs.append(Pair(owner, game.from_state(state), game.from_state(other)))
    assert len(pairs) > number // 2, f"{table}: too few positions have something to hide"
    return pairs


def spice_road(state: State, numbers: random.Random) -> tuple[int, State, State] | None:
    """All taken merchants and all claimed cards are known to their owners only; one seat gets other ones."""
    for seat in state["players"]:
        seat["secret"] = [card for card in seat["hand"] if card not in ("+yy", "up2")]
        seat["veiled"] = list(seat["claimed"])
    owners = [i for i, seat in enumerate(state["players"]) if seat["secret"] or seat["veiled"]]
    if not owners:
        return None
    owner = numbers.choice(owners)
    seat = state["players"][owner]
    changed = dict(seat)
    for key, secret, pile in (("hand", "secret", "merchants"), ("claimed", "veiled", "points")):
        unseen = numbers.sample(_deck(state, pile), len(_deck(state, pile)))
        exchange = dict(zip(numbers.sample(seat[secret], len(seat[secret])), unseen, strict=False))
        changed[key] = [exchange.get(card, card) for card in seat[key]]
        changed[secret] = [exchange.get(card, card) for card in seat[secret]]
    if changed == seat:
        return None
    players = [changed if i == owner else seat for i, seat in enumerate(state["players"])]
    return owner, state, state | {"players": players}


def _deck(state: State, pile: str) -> list[str]:
    """Cards that lie nowhere on the table."""
    players = state["players"]
    if pile == "merchants":
        lying = [slot["card"] for slot in state["market"]]
        held = [card for seat in players for card in seat["hand"] + seat["played"]]
        every = [token[8:] for token in _outcomes(state, "market")]
    else:
        lying, held = state["points"], [card for seat in players for card in seat["claimed"]]
        every = [token[7:] for token in _outcomes(state, "point")]
    return sorted(set(every) - set(lying) - set(held))


def _outcomes(state: State, pile: str) -> list[str]:
    game: Any = game_of((state["game"], state["seats"]))
    return [game.token(action) for action in game.pile(pile)]


SECRETS: dict[str, Callable[[State, random.Random], tuple[int, State, State] | None]] = {
    "spice_road": spice_road,
}
