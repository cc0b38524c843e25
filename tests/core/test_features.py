"""What a network sees of any game: nothing that is secret, in numbers that all have a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from components import concordia, spice_road
from contract.cases import line_of
from contract.features import TABLES, assert_within_limits, at_random, expected, named, names_of
from contract.secrets import pairs_of

from serai.core import Position, load
from serai.core.games import NAMES
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec

ROOT = Path(__file__).parents[2]
LARGEST = {"spice_road": spice_road.largest_of_all, "concordia": concordia.largest_of_all}

every_game = pytest.mark.parametrize("game", NAMES)
every_table = pytest.mark.parametrize("table", TABLES, ids=str)


@pytest.fixture(scope="module", params=TABLES, ids=str)
def played(request: pytest.FixtureRequest) -> list[Position]:
    """Positions of a sensible game and of one at random."""
    table: Spec = request.param
    return [*line_of(table), *at_random(load(table), table.players, 800)[::2]]


def test_there_are_tables_of_every_game() -> None:
    assert {table.game for table in TABLES} == set(NAMES)


def test_equal_states_give_equal_lists(played: list[Position]) -> None:
    for position in played[::7]:
        assert feature_lists(position.game.from_state(position.state())) == feature_lists(position)


def test_equal_states_give_equal_traits(played: list[Position]) -> None:
    for position in played[::11]:
        assert trait_lists(position.game.from_state(position.state())) == trait_lists(position)


def test_nobody_has_options_at_an_outcome_or_at_the_end(played: list[Position]) -> None:
    assert {position.to_act < 0 for position in played if not trait_lists(position)} == {True}
    assert not any(trait_lists(position) for position in played if position.to_act < 0)


# ---- secrets


@every_table
def test_unknown_cards_are_counted_until_they_are_dealt(table: Spec) -> None:
    unknown = 0
    for pair in pairs_of(table, 8):
        for seat in range(table.players):
            view = pair.position.view(seat)
            assert named(view) == expected(view)
            unknown += sum(name.startswith("unknown") for found in named(view)[1] for name in found)
            dealt = pair.position.determinize(seat, 5)
            assert named(dealt) == expected(dealt)
            assert not any(name.startswith("unknown") for found in named(dealt)[1] for name in found)
            if seat != pair.owner:
                assert feature_lists(view) == feature_lists(pair.other.view(seat))
    assert unknown > 8


@every_table
def test_traits_show_no_secret(table: Spec) -> None:
    """Whatever another seat keeps to itself, the options of the seat to act are what they are."""
    compared = 0
    for pair in pairs_of(table, 16):
        seat = pair.position.to_act
        if seat == pair.owner:
            continue
        found = trait_lists(pair.position)
        assert found == trait_lists(pair.other) == trait_lists(pair.position.view(seat))
        assert found == trait_lists(pair.position.determinize(seat, 5))
        compared += 1
    assert compared > 3


# ---- the numbers


@every_table
def test_every_number_has_a_name_of_its_own(table: Spec) -> None:
    game, given = load(table), names_of(table.game)
    for names, count in (
        (given.player, game.player_features),
        (given.table, game.table_features),
        (given.option, game.option_traits),
    ):
        assert len(names) == count
        used = [name for name in names if name]
        assert len(set(used)) == len(used)


@every_game
def test_the_readme_says_the_same_numbers(game: str) -> None:
    readme = (ROOT / "core" / "games" / game / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## What a network sees")[2].partition("\n## ")[0]
    parts = re.split(r"^Of (?:a player|the table|an option):$", section, flags=re.MULTILINE)[1:]
    blocks = [re.findall(r"^\| ([0-9]+) \|", part, re.MULTILINE) for part in parts]
    loaded = load(f"{game};players=2")
    counts = [loaded.player_features, loaded.table_features, loaded.option_traits]
    assert [sum(map(int, numbers)) for numbers in blocks] == counts
    assert f"{counts[0]} features of a player" in section
    assert f"{counts[1]} of the table" in section
    assert f"{counts[2]} traits of an option" in section.replace("\n", " ")


@every_game
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_any_components_fit(game: str, seats: int, tmp_path: Path) -> None:
    path = tmp_path / "components.toml"
    path.write_text(LARGEST[game](), encoding="utf-8")
    positions = at_random(load(f"{game};players={seats};components={path}"), 1, 500)
    for position in positions:
        assert_within_limits(position)
    assert max(len(found) for position in positions for found in feature_lists(position)[1]) > 30
