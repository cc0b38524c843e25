"""A turn of Concordia in which another seat decides something, and the turns after it."""

from __future__ import annotations

from functools import cache

from reference.concordia_situations import player, situation

from serai.core import Position, load

TOKENS = {"bauzanum": "brick", "aquileia": "food", "verona": "wine"}
FULL = "food food food food food food food"  # beside colonists: all but one slot of a storehouse
TURNS = (
    ("play=prefect", "produce=venetia", "keep=brick"),  # the second seat has to choose
    ("play=tribune",),
    ("play=mercator", "done"),
)
SCRIPT = tuple(event for turn in TURNS for event in turn)


@cache
def opening() -> Position:
    """Three seats before the script."""
    seats = [
        player("brick", houses=["bauzanum"], pile=["architect", "mercator", "senator", "prefect"]),
        player(FULL, houses=["bauzanum", "aquileia"], pile=["mercator"]),
        player(),
    ]
    return load("concordia;players=3;variant=italia").from_state(situation(seats, "italia", tokens=TOKENS))


def keeping() -> Position:
    """The second seat keeps a good of two in the first one's turn."""
    return opening().replay(SCRIPT[:2])


def turning() -> Position:
    """The second seat's own turn begins."""
    return opening().replay(SCRIPT[:3])
