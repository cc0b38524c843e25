"""Counts event sequences with the reference, and writes a perft file anew.

A line of such a file is ``seats seed prefix depth count``. The game is dealt with the seed and plays the
decisions of the prefix, joined by ";" ("-" for none). From there on no seed is known: every card still in a
deck may come up. With the seed "-" nothing has been dealt yet. The count is the number of ways to go on for
``depth`` events, decisions and chance outcomes alike; a game that ends earlier does not count. The file's
name is that of the game, with "-" and the variant after it if that is not the usual one.

To count again, in the folder of the tests: ``python -m reference.perft perft/spice_road.perft``
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from reference.deal import play_out
from reference.readings import Reading, new_game

from serai.core.spec import Spec


@dataclass(frozen=True)
class Line:
    """One line of a perft file."""

    spec: Spec
    seed: str
    prefix: str
    depth: int
    count: int

    @classmethod
    def parse(cls, text: str, name: str) -> Line:
        """Read a line of the file with a name."""
        seats, seed, prefix, depth, count = text.split()
        game, _, variant = name.partition("-")
        return cls(Spec(game, int(seats), variant=variant or "base"), seed, prefix, int(depth), int(count))

    def __str__(self) -> str:
        return f"{self.spec.players} {self.seed} {self.prefix} {self.depth} {self.count}"

    def events(self) -> list[str]:
        """The events before the counting starts, with the cards that the seed deals."""
        if self.seed == "-":
            return []
        decisions = [] if self.prefix == "-" else self.prefix.split(";")
        return play_out(new_game(self.spec), int(self.seed), decisions)

    def reference(self) -> Reading:
        """The reference at the point where the counting starts."""
        game = new_game(self.spec)
        for event in self.events():
            game.apply(event)
        return game


def read(path: Path) -> list[Line]:
    """The lines of a file without its comments."""
    texts = path.read_text(encoding="utf-8").splitlines()
    return [Line.parse(text, path.stem) for text in texts if not is_comment(text)]


def perft(game: Reading, depth: int) -> int:
    """The number of ways to go on for so many events."""
    if depth <= 1:
        return len(game.legal()) if depth else 1
    return sum(divide(game, depth).values())


def divide(game: Reading, depth: int) -> dict[str, int]:
    """The same number, split by the first event."""
    counts = {}
    for token in game.legal():
        after = game.copy()
        after.apply(token)
        counts[token] = perft(after, depth - 1)
    return counts


def recount(path: Path) -> str:
    """The text of the file with every count made anew."""
    texts = path.read_text(encoding="utf-8").splitlines()
    return "".join(
        f"{text if is_comment(text) else counted(Line.parse(text, path.stem))}\n" for text in texts
    )


def counted(line: Line) -> Line:
    """The line with its count made anew."""
    return replace(line, count=perft(line.reference(), line.depth))


def is_comment(text: str) -> bool:
    """Whether a line of the file says nothing to the program."""
    return not text.strip() or text.startswith("#")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(recount(Path(name)), encoding="utf-8")
