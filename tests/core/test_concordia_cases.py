"""Mistakes found in other implementations and texts about Concordia, each turned into a test of this one."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from reference.concordia_box import FOR_SALE, GOODS, KINDS, PRICE, STARTING, WARES, board, box
from reference.concordia_situations import SetTable, goods, player, seat, situation, tables, turn_of
from reference.tables import Table, deal, new_table, set_table

from serai.core import CHANCE, GAME_OVER, load
from serai.core.spec import Spec

TABLES = [("base", 2), ("base", 3), ("base", 4), ("imperium", 3), ("imperium", 4), ("base", 5)]
FOURTEEN = [city for city in board("italia").cities if city not in ("cosa", "spoletum")][:14]
SECOND = ("p2", "main")


@pytest.fixture
def at(engine: str) -> SetTable:
    """A table with these seats."""

    return tables(engine)


# -- a game played by mail: Bill, Dave and Kevin on Imperium -------------------------------------------------

MAIL = {"aquileia": "brick", "novaria": "tool", "syracusae": "cloth", "sirmium": "tool", "carthago": "brick"}
MAIL_ROW = ["architect", "prefect", "mercator5", "colonist", "diplomat-saturnus/tool", "mason", "farmer"]
FIRST_MOVES = (
    "play=architect land=roma-aquileia sea=roma-carthago house=aquileia done",
    "play=diplomat-jupiter copy=architect land=aquileia-sirmium house=aquileia house=sirmium",
    "play=diplomat-jupiter copy=architect land=roma-novaria sea=roma-massilia house=novaria",
)


def mail(at: SetTable) -> Table:
    seats = (player(coins=coins) for coins in (5, 6, 7))
    return at(*seats, name="imperium", tokens=MAIL, row=MAIL_ROW, magnus="p3")


def test_case_1_three_seats_build_at_roma(at: SetTable) -> None:
    table = mail(at).play(*FIRST_MOVES[0].split())
    assert (seat(table)["coins"], goods(table)) == (4, "brick food tool wine cloth")
    table.play("play=diplomat-jupiter")
    assert table.legal() == ["copy=architect"]
    table.play("copy=architect")
    assert "land=roma-aquileia" not in table.legal()
    table.play(*FIRST_MOVES[1].split()[2:])
    assert (seat(table, 2)["coins"], goods(table, 2)) == (1, "food wine cloth")
    table.play("play=diplomat-jupiter")
    assert table.legal() == ["copy=architect"]  # Dave's top is a Diplomat
    table.play(*FIRST_MOVES[2].split()[1:])
    assert (seat(table, 3)["coins"], goods(table, 3)) == (4, "food food wine cloth")
    assert turn_of(table) == ("p1", "main")


def test_case_2_they_buy_produce_and_move_on(at: SetTable) -> None:
    table = mail(at).play(*(token for moves in FIRST_MOVES for token in moves.split()))
    deal(table.play("play=senator", "hire=1", "hire=3", "pay=brick"))
    assert goods(table) == "food cloth"
    assert {"architect", "mercator5"} <= set(seat(table)["hand"])
    table.play("play=prefect", "produce=italia")
    assert goods(table, 2) == "brick food wine cloth cloth"
    assert goods(table, 3) == "food food tool wine cloth"
    assert goods(table) == "brick food cloth"
    assert table.state()["magnus"] == "p3"
    table.play("play=architect", "land=colonia_a-novaria", "sea=massilia-carthago", "house=carthago")
    assert (seat(table, 3)["coins"], goods(table, 3)) == (3, "food tool wine cloth")
    assert turn_of(table) == ("p1", "main")


def test_case_5_both_cards_are_priced_at_the_places_where_they_lay(at: SetTable) -> None:
    row = ["mason", "farmer", "smith", "diplomat-saturnus/tool", "prefect", "architect", "colonist"]
    table = at(player("food tool cloth cloth cloth", 0), player("brick food food food"), player(), row=row)
    deal(table.play("play=senator", "hire=4", "hire=7"))
    assert goods(table) == ""
    deal(table.play("play=senator", "hire=1", "hire=2", "pay=food"))
    assert goods(table, 2) == ""
    assert turn_of(table) == ("p3", "main")


def test_case_5_a_copied_mercator_brings_what_is_printed_on_it(at: SetTable) -> None:
    table = at(player(coins=0), player(pile=["mercator5"])).play("play=diplomat-jupiter", "copy=mercator5")
    assert seat(table)["coins"] == 5


# -- points -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [1, 2])
def test_case_7_six_colonists_are_twelve_points_for_each_mars(at: SetTable, cards: int) -> None:
    mine = player("", 0, land=["roma"] * 3, sea=["roma"] * 3, hand=["colonist"] * (cards - 1))
    assert at(mine, player()).scores()[0] == 12 * cards


@pytest.mark.parametrize(("kind", "good", "points"), [("vintner", "wine", 8), ("weaver", "cloth", 10)])
def test_case_8_minerva_gives_the_printed_points_and_not_the_price(
    at: SetTable, kind: str, good: str, points: int
) -> None:
    mine = player("", 0, land=[], sea=[], houses=["comum", "florentia"])
    tokens = {"comum": good, "florentia": good}
    without, with_card = (
        at(each, player(), tokens=tokens).scores()[0]
        for each in (mine, mine | {"hand": [*mine["hand"], kind]})
    )
    assert with_card - without == points


# -- provinces ----------------------------------------------------------------------------------------------


def test_case_9_a_province_turns_over_and_comes_back_with_all_others(at: SetTable) -> None:
    tokens = {"cosa": "food", "florentia": "tool"}
    table = at(player("", 0), player("wine"), tokens=tokens, coin_side=["sicilia"])
    table.play("play=prefect", "produce=etruria")
    assert table.state()["coin_side"] == ["etruria", "sicilia"]
    table.play("play=prefect")
    assert "produce=etruria" not in table.legal()
    assert table.play("cash=provinces").state()["coin_side"] == []


def test_case_9_the_houses_of_all_seats_produce(at: SetTable) -> None:
    table = at(player(""), player("", houses=["cosa"]), player("", houses=["cosa"]), tokens={"cosa": "food"})
    table.play("play=prefect", "produce=etruria")
    assert [goods(table, n) for n in (2, 3)] == ["food", "food"]


def test_case_10_each_bonus_is_the_dearest_good_of_its_own_province(at: SetTable) -> None:
    tokens = {"bauzanum": "cloth", "comum": "brick", "segusio": "brick", "genua": "food", "nicaea": "tool"}
    table = at(player("", 0), player(), tokens=tokens).play("play=prefect", "produce=transpadana")
    assert goods(table) == "brick"
    assert (
        seat(
            at(player("", 0), player(), tokens=tokens, coin_side=["transpadana"]).play(
                "play=prefect", "cash=provinces"
            )
        )["coins"]
        == 2
    )
    assert goods(at(player(""), player(), tokens=tokens).play("play=prefect", "produce=liguria")) == "tool"
    assert (
        seat(
            at(player("", 0), player(), tokens=tokens, coin_side=["venetia"]).play(
                "play=prefect", "cash=provinces"
            )
        )["coins"]
        == 1
    )


# -- what is in the box -------------------------------------------------------------------------------------


def test_case_13_the_gods_of_the_diplomats() -> None:
    gods = {card.numeral: card.god for card in (*STARTING, *FOR_SALE) if card.role == "diplomat"}
    assert gods == {0: "jupiter", 1: "saturnus", 3: "saturnus", 4: "mercurius", 5: "mars"}


@pytest.mark.parametrize(
    ("god", "counts"),
    [
        ("jupiter", [3, 5, 7, 8]),
        ("saturnus", [3, 5, 6, 7]),
        ("mercurius", [2, 3, 4, 5]),
        ("mars", [2, 3, 4, 5]),
        ("minerva", [5, 5, 5, 5]),
        ("vesta", [0, 0, 0, 0]),
    ],
)
def test_case_13_cards_of_each_god_are_as_many_as_the_board_says(god: str, counts: list[int]) -> None:
    """So many for sale with 2, 3, 4 and 5 seats, by the outcomes that the compiled rules still expect."""
    for seats, count in zip((2, 3, 4, 5), counts, strict=True):
        unseen = load(Spec("concordia", seats)).start().state()["unseen"]
        assert [WARES[name].god for block in unseen.values() for name in block].count(god) == count


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_case_15_the_start(engine: str, variant: str, seats: int) -> None:
    state = deal(new_table(engine, Spec("concordia", seats, variant=variant))).state()
    assert [each["coins"] for each in state["players"]] == [5, 6, 7, 8, 9][:seats]
    for each in state["players"]:
        assert each["goods"] == {"brick": 1, "food": 2, "tool": 1, "wine": 1, "cloth": 1}
        assert (each["land"], each["sea"], each["houses"], each["pile"]) == (["roma"], ["roma"], [], [])
        kinds = ["tribune", "architect", "prefect", "prefect", "mercator", "diplomat-jupiter", "senator"]
        assert each["hand"] == kinds
    assert state["magnus"] == f"p{seats}"
    assert len(state["row"]) == 7


@pytest.mark.parametrize("name", ["italia", "imperium"])
def test_case_16_every_city_gets_a_token_of_its_letter(engine: str, name: str) -> None:
    table = new_table(engine, Spec("concordia", 3, variant=name))
    while (legal := table.legal())[0].startswith("~token"):
        table.play(legal[-1])
    laid, where = table.state()["tokens"], board(name)
    assert list(laid) == where.cities
    letters = Counter(where.letter_of.values())
    assert letters == ({"A": 7, "B": 8, "C": 10} | ({"D": 5} if name == "imperium" else {}))
    for letter in letters:
        goods_laid = Counter(good for city, good in laid.items() if where.letter_of[city] == letter)
        assert goods_laid == Counter(box()["tokens"][letter])


@pytest.mark.parametrize(("name", "totals"), [("italia", [7, 6, 5, 4, 3]), ("imperium", [8, 7, 6, 5, 4])])
def test_case_17_so_many_tokens_of_each_good(at: SetTable, name: str, totals: list[int]) -> None:
    laid = Counter(at(player(), player(), player(), name=name).state()["tokens"].values())
    assert [laid[good] for good in GOODS] == totals


@pytest.mark.parametrize(
    ("name", "land", "sea", "roma"), [("italia", 40, 23, (3, 4)), ("imperium", 44, 35, (3, 3))]
)
def test_case_18_lines_of_the_maps(
    engine: str, name: str, land: int, sea: int, roma: tuple[int, int]
) -> None:
    where = board(name)
    assert (len(where.lines["land"]), len(where.lines["sea"])) == (land, sea)
    lone = player("", sea=[]), player("", land=[])
    ends = []
    for mine, sort in zip(lone, ("land", "sea"), strict=True):
        table = set_table(engine, situation([mine, player(), player()], name), name).play("play=architect")
        ends.append(len([token for token in table.legal() if token.startswith(f"{sort}=roma-")]))
    assert tuple(ends) == roma


def test_case_18_no_road_leads_to_the_islands() -> None:
    where = board("italia")
    assert not any(where.touches("land", city) for city in ("aleria", "olbia"))


# -- what may be done ---------------------------------------------------------------------------------------


def test_case_20_ships_and_land_colonists_come_only_where_they_can_leave(at: SetTable) -> None:
    mine = player("food tool", hand=["colonist"], houses=["verona", "potentia", "aleria"])
    table = at(mine, player()).play("play=colonist")
    assert not {"colonist=sea-verona", "colonist=sea-potentia", "colonist=land-aleria"} & set(table.legal())


def test_case_21_all_colonists_on_the_map_end_nothing(at: SetTable) -> None:
    mine = player("food tool", land=["roma"] * 3, sea=["roma"] * 2)
    table = at(mine, player()).play("play=tribune", "colonist=sea")
    assert (turn_of(table), table.state()["concordia"]) == (SECOND, "none")


@pytest.mark.parametrize("good", GOODS)
def test_case_23_goods_cost_as_much_as_they_bring(at: SetTable, good: str) -> None:
    price = [3, 4, 5, 6, 7][GOODS.index(good)]
    sold = at(player(good, 0), player()).play("play=mercator", f"sell={good}*1", "done")
    assert seat(sold)["coins"] == 3 + price
    bought = at(player("", price), player()).play("play=mercator", f"buy={good}*1")
    assert (goods(bought), seat(bought)["coins"]) == (good, 3)


def test_case_24_nobody_moves_after_building(at: SetTable) -> None:
    mine = player("brick brick food food tool wine cloth", 60)
    table = at(mine, player()).play("play=architect", "land=roma-cosa", "sea=roma-olbia", "house=cosa")
    assert all(token == "done" or token.startswith("house=") for token in table.legal())


def test_case_24_one_tribune_brings_one_colonist(at: SetTable) -> None:
    table = at(player("food food tool tool"), player()).play("play=tribune", "colonist=land")
    assert turn_of(table) == SECOND


def test_case_27_a_second_trigger_in_the_last_turns_changes_nothing(at: SetTable) -> None:
    first = player("brick brick food food tool wine cloth", 60, houses=FOURTEEN, land=["roma-cosa"], sea=[])
    second = player("food", 0)
    table = at(first, second, player(), row=["mason"], deck=False)
    table.play("play=architect", "land=roma-cosa", "house=cosa")
    assert (table.state()["concordia"], turn_of(table)) == ("p1", SECOND)
    before = table.scores()
    table.play("play=senator", "hire=1")
    assert table.state()["row"] == []
    assert table.state()["concordia"] == "p1"
    assert table.scores()[1] <= before[1]
    assert turn_of(table) == ("p3", "main")
    assert table.play("play=diplomat-jupiter", "copy=senator").state()["phase"] == "over"


# -- what holds in every game -------------------------------------------------------------------------------


def positions(variant: str, seats: int) -> list[Any]:
    """Every position of a random game that builds and buys when it can."""
    chooser = random.Random(f"{variant} {seats}")
    game = [load(Spec("concordia", seats, variant=variant)).start()]
    while game[-1].to_act != GAME_OVER and len(game) <= 3_000:
        legal = game[-1].legal_tokens()
        wished = [token for token in legal if token.startswith(("house=", "hire="))]
        game.append(game[-1].apply(chooser.choice(wished or legal)))
    return game


@pytest.fixture(scope="module")
def played() -> dict[tuple[str, int], list[Any]]:
    return {table: positions(*table) for table in TABLES}


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}-seats")
def one_game(request: pytest.FixtureRequest, played: dict[tuple[str, int], list[Any]]) -> list[Any]:
    return played[request.param]


def test_case_19_the_tribune_is_in_hand_at_the_start_of_every_turn(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        if state["phase"] == "main":
            assert "play=tribune" in position.legal_tokens()
        assert all("tribune" in each["hand"] + each["pile"] for each in state["players"])


def test_every_card_is_in_exactly_one_place(one_game: list[Any]) -> None:
    for position in one_game:
        state = position.state()
        seats = state["seats"]
        held = Counter(kind for each in state["players"] for kind in each["hand"] + each["pile"])
        lying = [*state["row"], *(name for block in state["unseen"].values() for name in block)]
        for_sale = Counter(card.kind for card in FOR_SALE if card.numeral <= seats)
        starting = Counter(card.kind for card in STARTING * seats)
        assert held + Counter(WARES[name].kind for name in lying) == for_sale + starting


def test_storehouses_houses_and_colonists_keep_their_limits(one_game: list[Any]) -> None:
    for position in one_game:
        for each in position.state()["players"]:
            waiting = 6 - len(each["land"]) - len(each["sea"])
            assert sum(each["goods"].values()) + waiting <= 12
            assert min(each["goods"].values()) >= 0
            assert each["coins"] >= 0
            assert len(each["houses"]) == len(set(each["houses"])) <= 15
            assert max(len(each["land"]), len(each["sea"])) <= 3


def test_no_line_holds_two_colonists(one_game: list[Any]) -> None:
    for position in one_game:
        for sort in ("land", "sea"):
            places = [place for each in position.state()["players"] for place in each[sort] if "-" in place]
            assert len(places) == len(set(places))


def test_houses_stay_and_tokens_never_change(one_game: list[Any]) -> None:
    for before, after in pairwise(position.state() for position in one_game):
        assert before["tokens"].items() <= after["tokens"].items()
        for old, new in zip(before["players"], after["players"], strict=True):
            assert set(old["houses"]) <= set(new["houses"])


def test_coins_change_only_by_the_event(one_game: list[Any]) -> None:
    """A trade is worth what it costs; nothing but the acting seat's coins ever changes."""
    for before, after in pairwise(one_game):
        event, mover = after.history[-1], before.state()["mover"]
        old, new = before.state()["players"], after.state()["players"]
        for number, (was, now) in enumerate(zip(old, new, strict=True), start=1):
            if f"p{number}" != mover:
                assert was["coins"] == now["coins"], event
            elif event.startswith(("sell=", "buy=")):
                worth = [
                    each["coins"] + sum(PRICE[g] * n for g, n in each["goods"].items()) for each in (was, now)
                ]
                assert worth[0] == worth[1], event


