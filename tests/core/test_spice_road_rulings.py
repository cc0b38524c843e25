"""One test for each ruling on Century: Spice Road, played by the compiled rules and by the reference."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reference.spice_road import Reference
from reference.spice_road_situations import State, Table, new_table, player, set_table, situation

SetTable = Callable[[State], Table]
NewTable = Callable[[int], Table]

CHEAP = ["yyrr=6", "yyyrr=7", "rrrr=8", "yygg=8", "yyrrr=8"]
FIVE_CLAIMED = ["yyrb=9", "yyygg=9", "rrgg=10", "rrrrr=10", "yybb=10"]
OTHER_FIVE = ["yyggg=11", "yyybb=11", "gggg=12", "rrbb=12", "rrgb=12"]
LAST_THREE = ["bb>rrrgg", "bb>yrggg", "ggg>bbb"]


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table set to a situation."""
    return lambda state: set_table(engine, state)


@pytest.fixture
def new(engine: str) -> NewTable:
    """A table before the first card is turned up."""
    return lambda seats: new_table(engine, seats)


def deal(table: Table) -> Table:
    """Turn up cards until somebody has to decide."""
    while (legal := table.legal()) and legal[0].startswith("~"):
        table.play(legal[0])
    return table


def caravan(table: Table, seat: int = 1) -> str:
    return str(table.state()["players"][seat - 1]["caravan"])


def verbs(table: Table, verb: str) -> list[str]:
    return [token for token in table.legal() if token.startswith(verb)]


# -- setting up ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_six_merchants_come_up_and_then_five_point_cards(new: NewTable, seats: int) -> None:
    table = new(seats)
    for turned_up in range(6):
        assert len(verbs(table, "~market=")) == len(table.legal()) == 43 - turned_up
        table.play(table.legal()[0])
    for turned_up in range(5):
        assert len(verbs(table, "~point=")) == len(table.legal()) == 36 - turned_up
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
    assert not verbs(table, "play=+yy")
    table.play("rest", "play=+yy")
    assert "play=+yy" in table.legal()


def test_spices_rise_from_yellow_to_red_to_green_to_brown(at: SetTable) -> None:
    table = at(situation([player("yrg"), player()]))
    single = {"play=up2,y>r": "rrg", "play=up2,r>g": "ygg", "play=up2,g>b": "yrb"}
    for token, after in single.items():
        assert caravan(at(table.state()).play(token)) == after


def test_brown_cannot_rise_any_further(at: SetTable) -> None:
    assert verbs(at(situation([player("bbb"), player()])), "play=up2") == ["play=up2"]


def test_two_upgrades_may_go_on_one_cube_or_on_two(at: SetTable) -> None:
    table = at(situation([player("yy"), player()]))
    assert verbs(table, "play=up2") == ["play=up2", "play=up2,y>r", "play=up2,y>r,r>g", "play=up2,y>r,y>r"]
    assert caravan(at(table.state()).play("play=up2,y>r,r>g")) == "yg"
    assert caravan(at(table.state()).play("play=up2,y>r,y>r")) == "rr"


def test_three_upgrades_lift_one_yellow_to_brown(at: SetTable) -> None:
    table = at(situation([player("y", hand=["up3"]), player()]))
    assert caravan(table.play("play=up3,y>r,r>g,g>b")) == "b"


def test_each_result_of_an_upgrade_is_offered_once(at: SetTable) -> None:
    offered = verbs(at(situation([player("yrg"), player()])), "play=up2")
    results = {caravan(at(situation([player("yrg"), player()])).play(token)) for token in offered}
    assert len(results) == len(offered) == 7


def test_upgrades_need_not_all_be_used_and_even_none_is_allowed(at: SetTable) -> None:
    table = at(situation([player("yyy"), player()]))
    assert {"play=up2", "play=up2,y>r"} <= set(table.legal())
    state = table.play("play=up2").state()
    assert state["players"][0] == player("yyy", played=["up2"])


def test_an_upgrade_card_may_be_played_with_an_empty_caravan(at: SetTable) -> None:
    assert verbs(at(situation([player(""), player()])), "play=up2") == ["play=up2"]


