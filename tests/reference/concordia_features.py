"""What a network sees of a Concordia state, in words, read slowly from the state dictionary.

Written from the tables in the game's README, not from the compiled code; only for the shipped components.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

from reference.concordia_box import (
    GOODS,
    HOUSE_COINS,
    KINDS,
    PRICE,
    SLOTS,
    SORTS,
    STARTING,
    TILE_COINS,
    WARES,
    Board,
    board,
    kind_of,
)
from reference.concordia_score import points
from reference.concordia_table import Player

State = dict[str, Any]

GODS = ("vesta", "jupiter", "saturnus", "mercurius", "mars", "minerva")
SPECIALISTS = ("mason", "farmer", "smith", "vintner", "weaver")
HOUSES, ROW = 15, 7
COIN_CLASSES = ((21, 24), (25, 29), (30, 39), (40, 49), (50, 69))
RECRUIT = Counter(food=1, tool=1)
HOUSE_GOODS = {good: Counter(["brick", good] if good != "brick" else ["food"]) for good in GOODS}
CHOOSING = ("copy", "tribune", "land", "sea", "build", "prefect", "trade", "hire", "colonist")
FINISHED = {"build": "building", "trade": "trading", "hire": "buying", "colonist": "placing"}


def capped(number: int, most: int) -> str:
    """The number, or that it is the last class or beyond."""
    return f"{most}+" if number >= most else str(number)


def seat_of(name: str) -> int:
    """The number of a seat from 0."""
    return int(name[1:]) - 1


def features(state: State) -> tuple[set[str], list[set[str]]]:
    """Names of the features of the table, and of those of each seat."""
    return of_table(state), [of_player(state, seat) for seat in range(state["seats"])]


# ---- what is under way counts as done


def settled(state: State, seat: int) -> Player:
    """What a seat has when goods are kept, cards paid for, and colonists at the places named."""
    player = Player.from_state(copy.deepcopy(state["players"][seat]))
    if state["phase"] == "keep":
        store(player, receiving(state, seat))
    elif seat == seat_of(state["mover"]):
        if state["phase"] in SORTS:
            named = state["placed"]
            places = player.colonists[state["phase"]]
            player.colonists[state["phase"]] = [*named, *places[len(named) :]]
        if state["hired"]:
            pay_for_hired(state, player)
    return player


def receiving(state: State, seat: int) -> Counter[str]:
    """What the seat still gets of the production under way."""
    keeper, mover, seats = seat_of(state["turn"]), seat_of(state["mover"]), state["seats"]
    if seat == keeper:
        return Counter(state["keeping"])
    if state["producing"] == "none" or (seat - mover) % seats < (keeper - mover) % seats:
        return Counter()
    where = board(state["map"])
    houses = [c for c in state["players"][seat]["houses"] if where.province_of[c] == state["producing"]]
    return Counter(state["tokens"][city] for city in houses)


def store(player: Player, goods: Counter[str]) -> None:
    """The last goods first, as far as there is room."""
    heap = [good for good in GOODS for _ in range(goods[good])]
    player.goods += Counter(heap[::-1][: player.room()])


def pay_for_hired(state: State, player: Player) -> None:
    """The cards into the hand; what is to be paid is paid, of free choice the first goods."""
    first, free = GOODS[0], state["owed"]
    if state["phase"] == "hire":
        bill = bill_of(state, state["hired"])
        free = bill.pop("?", 0)
        player.goods -= bill
    elif state["last"]:
        first = state["last"].partition("=")[2]
    player.hand += [kind_of(state["row"][place - 1]) for place in state["hired"]]
    stored = [good for good in GOODS[GOODS.index(first) :] for _ in range(player.goods[good])]
    player.goods -= Counter(stored[:free])


def bill_of(state: State, places: list[int]) -> Counter[str]:
    """The cost of cards; a Consul doesn't pay for places."""
    bill: Counter[str] = Counter()
    for place in places:
        bill += Counter(WARES[state["row"][place - 1]].cost)
        if state["card"] == "senator":
            bill += Counter(SLOTS[place - 1])
    return bill


# ---- a seat


def of_player(state: State, seat: int) -> set[str]:
    """Everything that the seat's list says."""
    player, entry = settled(state, seat), state["players"][seat]
    found = of_houses(state, player) | of_colonists(state, seat, player) | of_store("", player)
    found |= of_cards(player, entry) | of_points(state, player) | {when(state, seat)}
    if state["magnus"] == f"p{seat + 1}":
        found.add("magnus")
    if state["concordia"] == f"p{seat + 1}":
        found.add("concordia")
    if state["mover"] == f"p{seat + 1}" and state["phase"] in CHOOSING:
        role = KINDS[state["card"]].role
        found.add(f"now {'specialist' if role in SPECIALISTS else role}")
    return found


