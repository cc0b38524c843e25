"""Mistakes found in other implementations of Century: Spice Road, each turned into a test of this one."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, product
from typing import Any

import pytest
from reference.spice_road import Reference
from reference.spice_road_situations import SetTable, new_table, player, situation, table_setter
from reference.tables import State, deal, starting

from serai.core import CHANCE, GAME_OVER, load

ROW = ["yyrr=6", "yyyrr=7", "rrrr=8", "yygg=8", "yyrrr=8"]
CLAIMED = ["yyrb=9", "yyygg=9", "rrgg=10", "rrrrr=10", "yybb=10"]
RANDOM_GAMES = [(seats, seed) for seats in (2, 3, 4, 5) for seed in range(2)]


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table set to a situation."""
    return table_setter(engine)


def test_case_1_the_game_ends_with_the_round_in_which_somebody_holds_the_target(at: SetTable) -> None:
    players = [player(), player("yyrr", claimed=CLAIMED), player()]
    table = deal(at(situation(players, turn="p2", points=ROW)).play("claim=1"))
    assert table.play("play=+yy").state()["phase"] == "over"


def test_case_2_only_trades_repeat(at: SetTable) -> None:
    table = at(situation([player("yyyy", hand=["+g", "up3", "yy>g"]), player()]))
    assert [token for token in table.legal() if "*2" in token] == ["play=yy>g*2"]
    assert starting(table, "play=+") == ["play=+g", "play=+yy"]


def test_case_3_a_yellow_and_a_red_are_traded_for_a_brown(at: SetTable) -> None:
    table = at(situation([player("yrg", hand=["yr>b"]), player()])).play("play=yr>b*1")
    assert table.state()["players"][0]["caravan"] == "gb"


def test_case_4_a_card_may_overflow_the_caravan_and_old_cubes_may_be_given_back(at: SetTable) -> None:
    table = at(situation([player("rrrgggbbb", hand=["+yyyy"]), player()])).play("play=+yyyy")
    for _ in range(3):
        assert table.state()["turn"] == "p1"
        table.play("drop=r")
    assert table.state()["players"][0]["caravan"] == "yyyygggbbb"
    assert table.state()["turn"] == "p2"


