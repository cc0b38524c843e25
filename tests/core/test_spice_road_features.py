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
from reference import spice_road_features
from reference.networks import random_network
from reference.spice_road_features import features as expected
from reference.spice_road_situations import player, situation

from serai.core import CHANCE, Game, Position, load
from serai.core.games.spice_road.components import load_components
from serai.core.games.spice_road.feature_names import option_names, player_names, table_names
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec

SEATS = (2, 3, 4, 5)
MOST, MOST_TRAITS = 128, 16  # MAX_FEATURES and MAX_TRAITS in core/types.pxd
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


def named_traits(position: Position) -> dict[str, set[str]]:
    """The names of the traits of each legal decision; each is there once."""
    found = {}
    for token, numbers in trait_lists(position).items():
        found[token] = {option_names(CARDS)[i] for i in numbers}
        assert len(found[token]) == len(numbers) <= MOST_TRAITS
    return found


def expected_traits(position: Position) -> dict[str, set[str]]:
    """The slow reading of all legal decisions."""
    if position.to_act < 0:
        return {}
    state, tokens = position.state(), position.legal_tokens()
    return {
        token: spice_road_features.traits(state, token, position.apply(token).state()) for token in tokens
    }


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
    return [*line_of(Spec("spice_road", seats)), *at_random(load(f"spice_road;players={seats}"), seats)[::2]]


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
    for pair in pairs_of(Spec("spice_road", seats), 8):
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


def test_equal_states_give_equal_traits(played: list[Position]) -> None:
    for position in played[::11]:
        assert trait_lists(position.game.from_state(position.state())) == trait_lists(position)


def test_nobody_has_options_at_an_outcome_or_at_the_end(played: list[Position]) -> None:
    assert {position.to_act < 0 for position in played if not trait_lists(position)} == {True}
    assert not any(trait_lists(position) for position in played if position.to_act < 0)


@pytest.mark.parametrize("seats", SEATS)
def test_traits_show_no_secret(seats: int) -> None:
    """Whatever another seat keeps to itself, the options of the seat to move are what they are."""
    compared = 0
    for pair in pairs_of(Spec("spice_road", seats), 16):
        seat = pair.position.to_act
        if seat == pair.owner:
            continue
        found = trait_lists(pair.position)
        assert found == trait_lists(pair.other) == trait_lists(pair.position.view(seat))
        assert found == trait_lists(pair.position.determinize(seat, 5))
        compared += 1
    assert compared > 3


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
        (option_names(CARDS), game.option_traits),
    ):
        assert len(names) == count
        used = [name for name in names if name]
        assert len(set(used)) == len(used)


def test_the_readme_says_the_same_numbers() -> None:
    section = README.read_text(encoding="utf-8").partition("## What a network sees")[2].partition("\n## ")[0]
    parts = re.split(r"^Of (?:a player|the table|an option):$", section, flags=re.MULTILINE)[1:]
    blocks = [re.findall(r"^\| ([0-9]+) \|", part, re.MULTILINE) for part in parts]
    game = load("spice_road;players=2")
    counts = [game.player_features, game.table_features, game.option_traits]
    assert [sum(map(int, numbers)) for numbers in blocks] == counts
    assert f"{counts[0]} features of a player" in section
    assert f"{counts[1]} of the table" in section
    assert f"{counts[2]} traits of an option" in section.replace("\n", " ")


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
        for found in trait_lists(position).values():
            assert len(set(found)) == len(found) <= MOST_TRAITS
            assert all(0 <= number < game.option_traits for number in found)
    assert highest > 30
