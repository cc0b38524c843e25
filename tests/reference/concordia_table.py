"""The table of the reference's Concordia: what lies where, how it is set up, and how it is written down."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from reference.concordia_box import (
    FOR_SALE,
    GOODS,
    KIND_ORDER,
    KINDS,
    PRICE,
    ROMA,
    SLOTS,
    SORTS,
    STARTING,
    Board,
    Card,
    board,
    box,
    ware,
)
from reference.concordia_score import CONCORDIA, places, points, prizes

CHANCE = "chance"
OVER = "over"

STOREHOUSE = 12
COLONISTS = 3
START_COINS = (5, 6, 7, 8, 9)
START_GOODS = {"brick": 1, "food": 2, "tool": 1, "wine": 1, "cloth": 1}
NUMERALS = ("i", "ii", "iii", "iv", "v")
MAPS = {"italia": (2, 3, 4), "imperium": (3, 4, 5)}
VARIANTS = tuple(f"{name}{first}" for name in ("base", *MAPS) for first in ("", "-first"))


@dataclass
class Player:
    """What one seat owns. ``colonists`` are those on the board, in cities and on lines; the others wait."""

    coins: int = 0
    goods: Counter[str] = field(default_factory=lambda: Counter(START_GOODS))
    hand: list[str] = field(default_factory=lambda: [card.kind for card in STARTING])
    pile: list[str] = field(default_factory=list)
    houses: set[str] = field(default_factory=set)
    colonists: dict[str, list[str]] = field(default_factory=lambda: {sort: [ROMA] for sort in SORTS})
    scored: bool = False
    marker: int = 0

    def copy(self) -> Player:
        """The same things once more."""
        colonists = {sort: list(where) for sort, where in self.colonists.items()}
        goods, hand, pile, houses = Counter(self.goods), list(self.hand), list(self.pile), set(self.houses)
        return Player(self.coins, goods, hand, pile, houses, colonists, self.scored, self.marker)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Player:
        """The player that one entry of a state describes; of the pile only the top has a place."""
        pile = list(state["pile"])
        if pile:
            pile.remove(state["top"])
            pile.append(state["top"])
        colonists = {sort: list(state[sort]) for sort in SORTS}
        goods, hand, houses = Counter(state["goods"]), list(state["hand"]), set(state["houses"])
        return cls(state["coins"], goods, hand, pile, houses, colonists, state["scored"], state["marker"])

    def on_board(self) -> int:
        """Colonists outside the storehouse."""
        return sum(map(len, self.colonists.values()))

    def waits(self, sort: str) -> bool:
        """Whether a colonist of this sort is in the storehouse."""
        return len(self.colonists[sort]) < COLONISTS

    def room(self) -> int:
        """Free slots of the storehouse, where goods and waiting colonists lie."""
        return STOREHOUSE - self.goods.total() - (2 * COLONISTS - self.on_board())

    def cards(self) -> list[Card]:
        """All cards, in hand or played."""
        return [KINDS[kind] for kind in (*self.hand, *self.pile)]

    def pay(self, goods: Counter[str], coins: int = 0) -> None:
        """Give goods and coins to the bank."""
        assert goods <= self.goods, f"{goods} is not there"
        self.goods -= goods
        self.coins -= coins
        assert self.coins >= 0, "there are not so many coins"


class Table:
    """Everything on the table. ``mover`` is the seat whose turn it is; others may decide within it."""

    def __init__(self, seats: int, variant: str = "base") -> None:
        """The table before the first city has its token."""
        assert variant in VARIANTS, f"{variant} is none of {' '.join(VARIANTS)}"
        name, _, first = variant.partition("-")
        name = {"base": "imperium" if seats == 5 else "italia"}.get(name, name)
        assert seats in MAPS[name], f"{name} is for {MAPS[name]}, not for {seats}"
        self.seats, self.variant, self.first_game = seats, variant, bool(first)
        self.board: Board = board(name)
        self.good_of: dict[str, str] = {}
        self.tiles: dict[str, str] = {}
        self.coin_side: set[str] = set()
        self.deck = [[card for card in FOR_SALE if card.numeral == n] for n in range(1, seats + 1)]
        self.row: list[str] = []
        self.players = [Player(coins) for coins in START_COINS[:seats]]
        self.magnus = seats - 1
        self.concordia: int | None = None
        self.mover = 0
        self.phase = "token"
        self.clear_turn()

    def clear_turn(self) -> None:
        """Nothing is under way."""
        self.card = "none"
        self.steps = 0
        self.placed: list[str] = []
        self.hired: list[int] = []
        self.owed = 0
        self.last = ""
        self.producing = "none"
        self.receipts: list[tuple[int, Counter[str]]] = []

    def copy(self) -> Self:
        """An independent game in the same state; the board is shared, for nothing changes it."""
        twin = copy.copy(self)
        twin.good_of, twin.tiles, twin.coin_side = dict(self.good_of), dict(self.tiles), set(self.coin_side)
        twin.deck = [list(block) for block in self.deck]
        twin.row, twin.placed, twin.hired = list(self.row), list(self.placed), list(self.hired)
        twin.players = [player.copy() for player in self.players]
        twin.receipts = [(seat, Counter(goods)) for seat, goods in self.receipts]
        return twin

    # -- setting up and refilling -----------------------------------------------------------------------

    def next_city(self) -> str | None:
        """Cities get their tokens letter by letter."""
        waiting = [city for city in self.board.cities if city not in self.good_of]
        return min(waiting, key=lambda city: self.board.letter_of[city], default=None)

    def tokens_left(self) -> Counter[str]:
        """Tokens of the next city's letter that lie on no city yet."""
        letter = self.board.letter_of[self.next_city() or ""]
        laid = [good for city, good in self.good_of.items() if self.board.letter_of[city] == letter]
        return Counter(box()["tokens"][letter]) - Counter(laid)

    def lay_token(self, good: str) -> None:
        """A city gets its good; with the last one, each province gets the tile of its dearest good."""
        self.good_of[self.next_city() or ""] = good
        if self.next_city() is None:
            self.lay_tiles()
            self.phase = "card"

    def lay_tiles(self) -> None:
        """The dearest good of a province is its bonus."""
        for province in self.board.provinces:
            goods = [good for city, good in self.good_of.items() if self.board.province_of[city] == province]
            self.tiles[province] = max(goods, key=lambda good: PRICE[good])

    def next_block(self) -> list[Card]:
        """The cards of which one is on top of the deck: all of I come before II, and so on."""
        return next((block for block in self.deck if block), [])

    def pile_at_hand(self) -> tuple[str, list[str], list[str]]:
        """Tokens of a letter or cards of a numeral: the name, all outcomes, and those still in the pile."""
        if self.phase == "token":
            letter = self.board.letter_of[self.next_city() or ""]
            tokens = Counter(box()["tokens"][letter])
            return letter.lower(), token_outcomes(tokens), token_outcomes(self.tokens_left())
        left = self.next_block()
        every = [card for card in FOR_SALE if card.numeral == left[0].numeral]
        return NUMERALS[left[0].numeral - 1], card_outcomes(every), card_outcomes(left)

    def weights(self) -> dict[str, float]:
        """The probability of each outcome of a chance event: every token or card is equally likely."""
        _, _, left = self.pile_at_hand()
        return {outcome: number / len(left) for outcome, number in Counter(left).items()}

    def set_up(self) -> bool:
        """Whether nobody has had a turn: somebody who buys cards has played one."""
        return not any(player.pile for player in self.players)

    def turn_up_card(self, name: str) -> None:
        """The next card comes to the right end of the row; a full row ends the set-up or the turn."""
        block = self.next_block()
        block.remove(next(card for card in block if ware(card) == name))
        self.row.append(name)
        if len(self.row) < len(SLOTS) and self.next_block():
            return
        if self.set_up():
            self.phase = "main"
        else:
            self.end_turn()

    # -- the turn --------------------------------------------------------------------------------------

    @property
    def actor(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mover]

    def ask(self, phase: str) -> None:
        """The next decision is of this phase."""
        self.phase = phase

    def trigger_the_end(self) -> None:
        """The first one to do it takes the card Concordia (17, 18)."""
        if self.concordia is None:
            self.concordia = self.mover

    def end_turn(self) -> None:
        """The next seat goes on, until it is the one who triggered the end."""
        if self.first_game and self.card == "tribune" and not self.actor.scored:
            self.score_first_tribune()
        self.clear_turn()
        self.mover = (self.mover + 1) % self.seats
        self.ask("over" if self.mover == self.concordia else "main")

    def score_first_tribune(self) -> None:
        """In a first game everybody's points are compared once, when all have played a Tribune (36)."""
        self.actor.marker = self.scores()[self.mover]
        self.actor.scored = True
        if all(player.scored for player in self.players):
            for player, coins in zip(self.players, prizes([p.marker for p in self.players]), strict=True):
                player.coins += coins
                player.marker = 0

    # -- the outcome ------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of each seat, as if the game ended now."""
        totals = [points(player, self.board, self.good_of) for player in self.players]
        return [total + CONCORDIA * (seat == self.concordia) for seat, total in enumerate(totals)]

    def ranks(self) -> list[int]:
        """The place of each seat; the Praefectus Magnus breaks ties (35)."""
        return places(self.scores(), self.magnus)

    # -- as a dictionary --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything on the table, in the form that the compiled rules give it."""
        return {
            "game": "concordia",
            "map": self.board.name,
            "seats": self.seats,
            "turn": self.turn(),
            "mover": f"p{self.mover + 1}",
            "phase": self.phase,
            "tokens": {city: self.good_of[city] for city in self.board.cities if city in self.good_of},
            "coin_side": [province for province in self.board.provinces if province in self.coin_side],
            "row": list(self.row),
            "deck": sum(map(len, self.deck)),
            "unseen": {
                NUMERALS[block[0].numeral - 1]: [ware(card) for card in block] for block in self.deck if block
            },
            "magnus": f"p{self.magnus + 1}",
            "concordia": "none" if self.concordia is None else f"p{self.concordia + 1}",
            "card": self.card,
            "steps": self.steps,
            "placed": list(self.placed),
            "hired": list(self.hired),
            "owed": self.owed,
            "last": self.last,
            "producing": self.producing,
            "keeping": self.keeping(),
            "vague": False,
            "witnessed": {},
            "players": [self.player_state(player) for player in self.players],
        }

    def to_act(self) -> int | str:
        """The seat that decides, or that chance does, or that nobody does."""
        if self.phase == "over":
            return OVER
        if self.phase in ("token", "card"):
            return CHANCE
        return self.receipts[0][0] if self.phase == "keep" else self.mover

    def turn(self) -> str:
        """Who is to act, as the state spells it."""
        actor = self.to_act()
        return f"p{actor + 1}" if isinstance(actor, int) else {CHANCE: "chance", OVER: "none"}[actor]

    def keeping(self) -> dict[str, int]:
        """What the seat that chooses may still keep."""
        goods = self.receipts[0][1] if self.phase == "keep" else Counter[str]()
        return {good: goods[good] for good in GOODS if goods[good]}

    def player_state(self, player: Player) -> dict[str, Any]:
        """One seat; cards are in the order of the list, colonists on lines before those in cities."""
        return {
            "coins": player.coins,
            "goods": {good: player.goods[good] for good in GOODS},
            "hand": sorted(player.hand, key=KIND_ORDER.index),
            "pile": sorted(player.pile, key=KIND_ORDER.index),
            "top": player.pile[-1] if player.pile else "none",
            "hidden": 0,
            "hidden_pile": 0,
            "secret": [],
            "secret_pile": [],
            "houses": [city for city in self.board.cities if city in player.houses],
            **{sort: self.board.ordered(sort, player.colonists[sort]) for sort in SORTS},
            "scored": player.scored,
            "marker": player.marker,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any], first_game: bool = False) -> Self:
        """The game that a state describes; a game that is over has no next turn to describe."""
        game = cls(state["seats"], state["map"] + "-first" * first_game)
        game.mover, game.phase, game.card = seat_of(state["mover"]), state["phase"], state["card"]
        game.good_of = dict(state["tokens"])
        if game.next_city() is None:
            game.lay_tiles()
        game.coin_side, game.row = set(state["coin_side"]), list(state["row"])
        for block, numeral in zip(game.deck, NUMERALS, strict=False):
            block[:] = [card for card in block if ware(card) in state["unseen"].get(numeral, [])]
        game.magnus = seat_of(state["magnus"])
        game.concordia = None if state["concordia"] == "none" else seat_of(state["concordia"])
        game.steps, game.owed, game.last = state["steps"], state["owed"], state["last"]
        game.placed, game.hired = list(state["placed"]), list(state["hired"])
        game.producing = state["producing"]
        game.players = [Player.from_state(player) for player in state["players"]]
        if game.phase == "keep":
            keeper = seat_of(state["turn"])
            game.receipts = [(keeper, Counter(state["keeping"])), *game.receipts_after(keeper)]
        return game

    def in_turn_order(self) -> list[int]:
        """All seats, the mover first."""
        return [(self.mover + n) % self.seats for n in range(self.seats)]

    def made_in(self, seat: int, province: str) -> Counter[str]:
        """What the houses of a seat produce in a province."""
        houses = self.players[seat].houses
        return Counter(self.good_of[city] for city in houses if self.board.province_of[city] == province)

    def receipts_after(self, keeper: int) -> list[tuple[int, Counter[str]]]:
        """What the seats after one that chooses will still receive."""
        order = self.in_turn_order()
        later = order[order.index(keeper) + 1 :] if self.producing != "none" else []
        return [(seat, self.made_in(seat, self.producing)) for seat in later]


def token_outcomes(tokens: Counter[str]) -> list[str]:
    """The events that lay one of these tokens, good by good."""
    return [f"~token={good}" for good in GOODS for _ in range(tokens[good])]


def card_outcomes(cards: list[Card]) -> list[str]:
    """The events that turn up one of these cards."""
    return [f"~card={ware(card)}" for card in cards]


def seat_of(name: str) -> int:
    """The number of a seat: p1 is 0."""
    return int(name[1:]) - 1