@pytest.mark.parametrize(("seats", "target"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_cases_5_and_14_six_cards_end_a_game_of_two_or_three_and_five_a_larger_one(
    at: SetTable, seats: int, target: int
) -> None:
    for held in (target - 2, target - 1):
        players = [player("yyrr", claimed=CLAIMED[:held]), *(player() for _ in range(seats - 1))]
        table = deal(at(situation(players, points=ROW)).play("claim=1"))
        for _ in range(seats - 1):
            table.play("play=+yy")
        over = table.state()["phase"] == "over"
        assert over == (held + 1 >= target)


def test_case_8_the_second_of_two_seats_answers_the_triggering_claim(at: SetTable) -> None:
    players = [player("yyrr", claimed=CLAIMED), player("yyyrr")]
    table = deal(at(situation(players, points=ROW)).play("claim=1"))
    assert (table.state()["turn"], table.state()["last_round"]) == ("p2", True)
    assert deal(table.play("claim=1")).state()["phase"] == "over"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_case_10_the_coin_piles_are_two_for_each_seat(engine: str, seats: int) -> None:
    state = new_table(engine, seats).state()
    assert (state["gold"], state["silver"]) == (2 * seats, 2 * seats)


def test_case_10_the_second_slot_stops_paying_once_silver_has_moved(at: SetTable) -> None:
    table = at(situation([player("yyyrr"), player(gold=4)], points=ROW)).play("claim=2")
    assert table.state()["silver"] == 4


def test_case_11_silver_is_worth_one_point(at: SetTable) -> None:
    fifty = ["yyrr=6", "yrgb=12", "gggg=12", "yrgbbb=20"]
    seat = player("yyyyrrb", claimed=fifty, gold=2, silver=1)
    assert at(situation([seat, player("")])).scores()[0] == 60


def test_case_13_the_last_two_seats_start_with_three_yellow_and_a_red(engine: str) -> None:
    players = new_table(engine, 5).state()["players"]
    assert [seat["caravan"] for seat in players[3:]] == ["yyyr", "yyyr"]


def test_case_15_a_trade_that_cannot_be_paid_is_not_offered(at: SetTable) -> None:
    table = at(situation([player("yyrgg", hand=["yyy>b", "rr>gg", "ggg>bbb", "b>gg"]), player()]))
    assert not [token for token in table.legal() if "*" in token]


def test_case_16_a_trade_repeats_within_one_play(at: SetTable) -> None:
    table = at(situation([player("yyyyyy", hand=["yy>rr"]), player()])).play("play=yy>rr*3")
    assert table.state()["players"][0]["caravan"] == "rrrrrr"


def test_case_17_any_arrangement_of_any_colours_pays_for_the_fourth_card(at: SetTable) -> None:
    state = situation([player("rrg"), player()])
    for order in ("rrg", "rgr", "grr"):
        table = at(state).play("take=4", *(f"pay={colour}" for colour in order))
        assert [stall["cubes"] for stall in table.state()["market"]][:3] == list(order)
    paths = {order for order in product("yrgb", repeat=3) if payable(at, state, order)}
    assert {"".join(order) for order in paths} == {"rrg", "rgr", "grr"}


def payable(at: SetTable, state: State, order: tuple[str, ...]) -> bool:
    table = at(state).play("take=4")
    for colour in order:
        if f"pay={colour}" not in table.legal():
            return False
        table.play(f"pay={colour}")
    return True


@pytest.mark.parametrize("cubes", range(6))
def test_case_18_as_many_cubes_as_the_price_are_enough(at: SetTable, cubes: int) -> None:
    table = at(situation([player("y" * cubes), player()]))
    assert starting(table, "take=") == [f"take={slot}" for slot in range(1, cubes + 2)]


def test_case_22_a_rest_needs_a_played_card(at: SetTable) -> None:
    assert "rest" not in at(situation([player(), player()])).legal()
    assert "rest" in at(situation([player(played=["up2"]), player()])).legal()


def test_case_23_an_upgrade_card_may_be_played_for_no_step(at: SetTable) -> None:
    assert "play=up2" in at(situation([player("y"), player()])).legal()


def test_case_25_every_discard_is_asked_for_and_may_be_of_any_colour(at: SetTable) -> None:
    table = at(situation([player("yyyyyyyyrg", hand=["+b"]), player()])).play("play=+b")
    assert table.legal() == ["drop=b", "drop=g", "drop=r", "drop=y"]


def test_case_27_the_deck_has_forty_three_merchants_and_no_starting_card(engine: str) -> None:
    outcomes = new_table(engine, 2).legal()
    assert len(set(outcomes)) == 43
    assert not {"~market=+yy", "~market=up2"} & set(outcomes)


def test_case_28_every_seat_has_upgrade_two_and_not_three(engine: str) -> None:
    assert [seat["hand"] for seat in new_table(engine, 5).state()["players"]] == [["+yy", "up2"]] * 5


# -- what holds in every game -------------------------------------------------------------------------------


def positions(seats: int, seed: int) -> list[Any]:
    """Every position of a random game that claims when it can, up to 600 events."""
    chooser = random.Random(f"{seats} {seed}")
    game = [load(f"spice_road;players={seats}").start()]
    while game[-1].to_act != GAME_OVER and len(game) <= 600:
        legal = game[-1].legal_tokens()
        claims = [token for token in legal if token.startswith("claim=")]
        game.append(game[-1].apply(chooser.choice(claims or legal)))
    return game


@pytest.fixture(scope="module")
def played() -> dict[tuple[int, int], list[Any]]:
    return {key: positions(*key) for key in RANDOM_GAMES}


@pytest.fixture(params=RANDOM_GAMES, ids=lambda key: f"{key[0]}-seats-{key[1]}")
def one_game(request: pytest.FixtureRequest, played: dict[tuple[int, int], list[Any]]) -> list[Any]:
    return played[request.param]


def test_every_merchant_is_in_exactly_one_place(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        held = Counter(card for seat in state["players"] for card in (*seat["hand"], *seat["played"]))
        row = Counter(stall["card"] for stall in state["market"])
        total = held.total() + row.total() + state["merchants_left"]
        assert total == 43 + 2 * state["seats"]
        assert all(number == 1 for card, number in (held + row).items() if card not in ("+yy", "up2"))


def test_every_point_card_is_in_exactly_one_place(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        seen = [*state["points"], *(card for seat in state["players"] for card in seat["claimed"])]
        assert len(seen) == len(set(seen)) == 36 - state["points_left"]


def test_no_coin_is_lost(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        for metal in ("gold", "silver"):
            assert state[metal] + sum(seat[metal] for seat in state["players"]) == 2 * state["seats"]


def test_cubes_change_only_by_the_event(one_game: list[Any]) -> None:
    for before, after in pairwise(one_game):
        event = after.history[-1]
        assert Counter(cubes(after)) - Counter(cubes(before)) == Counter(gained(event)), event
        assert Counter(cubes(before)) - Counter(cubes(after)) == Counter(spent(event, before)), event


def cubes(position: Any) -> str:
    """All cubes of the table that do not lie in the supply."""
    state = position.state()
    places = [seat["caravan"] for seat in state["players"]] + [stall["cubes"] for stall in state["market"]]
    return "".join(places)


def gained(event: str) -> str:
    """The cubes that an event brings from the supply, less what it brings back of the same colour."""
    plus, _ = exchange(event)
    return "".join(plus.elements())


def spent(event: str, before: Any) -> str:
    """The cubes that an event returns to the supply, less what it takes of the same colour."""
    if event.startswith("claim="):
        return str(before.state()["points"][int(event[-1]) - 1].partition("=")[0])
    _, minus = exchange(event)
    return "".join(minus.elements())


def exchange(event: str) -> tuple[Counter[str], Counter[str]]:
    """What an event takes from the supply and what it returns to it, read from its token alone."""
    verb, _, words = event.partition("=")
    if verb == "drop":
        return Counter(), Counter(words)
    if verb != "play":
        return Counter(), Counter()
    if words.startswith("+"):
        return Counter(words[1:]), Counter()
    swap, _, times = words.partition("*")
    steps = [swap] * int(times) if times else swap.split(",")[1:]
    gives = Counter("".join(step.partition(">")[0] for step in steps))
    gets = Counter("".join(step.partition(">")[2] for step in steps))
    return gets - gives, gives - gets


def test_case_21_the_point_row_is_full_at_every_decision_and_its_deck_never_empty(
    one_game: list[Any],
) -> None:
    for position in one_game:
        state = position.state()
        if position.to_act not in (CHANCE, GAME_OVER):
            assert len(state["points"]) == 5
        assert state["points_left"] > 0


def test_there_is_always_a_legal_event_before_the_end(one_game: list[Any]) -> None:
    for position in one_game:
        assert bool(position.legal_tokens()) == (position.to_act != GAME_OVER)


def test_every_seat_has_had_as_many_turns_when_the_game_ends(one_game: list[Any]) -> None:
    assert one_game[-1].to_act == GAME_OVER
    starts = ("rest", "claim=", "take=", "play=")
    turns = Counter(
        before.to_act for before, after in pairwise(one_game) if after.history[-1].startswith(starts)
    )
    assert len(set(turns.values())) == 1
    assert set(turns) == set(range(one_game[-1].state()["seats"]))


def test_the_score_is_cards_and_coins_and_dear_cubes(one_game: list[Any]) -> None:
    for position in one_game:
        for seat, points in zip(position.state()["players"], position.scores(), strict=True):
            cards = sum(int(card.partition("=")[2]) for card in seat["claimed"])
            dear = len(seat["caravan"].strip("y"))
            assert points == cards + 3 * seat["gold"] + seat["silver"] + dear


def test_a_replay_of_the_events_gives_the_same_hash(one_game: list[Any]) -> None:
    last = one_game[-1]
    again = load(last.origin_spec).start().replay(last.history)
    assert again.hash == last.hash
    assert again.state() == last.state()


def test_the_spec_of_any_position_leads_to_it(one_game: list[Any]) -> None:
    for position in one_game[::10]:
        again = load(position.spec).start()
        assert (again.hash, again.spec) == (position.hash, position.spec)
        assert again.state() == position.state()


def test_no_caravan_is_overloaded_when_a_turn_begins(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        if state["phase"] in ("main", "over"):
            assert all(len(seat["caravan"]) <= 10 for seat in state["players"])


def test_nobody_claims_beyond_the_target(one_game: list[Any]) -> None:
    state = one_game[-1].state()
    target = Reference(state["seats"]).target
    assert all(len(seat["claimed"]) <= target for seat in state["players"])
