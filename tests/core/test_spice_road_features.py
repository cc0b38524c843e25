"""What a network sees of Spice Road is what the table shows, in every position and from every seat."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from contract.cases import line_of
from contract.secrets import pairs_of
from reference.spice_road_features import features as expected
from reference.spice_road_situations import player, situation

from serai.core import CHANCE, Game, Position, load
from serai.core.games.spice_road.components import load_components
from serai.core.games.spice_road.feature_names import player_names, table_names
from serai.core.network import feature_lists

SEATS = (2, 3, 4, 5)
MOST = 128  # MAX_FEATURES in core/types.pxd
CARDS = load_components()
README = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "README.md"
Lists = tuple[list[int], list[list[int]]]


def named(position: Position) -> tuple[set[str], list[set[str]]]:
    """The names of what is seen; each is seen once."""
    table, players = feature_lists(position)
    of_table = [table_names(CARDS)[i] for i in table]
    of_players = [[player_names(CARDS)[i] for i in found] for found in players]
    for names in (of_table, *of_players):
        assert len(set(names)) == len(names) <= MOST
    return set(of_table), [set(names) for names in of_players]


def at_random(game: Game, seed: int, events: int = 800) -> list[Position]:
    """A game of random decisions, far enough to empty the deck of merchants."""
    numbers, position, line = random.Random(seed), game.start(), []
    while not position.is_over and len(line) < events:
        line.append(position)
        if position.to_act == CHANCE:
            position = position.apply(position.draw(numbers.getrandbits(64)))
        else:
            position = position.apply(numbers.choice(position.legal_tokens()))
    return [*line, position]


@pytest.fixture(scope="module", params=SEATS)
def played(request: pytest.FixtureRequest) -> list[Position]:
    """Every position of a sensible game, and every other one of a game at random."""
    seats = int(request.param)
    return [*line_of(("spice_road", seats)), *at_random(load(f"spice_road;players={seats}"), seats)[::2]]


# ---- what is seen


def test_the_lists_say_what_the_table_shows(played: list[Position]) -> None:
    phases = set()
    for position in played:
        state = position.state()
        phases.add(state["phase"])
        assert named(position) == expected(state), state
    assert phases == {"main", "pay", "drop", "market", "point", "over"}
    assert any(position.state()["merchants_left"] == 0 for position in played)


def test_equal_states_give_equal_lists(played: list[Position]) -> None:
    for position in played[::7]:
        assert feature_lists(position.game.from_state(position.state())) == feature_lists(position)


def test_a_payment_under_way_looks_like_one_that_is_made(played: list[Position]) -> None:
    """Also where cubes are returned: cheapest first, which is the first of the legal list."""
    busy = [position for position in played if position.state()["phase"] in ("pay", "drop")]
    assert len(busy) > 20
    for position in busy:
        after = position
        while after.state()["phase"] in ("pay", "drop"):
            after = after.apply(after.legal_tokens()[0])
        assert feature_lists(position) == feature_lists(after)


@pytest.mark.parametrize("seats", SEATS)
def test_unknown_cards_are_counted_until_they_are_dealt(seats: int) -> None:
    unknown = 0
    for pair in pairs_of(("spice_road", seats), 8):
        for seat in range(seats):
            view = pair.position.view(seat)
            assert named(view) == expected(view.state())
            unknown += sum(name.startswith("unknown") for found in named(view)[1] for name in found)
            dealt = pair.position.determinize(seat, 5)
            assert named(dealt) == expected(dealt.state())
            assert not any(name.startswith("unknown") for found in named(dealt)[1] for name in found)
            if seat != pair.owner:
                assert feature_lists(view) == feature_lists(pair.other.view(seat))
    assert unknown > 8


# ---- what changes with what


def middle() -> dict[str, Any]:
    """A situation for three seats in which everything can change a little."""
    return situation(
        [
            player("yyrg", hand=["yy>g", "+b"], claimed=["yyrr=6"], gold=1),
            player("rrgg", hand=["r>yyy"], played=["g>rr"], silver=1),
            player("yyyb", played=["+yy", "+rr"], claimed=["ggbbb=18"]),
        ],
        market=["yyy>b yr", "+g", "gg>bb", "b>gg", "up3", "+yr"],
    )


def cubes(state: dict[str, Any]) -> None:
    state["players"][1]["caravan"] = "rrggg"


def rest(state: dict[str, Any]) -> None:
    seat = state["players"][1]
    seat["hand"], seat["played"] = [*seat["hand"], *seat["played"]], []


def lying(state: dict[str, Any]) -> None:
    state["market"][1]["cubes"] = "b"


def swapped_in_the_market(state: dict[str, Any]) -> None:
    market = state["market"]
    market[2]["card"], market[3]["card"] = market[3]["card"], market[2]["card"]


def swapped_hands(state: dict[str, Any]) -> None:
    first, second = state["players"][0], state["players"][1]
    first["hand"][2], second["hand"][2] = second["hand"][2], first["hand"][2]


def silver_for_silver(state: dict[str, Any]) -> None:
    state["players"][1]["silver"], state["players"][2]["silver"] = 0, 1


def swapped_point_cards(state: dict[str, Any]) -> None:
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
    change: Callable[[dict[str, Any]], None], table: bool, players: set[int]
) -> None:
    game = load("spice_road;players=3")
    state = middle()
    before = feature_lists(game.from_state(state))
    change(state)
    after = feature_lists(game.from_state(state))
    assert (before[0] != after[0]) == table
    assert {i for i in range(3) if before[1][i] != after[1][i]} == players


# ---- the seats


def rotated(state: dict[str, Any], by: int) -> dict[str, Any]:
    """The same table with everybody moved on by some seats, the turn as well."""
    seats = state["seats"]
    turned = {**state, "players": [state["players"][(i - by) % seats] for i in range(seats)]}
    for key in ("turn", "mover"):
        if str(state.get(key)).startswith("p"):
            turned[key] = f"p{(int(state[key][1:]) - 1 + by) % seats + 1}"
    return turned


def without_round(names: set[str]) -> set[str]:
    """The features without the one thing that depends on who began: whether a turn is left in this round."""
    return {name.replace("turn left, ", "") for name in names}


def test_seats_are_alike(played: list[Position]) -> None:
    """A player's list moves with the player, but for the turn left in this round.

    In the last round seats aren't: whoever has ended the game sits before all that are still to move.
    """
    for position in played[::20]:
        if position.is_over or position.state()["last_round"]:
            continue
        seats = position.seats
        table, players = named(position)
        for by in range(1, seats):
            moved_table, moved = named(position.game.from_state(rotated(position.state(), by)))
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


# ---- the numbers


def test_every_number_has_a_name_of_its_own() -> None:
    game = load("spice_road;players=4")
    for names, count in (
        (player_names(CARDS), game.player_features),
        (table_names(CARDS), game.table_features),
    ):
        assert len(names) == count
        used = [name for name in names if name]
        assert len(set(used)) == len(used)


def test_the_readme_says_the_same_numbers() -> None:
    section = README.read_text(encoding="utf-8").partition("## What a network sees")[2].partition("\n## ")[0]
    blocks = [re.findall(r"^\| ([0-9]+) \|", part, re.MULTILINE) for part in section.split("Of the table")]
    game = load("spice_road;players=2")
    assert [sum(map(int, numbers)) for numbers in blocks] == [game.player_features, game.table_features]
    assert f"{game.player_features} features of a player" in section
    assert f"{game.table_features} of the table" in section


def most_components() -> str:
    """A component file with as many cards as one may have, dear and worthless ones among them."""
    sides = [a * i + b * j for a in "yrgb" for b in "yrgb" if a < b for i in range(1, 6) for j in range(1, 5)]
    lines = ['game = "spice_road"', "format = 1", "[setup]"]
    lines += ['start_cubes = ["yyy", "yyyy", "yyyy", "yyyr", "yyyr"]']
    lines += ["claims_to_end = { 2 = 6, 3 = 6, 4 = 6, 5 = 6 }"]
    lines += ['[[starter]]\nget = "yy"', "[[starter]]\nupgrades = 2"]
    lines += [f'[[merchant]]\nget = "{side}"' for side in sides[:62]]
    lines += [f'[[point]]\ncost = "{side}"\npoints = {40 * (i % 2)}' for i, side in enumerate(sides[:64])]
    return "\n".join(lines)


@pytest.mark.parametrize("seats", SEATS)
def test_any_components_fit(seats: int, tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text(most_components(), encoding="utf-8")
    game = load(f"spice_road;players={seats};components={path}")
    limits = (game.table_features, *[game.player_features] * seats)
    highest = 0
    for position in at_random(game, 1, 500):
        table, players = feature_lists(position)
        for found, limit in zip((table, *players), limits, strict=True):
            assert len(set(found)) == len(found) <= MOST
            assert all(0 <= number < limit for number in found)
        highest = max(highest, *(len(found) for found in players))
    assert highest > 30
