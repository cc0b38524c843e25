"""The game of tokens: rules for the minimal engine, independent of everything else here.

2 to 5 seats. Everyone is dealt two secret cards (1 to 9, four of each). Then the seats in turn add 1, 2 or 3
points (``add=1`` …) or show a card (``show=K``, K points), three turns each. After each round but the last a
card is turned (``~turn=K``): whoever has shown that number scores it again. Most points win.
"""

from __future__ import annotations

import base64
import json
import random
from functools import lru_cache
from itertools import combinations

DECK = [card for card in range(1, 10) for _ in range(4)]
TURNS = 3
DEAL, TURN = "deal", "turn"


class Refuse(Exception):  # noqa: N818
    """A protocol error: its code, then its detail."""

    @property
    def line(self) -> str:
        return " ".join(str(part) for part in ("error", *self.args))


class Table:
    """A position. ``hands`` hold 0 for a card that isn't known."""

    def __init__(self, seats: int, seed: int | None = None, viewer: int | None = None) -> None:
        self.seats, self.seed, self.viewer = seats, seed, viewer
        self.hands: list[list[int] | None] = [None] * seats
        self.points = [0] * seats
        self.shown: list[set[int]] = [set() for _ in range(seats)]
        self.turned: list[int] = []
        self.turns = 0
        self.events: list[str] = []
        self.base = ""

    # ---- whose turn, what can happen

    def due(self) -> int | str | None:
        """A seat, DEAL, TURN, or None at the end."""
        if None in self.hands:
            return DEAL
        if self.turns == TURNS * self.seats:
            return None
        rounds = self.turns // self.seats
        return TURN if self.turns % self.seats == 0 and len(self.turned) < rounds else self.turns % self.seats

    def mover(self) -> int | None:
        due = self.due()
        return due if isinstance(due, int) else None

    def outcomes(self) -> dict[str, float]:
        """The possible chance events and their probabilities."""
        deck = list(DECK)
        for cards in (*(hand for hand in self.hands if hand), self.turned):
            for card in cards:
                if card:
                    deck.remove(card)
        if self.due() == TURN:
            return {f"~turn={card}": deck.count(card) / len(deck) for card in sorted(set(deck))}
        seat = self.hands.index(None) + 1
        return {f"~deal=p{seat}:{pair}": chance for pair, chance in pairs(tuple(deck)).items()}

    def legal(self) -> list[str]:
        due = self.due()
        if due is None:
            return []
        if isinstance(due, str):
            return list(self.outcomes())
        hand = self.hands[due] or []
        return ["add=1", "add=2", "add=3", *(f"show={c}" for c in sorted(set(hand) - self.shown[due]) if c)]

    # ---- events

    def resolve(self) -> None:
        """Deal what the seed deals."""
        while self.seed is not None and isinstance(self.due(), str):
            chances = self.outcomes()
            rng = random.Random(f"{self.seed}/{len(self.events)}")
            self.play(rng.choices(list(chances), list(chances.values()))[0])

    def apply(self, event: str) -> None:
        """One event from outside; raises Refuse."""
        due = self.due()
        seat, colon, move = event.rpartition(":") if not event.startswith("~") else ("", "", event)
        if not move.startswith(("add=", "show=", "~deal=", "~turn=")):
            raise Refuse("bad-event", event)
        if due is None:
            raise Refuse("game-over", event)
        if isinstance(due, str):
            if not move.startswith("~"):
                raise Refuse("chance-node", event)
            hidden = due == DEAL and self.viewer is not None and move.endswith(":?,?")
            if not hidden and move not in self.outcomes():
                raise Refuse("chance-mismatch", event)
            return self.play(move)
        if move.startswith("~"):
            raise Refuse("not-a-chance-node", event)
        if colon and seat != f"p{due + 1}":
            raise Refuse("wrong-seat", event)
        unknown = self.viewer not in (None, due) and move.startswith("show=") and move[5:] in "123456789"
        if move not in self.legal() and not unknown:
            raise Refuse("illegal-move", event)
        self.play(move)

    def play(self, event: str) -> None:
        due = self.due()
        self.events.append(event)
        value = event.partition("=")[2]
        if due == DEAL:
            cards = value.partition(":")[2].split(",")
            self.hands[self.hands.index(None)] = [0 if card == "?" else int(card) for card in cards]
        elif due == TURN:
            self.turned.append(int(value))
            for seat in range(self.seats):
                self.points[seat] += int(value) if int(value) in self.shown[seat] else 0
        elif isinstance(due, int):
            self.turns += 1
            self.points[due] += int(value)
            if event.startswith("show="):
                self._show(due, int(value))

    def _show(self, seat: int, card: int) -> None:
        self.shown[seat].add(card)
        hand = list(self.hands[seat] or [])
        if card not in hand and 0 in hand:
            hand[hand.index(0)] = card
            self.hands[seat] = hand

    # ---- who knows what, and words

    def masked(self, seat: int) -> list[str]:
        """The events as a seat has seen them."""
        own = f"~deal=p{seat + 1}:"
        return [
            event.partition(":")[0] + ":?,?"
            if event.startswith("~deal=") and not event.startswith(own)
            else event
            for event in self.events
        ]

    def secrets(self) -> list[object]:
        return [self.hands, self.points, [sorted(cards) for cards in self.shown], self.turned, self.turns]

    def known(self, seat: int) -> list[object]:
        """All that a seat can know."""
        own = [hand if i == seat else len(hand or []) for i, hand in enumerate(self.hands)]
        return [own, *self.secrets()[1:]]

    def spec(self, seeded: bool = True) -> str:
        text = f"tokens;players={self.seats}"
        text += f";seed={self.seed}" if seeded and self.seed is not None else ""
        return text + (f";state={self.base}" if self.base else "")

    def snapshot(self) -> str:
        return base64.urlsafe_b64encode(json.dumps(self.secrets()).encode()).decode().rstrip("=")

    def restore(self, text: str) -> None:
        try:
            state = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            self.hands, self.points, shown, self.turned, self.turns = state
            self.shown = [set(cards) for cards in shown]
            self.legal()
        except (ValueError, TypeError, KeyError, IndexError):
            raise Refuse("bad-value", "state") from None
        self.base = text

    def child(self, event: str) -> Table:
        """The table after an event, without a seed."""
        table = Table(self.seats, None, self.viewer)
        table.restore(self.snapshot())
        table.apply(event)
        return table


