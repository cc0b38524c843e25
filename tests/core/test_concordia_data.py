"""Concordia's components as shipped, against the facts."""

from __future__ import annotations

from collections import Counter

import pytest

from serai.core import load
from serai.core.errors import SetupError
from serai.core.games.concordia.components import Kind, load_components
from serai.core.games.concordia.maps import Map
from serai.core.games.concordia.words import GOODS, NUMERAL_NAMES, Goods

BOX = load_components()
ITALIA, IMPERIUM = BOX.maps
MAPS = pytest.mark.parametrize("side", BOX.maps, ids=lambda side: side.name)


def goods(text: str) -> Goods:
    """``brick food`` as counts."""
    return tuple(text.split().count(good) for good in GOODS)  # type: ignore[return-value]


def degrees(side: Map, sort: str) -> dict[str, int]:
    """How many lines of a sort touch each city."""
    lines = side.land if sort == "land" else side.sea
    ends = Counter(end for line in lines for end in line)
    return {city.name: ends[i] for i, city in enumerate(side.cities)}


def neighbours(side: Map, city: str, sort: str) -> set[str]:
    lines = side.land if sort == "land" else side.sea
    names = [side.name_of(line).split("-") for line in lines]
    return {name for pair in names if city in pair for name in pair} - {city}


# -- goods, houses, the row ---------------------------------------------------------------------------------


def test_prices_are_three_to_seven() -> None:
    assert [(good.name, good.price) for good in BOX.goods] == [
        ("brick", 3),
        ("food", 4),
        ("tool", 5),
        ("wine", 6),
        ("cloth", 7),
    ]


def test_a_house_costs_food_in_a_brick_city_and_a_brick_and_the_good_elsewhere() -> None:
    assert [(good.house_coins, good.house_goods) for good in BOX.goods] == [
        (1, goods("food")),
        (2, goods("brick food")),
        (3, goods("brick tool")),
        (4, goods("brick wine")),
        (5, goods("brick cloth")),
    ]


def test_province_tiles_have_two_coins_but_cloth_one() -> None:
    assert [good.bonus_coins for good in BOX.goods] == [2, 2, 2, 2, 1]


def test_places_in_the_row_cost_what_the_board_prints() -> None:
    free, cloth = goods(""), goods("cloth")
    assert [(place.goods, place.any) for place in BOX.places] == [
        (free, 0),
        (free, 1),
        (free, 1),
        (cloth, 0),
        (cloth, 0),
        (cloth, 1),
        (goods("cloth cloth"), 0),
    ]


# -- the start ----------------------------------------------------------------------------------------------


def test_a_seat_starts_with_ten_of_twelve_slots_full() -> None:
    setup = BOX.setup
    assert setup.goods == goods("brick food food tool wine cloth")
    assert (setup.waiting, setup.placed) == ((2, 2), (1, 1))
    assert (setup.slots, sum(setup.goods) + sum(setup.waiting)) == (12, 10)


def test_a_seat_has_fifteen_houses_and_the_later_ones_more_coins() -> None:
    assert (BOX.setup.houses, BOX.setup.coins) == (15, (5, 6, 7, 8, 9))


def test_the_concordia_card_is_worth_seven_points() -> None:
    assert BOX.setup.concordia == 7


# -- cards --------------------------------------------------------------------------------------------------


def kind(name: str) -> Kind:
    return next(kind for kind in BOX.kinds if kind.name == name)


def for_sale(seats: int) -> list[Kind]:
    return [BOX.kinds[card.kind] for card in BOX.cards if card.numeral <= seats]


def test_the_starting_hand_has_seven_cards_with_two_prefects() -> None:
    hand = {kind.name: n for kind, n in zip(BOX.kinds, BOX.starters, strict=True) if n}
    assert hand == {
        "tribune": 1,
        "architect": 1,
        "prefect": 2,
        "mercator": 1,
        "diplomat-jupiter": 1,
        "senator": 1,
    }
    gods = [kind.god for kind, n in zip(BOX.kinds, BOX.starters, strict=True) for _ in range(n)]
    assert gods == ["mars", "jupiter", "saturnus", "saturnus", "mercurius", "jupiter", "vesta"]


def test_the_first_mercator_takes_three_coins_and_a_bought_one_five() -> None:
    assert (kind("mercator").coins, kind("mercator5").coins) == (3, 5)
    assert {BOX.kinds[card.kind].coins for card in BOX.cards if BOX.kinds[card.kind].role == "mercator"} == {
        5
    }


@pytest.mark.parametrize(("seats", "number"), [(2, 15), (3, 21), (4, 26), (5, 30)])
def test_numerals_up_to_the_seats_are_for_sale(seats: int, number: int) -> None:
    assert len(for_sale(seats)) == number


