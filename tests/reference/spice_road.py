"""A second reading of Century: Spice Road, written for clarity and not for speed.

The compiled rules are checked against this one event by event, so it shares nothing with them: it has its own
copy of the component list, and it keeps the table as a person would see it: card names in lists, cubes in
counters. Where this file and the compiled rules differ, the printed rules decide.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COLOURS = "yrgb"
"""Cheapest first: yellow, red, green, brown."""

CHANCE = "chance"
OVER = "over"

OWN_LIST = Path(__file__).with_name("spice_road_cards.json")


def load_components(source: dict[str, Any] | str | Path = OWN_LIST) -> dict[str, Any]:
    """The component list from a dictionary, from a JSON file like our own, or from a TOML component file."""
    if isinstance(source, dict):
        return source
    text = Path(source).read_text(encoding="utf-8")
    if str(source).endswith(".toml"):
        return from_component_file(tomllib.loads(text))
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def from_component_file(data: dict[str, Any]) -> dict[str, Any]:
    """A component file as a list like our own; what the file does not say is as in ours."""
    setup = load_components()["setup"]
    known = {"start": data["setup"]["start_cubes"], "target": data["setup"]["claims_to_end"]}
    return {
        "setup": {**setup, **known},
        "starters": [named_card(entry) for entry in data["starter"]],
        "merchants": [named_card(entry) for entry in data["merchant"]],
        "points": [named_goal(entry) for entry in data["point"]],
    }


def named_card(entry: dict[str, Any]) -> dict[str, Any]:
    """A starting or merchant card with its name and kind; cubes are sorted."""
    if "upgrades" in entry:
        return {"name": f"up{entry['upgrades']}", "kind": "upgrade", "upgrades": entry["upgrades"]}
    get = word(Counter(entry["get"]))
    if "give" not in entry:
        return {"name": f"+{get}", "kind": "produce", "get": get}
    give = word(Counter(entry["give"]))
    return {"name": f"{give}>{get}", "kind": "trade", "give": give, "get": get}


def named_goal(entry: dict[str, Any]) -> dict[str, Any]:
    """A point card with its name; cubes are sorted."""
    cost = word(Counter(entry["cost"]))
    return {"name": f"{cost}={entry['points']}", "cost": cost, "points": entry["points"]}


def word(cubes: Counter[str]) -> str:
    """Cubes as a word, cheapest first: two yellow and a green are "yyg"."""
    return "".join(colour * cubes[colour] for colour in COLOURS)


def contains(cubes: Counter[str], wanted: str) -> bool:
    """Whether every cube of the word is there, each counted once."""
    return all(cubes[colour] >= wanted.count(colour) for colour in COLOURS)


@dataclass
class Player:
    """What lies in front of one seat."""

    caravan: Counter[str]
    hand: list[str]
    played: list[str] = field(default_factory=list)
    claimed: list[str] = field(default_factory=list)
    gold: int = 0
    silver: int = 0

    def copy(self) -> Player:
        """The same things once more."""
        hand, played, claimed = list(self.hand), list(self.played), list(self.claimed)
        return Player(Counter(self.caravan), hand, played, claimed, self.gold, self.silver)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Player:
        """The player that one entry of a state describes."""
        hand, played, claimed = (list(state[key]) for key in ("hand", "played", "claimed"))
        return cls(Counter(state["caravan"]), hand, played, claimed, state["gold"], state["silver"])


@dataclass
class Stall:
    """One card of the market row with the cubes that earlier buyers left on it."""

    card: str
    cubes: Counter[str] = field(default_factory=Counter)


class Reference:
    """A game in progress. ``legal`` lists what may happen next and ``apply`` makes it happen.

    ``seat`` is the seat whose turn it is; while the rows are dealt it is the last one, for p1 is next.
    """

    def __init__(self, seats: int, components: dict[str, Any] | str | Path = OWN_LIST) -> None:
        """The table before the first market card is turned up."""
        assert 2 <= seats <= 5, f"2 to 5 seats, not {seats}"
        data = load_components(components)
        self.setup: dict[str, Any] = data["setup"]
        self.cards = {card["name"]: card for card in [*data["starters"], *data["merchants"]]}
        self.goals = {card["name"]: card for card in data["points"]}
        self.seats = seats
        self.merchants = [card["name"] for card in data["merchants"]]
        self.merchant_deck = list(self.merchants)
        self.point_deck = list(self.goals)
        self.market: list[Stall] = []
        self.points: list[str] = []
        self.target: int = self.setup["target"][str(seats)]
        self.gold = self.silver = self.setup["coins_per_seat"] * seats
        starters = [card["name"] for card in data["starters"]]
        self.players = [Player(Counter(cubes), list(starters)) for cubes in self.setup["start"][:seats]]
        self.seat = seats - 1
        self.phase, self.dealing = "market", True
        self.taking = self.paid = 0

    def copy(self) -> Reference:
        """An independent game in the same state; the component list is shared, for nothing changes it."""
        twin = copy.copy(self)
        twin.merchant_deck = list(self.merchant_deck)
        twin.point_deck = list(self.point_deck)
        twin.market = [Stall(stall.card, Counter(stall.cubes)) for stall in self.market]
        twin.points = list(self.points)
        twin.players = [player.copy() for player in self.players]
        return twin

    # -- who and what may come next ---------------------------------------------------------------------

    def to_act(self) -> int | str:
        """The seat that decides, or that chance does, or that nobody does."""
        if self.phase == "over":
            return OVER
        return CHANCE if self.phase in ("market", "point") else self.seat

    def legal(self) -> list[str]:
        """Every decision of the seat to act, or every outcome of the chance event."""
        if self.phase == "main":
            return [*self.rests(), *self.claims(), *self.takes(), *self.plays()]
        if self.phase in ("pay", "drop"):
            return [f"{self.phase}={colour}" for colour in COLOURS if self.actor.caravan[colour]]
        if self.phase == "market":
            return [f"~market={card}" for card in self.merchant_deck]
        if self.phase == "point":
            return [f"~point={card}" for card in self.point_deck]
        return []

    @property
    def actor(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat]

    def rests(self) -> list[str]:
        """Resting takes played cards back, so it needs a played card."""
        return ["rest"] if self.actor.played else []

    def claims(self) -> list[str]:
        """Point cards whose very cubes are in the caravan."""
        costs = [self.goals[name]["cost"] for name in self.points]
        have = self.actor.caravan
        return [f"claim={slot}" for slot, cost in enumerate(costs, start=1) if contains(have, cost)]

    def takes(self) -> list[str]:
        """Merchants for which there is a cube for each card on their left."""
        slots = range(1, len(self.market) + 1)
        return [f"take={slot}" for slot in slots if self.actor.caravan.total() >= slot - 1]

    def plays(self) -> list[str]:
        """Every way to play every card of the hand."""
        return [token for name in self.actor.hand for token in self.ways(name)]

    def ways(self, name: str) -> list[str]:
        """Every way to play one card."""
        card = self.cards[name]
        if card["kind"] == "trade":
            return [f"play={name}*{times}" for times in range(1, self.most_trades(card["give"]) + 1)]
        if card["kind"] == "upgrade":
            return [",".join([f"play={name}", *steps]) for steps in self.upgrades(card["upgrades"])]
        return [f"play={name}"]

    def most_trades(self, give: str) -> int:
        """How often the caravan can pay for a trade."""
        return min(self.actor.caravan[colour] // give.count(colour) for colour in set(give))

    def upgrades(self, most: int) -> list[list[str]]:
        """Every choice of at most so many single steps; cheaper steps go first, so one cube may climb on."""
        have = self.actor.caravan
        found = []
        for reds in range(min(most, have["y"]) + 1):
            for greens in range(min(most - reds, have["r"] + reds) + 1):
                for browns in range(min(most - reds - greens, have["g"] + greens) + 1):
                    found.append(["y>r"] * reds + ["r>g"] * greens + ["g>b"] * browns)
        return found

    def pile_at_hand(self) -> tuple[str, list[str], list[str]]:
        """The deck that a card is turned up from: its name, all its outcomes, and those still in it."""
        cards = self.merchants if self.phase == "market" else list(self.goals)
        return self.phase, [f"~{self.phase}={card}" for card in cards], self.legal()

    def weights(self) -> dict[str, float]:
        """The probability of each outcome of a chance event: all cards of a deck are equally likely."""
        outcomes = self.legal()
        return dict.fromkeys(outcomes, 1 / len(outcomes))

    # -- making it happen -------------------------------------------------------------------------------

    def apply(self, token: str) -> None:
        """Make one legal event happen."""
        assert token in self.legal(), f"{token} is not legal here; legal are {self.legal()}"
        verb, _, rest = token.partition("=")
        actions = {
            "rest": self.rest,
            "claim": self.claim,
            "take": self.take,
            "pay": self.pay,
            "drop": self.drop,
            "play": self.play,
            "~market": self.turn_up_merchant,
            "~point": self.turn_up_goal,
        }
        actions[verb](rest)

    def rest(self, _: str) -> None:
        """Take all played cards back."""
        self.actor.hand += self.actor.played
        self.actor.played = []
        self.end_turn()

    def play(self, words: str) -> None:
        """Lay a card down and do what it says."""
        how, *steps = words.split(",")
        name, _, times = how.partition("*")
        card = self.cards[name]
        self.actor.hand.remove(name)
        self.actor.played.append(name)
        if card["kind"] == "upgrade":
            swaps = [step.split(">") for step in steps]
        else:
            swaps = [[card.get("give", ""), card["get"]]] * int(times or 1)
        for give, get in swaps:
            self.actor.caravan.subtract(give)
            self.actor.caravan.update(get)
            assert min(self.actor.caravan.values()) >= 0, f"{words} spends a cube that is not there"
        self.end_turn()

    def claim(self, slot: str) -> None:
        """Deliver the cubes of a point card, take it, and take the coin that lies above it."""
        name = self.points.pop(int(slot) - 1)
        self.actor.caravan.subtract(self.goals[name]["cost"])
        self.actor.claimed.append(name)
        self.take_coin(int(slot))
        if self.point_deck:
            self.phase = "point"
        else:
            self.end_turn()

    def take_coin(self, slot: int) -> None:
        """Gold lies above slot 1 and silver above slot 2; once gold is gone, silver lies above slot 1."""
        if slot == 1 and self.gold:
            self.gold -= 1
            self.actor.gold += 1
        elif self.silver and slot == (2 if self.gold else 1):
            self.silver -= 1
            self.actor.silver += 1

    def take(self, slot: str) -> None:
        """Choose a merchant; the cards on its left are paid one by one, from the left."""
        self.taking = int(slot)
        self.paid = 0
        self.collect_if_paid()

    def pay(self, colour: str) -> None:
        """Put one cube on the next card on the left of the chosen one."""
        self.actor.caravan[colour] -= 1
        self.market[self.paid].cubes[colour] += 1
        self.paid += 1
        self.collect_if_paid()

    def collect_if_paid(self) -> None:
        """Take the chosen merchant and the cubes on it, once every card on its left has its cube."""
        if self.paid < self.taking - 1:
            self.phase = "pay"
            return
        stall = self.market.pop(self.taking - 1)
        self.actor.hand.append(stall.card)
        self.actor.caravan.update(stall.cubes)
        self.taking = self.paid = 0
        if self.merchant_deck:
            self.phase = "market"
        else:
            self.end_turn()

    def drop(self, colour: str) -> None:
        """Give one cube back."""
        self.actor.caravan[colour] -= 1
        self.end_turn()

    def turn_up_merchant(self, name: str) -> None:
        """The next merchant of the deck comes to the right end of the market."""
        self.merchant_deck.remove(name)
        self.market.append(Stall(name))
        self.after_turning_up()

    def turn_up_goal(self, name: str) -> None:
        """The next point card of the deck comes to the right end of its row."""
        self.point_deck.remove(name)
        self.points.append(name)
        self.after_turning_up()

    def after_turning_up(self) -> None:
        """Go on dealing the two rows before the first turn; later on, a turned up card ends the turn."""
        if self.dealing and len(self.market) < self.setup["market_row"]:
            self.phase = "market"
        elif self.dealing and len(self.points) < self.setup["point_row"]:
            self.phase = "point"
        else:
            self.dealing = False
            self.end_turn()

    def end_turn(self) -> None:
        """Ask for a cube while the caravan is overloaded; then the next seat goes on, or the game ends."""
        if self.actor.caravan.total() > self.setup["limit"]:
            self.phase = "drop"
            return
        self.seat = (self.seat + 1) % self.seats
        self.phase = "over" if self.seat == 0 and self.last_round() else "main"

    def last_round(self) -> bool:
        """Whether somebody holds as many point cards as end the game with this round."""
        return any(len(player.claimed) >= self.target for player in self.players)

    # -- the outcome ------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of each seat, as if the game ended now."""
        return [self.score(player) for player in self.players]

    def score(self, player: Player) -> int:
        """Claimed cards, coins, and the cubes that are worth a point."""
        worth: dict[str, int] = self.setup["cube_values"]
        cards = sum(int(self.goals[name]["points"]) for name in player.claimed)
        coins = int(self.setup["gold_value"]) * player.gold + int(self.setup["silver_value"]) * player.silver
        return cards + coins + sum(worth[colour] * player.caravan[colour] for colour in COLOURS)

    def ranks(self) -> list[int]:
        """The place of each seat: more points first, and among equals the later seat first."""
        totals = self.scores()
        order = sorted(range(self.seats), key=lambda seat: (totals[seat], seat), reverse=True)
        return [order.index(seat) + 1 for seat in range(self.seats)]

    # -- the whole table as a dictionary ----------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything on the table, in the form that the compiled rules give it."""
        mover = {"mover": f"p{self.seat + 1}"} if self.to_act() == CHANCE else {}
        return {
            "game": "spice_road",
            "seats": self.seats,
            "turn": self.turn(),
            "phase": self.phase,
            "market": [{"card": stall.card, "cubes": word(stall.cubes)} for stall in self.market],
            "points": list(self.points),
            "gold": self.gold,
            "silver": self.silver,
            "merchants_left": len(self.merchant_deck),
            "points_left": len(self.point_deck),
            "taking": self.taking,
            "paid": self.paid,
            "last_round": self.last_round(),
            "players": [self.player_state(player) for player in self.players],
            **mover,
        }

    def turn(self) -> str:
        """Who is to act, as the state spells it."""
        actor = self.to_act()
        return {CHANCE: "chance", OVER: "none"}.get(str(actor), f"p{self.seat + 1}")

    def player_state(self, player: Player) -> dict[str, Any]:
        """One seat; cards are in the order of the component list, claimed ones in the order of claiming."""
        order = list(self.cards)
        return {
            "caravan": word(player.caravan),
            "hand": sorted(player.hand, key=order.index),
            "hidden": 0,
            "secret": [],
            "played": sorted(player.played, key=order.index),
            "claimed": list(player.claimed),
            "veiled": [],
            "gold": player.gold,
            "silver": player.silver,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Reference:
        """The game that a state describes; a game that is over has no next turn to describe."""
        game = cls(state["seats"])
        game.seat = int(state.get("mover", state["turn"])[1:]) - 1
        game.phase = state["phase"]
        game.market = [Stall(stall["card"], Counter(stall["cubes"])) for stall in state["market"]]
        game.points = list(state["points"])
        game.gold, game.silver = state["gold"], state["silver"]
        game.taking, game.paid = state["taking"], state["paid"]
        game.players = [Player.from_state(player) for player in state["players"]]
        claimed = any(player.claimed for player in game.players)
        game.dealing = len(game.points) < game.setup["point_row"] and not claimed
        game.take_seen_cards_out_of_the_decks()
        return game

    def take_seen_cards_out_of_the_decks(self) -> None:
        """Whatever lies in a row or with a player cannot be turned up again."""
        seen = {stall.card for stall in self.market} | set(self.points)
        for player in self.players:
            seen |= {*player.hand, *player.played, *player.claimed}
        self.merchant_deck = [name for name in self.merchant_deck if name not in seen]
        self.point_deck = [name for name in self.point_deck if name not in seen]
