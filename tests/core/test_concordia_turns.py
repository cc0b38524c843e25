"""Whole turns of Concordia: the decisions reach every result that the rules allow, and each of them once.

What the rules allow is enumerated naively, in any order, by ``reference.concordia_outcomes``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from reference.concordia_box import KINDS, board
from reference.concordia_outcomes import Result, mover, outcomes, result
from reference.concordia_situations import player, situation
from reference.readings import Reading, game_in

from serai.core import GAME_OVER, Position, load
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

    def __init__(self, position: Position) -> None:
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


def endings(game: Game, whose: str) -> Iterator[State]:
    """The table after every way to play a turn to its end, or to the next card of the deck."""
    state = game.state()
    if state["mover"] != whose or state["phase"] in ("card", "over"):
        yield state
        return
    for token in game.legal():
        yield from endings(game.after(token), whose)


def assert_once(game: Game, tokens: list[str], kind: str) -> list[Result]:
    """Play a card in every way: every expected result is reached, once."""
    state = game.state()
    for token in tokens:
        game = game.after(token)
    found = [result(after) for after in endings(game, state["mover"])]
    twice = [outcome for outcome, times in Counter(found).items() if times > 1]
    assert not twice, f"{kind}: {len(twice)} of {len(found)} are reached twice, like {twice[0]}"
    expected = outcomes(state, kind)
    assert set(found) - expected == set(), f"{kind}: more than the rules allow"
    assert expected - set(found) == set(), f"{kind}: less than the rules allow"
    return found


def assert_card(engine: str, state: State, kind: str) -> list[Result]:
    """The same for a card of the hand."""
    return assert_once(game_at(engine, state), [f"play={kind}"], kind)


# -- the Architect ------------------------------------------------------------------------------------------

PLENTY = "brick brick food food tool wine cloth"
FOURTEEN = [city for city in board("italia").cities if city not in ("cosa", "spoletum", "casinum")][:14]
ROADS = {
    "the start": situation([player(), player()]),
    "plenty": situation([player(PLENTY, 40), player()]),
    "one land colonist alone": situation([player(sea=[]), player()]),
    "two in one city": situation([player("tool", land=["roma", "roma"]), player()]),
    "in two cities": situation(
        [player("tool", 0, land=["roma", "verona"], houses=["verona"], sea=[]), player()]
    ),
    "on lines in a row": situation(
        [player("tool", 0, land=["roma-cosa", "florentia-cosa", "genua-florentia"], sea=["roma"]), player()]
    ),
    "surrounded": situation(
        [player(), player(land=["roma-cosa", "roma-spoletum", "roma-casinum"], sea=["roma-cosa"])]
    ),
    "shut in": situation(
        [
            player("tool", 0, land=["roma-cosa"], sea=["roma"]),
            player(land=["roma-spoletum", "roma-casinum", "florentia-cosa"], sea=["roma-cosa"]),
        ]
    ),
    "others have built": situation(
        [
            player(PLENTY, 17, land=["roma-cosa"], sea=["roma-cosa"]),
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
    "one house is left": situation(
        [player(PLENTY, 60, houses=FOURTEEN, land=["roma-cosa"], sea=[]), player()]
    ),
}


@pytest.mark.parametrize("scene", ROADS)
def test_architects_place_and_build_all_that_is_allowed_once(engine: str, scene: str) -> None:
    assert_card(engine, ROADS[scene], "architect")


@pytest.mark.parametrize(("name", "seats", "number"), [("italia", 2, 35), ("imperium", 3, 31)])
def test_two_colonists_in_roma_have_so_many_ends(engine: str, name: str, seats: int, number: int) -> None:
    """The numbers were counted by another program."""
    state = situation([player("wine") for _ in range(seats)], name)
    assert len(assert_card(engine, state, "architect")) == number


# -- the Mercator -------------------------------------------------------------------------------------------

SHOPS = {
    "start": player(),
    "full": player("brick brick food food tool wine cloth cloth"),
    "full and poor": player("brick brick food food tool wine cloth cloth", 0),
    "nothing to sell": player("", 9),
    "room for much": player("wine", 30, land=["roma"] * 3, sea=["roma"] * 3),
    "no coins": player("cloth cloth", 0),
}


def with_card(seat: State, kind: str) -> State:
    """The seat with one card more."""
    return seat | {"hand": [*seat["hand"], kind]}


@pytest.mark.parametrize("kind", ["mercator", "mercator5"])
@pytest.mark.parametrize("scene", SHOPS)
def test_mercators_trade_all_that_is_allowed_once(engine: str, scene: str, kind: str) -> None:
    assert_card(engine, situation([with_card(SHOPS[scene], "mercator5"), player()]), kind)


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


@pytest.mark.parametrize("kind", ["senator", "consul"])
@pytest.mark.parametrize("purse", PURSES)
@pytest.mark.parametrize("row", ROWS)
def test_cards_are_bought_in_all_ways_that_are_allowed_once(
    engine: str, row: str, purse: str, kind: str
) -> None:
    names, hand = ROWS[row].split(), ["consul"] if kind == "consul" else []
    me = player(PURSES[purse], land=["roma"] * 3, hand=hand)
    assert_card(engine, situation([me, player()], row=names, deck=len(names) == 7), kind)


# -- Colonist and Tribune -----------------------------------------------------------------------------------

HOMES = {
    "start": player(),
    "no houses": player("food food food tool tool tool"),
    "houses": player("food food tool tool", houses=["cosa", "verona", "aleria"]),
    "houses and no ships": player("food tool food tool", houses=["potentia", "aleria"], sea=["roma"] * 3),
    "all there": player("food tool", land=["roma"] * 3, sea=["roma"] * 3),
}


@pytest.mark.parametrize("scene", HOMES)
def test_colonists_settle_in_all_ways_that_are_allowed_once(engine: str, scene: str) -> None:
    assert_card(engine, situation([with_card(HOMES[scene], "colonist"), player()]), "colonist")


@pytest.mark.parametrize("stored", ["food tool", "food", "food food tool tool"])
def test_a_tribune_brings_one_colonist_or_none(engine: str, stored: str) -> None:
    me = player(stored, 0, pile=["architect", "mercator", "senator", "prefect"])
    assert_card(engine, situation([me, player()]), "tribune")


# -- Prefect and specialists --------------------------------------------------------------------------------

FULL = "brick food food tool wine cloth cloth"
TOOLS_AND_WINE = "tool tool wine wine wine wine"
UMBRIA = {"ancona": "brick", "spoletum": "food", "hadria": "cloth"}
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


@pytest.mark.parametrize("magnus", ["p1", "p2"])
@pytest.mark.parametrize("scene", HARVESTS)
def test_all_who_lack_room_keep_all_that_is_allowed_once(engine: str, scene: str, magnus: str) -> None:
    sides = ["liguria", "venetia", "sicilia", "campania"]
    state = situation(HARVESTS[scene], tokens=UMBRIA, magnus=magnus, coin_side=sides)
    state["coin_side"] = [name for name in board("italia").provinces if name in sides]
    assert_card(engine, state, "prefect")


@pytest.mark.parametrize("scene", HARVESTS)
def test_specialists_fill_the_room_there_is(engine: str, scene: str) -> None:
    first, *others = HARVESTS[scene]
    me = with_card(first, "farmer") | {"houses": ["spoletum", "messana", "panormus"]}
    assert_card(engine, situation([me, *others], tokens={**UMBRIA, "messana": "food"}), "farmer")


# -- the Diplomat -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["architect", "prefect", "mercator", "mercator5", "senator", "colonist", "consul", "farmer"]
)
def test_a_copied_card_does_what_an_own_one_does(engine: str, kind: str) -> None:
    me = player("brick food food tool tool wine", 9, houses=["spoletum"])
    state = situation([me, player(pile=[kind])], tokens=UMBRIA)
    assert_once(game_at(engine, state), ["play=diplomat-jupiter", f"copy={kind}"], kind)


# -- wherever a game may lead -------------------------------------------------------------------------------

TABLES = [Spec("concordia", seats) for seats in (2, 3, 4, 5)]
TABLES += [Spec("concordia", seats, variant="imperium") for seats in (3, 4)]
FEW = 3
"""Colonists on the board with which an Architect has few enough ends to try them all."""


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_turns_of_random_games_reach_all_that_is_allowed_once(table: Spec) -> None:
    tried: Counter[str] = Counter()
    for position in positions(table):
        state = position.state()
        me = state["players"][mover(state)]
        for kind in sorted(set(me["hand"])):
            role = KINDS[kind].role
            wide = role == "architect" and len(me["land"]) + len(me["sea"]) > FEW
            if role != "diplomat" and not wide:
                assert_once(CoreGame(position), [f"play={kind}"], kind)
                tried[role] += 1
    assert {"architect", "prefect", "mercator", "senator", "tribune"} <= tried.keys()


def positions(table: Spec) -> Iterator[Position]:
    """Every twentieth beginning of a turn of a random game that is rather rich."""
    chooser = random.Random(str(table))
    position, turns = load(table).start(), 0
    while position.to_act != GAME_OVER and turns < 400:
        legal = position.legal_tokens()
        if position.state()["phase"] == "main":
            turns += 1
            if turns % 20 == 1:
                yield position
        wished = [token for token in legal if token.startswith(("house=", "hire="))]
        position = position.apply(chooser.choice(wished or legal))