def of_houses(state: State, player: Player) -> set[str]:
    """Where houses are and what they make."""
    where = board(state["map"])
    made = Counter(state["tokens"][city] for city in player.houses)
    found = {f"house in {state['map']}/{city}" for city in player.houses}
    found |= {f"houses making {good}: {capped(made[good], 6)}" for good in GOODS}
    provinces = {where.province_of[city] for city in player.houses}
    return found | {f"to go {HOUSES - len(player.houses)}", f"provinces {capped(len(provinces), 12)}"}


def of_colonists(state: State, seat: int, player: Player) -> set[str]:
    """What colonists are next to, and the sites that they can get to."""
    where, steps = board(state["map"]), player.on_board()
    if state["mover"] == f"p{seat + 1}" and state["phase"] in (*SORTS, "build"):
        steps = state["steps"]
    found = {f"next to {state['map']}/{city}" for city in near(where, player, 0)}
    found |= {f"{sort} colonists {len(player.colonists[sort])}" for sort in SORTS}
    payable = 0
    for good in GOODS:
        sites = [c for c in near(where, player, steps) if state["tokens"].get(c) == good]
        there = [houses_in(state, city) for city in sites]
        if there:
            can = ", payable" if can_pay(player, good, min(there)) else ""
            found.add(f"site for {good}, houses {capped(min(there), 2)}{can}")
        payable += sum(can_pay(player, good, houses) for houses in there)
    return found | {f"payable sites {capped(payable, 7)}"}


def near(where: Board, player: Player, steps: int) -> set[str]:
    """Cities without an own house at lines that are so many steps away or fewer."""
    cities = set()
    for sort in SORTS:
        for place in player.colonists[sort]:
            for line, away in where.steps[sort][place].items():
                if away <= steps:
                    cities |= set(line.split("-"))
    return cities & set(where.cities) - player.houses


def houses_in(state: State, city: str) -> int:
    """Of all seats."""
    return sum(city in player["houses"] for player in state["players"])


def can_pay(player: Player, good: str, there: int) -> bool:
    """Whether goods and coins suffice for a house where so many are."""
    return HOUSE_GOODS[good] <= player.goods and player.coins >= HOUSE_COINS[good] * (there + 1)


def of_store(then: str, player: Player) -> set[str]:
    """Goods, free slots, and coins."""
    found = {f"{then}{good} {capped(player.goods[good], 7)}" for good in GOODS}
    return found | {f"{then}free {capped(player.room(), 8)}", f"{then}coins {coins_in_words(player.coins)}"}


def coins_in_words(coins: int) -> str:
    """The class of a number of coins."""
    for lowest, highest in COIN_CLASSES:
        if lowest <= coins <= highest:
            return f"{lowest}-{highest}"
    return str(coins) if coins <= 20 else "70+"


def of_cards(player: Player, entry: State) -> set[str]:
    """Cards in hand and in the pile."""
    found = set()
    for where, cards in (("hand", player.hand), ("pile", player.pile)):
        for kind, number in Counter(cards).items():
            found.add(f"{where} {kind}")
            if number > 1:
                found.add(f"{where} {kind}, more than one")
    unknown = entry["hidden"] + entry["hidden_pile"]
    owned = len(player.hand) + len(player.pile) + unknown
    found.add(f"in hand {capped(len(player.hand) + entry['hidden'], 12)}")
    found.add(f"bought {capped(max(0, owned - len(STARTING)), 15)}")
    if unknown:
        found.add(f"unknown {capped(unknown, 7)}")
    if entry["top"] != "none":
        found.add(f"top {entry['top']}")
    return found


def of_points(state: State, player: Player) -> set[str]:
    """Points by the gods."""
    found = set()
    for god in GODS:
        mine = [kind for kind in (*player.hand, *player.pile) if KINDS[kind].god == god]
        found.add(f"cards of {god} {capped(len(mine), 6)}")
        if god != "vesta":
            alone = copy.deepcopy(player)
            alone.hand, alone.pile = mine, []
            found.add(f"fours by {god} {capped(points_of(state, alone) // 4, 11)}")
    total = points_of(state, player)
    worth = player.coins + sum(PRICE[good] * player.goods[good] for good in GOODS)
    found |= {f"fours of points {capped(total // 4, 40)}", f"points beyond {total % 4}"}
    return found | {f"tens of coins with goods {capped(worth // 10, 15)}"}


def points_of(state: State, player: Player) -> int:
    """By all gods, without the card Concordia."""
    return points(player, board(state["map"]), state["tokens"])


def when(state: State, seat: int) -> str:
    """When the seat moves next."""
    seats, mover = state["seats"], seat_of(state["mover"])
    starting = state["phase"] == "card" and state["players"][mover]["top"] == "none"
    passed = state["phase"] not in ("token", "main", "over") and not starting
    order = [(mover + passed + i) % seats for i in range(seats)]
    if state["concordia"] == "none":
        return f"next turn in {order.index(seat)}"
    left = order[: order.index(seat_of(state["concordia"]))]
    return f"last turn in {left.index(seat)}" if seat in left else "no turn left"


