"""Concordia as people see it: every thing on the table is drawn, and turns are told in sentences."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from serai.bots.watch import STYLES
from serai.core import CHANCE, Position, load
from serai.core.display import SeatLabel, Spans, board_of, width_of
from serai.core.game_record import told_events
from serai.core.games.concordia import board
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.layout import ROWS, drawing_of
from serai.core.games.concordia.maps import Map

MAPS = pytest.mark.parametrize("side", load_components().maps, ids=lambda side: side.name)
WIDTHS = pytest.mark.parametrize("width", [60, 80, 100, 150])
TABLES = [(2, "italia"), (3, "italia"), (4, "italia"), (3, "imperium"), (4, "imperium"), (5, "imperium")]
VERBS = {"takes", "moves", "builds", "lets", "copies", "finds", "hires", "settles", "produces"}
GOODS = ("brick", "food", "tool", "wine", "cloth")


@cache
def states(seats: int, side: str) -> list[dict[str, Any]]:
    """States from all over a game of chance, the first and the last among them."""
    return [position.state() for position in [*line(seats, side)[:40:8], *line(seats, side)[40::25]]]


@cache
def line(seats: int, side: str) -> list[Position]:
    """Every position of a game of chance."""
    found = [load(f"concordia;players={seats};variant={side}").start()]
    while not (last := found[-1]).is_over:
        number = len(found)
        found.append(last.apply(last.draw(number) if last.to_act == CHANCE else last.random_action(number)))
    return found


def text_of(line: Spans) -> str:
    return "".join(text for text, _ in line)


def drawn(state: dict[str, Any], width: int = 100) -> list[str]:
    """The lines of the table as plain text."""
    labels = [SeatLabel(f"name{seat + 1}", 10 + seat) for seat in range(state["seats"])]
    return [text_of(line) for line in board.table(state, labels, width)]


def plain(state: dict[str, Any]) -> list[str]:
    return board.render(state, [10 + seat for seat in range(state["seats"])]).splitlines()


def started(seats: int = 3, side: str = "italia") -> dict[str, Any]:
    """A state at the first turn, to be changed."""
    return next(p.state() for p in line(seats, side) if p.state()["phase"] == "main")


# -- the map ------------------------------------------------------------------------------------------------


@MAPS
@WIDTHS
def test_each_line_has_a_place_of_its_own_for_a_colonist(side: Map, width: int) -> None:
    drawing = drawing_of(side.name, width)
    assert set(drawing.cities) == {city.name for city in side.cities}
    assert list(drawing.land) == [side.name_of(line) for line in side.land]
    assert list(drawing.sea) == [side.name_of(line) for line in side.sea]
    if width >= 80:
        stands = [*drawing.land.values(), *drawing.sea.values()]
        cells = [(column + i, row) for column, row in stands for i in (0, 1)]
        assert len(set(cells)) == len(cells)
        assert all(0 <= column < width and 0 <= row < ROWS for column, row in cells)


@MAPS
@pytest.mark.parametrize("width", [80, 100, 140])
def test_names_of_cities_cover_neither_each_other_nor_a_colonist(side: Map, width: int) -> None:
    """With two houses in each city at 100 columns, with none at 80."""
    drawing = drawing_of(side.name, width)
    houses = 2 if width >= 100 else 0
    taken = [(x + i, y) for city, (x, y) in drawing.cities.items() for i in range(len(city) + 3 + houses)]
    assert len(set(taken)) == len(taken)
    assert all(column < width for column, _ in taken)
    stands = {(x + i, y) for x, y in [*drawing.land.values(), *drawing.sea.values()] for i in (0, 1)}
    assert not stands & set(taken)


@MAPS
@pytest.mark.parametrize("sort", ["land", "sea"])
def test_a_colonist_is_drawn_on_any_line(side: Map, sort: str) -> None:
    state = started(3, side.name)
    for player in state["players"]:
        player["land"] = player["sea"] = []
    mark = {"land": "▲2", "sea": "≈2"}[sort]
    assert not any(mark in line for line in drawn(state)[:ROWS])
    for line in side.land if sort == "land" else side.sea:
        state["players"][1][sort] = [side.name_of(line)]
        assert sum(text.count(mark) for text in drawn(state)[:ROWS]) == 1, line


@MAPS
def test_a_city_shows_its_good_and_its_houses(side: Map) -> None:
    state = started(3, side.name)
    for player in state["players"]:
        player["land"], player["sea"] = [], []
    for city in side.cities[1:]:
        for player in state["players"]:
            player["houses"] = [city.name]
        good = state["tokens"][city.name][0].upper()
        assert any(f"{good} {city.name} 123" in line for line in drawn(state)[:ROWS]), city.name


@MAPS
def test_a_city_shows_who_stands_in_it_even_at_the_edge(side: Map) -> None:
    state = started(3, side.name)
    for city in side.cities:
        for player in state["players"]:
            player["land"], player["sea"], player["houses"] = [city.name], [city.name] * 2, [city.name]
        assert sum("▲123 ≈112233" in line for line in drawn(state)[:ROWS]) == 1, city.name


def test_the_colonists_of_all_seats_stand_in_roma_at_first() -> None:
    assert any("◆ roma ▲12345 ≈12345" in line for line in drawn(started(5, "imperium")))


@MAPS
def test_land_lines_are_dense_and_sea_lines_sparse(side: Map) -> None:
    """Dots of a character that shows one sort alone."""
    drawing = drawing_of(side.name, 100)
    dots: dict[bool, list[int]] = {True: [], False: []}
    for text, water in zip(drawing.text, drawing.water, strict=True):
        for char, wet in zip(text, water, strict=True):
            if char != " ":
                dots[wet].append(bin(ord(char) - 0x2800).count("1"))
    land, sea = (sum(dots[wet]) / len(dots[wet]) for wet in (False, True))
    assert land > 2 * sea
    assert min(len(dots[False]), len(dots[True])) > 150


# -- the rest of the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "side"), TABLES)
@WIDTHS
def test_the_board_keeps_its_height_and_its_width(seats: int, side: str, width: int) -> None:
    heights = set()
    for state in states(seats, side):
        labels = [SeatLabel("x" * 30, 100 + seat, " 100% ██████") for seat in range(seats)]
        lines = board.table(state, labels, width)
        assert max(map(width_of, lines)) <= width
        assert {style for line in lines for _, style in line} <= set(STYLES)
        heights.add(len(lines))
    assert len(heights) == 1


@pytest.mark.parametrize(("seats", "side"), TABLES)
def test_the_plain_table_names_everything(seats: int, side: str) -> None:
    cities = [city.name for city in load_components().map_named(side).cities]
    for state in states(seats, side):
        lines = plain(state)
        text = "\n".join(lines)
        assert max(map(len, lines)) <= 96
        assert all(city in text for city in cities)
        row = [name.partition("/")[0].partition("-")[0] for name in state["row"]]
        assert all(role in text for role in row)
        for seat, player in enumerate(state["players"]):
            head = next(i for i, line in enumerate(lines) if line[2:].startswith(f"p{seat + 1} "))
            assert f" {player['coins']} coin" in lines[head]
            assert f" {len(player['houses'])} house" in lines[head]
            assert f"{10 + seat} points" in lines[head]
            assert f"hand {len(player['hand']) + player['hidden']:>2}" in lines[head + 1]
            assert f"pile {len(player['pile']) + player['hidden_pile']:>2}" in lines[head + 2]


def test_the_storehouse_shows_goods_colonists_and_room() -> None:
    state = started()
    player = state["players"][0]
    player["goods"] = dict(zip(GOODS, (2, 0, 1, 0, 3), strict=True))
    player["land"], player["sea"] = ["roma", "roma-cosa"], ["roma"]
    assert any("BBTCCC▲≈≈···" in line for line in drawn(state))


def test_a_tile_shows_its_good_or_its_coins() -> None:
    state = started()
    state["tokens"] |= {"bauzanum": "brick", "aquileia": "wine", "verona": "food", "comum": "cloth"}
    state["coin_side"] = []
    text = "\n".join(drawn(state))
    assert "+W VENETIA bauzanum aquileia verona" in text
    assert "+C TRANSPADANA comum segusio" in text
    state["coin_side"] = ["venetia", "transpadana"]
    text = "\n".join(drawn(state))
    assert "$2 VENETIA" in text
    assert "$1 TRANSPADANA" in text


def test_a_card_shows_place_role_cost_and_god() -> None:
    state = started(3)
    state["row"] = ["mason", "weaver", "diplomat-saturnus/food", "diplomat-saturnus/tool", "mercator5"]
    heads, roles, gods = (" ".join(line.split()) for line in drawn(state)[-13:-10])
    assert heads == "cards 1 free 2 ? 3 ? 4 C 5 C 6 ?C 7 CC"
    assert roles == "mason weaver diplomat diplomat mercator5"
    assert gods == "F minerva BC minerva F saturnus T saturnus W mercurius"


def test_a_wide_table_has_provinces_and_cards_beside_the_map() -> None:
    state = started(5, "imperium") | {"row": ["mason", "diplomat-saturnus/food"]}
    wide, tall = drawn(state, 150), drawn(state, 145)
    assert (len(wide), len(tall)) == (ROWS + 2 + 3 * 5, ROWS + 2 + 6 + 3 + 3 * 5)
    panel = [" ".join(line[102:].split()) for line in wide[:ROWS]]
    assert [line.split()[1] for line in panel[:12]] == [
        name.upper() for name in load_components().maps[1].provinces
    ]
    assert panel[13:16] == ["1 free mason F minerva", "2 ? diplomat F saturnus", "3 ?"]


def test_the_state_of_play_is_told() -> None:
    state = started(3)
    assert "magnus" in drawn(state)[-3]
    state |= {"phase": "sea", "card": "architect", "steps": 2, "placed": ["roma-cosa"], "mover": "p2"}
    assert any("p2 plays architect: 2 steps for sea; roma-cosa" in line for line in drawn(state))
    state |= {"phase": "land", "placed": []}
    assert any("p2 plays architect: 2 steps for land and sea;" in line for line in drawn(state))
    state["players"][1] |= {"sea": []}
    assert any("p2 plays architect: 2 steps for land;" in line for line in drawn(state))
    state |= {"phase": "hire", "card": "senator", "hired": [3], "owed": 0}
    assert any("p2 plays senator: places 3" in line for line in drawn(state))
    state |= {"phase": "pay", "owed": 1}
    assert any("places 3, 1 ? to pay" in line for line in drawn(state))
    state |= {"phase": "keep", "card": "prefect", "turn": "p1", "keeping": {"brick": 2, "wine": 1}}
    assert any("p2 plays prefect: p1 keeps of BBW" in line for line in drawn(state))
    state |= {"phase": "main", "concordia": "p3"}
    assert any("p3 has the concordia: last turns" in line for line in drawn(state))
    assert "concordia" in drawn(state)[-3]


def test_the_top_of_a_pile_comes_first_and_unknown_cards_last() -> None:
    state = started(2)
    player = state["players"][0]
    player |= {"pile": ["architect", "prefect", "prefect", "senator"], "top": "senator", "hidden_pile": 2}
    player |= {"hand": ["mercator"], "hidden": 3}
    hand, pile = (" ".join(line.split()) for line in drawn(state)[-5:-3])
    assert hand.split() == ["hand", "4", "mercator", "3", "unknown"]
    assert pile.split() == ["pile", "6", "senator", "architect", "prefect*2", "2", "unknown"]


def test_cards_that_do_not_fit_are_counted() -> None:
    state = started(2)
    state["players"][0]["hand"] = [kind.name for kind in load_components().kinds]
    hand = drawn(state, 80)[-5]
    assert len(hand) <= 80
    left = int(hand.rpartition("+")[2])
    assert len(hand.split()) - 3 + left == len(load_components().kinds)


def test_a_seat_without_memory_sees_the_cards_of_others_as_a_number() -> None:
    position = load("concordia;players=3;seed=5").start()
    while not any(player["pile"] for player in position.state()["players"]):
        position = position.apply(position.random_action(7))
    state = position.state() | {"vague": True}
    for player in state["players"]:
        player["secret"] = list(player["hand"])
        assert player["pile"] == [player["top"]] * (player["top"] != "none")
    view = position.game.from_state(state, viewer=-1).view(2)
    lines = drawn(view.state())
    assert len(lines) == len(drawn(position.state()))
    assert [line.split()[:5] for line in lines[-8:-3:3]] == [
        ["hand", str(len(player["hand"])), str(len(player["hand"])), "unknown"]
        for player in state["players"][:2]
    ]
    assert "senator" in lines[-2]
    assert any(line.startswith("deck 14 (of I 8, II 7, III 6)") for line in lines)
    assert any(line.startswith("deck 14 (I 1, II 7, III 6)") for line in drawn(position.state()))


# -- turns in words -----------------------------------------------------------------------------------------


def say(state: dict[str, Any], turn: str, **changes: Any) -> str:
    """A turn in words; ``changes``: of the things of p1 by it."""
    first, *others = state["players"]
    return text_of(board.sentence(state, turn.split(), state | {"players": [first | changes, *others]}))


def test_turns_are_told_in_sentences() -> None:
    state = started(3) | {"mover": "p1", "magnus": "p3"}
    state["players"][0] |= {"pile": ["mason"] * 4, "land": ["roma-cosa"], "sea": ["roma"]}
    state["tokens"] |= {"luceria": "food", "brundisium": "tool"}
    state["row"] = ["mason", "weaver", "architect", "prefect", "consul", "colonist", "mercator5"]
    assert say(state, "play=tribune colonist=none") == "takes 5 cards back for 2 coins"
    assert say(state, "play=tribune colonist=sea") == "takes 5 cards back for 2 coins, a sea colonist to roma"
    built = "play=architect land=roma-cosa sea=roma-cosa house=cosa house=genua done"
    assert say(state, built, sea=["roma-cosa"]) == "moves by sea to roma-cosa; builds cosa, genua"
    moved = "play=architect land=genua-nicaea land=comum-genua sea=genua-nicaea done"
    moves = say(state, moved, land=["comum-genua", "genua-nicaea"], sea=["genua-nicaea"])
    assert moves == "moves by land to comum-genua, genua-nicaea and by sea to genua-nicaea"
    assert say(state, "play=architect land=roma-cosa sea=roma done") == "moves nobody"
    assert say(state, "play=prefect produce=apulia") == "lets apulia produce, bonus tool"
    assert say(state | {"magnus": "p1"}, "play=prefect produce=apulia") == "lets apulia produce, bonus 2 tool"
    more = dict(zip(GOODS, (1, 3, 2, 1, 1), strict=True))
    assert (
        say(state, "play=prefect produce=apulia keep=food keep=tool", goods=more)
        == "lets apulia produce, bonus tool; keeps food, tool"
    )
    coins = say(state | {"coin_side": ["apulia"]}, "play=prefect cash=provinces")
    assert coins == "takes 2 coins for 1 province"
    assert say(state, "play=mercator5 sell=wine*2 done") == "takes 5 coins, sells 2 wine"
    assert say(state, "play=diplomat-mars") == "finds nobody to copy"
    assert (
        say(state, "play=diplomat-mars copy=mercator buy=brick*1 done")
        == "copies mercator: takes 3 coins, buys 1 brick"
    )
    hired = say(state, "play=senator hire=1 hire=3 pay=wine ~card=smith ~card=consul")
    assert hired == "hires mason and architect, ? paid with wine   new: smith consul"
    assert say(state, "play=consul hire=7 ~card=smith") == "hires mercator5   new: smith"
    assert say(state, "play=senator done") == "hires nobody"
    assert say(state, "play=colonist cash=colonists") == "takes 7 coins for the colonists"
    assert (
        say(state, "play=colonist colonist=land-roma colonist=sea-cosa done") == "settles land roma, sea cosa"
    )
    assert say(state, "play=weaver", goods=more | {"cloth": 3}) == "produces 2 cloth with the weaver"
    assert say(state, "play=weaver") == "produces nothing with the weaver"


@pytest.mark.parametrize(("seats", "side"), TABLES)
def test_every_turn_of_a_game_is_told_in_words(seats: int, side: str) -> None:
    """A sentence has a verb and not the spelling of a token."""
    opened: dict[str, Any] = {}
    turn: list[str] = []
    told = 0
    for before, after in pairwise(line(seats, side)):
        if before.to_act >= 0 and before.legal_tokens()[0].startswith("play="):
            words = text_of(board.sentence(opened, turn, before.state())) if opened else ""
            assert not opened or (words.split()[0] in VERBS and "=" not in words), turn
            opened, turn, told = before.state(), [], told + 1
        turn += told_events(before, after)
    assert told > 100


def test_the_board_is_found_by_the_name_of_the_game() -> None:
    assert board_of("concordia") is board
