"""One test or more for each ruling on Concordia, by its number, played by both readings of the rules.

Here: cards, the Praefectus Magnus and the end, rulings 1 to 19. The others are in the file next to this one.
"""

from __future__ import annotations

import pytest
from reference.concordia_box import board
from reference.concordia_situations import SetTable, goods, player, seat, tables, turn_of
from reference.tables import deal, starting

ROW = ["architect", "prefect", "mercator5", "colonist", "diplomat-saturnus/tool", "mason", "farmer"]
EIGHT = "brick food food tool wine wine cloth cloth"
"""Goods that fill the storehouse beside four colonists."""
SEVEN = "brick food food tool wine wine cloth"
FOURTEEN = [city for city in board("italia").cities if city not in ("cosa", "spoletum")][:14]
SECOND = ("p2", "main")


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table with these seats, on the map of Italia as a rule."""
    return tables(engine)


# -- Diplomat -----------------------------------------------------------------------------------------------


def test_ruling_01_a_diplomat_copies_the_top_card_of_another_seat(at: SetTable) -> None:
    others = player(pile=["senator", "architect"]), player(pile=["mercator"])
    table = at(player(pile=["prefect"]), *others).play("play=diplomat-jupiter")
    assert table.legal() == ["copy=architect", "copy=mercator"]
    assert seat(table)["top"] == "diplomat-jupiter"


def test_ruling_01_diplomats_are_not_copied(at: SetTable) -> None:
    others = player(pile=["senator", "diplomat-jupiter"]), player(pile=["prefect"])
    assert at(player(), *others).play("play=diplomat-jupiter").legal() == ["copy=prefect"]


def test_ruling_01_a_tribune_never_lies_on_top(at: SetTable) -> None:
    table = at(player("wine", pile=["prefect"]), player()).play("play=tribune")
    assert (seat(table)["top"], seat(table)["pile"]) == ("none", [])


@pytest.mark.parametrize("pile", [[], ["diplomat-jupiter"]])
def test_ruling_02_a_diplomat_who_finds_nobody_does_nothing(at: SetTable, pile: list[str]) -> None:
    table = at(player(), player(pile=pile))
    before = seat(table)
    table.play("play=diplomat-jupiter")
    assert turn_of(table) == SECOND
    assert (seat(table)["coins"], seat(table)["goods"]) == (before["coins"], before["goods"])


def test_ruling_03_a_copied_card_has_its_own_strength(at: SetTable) -> None:
    table = at(player(coins=1), player(pile=["mercator5"])).play("play=diplomat-jupiter", "copy=mercator5")
    assert seat(table)["coins"] == 6


def test_ruling_03_a_copied_specialist_works_in_the_own_cities(at: SetTable) -> None:
    tokens = {"cosa": "food", "messana": "food", "neapolis": "food"}
    other = player(pile=["farmer"], houses=["neapolis"])
    table = at(player("", houses=["cosa", "messana"]), other, tokens=tokens)
    table.play("play=diplomat-jupiter", "copy=farmer")
    assert (goods(table), goods(table, 2)) == ("food food", "brick food food tool wine cloth")


def test_ruling_04_a_copied_prefect_is_doubled_by_the_own_magnus(at: SetTable) -> None:
    table = at(
        player(""), player(pile=["prefect"]), magnus="p1", tokens={"cosa": "food", "florentia": "tool"}
    )
    table.play("play=diplomat-jupiter", "copy=prefect", "produce=etruria")
    assert goods(table) == "tool tool"
    assert table.state()["magnus"] == "p2"


# -- Prefect and the Praefectus Magnus ----------------------------------------------------------------------


@pytest.mark.parametrize(("mover", "passed"), [("p1", "p3"), ("p2", "p1"), ("p3", "p2")])
def test_ruling_05_the_magnus_goes_to_the_seat_before(at: SetTable, mover: str, passed: str) -> None:
    table = at(player(), player(), player(), mover=mover, magnus=mover)
    assert table.play("play=prefect", "produce=etruria").state()["magnus"] == passed


def test_ruling_05_the_magnus_goes_even_if_there_is_no_room(at: SetTable) -> None:
    table = at(player(EIGHT), player(), magnus="p1").play("play=prefect", "produce=etruria")
    assert (goods(table), table.state()["magnus"]) == (EIGHT, "p2")


def test_ruling_05_the_magnus_stays_for_coins_and_for_specialists(at: SetTable) -> None:
    state = {"magnus": "p1", "coin_side": ["etruria"]}
    assert at(player(), player(), **state).play("play=prefect", "cash=provinces").state()["magnus"] == "p1"
    worker = player("wine", hand=["farmer"], houses=["cosa"])
    table = at(worker, player(), tokens={"cosa": "food"}, **state).play("play=farmer")
    assert (goods(table), table.state()["magnus"]) == ("food wine", "p1")


def test_ruling_05_another_seats_magnus_stays_and_doubles_nothing(at: SetTable) -> None:
    table = at(player(""), player("", houses=["cosa"]), magnus="p2", tokens={"cosa": "wine"})
    table.play("play=prefect", "produce=etruria")
    assert (goods(table), goods(table, 2), table.state()["magnus"]) == ("wine", "wine", "p2")


def test_ruling_06_the_magnus_doubles_the_bonus_and_not_the_cities(at: SetTable) -> None:
    tokens = {"cosa": "food", "florentia": "tool"}
    table = at(player("", houses=["cosa"]), player("", houses=["cosa"]), magnus="p1", tokens=tokens)
    table.play("play=prefect", "produce=etruria")
    assert (goods(table), goods(table, 2)) == ("food tool tool", "food")


def test_ruling_07_any_province_on_the_goods_side_produces(at: SetTable) -> None:
    sides = {"coin_side": ["etruria", "sicilia"]}
    table = at(player(""), player(), **sides, tokens={"casinum": "brick", "neapolis": "tool"})
    ready = [name for name in board("italia").provinces if name not in sides["coin_side"]]
    assert starting(table.play("play=prefect"), "produce=") == sorted(f"produce={name}" for name in ready)
    table.play("produce=campania")
    assert goods(table) == "tool"
    assert table.state()["coin_side"] == ["etruria", "campania", "sicilia"]


def test_ruling_08_without_a_tile_on_the_coin_side_there_is_no_cash(at: SetTable) -> None:
    assert not starting(at(player(), player()).play("play=prefect"), "cash=")


def test_ruling_08_with_all_tiles_on_the_coin_side_there_is_only_cash(at: SetTable) -> None:
    provinces = board("italia").provinces
    table = at(player(coins=0), player(), coin_side=provinces).play("play=prefect")
    assert table.legal() == ["cash=provinces"]
    state = table.play("cash=provinces").state()
    tokens, where = state["tokens"], board("italia")
    cloth = {where.province_of[city] for city, good in tokens.items() if good == "cloth"}
    assert seat(table)["coins"] == 2 * len(provinces) - len(cloth)
    assert state["coin_side"] == []


def test_ruling_09_what_does_not_fit_is_chosen_from_bonus_and_cities_together(at: SetTable) -> None:
    tokens = {"cosa": "food", "florentia": "tool"}
    seats = player(SEVEN, houses=["cosa"]), player(SEVEN, houses=["cosa", "florentia"])
    table = at(*seats, tokens=tokens).play("play=prefect", "produce=etruria")
    assert table.legal() == ["keep=food", "keep=tool"]
    table.play("keep=food")
    assert goods(table) == "brick food food food tool wine wine cloth"
    assert table.state()["turn"] == "p2"
    assert table.state()["mover"] == "p1"
    assert table.play("keep=tool").legal() == at(player(), player()).legal()
    assert goods(table, 2) == "brick food food tool tool wine wine cloth"


def test_ruling_09_all_free_slots_are_filled(at: SetTable) -> None:
    tokens = {"ancona": "brick", "spoletum": "food", "hadria": "cloth"}
    mine = player("wine " * 6, houses=["ancona", "spoletum", "hadria"])
    table = at(mine, player(), tokens=tokens).play("play=prefect", "produce=umbria")
    assert table.legal() == ["keep=brick", "keep=cloth", "keep=food"]
    table.play("keep=brick")
    assert table.legal() == ["keep=cloth", "keep=food"]
    table.play("keep=cloth")
    assert goods(table) == "brick wine wine wine wine wine wine cloth"
    assert turn_of(table) == SECOND


def test_ruling_10_stored_goods_cannot_be_given_up(at: SetTable) -> None:
    tokens = {"cosa": "food", "florentia": "tool"}
    table = at(player(EIGHT, houses=["cosa"]), player(), tokens=tokens)
    table.play("play=prefect", "produce=etruria")
    assert goods(table) == EIGHT
    assert turn_of(table) == SECOND


# -- Tribune ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pile", "coins"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (6, 4)])
def test_ruling_11_each_card_above_three_brings_a_coin(at: SetTable, pile: int, coins: int) -> None:
    cards = ["architect", "prefect", "prefect", "mercator", "diplomat-jupiter", "senator"][:pile]
    table = at(player("", 0, pile=cards), player()).play("play=tribune")
    assert seat(table)["coins"] == coins
    assert len(seat(table)["hand"]) == 7


def test_ruling_12_one_colonist_comes_to_roma_for_food_and_a_tool(at: SetTable) -> None:
    state = player("food food tool tool"), player()
    assert at(*state).play("play=tribune").legal() == ["colonist=land", "colonist=none", "colonist=sea"]
    table = at(*state).play("play=tribune", "colonist=sea")
    assert (goods(table), seat(table)["sea"], seat(table)["land"]) == (
        "food tool",
        ["roma", "roma"],
        ["roma"],
    )
    assert turn_of(table) == SECOND
    assert goods(at(*state).play("play=tribune", "colonist=none")) == "food food tool tool"


def test_ruling_12_only_colonists_of_the_storehouse_come(at: SetTable) -> None:
    table = at(player("food tool", land=["roma"] * 3), player()).play("play=tribune")
    assert table.legal() == ["colonist=none", "colonist=sea"]


@pytest.mark.parametrize("short", ["food food", "tool tool", "brick wine cloth"])
def test_ruling_12_without_food_and_tool_nobody_is_asked(at: SetTable, short: str) -> None:
    assert turn_of(at(player(short), player()).play("play=tribune")) == SECOND


# -- Senator and Consul -------------------------------------------------------------------------------------


def test_ruling_13_two_cards_cost_what_their_places_say_before_anything_moves(at: SetTable) -> None:
    table = at(player("tool wine food"), player(), row=ROW).play("play=senator", "hire=1", "hire=2")
    assert table.legal() == ["pay=food"]
    table.play("pay=food")
    assert goods(table) == ""
    assert {"architect", "prefect"} <= set(seat(table)["hand"])


def test_ruling_13_one_pool_of_goods_pays_for_both(at: SetTable) -> None:
    table = at(player("tool wine"), player(), row=ROW).play("play=senator")
    assert table.legal() == ["done", "hire=1", "hire=2", "hire=3"]
    assert goods(deal(table.play("hire=1"))) == "wine"
    assert turn_of(table) == SECOND


def test_ruling_13_no_card_need_be_bought(at: SetTable) -> None:
    table = at(player(), player(), row=ROW).play("play=senator", "done")
    assert (goods(table), turn_of(table)) == ("brick food food tool wine cloth", SECOND)


def test_ruling_13_the_row_is_filled_up_only_when_the_buying_is_over(at: SetTable) -> None:
    table = at(player("tool wine food"), player(), row=ROW).play("play=senator", "hire=1")
    assert table.state()["row"] == ROW
    table.play("done")
    assert table.state()["row"] == ROW[1:]
    assert len(deal(table).state()["row"]) == 7
    assert turn_of(table) == SECOND


def test_ruling_14_any_goods_pay_for_any_good_each_chosen_by_itself(at: SetTable) -> None:
    row = ["smith", "colonist", "mason", *ROW[:2], "farmer", "consul"]
    table = at(player("food food wine cloth cloth"), player(), row=row)
    table.play("play=senator", "hire=2", "hire=3")
    assert table.legal() == ["pay=cloth", "pay=wine"]
    table.play("pay=wine")
    assert table.legal() == ["pay=cloth"]
    assert goods(table.play("pay=cloth")) == "cloth"


def test_ruling_15_a_consul_pays_the_goods_of_the_card_alone(at: SetTable) -> None:
    table = at(player("tool food cloth", hand=["consul"]), player(), row=ROW).play("play=consul")
    assert table.legal() == ["hire=1", "hire=4", "hire=5", "hire=6"]
    table.play("hire=6")
    assert goods(table) == "tool cloth"
    assert "mason" in seat(table)["hand"]
    assert turn_of(deal(table)) == SECOND


def test_ruling_15_a_consul_who_can_pay_for_nothing_buys_nothing(at: SetTable) -> None:
    table = at(player("brick cloth", hand=["consul"]), player(), row=ROW)
    assert turn_of(table.play("play=consul")) == SECOND


def test_ruling_16_with_an_empty_deck_cards_move_left_and_cost_what_their_new_place_says(
    at: SetTable,
) -> None:
    row = ["mason", "colonist", "smith"]
    table = at(player("food"), player("food"), row=row, deck=False)
    assert starting(table.play("play=senator"), "hire=") == ["hire=1"]
    table.play("hire=1")
    assert table.state()["row"] == ["colonist", "smith"]
    assert turn_of(table) == SECOND
    assert starting(table.play("play=senator"), "hire=") == ["hire=1"]
    assert "colonist" in seat(table.play("hire=1"), 2)["hand"]


def test_ruling_17_from_an_empty_row_nothing_is_bought(at: SetTable) -> None:
    last = {"row": [], "deck": False, "concordia": "p1", "mover": "p2"}
    for kind in ("senator", "consul"):
        table = at(player(), player(hand=["consul"]), player(), **last).play(f"play={kind}")
        assert turn_of(table) == ("p3", "main")


def test_ruling_17_there_is_only_one_concordia(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, houses=FOURTEEN, land=["roma-cosa"], sea=[])
    ended = player(houses=[*FOURTEEN, "cosa"])
    table = at(ended, mine, player(), concordia="p1", mover="p2").play("play=architect", "land=roma-cosa")
    table.play(starting(table, "house=")[0])
    assert (table.state()["concordia"], len(seat(table, 2)["houses"])) == ("p1", 15)
    assert turn_of(table) == ("p3", "main")


# -- the end ------------------------------------------------------------------------------------------------


def test_ruling_18_the_last_card_brings_concordia_and_one_more_turn_to_all_others(at: SetTable) -> None:
    table = at(player("food"), player(), player(), row=["mason"], deck=False)
    before = table.scores()
    table.play("play=senator", "hire=1")
    assert table.state()["concordia"] == "p1"
    assert table.scores()[0] == before[0] + 7
    assert turn_of(table) == SECOND
    table.play("play=diplomat-jupiter", "copy=senator")
    assert turn_of(table) == ("p3", "main")
    table.play("play=mercator", "done")
    assert (table.state()["turn"], turn_of(table)[1], table.legal()) == ("none", "over", [])


def test_ruling_18_a_card_left_in_the_deck_goes_on_with_the_game(at: SetTable) -> None:
    table = at(player("food"), player(), row=["mason", "colonist"], deck=False)
    assert table.play("play=senator", "hire=1").state()["concordia"] == "none"


def test_ruling_18_the_fifteenth_house_ends_the_building_and_brings_concordia(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, houses=FOURTEEN, land=["roma-cosa"], sea=[])
    table = at(mine, player()).play("play=architect", "land=roma-spoletum", "house=spoletum")
    assert table.state()["concordia"] == "p1"
    assert turn_of(table) == SECOND
    table.play("play=diplomat-jupiter", "copy=architect", "land=roma", "sea=roma")
    assert turn_of(table) == ("p1", "over")


def test_ruling_18_the_last_seat_may_end_the_game_for_the_others(at: SetTable) -> None:
    table = at(player(), player("food"), row=["mason"], deck=False, mover="p2").play("play=senator", "hire=1")
    assert turn_of(table) == ("p1", "main")
    assert turn_of(table.play("play=mercator", "done")) == ("p2", "over")


def test_ruling_19_a_copied_architect_builds_the_fifteenth_house(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, houses=FOURTEEN, land=["roma-cosa"], sea=[])
    table = at(mine, player(pile=["architect"])).play("play=diplomat-jupiter", "copy=architect")
    assert table.play("land=roma-spoletum", "house=spoletum").state()["concordia"] == "p1"


@pytest.mark.parametrize("kind", ["senator", "consul"])
def test_ruling_19_a_copied_buyer_takes_the_last_card(at: SetTable, kind: str) -> None:
    table = at(player("food"), player(pile=[kind]), row=["mason"], deck=False)
    assert table.play("play=diplomat-jupiter", f"copy={kind}", "hire=1").state()["concordia"] == "p1"
