"""Positions to test an engine with: random games by our own rules if they know the game, else by its own."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from serai.core.errors import SeraiError
from serai.protocol.compliance_probe import Probe, SkippedCheckError
from serai.protocol.game_text import GameText
from serai.protocol.messages import GameLine, parse_seat, seat_name, split

LONGEST = 1000  # events of a random game


@dataclass(frozen=True)
class Spot:
    """A decision in a random game: the position in full, the seat to move, its legal moves."""

    text: GameText
    seats: int
    seat: int
    legal: tuple[str, ...]

    @property
    def line(self) -> str:
        """The command that sets it up."""
        return self.text.line

    @property
    def mover(self) -> str:
        """The seat to move, ``p1`` and so on."""
        return seat_name(self.seat)

    @property
    def other(self) -> str:
        """Another seat."""
        return seat_name((self.seat + 1) % self.seats)

    @property
    def bare(self) -> str:
        """The command for the start of its game, without the seed."""
        return "position fen " + re.sub(r";seed=\d+", "", self.text.spec)


@dataclass(frozen=True)
class Played:
    """A whole random game: its decisions, and its end."""

    spots: tuple[Spot, ...]
    end: GameText


class Guide:
    """Random games of one game, kept once they are played."""

    def __init__(self, game: GameLine, start: Callable[[], Probe]) -> None:
        self.game = game
        self._start = start
        self._played: dict[tuple[int, int], Played] = {}
        self.known = self._is_known()

    def _is_known(self) -> bool:
        try:
            GameText(f"{self.game.name};players={self.game.fewest}").position()
        except SeraiError:
            return False
        return True

    def played(self, seats: int, seed: int) -> Played:
        """The random game of a seed; the same seed deals the cards and chooses the moves."""
        key = seats, seed
        if key not in self._played:
            text = GameText(f"{self.game.name};players={seats};seed={seed}")
            play = self._by_rules if self.known else self._by_engine
            self._played[key] = play(text, seats, seed)
        return self._played[key]

    def _by_rules(self, text: GameText, seats: int, seed: int) -> Played:
        rng = random.Random(seed)
        position = text.position()
        spots: list[Spot] = []
        while not position.is_over:
            legal = tuple(position.legal_tokens())
            spots.append(Spot(text, seats, position.to_act, legal))
            move = rng.choice(legal)
            text, position = text.after(move), position.apply(move)
        return Played(tuple(spots), text)

    def _by_engine(self, text: GameText, seats: int, seed: int) -> Played:
        rng = random.Random(seed)
        spots: list[Spot] = []
        with self._start() as probe:
            while len(spots) < LONGEST:
                seat = parse_seat(probe.ask("turn", text.line).partition(",")[0])
                if seat is None:
                    break
                legal = tuple(split(probe.ask("legal"))[1:])
                spots.append(Spot(text, seats, seat, legal))
                text = text.after(rng.choice(legal))
        if not spots:
            raise SkippedCheckError(f"no decision in {text.spec}: does it know seeds?")
        return Played(tuple(spots), text)

    def seats(self) -> range:
        """The numbers of seats that the game can have."""
        return range(self.game.fewest, self.game.most + 1)

    def spots(self, count: int, per_game: int = 25) -> Iterator[Spot]:
        """Decisions from random games, the numbers of seats in turn."""
        rng = random.Random(count)
        seed = 0
        while count > 0:
            for seats in self.seats():
                seed += 1
                spots = self.played(seats, seed).spots
                chosen = rng.sample(spots, min(per_game, count, len(spots)))
                yield from chosen
                count -= len(chosen)

    def opening(self, seats: int | None = None) -> Spot:
        """The first decision of a game."""
        return self.played(seats or min(3, self.game.most), 1).spots[0]

    def middle(self, seats: int | None = None, seed: int = 1) -> Spot:
        """A decision in the middle of a game."""
        spots = self.played(seats or min(3, self.game.most), seed).spots
        return spots[len(spots) // 2]

    def unseeded(self) -> str:
        """The line for the start of a game whose chance events are listed."""
        return GameText(f"{self.game.name};players={self.game.fewest}").line
