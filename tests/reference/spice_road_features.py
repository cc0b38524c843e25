"""What a network sees of a Spice Road state, in words, read slowly from the state dictionary.

Written from the table in the game's README, not from the compiled code; only for the shipped components.
"""

from __future__ import annotations

import copy
from typing import Any

State = dict[str, Any]

COLOURS = "yrgb"
WORDS = ("yellow", "red", "green", "brown")
CLAIMS_TO_END = {2: 6, 3: 6, 4: 5, 5: 5}
STARTERS = 2


def features(state: State) -> tuple[set[str], list[set[str]]]:
    """Names of the features of the table, and of those of each seat."""
    after = settled(state)
    return of_table(after), [of_player(after, seat) for seat in range(state["seats"])]


def settled(state: State) -> State:
    """The state with payment and return made, cheapest cubes first; ``passed``: the mover's turn is done."""
    after = paid_up(state)
    for player in after["players"]:
        player["caravan"] = player["caravan"][max(0, len(player["caravan"]) - 10) :]
    return after


def paid_up(state: State) -> State:
    """The same with the payment made, and nothing returned."""
    after = copy.deepcopy(state)
    after["passed"] = state["phase"] not in ("main", "over")
    after["mover"] = {"chance": state.get("mover"), "none": "p1"}.get(state["turn"], state["turn"])
    player = after["players"][int(after["mover"][1:]) - 1]
    if state["phase"] == "pay":
        pay(after, player)
    return after


def pay(state: State, player: State) -> None:
    """Lay what is still owed, take the card and the cubes on it."""
    for stall in state["market"][state["paid"] : state["taking"] - 1]:
        stall["cubes"] += player["caravan"][0]
        player["caravan"] = player["caravan"][1:]
    taken = state["market"].pop(state["taking"] - 1)
    player["hand"].append(taken["card"])
    player["caravan"] = "".join(sorted(player["caravan"] + taken["cubes"], key=COLOURS.index))


def capped(number: int, most: int) -> str:
    """The number, or that it is the last class or beyond."""
    return f"{most}+" if number >= most else str(number)


# ---- a seat


def of_player(state: State, seat: int) -> set[str]:
    """Everything that the seat's list says."""
    player = state["players"][seat]
    caravan, hand, held = player["caravan"], player["hand"], len(player["hand"]) + player["hidden"]
    found = {f"{word} {caravan.count(c)}" for word, c in zip(WORDS, COLOURS, strict=True)}
    found |= {
        f"cubes {len(caravan)}",
        *(f"hand {c}" for c in hand),
        *(f"played {c}" for c in player["played"]),
    }
    found.add(f"merchants {capped(held + len(player['played']) - STARTERS, 15)}")
    found.add(f"in hand {capped(held, 12)}")
    found.add(f"playable {capped(sum(playable(card, caravan) for card in hand), 7)}")
    if player["hidden"]:
        found.add(f"unknown {capped(player['hidden'], 7)}")
    points = points_of(player)
    found.add(f"to go {CLAIMS_TO_END[state['seats']] - len(player['claimed'])}")
    found |= {f"fours of points {capped(points // 4, 30)}", f"points beyond {points % 4}"}
    return found | {when(state, seat)} | claims(state, caravan)


def playable(card: str, caravan: str) -> bool:
    """Whether the caravan holds what the card wants."""
    given = card.partition(">")[0] if ">" in card else ""
    return all(caravan.count(c) >= given.count(c) for c in given)


def points_of(player: State) -> int:
    """Claimed cards and coins."""
    known = [int(name.partition("=")[2]) for name in player["claimed"] if name != "?"]
    return int(sum(known) + 3 * player["gold"] + player["silver"])


def when(state: State, seat: int) -> str:
    """When the seat moves next."""
    seats, following = state["seats"], int(state["mover"][1:]) - 1 + state["passed"]
    over = state["phase"] == "over" or (following == seats and state["last_round"])
    due = [(following + i) % seats for i in range(seats)]
    rest = () if over else range(following % seats, seats)
    last = "last round, " if state["last_round"] else ""
    left = "turn left, " if seat in rest else ""
    return f"{last}{left}next turn in {due.index(seat)}"