def test_each_numeral_has_the_printed_cards() -> None:
    cards = Counter((card.numeral, BOX.kinds[card.kind].name, card.cost) for card in BOX.cards)
    everywhere = [("architect", "tool", (1, 2, 3, 4)), ("prefect", "wine", (1, 2, 3, 4, 5))]
    everywhere += [("mercator5", "wine", (1, 2, 3, 5)), ("colonist", "food", (1, 2, 3, 4))]
    everywhere += [("consul", "cloth", (2, 3, 4, 5)), ("diplomat-saturnus", "tool", (1,))]
    everywhere += [("diplomat-saturnus", "food", (3,)), ("diplomat-mercurius", "tool", (4,))]
    everywhere += [("diplomat-mars", "food", (5,)), ("mason", "food", (1,)), ("farmer", "brick food", (1,))]
    everywhere += [("smith", "brick tool", (1,)), ("vintner", "brick wine", (2,))]
    everywhere += [("weaver", "brick cloth", (2,))]
    assert cards == Counter((n, name, goods(cost)) for name, cost, numerals in everywhere for n in numerals)


def test_only_a_kind_at_two_costs_has_its_cost_in_the_name() -> None:
    names = {card.name for card in BOX.cards} - {kind.name for kind in BOX.kinds}
    assert names == {"diplomat-saturnus/tool", "diplomat-saturnus/food"}
    assert len({(card.name, card.cost) for card in BOX.cards}) == len({card.name for card in BOX.cards})


def test_specialists_score_three_three_three_four_five() -> None:
    names = ("mason", "farmer", "smith", "vintner", "weaver")
    assert [(kind(name).good, kind(name).points) for name in names] == [
        (0, 3),
        (1, 3),
        (2, 3),
        (3, 4),
        (4, 5),
    ]


PANTHEON = {
    "jupiter": (3, 5, 7, 8),
    "saturnus": (3, 5, 6, 7),
    "mercurius": (2, 3, 4, 5),
    "mars": (2, 3, 4, 5),
}


@pytest.mark.parametrize("god", PANTHEON)
def test_gods_for_sale_are_as_many_as_the_boards_print(god: str) -> None:
    assert tuple(sum(k.god == god for k in for_sale(seats)) for seats in (2, 3, 4, 5)) == PANTHEON[god]


def test_no_vesta_tribune_or_senator_is_for_sale() -> None:
    assert not {kind.god for kind in for_sale(5)} & {"vesta"}
    assert not {kind.role for kind in for_sale(5)} & {"tribune", "senator"}


# -- maps ---------------------------------------------------------------------------------------------------


def test_two_seats_play_on_italia_and_five_on_imperium() -> None:
    assert (ITALIA.players, IMPERIUM.players) == ((2, 3, 4), (3, 4, 5))
    assert [BOX.map_for(seats).name for seats in (2, 3, 4, 5)] == ["italia", "italia", "italia", "imperium"]


def test_italia_has_forty_land_and_twenty_three_sea_lines() -> None:
    assert (len(ITALIA.land), len(ITALIA.sea)) == (40, 23)


def test_imperium_has_forty_four_land_and_thirty_five_sea_lines() -> None:
    assert (len(IMPERIUM.land), len(IMPERIUM.sea)) == (44, 35)


def test_italia_has_eleven_provinces_in_their_order() -> None:
    provinces = "venetia transpadana liguria aemilia etruria corsica umbria campania apulia lucania sicilia"
    assert ITALIA.provinces == tuple(provinces.split())
    assert [len(ITALIA.cities_of(i)) for i in range(11)] == [3, 2, 2, 2, 2, 2, 3, 2, 2, 2, 3]


def test_imperium_has_twelve_provinces_in_their_order() -> None:
    provinces = "britannia gallia hispania germania italia mauretania dacia hellas lybia asia syria aegyptus"
    assert IMPERIUM.provinces == tuple(provinces.split())
    assert [len(IMPERIUM.cities_of(i)) for i in range(12)] == [2, 3, 3, 2, 3, 2, 3, 2, 2, 3, 2, 3]


@MAPS
def test_ruling_26_roma_is_in_no_province_and_has_no_token(side: Map) -> None:
    assert [(city.name, city.letter) for city in side.cities if city.province < 0] == [("roma", "")]
    assert side.cities[0].name == "roma"


LETTERS = {"italia": "AAABBBCBCCC", "imperium": "ABBADBADCCCC"}


@MAPS
def test_all_cities_of_a_province_have_its_letter(side: Map) -> None:
    letters = [{side.cities[i].letter for i in side.cities_of(p)} for p in range(len(side.provinces))]
    assert letters == [{letter} for letter in LETTERS[side.name]]


def test_letters_are_on_seven_eight_ten_and_five_cities() -> None:
    assert Counter(city.letter for city in ITALIA.cities[1:]) == {"A": 7, "B": 8, "C": 10}
    assert Counter(city.letter for city in IMPERIUM.cities[1:]) == {"A": 7, "B": 8, "C": 10, "D": 5}
    assert (ITALIA.letters, IMPERIUM.letters) == (("A", "B", "C"), ("A", "B", "C", "D"))


def test_tokens_are_as_many_as_cities_of_their_letter() -> None:
    assert BOX.tokens == {"A": (2, 2, 1, 1, 1), "B": (2, 2, 2, 1, 1), "C": (3, 2, 2, 2, 1), "D": (1,) * 5}
    totals = [tuple(map(sum, zip(*(BOX.tokens[x] for x in side.letters), strict=True))) for side in BOX.maps]
    assert totals == [(7, 6, 5, 4, 3), (8, 7, 6, 5, 4)]


