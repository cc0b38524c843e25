"""What a seat can't know in Concordia is dealt as often as an exact count says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import perm

from contract.secrets import assert_dealt_as_counted
from reference.concordia_box import FOR_SALE, STARTING, Card
from reference.concordia_situations import player, situation
from reference.tables import State

from serai.core import Position, load

World = tuple[tuple[str, ...], ...]  # kinds in the deck, then the hand of p2

ROW = ["prefect", "mercator5", "colonist", "mason", "smith", "consul", "farmer"]
BOUGHT = ["diplomat-saturnus", "prefect", "architect", "mercator5", "colonist"]


def secret_hand(row: list[str], own: list[str], bought: list[str]) -> Position:
    """Two seats; nobody but p2 knows the cards that p2 has bought, and so which ones are in the deck."""
    state = situation([player("wine", hand=own), player("wine", hand=bought)], row=row)
    state["vague"] = True
    state["players"][1]["secret"] = list(state["players"][1]["hand"])
    return load("concordia;players=2").from_state(state)


def world(state: State) -> World:
    """What is hidden in a full position."""
    deck = [name.partition("/")[0] for block in state["unseen"].values() for name in block]
    return tuple(sorted(deck)), tuple(sorted(state["players"][1]["hand"]))


def worlds(position: Position, row: list[str], own: list[str]) -> Iterator[tuple[World, int]]:
    """Every possible world with the number of ways in which the single cards can lie.

    Cards of one kind are different things, and each may lie in the deck, open, or with p2. The deck is known
    to hold cards of the numeral II only.
    """
    cards = [card for card in FOR_SALE if card.numeral <= 2]
    lying = Counter([*row, *own])
    for deck in combinations([card for card in cards if card.numeral == 2], position.state()["deck"]):
        out = kinds(cards) - kinds(deck)
        ways = 1
        for kind, number in lying.items():
            ways *= perm(out[kind], number)
        hand = out - lying + kinds(STARTING)
        if ways:
            yield (tuple(sorted(kinds(deck).elements())), tuple(sorted(hand.elements()))), ways


def kinds(cards: tuple[Card, ...] | list[Card]) -> Counter[str]:
    """How many there are of each kind."""
    return Counter(card.kind for card in cards)


def dealt(position: Position, samples: int = 6_000) -> Counter[World]:
    """How often each world comes up."""
    return Counter(world(position.determinize(0, number).state()) for number in range(samples))


def test_cards_that_lie_open_are_less_likely_in_the_deck() -> None:
    """A second architect on the table may be the one of the numeral that the deck is at."""
    position = secret_hand(ROW, ["architect"], BOUGHT)
    assert_dealt_as_counted(dealt(position), dict(worlds(position, ROW, ["architect"])))


def test_cards_that_nobody_has_seen_are_dealt_evenly() -> None:
    row = ["diplomat-saturnus/tool", "mason", "farmer", "smith", "consul", "vintner", "weaver"]
    bought = ["architect", "architect", "prefect", "mercator5", "colonist"]
    position = secret_hand(row, [], bought)
    ways = dict(worlds(position, [name.partition("/")[0] for name in row], []))
    assert len(set(ways.values())) == 1
    assert_dealt_as_counted(dealt(position), ways)


def test_a_seat_knows_its_own_hand() -> None:
    position = secret_hand(ROW, ["architect"], BOUGHT)
    own = position.state()["players"][1]["hand"]
    assert {tuple(position.determinize(1, number).state()["players"][1]["hand"]) for number in range(50)} == {
        tuple(own)
    }


def test_a_card_that_was_played_is_known_from_then_on() -> None:
    position = secret_hand(ROW, ["architect"], BOUGHT)
    after = position.apply("play=mercator").apply("done").apply("play=diplomat-saturnus")
    for number in range(100):
        seat = after.determinize(0, number).state()["players"][1]
        assert (seat["top"], seat["pile"]) == ("diplomat-saturnus", ["diplomat-saturnus"])
        assert "diplomat-jupiter" in seat["hand"]


def test_without_secrets_nothing_is_dealt_anew() -> None:
    position = load("concordia;players=3;seed=5").start()
    for seat in range(3):
        assert position.determinize(seat, 1).state() == position.state()
        assert position.view(seat).state() == position.state()
