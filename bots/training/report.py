"""What a run says at its end, for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

KEPT: Final = {"judgement": "best", "choices": "best_choice"}  # what, and where its epoch is told


def text(found: dict[str, Any], network: Path) -> str:
    """The report of a finished run. ``network``: the file that is to be shipped."""
    return "\n".join(_lines(found, network)) + "\n"


def _lines(found: dict[str, Any], network: Path) -> Iterator[str]:
    plan = found["plan"]
    yield f"{plan['game']}, seats {' '.join(map(str, plan['seats']))}, seed {plan['seed']}"
    for fit, gate in zip(found["fits"], found["gates"], strict=True):
        yield ""
        yield from _fit(fit)
        yield from _gate(gate)
    yield ""
    if found["accepted"]:
        yield f"Generation {found['generation']} is the best: {network}"
        yield f"To ship it: copy the file to core/games/{plan['game']}/network.bin"
        yield f"To try it as it is: setoption name EvalFile value {network}"
    else:
        yield "No generation was better than the hand-made evaluation: give it a larger budget."
        yield f"The last one, for a look at it: {network}"


def _fit(fit: dict[str, Any]) -> Iterator[str]:
    yield (
        f"Generation {fit['generation']}: {fit['samples']:,} samples of {fit['games']:,} games, "
        f"{fit['games_held_out']:,} of them held out"
    )
    yield "  epoch   learned  held out  points off  winners told  choices told"
    for number, epoch in enumerate(fit["epochs"]):
        held_out = epoch["held_out"]
        kept = [what for what, key in KEPT.items() if number == fit[key]]
        mark = f"  {' and '.join(kept)} kept" if kept else ""
        yield (
            f"  {number + 1:5}  {epoch['learned']:8.4f}  {held_out['entropy']:8.4f}"
            f"  {held_out['points']:10.2f}  {100 * held_out['accuracy']:10.1f} %"
            f"  {100 * held_out['agreement']:10.1f} %{mark}"
        )
    seats = ", ".join(f"{value:.4f} at {number}" for number, value in fit["by_seats"].items())
    yield f"  held-out loss by seats: {seats}"
    found = fit["check"]
    yield (
        f"  on {found['positions']:,} positions of other games: {found['floats']:.4f} as learned, "
        f"{found['evaluator']:.4f} as shipped in integers; hand-made evaluation {found['hand_made']:.4f}"
    )


def _gate(gate: dict[str, Any]) -> Iterator[str]:
    for match in gate["matches"]:
        yield (
            f"  {match['seats']} seats against {match['opponent']}: {100 * match['share']:.1f} % of the wins "
            f"(par {100 * match['par']:.1f} %) in {match['games']} games, LLR {match['llr']:+.2f}, "
            f"{match['verdict'] or 'open'}"
        )
    yield f"  {'accepted' if gate['accepted'] else 'not accepted'}"
