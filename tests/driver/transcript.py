"""Sessions as text: ``> sent`` and ``< expected`` lines, replayed against an engine.

``*`` in an expected line stands for any text, a line ``< ...`` for any number of lines. The rest is comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from driver.session import Session


@dataclass
class Step:
    """Lines sent, and what the engine must say before the next ones are sent."""

    sent: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def read(text: str) -> list[Step]:
    """The steps of a session."""
    steps = [Step()]
    for line in text.splitlines():
        if line.startswith("> "):
            if steps[-1].expected:
                steps.append(Step())
            steps[-1].sent.append(line[2:])
        elif line.startswith("< "):
            steps[-1].expected.append(line[2:])
    return steps


def replay(session: Session, text: str, *, masked: bool = False) -> None:
    """Replay a session; fails at the first line that differs.

    ``masked``: numbers and lines of play that a search found may differ, their places and number may not.
    """
    for step in read(text):
        session.send(*step.sent)
        skipping = False
        for expected in step.expected:
            if expected == "...":
                skipping = True
                continue
            line = session.line()
            while skipping and not matches(expected, line, masked):
                line = session.line()
            skipping = False
            assert matches(expected, line, masked), (
                f"\nsent     {step.sent}\nexpected {expected}\nsaid     {line}"
            )
    leftover = session.ask()
    assert leftover == [], leftover


def matches(expected: str, line: str, masked: bool) -> bool:
    """True if a line is as expected."""
    if masked:
        expected, line = mask(expected), mask(line)
    pattern = ".*".join(re.escape(part) for part in expected.split("*"))
    return re.fullmatch(pattern, line) is not None


def mask(line: str) -> str:
    """A line without what a search or a release decides."""
    if line.startswith("info depth"):
        head, _, _ = line.partition(" pv ")
        return re.sub(r"-?\d+(\.\d+)?", "N", head) + " pv …"
    if line.startswith("bestmove "):
        return re.sub(r"^bestmove (?!\(none\))\S+", "bestmove M", line)
    if line.startswith("perft "):
        return re.sub(r"time \d+", "time N", line)
    return re.sub(r"^id name Serai \S+", "id name Serai V", line)
