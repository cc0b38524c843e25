"""One test for each ruling on Century: Spice Road, played by the compiled rules and by the reference.

Here: claiming a point card, the caravan limit, the end and its points, what can be seen.
"""

from __future__ import annotations

import pytest
from reference.spice_road_situations import SetTable, caravan, player, situation, table_setter
from reference.tables import deal, starting

from serai.core import load

CHEAP = ["yyrr=6", "yyyrr=7", "rrrr=8", "yygg=8", "yyrrr=8"]
FIVE_CLAIMED = ["yyrb=9", "yyygg=9", "rrgg=10", "rrrrr=10", "yybb=10"]
OTHER_FIVE = ["yyggg=11", "yyybb=11", "gggg=12", "rrbb=12", "rrgb=12"]


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table set to a situation."""
    return table_setter(engine)


# -- claiming a point card ----------------------------------------------------------------------------------


def test_a_claim_takes_exactly_the_cubes_of_the_card(at: SetTable) -> None:
    table = at(situation([player("yyyrrb"), player()], points=CHEAP))
    assert starting(table, "claim=") == ["claim=1", "claim=2"]
    state = table.play("claim=1").state()
    assert state["players"][0]["caravan"] == "yb"
    assert state["players"][0]["claimed"] == ["yyrr=6"]


def test_a_dearer_cube_does_not_stand_in_for_a_missing_one(at: SetTable) -> None:
    points = ["yyrr=6", "yyyrr=7", "rrrr=8", "yyrrr=8", "rrgg=10"]
    assert not starting(at(situation([player("yyrgggbbbb"), player()], points=points)), "claim=")


def test_one_claim_is_the_whole_turn(at: SetTable) -> None:
    table = deal(at(situation([player("yyyyrrrr"), player()], points=CHEAP)).play("claim=1"))
    assert table.state()["turn"] == "p2"


def test_the_point_row_slides_left_and_a_new_card_comes_at_the_right_end(at: SetTable) -> None:
    table = at(situation([player("yyyrr"), player()], points=CHEAP)).play("claim=2", "~point=yrgbbb=20")
    assert table.state()["points"] == ["yyrr=6", "rrrr=8", "yygg=8", "yyrrr=8", "yrgbbb=20"]


def test_the_leftmost_claim_earns_gold_and_the_second_one_silver(at: SetTable) -> None:
    state = situation([player("yyyyrrrr"), player()], points=CHEAP)
    earned = {}
    for slot in (1, 2, 3):
        seat = at(state).play(f"claim={slot}").state()["players"][0]
        earned[slot] = (seat["gold"], seat["silver"])
    assert earned == {1: (1, 0), 2: (0, 1), 3: (0, 0)}


def test_the_coin_belongs_to_the_slot_before_the_row_slides(at: SetTable) -> None:
    table = deal(at(situation([player("yyyrr"), player("rrrr")], points=CHEAP)).play("claim=2"))
    state = table.play("claim=2").state()
    assert [(seat["gold"], seat["silver"]) for seat in state["players"]] == [(0, 1), (0, 1)]
    assert (state["gold"], state["silver"]) == (4, 2)


def test_when_gold_is_gone_the_leftmost_claim_earns_silver_and_the_second_nothing(at: SetTable) -> None:
    state = situation([player("yyyrr"), player(gold=4)], points=CHEAP)
    first = at(state).play("claim=1").state()
    assert (first["players"][0]["silver"], first["gold"], first["silver"]) == (1, 0, 3)
    second = at(state).play("claim=2").state()
    assert (second["players"][0]["silver"], second["silver"]) == (0, 4)


def test_the_last_gold_coin_moves_silver_to_the_leftmost_card(at: SetTable) -> None:
    state = situation([player("yyrr"), player("yyyrr", gold=3)], points=CHEAP)
    table = deal(at(state).play("claim=1"))
    assert table.state()["players"][0]["gold"] == 1
    assert table.play("claim=1").state()["players"][1]["silver"] == 1


def test_when_silver_is_gone_first_the_second_claim_earns_nothing_and_gold_stays(at: SetTable) -> None:
    state = situation([player("yyyrr"), player(silver=4)], points=CHEAP)
    assert at(state).play("claim=2").state()["players"][0] == player("", claimed=["yyyrr=7"])
    assert at(state).play("claim=1").state()["players"][0]["gold"] == 1


def test_when_both_piles_are_gone_a_claim_earns_no_coin(at: SetTable) -> None:
    state = situation([player("yyrr"), player(gold=4, silver=4)], points=CHEAP)
    assert at(state).play("claim=1").state()["players"][0] == player("", claimed=["yyrr=6"])


# -- the caravan limit --------------------------------------------------------------------------------------


def test_above_ten_cubes_the_player_gives_back_cubes_of_his_own_choice(at: SetTable) -> None:
    table = at(situation([player("yyrrggbbb", hand=["+yyyy"]), player()])).play("play=+yyyy")
    assert table.state()["phase"] == "drop"
    assert table.legal() == ["drop=b", "drop=g", "drop=r", "drop=y"]
    table.play("drop=b", "drop=b", "drop=y")
    assert caravan(table) == "yyyyyrrggb"
    assert table.state()["turn"] == "p2"


def test_ten_cubes_are_not_too_many_and_nothing_may_be_given_back(at: SetTable) -> None:
    table = at(situation([player("y" * 8), player()])).play("play=+yy")
    assert caravan(table) == "y" * 10
    assert table.state()["turn"] == "p2"
    assert not starting(table, "drop=")


def test_the_limit_does_not_hold_during_the_turn(at: SetTable) -> None:
    table = at(situation([player("ggg" + "y" * 7, hand=["g>yyyyr"]), player()])).play("play=g>yyyyr*3")
    assert caravan(table) == "y" * 19 + "rrr"


def test_cubes_collected_with_a_merchant_count_after_the_row_is_refilled(at: SetTable) -> None:
    market = ["+g rrr", "+yr", "+yyy", "+b", "+rr", "+yg"]
    table = at(situation([player("y" * 9), player()], market=market)).play("take=1")
    assert table.state()["phase"] == "market"
    assert deal(table).state()["phase"] == "drop"
    table.play("drop=y", "drop=r")
    assert caravan(table) == "y" * 8 + "rr"
    assert table.state()["turn"] == "p2"


def test_paying_may_bring_a_full_caravan_below_the_limit(at: SetTable) -> None:
    market = ["+g", "+yr b", "+yyy", "+b", "+rr", "+yg"]
    table = deal(at(situation([player("y" * 10), player()], market=market)).play("take=2", "pay=y"))
    assert caravan(table) == "y" * 9 + "b"
    assert table.state()["turn"] == "p2"


# -- the end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "target"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_the_sixth_or_with_four_seats_the_fifth_point_card_starts_the_last_round(
    at: SetTable, seats: int, target: int
) -> None:
    others = [player() for _ in range(seats - 1)]
    for held in (target - 2, target - 1):
        first = player("yyrr", claimed=FIVE_CLAIMED[:held])
        state = at(situation([first, *others], points=CHEAP)).play("claim=1").state()
        assert state["last_round"] == (held == target - 1)


def test_the_round_is_played_out_up_to_the_seat_before_the_first(at: SetTable) -> None:
    state = situation([player("yyrr", claimed=FIVE_CLAIMED), player(), player()], points=CHEAP)
    table = deal(at(state).play("claim=1")).play("play=+yy")
    assert table.state()["turn"] == "p3"
    table.play("play=+yy")
    assert (table.state()["turn"], table.state()["phase"], table.legal()) == ("none", "over", [])


def test_those_who_have_played_in_the_last_round_get_no_further_turn(at: SetTable) -> None:
    players = [player(), player(), player("yyrr", claimed=FIVE_CLAIMED)]
    table = deal(at(situation(players, turn="p3", points=CHEAP)).play("claim=1"))
    assert table.state()["phase"] == "over"


def test_the_last_seat_still_gives_back_what_is_too_much(at: SetTable) -> None:
    players = [player(claimed=[*FIVE_CLAIMED, "yyggg=11"]), player("y" * 9)]
    table = at(situation(players, turn="p2", points=CHEAP)).play("play=+yy")
    assert table.state()["phase"] == "drop"
    assert table.play("drop=y").state()["phase"] == "over"


def test_two_seats_may_both_reach_the_target_in_the_last_round(at: SetTable) -> None:
    players = [player("yyrr", claimed=FIVE_CLAIMED), player("yyyrr", claimed=OTHER_FIVE)]
    table = deal(at(situation(players, points=CHEAP)).play("claim=1"))
    state = deal(table.play("claim=1")).state()
    assert state["phase"] == "over"
    assert [len(seat["claimed"]) for seat in state["players"]] == [6, 6]


def test_a_gold_coin_is_worth_three_points_and_a_silver_coin_one(at: SetTable) -> None:
    players = [player("", gold=2, silver=1), player("", gold=1), player("", silver=1)]
    assert at(situation(players)).scores() == [7, 3, 1]


def test_every_cube_but_yellow_is_worth_one_point(at: SetTable) -> None:
    players = [player("yyyyr"), player("rgb"), player("bbbb"), player("y" * 10)]
    assert at(situation(players)).scores() == [1, 3, 4, 0]


def test_cubes_on_market_cards_score_for_nobody(at: SetTable) -> None:
    market = ["+g bbbb", "+yr gg", "+yyy", "+b", "+rr", "+yg"]
    assert at(situation([player(""), player("y")], market=market)).scores() == [0, 0]


def test_merchant_cards_have_no_points(at: SetTable) -> None:
    assert at(situation([player("", hand=["bb>yrggg"], played=["+rr"]), player("")])).scores() == [0, 0]


def test_a_tie_goes_to_the_later_seat(at: SetTable) -> None:
    players = [player("rr"), player("gg"), player("b"), player("yb")]
    assert at(situation(players)).ranks() == [2, 1, 4, 3]


def test_a_tie_looks_at_seats_and_not_at_the_number_of_cards(at: SetTable) -> None:
    players = [player("", claimed=["yyrr=6", "yyyrr=7"]), player("r", claimed=["yrgb=12"])]
    table = at(situation(players))
    assert (table.scores(), table.ranks()) == ([13, 13], [2, 1])


# -- what can be seen ---------------------------------------------------------------------------------------


def test_only_the_order_of_the_decks_is_hidden() -> None:
    players = [player(hand=["yy>g"], played=["+g"], claimed=["yyrr=6"]), player("rrb", gold=1), player("b")]
    state = situation(players)
    position = load("spice_road;players=3").from_state(state)
    for seat in range(3):
        assert position.view(seat).state() == state
        assert position.determinize(seat, 7).state() == state
        assert position.observe(seat) == position.determinize(seat, 8).observe(seat)
