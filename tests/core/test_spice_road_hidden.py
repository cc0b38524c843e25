"""What a seat can't know in Spice Road is dealt as often as an exact count says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product
from typing import Any

import pytest
from contract.secrets import assert_dealt_as_counted
from reference.spice_road_situations import player, situation

from serai.core import Position, load
from serai.core.games.spice_road.components import load_components

MERCHANTS = [card.name for card in load_components().cards[2:]]
POINTS = [card.name for card in load_components().points]
STARTERS = ["+yy", "up2"]
World = tuple[tuple[str, ...], ...]  # for each seat its hand, then its claimed cards


def world(position: Position) -> World:
    """What is hidden in a full position."""
    return tuple(tuple(seat[key]) for seat in position.state()["players"] for key in ("hand", "claimed"))


def ordered(hand: Iterable[str]) -> tuple[str, ...]:
    """A hand in the order of a state."""
    return tuple(card for card in STARTERS + MERCHANTS if card in set(hand))


def assert_dealt_evenly(position: Position, seat: int, worlds: set[World], each: int) -> None:
    """Every possible world comes up, and about as often as every other one."""
    samples = each * len(worlds)
    dealt = Counter(world(position.determinize(seat, number)) for number in range(samples))
    assert set(dealt) == worlds
    assert_dealt_as_counted(dealt, dict.fromkeys(worlds, 1))


def two_hands() -> tuple[Position, list[str]]:
    """Three seats; p2 and p3 hold two and one cards that nobody else knows, and two are in the deck."""
    unseen, open_cards = MERCHANTS[:5], MERCHANTS[5:]
    state: dict[str, Any] = situation(
        [
            player("yy", hand=[*STARTERS, *open_cards[6:]]),
            player("yy", hand=[*STARTERS, *unseen[:2]]),
            player("yy", hand=[*STARTERS, unseen[2]]),
        ],
        market=open_cards[:6],
    )
    state["players"][1]["secret"], state["players"][2]["secret"] = unseen[:2], [unseen[2]]
    return load("spice_road;players=3").from_state(state), unseen


def test_unknown_hands_are_dealt_evenly() -> None:
    position, unseen = two_hands()
    open_hand = world(position)[0]
    worlds = {
        (open_hand, (), ordered([*STARTERS, *second]), (), ordered([*STARTERS, third]), ())
        for second in combinations(unseen, 2)
        for third in set(unseen) - set(second)
    }
    assert len(worlds) == 30
    assert_dealt_evenly(position, 0, worlds, 300)


@pytest.mark.parametrize("seat", [1, 2])
def test_a_seat_knows_its_own_hand(seat: int) -> None:
    position, unseen = two_hands()
    own = world(position)[2 * seat]
    other = 3 - seat
    rest = [card for card in unseen if card not in own]
    worlds = set()
    for hand in combinations(rest, 2 if other == 1 else 1):
        hands = list(world(position))
        hands[2 * other] = ordered([*STARTERS, *hand])
        worlds.add(tuple(hands))
    assert_dealt_evenly(position, seat, worlds, 400)


def test_a_card_that_was_played_is_known_from_then_on() -> None:
    position, unseen = two_hands()
    state = position.state() | {"turn": "p2"}
    state["players"][1]["caravan"] = "yyyrrrgg"
    after = load("spice_road;players=3").from_state(state)
    token = next(t for t in after.legal_tokens() if t.startswith(("play=" + unseen[0], "play=" + unseen[1])))
    after = after.apply(token)
    played = after.state()["players"][1]["played"][0]
    for number in range(200):
        assert after.determinize(0, number).state()["players"][1]["played"] == [played]
    assert {len(set(world(after.determinize(0, n))[2]) - set(STARTERS)) for n in range(50)} == {1}


def test_veiled_claims_are_dealt_evenly() -> None:
    """Twenty cards are claimed, of which two of p2's are veiled; eleven are in the deck."""
    claims = [POINTS[4 * i : 4 * i + 4] for i in range(5)]
    state: dict[str, Any] = situation([player(claimed=cards) for cards in claims], points=POINTS[20:25])
    state["players"][1]["veiled"] = claims[1][1:3]
    position = load("spice_road;players=5").from_state(state)
    worlds = set()
    for first, second in permutations([*POINTS[25:], *claims[1][1:3]], 2):
        faces = list(world(position))
        faces[3] = (claims[1][0], first, second, claims[1][3])
        worlds.add(tuple(faces))
    assert len(worlds) == 13 * 12
    assert_dealt_evenly(position, 0, worlds, 30)


def test_points_of_veiled_claims_are_in_no_other_seats_scores() -> None:
    state: dict[str, Any] = situation([player(claimed=POINTS[:2]), player(claimed=POINTS[2:4])])
    state["players"][1]["veiled"] = [POINTS[3]]
    position = load("spice_road;players=2").from_state(state)
    printed = [int(name.partition("=")[2]) for name in POINTS[:4]]
    assert position.scores() == [printed[0] + printed[1], printed[2] + printed[3]]
    assert position.view(1).scores() == position.scores()
    assert position.view(0).scores() == [printed[0] + printed[1], printed[2]]


def test_all_combinations_of_hidden_hand_and_claim_come_up() -> None:
    """Merchants and point cards are dealt independently of one another."""
    position, unseen = two_hands()
    state = position.state()
    state["players"][1] |= {"claimed": [POINTS[0]], "veiled": [POINTS[0]]}
    state["points"] = POINTS[1:6]
    state["points_left"] -= 1
    position = load("spice_road;players=3").from_state(state)
    faces = [POINTS[0], *POINTS[6:]]
    worlds = [world(position.determinize(0, number)) for number in range(155 * 20)]
    dealt = Counter((hidden[4][-1], hidden[3][0]) for hidden in worlds)
    assert len(dealt) == 155
    assert_dealt_as_counted(dealt, dict.fromkeys(product(unseen, faces), 1))
