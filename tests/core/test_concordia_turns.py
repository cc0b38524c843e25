"""Whole turns of Concordia: the decisions reach every outcome that the rules allow, and each of them once.

What the rules allow is enumerated naively, in any order, by ``reference.concordia_turns``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import product
from typing import Any

import pytest
from reference import concordia_turns as naive
from reference.concordia_box import GOODS, WARES, board
from reference.concordia_situations import player, situation
from reference.readings import Reading, game_in

from serai.core import load
from serai.core.spec import Spec

State = dict[str, Any]


class ReferenceGame:
    """The reference as something to enumerate."""

    def __init__(self, game: Reading) -> None:
        self.game = game

    def legal(self) -> list[str]:
        return self.game.legal()

    def after(self, token: str) -> ReferenceGame:
        twin = self.game.copy()
        twin.apply(token)
        return ReferenceGame(twin)

    def state(self) -> State:
        return self.game.state()


class CoreGame:
    """The compiled rules as something to enumerate."""

    def __init__(self, position: Any) -> None:
        self.position = position

    def legal(self) -> list[str]:
        return list(self.position.legal_tokens())

    def after(self, token: str) -> CoreGame:
        return CoreGame(self.position.apply(token))

    def state(self) -> State:
        return dict(self.position.state())


Game = ReferenceGame | CoreGame


def game_at(engine: str, state: State) -> Game:
    if engine == "reference":
        return ReferenceGame(game_in(state))
    spec = Spec("concordia", state["seats"], variant=state["map"])
    return CoreGame(load(spec).from_state(state))


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def endings(game: Game, mover: str) -> Iterator[State]:
    """The table after every way to play a turn to its end, or to the next card of the deck."""
    state = game.state()
    if state["mover"] != mover or state["phase"] in ("card", "over"):
        yield state
        return
    for token in game.legal():
        yield from endings(game.after(token), mover)


def turns(engine: str, state: State, token: str) -> list[State]:
    return list(endings(game_at(engine, state).after(token), state["mover"]))


def assert_same(found: list[Hashable], expected: set[Any]) -> None:
    """Every expected outcome is found, once."""
    twice = [outcome for outcome, times in Counter(found).items() if times > 1]
    assert not twice, f"{len(twice)} of {len(found)} are reached twice, like {twice[0]}"
    assert set(found) - expected == set(), "more than the rules allow"
    assert expected - set(found) == set(), "less than the rules allow"


def stock(seat: State) -> naive.Stock:
    return tuple(seat["goods"][good] for good in GOODS)


def placement(seat: State) -> naive.Placement:
    return tuple(sorted(seat["land"])), tuple(sorted(seat["sea"]))


def slots(seat: State) -> int:
    """Slots that no waiting colonist takes."""
    return 12 - (6 - len(seat["land"]) - len(seat["sea"]))


# -- the Architect ------------------------------------------------------------------------------------------

ROADS = {
    "the start": situation([player(), player()]),
    "plenty": situation([player("brick brick food food tool wine cloth", 40), player()]),
    "one land colonist alone": situation([player(sea=[]), player()]),
    "two in one city": situation([player("tool", land=["roma", "roma"]), player()]),
    "in two cities": situation(
        [player("tool", 0, land=["roma", "verona"], houses=["verona"], sea=[]), player()]
    ),
    "on lines in a row": situation(
        [player("tool", 0, land=["roma-cosa", "florentia-cosa", "genua-florentia"], sea=["roma"]), player()]
    ),
    "surrounded": situation(
        [
            player(),
            player(land=["roma-cosa", "roma-spoletum", "roma-casinum"], sea=["roma-cosa", "roma-olbia"]),
        ]
    ),
    "shut in": situation(
        [
            player("tool", 0, land=["roma-cosa"], sea=["roma"]),
            player(land=["roma-spoletum", "roma-casinum", "florentia-cosa"], sea=["roma-cosa"]),
        ]
    ),
    "others have built": situation(
        [
            player("brick brick food food tool wine cloth", 17, land=["roma-cosa"], sea=["roma-cosa"]),
            player(houses=["cosa", "spoletum", "florentia"], sea=["cosa-aleria"]),
        ]
    ),
    "the west": situation(
        [player("brick food food", 9, land=["roma-novaria"], sea=["roma-massilia"]), player(), player()],
        "imperium",
    ),
    "ships in cities": situation(
        [
            player("tool", 0, land=[], sea=["roma", "massilia", "roma-carthago"], houses=["massilia"]),
            player(),
            player(),
        ],
        "imperium",
    ),
}


@pytest.mark.parametrize(("name", "seats", "number"), [("italia", 2, 35), ("imperium", 3, 31)])
def test_two_colonists_in_roma_have_so_many_ends(engine: str, name: str, seats: int, number: int) -> None:
    """The numbers were counted by another program."""
    roma = (("roma",), ("roma",))
    assert len(naive.placements(board(name), roma, ((), ()))) == number
    found = turns(engine, situation([player("wine") for _ in range(seats)], name), "play=architect")
    assert len(found) == number


@pytest.mark.parametrize("scene", ROADS)
def test_architects_place_and_build_all_that_is_allowed_once(engine: str, scene: str) -> None:
    state = ROADS[scene]
    me, others = state["players"][0], state["players"][1:]
    found = [
        (placement(seat), frozenset(seat["houses"]), stock(seat), seat["coins"])
        for seat in (after["players"][0] for after in turns(engine, state, "play=architect"))
    ]
    assert_same(list(found), set(expected_building(state, me, others)))


def expected_building(state: State, me: State, others: list[State]) -> Iterator[Hashable]:
    """Every placement with everything that can be built from it."""
    own, standing = frozenset(me["houses"]), Counter(city for seat in others for city in seat["houses"])
    taken = tuple(tuple(place for seat in others for place in seat[sort]) for sort in ("land", "sea"))
    for where in naive.placements(board(state["map"]), placement(me), (taken[0], taken[1])):
        built = naive.buildings(where, state["tokens"], own, standing, stock(me), me["coins"])
        yield from ((where, houses, goods, coins) for houses, goods, coins in built)


def test_nobody_builds_a_sixteenth_house(engine: str) -> None:
    houses = [city for city in board("italia").cities if city not in ("cosa", "spoletum", "casinum")][:14]
    me = player("brick brick food food tool wine cloth", 60, houses=houses, land=["roma-cosa"], sea=[])
    state = situation([me, player()])
    found = turns(engine, state, "play=architect")
    assert {len(after["players"][0]["houses"]) for after in found} == {14, 15}
    assert {after["concordia"] for after in found} == {"none", "p1"}
    outcomes = [(placement(seat), frozenset(seat["houses"])) for seat in (a["players"][0] for a in found)]
    own = frozenset(houses)
    expected = {
        (where, built)
        for where in naive.placements(board("italia"), placement(me), ((), ()))
        for built, _, _ in naive.buildings(where, state["tokens"], own, {}, stock(me), 60, most=15)
    }
    assert_same(list(outcomes), expected)


# -- the Mercator -------------------------------------------------------------------------------------------

SHOPS = {
    "start": player(),
    "full": player("brick brick food food tool wine cloth cloth"),
    "full and poor": player("brick brick food food tool wine cloth cloth", 0),
    "nothing to sell": player("", 9),
    "room for much": player("wine", 30, land=["roma"] * 3, sea=["roma"] * 3),
    "no coins": player("cloth cloth", 0),
}


@pytest.mark.parametrize("kind", ["mercator", "mercator5"])
@pytest.mark.parametrize("scene", SHOPS)
def test_mercators_trade_all_that_is_allowed_once(engine: str, scene: str, kind: str) -> None:
    me = SHOPS[scene] | {"hand": [*SHOPS[scene]["hand"], "mercator5"]}
    state = situation([me, player()])
    found = [(stock(a["players"][0]), a["players"][0]["coins"]) for a in turns(engine, state, f"play={kind}")]
    coins = me["coins"] + (3 if kind == "mercator" else 5)
    assert_same(list(found), naive.trades(stock(me), coins, slots(me)))


# -- Senator and Consul -------------------------------------------------------------------------------------

ROWS = {
    "the start": "architect prefect mercator5 colonist diplomat-saturnus/tool mason farmer",
    "neighbours alike": "prefect prefect colonist colonist smith architect architect",
    "alike in the places of one price": "mason prefect prefect colonist colonist smith farmer",
    "alike across prices": "smith mason colonist colonist architect prefect prefect",
    "alike with one between": "smith architect colonist architect mason prefect colonist",
    "turn by turn": "smith colonist architect colonist architect prefect prefect",
    "few left": "colonist colonist weaver",
    "one left": "vintner",
}
PURSES = {
    "start": "brick food food tool wine cloth",
    "rich": "brick food food tool tool wine wine cloth cloth",
    "cloth": "tool food cloth cloth cloth cloth",
    "poor": "food tool",
}


def market(row: str, purse: str, kind: str) -> State:
    land = ["roma"] * 3
    me = player(PURSES[purse], land=land, hand=["consul"] if kind == "consul" else [])
    names = ROWS[row].split()
    return situation([me, player()], row=names, deck=len(names) == 7)


@pytest.mark.parametrize("kind", ["senator", "consul"])
@pytest.mark.parametrize("purse", PURSES)
@pytest.mark.parametrize("row", ROWS)
def test_cards_are_bought_in_all_ways_that_are_allowed_once(
    engine: str, row: str, purse: str, kind: str
) -> None:
    state = market(row, purse, kind)
    me, row = state["players"][0], state["row"]
    found = [bought(me, after) for after in turns(engine, state, f"play={kind}")]
    own = [list(WARES[name].cost) for name in row]
    costs = naive.senators_costs(own) if kind == "senator" else own
    sets = naive.purchases(stock(me), costs, 2 if kind == "senator" else 1)
    if kind == "consul" and len(sets) > 1:
        sets = {(places, rest) for places, rest in sets if places}  # a Consul must buy (ruling 15)
    assert_same(list(found), {outcome(row, places, rest) for places, rest in sets})


def bought(me: State, after: State) -> Hashable:
    """The row that is left, the goods that are left, and the cards that are new, by kind."""
    cards = Counter(after["players"][0]["hand"] + after["players"][0]["pile"])
    new = cards - Counter(me["hand"] + me["pile"])
    return tuple(after["row"]), stock(after["players"][0]), frozenset(new.items())


def outcome(row: list[str], places: frozenset[int], rest: naive.Stock) -> Hashable:
    """The same, after buying from these places."""
    left = tuple(name for place, name in enumerate(row) if place not in places)
    new = Counter(WARES[row[place]].kind for place in places)
    return left, rest, frozenset(new.items())


# -- Colonist and Tribune -----------------------------------------------------------------------------------

HOMES = {
    "start": player(),
    "no houses": player("food food food tool tool tool"),
    "houses": player("food food tool tool", houses=["cosa", "verona", "aleria"]),
    "houses and no ships": player(
        "food tool tool food food tool", houses=["potentia", "aleria"], sea=["roma"] * 3
    ),
    "all there": player("food tool", land=["roma"] * 3, sea=["roma"] * 3),
}


@pytest.mark.parametrize("scene", HOMES)
def test_colonists_settle_in_all_ways_that_are_allowed_once(engine: str, scene: str) -> None:
    me = HOMES[scene] | {"hand": [*HOMES[scene]["hand"], "colonist"]}
    state = situation([me, player()])
    found = [
        (placement(seat), stock(seat), seat["coins"])
        for seat in (after["players"][0] for after in turns(engine, state, "play=colonist"))
    ]
    waiting = (3 - len(me["land"]), 3 - len(me["sea"]))
    houses = frozenset(me["houses"])
    settled = naive.settlements(board("italia"), placement(me), waiting, houses, stock(me))
    expected = {(where, goods, me["coins"]) for where, goods in settled}
    coins = me["coins"] + 5 + len(me["land"]) + len(me["sea"])
    assert_same(list(found), expected | {(placement(me), stock(me), coins)})


@pytest.mark.parametrize("goods", ["food tool", "food", "food food tool tool"])
def test_a_tribune_brings_one_colonist_or_none(engine: str, goods: str) -> None:
    me = player(goods, 0, pile=["architect", "mercator", "senator", "prefect"])
    found = turns(engine, situation([me, player()]), "play=tribune")
    ways = {(placement(me), stock(me))}
    for where, rest in naive.settlements(board("italia"), placement(me), (2, 2), frozenset(), stock(me)):
        if len(where[0]) + len(where[1]) == 3:
            ways.add((where, rest))
    assert_same([(placement(a["players"][0]), stock(a["players"][0])) for a in found], ways)
    assert {(after["players"][0]["coins"], after["players"][0]["top"]) for after in found} == {(2, "none")}


# -- Prefect and specialists --------------------------------------------------------------------------------

FULL = "brick food food tool wine cloth cloth"
TOOLS_AND_WINE = "tool tool wine wine wine wine"
HARVESTS = {
    "nobody lives there": [player(), player()],
    "room for all": [player("wine", houses=["ancona", "spoletum"]), player("wine", houses=["hadria"])],
    "no room": [
        player(f"{FULL} tool", houses=["ancona", "spoletum"]),
        player(f"{FULL} tool", houses=["hadria"]),
    ],
    "one slot each": [
        player(FULL, houses=["ancona", "spoletum", "hadria"]),
        player(FULL, houses=["ancona", "spoletum", "hadria"]),
        player(FULL, houses=["spoletum", "hadria"]),
    ],
    "two slots": [
        player(TOOLS_AND_WINE, houses=["ancona", "spoletum", "hadria"]),
        player(TOOLS_AND_WINE, houses=["ancona", "spoletum", "hadria"]),
    ],
}
UMBRIA = {"ancona": "brick", "spoletum": "food", "hadria": "cloth"}


@pytest.mark.parametrize("magnus", ["p1", "p2"])
@pytest.mark.parametrize("scene", HARVESTS)
def test_all_who_lack_room_keep_all_that_is_allowed_once(engine: str, scene: str, magnus: str) -> None:
    players = HARVESTS[scene]
    state = situation(players, tokens=UMBRIA, magnus=magnus)
    found = endings(game_at(engine, state).after("play=prefect").after("produce=umbria"), "p1")
    received = [[UMBRIA[city] for city in seat["houses"]] for seat in players]
    received[0] += ["cloth"] * (2 if magnus == "p1" else 1)
    kept = [naive.keepings(stock(s), goods, slots(s)) for s, goods in zip(players, received, strict=True)]
    assert_same([tuple(stock(seat) for seat in after["players"]) for after in found], set(product(*kept)))


@pytest.mark.parametrize("scene", HARVESTS)
def test_specialists_fill_the_room_there_is(engine: str, scene: str) -> None:
    first, *others = HARVESTS[scene]
    me = first | {"hand": [*first["hand"], "farmer"], "houses": ["spoletum", "messana", "panormus"]}
    state = situation([me, *others], tokens={**UMBRIA, "messana": "food"})
    received = [state["tokens"][city] for city in me["houses"] if state["tokens"][city] == "food"]
    found = turns(engine, state, "play=farmer")
    assert len(received) == 2
    assert_same(
        [stock(after["players"][0]) for after in found], naive.keepings(stock(me), received, slots(me))
    )
    assert all(after["players"][1:] == state["players"][1:] for after in found)


# -- the Diplomat -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["architect", "mercator5", "senator", "colonist", "consul"])
def test_a_copied_card_does_what_an_own_one_does(engine: str, kind: str) -> None:
    me = player("brick food food tool tool wine", 9)
    other = player(pile=[kind])
    state = situation([me, other])
    copied = turns(engine, state, "play=diplomat-jupiter")
    lent = [kind] if kind in ("mercator5", "colonist", "consul") else []
    own = turns(engine, situation([me | {"hand": [*me["hand"], *lent]}, player()]), f"play={kind}")
    assert_same([table_of(after) for after in copied], {table_of(after) for after in own})


def table_of(after: State) -> Hashable:
    """What a card changes; which card lies on top does not count."""
    seat = after["players"][0]
    return placement(seat), frozenset(seat["houses"]), stock(seat), seat["coins"], tuple(after["row"])