@lru_cache
def pairs(deck: tuple[int, ...]) -> dict[str, float]:
    """The chances of two cards from a deck."""
    counts: dict[str, int] = {}
    for first, second in combinations(deck, 2):
        counts[f"{first},{second}"] = counts.get(f"{first},{second}", 0) + 1
    return {pair: count / sum(counts.values()) for pair, count in counts.items()}


def parse_position(args: list[str], skip_illegal: bool = False) -> Table:
    """The table that ``position`` describes; raises Refuse."""
    kind, rest, viewer = (args[0].lower() if args else ""), args[1:], None
    if kind == "startpos":
        rest = ["tokens;players=2;seed=1", *rest]
    elif kind == "view" and rest and rest[0][:1] == "p" and rest[0][1:].isdigit():
        viewer, rest = int(rest[0][1:]) - 1, rest[1:]
    elif kind != "fen":
        raise Refuse("syntax", kind)
    if not rest or (len(rest) > 1 and rest[1].lower() != "moves"):
        raise Refuse("syntax", "SPEC moves")
    table = parse_spec(rest[0], viewer)
    table.resolve()
    for index, event in enumerate(rest[2:], 1):
        try:
            _follow(table, event)
        except Refuse as refusal:
            if not skip_illegal:
                raise Refuse(refusal.args[0], f"at={index} token={event}") from None
    return table


def _follow(table: Table, event: str) -> None:
    if table.seed is None or not event.startswith("~"):
        table.apply(event)
        table.resolve()
    elif event not in table.events:
        raise Refuse("chance-mismatch", event)


def parse_spec(spec: str, viewer: int | None) -> Table:
    game, *pairs = spec.split(";")
    values = {key: value for key, _, value in (pair.partition("=") for pair in pairs)}
    seats, seed = values.get("players", "2"), values.get("seed")
    if game != "tokens":
        raise Refuse("unknown-game", game)
    if seats not in ("2", "3", "4", "5") or (viewer is not None and viewer >= int(seats)):
        raise Refuse("bad-players", seats)
    if values.keys() - {"players", "seed", "state"}:
        raise Refuse("syntax", spec)
    if seed is not None and viewer is not None:
        raise Refuse("seed-in-view")
    if seed is not None and not seed.isdigit():
        raise Refuse("bad-number", seed)
    table = Table(int(seats), None if seed is None else int(seed), viewer)
    if "state" in values:
        table.restore(values["state"])
    return table