def test_roma_has_the_printed_lines() -> None:
    assert neighbours(ITALIA, "roma", "land") == {"cosa", "spoletum", "casinum"}
    assert neighbours(ITALIA, "roma", "sea") == {"cosa", "neapolis", "panormus", "olbia"}
    assert neighbours(IMPERIUM, "roma", "land") == {"novaria", "aquileia", "syracusae"}
    assert neighbours(IMPERIUM, "roma", "sea") == {"massilia", "carthago", "syracusae"}


def test_the_inland_cities_have_no_sea_line() -> None:
    inland = "bauzanum verona comum segusio mutina florentia spoletum casinum luceria potentia"
    assert {city for city, n in degrees(ITALIA, "sea").items() if not n} == set(inland.split())
    inland = "lutetia vindobona novaria napoca sirmium petra memphis"
    assert {city for city, n in degrees(IMPERIUM, "sea").items() if not n} == set(inland.split())


def test_only_the_cities_of_corsica_have_no_land_line() -> None:
    assert {city for city, n in degrees(ITALIA, "land").items() if not n} == {"aleria", "olbia"}
    assert all(degrees(IMPERIUM, "land").values())


DEGREES = {  # land and sea lines of each city, counted on the boards
    "italia": """
        roma=34 bauzanum=20 aquileia=32 verona=50 comum=40 segusio=30 genua=43 nicaea=22 mutina=40
        ravenna=52 florentia=50 cosa=23 aleria=04 olbia=03 ancona=33 spoletum=50 hadria=42 casinum=50
        neapolis=23 luceria=40 brundisium=22 potentia=40 croton=23 messana=34 panormus=24 syracusae=22
    """,
    "imperium": """
        roma=33 isca_d=13 londinium=22 burdigala=32 lutetia=40 massilia=43 brigantium=33 olisipo=32
        valentia=43 colonia_a=31 vindobona=30 novaria=40 aquileia=41 syracusae=16 carthago=26
        rusadir=33 napoca=20 sirmium=50 tomis=32 dyrrhachium=32 athenae=15 leptis_magna=23 cyrene=34
        bycantium=43 sinope=22 attalia=23 antiochia=32 tyros=32 alexandria=34 petra=20 memphis=30
    """,
}


@MAPS
def test_cities_have_as_many_lines_as_on_the_board(side: Map) -> None:
    land, sea = degrees(side, "land"), degrees(side, "sea")
    counted = dict(pair.split("=") for pair in DEGREES[side.name].split())
    assert {city: f"{land[city]}{sea[city]}" for city in land} == counted


@MAPS
def test_some_pairs_of_cities_are_joined_by_land_and_by_sea(side: Map) -> None:
    assert len(set(side.land) & set(side.sea)) == {"italia": 8, "imperium": 16}[side.name]


@MAPS
@pytest.mark.parametrize("sort", ["land", "sea"])
def test_every_city_with_a_line_can_be_reached_from_roma(side: Map, sort: str) -> None:
    reached, ahead = {"roma"}, ["roma"]
    while ahead:
        found = neighbours(side, ahead.pop(), sort) - reached
        reached |= found
        ahead += sorted(found)
    assert reached == {city for city, n in degrees(side, sort).items() if n}


def test_maps_are_for_their_numbers_of_players() -> None:
    for spec in ("players=5;variant=italia", "players=2;variant=imperium", "players=3;variant=creta"):
        with pytest.raises(SetupError):
            load(f"concordia;{spec}")
    with pytest.raises(SetupError, match="2 to 5 players"):
        load("concordia;players=6")


# -- in the rules -------------------------------------------------------------------------------------------


@MAPS
def test_the_compiled_rules_deal_the_shipped_tokens_and_cards(side: Map) -> None:
    position = load(f"concordia;players=4;variant={side.name}").start()
    dealt: list[str] = []
    while position.state()["phase"] == "token":
        dealt.append(position.legal_tokens()[-1])
        position = position.apply(dealt[-1])
    letters = sorted(side.cities[1:], key=lambda city: city.letter)
    assert list(position.state()["tokens"]) == [city.name for city in side.cities[1:]]
    for letter in side.letters:
        given = [token[7:] for token, city in zip(dealt, letters, strict=True) if city.letter == letter]
        assert tuple(map(given.count, GOODS)) == BOX.tokens[letter]
    assert position.legal_tokens() == [f"~card={card.name}" for card in BOX.cards if card.numeral == 1]


@pytest.mark.parametrize(("seats", "number"), [(2, 15), (3, 21), (4, 26), (5, 30)])
def test_the_compiled_rules_use_the_numerals_up_to_the_seats(seats: int, number: int) -> None:
    state = load(f"concordia;players={seats}").start().state()
    assert state["deck"] == number
    assert state["unseen"] == {
        name: [card.name for card in BOX.cards if card.numeral == numeral]
        for numeral, name in enumerate(NUMERAL_NAMES[:seats], 1)
    }
