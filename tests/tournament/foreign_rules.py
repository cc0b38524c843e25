"""Spice Road, written from the published protocol without a line of ours, and a weak player for it.

It follows a game by its events and knows for itself what is legal. Imports are few: a process that needs it
is up within some ten milliseconds.
"""

from __future__ import annotations

from zlib import crc32

COLOURS = "yrgb"
WORTH = (1, 2, 3, 4)
STEPS = ("y>r", "r>g", "g>b")
START = ("yyy", "yyyy", "yyyy", "yyyr", "yyyr")
LIMIT = 10  # cubes at the end of a turn
MERCHANTS = 43
ROWS = {"market": 6, "point": 5}


class Refusal(Exception):  # noqa: N818
    """An error line: its code, and what comes after it."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"error {code} {detail}".rstrip())


def count(text: str) -> list[int]:
    """Cubes as numbers, cheapest first."""
    return [text.count(colour) for colour in COLOURS]


class Player:
    """What lies before a seat; all of it is public."""

    def __init__(self, cubes: str) -> None:
        self.cubes = count(cubes)
        self.hand = ["+yy", "up2"]
        self.played: list[str] = []
        self.claims = 0

    def pays(self, cost: list[int], times: int = 1) -> bool:
        """Whether the caravan holds so much."""
        return all(have >= times * price for have, price in zip(self.cubes, cost, strict=True))

    def add(self, cubes: list[int], times: int = 1) -> None:
        """Put cubes in, or with negative ``times`` take them out."""
        self.cubes = [have + times * more for have, more in zip(self.cubes, cubes, strict=True)]


class Table:
    """The state of a game, from its events."""

    def __init__(self, seats: int) -> None:
        self.players = [Player(START[seat]) for seat in range(seats)]
        self.market: list[tuple[str, list[int]]] = []  # card, cubes lying on it
        self.points: list[str] = []
        self.merchants = MERCHANTS  # that the deck still has
        self.due = ["market"] * ROWS["market"] + ["point"] * ROWS["point"]
        self.turn = 0
        self.phase = "main"
        self.taking = self.paid = 0
        self.over = False

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    # ---- what is possible

    def legal(self) -> list[str]:
        """The decisions of the seat to move, when no chance event is due."""
        if self.phase != "main":
            return [f"{self.phase}={c}" for c, have in zip(COLOURS, self.mover.cubes, strict=True) if have]
        me = self.mover
        moves = [f"claim={i}" for i, card in enumerate(self.points, 1) if me.pays(count(card))]
        moves += [f"take={i}" for i in range(1, len(self.market) + 1) if sum(me.cubes) >= i - 1]
        moves += [f"play={use}" for card in me.hand for use in uses(card, me)]
        return moves + ["rest"] * bool(me.played)

    # ---- what happens

    def play(self, event: str) -> None:
        """Go on by an event; raises Refusal."""
        seat, _, word = event.rpartition(":")
        if word.startswith("~"):
            return self.deal(word[1:])
        if self.over:
            raise Refusal("game-over")
        if self.due:
            raise Refusal("chance-node")
        if seat and seat != f"p{self.turn + 1}":
            raise Refusal("wrong-seat", event)
        if word not in self.legal():
            raise Refusal("illegal-move", event)
        name, _, value = word.partition("=")
        getattr(self, f"do_{name}")(value)
        return None

    def deal(self, outcome: str) -> None:
        """A card comes into a row."""
        row, _, card = outcome.partition("=")
        if self.due[:1] != [row]:
            raise Refusal("not-a-chance-node", outcome)
        del self.due[0]
        if row == "market":
            self.market.append((card, [0] * 4))
            self.merchants -= 1
        else:
            self.points.append(card)

    def do_claim(self, slot: str) -> None:
        self.mover.add(count(self.points.pop(int(slot) - 1)), -1)
        self.mover.claims += 1
        self.due.append("point")
        self.finish()

    def do_take(self, slot: str) -> None:
        self.taking, self.paid, self.phase = int(slot), 0, "pay"
        if self.taking == 1:
            self.acquire()

    def do_pay(self, colour: str) -> None:
        self.mover.add(count(colour), -1)
        self.market[self.paid][1][COLOURS.index(colour)] += 1
        self.paid += 1
        if self.paid == self.taking - 1:
            self.acquire()

    def acquire(self) -> None:
        """The merchant that was paid for comes into the hand, with the cubes on it."""
        card, cubes = self.market.pop(self.taking - 1)
        self.mover.hand.append(card)
        self.mover.add(cubes)
        self.due += ["market"] * (self.merchants > 0)
        self.finish()

    def do_play(self, use: str) -> None:
        card = use.split(",")[0].split("*")[0]
        self.mover.hand.remove(card)
        self.mover.played.append(card)
        self.mover.cubes = after(use, self.mover)
        self.finish()

    def do_rest(self, _: str) -> None:
        self.mover.hand += self.mover.played
        self.mover.played = []
        self.finish()

    def do_drop(self, colour: str) -> None:
        self.mover.add(count(colour), -1)
        self.finish()

    def finish(self) -> None:
        """The turn passes, unless there are cubes to return first."""
        self.phase = "drop" if sum(self.mover.cubes) > LIMIT else "main"
        if self.phase == "main":
            self.turn = (self.turn + 1) % len(self.players)
            target = 6 if len(self.players) < 4 else 5
            self.over = self.turn == 0 and any(player.claims >= target for player in self.players)


def uses(card: str, player: Player) -> list[str]:
    """The ways to play a card."""
    if card.startswith("+"):
        return [card]
    if card.startswith("up"):
        return [",".join([card, *steps]) for steps in upgrades(int(card[2:]), player.cubes)]
    cost = count(card.split(">")[0])
    return [f"{card}*{times}" for times in range(1, LIMIT + 1) if player.pays(cost, times)]


def upgrades(most: int, cubes: list[int]) -> list[list[str]]:
    """The ways to make up to so many steps, cheapest cubes first."""
    y, r, g, _ = cubes
    return [
        [STEPS[0]] * a + [STEPS[1]] * b + [STEPS[2]] * c
        for a in range(min(y, most) + 1)
        for b in range(min(r + a, most - a) + 1)
        for c in range(min(g + b, most - a - b) + 1)
    ]


def after(use: str, player: Player) -> list[int]:
    """The caravan once a card has been played in a certain way."""
    cubes = list(player.cubes)
    card, *steps = use.split(",")
    if card.startswith("+"):
        return [have + more for have, more in zip(cubes, count(card), strict=True)]
    for step in steps:
        cubes[COLOURS.index(step[0])] -= 1
        cubes[COLOURS.index(step[2])] += 1
    if "*" in card:
        trade, _, times = card.partition("*")
        give, get = map(count, trade.split(">"))
        cubes = [have + int(times) * (b - a) for have, a, b in zip(cubes, give, get, strict=True)]
    return cubes


# ---- a weak player


def choose(table: Table) -> str:
    """The move that brings the caravan closest to a point card; ties and a little more by a hash."""
    players = [(player.cubes, player.hand) for player in table.players]
    return max(table.legal(), key=lambda move: merit(table, move) + whim(f"{move} {table.points} {players}"))


def whim(text: str) -> float:
    """Up to 1.65, the same for the same text, so that nobody goes round in circles."""
    return crc32(text.encode()) % 100 / 60


def merit(table: Table, move: str) -> float:
    """How good a move looks, in cubes."""
    name, _, value = move.partition("=")
    me = table.mover
    if name == "claim":
        return 100 + int(table.points[int(value) - 1].split("=")[1])
    if name == "play":
        cubes = after(value, me)
        return closeness(table, cubes) - 3 * max(sum(cubes) - LIMIT, 0)
    if name == "take":
        return closeness(table, me.cubes) + (1 if len(me.hand) + len(me.played) < 7 else -2) - int(value)
    if name == "rest":
        return closeness(table, me.cubes) + 0.4 * len(me.played) - 0.5
    return -float(COLOURS.index(value))  # pay, drop: the cheapest


def closeness(table: Table, cubes: list[int]) -> float:
    """What is missing for the nearest point card, negative; and a bit for whatever there is."""
    missing = (
        sum(rank * max(price - have, 0) for rank, price, have in zip(WORTH, count(card), cubes, strict=True))
        for card in table.points
    )
    return -min(missing, default=0) + 0.3 * sum(rank * have for rank, have in zip(WORTH, cubes, strict=True))
