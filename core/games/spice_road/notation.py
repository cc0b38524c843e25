"""Spice Road in words: tokens, snapshots, tables for people. The grammar is in this folder's README.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from serai.core.errors import NotationError
from serai.core.games.spice_road.components import COLOURS, Card, Components, Cubes, letters
from serai.core.snapshot import StateReader

GRAMMAR = "events: claim=K take=K play=CARD[*N] rest pay=C drop=C ~market=CARD ~point=CARD"
COLOUR_NAMES = ("yellow", "red", "green", "brown")
STEPS = ("y>r", "r>g", "g>b")
PHASES = ("main", "pay", "drop", "market", "point", "over")
CLAIM, TAKE, PLAY, RAISE, REST, GIVE, DISCARD, SHOW_MERCHANT, SHOW_POINT = range(1, 10)

_TOKEN = re.compile(
    r"(claim|take)=[1-9]|rest|(pay|drop)=[yrgb]"
    r"|play=(\+[yrgb]{1,9}|[yrgb]{1,9}>[yrgb]{1,9}\*[1-9][0-9]?|up[1-4](,(y>r|r>g|g>b)){0,4})"
    r"|~market=(\+[yrgb]{1,9}|[yrgb]{1,9}>[yrgb]{1,9}|up[1-4])|~point=[yrgb]{1,9}=[0-9]{1,2}"
)


def is_token(text: str) -> bool:
    """True if the text has the form of an event, legal or not."""
    return _TOKEN.fullmatch(text) is not None


def upgrade_table() -> list[Cubes]:
    """Every way to take at most 4 single steps: numbers of y>r, r>g and g>b steps; fewest steps first."""
    triples = [(a, b, c) for a in range(5) for b in range(5) for c in range(5) if a + b + c <= 4]
    return [(*t, 0) for t in sorted(triples, key=lambda t: (sum(t), t))]


UPGRADES = upgrade_table()


def format_action(cards: Components, action: int) -> str:
    """The token of an action."""
    verb, major, minor = action >> 16, action >> 8 & 255, action & 255
    if verb in (CLAIM, TAKE):
        return f"{'claim' if verb == CLAIM else 'take'}={major + 1}"
    if verb == PLAY:
        card = cards.cards[minor]
        return f"play={card.name}" + (f"*{major}" if card.kind == "trade" else "")
    if verb == RAISE:
        return ",".join((f"play={cards.cards[major].name}", *_steps(minor)))
    if verb == REST:
        return "rest"
    if verb in (GIVE, DISCARD):
        return f"{'pay' if verb == GIVE else 'drop'}={COLOURS[minor]}"
    if verb == SHOW_MERCHANT:
        return f"~market={cards.cards[minor].name}"
    return f"~point={cards.points[minor].name}"


def _steps(upgrade: int) -> list[str]:
    return [step for step, times in zip(STEPS, UPGRADES[upgrade], strict=False) for _ in range(times)]


def describe_action(cards: Components, state: dict[str, Any], action: int) -> str:
    """One sentence, for people."""
    verb, major, minor = action >> 16, action >> 8 & 255, action & 255
    if verb == CLAIM:
        return f"claim the point card {state['points'][major]}, number {major + 1} in the row"
    if verb == TAKE:
        lying = state["market"][major]["cubes"]
        price = f"{major} cube{'s' * (major != 1)}" if major else "nothing"
        gain = f", with {lying}" if lying else ""
        return f"take the merchant {state['market'][major]['card']} for {price}{gain}"
    if verb == PLAY:
        card = cards.cards[minor]
        if card.kind == "produce":
            return f"play {card.name}: receive {letters(card.get)}"
        return f"play {card.name} {major} times: {letters(card.give) * major} for {letters(card.get) * major}"
    if verb == RAISE:
        return f"play {cards.cards[major].name}: " + (", ".join(_steps(minor)) or "no upgrade")
    if verb == REST:
        return "rest: take all played cards back into the hand"
    if verb == GIVE:
        return f"lay a {COLOUR_NAMES[minor]} cube on merchant {state['paid'] + 1}"
    if verb == DISCARD:
        return f"return a {COLOUR_NAMES[minor]} cube"
    return f"turn up {format_action(cards, action).partition('=')[2]}"


# ---- snapshots


class Reader(StateReader):
    """Reads what Spice Road's snapshots hold."""

    def __init__(self, cards: Components) -> None:
        self.card_numbers = {card.name: i for i, card in enumerate(cards.cards)}
        self.point_numbers = {card.name: i for i, card in enumerate(cards.points)}

    def cubes(self, data: Any, key: str, most: int) -> int:
        """Cubes as text, packed a byte a colour."""
        text = self.get(data, key, str, "")
        if len(text) > most or set(text) - set(COLOURS):
            raise NotationError(f"state: {key} must be at most {most} letters of {COLOURS}", "bad-value")
        return sum(text.count(colour) << 8 * i for i, colour in enumerate(COLOURS))

    def number(self, name: Any, numbers: dict[str, int], what: str) -> int:
        """The number of a named card."""
        if not isinstance(name, str) or name not in numbers:
            raise NotationError(f"state: {name!r:.40} is no {what} of this game", "bad-value")
        return numbers[name]

    def card(self, name: Any) -> int:
        """Number of a merchant or starter."""
        return self.number(name, self.card_numbers, "merchant")

    def point(self, name: Any) -> int:
        """Number of a point card."""
        return self.number(name, self.point_numbers, "point card")

    def mask(self, data: Any, key: str) -> int:
        """A list of merchants as a bit mask, each at most once."""
        numbers = [self.card(name) for name in self.listed(data, key, 64)]
        if len(set(numbers)) != len(numbers):
            raise NotationError(f"state: {key} names a card twice", "bad-value")
        return sum(1 << n for n in numbers)


