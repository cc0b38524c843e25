"""A second reading of Concordia, written for clarity and not for speed.

The compiled rules are checked against this one event by event, so it shares nothing with them: it has its
own list of what is in the box, and it keeps the table as a person would see it: names in lists, goods in
counters. Where this file and the compiled rules differ, the printed rules and the rulings decide. A number in
brackets is the ruling's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from reference.concordia_box import (
    HOUSE_COINS,
    KIND_ORDER,
    KINDS,
    ROMA,
    SORTS,
    ends,
    kind_of,
)
from reference.concordia_choices import Walkers, hires, payable, price
from reference.concordia_goods import GoodsTable
from reference.concordia_score import MADE_BY
from reference.concordia_table import CHANCE, OVER, VARIANTS, Player

__all__ = ["CHANCE", "OVER", "VARIANTS", "Player", "Reference"]

HOUSES = 15
SETTLER = Counter(food=1, tool=1)
"""What a new colonist costs."""
NOT_TO_BE_COPIED = ("diplomat", "tribune")


class Reference(GoodsTable):
    """A game in progress. ``legal`` lists what may happen next and ``apply`` makes it happen."""

    # -- who and what may come next ---------------------------------------------------------------------

    def legal(self) -> list[str]:
        """Every decision of the seat to act, or every outcome of the chance event."""
        options: dict[str, Callable[[], list[str]]] = {
            "token": lambda: list(self.weights()),
            "card": lambda: list(self.weights()),
            "main": lambda: [f"play={kind}" for kind in dict.fromkeys(self.actor.hand)],
            "copy": lambda: [f"copy={kind}" for kind in self.copyable()],
            "tribune": lambda: [f"colonist={sort}" for sort in (*filter(self.actor.waits, SORTS), "none")],
            "land": lambda: [f"land={place}" for place in self.ends_to_name()],
            "sea": lambda: [f"sea={place}" for place in self.ends_to_name()],
            "build": lambda: [*(f"house={city}" for city in self.sites()), "done"],
            "prefect": self.governments,
            "keep": lambda: [f"keep={good}" for good in self.keepable()],
            "trade": lambda: [*self.trades(), "done"],
            "hire": self.hireable,
            "pay": lambda: [f"pay={good}" for good in payable(self.actor.goods, self.owed, self.last_good())],
            "colonist": self.settlements,
            "over": list,
        }
        return options[self.phase]()

    def apply(self, token: str) -> None:
        """Make one legal event happen."""
        assert token in self.legal(), f"{token} is not legal here; legal are {self.legal()}"
        _, _, what = token.partition("=")
        events: dict[str, Callable[[str], None]] = {
            "token": self.lay_token,
            "card": self.turn_up_card,
            "main": self.play,
            "copy": self.carry_out,
            "tribune": self.bring_one_colonist,
            "land": self.name_end,
            "sea": self.name_end,
            "build": lambda city: self.build(city) if city else self.end_turn(),
            "prefect": lambda what: self.collect_coins() if what == "provinces" else self.produce(what),
            "keep": self.keep,
            "trade": lambda _: self.trade(token) if token != "done" else self.end_turn(),
            "hire": lambda place: self.hire(int(place)) if place else self.close_deal(),
            "pay": self.pay_any,
            "colonist": lambda what: self.settle(what) if what else self.end_turn(),
        }
        events[self.phase](what)

    # -- a turn: one card -------------------------------------------------------------------------------

    def play(self, kind: str) -> None:
        """Lay a card on the own pile and do what it says."""
        self.actor.hand.remove(kind)
        self.actor.pile.append(kind)
        self.carry_out(kind)

    def carry_out(self, kind: str) -> None:
        """Do what a card says, be it one's own or copied by a Diplomat (3)."""
        self.card = kind
        role = KINDS[kind].role
        if role in MADE_BY:
            self.work(MADE_BY[role])
            return
        roles: dict[str, Callable[[], None]] = {
            "tribune": self.take_cards_back,
            "architect": self.set_out,
            "prefect": lambda: self.ask("prefect"),
            "mercator": self.open_shop,
            "diplomat": self.look_for_somebody,
            "senator": self.look_for_cards,
            "consul": self.look_for_cards,
            "colonist": lambda: self.ask("colonist"),
        }
        roles[role]()

    def look_for_somebody(self) -> None:
        """A Diplomat who finds nobody does nothing (2)."""
        if self.copyable():
            self.ask("copy")
        else:
            self.end_turn()

    def copyable(self) -> list[str]:
        """Top cards of the piles of others, no Diplomats and no Tribunes (1)."""
        others = [player for player in self.players if player is not self.actor]
        tops = {player.pile[-1] for player in others if player.pile}
        return [kind for kind in KIND_ORDER if kind in tops and KINDS[kind].role not in NOT_TO_BE_COPIED]

    # -- Tribune and Colonist ---------------------------------------------------------------------------

    def take_cards_back(self) -> None:
        """All played cards return with this one, each above three for a coin (11); one colonist may come."""
        actor = self.actor
        actor.coins += max(0, len(actor.pile) - 3)
        actor.hand += actor.pile
        actor.pile = []
        if actor.goods >= SETTLER and any(map(actor.waits, SORTS)):
            self.ask("tribune")
        else:
            self.end_turn()

    def bring_one_colonist(self, sort: str) -> None:
        """One colonist comes to Roma, or none (12)."""
        if sort != "none":
            self.bring(sort, ROMA)
        self.end_turn()

    def bring(self, sort: str, city: str) -> None:
        """A colonist leaves the storehouse for food and a tool."""
        self.actor.pay(SETTLER)
        self.actor.colonists[sort].append(city)

    def settlements(self) -> list[str]:
        """Coins, or colonists in Roma and in cities with an own house, in an order; any number of them."""
        ways = [f"colonist={sort}-{city}" for sort in SORTS for city in (ROMA, *self.board.cities)]
        later = ways[ways.index(self.last) :] if self.last else ways
        first = [] if self.last else ["cash=colonists"]
        return [*first, *(way for way in later if self.may_settle(*way.split("=")[1].split("-"))), "done"]

    def may_settle(self, sort: str, city: str) -> bool:
        """Food and a tool, somebody who waits, and a line of theirs that begins in the city (27, 28)."""
        actor = self.actor
        at_home = city in {ROMA, *actor.houses} and self.board.touches(sort, city)
        return at_home and actor.waits(sort) and actor.goods >= SETTLER

    def settle(self, what: str) -> None:
        """Bring one colonist and ask for the next, or take coins (29)."""
        if what == "colonists":
            self.actor.coins += 5 + self.actor.on_board()
            self.end_turn()
            return
        self.bring(*what.split("-"))
        self.last = f"colonist={what}"
        if len(self.settlements()) == 1:
            self.end_turn()

    # -- Architect --------------------------------------------------------------------------------------

    def set_out(self) -> None:
        """A step for each own colonist on the board (20); the land colonists go first."""
        self.steps = self.actor.on_board()
        self.phase = "land"
        self.name_forced_ends()

    def walkers(self) -> Walkers:
        """The own colonists of one sort; they end on no line where one of another seat is (22)."""
        others = [player for player in self.players if player is not self.actor]
        closed = {place for player in others for place in player.colonists[self.phase]}
        return Walkers(self.board, self.phase, self.actor.colonists[self.phase], closed)

    def ends_to_name(self) -> list[str]:
        """Where the next colonist may be at the end, in ascending order."""
        return self.walkers().options(self.placed, self.steps)

    def name_end(self, place: str) -> None:
        """One more colonist has its end."""
        self.placed.append(place)
        self.name_forced_ends()

    def name_forced_ends(self) -> None:
        """Name what leaves no choice; when all ends are named the colonists walk, then the next sort."""
        while self.phase in SORTS:
            if len(self.placed) == len(self.actor.colonists[self.phase]):
                self.walk()
            elif len(options := self.ends_to_name()) == 1:
                self.placed.append(options[0])
            else:
                return

    def walk(self) -> None:
        """All of one sort walk in the cheapest way (23); after the ships there is building."""
        self.steps -= self.walkers().fewest_steps(self.placed)
        self.actor.colonists[self.phase] = self.placed
        self.placed = []
        if self.phase == "land":
            self.phase = "sea"
            return
        self.steps = 0
        self.go_on_building()

    def go_on_building(self) -> None:
        """Ask for a house if one more can be paid for, in a later city than the last one."""
        if self.sites():
            self.ask("build")
        else:
            self.end_turn()

    def sites(self) -> list[str]:
        """Cities at the ends of the own lines that still lack the own house, and can be paid for (24)."""
        actor = self.actor
        lines = [place for sort in SORTS for place in actor.colonists[sort] if "-" in place]
        reached = {city for line in lines for city in ends(line)} - actor.houses
        order = self.board.cities
        later = order[order.index(self.last.partition("=")[2]) + 1 :] if self.last else order
        return [city for city in later if city in reached and self.can_pay_for(city)]

    def can_pay_for(self, city: str) -> bool:
        """Whether goods and coins are there."""
        goods, coins = self.house_price(city)
        return goods <= self.actor.goods and coins <= self.actor.coins

    def house_price(self, city: str) -> tuple[Counter[str], int]:
        """Goods, and coins for each house that will stand in the city (25)."""
        good = self.good_of[city]
        goods = Counter(["food"] if good == "brick" else ["brick", good])
        standing = sum(city in player.houses for player in self.players)
        return goods, HOUSE_COINS[good] * (standing + 1)

    def build(self, city: str) -> None:
        """A house; the fifteenth triggers the end (18)."""
        self.actor.pay(*self.house_price(city))
        self.actor.houses.add(city)
        self.last = f"house={city}"
        if len(self.actor.houses) == HOUSES:
            self.trigger_the_end()
            self.end_turn()
        else:
            self.go_on_building()

    # -- Senator and Consul -----------------------------------------------------------------------------

    def deals(self) -> list[tuple[int, ...]]:
        """Cards of the row that can be had together: two for a Senator (13), one for a Consul (15)."""
        senator = KINDS[self.card].role == "senator"
        return hires(self.row, self.actor.goods, 2 if senator else 1, senator)

    def look_for_cards(self) -> None:
        """Ask which card, if one can be paid for."""
        if self.deals():
            self.ask("hire")
        else:
            self.end_turn()

    def hireable(self) -> list[str]:
        """Places of the row, the left one first; a Senator may stop where it makes a difference."""
        deals, chosen = self.deals(), tuple(self.hired)
        longer = [deal for deal in deals if deal[: len(chosen)] == chosen and len(deal) > len(chosen)]
        next_places = sorted({deal[len(chosen)] for deal in longer})
        may_stop = chosen in deals or (not chosen and KINDS[self.card].role == "senator")
        return [f"hire={place}" for place in next_places] + ["done"] * may_stop

    def hire(self, place: int) -> None:
        """One card is chosen; ask for another if there may be one."""
        self.hired.append(place)
        if self.hireable() == ["done"]:
            self.close_deal()

    def close_deal(self) -> None:
        """Pay what is printed; what is not, the buyer chooses."""
        if not self.hired:
            self.end_turn()
            return
        fixed, self.owed = price(self.row, self.hired, KINDS[self.card].role == "senator")
        self.actor.pay(fixed)
        self.receive_cards_if_paid()

    def last_good(self) -> str:
        """The good that paid for the last "?"."""
        return self.last.partition("=")[2]

    def pay_any(self, good: str) -> None:
        """A good of choice for a "?" (14)."""
        self.actor.pay(Counter([good]))
        self.owed -= 1
        self.last = f"pay={good}"
        self.receive_cards_if_paid()

    def receive_cards_if_paid(self) -> None:
        """Cards go to the hand, the row moves left and is filled up; the very last card triggers the end."""
        if self.owed:
            self.ask("pay")
            return
        bought = [self.row[place - 1] for place in self.hired]
        self.actor.hand += [kind_of(name) for name in bought]
        self.row = [name for place, name in enumerate(self.row, start=1) if place not in self.hired]
        if not self.row and not self.next_block():
            self.trigger_the_end()
        self.clear_turn()
        if self.next_block():
            self.ask("card")
        else:
            self.end_turn()
