"""What a comparison found, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from serai.bots.tournament.compare import CHECKS, Comparison, Difference
from serai.protocol.messages import printable

SHOWN: Final = 12  # events of a list


def as_data(comparison: Comparison, difference: Difference | None, notes: list[str]) -> dict[str, Any]:
    """Everything, ready for JSON."""
    return {
        "agree": difference is None,
        "engines": [witness.name for witness in comparison.witnesses],
        "positions": comparison.positions,
        "depth": comparison.depth,
        "checks": {name: comparison.counts[name] for name in CHECKS},
        "left_out": comparison.left_out,
        "reordered": comparison.reordered,
        "refused": dict(comparison.refused),
        "difference": None if difference is None else asdict(difference),
        "notes": notes,
    }


def as_text(comparison: Comparison, difference: Difference | None) -> str:
    """The result for people."""
    return "\n".join([*_summary(comparison, difference), *_difference(comparison, difference)])


def _summary(comparison: Comparison, difference: Difference | None) -> Iterator[str]:
    first, second = (witness.name for witness in comparison.witnesses)
    made = ", ".join(f"{comparison.counts[name]} {name}" for name in CHECKS if comparison.counts[name])
    verdict = "agree" if difference is None else f"differ: {difference.check}"
    yield f"A  {first}"
    yield f"B  {second}"
    yield f"{verdict}, after {comparison.positions} positions ({made or 'nothing compared'})"
    for reason in dict.fromkeys(comparison.left_out.values()):
        names = [name for name, other in comparison.left_out.items() if other == reason]
        yield f"left out: {' '.join(names)}: {reason}"
    for code, count in comparison.refused.items():
        yield f"left out: {count} positions that neither takes (error {code})"
    if comparison.reordered:
        yield f"only the order of the events differs in {comparison.reordered} lists"


def _difference(comparison: Comparison, difference: Difference | None) -> Iterator[str]:
    if difference is None:
        return
    yield ""
    if difference.found:
        yield f"a count led to it: go perft {comparison.depth} at"
        yield f"  {printable(difference.found, len(difference.found))}"
        for branch in difference.trail:
            counts = f"A {branch.says[0]}, B {branch.says[1]}"
            yield f"  {printable(branch.event)}: perft {branch.depth}: {counts}"
        yield ""
    for label, said, only in zip("AB", difference.says, difference.only, strict=True):
        more = f"; only here: {_listed(only)}" if only else ""
        yield f"{label} says to {difference.question}: {said}{more}"
    yield "type this to either engine to see it:"
    yield f"  {printable(difference.position, len(difference.position))}"
    yield f"  {difference.question}"


def _listed(events: tuple[str, ...]) -> str:
    more = f" and {len(events) - SHOWN} more" if len(events) > SHOWN else ""
    return " ".join(printable(event) for event in events[:SHOWN]) + more
