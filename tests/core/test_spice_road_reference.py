"""The compiled rules of Century: Spice Road against the slow second reading, event by event.

SERAI_REFERENCE_GAMES sets the number of games; the default takes seconds.
"""

from __future__ import annotations

import os

import pytest
from reference.deal import fnv1a, pile_order, splitmix64
from reference.duel import Duel
from reference.spice_road import Reference

from serai.core import load
from serai.core.spec import Spec

GAMES = int(os.environ.get("SERAI_REFERENCE_GAMES", "32"))
LONGEST = 600
SEATS = (2, 3, 4, 5)


def duel(seats: int, number: int) -> Duel:
    return Duel(Spec("spice_road", seats), number)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", range(max(1, GAMES // len(SEATS))))
def test_both_readings_agree_on_every_event(seats: int, number: int) -> None:
    duel(seats, number).play(LONGEST)


@pytest.mark.parametrize("seats", SEATS)
def test_both_readings_go_on_alike_from_any_state(seats: int) -> None:
    duel(seats, 0).play_and_begin_anew(LONGEST)


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
@pytest.mark.parametrize("seats", SEATS)
def test_a_seed_deals_the_published_order(seats: int, seed: int) -> None:
    state = load(f"spice_road;players={seats};seed={seed}").start().state()
    reference = Reference(seats)
    market = pile_order(seed, "market", reference.merchants)
    assert [stall["card"] for stall in state["market"]] == market[:6]
    assert state["points"] == pile_order(seed, "point", list(reference.goals))[:5]
    assert state["turn"] == "p1"


def test_the_numbers_behind_the_deal_are_the_well_known_ones() -> None:
    numbers = splitmix64(0)
    assert [next(numbers) for _ in range(2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert (fnv1a(""), fnv1a("a")) == (0xCBF29CE484222325, 0xAF63DC4C8601EC8C)
