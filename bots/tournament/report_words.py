"""Numbers and sentences of a tournament as people read them; the terminal and the page share them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from serai.bots.standings import Estimate
from serai.bots.tournament.outcome import EntrantRow, Results, SprtState

LONGEST: Final = 80  # characters of a name that are shown
NOTHING: Final = "-"


def plain(text: str, limit: int = LONGEST) -> str:
    r"""One line without anything that a terminal would obey: controls as escapes, and cut to a limit.

    >>> plain("a\x1b[31m\nb")
    'a\\x1b[31m\\nb'
    """
    shown = "".join(map(_printable, text[: limit + 1]))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _printable(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def number(value: float | None, digits: int = 1, sign: str = "") -> str:
    """A number, or a dash where there is none; ``sign`` is ``+`` for one that shows its sign."""
    if value is None or not math.isfinite(value):
        return NOTHING
    text = f"{value:{sign}.{digits}f}"
    return text[1:] if float(text) == 0 and text[0] in "+-" else text


def spread(estimate: Estimate, digits: int = 1) -> str:
    """``64.2 ± 5.1``, without the error if there is none."""
    mean, error = number(estimate.mean, digits), number(estimate.se, digits)
    return mean if NOTHING in (mean, error) else f"{mean} ± {error}"


def percent(estimate: Estimate, digits: int = 1) -> str:
    """The same, of a share in percent."""
    error = None if estimate.se is None else 100 * estimate.se
    return spread(Estimate(100 * estimate.mean, error), digits)


def interval(row: EntrantRow) -> str:
    """The interval of a rating: ``-12 to +40``."""
    if row.interval is None:
        return NOTHING
    low, high = (number(end, 0, "+") for end in row.interval)
    return NOTHING if NOTHING in (low, high) else f"{low} to {high}"


def duration(ms: float | None) -> str:
    """Milliseconds, with more digits where they are few."""
    return number(ms, 2 if ms is not None and abs(ms) < 10 else 0)


def faults(counts: Mapping[str, int]) -> str:
    """``time 3, crash 1``."""
    return ", ".join(f"{plain(kind, 20)} {count}" for kind, count in counts.items() if count) or NOTHING


def entrant_faults(row: EntrantRow) -> str:
    """All faults of an entrant; those of games that don't count apart."""
    void = f"void: {faults(row.void_faults)}" if any(row.void_faults.values()) else ""
    return "; ".join(filter(None, [faults(row.faults) if any(row.faults.values()) else "", void])) or NOTHING


def certainty(value: float | None) -> str:
    """A probability in percent that is never shown as certain.

    >>> certainty(0.62), certainty(1.0), certainty(0.0)
    ('62', '>99', '<1')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if value > 0.99:
        return ">99"
    return "<1" if value < 0.01 else f"{100 * value:.0f}"


def summary(results: Results, block_size: int | None = None) -> str:
    """What was played, in a sentence or two; ``block_size``: games of a block, if all have as many."""
    if results.games == 0:
        return (
            f"No game counts: {_many(results.void, 'game')} void."
            if results.void
            else "No game was finished."
        )
    parts = [f"{_many(results.games, 'game')} in {_many(results.blocks, 'complete block')}"]
    parts.append(f"{spread(results.turns)} turns a game")
    parts.append(f"winner's points {number(results.winner_points)}")
    parts += [f"{_many(results.shared_wins, 'shared win')}"] if results.shared_wins else []
    parts += [f"{results.void} void"] if results.void else []
    parts += [f"{results.unfinished} unfinished, scored as they stood"] if results.unfinished else []
    return f"{', '.join(parts)}. {_worth(results, block_size)}"


def _worth(results: Results, block_size: int | None) -> str:
    """What the errors mean, and what it was worth to play each deal from all seats."""
    if results.blocks < 2:
        return "No standard errors: they need two complete blocks."
    errors = "± is one standard error over blocks."
    ratio = results.variance_ratio
    if ratio is None or not math.isfinite(ratio):
        return errors
    if block_size is None:
        return f"{errors} A game in a block is worth {ratio:.1f} unrelated ones."
    return f"{errors} A block of {block_size} games is worth {block_size * ratio:.1f} unrelated ones."


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def sprt_sentence(state: SprtState) -> str:
    """How a sequential test stands."""
    ended = "goes on" if state.verdict is None else f"ended: {plain(state.verdict, 20)} accepted"
    bounds = f"{number(state.lower, 2)} to {number(state.upper, 2)}"
    return (
        f"SPRT {ended}. Log-likelihood ratio {number(state.llr, 2)}, bounds {bounds}, "
        f"after {_many(state.blocks, 'block')}; mean share {number(100 * state.mean)} %."
    )