def test_the_score_is_what_the_cards_say(one_game: list[Any]) -> None:
    for position in one_game[::7]:
        state = position.state()
        where = board(state["map"])
        for number, (each, points) in enumerate(
            zip(state["players"], position.scores(), strict=True), start=1
        ):
            gods = Counter(KINDS[kind].god for kind in each["hand"] + each["pile"])
            made = [state["tokens"][city] for city in each["houses"]]
            wealth = each["coins"] + sum(PRICE[good] * count for good, count in each["goods"].items())
            total = gods["vesta"] * (wealth // 10) + gods["jupiter"] * (len(made) - made.count("brick"))
            total += gods["saturnus"] * len({where.province_of[city] for city in each["houses"]})
            total += gods["mercurius"] * 2 * len(set(made))
            total += gods["mars"] * 2 * (len(each["land"]) + len(each["sea"]))
            specialists = {"mason": ("brick", 3), "farmer": ("food", 3), "smith": ("tool", 3)}
            specialists |= {"vintner": ("wine", 4), "weaver": ("cloth", 5)}
            for kind, (good, worth) in specialists.items():
                total += worth * made.count(good) * (each["hand"] + each["pile"]).count(kind)
            assert points == total + 7 * (state["concordia"] == f"p{number}")


def test_there_is_always_a_legal_event_before_the_end(one_game: list[Any]) -> None:
    assert one_game[-1].to_act == GAME_OVER
    for position in one_game:
        assert bool(position.legal_tokens()) == (position.to_act != GAME_OVER)


def test_who_triggers_the_end_has_had_the_last_turn_and_all_others_one_more(one_game: list[Any]) -> None:
    seats = one_game[-1].seats
    starts = [position.state() for position in one_game if position.state()["phase"] == "main"]
    last = [state for state in starts if state["concordia"] != "none"]
    holder = int(one_game[-1].state()["concordia"][1:]) - 1
    begun = [state for i, state in enumerate(last) if i == 0 or state["mover"] != last[i - 1]["mover"]]
    expected = [f"p{(holder + n) % seats + 1}" for n in range(1, seats)]
    assert [state["mover"] for state in begun] == expected


def test_a_replay_of_the_events_gives_the_same_hash(one_game: list[Any]) -> None:
    last = one_game[-1]
    again = load(last.origin_spec).start().replay(last.history)
    assert (again.hash, again.state()) == (last.hash, last.state())


def test_the_spec_of_any_position_leads_to_it(one_game: list[Any]) -> None:
    for position in one_game[::15]:
        again = load(position.spec).start()
        assert (again.hash, again.spec) == (position.hash, position.spec)


def test_all_set_up_is_chance_and_then_the_first_seat_begins(one_game: list[Any]) -> None:
    actors = [position.to_act for position in one_game]
    first = next(i for i, actor in enumerate(actors) if actor != CHANCE)
    assert actors[first] == 0
    assert set(actors[:first]) == {CHANCE}
