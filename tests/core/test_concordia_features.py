"""What a network sees of Concordia is what the table shows, in every position and from every seat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from components.files import shipped_text
from contract import features
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
from reference.concordia_situations import player, situation

from serai.core import Position, load
from serai.core.games.concordia.components import load_components
from serai.core.network import feature_lists

TABLES = [table for table in features.TABLES if table.game == "concordia"]
PHASES = {
    *("token", "card", "main", "copy", "tribune", "land", "sea", "build", "prefect", "keep", "trade", "hire"),
    *("pay", "colonist", "over"),
}
BOX = load_components()


@pytest.fixture(scope="module")
def played() -> list[Position]:
    """Positions of sensible games and of games at random, on both maps."""
    found = []
    for number, table in enumerate(TABLES):
        line = line_of(table)
        found += [*line[::3], line[-1], *at_random(load(table), number, 600)[::3]]
    return found


# ---- what is seen


def test_the_lists_say_what_the_table_shows(played: list[Position]) -> None:
    phases = set()
    for position in played:
        state = position.state()
        phases.add(state["phase"])
        assert named(position) == expected(position), state
    assert phases == PHASES


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
    assert what_changes(load("concordia;players=3"), middle(), change) == (table, players)


# ---- the seats


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


def test_features_have_a_key_of_their_own(tmp_path: Path) -> None:
    """Both maps share it; other components have another one."""
    keys = {load(spec).feature_key for spec in TABLES}
    assert len(keys) == 1
    path = tmp_path / "box.toml"
    path.write_text(shipped_text("concordia").replace("price = 7", "price = 8"), encoding="utf-8")
    assert load(f"concordia;players=2;components={path}").feature_key not in keys