# ---- the table


def of_table(state: State) -> set[str]:
    """Everything that the table's list says."""
    name, coins = state["map"], 0
    found = {f"{name}/{city} makes {good}" for city, good in state["tokens"].items()}
    if state["phase"] != "token":
        for province in board(name).provinces:
            face = bonus(state, province)
            if province in state["coin_side"]:
                coins, face = coins + TILE_COINS[face], "coins"
            found.add(f"{name}/{province} shows {face}")
    row = [ware for place, ware in enumerate(state["row"], start=1) if place not in state["hired"]]
    found |= {f"row {place} {ware}" for place, ware in enumerate(row, start=1)}
    found |= {f"coins on tiles {capped(coins, 20)}"}
    found.add(f"pairs for sale {capped((len(row) + state['deck'] + 1) // 2, 16)}")
    found.add(f"least to go {HOUSES - max(len(player['houses']) for player in state['players'])}")
    if len(row) < ROW and state["deck"]:
        found.add("row gap")
    if state["concordia"] != "none":
        found.add("last round")
    return found


def bonus(state: State, province: str) -> str:
    """The dearest good of a province."""
    where = board(state["map"])
    goods = [state["tokens"][city] for city in where.cities if where.province_of[city] == province]
    return max(goods, key=lambda good: PRICE[good])


# ---- an option


def traits(state: State, token: str, after: State) -> set[str]:
    """Names of the traits of a decision; ``after``: the state that it leads to."""
    verb, _, what = token.partition("=")
    if verb in ("play", "copy"):
        return {token.replace("=", " ")}
    seat = seat_of(state["turn"])
    if verb in SORTS:
        return of_move(state, seat, verb, what)
    before, then = Player.from_state(state["players"][seat]), settled(after, seat)
    if state["phase"] == "tribune":  # without what a first game's scoring brings
        then.coins = before.coins
    gained = points_of(after, then) - points_of(state, before)
    found = of_store("then ", then) | {"points lost" if gained < 0 else f"points {capped(gained, 12)}"}
    if verb == "produce":
        return found | of_production(state, seat, what, after)
    if verb == "house":
        return found | of_house(state, before, what)
    return found | of_plain(state, verb, what)


def of_move(state: State, seat: int, sort: str, place: str) -> set[str]:
    """Where a colonist ends."""
    player, where = Player.from_state(state["players"][seat]), board(state["map"])
    cities = set(place.split("-")) & set(where.cities) - player.houses if "-" in place else set()
    found = {f"move next to {state['map']}/{city}" for city in cities} | {f"move by {sort}"}
    found |= {f"move to {state['tokens'][city]}" for city in cities}
    can = sum(can_pay(player, state["tokens"][city], houses_in(state, city)) for city in cities)
    found.add(f"move to payable sites {can}")
    return found | ({"stay"} if place in player.colonists[sort] else set())


def of_production(state: State, seat: int, province: str, after: State) -> set[str]:
    """What a Prefect's production brings whom."""
    gains = [threes(state, after, other) for other in range(state["seats"])]
    found = {f"produce in {state['map']}/{province}", f"bonus {bonus(state, province)}"}
    found.add(f"threes gains {capped(gains.pop(seat), 10)}")
    found.add(f"threes others gain {capped(sum(gains), 10)}")
    return found | ({"doubled"} if state["magnus"] == state["mover"] else set())


def threes(state: State, after: State, seat: int) -> int:
    """What the new goods of a seat are worth, a third of it, at most 10."""
    new = settled(after, seat).goods - Counter(state["players"][seat]["goods"])
    return min(10, sum(PRICE[good] * number for good, number in new.items()) // 3)


def of_house(state: State, player: Player, city: str) -> set[str]:
    """What a house is the first or the next of."""
    where, good = board(state["map"]), state["tokens"][city]
    found = {f"build in {state['map']}/{city}", f"build for {good}"}
    found.add(f"build after {capped(houses_in(state, city), 2)}")
    if all(where.province_of[house] != where.province_of[city] for house in player.houses):
        found.add("new province")
    if all(state["tokens"][house] != good for house in player.houses):
        found.add("new good")
    return found


def of_plain(state: State, verb: str, what: str) -> set[str]:
    """What the token says, with the card that lies at the place."""
    if verb in ("sell", "buy"):
        good, _, number = what.partition("*")
        return {f"{verb} {good} {capped(int(number), 6)}"}
    if verb == "hire":
        return {f"hire {state['row'][int(what) - 1]}", f"hire from {what}"}
    if verb == "colonist" and state["phase"] == "tribune":
        return {f"recruit {what}"}
    if verb == "colonist":
        sort, _, city = what.partition("-")
        return {f"settle by {sort}", f"settle in {state['map']}/{city}"}
    return {f"done {FINISHED[state['phase']]}" if verb == "done" else f"{verb} {what}"}
