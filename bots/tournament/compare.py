"""Do two engines agree on the rules? Asked about positions; the first difference is followed to its root."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from serai.bots.tournament.witness import Answer, Witness
from serai.protocol.client import GameText
from serai.protocol.messages import printable

CHECKS: Final = ("turn", "gameover", "legal", "chance", "scores", "ranks", "perft")


@dataclass(frozen=True)
class Branch:
    """A step from where two counts differed towards the reason: an event, and the counts behind it."""

    event: str
    depth: int
    says: tuple[str, str]


@dataclass(frozen=True)
class Difference:
    """Where two engines disagree.

    ``position`` and ``question`` are lines of the protocol that show it; ``says`` is what either answers, and
    ``only`` the events that only it lists. ``found``: the position whose count gave it away, if it was a
    count, and ``trail`` the way from there.
    """

    check: str
    position: str
    question: str
    says: tuple[str, str]
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    found: str = ""
    trail: tuple[Branch, ...] = ()


class Found(Exception):  # noqa: N818 - not an error
    """A difference was found."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.check)
        self.difference = difference


@dataclass(frozen=True)
class Look:
    """A position as both engines see it: whose turn it is, and the events with weights; none at the end."""

    turn: str | None
    events: tuple[str, ...]
    weights: tuple[float, ...]

    def draw(self, random: Random) -> str:
        """One of the events."""
        return random.choices(self.events, self.weights)[0]


class Comparison:
    """Two engines, what they were asked, and what couldn't be asked."""

    def __init__(self, first: Witness, second: Witness, depth: int) -> None:
        self.witnesses = (first, second)
        self.depth = depth
        self.positions = 0
        self.counts: Counter[str] = Counter()
        self.left_out: dict[str, str] = {}
        """Checks that were not made, each with the reason."""
        self.reordered = 0
        """How many lists held the same events in another order."""
        self.refused: Counter[str] = Counter()
        """Positions that neither engine takes, by the error."""
        self.on_progress: Callable[[], None] = lambda: None

    # ---- one position

    def examine(self, text: GameText, *, deep: bool = True) -> Look | None:
        """Compare at a position, more closely if ``deep``; raises Found. None if neither takes it."""
        self.on_progress()
        turn = self._check("turn", text)
        if turn is not None and turn.code and "turn" not in self.left_out:
            self.refused[printable(turn.code)] += 1
            return None
        seat = None if turn is None else str(turn.value)
        listed = self._check("chance" if seat == "chance" else "legal", text) or Answer()
        if deep:
            self.positions += 1
            self._look_deeper(text, seat)
        return Look(seat, listed.events, listed.odds)

    def _look_deeper(self, text: GameText, seat: str | None) -> None:
        over = self._check("gameover", text)
        self._check("scores", text)
        if seat == "none" or (over is not None and over.value is True):
            self._check("ranks", text)
        elif self.depth > 0 and self._can_count(text):
            self._count(text)

    def _check(self, name: str, text: GameText) -> Answer | None:
        """What both engines answer, or the one that can be asked; None if neither can."""
        first, second = (witness.ask(name, text) for witness in self.witnesses)
        if first is None or second is None:
            silent = "A" * (first is None) + "B" * (second is None)
            self.left_out.setdefault(name, f"{' and '.join(silent)} can't be asked")
        elif name not in self.left_out:
            self._compare(name, text, first, second)
        return first or second

    def _compare(self, name: str, text: GameText, first: Answer, second: Answer) -> None:
        self.counts[name] += 1
        if not first.agrees(second):
            only = _only(first, second), _only(second, first)
            raise Found(Difference(name, text.line, f"query {name}", (str(first), str(second)), only))
        self.reordered += first.events != second.events

    # ---- counts

    def _can_count(self, text: GameText) -> bool:
        """Whether both engines count at all: seen the first time that they are asked to."""
        for label, witness in zip("AB", self.witnesses, strict=True):
            if "perft" not in self.left_out and (why := witness.why_no_counts(text)):
                self.left_out["perft"] = f"{label} doesn't count: {why}"
        return "perft" not in self.left_out

    def _count(self, text: GameText) -> None:
        says = self._pair(text, self.depth)
        self.counts["perft"] += 1
        if not says[0].agrees(says[1]):
            self._descend(text, says)

    def _pair(self, text: GameText, depth: int) -> tuple[Answer, Answer]:
        self.on_progress()
        first, second = self.witnesses
        return first.perft(text, depth), second.perft(text, depth)

    def _descend(self, text: GameText, says: tuple[Answer, Answer]) -> None:
        """Follow the first branch whose counts differ; raises Found where the reason is seen."""
        top, trail, depth = text, [], self.depth
        while depth > 1 and not any(answer.overdue for answer in says):
            branch = self._first_branch(text, depth - 1)
            if branch is None:
                break
            event, says = branch
            text, depth = text.after(event), depth - 1
            trail.append(Branch(event, depth, _words(says)))
            self._look_again(text, top, tuple(trail))
        question = f"go perft {depth}"
        raise Found(
            Difference("perft", text.line, question, _words(says), found=top.line, trail=tuple(trail))
        )

    def _first_branch(self, text: GameText, depth: int) -> tuple[str, tuple[Answer, Answer]] | None:
        look = self.examine(text, deep=False)
        for event in look.events if look is not None else ():
            says = self._pair(text.after(event), depth)
            if not says[0].agrees(says[1]):
                return event, says
        return None

    def _look_again(self, text: GameText, top: GameText, trail: tuple[Branch, ...]) -> None:
        try:
            self.examine(text, deep=False)
        except Found as found:
            raise Found(replace(found.difference, found=top.line, trail=trail)) from None


def _only(one: Answer, other: Answer) -> tuple[str, ...]:
    """The events that only one lists, or lists more often, or with these odds."""
    if one.failure or other.failure:
        return ()
    return tuple(sorted((Counter(one.entries) - Counter(other.entries)).elements()))


def _words(says: tuple[Answer, Answer]) -> tuple[str, str]:
    return str(says[0]), str(says[1])
