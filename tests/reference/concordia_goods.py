"""Goods in the reference's Concordia: what provinces and specialists produce, and what is traded."""

from __future__ import annotations

from collections import Counter

from reference.concordia_box import GOODS, KINDS, PRICE, TILE_COINS
from reference.concordia_choices import from_here_on, keepable
from reference.concordia_table import Table


class GoodsTable(Table):
    """The table with the work of the Prefect, the specialists and the Mercator."""

    # -- Prefect and specialists ------------------------------------------------------------------------

    def governments(self) -> list[str]:
        """A province on the goods side produces (7), or those on the coin side pay, if there are any (8)."""
        ready = [province for province in self.board.provinces if province not in self.coin_side]
        return [f"produce={province}" for province in ready] + ["cash=provinces"] * bool(self.coin_side)

    def collect_coins(self) -> None:
        """All coins that lie open; all tiles turn to the goods side."""
        self.actor.coins += sum(TILE_COINS[self.tiles[province]] for province in self.coin_side)
        self.coin_side = set()
        self.end_turn()

    def produce(self, province: str) -> None:
        """A bonus for the mover alone, two with the Praefectus Magnus, who then goes to the right (5, 6)."""
        self.coin_side.add(province)
        self.producing = province
        bonus = 1
        if self.magnus == self.mover:
            bonus = 2
            self.magnus = (self.mover - 1) % self.seats
        for seat in self.in_turn_order():
            made = self.made_in(seat, province)
            made[self.tiles[province]] += bonus if seat == self.mover else 0
            self.receipts.append((seat, made))
        self.hand_out()

    def work(self, good: str) -> None:
        """A specialist produces in all own cities of its good."""
        cities = [city for city in self.actor.houses if self.good_of[city] == good]
        self.receipts = [(self.mover, Counter({good: len(cities)}))]
        self.hand_out()

    def hand_out(self) -> None:
        """Give everybody what was produced; whoever lacks room for all of it chooses (9)."""
        while self.receipts:
            seat, goods = self.receipts[0]
            player = self.players[seat]
            if goods.total() <= player.room():
                player.goods += goods
                self.receipts.pop(0)
            elif not player.room():
                self.receipts.pop(0)
            elif len(options := self.keepable()) == 1:
                self.take_one(options[0])
            else:
                self.ask("keep")
                return
        self.end_turn()

    def keepable(self) -> list[str]:
        """What the seat that lacks room may keep next."""
        seat, goods = self.receipts[0]
        return keepable(goods, self.players[seat].room())

    def keep(self, good: str) -> None:
        """One good is kept; then the rest is handed out."""
        self.take_one(good)
        self.hand_out()

    def take_one(self, good: str) -> None:
        """One good goes into the storehouse, and those below it are given up."""
        seat, goods = self.receipts[0]
        self.players[seat].goods[good] += 1
        self.receipts[0] = (seat, from_here_on(goods, good) - Counter([good]))

    # -- Mercator ---------------------------------------------------------------------------------------

    def open_shop(self) -> None:
        """Coins first, by the card that is carried out (3), then trade (30)."""
        self.actor.coins += KINDS[self.card].coins
        self.go_on_trading()

    def go_on_trading(self) -> None:
        """Ask for a trade, if there is one to make."""
        if self.trades():
            self.ask("trade")
        else:
            self.end_turn()

    def trades(self) -> list[str]:
        """Sales before purchases, which they can only help, and within these by good; two goods at most."""
        actor = self.actor
        most_bought = {good: min(actor.room(), actor.coins // PRICE[good]) for good in GOODS}
        kinds = [("sell", good, actor.goods[good]) for good in GOODS]
        kinds += [("buy", good, most_bought[good]) for good in GOODS]
        if self.last:
            verb, _, rest = self.last.partition("=")
            done = rest.partition("*")[0]
            place = next(i for i, kind in enumerate(kinds) if kind[:2] == (verb, done))
            kinds = [kind for kind in kinds[place + 1 :] if kind[1] != done]
        return [f"{verb}={good}*{number}" for verb, good, most in kinds for number in range(1, most + 1)]

    def trade(self, token: str) -> None:
        """Sell or buy any number of one good at its price."""
        verb, _, rest = token.partition("=")
        good, _, number = rest.partition("*")
        sold = int(number) if verb == "sell" else -int(number)
        self.actor.goods[good] -= sold
        self.actor.coins += sold * PRICE[good]
        if self.last:
            self.end_turn()
        else:
            self.last = token
            self.go_on_trading()
