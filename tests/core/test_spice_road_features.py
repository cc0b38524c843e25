"""What a network sees of Spice Road is what the table shows, in every position and from every seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from contract.cases import line_of
from contract.features import (
    State,
    at_random,
    expected,
    expected_traits,
    moved_on,
    named,
    named_traits,
    what_changes,
)
from reference.networks import random_network
from reference.spice_road_situations import player, situation

from serai.core import Position, load
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec

SEATS = (2, 3, 4, 5)


@pytest.fixture(scope="module", params=SEATS)
def played(request: pytest.FixtureRequest) -> list[Position]:
    """Every position of a sensible game, and every other one of a game at random that empties the deck."""
    seats = int(request.param)
    return [
        *line_of(Spec("spice_road", seats)),
        *at_random(load(f"spice_road;players={seats}"), seats, 800)[::2],
    ]


# ---- what is seen


def test_the_lists_say_what_the_table_shows(played: list[Position]) -> None:
    phases = set()
    for position in played:
        state = position.state()
        phases.add(state["phase"])
        assert named(position) == expected(position), state
    assert phases == {"main", "pay", "drop", "market", "point", "over"}
    assert any(position.state()["merchants_left"] == 0 for position in played)


def test_a_payment_under_way_looks_like_one_that_is_made(played: list[Position]) -> None:
    """Also where cubes are returned: cheapest first, which is the first of the legal list."""
    busy = [position for position in played if position.state()["phase"] in ("pay", "drop")]
    assert len(busy) > 20
    for position in busy:
        after = position
        while after.state()["phase"] in ("pay", "drop"):
            after = after.apply(after.legal_tokens()[0])
        assert feature_lists(position) == feature_lists(after)


# ---- what an option is


def test_the_traits_say_what_an_option_is_and_where_it_leads(played: list[Position]) -> None:
    verbs, lost = set(), set()
    for position in played[::3]:
        found = named_traits(position)
        assert found == expected_traits(position), position.state()
        verbs |= {token.partition("=")[0] for token in found}
        lost |= {name for names in found.values() for name in names if name.startswith("lost")}
    assert verbs == {"claim", "take", "play", "rest", "pay", "drop"}
    assert lost > {"lost 0", "lost 1", "lost 2", "lost 3"}


def test_traits_at_the_limits() -> None:
    """A trade that is made many times over, and many cubes that are lost."""
    state = middle()
    state["players"][1]["caravan"], state["turn"] = "rrrrrrrrrr", "p2"
    position = load("spice_road;players=3").from_state(state)
    found = named_traits(position)
    assert found == expected_traits(position)
    assert {"times 6+", "lost 5+", "play r>yyy"} < found["play=r>yyy*10"]
    assert {"times 6+", "lost 5+", "then red 4", "then yellow 6"} < found["play=r>yyy*6"]
    assert {"times 2", "lost 4"} < found["play=r>yyy*2"]


def test_the_dear_cube_and_the_small_upgrade_are_not_worth_a_look(played: list[Position]) -> None:
    network = random_network()
    for position in played[::7]:
        preferred = list(network.prefer(position))
        for token in set(trait_lists(position)) - set(preferred):
            card, *steps = token.split(",")
            if token.startswith("play="):
                longest = max(other.count(",") for other in position.legal_tokens() if other.startswith(card))
                assert card.startswith("play=up")
                assert len(steps) < longest or longest == 0
            else:
                assert token != position.legal_tokens()[0]
                assert len(preferred) == 1


# ---- what changes with what


def middle() -> State:
    """A situation for three seats in which everything can change a little."""
    return situation(
        [
            player("yyrg", hand=["yy>g", "+b"], claimed=["yyrr=6"], gold=1),
            player("rrgg", hand=["r>yyy"], played=["g>rr"], silver=1),
            player("yyyb", played=["+yy", "+rr"], claimed=["ggbbb=18"]),
        ],
        market=["yyy>b yr", "+g", "gg>bb", "b>gg", "up3", "+yr"],
    )


def cubes(state: State) -> None:
    state["players"][1]["caravan"] = "rrggg"


def rest(state: State) -> None:
    seat = state["players"][1]
    seat["hand"], seat["played"] = [*seat["hand"], *seat["played"]], []


def lying(state: State) -> None:
    state["market"][1]["cubes"] = "b"


def swapped_in_the_market(state: State) -> None:
    market = state["market"]
    market[2]["card"], market[3]["card"] = market[3]["card"], market[2]["card"]


def swapped_hands(state: State) -> None:
    first, second = state["players"][0], state["players"][1]
    first["hand"][2], second["hand"][2] = second["hand"][2], first["hand"][2]


def silver_for_silver(state: State) -> None:
    state["players"][1]["silver"], state["players"][2]["silver"] = 0, 1


def swapped_point_cards(state: State) -> None:
    points = state["points"]
    points[1], points[4] = points[4], points[1]


@pytest.mark.parametrize(
    ("change", "table", "players"),
    [
        (cubes, False, {1}),
        (rest, False, {1}),
        (lying, True, set()),
        (swapped_in_the_market, True, set()),
        (swapped_hands, False, {0, 1}),
        (silver_for_silver, False, {1, 2}),
        (swapped_point_cards, True, {0, 1, 2}),
    ],
)
def test_only_what_shows_a_thing_changes_with_it(
    change: Callable[[State], None], table: bool, players: set[int]
) -> None:
    assert what_changes(load("spice_road;players=3"), middle(), change) == (table, players)


# ---- the seats


def without_round(names: set[str]) -> set[str]:
    """The features without the one thing that depends on who began: whether a turn is left in this round."""
    return {name.replace("turn left, ", "") for name in names}


def test_seats_are_alike(played: list[Position]) -> None:
    """A player's list moves with the player, but for the turn left in this round.

    In the last round seats aren't: whoever has ended the game sits before all that are still to move. Nor are
    they in the set-up, which is dealt in the turn of the last one.
    """
    for position in played[20::20]:
        if position.is_over or position.state()["last_round"]:
            continue
        seats = position.seats
        table, players = named(position)
        for by in range(1, seats):
            moved_table, moved = named(position.game.from_state(moved_on(position.state(), by)))
            assert moved_table == table
            for seat in range(seats):
                assert without_round(moved[(seat + by) % seats]) == without_round(players[seat])


def test_turns_are_counted_from_the_seat_to_act(played: list[Position]) -> None:
    """The seat to act moves next in 0 turns, the others after it."""
    starts = [position for position in played if position.state()["phase"] == "main"]
    for position in starts[:: len(starts) // 25]:
        for seat, names in enumerate(named(position)[1]):
            (when,) = (name for name in names if "next turn in" in name)
            assert int(when[-1]) == (seat - position.to_act) % position.seats
            assert when.startswith("last round") == position.state()["last_round"]
