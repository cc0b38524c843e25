"""Snapshots in which tokens or cards are being dealt: before the first turn, or after a purchase."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reference.concordia_situations import player, situation
from reference.tables import State

from serai.core import CHANCE, NotationError, Position, load

GAME = "concordia;players=3;variant=italia"
LATER = "in the set-up the mover is p1"
EARLY: dict[str, Callable[[State], object]] = {
    "another mover": lambda s: s.update(mover="p3"),
    "coins": lambda s: s["players"][1].update(coins=20),
    "goods": lambda s: s["players"][1]["goods"].update(brick=0),
    "a house": lambda s: s["players"][0].update(houses=["cosa"]),
    "a colonist": lambda s: s["players"][2].update(land=["roma-cosa"]),
    "another holder of the Praefectus Magnus": lambda s: s.update(magnus="p1"),
    "a played card": lambda s: (
        s["players"][0]["hand"].remove("senator"),
        s["players"][0].update(pile=["senator"], top="senator"),
    ),
}


def begun(events: int) -> Position:
    """The set-up, so far."""
    position = load(GAME).start()
    for _ in range(events):
        position = position.apply(position.legal_tokens()[0])
    assert position.to_act == CHANCE
    return position


@pytest.mark.parametrize("events", [0, 7, 25, 31])
def test_the_set_up_is_read_back(events: int) -> None:
    position = begun(events)
    assert load(GAME).from_state(position.state()) == position


@pytest.mark.parametrize("events", [0, 7, 25, 31])
@pytest.mark.parametrize("name", EARLY)
def test_nobody_has_done_anything_before_the_set_up_is_over(events: int, name: str) -> None:
    state = begun(events).state()
    EARLY[name](state)
    with pytest.raises(NotationError):
        load(GAME).from_state(state)


def refill(mover: str, *piles: list[str]) -> State:
    """A row with one card too few; the first seat has bought a card."""
    hands = [["mason"], [], []]
    seats = [player(pile=pile, hand=hand) for pile, hand in zip(piles, hands, strict=True)]
    state = situation(seats, "italia", mover=mover)
    state["unseen"]["i"] = [state["row"].pop(), *state["unseen"].get("i", [])]
    return state | {"deck": state["deck"] + 1, "phase": "card", "turn": "chance"}


@pytest.mark.parametrize("card", ["senator", "diplomat-jupiter"])
def test_a_card_is_turned_up_after_a_purchase(card: str) -> None:
    position = load(GAME).from_state(refill("p2", [], [card], ["prefect"]))
    assert position.to_act == CHANCE
    position = position.apply(position.legal_tokens()[0])
    assert (position.state()["phase"], position.mover) == ("main", 2)


@pytest.mark.parametrize(
    ("pile", "rule"),
    [([], LATER), (["prefect"], "when the mover has bought one or two"), (["architect"], "bought")],
)
def test_a_mover_that_can_have_bought_nothing_is_refused(pile: list[str], rule: str) -> None:
    with pytest.raises(NotationError, match=rule):
        load(GAME).from_state(refill("p2", ["senator"], pile, ["senator"]))


def test_no_more_than_two_cards_are_missing_after_a_purchase() -> None:
    state = refill("p2", [], ["senator"], [])
    state["unseen"]["i"] += [state["row"].pop(), state["row"].pop()]
    with pytest.raises(NotationError, match="bought one or two"):
        load(GAME).from_state(state | {"deck": state["deck"] + 2})
