"""Turns of Concordia in which not every step has a token, and in which others decide, told as they were."""

from __future__ import annotations

import pytest
from reference.concordia_situations import player, situation
from reference.tables import State

from serai.core import Position, load
from serai.core.game_record import told_events
from serai.core.games.concordia import board

FULL = "food food food food food food food"  # beside colonists: all slots of a storehouse


def set_up(*seats: State, **known: object) -> Position:
    return load(f"concordia;players={len(seats)};variant=italia").from_state(
        situation(list(seats), "italia", **known)
    )


def told(position: Position, *events: str) -> str:
    """The sentence about these events, which are a whole turn."""
    tokens: list[str] = []
    after = position
    for event in events:
        before, after = after, after.apply(event)
        tokens += told_events(before, after)
    assert after.mover != position.mover
    return "".join(text for text, _ in board.sentence(position.state(), tokens, after.state()))


def test_what_another_seat_keeps_is_told_as_its_own_the_goods_without_a_token_too() -> None:
    """Who keeps food has room for cloth, and nothing else is left for it."""
    tokens = {"bauzanum": "brick", "aquileia": "food", "verona": "wine"}
    mine = player("food tool wine cloth cloth cloth", houses=["bauzanum", "aquileia"])
    other = player("brick brick brick food food food", houses=["bauzanum", "aquileia", "verona"])
    position = set_up(mine, other, player(), tokens=tokens)
    sentence = told(position, "play=prefect", "produce=venetia", "keep=brick", "keep=wine", "keep=food")
    assert sentence == "lets venetia produce, bonus wine; keeps brick, wine; p2 keeps food, wine"


def test_a_turn_that_was_under_way_is_gone_on_with() -> None:
    tokens = {"bauzanum": "brick", "aquileia": "food", "verona": "wine"}
    mine, other = player(houses=["verona"]), player(FULL, houses=["bauzanum", "aquileia"])
    position = set_up(mine, other, player(), tokens=tokens).apply("play=prefect").apply("produce=venetia")
    assert told(position, "keep=food") == "goes on with the prefect; p2 keeps food"


def test_colonists_that_move_without_a_token_have_moved() -> None:
    """The one end that is named is where a colonist was before; it leaves no choice for the other one."""
    mine = player("", land=["casinum-neapolis", "ravenna-florentia"])
    other = player(land=["panormus-syracusae", "florentia-cosa", "comum-genua"])
    sentence = told(set_up(mine, other, player()), "play=architect", "land=casinum-neapolis")
    assert sentence == "moves by land to casinum-luceria"


@pytest.mark.parametrize(("houses", "words"), [([], "nothing"), (["aquileia", "verona"], "2 food")])
def test_a_specialist_without_houses_produces_nothing(houses: list[str], words: str) -> None:
    tokens = {"aquileia": "food", "verona": "food"}
    position = set_up(player("", hand=["farmer"], houses=houses), player(), player(), tokens=tokens)
    assert told(position, "play=farmer") == f"produces {words} with the farmer"


def test_what_ends_a_list_says_of_what() -> None:
    position = set_up(player("food tool wine wine wine"), player(), player(), deck=False)
    assert position.apply("play=senator").describe("done") == "buy no more cards"
    assert position.apply("play=mercator").describe("done") == "trade no more"
    colonist = set_up(player("food food tool tool", hand=["colonist"]), player(), player())
    choices = colonist.apply("play=colonist")
    assert choices.describe("done") == "bring no more colonists"
    assert choices.describe("cash=colonists") == "take 5 coins and 1 for each own colonist on the board"
