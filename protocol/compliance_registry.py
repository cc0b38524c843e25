"""What a compliance check is, and the list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain

from serai.protocol.compliance_guide import Guide
from serai.protocol.compliance_probe import FailedCheckError, Probe, SkippedCheckError
from serai.protocol.messages import GameLine, Option, parse_game, parse_option


@dataclass
class Context:
    """What a check works with. ``slack`` stretches the time limits, ``positions`` is how many to try."""

    argv: Sequence[str]
    timeout: float = 10.0
    slack: float = 1.0
    positions: int = 1000
    probes: list[Probe] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    _greeting: list[str] | None = None
    _guide: Guide | None = None

    def clone(self) -> Context:
        """The same for another check; what was learnt about the engine is shared."""
        return replace(self, probes=[], _guide=self.guide() if self.games() else None)

    def start(self, greet: bool = True, aside: bool = False) -> Probe:
        """A fresh process, greeted and ready, ended after the check. One ``aside`` isn't told of."""
        probe = Probe(self.argv, self.timeout, self.violations)
        if not aside:
            self.probes.append(probe)
        try:
            if greet:
                lines = probe.greet()
                self._greeting = self._greeting or lines
                probe.sync()
        except BaseException:
            probe.close()
            raise
        return probe

    def greeting(self) -> list[str]:
        """The lines of the handshake."""
        if self._greeting is None:
            with self.start(aside=True):
                pass
        return self._greeting or []

    def options(self) -> dict[str, Option]:
        """The options that can be read, by name."""
        found = (parse_option(line) for line in self.greeting())
        return {option.name: option for option in found if option is not None}

    def games(self) -> list[GameLine]:
        """The games that can be read."""
        return [game for line in self.greeting() if (game := parse_game(line)) is not None]

    def guide(self) -> Guide:
        """Positions of the first game."""
        if self._guide is None:
            games = self.games()
            if not games:
                raise SkippedCheckError("no readable game line")
            self._guide = Guide(games[0], lambda: self.start(aside=True))
        return self._guide

    def needs(self, *names: str) -> None:
        """Skip the check if the engine lacks an option."""
        missing = [name for name in names if name not in self.options()]
        if missing:
            raise SkippedCheckError(f"no option {', '.join(missing)}")

    def fixed(self) -> list[str]:
        """The lines that make it deterministic."""
        self.needs("Threads", "Seed")
        return ["setoption name Threads value 1", "setoption name Seed value 7"]

    @contextmanager
    def fresh(self) -> Iterator[Probe]:
        """A fresh process that is ended at once after its use."""
        probe = self.start()
        with probe:
            yield probe

    def end(self) -> str:
        """End all processes; the transcript of the last ones."""
        for probe in self.probes:
            probe.close()
        told = chain.from_iterable(["# a fresh process", *probe.story()] for probe in self.probes[-3:])
        text = "\n".join(told)
        self.probes.clear()
        return text


Run = Callable[[Context], str | None]


@dataclass(frozen=True)
class Check:
    """A promise of the protocol and the function that tries it; the function raises if it is broken."""

    name: str
    promise: str
    run: Run


class Checks(list[Check]):
    """The checks of one module, in order."""

    def add(self, name: str, promise: str) -> Callable[[Run], Run]:
        """Add a function as a check; what it returns is shown beside ``ok``."""

        def register(function: Run) -> Run:
            self.append(Check(name, promise, function))
            return function

        return register


def expect(condition: object, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise FailedCheckError(message)
