"""Positions with secrets, and the same positions with other secrets.

What a game hides is its own business, so each game has an entry in SECRETS. Everything else about hidden
information is tried without knowing the game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from contract.cases import game_of, line_of

from serai.core import CHANCE, NotationError, Position
from serai.core.spec import Spec

State = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """Two positions that differ only in what one seat keeps secret."""

    owner: int
    position: Position
    other: Position


def assert_dealt_as_counted(dealt: Counter[Any], ways: Mapping[Any, int]) -> None:
    """Every world came up about as often as the number of ways in which its cards can lie says."""
    assert set(dealt) <= set(ways)
    samples, total = dealt.total(), sum(ways.values())
    due = {world: samples * number / total for world, number in ways.items()}
    surplus = sum((dealt[world] - number) ** 2 / number for world, number in due.items())
    freedom = len(ways) - 1
    assert surplus < freedom + 5 * (2 * freedom) ** 0.5


def pairs_of(table: Spec, number: int) -> list[Pair]:
    """Pairs from all over a game, made by the game's entry."""
    numbers = random.Random(f"secrets {table}")
    line = [position for position in line_of(table) if position.to_act != CHANCE and not position.is_over]
    pairs = []
    for position in numbers.sample(line, len(line)):
        if len(pairs) == number:
            break
        made = SECRETS[table.game](position.state(), numbers)
        if made is not None:
            owner, state, other = made
            game = game_of(table)
            with suppress(NotationError):  # where the game allows no secrets
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
    game: Any = game_of(Spec(state["game"], state["seats"]))
    return [game.token(action) for action in game.pile(pile)]


def concordia(state: State, numbers: random.Random) -> tuple[int, State, State] | None:
    """All cards but the tops of the piles are known to their owners only; one seat gets other ones."""
    state["vague"] = True
    for seat in state["players"]:
        seat["secret"], seat["secret_pile"] = list(seat["hand"]), list(seat["pile"])
        if seat["pile"]:
            seat["secret_pile"].remove(seat["top"])
    owners = [i for i, seat in enumerate(state["players"]) if seat["secret_pile"]]
    if not owners:
        return None
    owner = numbers.choice(owners)
    seat = state["players"][owner]
    cards, unseen = _one_exchanged([*seat["secret"], *seat["secret_pile"]], state["unseen"], numbers)
    cards.remove("tribune")
    numbers.shuffle(cards)
    others = len(seat["secret"]) - 1
    hand, pile = sorted(["tribune", *cards[:others]]), sorted(cards[others:])
    top = [seat["top"]] if seat["pile"] else []
    changed = seat | {"secret": hand, "secret_pile": pile, "hand": hand, "pile": [*pile, *top]}
    if hand == sorted(seat["hand"]) and unseen == state["unseen"]:
        return None
    players = [changed if i == owner else other for i, other in enumerate(state["players"])]
    return owner, state, state | {"players": players, "unseen": unseen}


def _one_exchanged(
    cards: list[str], unseen: dict[str, list[str]], numbers: random.Random
) -> tuple[list[str], dict[str, list[str]]]:
    """A card that nobody starts with, if there is one, for one that the deck has of its numeral."""
    game: Any = game_of(Spec("concordia", 5))
    for numeral in list(unseen)[:1]:
        block = [game.token(action).partition("=")[2] for action in game.pile(numeral)]
        bought = [name for name in block if name in cards and name not in (*unseen[numeral], *STARTING)]
        if bought:
            given, taken = numbers.choice(bought), numbers.choice(unseen[numeral])
            cards.remove(given)
            return [*cards, taken.partition("/")[0]], unseen | {
                numeral: [given if name == taken else name for name in unseen[numeral]]
            }
    return list(cards), unseen


STARTING = ("tribune", "architect", "prefect", "mercator", "diplomat-jupiter", "senator")

SECRETS: dict[str, Callable[[State, random.Random], tuple[int, State, State] | None]] = {
    "spice_road": spice_road,
    "concordia": concordia,
}
