"""What a network sees of Concordia is what the table shows, in every position and from every seat."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from contract.cases import line_of
from contract.secrets import pairs_of
from reference import concordia_features
from reference.concordia_features import features as expected
from reference.concordia_situations import player, situation

from serai.core import CHANCE, Game, Position, load
from serai.core.games.concordia.components import SHIPPED, load_components
from serai.core.games.concordia.feature_names import option_names, player_names, table_names
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec

TABLES = (
    Spec("concordia", 2),
    Spec("concordia", 3, variant="imperium"),
    Spec("concordia", 4, variant="italia-first"),
    Spec("concordia", 5),
)
PHASES = {
    *("token", "card", "main", "copy", "tribune", "land", "sea", "build", "prefect", "keep", "trade", "hire"),
    *("pay", "colonist", "over"),
}
MOST, MOST_TRAITS = 128, 16  # MAX_FEATURES and MAX_TRAITS in core/types.pxd
BOX = load_components()
README = Path(__file__).parents[2] / "core" / "games" / "concordia" / "README.md"
State = dict[str, Any]

every_table = pytest.mark.parametrize("table", TABLES, ids=str)


def named(position: Position) -> tuple[set[str], list[set[str]]]:
    """The names of what is seen; each is seen once."""
    table, players = feature_lists(position)
    of_table = [table_names(BOX)[i] for i in table]
    of_players = [[player_names(BOX)[i] for i in found] for found in players]
    for names in (of_table, *of_players):
        assert len(set(names)) == len(names) <= MOST
    return set(of_table), [set(names) for names in of_players]


def named_traits(position: Position) -> dict[str, set[str]]:
    """The names of the traits of each legal decision; each is there once."""
    found = {}
    for token, numbers in trait_lists(position).items():
        found[token] = {option_names(BOX)[i] for i in numbers}
        assert len(found[token]) == len(numbers) <= MOST_TRAITS
    return found


def expected_traits(position: Position) -> dict[str, set[str]]:
    """The slow reading of all legal decisions."""
    if position.to_act < 0:
        return {}
    state, tokens = position.state(), position.legal_tokens()
    return {token: concordia_features.traits(state, token, position.apply(token).state()) for token in tokens}


def at_random(game: Game, seed: int, events: int = 600) -> list[Position]:
    """A game of random decisions."""
    numbers, position, line = random.Random(seed), game.start(), []
    while not position.is_over and len(line) < events:
        line.append(position)
        if position.to_act == CHANCE:
            position = position.apply(position.draw(numbers.getrandbits(64)))
        else:
            position = position.apply(numbers.choice(position.legal_tokens()))
    return [*line, position]


@pytest.fixture(scope="module")
def played() -> list[Position]:
    """Positions of sensible games and of games at random, on both maps."""
    found = []
    for number, table in enumerate(TABLES):
        line = line_of(table)
        found += [*line[::3], line[-1], *at_random(load(table), number)[::3]]
    return found


# ---- what is seen


def test_the_lists_say_what_the_table_shows(played: list[Position]) -> None:
    phases = set()
    for position in played:
        state = position.state()
        phases.add(state["phase"])
        assert named(position) == expected(state), state
    assert phases == PHASES


def test_equal_states_give_equal_lists_and_traits(played: list[Position]) -> None:
    for position in played[::11]:
        again = position.game.from_state(position.state())
        assert feature_lists(again) == feature_lists(position)
        assert trait_lists(again) == trait_lists(position)


def test_goods_that_are_kept_and_paid_look_as_if_they_were(played: list[Position]) -> None:
    """The last goods kept, the first ones paid: what is under way looks like what it leads to."""
    busy = [position for position in played if position.state()["phase"] in ("keep", "pay")]
    assert {position.state()["phase"] for position in busy} == {"keep", "pay"}
    for position in busy:
        after, keeping = position, position.state()["phase"] == "keep"
        while after.state()["phase"] in ("keep", "pay"):
            after = after.apply(best_kept(after) if keeping else after.legal_tokens()[0])
        if position.state()["concordia"] == after.state()["concordia"]:  # not paid for the last card
            assert named(position)[1] == named(after)[1]


def best_kept(position: Position) -> str:
    """Of the goods that may be kept next, the one after which the last goods of all are kept."""
    state = position.state()
    keeper = int(state["turn"][1:]) - 1
    free = 12 - sum(state["players"][keeper]["goods"].values())
    free -= 6 - len(state["players"][keeper]["land"]) - len(state["players"][keeper]["sea"])
    heap = [good for good, number in state["keeping"].items() for _ in range(number)]
    return f"keep={heap[-free:][0]}"


@every_table
def test_unknown_cards_are_counted_until_they_are_dealt(table: Spec) -> None:
    unknown = 0
    for pair in pairs_of(table, 6):
        for seat in range(table.players):
            view = pair.position.view(seat)
            assert named(view) == expected(view.state())
            unknown += sum(name.startswith("unknown") for found in named(view)[1] for name in found)
            dealt = pair.position.determinize(seat, 5)
            assert named(dealt) == expected(dealt.state())
            assert not any(name.startswith("unknown") for found in named(dealt)[1] for name in found)
            if seat != pair.owner:
                assert feature_lists(view) == feature_lists(pair.other.view(seat))
    assert unknown > 6


# ---- what an option is


def test_the_traits_say_what_an_option_is_and_where_it_leads(played: list[Position]) -> None:
    seen: set[str] = set()
    rare = [position for position in played if position.state()["phase"] == "keep"]
    for position in (*played[::2], *rare):
        found = named_traits(position)
        assert found == expected_traits(position), position.state()
        seen |= {name for names in found.values() for name in names}
    verbs = {name.partition(" ")[0] for name in seen}
    assert verbs == {
        *("play", "copy", "produce", "bonus", "doubled", "threes", "cash", "keep", "recruit", "move", "stay"),
        *("build", "new", "sell", "buy", "hire", "pay", "settle", "done", "then", "points"),
    }
    assert {"points lost", "points 0", "points 1", "build after 0", "build after 1", "stay"} <= seen


def test_traits_at_the_limits() -> None:
    """Much sold, many houses of others in a city, and a province that makes as much as one can."""
    tokens = {"messana": "cloth", "panormus": "wine", "syracusae": "wine", "cosa": "food"}
    goods, there = "brick brick food food food food food food wine", ["messana", "panormus", "syracusae"]
    rich = player(goods, 40, land=["roma-cosa", "roma", "roma"], sea=["roma"] * 3, houses=there)
    others = player(houses=["cosa"]), player(houses=["cosa", "messana", "panormus"])
    start = load("concordia;players=3").from_state(situation([rich, *others], tokens=tokens, magnus="p1"))
    trade, move, tiles = (start.apply(f"play={card}") for card in ("mercator", "architect", "prefect"))
    build = move
    while build.state()["phase"] in ("land", "sea"):
        build = build.apply(next(t for t in build.legal_tokens() if t.endswith(("=roma-cosa", "=roma"))))
    for position in (trade, build, tiles):
        assert named_traits(position) == expected_traits(position)
    assert {"sell food 6+", "then food 0"} < named_traits(trade)["sell=food*6"]
    assert {"build after 2+", "build in italia/cosa"} < named_traits(build)["house=cosa"]
    made = named_traits(tiles)["produce=sicilia"]
    assert {"doubled", "bonus cloth", "threes gains 7", "threes others gain 4"} < made


def test_nobody_has_options_at_an_outcome_or_at_the_end(played: list[Position]) -> None:
    assert {position.to_act < 0 for position in played if not trait_lists(position)} == {True}
    assert not any(trait_lists(position) for position in played if position.to_act < 0)


@every_table
def test_traits_show_no_secret(table: Spec) -> None:
    """Whatever another seat keeps to itself, the options of the seat to act are what they are."""
    compared = 0
    for pair in pairs_of(table, 12):
        seat = pair.position.to_act
        if seat == pair.owner:
            continue
        found = trait_lists(pair.position)
        assert found == trait_lists(pair.other) == trait_lists(pair.position.view(seat))
        assert found == trait_lists(pair.position.determinize(seat, 5))
        compared += 1
    assert compared > 3


# ---- what changes with what


def middle() -> State:
    """A situation for three seats in which everything can change a little."""
    return situation(
        [
            player("brick food food tool", 7, houses=["cosa", "genua"], land=["roma-cosa", "genua-nicaea"]),
            player("wine cloth", 12, houses=["verona"], pile=["prefect", "mercator"], sea=["roma-olbia"]),
            player("brick brick", 3, houses=["messana"], hand=["mason"]),
        ]
    )


def coins(state: State) -> None:
    state["players"][1]["coins"] += 1


def rest(state: State) -> None:
    seat = state["players"][1]
    seat["hand"] = sorted([*seat["hand"], *seat["pile"]], key=[kind.name for kind in BOX.kinds].index)
    seat["pile"], seat["top"] = [], "none"


def sailed(state: State) -> None:
    state["players"][1]["sea"] = ["roma-panormus"]


def turned(state: State) -> None:
    state["coin_side"] = ["venetia"]


def passed_on(state: State) -> None:
    state["magnus"] = "p2"


def built(state: State) -> None:
    """More houses than anybody has; for the sites of the others there are better ones."""
    state["players"][2]["houses"] = ["messana", "panormus", "syracusae"]


@pytest.mark.parametrize(
    ("change", "table", "players"),
    [
        (coins, False, {1}),
        (rest, False, {1}),
        (sailed, False, {1}),
        (turned, True, set()),
        (passed_on, False, {1, 2}),
        (built, True, {2}),
    ],
)
def test_only_what_shows_a_thing_changes_with_it(
    change: Callable[[State], None], table: bool, players: set[int]
) -> None:
    game = load("concordia;players=3")
    state = middle()
    before = feature_lists(game.from_state(state))
    change(state)
    after = feature_lists(game.from_state(state))
    assert (before[0] != after[0]) == table
    assert {i for i in range(3) if before[1][i] != after[1][i]} == players


# ---- the seats


def moved_on(state: State, by: int) -> State:
    """The same table with everybody moved on by some seats, the turn as well."""
    seats = state["seats"]
    turned = {**state, "players": [state["players"][(i - by) % seats] for i in range(seats)]}
    for key in ("turn", "mover", "magnus", "concordia"):
        if str(state[key]).startswith("p"):
            turned[key] = f"p{(int(state[key][1:]) - 1 + by) % seats + 1}"
    return turned


def test_seats_are_alike(played: list[Position]) -> None:
    """A player's list moves with the player, for the seats are alike but for who began."""
    for position in played[::17]:
        if position.is_over or position.state()["phase"] in ("token", "card"):
            continue
        table, players = feature_lists(position)
        for by in range(1, position.seats):
            moved_table, moved = feature_lists(position.game.from_state(moved_on(position.state(), by)))
            assert moved_table == table
            assert [moved[(seat + by) % position.seats] for seat in range(position.seats)] == players