def claims(state: State, caravan: str) -> set[str]:
    """How near the point cards are."""
    found, can = set(), []
    for slot, (value, lacking) in enumerate(offers(state, caravan), start=1):
        found.add(f"point {slot}, {value_class(value)}, missing {capped(lacking, 5)}")
        if lacking == 0:
            can.append(value)
    if can:
        found |= {f"claimable {len(can)}", f"twos of the best claim {capped(max(can) // 2, 12)}"}
    return found


def offers(state: State, caravan: str) -> list[tuple[int, int]]:
    """For each point card its value with the coin, and the cubes that are missing."""
    found = []
    for slot, name in enumerate(state["points"]):
        cost, _, printed = name.partition("=")
        lacking = sum(max(0, cost.count(c) - caravan.count(c)) for c in COLOURS)
        found.append((int(printed) + coin(state, slot), lacking))
    return found


def coin(state: State, slot: int) -> int:
    """Points of the coin over a slot."""
    over = ([3] if state["gold"] else []) + ([1] if state["silver"] else [])
    return over[slot] if slot < len(over) else 0


def value_class(value: int) -> str:
    """The words for a point card's value."""
    for highest, words in ((9, "up to 9"), (12, "10-12"), (15, "13-15"), (18, "16-18")):
        if value <= highest:
            return words
    return "from 19"


# ---- the table


def of_table(state: State) -> set[str]:
    """Everything that the table's list says."""
    claims_made = max(len(player["claimed"]) for player in state["players"])
    found = {f"market {i + 1} {stall['card']}" for i, stall in enumerate(state["market"])}
    found |= {f"point {i + 1} {name}" for i, name in enumerate(state["points"])}
    for i, stall in enumerate(state["market"]):
        if lying := stall["cubes"]:
            worth = sum(COLOURS.index(c) + 1 for c in lying)
            found.add(f"cubes on market {i + 1}: {capped(len(lying), 6)}")
            found.add(f"worth on market {i + 1}: {capped(worth, 12)}")
    found |= {f"gold {state['gold']}", f"silver {state['silver']}"}
    found.add(f"least to go {CLAIMS_TO_END[state['seats']] - claims_made}")
    found.add(f"fours of merchants in the deck {capped(-(-state['merchants_left'] // 4), 10)}")
    if len(state["market"]) < 6 and state["merchants_left"]:
        found.add("market gap")
    if len(state["points"]) < 5:
        found.add("point gap")
    return found


# ---- an option


def traits(state: State, token: str, after: State) -> set[str]:
    """Names of the traits of a decision; ``after``: the state that it leads to."""
    seat = int(state["turn"][1:]) - 1
    caravans = [done(after)["players"][seat]["caravan"] for done in (paid_up, settled)]
    lost, best = len(caravans[0]) - len(caravans[1]), best_offer(after, caravans[1])
    found = {f"then {word} {caravans[1].count(c)}" for word, c in zip(WORDS, COLOURS, strict=True)}
    found |= {f"lost {capped(lost, 5)}", f"then twos of the best claim {capped(best // 2, 12)}"}
    return found | named_option(state, token)


def best_offer(state: State, caravan: str) -> int:
    """The value of the best point card that the cubes pay for, 0 if there is none."""
    return max((value for value, lacking in offers(state, caravan) if lacking == 0), default=0)


def named_option(state: State, token: str) -> set[str]:
    """What the token says, with the card that lies in the slot."""
    verb, _, what = token.partition("=")
    if verb == "claim":
        return {f"claim {state['points'][int(what) - 1]}", f"claim from {what}"}
    if verb == "take":
        return {f"take {state['market'][int(what) - 1]['card']}", f"take from {what}"}
    if verb in ("pay", "drop"):
        colour = WORDS[COLOURS.index(what)]
        return {f"pay {colour}" if verb == "pay" else f"return {colour}"}
    if verb == "rest":
        return {"rest"}
    card = what.partition(",")[0]
    if card.startswith("up"):
        return {f"upgrade by {card}"}
    card, _, times = card.partition("*")
    return {f"play {card}", f"times {capped(int(times or 1), 6)}"}