def seat_of(reader: Reader, data: dict[str, Any], seats: int) -> int:
    """The seat whose turn it is, also while a chance event interrupts it."""
    turn = reader.get(data, "turn", str)
    text = reader.get(data, "mover", str) if turn == "chance" else "p1" if turn == "none" else turn
    if text not in [f"p{n + 1}" for n in range(seats)]:
        raise NotationError(f"state: turn is {text!r:.40}, must be p1 to p{seats}", "bad-value")
    return int(text[1:]) - 1


# ---- for people


def render(state: dict[str, Any]) -> str:
    """The table as plain text, at most 100 columns."""
    lines = [
        "merchants  " + "  ".join(_slot(i, m) for i, m in enumerate(state["market"])),
        "points     " + "  ".join(f"{i + 1}:{name}" for i, name in enumerate(state["points"])),
        f"coins      {state['gold']} gold, {state['silver']} silver    "
        f"decks  {state['merchants_left']} merchants, {state['points_left']} point cards"
        + ("    LAST ROUND" if state["last_round"] else ""),
    ]
    for i, player in enumerate(state["players"]):
        lines += _seat_lines(i, player, state["turn"] == f"p{i + 1}")
    return "\n".join(lines)


def _slot(index: int, merchant: dict[str, str]) -> str:
    return f"{index + 1}:{merchant['card']}" + (f"({merchant['cubes']})" if merchant["cubes"] else "")


def _seat_lines(seat: int, player: dict[str, Any], to_move: bool) -> list[str]:
    hidden = f" +{player['hidden']} unknown" if player["hidden"] else ""
    mark, caravan = ">" if to_move else " ", player["caravan"] or "-"
    head = f"{mark} p{seat + 1}  {caravan:<10}  {player['score']:>3} points"
    coins = f"{player['gold']} gold {player['silver']} silver"
    hand, played, claimed = (" ".join(player[key]) or "-" for key in ("hand", "played", "claimed"))
    return [f"{head}  {coins}  claimed: {claimed}", f"      hand: {hand}{hidden}   played: {played}"]


def names(cards: Iterable[Card], mask: int) -> list[str]:
    """Names of the cards in a mask, in order."""
    return [card.name for i, card in enumerate(cards) if mask >> i & 1]