def test_turns_are_counted_to_the_seat_that_ended_the_game(played: list[Position]) -> None:
    last = [position for position in played if position.state()["concordia"] != "none"]
    assert len(last) > 10
    for position in last:
        holder = int(position.state()["concordia"][1:]) - 1
        found = named(position)[1]
        assert {"no turn left", "concordia"} <= found[holder]
        assert sum("concordia" in names for names in found) == 1
        if position.is_over:
            assert all("no turn left" in names for names in found)


# ---- the numbers


def test_every_number_has_a_name_of_its_own() -> None:
    for spec in TABLES:
        game = load(spec)
        for names, count in (
            (player_names(BOX), game.player_features),
            (table_names(BOX), game.table_features),
            (option_names(BOX), game.option_traits),
        ):
            assert len(names) == count
            used = [name for name in names if name]
            assert len(set(used)) == len(used)


def test_the_readme_says_the_same_numbers() -> None:
    section = README.read_text(encoding="utf-8").partition("## What a network sees")[2].partition("\n## ")[0]
    parts = re.split(r"^Of (?:a player|the table|an option):$", section, flags=re.MULTILINE)[1:]
    blocks = [re.findall(r"^\| ([0-9]+) \|", part, re.MULTILINE) for part in parts]
    game = load("concordia;players=2")
    counts = [game.player_features, game.table_features, game.option_traits]
    assert [sum(map(int, numbers)) for numbers in blocks] == counts
    assert f"{counts[0]} features of a player" in section
    assert f"{counts[1]} of the table" in section
    assert f"{counts[2]} traits of an option" in section.replace("\n", " ")