def test_a_trade_may_be_repeated_as_often_as_it_can_be_paid(at: SetTable) -> None:
    state = situation([player("yyyyyy", hand=["yy>g"]), player()])
    assert verbs(at(state), "play=yy>g") == ["play=yy>g*1", "play=yy>g*2", "play=yy>g*3"]
    assert caravan(at(state).play("play=yy>g*1")) == "yyyyg"
    assert caravan(at(state).play("play=yy>g*3")) == "ggg"


def test_a_trade_of_two_colours_is_limited_by_the_scarcer_one(at: SetTable) -> None:
    table = at(situation([player("yyyyygg", hand=["yyg>bb"]), player()]))
    assert verbs(table, "play=yyg") == ["play=yyg>bb*1", "play=yyg>bb*2"]
    assert caravan(table.play("play=yyg>bb*2")) == "ybbbb"


def test_trading_zero_times_is_not_a_way_to_play_a_card(at: SetTable) -> None:
    assert not verbs(at(situation([player("y", hand=["yy>g"]), player()])), "play=yy>g")


def test_a_trade_does_not_run_backwards(at: SetTable) -> None:
    assert not verbs(at(situation([player("gggg", hand=["yy>g"]), player()])), "play=yy>g")


def test_produce_cards_are_used_once_a_play(at: SetTable) -> None:
    table = at(situation([player("", hand=["+yyyy"]), player()]))
    assert verbs(table, "play=+yyyy") == ["play=+yyyy"]
    assert caravan(table.play("play=+yyyy")) == "yyyy"


def test_the_cubes_of_the_supply_never_run_out(at: SetTable) -> None:
    crowd = [player("y" * 10) for _ in range(4)]
    table = at(situation([player("yyyyyy", hand=["+yyyy"]), *crowd]))
    assert caravan(table.play("play=+yyyy")) == "y" * 10


# -- taking a merchant --------------------------------------------------------------------------------------


def test_the_leftmost_merchant_is_free(at: SetTable) -> None:
    state = situation([player(""), player()])
    assert verbs(at(state), "take=") == ["take=1"]
    after = deal(at(state).play("take=1")).state()
    assert after["players"][0]["hand"] == ["+yy", "up2", "+g"]
    assert after["turn"] == "p2"


def test_a_merchant_costs_one_cube_for_each_card_on_its_left(at: SetTable) -> None:
    table = at(situation([player("yrgb"), player()]))
    assert verbs(table, "take=") == ["take=1", "take=2", "take=3", "take=4", "take=5"]
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
    assert verbs(at(situation([player(""), player()], market=market)), "take=") == ["take=1"]


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
    assert verbs(table, "take=") == ["take=1", "take=2", "take=3"]
    state = table.play("take=2", "pay=y").state()
    assert state["turn"] == "p2"
    assert state["market"] == [{"card": "bb>rrrgg", "cubes": "y"}, {"card": "ggg>bbb", "cubes": ""}]


def test_from_an_empty_market_nothing_can_be_taken(at: SetTable) -> None:
    table = at(situation([player("yyyy", hand=Reference(2).merchants), player()], market=[]))
    assert not verbs(table, "take=")
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


# -- claiming a point card ----------------------------------------------------------------------------------


def test_a_claim_takes_exactly_the_cubes_of_the_card(at: SetTable) -> None:
    table = at(situation([player("yyyrrb"), player()], points=CHEAP))
    assert verbs(table, "claim=") == ["claim=1", "claim=2"]
    state = table.play("claim=1").state()
    assert state["players"][0]["caravan"] == "yb"
    assert state["players"][0]["claimed"] == ["yyrr=6"]


def test_a_dearer_cube_does_not_stand_in_for_a_missing_one(at: SetTable) -> None:
    points = ["yyrr=6", "yyyrr=7", "rrrr=8", "yyrrr=8", "rrgg=10"]
    assert not verbs(at(situation([player("yyrgggbbbb"), player()], points=points)), "claim=")


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
    assert not verbs(table, "drop=")


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
    from serai.core import load

    players = [player(hand=["yy>g"], played=["+g"], claimed=["yyrr=6"]), player("rrb", gold=1), player("b")]
    state = situation(players)
    position = load("spice_road;players=3").from_state(state)
    for seat in range(3):
        assert position.view(seat).state() == state
        assert position.determinize(seat, 7).state() == state
        assert position.observe(seat) == position.determinize(seat, 8).observe(seat)
