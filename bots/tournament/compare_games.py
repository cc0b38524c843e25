"""Positions for a comparison: from recorded games, from the command line, or from games played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Final

from serai.bots.tournament.compare import Comparison
from serai.bots.tournament.witness import Witness
from serai.core.errors import RecordError, SeraiError, SetupError
from serai.core.record import RecordReader
from serai.core.spec import parse_spec
from serai.protocol.client import GameText

LONGEST: Final = 2000  # events of a game at random
MOST_EVENTS: Final = 10_000  # of a recorded game


def given(texts: Sequence[str], witness: Witness) -> Iterator[GameText]:
    """Positions as people write them: a spec, or ``fen SPEC moves …``, with ``position`` before it or not."""
    for text in texts:
        position = GameText(text) if len(text.split()) == 1 else GameText.parse(text)
        yield undealt(position, witness)


def undealt(text: GameText, witness: Witness) -> GameText:
    """The same position without a seed: counts leave it aside, and so must the way to their branches."""
    spec = parse_spec(text.spec)
    if spec.seed is None:
        return text
    return GameText(str(replace(spec, seed=None)), witness.history(text), text.seat)


def recorded(paths: Sequence[str], games: int | None, every: int, notes: list[str]) -> Iterator[GameText]:
    """Every so many events a position of each game, its end always; what can't be used is noted."""
    left = games
    for path in paths:
        reader = RecordReader(path)
        for number, record in enumerate(islice(reader, left), 1):
            left = None if left is None else left - 1
            try:
                yield from _positions(record.spec, [event.token for event in record.events], every)
            except SeraiError as error:
                notes.append(f"{path}: game {number} is left out: {error}")
        notes += [f"{path}: {note}" for note in reader.notes]


def _positions(spec: str, events: Sequence[str], every: int) -> Iterator[GameText]:
    whole = GameText(str(replace(parse_spec(spec), seed=None)), events)
    if len(events) > MOST_EVENTS:
        raise RecordError(f"{len(events)} events; at most {MOST_EVENTS} are looked at")
    for length in range(0, len(events), every):
        yield GameText(whole.spec, events[:length])
    yield whole


@dataclass(frozen=True)
class RandomGames:
    """Games that nobody plays well: the engines say what is possible, chance and choice are ours.

    ``spec``: the game without a seed; None takes what both engines play, with all numbers of seats in turn.
    """

    games: int
    seed: int
    every: int
    spec: str | None = None

    def play(self, comparison: Comparison) -> None:
        """Compare at every position on the way; raises Found."""
        specs = [self.spec] if self.spec is not None else common_specs(*comparison.witnesses)
        for number in range(self.games):
            self._play(comparison, GameText(specs[number % len(specs)]), Random(f"{self.seed} {number}"))

    def _play(self, comparison: Comparison, text: GameText, random: Random) -> None:
        for ply in range(LONGEST):
            look = comparison.examine(text, deep=ply % self.every == 0)
            if look is None:
                raise SetupError(f"neither engine takes {text.line[:200]}")
            if not look.events:
                if ply % self.every:
                    comparison.examine(text)
                return
            text = text.after(look.draw(random))


def common_specs(first: Witness, second: Witness) -> list[str]:
    """The first game that both engines announce, with each number of seats that both play."""
    mine, theirs = (witness.engine.games for witness in (first, second))
    for name in mine or theirs:  # one that announces nothing is taken to play what the other does
        lines = [games[name] for games in (mine, theirs) if name in games]
        if len(lines) == bool(mine) + bool(theirs):
            seats = range(max(line.fewest for line in lines), min(line.most for line in lines) + 1)
            if seats:
                return [f"{name};players={count}" for count in seats]
    raise SetupError(f"{first.name} and {second.name} announce no game in common: give --game SPEC")