def test_features_have_a_key_of_their_own(tmp_path: Path) -> None:
    """Both maps share it; other components have another one."""
    keys = {load(spec).feature_key for spec in TABLES}
    assert len(keys) == 1
    path = tmp_path / "box.toml"
    path.write_text(SHIPPED.read_text(encoding="utf-8").replace("price = 7", "price = 8"), encoding="utf-8")
    assert load(f"concordia;players=2;components={path}").feature_key not in keys


def most_components() -> str:
    """A component file with as many cards for sale as one may have, more kinds of them, and more room."""
    more = ('role = "diplomat"\ngod = "vesta"', 'role = "mercator"\ngod = "mercurius"\ncoins = 4')
    cards = "".join(f'[[card]]\nnumeral = 1\n{card}\ncost = ["food"]\n\n' for card in more)
    text = SHIPPED.read_text(encoding="utf-8").replace("slots = 12", "slots = 15")
    return text.replace("# ---- maps:", f"{cards}# ---- maps:")


@pytest.mark.parametrize("seats", [2, 5])
def test_any_components_fit(seats: int, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(most_components(), encoding="utf-8")
    game = load(f"concordia;players={seats};components={path}")
    limits = (game.table_features, *[game.player_features] * seats)
    for position in at_random(game, 1, 400)[::2]:
        table, players = feature_lists(position)
        for found, limit in zip((table, *players), limits, strict=True):
            assert len(set(found)) == len(found) <= MOST
            assert all(0 <= number < limit for number in found)
        for found in trait_lists(position).values():
            assert len(set(found)) == len(found) <= MOST_TRAITS
            assert all(0 <= number < game.option_traits for number in found)
