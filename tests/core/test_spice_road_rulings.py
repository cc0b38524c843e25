"""One test for each ruling on Century: Spice Road, played by the compiled rules and by the reference.

Here: setting up, playing a card, taking a merchant, resting. The others are in the file next to this one.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reference.spice_road import Reference
from reference.spice_road_situations import SetTable, caravan, new_table, player, situation, table_setter
from reference.tables import Table, deal, starting

NewTable = Callable[[int], Table]

LAST_THREE = ["bb>rrrgg", "bb>yrggg", "ggg>bbb"]


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table set to a situation."""
    return table_setter(engine)


@pytest.fixture
def new(engine: str) -> NewTable:
    """A table before the first card is turned up."""
    return lambda seats: new_table(engine, seats)


# -- setting up ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_six_merchants_come_up_and_then_five_point_cards(new: NewTable, seats: int) -> None:
    table = new(seats)
    for turned_up in range(6):
        assert len(starting(table, "~market=")) == len(table.legal()) == 43 - turned_up
        table.play(table.legal()[0])
    for turned_up in range(5):
        assert len(starting(table, "~point=")) == len(table.legal()) == 36 - turned_up
        table.play(table.legal()[0])
    state = table.state()
    assert (len(state["market"]), len(state["points"])) == (6, 5)
    assert (state["merchants_left"], state["points_left"], state["turn"]) == (37, 31, "p1")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_cards_come_up_from_left_to_right(new: NewTable, seats: int) -> None:
    table = new(seats).play("~market=+g", "~market=yy>g")
    assert [stall["card"] for stall in table.state()["market"]] == ["+g", "yy>g"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_there_are_two_coins_of_each_metal_for_each_player(new: NewTable, seats: int) -> None:
    state = new(seats).state()
    assert (state["gold"], state["silver"]) == (2 * seats, 2 * seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_first_seat_starts_with_three_yellow_and_the_last_two_with_a_red(
    new: NewTable, seats: int
) -> None:
    cubes = [seat["caravan"] for seat in new(seats).state()["players"]]
    assert cubes == ["yyy", "yyyy", "yyyy", "yyyr", "yyyr"][:seats]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_starts_with_two_yellow_and_upgrade_two(new: NewTable, seats: int) -> None:
    assert [seat["hand"] for seat in new(seats).state()["players"]] == [["+yy", "up2"]] * seats


def test_the_starting_cards_are_never_turned_up(new: NewTable) -> None:
    assert not {"~market=+yy", "~market=up2"} & set(new(5).legal())


# -- playing a card -----------------------------------------------------------------------------------------


def test_a_produce_card_adds_its_cubes_and_lies_played(at: SetTable) -> None:
    state = at(situation([player("yyy"), player()])).play("play=+yy").state()
    assert state["players"][0] == player("yyyyy", played=["+yy"])
    assert state["turn"] == "p2"


def test_a_played_card_cannot_be_played_before_a_rest(at: SetTable) -> None:
    table = at(situation([player(played=["+yy"]), player()]))
    assert not starting(table, "play=+yy")
    table.play("rest", "play=+yy")
    assert "play=+yy" in table.legal()


def test_spices_rise_from_yellow_to_red_to_green_to_brown(at: SetTable) -> None:
    table = at(situation([player("yrg"), player()]))
    single = {"play=up2,y>r": "rrg", "play=up2,r>g": "ygg", "play=up2,g>b": "yrb"}
    for token, after in single.items():
        assert caravan(at(table.state()).play(token)) == after


def test_brown_cannot_rise_any_further(at: SetTable) -> None:
    assert starting(at(situation([player("bbb"), player()])), "play=up2") == ["play=up2"]


def test_two_upgrades_may_go_on_one_cube_or_on_two(at: SetTable) -> None:
    table = at(situation([player("yy"), player()]))
    assert starting(table, "play=up2") == ["play=up2", "play=up2,y>r", "play=up2,y>r,r>g", "play=up2,y>r,y>r"]
    assert caravan(at(table.state()).play("play=up2,y>r,r>g")) == "yg"
    assert caravan(at(table.state()).play("play=up2,y>r,y>r")) == "rr"


def test_three_upgrades_lift_one_yellow_to_brown(at: SetTable) -> None:
    table = at(situation([player("y", hand=["up3"]), player()]))
    assert caravan(table.play("play=up3,y>r,r>g,g>b")) == "b"


def test_each_result_of_an_upgrade_is_offered_once(at: SetTable) -> None:
    offered = starting(at(situation([player("yrg"), player()])), "play=up2")
    results = {caravan(at(situation([player("yrg"), player()])).play(token)) for token in offered}
    assert len(results) == len(offered) == 7


def test_upgrades_need_not_all_be_used_and_even_none_is_allowed(at: SetTable) -> None:
    table = at(situation([player("yyy"), player()]))
    assert {"play=up2", "play=up2,y>r"} <= set(table.legal())
    state = table.play("play=up2").state()
    assert state["players"][0] == player("yyy", played=["up2"])


def test_an_upgrade_card_may_be_played_with_an_empty_caravan(at: SetTable) -> None:
    assert starting(at(situation([player(""), player()])), "play=up2") == ["play=up2"]


def test_a_trade_may_be_repeated_as_often_as_it_can_be_paid(at: SetTable) -> None:
    state = situation([player("yyyyyy", hand=["yy>g"]), player()])
    assert starting(at(state), "play=yy>g") == ["play=yy>g*1", "play=yy>g*2", "play=yy>g*3"]
    assert caravan(at(state).play("play=yy>g*1")) == "yyyyg"
    assert caravan(at(state).play("play=yy>g*3")) == "ggg"


def test_a_trade_of_two_colours_is_limited_by_the_scarcer_one(at: SetTable) -> None:
    table = at(situation([player("yyyyygg", hand=["yyg>bb"]), player()]))
    assert starting(table, "play=yyg") == ["play=yyg>bb*1", "play=yyg>bb*2"]
    assert caravan(table.play("play=yyg>bb*2")) == "ybbbb"


def test_trading_zero_times_is_not_a_way_to_play_a_card(at: SetTable) -> None:
    assert not starting(at(situation([player("y", hand=["yy>g"]), player()])), "play=yy>g")


def test_a_trade_does_not_run_backwards(at: SetTable) -> None:
    assert not starting(at(situation([player("gggg", hand=["yy>g"]), player()])), "play=yy>g")


def test_produce_cards_are_used_once_a_play(at: SetTable) -> None:
    table = at(situation([player("", hand=["+yyyy"]), player()]))
    assert starting(table, "play=+yyyy") == ["play=+yyyy"]
    assert caravan(table.play("play=+yyyy")) == "yyyy"


def test_the_cubes_of_the_supply_never_run_out(at: SetTable) -> None:
    crowd = [player("y" * 10) for _ in range(4)]
    table = at(situation([player("yyyyyy", hand=["+yyyy"]), *crowd]))
    assert caravan(table.play("play=+yyyy")) == "y" * 10


# -- taking a merchant --------------------------------------------------------------------------------------


def test_the_leftmost_merchant_is_free(at: SetTable) -> None:
    state = situation([player(""), player()])
    assert starting(at(state), "take=") == ["take=1"]
    after = deal(at(state).play("take=1")).state()
    assert after["players"][0]["hand"] == ["+yy", "up2", "+g"]
    assert after["turn"] == "p2"


def test_a_merchant_costs_one_cube_for_each_card_on_its_left(at: SetTable) -> None:
    table = at(situation([player("yrgb"), player()]))
    assert starting(table, "take=") == ["take=1", "take=2", "take=3", "take=4", "take=5"]
    table.play("take=5", "pay=y", "pay=r", "pay=g")
    assert table.legal() == ["pay=b"]
    table.play("pay=b")
    assert [stall["cubes"] for stall in table.state()["market"]] == ["y", "r", "g", "b", ""]


def test_payment_cubes_lie_on_the_cards_in_the_chosen_order(at: SetTable) -> None:
    state = situation([player("yrg"), player()])
    for first, second in (("y", "r"), ("r", "y"), ("g", "y")):
        after = at(state).play("take=3", f"pay={first}", f"pay={second}").state()
        assert [stall["cubes"] for stall in after["market"]][:2] == [first, second]


def test_payment_cubes_may_all_be_of_one_colour(at: SetTable) -> None:
    table = at(situation([player("rrry"), player()])).play("take=4", "pay=r", "pay=r", "pay=r")
    assert caravan(table) == "y"


def test_each_payment_is_a_choice_among_the_colours_at_hand(at: SetTable) -> None:
    table = at(situation([player("yyb"), player()])).play("take=3")
    assert table.legal() == ["pay=b", "pay=y"]
    state = table.play("pay=b").state()
    assert (state["phase"], state["taking"], state["paid"]) == ("pay", 3, 1)
    assert table.legal() == ["pay=y"]


def test_cubes_pile_up_on_a_merchant_that_is_passed_again_and_again(at: SetTable) -> None:
    table = deal(at(situation([player("yr"), player("gb")])).play("take=2", "pay=r"))
    deal(table.play("take=2", "pay=b"))
    assert table.state()["market"][0] == {"card": "+g", "cubes": "rb"}


def test_cubes_on_a_merchant_go_to_the_one_who_takes_it(at: SetTable) -> None:
    market = ["+g yrb", "+yr", "+yyy", "+b", "+rr", "+yg"]
    assert caravan(at(situation([player("y"), player()], market=market)).play("take=1")) == "yyrb"


def test_cubes_on_a_merchant_cannot_pay_for_it(at: SetTable) -> None:
    market = ["+g", "+yr yyy", "+yyy", "+b", "+rr", "+yg"]
    assert starting(at(situation([player(""), player()], market=market)), "take=") == ["take=1"]


def test_cubes_paid_this_turn_stay_on_the_cards_on_the_left(at: SetTable) -> None:
    market = ["+g", "+yr bb", "+yyy", "+b", "+rr", "+yg"]
    table = at(situation([player("y"), player()], market=market)).play("take=2", "pay=y")
    assert caravan(table) == "bb"
    assert table.state()["market"][0]["cubes"] == "y"


def test_cubes_on_the_cards_on_the_left_stay_where_they_are(at: SetTable) -> None:
    market = ["+g rr", "+yr", "+yyy", "+b", "+rr", "+yg"]
    table = at(situation([player("y"), player()], market=market)).play("take=2", "pay=y")
    assert caravan(table) == ""
    assert table.state()["market"][0]["cubes"] == "yrr"


def test_nothing_is_paid_on_the_taken_card_or_to_its_right(at: SetTable) -> None:
    table = at(situation([player("yyyyyyy"), player()])).play("take=2", "pay=y")
    assert [stall["cubes"] for stall in table.state()["market"]] == ["y", "", "", "", ""]
    assert caravan(table) == "yyyyyy"


def test_the_market_slides_left_and_a_new_card_comes_at_the_right_end(at: SetTable) -> None:
    market = ["+g", "+yr", "+yyy g", "+b", "+rr", "+yg"]
    table = at(situation([player("y"), player()], market=market)).play("take=2", "pay=y", "~market=ggg>bbb")
    row = [f"{stall['card']} {stall['cubes']}".strip() for stall in table.state()["market"]]
    assert row == ["+g y", "+yyy g", "+b", "+rr", "+yg", "ggg>bbb"]


def test_a_card_just_taken_is_not_played_in_the_same_turn_but_in_the_next(at: SetTable) -> None:
    table = deal(at(situation([player(), player()])).play("take=1"))
    assert table.state()["turn"] == "p2"
    table.play("play=+yy")
    assert "play=+g" in table.legal()


def test_with_an_empty_deck_the_market_shrinks_and_the_leftmost_card_stays_free(at: SetTable) -> None:
    table = at(situation([player("yy", hand=Reference(2).merchants[:-3]), player()], market=LAST_THREE))
    assert table.state()["merchants_left"] == 0
    assert starting(table, "take=") == ["take=1", "take=2", "take=3"]
    state = table.play("take=2", "pay=y").state()
    assert state["turn"] == "p2"
    assert state["market"] == [{"card": "bb>rrrgg", "cubes": "y"}, {"card": "ggg>bbb", "cubes": ""}]


def test_from_an_empty_market_nothing_can_be_taken(at: SetTable) -> None:
    table = at(situation([player("yyyy", hand=Reference(2).merchants), player()], market=[]))
    assert not starting(table, "take=")
    assert "play=+yy" in table.legal()


# -- resting ------------------------------------------------------------------------------------------------


def test_a_rest_takes_all_played_cards_back_and_ends_the_turn(at: SetTable) -> None:
    state = at(situation([player(played=["+yy", "yy>g"]), player()])).play("rest").state()
    assert state["players"][0] == player(hand=["yy>g"])
    assert state["turn"] == "p2"


def test_a_rest_without_a_played_card_is_not_allowed(at: SetTable) -> None:
    assert "rest" not in at(situation([player(), player(played=["+yy"])])).legal()


def test_nobody_can_be_without_a_move(at: SetTable) -> None:
    stuck = player("", played=["+yy", "up2"])
    table = at(situation([stuck, player(hand=Reference(2).merchants)], market=[]))
    assert table.legal() == ["rest"]
