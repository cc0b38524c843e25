"""What a card can lead to in a whole turn of Concordia, from a table as a dictionary, by the naive reading.

A result is what lies on the table when the turn is over, before a card is turned up: enough to tell any two
ends of a turn apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import Any

from reference.concordia_box import GOODS, KINDS, PRICE, TILE_COINS, WARES, board
from reference.concordia_score import MADE_BY
from reference.concordia_turns import (
    Placement,
    Stock,
    buildings,
    keepings,
    placements,
    purchases,
    senators_costs,
    settlements,
    trades,
)

State = dict[str, Any]
Result = Hashable


def result(state: State) -> Result:
    """All that a turn can change, but which cards lie on which pile."""
    seats = tuple(seat_result(seat) for seat in state["players"])
    sides = frozenset(state["coin_side"])
    return seats, tuple(state["row"]), sides, state["magnus"], state["concordia"]


def seat_result(seat: State) -> Hashable:
    """The same of one seat."""
    cards = Counter(seat["hand"] + seat["pile"])
    return placement(seat), frozenset(seat["houses"]), stock(seat), seat["coins"], frozenset(cards.items())


def stock(seat: State) -> Stock:
    """Goods by kind."""
    return tuple(seat["goods"][good] for good in GOODS)


def placement(seat: State) -> Placement:
    """Colonists on the board."""
    return tuple(sorted(seat["land"])), tuple(sorted(seat["sea"]))


def slots(seat: State) -> int:
    """Slots that no waiting colonist takes."""
    return 12 - (6 - len(seat["land"]) - len(seat["sea"]))


def outcomes(state: State, kind: str) -> set[Result]:
    """Every result of a card that the seat whose turn it is plays or copies, a Diplomat excepted."""
    role = KINDS[kind].role
    if role in MADE_BY:
        return set(by_specialist(state, MADE_BY[role]))
    return set(ROLES[role](state, kind))


def mover(state: State) -> int:
    """The number of the seat whose turn it is."""
    return int(state["mover"][1:]) - 1


def changed(state: State, seat: int | None = None, **things: Any) -> State:
    """The table with other things at a seat; ``where``, ``left`` say where colonists and which goods are."""
    number = mover(state) if seat is None else seat
    players = [dict(each) for each in state["players"]]
    if "where" in things:
        land, sea = things.pop("where")
        things |= {"land": list(land), "sea": list(sea)}
    if "left" in things:
        things["goods"] = dict(zip(GOODS, things.pop("left"), strict=True))
    players[number] |= things
    return state | {"players": players}


def by_tribune(state: State, kind: str) -> Iterator[Result]:
    """Coins for cards taken back, and one colonist in Roma or none."""
    me = state["players"][mover(state)]
    coins = me["coins"] + max(0, len(me["pile"]) + 1 - 3)
    waiting = (3 - len(me["land"]), 3 - len(me["sea"]))
    where = board(state["map"])
    for ends, left in settlements(where, placement(me), waiting, frozenset(), stock(me)):
        if sum(map(len, ends)) <= len(me["land"]) + len(me["sea"]) + 1:
            yield result(changed(state, where=ends, left=left, coins=coins))


def by_architect(state: State, kind: str) -> Iterator[Result]:
    """Every placement with everything that can be built from it."""
    me = state["players"][mover(state)]
    others = [each for each in state["players"] if each is not me]
    standing = Counter(city for each in others for city in each["houses"])
    land, sea = (tuple(place for each in others for place in each[sort]) for sort in ("land", "sea"))
    own = frozenset(me["houses"])
    for ends in placements(board(state["map"]), placement(me), (land, sea)):
        for houses, left, coins in buildings(ends, state["tokens"], own, standing, stock(me), me["coins"]):
            after = changed(state, where=ends, houses=list(houses), left=left, coins=coins)
            yield result(after | ended(state, len(houses) == 15))


def ended(state: State, by_this: bool) -> State:
    """The holder of the card Concordia, if this triggers the end."""
    return {"concordia": state["mover"] if by_this and state["concordia"] == "none" else state["concordia"]}


def by_prefect(state: State, kind: str) -> Iterator[Result]:
    """Coins, or the production of any province on the goods side."""
    where, me = board(state["map"]), state["players"][mover(state)]
    tile = {
        province: max(
            (state["tokens"][city] for city in where.cities if where.province_of[city] == province),
            key=lambda good: PRICE[good],
        )
        for province in where.provinces
    }
    if state["coin_side"]:
        coins = me["coins"] + sum(TILE_COINS[tile[province]] for province in state["coin_side"])
        yield result(changed(state, coins=coins) | {"coin_side": []})
    for province in where.provinces:
        if province not in state["coin_side"]:
            yield from by_production(state, province, tile[province])


def by_production(state: State, province: str, bonus: str) -> Iterator[Result]:
    """All that the seats may keep of what they receive."""
    where, me = board(state["map"]), mover(state)
    is_magnus = state["magnus"] == state["mover"]
    before = (me - 1) % state["seats"]
    ways = []
    for number, each in enumerate(state["players"]):
        made = [state["tokens"][city] for city in each["houses"] if where.province_of[city] == province]
        made += [bonus] * ((2 if is_magnus else 1) if number == me else 0)
        ways.append(keepings(stock(each), made, slots(each)))
    for stocks in product(*ways):
        after = state | {"coin_side": [*state["coin_side"], province]}
        after |= {"magnus": f"p{before + 1}"} if is_magnus else {}
        for number, left in enumerate(stocks):
            after = changed(after, number, left=left)
        yield result(after)


def by_specialist(state: State, good: str) -> Iterator[Result]:
    """What fits of one good for each own city of it."""
    me = state["players"][mover(state)]
    made = [good for city in me["houses"] if state["tokens"][city] == good]
    for left in keepings(stock(me), made, slots(me)):
        yield result(changed(state, left=left))


def by_mercator(state: State, kind: str) -> Iterator[Result]:
    """Coins, then trade."""
    me = state["players"][mover(state)]
    for left, coins in trades(stock(me), me["coins"] + KINDS[kind].coins, slots(me)):
        yield result(changed(state, left=left, coins=coins))


def by_senator(state: State, kind: str) -> Iterator[Result]:
    """Up to two cards for their own goods and those of their places."""
    costs = senators_costs([WARES[name].cost for name in state["row"]])
    return by_buying(state, purchases(stock(state["players"][mover(state)]), costs, 2))


def by_consul(state: State, kind: str) -> Iterator[Result]:
    """Exactly one card for its own goods, if there is one to be had (ruling 15)."""
    costs = [WARES[name].cost for name in state["row"]]
    sets = purchases(stock(state["players"][mover(state)]), costs, 1)
    return by_buying(state, {(places, left) for places, left in sets if places or len(sets) == 1})


def by_buying(state: State, sets: set[tuple[frozenset[int], Stock]]) -> Iterator[Result]:
    """The cards are in the hand, and the row has moved left."""
    me, row = state["players"][mover(state)], state["row"]
    for places, left in sets:
        hand = [*me["hand"], *(WARES[row[place]].kind for place in places)]
        after = changed(state, hand=hand, left=left)
        rest = [name for place, name in enumerate(row) if place not in places]
        last = bool(places) and not rest and not state["deck"]
        yield result(after | {"row": rest} | ended(state, last))


def by_colonist(state: State, kind: str) -> Iterator[Result]:
    """Coins, or any number of colonists in Roma and in cities with an own house."""
    me = state["players"][mover(state)]
    yield result(changed(state, coins=me["coins"] + 5 + len(me["land"]) + len(me["sea"])))
    waiting, houses = (3 - len(me["land"]), 3 - len(me["sea"])), frozenset(me["houses"])
    for ends, left in settlements(board(state["map"]), placement(me), waiting, houses, stock(me)):
        yield result(changed(state, where=ends, left=left))


ROLES: dict[str, Callable[[State, str], Iterator[Result]]] = {
    "tribune": by_tribune,
    "architect": by_architect,
    "prefect": by_prefect,
    "mercator": by_mercator,
    "senator": by_senator,
    "consul": by_consul,
    "colonist": by_colonist,
}
