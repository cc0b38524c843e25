"""The charts of a report's page, drawn with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len

from serai.bots.tournament.chart_data import Line, Quantiles
from serai.bots.tournament.chart_svg import ACCENT, GRID, MUTED, PAPER, SERIES, WIDTH, Drawing, label, svg
from serai.bots.tournament.outcome import EntrantRow
from serai.bots.tournament.report_words import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW: Final = 22  # height of an entrant
ROWS: Final = 40  # entrants in a chart at most
LINES: Final = 6  # lines with a colour of their own; the others are grey
LETTER: Final = 6.1  # width of a letter, about

DASHES: Final = ("-", "-", "-", "--", "--", "--")


def ratings(rows: Sequence[EntrantRow]) -> str:
    """Ratings with their intervals; of the shares where there are no ratings."""
    rows = rows[:ROWS]
    rated = any(row.rating is not None for row in rows)
    bars = [_rating(row) if rated else _share(row) for row in rows]
    title = "Ratings with 95 % intervals" if rated else "Shares of the wins with 95 % intervals, %"

    def draw(axes: Axes) -> None:
        for y, bar in enumerate(bars):
            if bar is not None:
                low, middle, high = bar
                axes.plot([low, high], [y, y], color=ACCENT, linewidth=2, solid_capstyle="round")
                axes.plot([middle], [y], "o", color=ACCENT, markersize=6)

    said = [f"{plain(row.name)}: {_spoken(bar)}" for row, bar in zip(rows, bars, strict=True)]
    return _rowed("ratings", title, said, [row.name for row in rows], draw)


def _rating(row: EntrantRow) -> tuple[float, ...] | None:
    if row.rating is None:
        return None
    low, high = row.interval or (row.rating, row.rating)
    return _finite(low, row.rating, high)


def _share(row: EntrantRow) -> tuple[float, ...] | None:
    if not row.games:
        return None
    middle, reach = 100 * row.share.mean, 196 * (row.share.se or 0)
    return _finite(middle - reach, middle, middle + reach)


def _finite(*bar: float) -> tuple[float, ...] | None:
    return bar if all(map(math.isfinite, bar)) else None


def _spoken(bar: tuple[float, ...] | None) -> str:
    return "none" if bar is None else f"{bar[1]:.0f}, from {bar[0]:.0f} to {bar[2]:.0f}"


def quantiles(
    name: str, title: str, rows: Sequence[EntrantRow], values: Mapping[int, Quantiles], unit: str
) -> str:
    """Where the values of each entrant lie: 90 % of them, the middle half, and the median."""
    rows = [row for row in rows if row.entrant in values][:ROWS]
    found = [values[row.entrant] for row in rows]
    logarithmic = (
        bool(found) and min(map(min, found)) > 0 and max(map(max, found)) > 30 * min(map(min, found))
    )

    def draw(axes: Axes) -> None:
        if logarithmic:
            _logarithmic(axes)
        for y, (least, low, middle, high, most) in enumerate(found):
            axes.plot([least, most], [y, y], color=ACCENT, linewidth=1.4, solid_capstyle="butt")
            axes.plot([low, high], [y, y], color=ACCENT, linewidth=8, solid_capstyle="butt")
            axes.plot([middle], [y], "|", color=PAPER, markersize=7, markeredgewidth=2)

    said = [
        f"{plain(row.name)}: median {each[2]:.4g} {unit}, middle half {each[1]:.4g} to {each[3]:.4g}"
        for row, each in zip(rows, found, strict=True)
    ]
    return _rowed(name, title, said, [row.name for row in rows], draw)


def _logarithmic(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


def _rowed(
    name: str, title: str, said: Sequence[str], names: Sequence[str], draw: Callable[[Axes], None]
) -> str:
    """A chart with a row for each entrant, the first on top."""
    left = 12 + max((_room(label(each)) for each in names), default=0)
    height = ROW * max(1, len(names)) + 34

    def whole(figure: Figure) -> None:
        axes = figure.add_axes((left / WIDTH, 26 / height, 1 - (left + 14) / WIDTH, 1 - 34 / height))
        draw(axes)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_yticks(range(len(names)), labels=[f"name-{i}-" for i in range(len(names))])
        axes.grid(False, axis="y")
        _plain_numbers(axes)

    return svg(Drawing(name, title, said, height, names), whole)


def progress(rows: Sequence[EntrantRow], lines: Mapping[int, Line]) -> str:
    """The share of each entrant over the blocks, the first ones with a band of a standard error."""
    title = "Share of the wins so far, %, over complete blocks"
    ranked = [row for row in rows if row.entrant in lines]
    pars = {round(100 * row.par, 6) for row in ranked}

    def whole(figure: Figure) -> None:
        axes = figure.add_axes((40 / WIDTH, 40 / 280, 1 - 54 / WIDTH, 1 - 50 / 280))
        for row in ranked[LINES:]:
            axes.plot(lines[row.entrant].blocks, lines[row.entrant].mean, color=GRID, linewidth=1)
        for row, colour, dash in reversed(list(zip(ranked, SERIES, DASHES, strict=False))):
            line = lines[row.entrant]
            low, high = line.mean - line.se, line.mean + line.se
            axes.fill_between(line.blocks, low, high, color=colour, alpha=0.14, linewidth=0)
            axes.plot(line.blocks, line.mean, dash, color=colour, linewidth=1.8)
        if len(pars) == 1:
            axes.axhline(pars.pop(), color=MUTED, linewidth=1.3, linestyle=":")
        _frame(axes, [lines[row.entrant] for row in ranked])

    said = [
        f"{plain(row.name)}: {lines[row.entrant].mean[-1]:.1f} ± {lines[row.entrant].se[-1]:.1f}"
        for row in ranked
    ]
    return svg(Drawing("progress", title, said, 280), whole)


def _frame(axes: Axes, lines: Sequence[Line]) -> None:
    """Limits that leave out the wild beginning."""
    settled = [line for line in lines if len(line.blocks)]
    low = min(float((line.mean - line.se)[len(line.mean) // 6 :].min()) for line in settled)
    high = max(float((line.mean + line.se)[len(line.mean) // 6 :].max()) for line in settled)
    margin = 0.06 * (high - low) + 1
    axes.set_ylim(max(-2, low - margin), min(102, high + margin))
    axes.set_xlabel("blocks")
    axes.locator_params(axis="x", integer=True)
    axes.tick_params(axis="y", labelcolor=MUTED)
    _plain_numbers(axes)


def _plain_numbers(axes: Axes) -> None:
    """No powers of ten beside an axis."""
    for axis in (axes.xaxis, axes.yaxis):
        formatter: Any = axis.get_major_formatter()
        if hasattr(formatter, "set_scientific"):
            formatter.set_scientific(False)
            formatter.set_useOffset(False)


def _room(label: str) -> float:
    """The width of a label, rather more than less where its font is a guess."""
    return sum(LETTER if letter.isascii() else 1.3 * LETTER * cell_len(letter) for letter in label)
