"""Concordia's components as shipped, against the facts, and component files that must be refused."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from serai.core import CHANCE, Position, load
from serai.core.errors import SetupError
from serai.core.games.concordia.components import Components, Kind, load_components
from serai.core.games.concordia.maps import Map
from serai.core.games.concordia.words import GOODS, NUMERAL_NAMES, Goods

SHIPPED = Path(__file__).parents[2] / "core" / "games" / "concordia" / "data.toml"
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


# -- other components ---------------------------------------------------------------------------------------


def shipped_text() -> str:
    return SHIPPED.read_text(encoding="utf-8")


def read(tmp_path: Path, text: str) -> Components:
    path = tmp_path / "other.toml"
    path.write_text(text, encoding="utf-8")
    return load_components(str(path))


def entry(table: str, **values: object) -> str:
    """One more entry of a table, as TOML."""
    return f"\n[[{table}]]\n" + "".join(f"{key} = {json.dumps(given)}\n" for key, given in values.items())


def test_a_changed_copy_says_what_it_changed(tmp_path: Path) -> None:
    text = shipped_text().replace("price = 7", "price = 8").replace("coins = [5, 6", "coins = [4, 6")
    text = text.replace('"roma-cosa", "roma-spoletum"', '"roma-cosa", "roma-neapolis", "roma-spoletum"', 1)
    text = re.sub('"roma-neapolis", ("roma-spoletum",)', r"\1", text)
    text = text.replace('"roma-casinum",', '"roma-casinum", "roma-neapolis",', 1)
    text = text.replace("points = 5", "points = 6")
    other = read(tmp_path, text)
    assert [good.price for good in other.goods] == [3, 4, 5, 6, 8]
    assert other.setup.coins == (4, 6, 7, 8, 9)
    assert len(other.maps[0].land) == 41
    assert "roma-neapolis" in map(other.maps[0].name_of, other.maps[0].land)
    assert next(kind for kind in other.kinds if kind.name == "weaver").points == 6
    assert other != BOX


def test_a_file_mended_after_its_refusal_is_accepted(tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        read(tmp_path, shipped_text().replace("price = 3", "price = 30"))
    assert read(tmp_path, shipped_text()) == BOX


def test_a_second_sort_of_mercator_among_the_cards_has_its_coins_in_the_name(tmp_path: Path) -> None:
    text = shipped_text() + entry("card", numeral=4, role="mercator", god="mercurius", cost=[], coins=8)
    assert [k.name for k in read(tmp_path, text).kinds if k.role == "mercator"] == [
        "mercator",
        "mercator5",
        "mercator8",
    ]


# -- games with the components ------------------------------------------------------------------------------


def first_turn(spec: str) -> Position:
    """The first decision of a seat, with the first outcome of each chance event."""
    position = load(spec).start()
    while position.to_act == CHANCE:
        position = position.apply(position.legal_tokens()[0])
    return position


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


def test_a_game_with_other_components_follows_them(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    text = shipped_text().replace("coins = [5, 6", "coins = [40, 6").replace("price = 7", "price = 20")
    text = text.replace("placed = { land = 1, sea = 1 }", "placed = { land = 2, sea = 0 }")
    text = text.replace("waiting = { land = 2, sea = 2 }", "waiting = { land = 0, sea = 1 }")
    text = text.replace('role = "mercator"\ngod = "mercurius"\ncoins = 3', MERCATOR_WITH_SIX)
    text = text.replace('[[], ["?"], ["?"]', '[["wine", "wine"], ["?"], ["?"]')
    path.write_text(text.replace("houses = 15", "houses = 1"), encoding="utf-8")
    position = first_turn(f"concordia;players=2;components={path}")
    player = position.state()["players"][0]
    assert (player["coins"], player["land"], player["sea"]) == (40, ["roma", "roma"], [])
    trade = position.apply("play=mercator").apply("sell=cloth*1")
    assert trade.state()["players"][0]["coins"] == 40 + 6 + 20
    assert "buy=brick*6" in trade.legal_tokens(), "five goods and a colonist fill six of twelve slots"
    assert "buy=brick*7" not in trade.legal_tokens()
    assert "hire=1" not in position.apply("play=senator").legal_tokens()
    moved = position.apply("play=architect")
    assert not [token for token in moved.legal_tokens() if token.startswith("sea=")]
    moved = moved.apply("land=roma-cosa").apply("land=roma-spoletum")
    built = moved.apply(next(token for token in moved.legal_tokens() if token.startswith("house=")))
    assert built.state()["concordia"] == "p1", "one house ends this game"


MERCATOR_WITH_SIX = 'role = "mercator"\ngod = "mercurius"\ncoins = 6'


@pytest.mark.parametrize("seats", [2, 5])
def test_a_game_with_few_cards_can_be_played_to_its_end(tmp_path: Path, seats: int) -> None:
    path = tmp_path / "few.toml"
    top, comment, bottom = shipped_text().partition("# ---- maps")
    head, *cards = top.split("[[card]]")
    text = "[[card]]".join([head, *cards[:3], *cards[8:9]]) + "\n" + comment + bottom
    path.write_text(text, encoding="utf-8")
    position = load(f"concordia;players={seats};components={path}").start()
    chooser = random.Random(seats)
    while not position.is_over:
        assert position.consistent()
        tokens = position.legal_tokens()
        hires = [token for token in tokens if token.startswith("hire=")]
        position = position.apply(chooser.choice(hires or tokens))
    assert position.state()["row"] == []
    assert position.state()["concordia"] != "none"


def test_maps_are_for_their_numbers_of_players() -> None:
    for spec in ("players=5;variant=italia", "players=2;variant=imperium", "players=3;variant=creta"):
        with pytest.raises(SetupError):
            load(f"concordia;{spec}")
    with pytest.raises(SetupError, match="2 to 5 players"):
        load("concordia;players=6")


# -- broken files -------------------------------------------------------------------------------------------

Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    """The first place with the old text has the new one."""
    return lambda text: text.replace(old, new, 1)


def card(**values: object) -> Change:
    """One more card."""
    given = {"numeral": 4, "role": "mercator", "god": "mercurius", "cost": ["wine"], "coins": 5} | values
    return lambda text: text + entry("card", **{k: v for k, v in given.items() if v is not None})


BROKEN: dict[str, tuple[Change, str, str]] = {
    "another game": (swap('"concordia"', '"spice_road"'), "head", "must say"),
    "another format": (swap("format = 1", "format = 2"), "head", "must say"),
    "an unknown table": (swap("[market]", "[markets]"), "head", "unknown key 'markets'"),
    "a good too few": (
        lambda t: t[: t.index("[[good]]")] + t[t.index("[[good]]", t.index("price =")) :],
        r"\[\[good\]\]",
        "4 entries",
    ),
    "goods in another order": (swap('name = "brick"', 'name = "food"'), r"\[\[good\]\] 'food'", "this order"),
    "a price of 30": (swap("price = 3", "price = 30"), "good brick", "price must be"),
    "a price as text": (swap("price = 3", 'price = "3"'), "good brick", "price must be"),
    "true coins of a house": (
        swap("house_coins = 1", "house_coins = true"),
        "good brick",
        "house_coins must",
    ),
    "a house of silk": (
        swap('"brick", "wine"', '"brick", "silk"'),
        "good wine house_goods",
        "must be a list",
    ),
    "a house of anything": (swap('["food"]', '["?"]'), "good brick house_goods", "must be a list"),
    "a house of five goods": (
        swap('["food"]', '["food","food","food","food","food"]'),
        "good brick",
        "at most",
    ),
    "no set-up": (lambda t: t.replace("[setup]", "[tokens2]"), "head", "unknown key"),
    "a storehouse too small": (swap("slots = 12", "slots = 9"), "setup", "must fit into 9 slots"),
    "slots below zero": (swap("slots = 12", "slots = -1"), "setup", "slots must be"),
    "a fourth colonist": (swap("placed = { land = 1", "placed = { land = 2"), "setup", "at most 3 colonists"),
    "a colonist by air": (swap("placed = { land = 1", "placed = { air = 1"), "setup. placed", "unknown key"),
    "goods as a list": (swap("goods = { brick", "goods = [] # { brick"), "setup. goods", "must be a table"),
    "twenty houses": (swap("houses = 15", "houses = 20"), "setup", "houses must be"),
    "coins of four seats": (swap(", 9]", "]"), "setup", "coins of 5 seats"),
    "coins that are none": (swap(", 9]", ', "x"]'), "setup. seat 5", "coins must be"),
    "a letter without its table": (swap("A = { brick = 2", "A = 7 # { brick = 2"), "tokens. A", "must be"),
    "a token too many": (swap("A = { brick = 2", "A = { brick = 3"), "map italia", "7 cities of letter A"),
    "a letter without tokens": (swap('letter = "C"', 'letter = "E"'), "map italia", "cities of letter"),
    "five letters": (swap("D = {", "E = { brick = 1 }\nD = {"), "tokens", "1 to 4 letters"),
    "six places": (swap('[[], ["?"], ["?"]', '[[], ["?"]'), "market", "7 places"),
    "a place that costs a fish": (swap('[[], ["?"]', '[[], ["fish"]'), "market. place 2", "must be a list"),
    "an unknown role": (card(role="consulus"), "card 31", "role must be"),
    "an unknown god": (card(god="venus"), "card 31", "god must be"),
    "minerva without a craft": (card(god="minerva"), "card 31", "specialists"),
    "a specialist without minerva": (card(role="mason", coins=None), "card 31", "specialists"),
    "an architect with coins": (card(role="architect", god="jupiter"), "card 31", "only a mercator"),
    "a mercator without coins": (card(coins=None), "card 31", "coins must be"),
    "a mercator with points": (card(points=3), "card 31", "only a specialist"),
    "a numeral of 6": (card(numeral=6), "card 31", "numeral must be"),
    "a card that costs what you like": (card(cost=["?"]), "card 31 cost", "must be a list"),
    "a card without cost": (card(cost=None), "card 31 cost", "must be a list"),
    "a card twice in a numeral": (card(numeral=5), "card mercator5", "twice"),
    "a key nobody knows": (card(price=3), "card 31", "unknown key 'price'"),
    "a tribune for sale": (card(role="tribune", god="mars", coins=None), "card tribune", "never for sale"),
    "thirty-five cards": (lambda t: t + 5 * card()(""), r"\[\[card\]\]", "35 entries"),
    "no tribune": (swap('"tribune"\ngod', '"consul"\ngod'), "starter", "one tribune"),
    "eight prefects": (swap("copies = 2", "copies = 3"), "card prefect", "8 times"),
    "no cards": (lambda t: t.replace("[[card]]", "[[cards]]"), "head", "unknown key 'cards'"),
    "one map": (lambda t: t[: t.index("[[map]]", t.index("[[map]]") + 1)], r"\[\[map\]\]", "1 entries"),
    "a map of elsewhere": (
        swap('name = "imperium"', 'name = "creta"'),
        r"\[\[map\]\]",
        "italia and imperium",
    ),
    "a map for six": (swap("players = [2, 3, 4]", "players = [2, 3, 6]"), "map italia", "players must list"),
    "no map for two": (swap("players = [2, 3, 4]", "players = [3, 4]"), r"\[\[map\]\]", "for 2 players"),
    "a line to nowhere": (swap('"roma-cosa"', '"roma-sparta"'), "map italia land", "a line is two cities"),
    "a line of three cities": (swap('"roma-cosa"', '"roma-cosa-genua"'), "map italia land", "two cities"),
    "a line as a number": (swap('"roma-cosa"', "7"), "map italia land", "two cities"),
    "a line backwards": (swap('"roma-cosa"', '"cosa-roma"'), "map italia land", "stands first"),
    "a line to itself": (swap('"roma-cosa"', '"roma-roma"'), "map italia land", "stands first"),
    "a line twice": (swap('"roma-cosa"', '"roma-cosa", "roma-cosa"'), "map italia land", "all differ"),
    "a city twice": (swap('"comum", "segusio"]', '"comum", "comum"]'), "map italia", "comum is there twice"),
    "a province twice": (swap('"liguria"', '"venetia"'), "map italia", "venetia is there twice"),
    "a city with a space": (swap('"comum", "segusio"]', '"comum", "se gusio"]'), "map italia", "a name is"),
    "a province without cities": (swap('["comum", "segusio"]', "[]"), "map italia province", "cities"),
    "a start nobody can leave": (
        lambda t: re.sub('"roma-(cosa|olbia|neapolis|panormus)", *', "", t),
        "map italia sea",
        "start city",
    ),
    "an empty file": (lambda _: "", "head", "must say"),
    "no TOML": (lambda _: "[[[", "component file", ""),
    "a huge file": (lambda t: t + "# more\n" * 200_000, "component file", "larger"),
    "a deeply nested file": (lambda t: t + "\nx = " + "[" * 100_000, "component file", ""),
}


def refused(path: Path) -> str:
    """The message with which a component file is refused."""
    with pytest.raises(SetupError) as refusal:
        load_components(str(path))
    return str(refusal.value)


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_file_is_refused_with_its_name_the_item_and_the_rule(tmp_path: Path, fault: str) -> None:
    change, item, rule = BROKEN[fault]
    path = tmp_path / "broken.toml"
    text = change(shipped_text())
    assert text != shipped_text(), "the change changes nothing"
    path.write_text(text, encoding="utf-8")
    message = refused(path)
    assert message.startswith(f"{path}: ")
    assert re.search(f"{item}.*: .*{rule}", message), message
    assert len(message) < 500 + len(str(path))


@pytest.mark.parametrize("raw", [b"\x00" * 100, b"\xff\xfe\x80", random.Random(1).randbytes(4096)])
def test_binary_garbage_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "garbage.toml"
    path.write_bytes(raw)
    assert refused(path).startswith(f"{path}: ")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.toml", tmp_path):
        assert refused(path).startswith(f"{path}: ")


def test_any_part_of_the_shipped_file_is_accepted_or_refused_cleanly(tmp_path: Path) -> None:
    """The file is cut off at every fiftieth character."""
    text = shipped_text()
    for end in range(0, len(text), 50):
        path = tmp_path / f"{end}.toml"
        path.write_text(text[:end], encoding="utf-8")
        try:
            load_components(str(path))
            tomllib.loads(text[:end])
        except SetupError as error:
            message = str(error)
        else:
            continue
        assert message.startswith(f"{path}: ")
