"""One test or more for each ruling on Concordia, by its number, played by both readings of the rules.

Here: colonists, houses, trade, points, what is hidden, and the seats, rulings 20 to 39.
"""

from __future__ import annotations

import pytest
from reference.concordia_situations import SetTable, goods, player, seat, situation, tables, turn_of
from reference.tables import deal, new_table, starting

from serai.core import SetupError, load
from serai.core.spec import Spec

SECOND = ("p2", "main")


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table with these seats, on the map of Italia as a rule."""
    return tables(engine)


# -- the Architect ------------------------------------------------------------------------------------------


def test_ruling_20_all_own_colonists_on_the_board_are_steps(at: SetTable) -> None:
    mine = player("food", land=["roma-cosa", "roma"], sea=["roma-olbia"])
    assert at(mine, player()).play("play=architect").state()["steps"] == 3


def test_ruling_20_steps_are_split_freely_and_may_be_left(at: SetTable) -> None:
    state = player("food"), player()
    table = at(*state).play("play=architect")
    two_away, three_away = "land=florentia-cosa", "land=genua-florentia"
    assert two_away in table.legal()
    assert three_away not in table.legal()
    assert turn_of(table.play(two_away)) == SECOND  # the ship has no step left
    assert "sea=roma-cosa" in at(*state).play("play=architect", "land=roma-cosa").legal()
    assert "sea=cosa-aleria" in at(*state).play("play=architect", "land=roma").legal()
    assert seat(at(*state).play("play=architect", "land=roma", "sea=roma"))["sea"] == ["roma"]


def test_ruling_21_out_of_a_city_and_through_a_city_is_a_step_each(at: SetTable) -> None:
    table = at(player("food", sea=[]), player()).play("play=architect")
    assert table.legal() == ["land=roma", "land=roma-casinum", "land=roma-cosa", "land=roma-spoletum"]
    table = at(player("food", land=["roma-cosa"], sea=[]), player()).play("play=architect")
    lines = ["florentia-cosa", "roma-casinum", "roma-cosa", "roma-spoletum"]
    assert table.legal() == [f"land={line}" for line in lines]


def test_ruling_22_an_occupied_line_is_passed_for_a_step_but_no_end(at: SetTable) -> None:
    table = at(player("food"), player(land=["roma-cosa"])).play("play=architect")
    assert "land=roma-cosa" not in table.legal()
    assert "land=florentia-cosa" in table.legal()
    assert "land=genua-florentia" not in table.legal()


def test_ruling_22_no_two_own_colonists_end_on_a_line(at: SetTable) -> None:
    table = at(player("food", land=["roma", "roma"], sea=[]), player()).play(
        "play=architect", "land=roma-cosa"
    )
    assert "land=roma-cosa" not in table.legal()
    assert "land=roma" in table.legal()


def test_ruling_22_a_line_left_in_the_same_turn_is_free(at: SetTable) -> None:
    table = at(player("food", land=["roma-cosa", "florentia-cosa"], sea=[]), player()).play("play=architect")
    table.play("land=genua-florentia")  # the other one has only one end left
    assert seat(table)["land"] == ["genua-florentia", "florentia-cosa"]


def test_ruling_22_ships_and_land_colonists_do_not_meet(at: SetTable) -> None:
    table = at(player("food"), player(land=["roma"], sea=["roma-cosa"])).play("play=architect")
    assert "land=roma-cosa" in table.legal()
    assert "sea=roma-cosa" not in table.play("land=roma-cosa").legal()


def test_ruling_23_the_set_of_lines_counts_and_not_who_went_where(at: SetTable) -> None:
    mine = player("food", land=["roma-cosa", "roma-spoletum"])
    table = at(mine, player()).play("play=architect", "land=roma-spoletum", "land=roma-casinum")
    assert table.state()["steps"] == 2


def test_ruling_23_ends_are_named_in_one_order_only(at: SetTable) -> None:
    mine = player("food", land=["roma-cosa", "roma-spoletum"])
    table = at(mine, player()).play("play=architect", "land=roma-casinum")
    assert "land=roma-cosa" not in table.legal()
    assert "land=roma-spoletum" not in table.legal()


def test_ruling_24_houses_are_built_at_both_ends_of_own_lines_after_all_moves(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, land=["genua-florentia"], sea=["roma"])
    table = at(mine, player()).play("play=architect", "land=genua-florentia", "sea=roma-olbia")
    assert starting(table, "house=") == ["house=florentia", "house=genua", "house=olbia"]
    assert starting(table.play("house=genua"), "house=") == ["house=florentia", "house=olbia"]
    assert turn_of(table.play("done")) == SECOND


def test_ruling_24_a_colonist_in_a_city_gives_no_right_to_build(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, land=["verona"], sea=[], houses=["verona"])
    assert turn_of(at(mine, player()).play("play=architect", "land=verona")) == SECOND


def test_ruling_25_each_city_has_its_own_price(at: SetTable) -> None:
    tokens = {"cosa": "food", "florentia": "tool"}
    mine = player("brick brick food tool", 20, land=["florentia-cosa"], sea=[])
    others = player(houses=["cosa"]), player(houses=["cosa"])
    table = at(mine, *others, tokens=tokens).play("play=architect", "land=florentia-cosa")
    assert (seat(table.play("house=florentia"))["coins"], goods(table)) == (17, "brick food")
    assert (seat(table.play("house=cosa"))["coins"], goods(table)) == (11, "")


PRICES = {"brick": ("food", 1), "food": ("brick food", 2), "tool": ("brick tool", 3)}
PRICES |= {"wine": ("brick wine", 4), "cloth": ("brick cloth", 5)}


@pytest.mark.parametrize("good", PRICES)
def test_ruling_25_a_house_costs_what_its_city_makes(at: SetTable, good: str) -> None:
    spent, coins = PRICES[good]
    for have in (coins, coins - 1):
        mine = player(spent, have, land=["florentia-cosa"], sea=[], houses=["florentia"])
        table = at(mine, player(), tokens={"cosa": good}).play("play=architect", "land=florentia-cosa")
        assert ("house=cosa" in table.legal()) == (have == coins)
    mine = player(spent, coins, land=["florentia-cosa"], sea=[], houses=["florentia"])
    table = at(mine, player(), tokens={"cosa": good})
    table.play("play=architect", "land=florentia-cosa", "house=cosa")
    assert (goods(table), seat(table)["coins"], seat(table)["houses"]) == ("", 0, ["florentia", "cosa"])


def test_ruling_26_roma_has_no_house_and_no_token(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60, sea=[])
    table = at(mine, player()).play("play=architect", "land=roma-cosa")
    assert starting(table, "house=") == ["house=cosa"]
    assert "roma" not in table.state()["tokens"]


# -- Colonist -----------------------------------------------------------------------------------------------


def test_ruling_27_colonists_come_to_roma_and_to_cities_with_an_own_house(at: SetTable) -> None:
    mine = player("food food food tool tool", hand=["colonist"], houses=["cosa"])
    table = at(mine, player(houses=["genua"])).play("play=colonist")
    homes = ["land-cosa", "land-roma", "sea-cosa", "sea-roma"]
    assert starting(table, "colonist=") == [f"colonist={home}" for home in homes]
    table.play("colonist=land-cosa", "colonist=land-cosa")
    assert (seat(table)["land"], goods(table)) == (["roma", "cosa", "cosa"], "food")
    assert turn_of(table) == SECOND


def test_ruling_27_there_are_three_colonists_of_each_sort(at: SetTable) -> None:
    mine = player("food food tool tool", hand=["colonist"], land=["roma"] * 3, sea=["roma"] * 3)
    assert at(mine, player()).play("play=colonist").legal() == ["cash=colonists", "done"]


def test_ruling_28_colonists_come_only_where_a_line_of_theirs_begins(at: SetTable) -> None:
    mine = player("food tool", hand=["colonist"], houses=["verona", "aleria"])
    table = at(mine, player()).play("play=colonist")
    homes = ["land-roma", "land-verona", "sea-aleria", "sea-roma"]
    assert starting(table, "colonist=") == [f"colonist={home}" for home in homes]


def test_ruling_29_five_coins_and_one_for_each_colonist_on_the_board(at: SetTable) -> None:
    mine = player("", 0, hand=["colonist"], land=["roma", "roma-cosa"], sea=["roma-olbia"])
    assert seat(at(mine, player()).play("play=colonist", "cash=colonists"))["coins"] == 8


# -- Mercator -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "coins"), [("mercator", 3), ("mercator5", 5)])
def test_ruling_30_coins_come_first(at: SetTable, kind: str, coins: int) -> None:
    table = at(player("", 0, hand=["mercator5"]), player()).play(f"play={kind}")
    assert seat(table)["coins"] == coins
    assert ("buy=tool*1" in table.legal()) == (coins == 5)


def test_ruling_30_the_example_of_the_rules(at: SetTable) -> None:
    table = at(player(), player()).play("play=mercator", "sell=cloth*1", "buy=brick*2")
    assert (seat(table)["coins"], goods(table)) == (9, "brick brick brick food food tool wine")
    assert turn_of(table) == SECOND


def test_ruling_30_two_kinds_at_most_in_any_amount(at: SetTable) -> None:
    table = at(player("brick brick food food tool wine wine cloth", 30), player()).play("play=mercator")
    assert {"sell=brick*1", "sell=brick*2", "sell=wine*2", "done"} <= set(table.legal())
    assert not starting(table, "buy=")  # no room
    table.play("sell=brick*2")
    assert not starting(table, "buy=brick")
    assert {"buy=food*2", "sell=wine*2", "done"} <= set(table.legal())
    assert "buy=food*3" not in table.legal()
    assert turn_of(table.play("buy=food*2")) == SECOND


def test_ruling_30_cash_is_checked_at_each_step(at: SetTable) -> None:
    table = at(player("cloth", 0), player()).play("play=mercator")
    assert starting(table, "buy=") == ["buy=brick*1"]
    assert "buy=food*2" in table.play("sell=cloth*1").legal()
    assert "buy=food*3" not in table.legal()


def test_ruling_30_no_trade_need_be_made(at: SetTable) -> None:
    assert turn_of(at(player(), player()).play("play=mercator", "done")) == SECOND


# -- whole games --------------------------------------------------------------------------------------------


def test_ruling_31_a_card_must_be_played(at: SetTable) -> None:
    cards = ["architect", "diplomat-jupiter", "mercator", "prefect", "senator", "tribune"]
    assert at(player(), player()).legal() == [f"play={kind}" for kind in cards]
    played = ["architect", "prefect", "prefect", "mercator", "diplomat-jupiter", "senator"]
    assert at(player(pile=played), player()).legal() == ["play=tribune"]


@pytest.mark.parametrize(
    ("stored", "coins", "points"),
    [("", 9, 0), ("", 10, 1), ("cloth cloth", 5, 1), ("brick food tool wine", 2, 2)],
)
def test_ruling_32_vesta_gives_a_point_for_ten_coins_of_cash_and_goods(
    at: SetTable, stored: str, coins: int, points: int
) -> None:
    table = at(player(stored, coins, land=[], sea=[]), player())
    assert table.scores()[0] == points


def test_ruling_33_mercurius_counts_the_goods_that_houses_make(at: SetTable) -> None:
    tokens = {"cosa": "brick", "florentia": "brick", "casinum": "food"}
    mine = player("", 0, land=[], sea=[], houses=["cosa", "florentia", "casinum"])
    other = mine | {"hand": [*mine["hand"], "mercator5"]}
    jupiter, saturnus = 2 * 1, 2 * 2
    assert at(mine, other, tokens=tokens).scores() == [jupiter + saturnus + 4, jupiter + saturnus + 8]


@pytest.mark.parametrize(
    ("kind", "good", "each"),
    [
        ("mason", "brick", 3),
        ("farmer", "food", 3),
        ("smith", "tool", 3),
        ("vintner", "wine", 4),
        ("weaver", "cloth", 5),
    ],
)
def test_ruling_34_minerva_scores_each_house_of_the_good(
    at: SetTable, kind: str, good: str, each: int
) -> None:
    houses, where = ["comum", "florentia", "messana"], {"comum": good, "florentia": good, "messana": good}
    mine = player("", 0, land=[], sea=[], houses=houses)
    with_card = mine | {"hand": [*mine["hand"], kind]}
    before, after = (at(each, player(), tokens=where).scores()[0] for each in (mine, with_card))
    assert after - before == 3 * each


def test_ruling_34_the_example_of_the_rules(at: SetTable) -> None:
    """Two cards of Jupiter and of Saturnus, one of Mercurius and of Mars: these are the starting cards."""
    tokens = {"aquileia": "food", "comum": "tool", "segusio": "food", "genua": "wine", "cosa": "food"}
    mine = player("", 0, houses=list(tokens), land=["roma", "roma-cosa"], sea=["roma"])
    assert at(mine, player(), tokens=tokens).scores()[0] == 10 + 8 + 6 + 6


def test_ruling_35_a_tie_goes_to_the_magnus_and_then_to_the_right(at: SetTable) -> None:
    for holder, ranks in (("p1", [1, 3, 2]), ("p2", [2, 1, 3]), ("p3", [3, 2, 1])):
        table = at(player(), player(), player(), magnus=holder)
        assert len(set(table.scores())) == 1
        assert table.ranks() == ranks


def test_ruling_35_who_would_receive_the_magnus_next_wins_a_tie_without_the_holder(at: SetTable) -> None:
    poor = player("", 0)
    table = at(player(), poor, player(), poor, magnus="p2")
    assert table.ranks() == [1, 3, 2, 4]


# -- the scoring in the middle of a first game --------------------------------------------------------------


def test_ruling_36_there_is_no_scoring_in_the_middle_as_a_rule(at: SetTable) -> None:
    table = at(player("", 0), player("", 0)).play("play=tribune", "play=tribune")
    assert [seat(table, n)["coins"] for n in (1, 2)] == [0, 0]
    assert not seat(table)["scored"]


def test_ruling_36_most_points_bring_two_coins_and_the_next_number_one(at: SetTable) -> None:
    low, middle, high = (player("", coins) for coins in (0, 10, 20))
    table = at(high, middle, high, low, first=True)
    for number in (1, 2, 3):
        table.play("play=tribune")
        assert seat(table, number)["scored"]
        assert seat(table, number)["marker"] == table.scores()[number - 1]
    table.play("play=tribune")
    assert [seat(table, n)["coins"] for n in (1, 2, 3, 4)] == [22, 11, 22, 0]
    assert [seat(table, n)["marker"] for n in (1, 2, 3, 4)] == [0, 0, 0, 0]


def test_ruling_36_points_are_taken_after_the_colonist_and_only_once(at: SetTable) -> None:
    table = at(player("food tool", 0), player("", 0), first=True)
    table.play("play=tribune", "colonist=land")
    assert seat(table)["marker"] == table.scores()[0] == 6  # three colonists for one Mars
    table.play("play=mercator", "done", "play=tribune", "play=tribune")
    assert [seat(table, n)["coins"] for n in (1, 2)] == [2, 4]
    assert turn_of(table) == ("p1", "main")


# -- what is hidden, and what is never short ----------------------------------------------------------------


def test_ruling_37_only_the_order_of_the_deck_is_unknown() -> None:
    seats = [player(pile=["architect"]), player("wine", hand=["mason"], houses=["cosa"]), player()]
    state = situation(seats)
    position = load("concordia;players=3").from_state(state)
    for number in range(3):
        assert position.view(number).state() == state
        assert position.determinize(number, 7).state() == state
        assert position.observe(number) == position.determinize(number, 8).observe(number)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ruling_37_cards_come_numeral_by_numeral(engine: str, seats: int) -> None:
    table = new_table(engine, Spec("concordia", seats))
    while table.legal()[0].startswith("~token"):
        table.play(table.legal()[0])
    assert len(table.legal()) == 8
    deal(table)
    assert [name for name in table.state()["unseen"]] == ["i", "ii", "iii", "iv", "v"][:seats]
    assert len(table.state()["unseen"]["i"]) == 1


def test_ruling_38_the_bank_never_runs_out(at: SetTable) -> None:
    full = player("cloth " * 12, land=["roma"] * 3, sea=["roma"] * 3)
    mine = player("", 84, land=["roma"] * 3, sea=["roma"] * 3)
    table = at(mine, full, full, full, full, name="imperium").play("play=mercator")
    assert "buy=cloth*12" in table.legal()


@pytest.mark.parametrize(("seats", "cards"), [(2, 15), (3, 21), (4, 26), (5, 30)])
def test_ruling_39_so_many_cards_are_for_sale(engine: str, seats: int, cards: int) -> None:
    assert new_table(engine, Spec("concordia", seats)).state()["deck"] == cards


def test_ruling_39_two_play_on_italia_and_exchange_the_magnus(engine: str, at: SetTable) -> None:
    state = new_table(engine, Spec("concordia", 2)).state()
    assert (state["map"], state["magnus"]) == ("italia", "p2")
    table = at(player(), player(), magnus="p2", mover="p2").play("play=prefect", "produce=etruria")
    assert table.state()["magnus"] == "p1"
    assert table.play("play=prefect", "produce=umbria").state()["magnus"] == "p2"


@pytest.mark.parametrize(
    ("players", "variant"), [(1, "base"), (6, "base"), (2, "imperium"), (5, "italia"), (3, "venus")]
)
def test_ruling_39_other_numbers_of_seats_are_refused(players: int, variant: str) -> None:
    with pytest.raises(SetupError):
        load(Spec("concordia", players, variant=variant))
