"""From a drawing to an SVG element of a page: colours are the page's variables, and so is the font.

Names never pass through matplotlib: it draws placeholders, so that nothing in a name is taken for a formula
or lacks a glyph, and the escaped names replace them in the SVG.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len, set_cell_size

from serai.bots.tournament.report_words import plain
from serai.core.errors import SetupError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH: Final = 460  # units of the drawing; a pixel each at its usual size
NAME: Final = 22  # columns of a name at most
SAID: Final = 40  # things that a description says at most

# What matplotlib draws with, and the variable of the page that takes its place.
INK, MUTED, GRID, ACCENT, PAPER = "#010101", "#020202", "#030303", "#040404", "#050505"
SERIES: Final = ("#060601", "#060602", "#060603", "#060604", "#060605", "#060606")
VARIABLES: Final = {
    INK: "ink",
    MUTED: "muted",
    GRID: "line",
    ACCENT: "accent",
    PAPER: "paper",
    **{colour: f"series{number}" for number, colour in enumerate(SERIES, 1)},
}
SETTINGS: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "serai",
    "text.parse_math": False,
    "font.size": 11.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
}


def label(name: str) -> str:
    """A name that is no wider than there is room for."""
    text = plain(name, NAME)
    return text if cell_len(text) <= NAME else set_cell_size(text, NAME - 1).rstrip() + "…"


@dataclass(frozen=True)
class Drawing:
    """What a chart is besides its picture.

    ``name``: a word that no other chart of the page has. ``said``: what it shows, in words. ``height``: in
    units of the drawing. ``names``: those that stand for ``name-0-``, ``name-1-``, … in the picture.
    """

    name: str
    title: str
    said: Sequence[str]
    height: int
    names: Sequence[str] = ()


def svg(drawing: Drawing, draw: Callable[[Figure], None]) -> str:
    """A drawing as an ``svg`` element; the same bytes for the same drawing. SetupError without matplotlib."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise SetupError("the charts need matplotlib: pip install 'serai[tournament]'") from None
    file = io.StringIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        figure = Figure(figsize=(WIDTH / 72, drawing.height / 72), dpi=72)
        draw(figure)
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(file, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return _element(drawing, _for_page(file.getvalue(), drawing))


def _for_page(text: str, drawing: Drawing) -> str:
    """The content of matplotlib's SVG, with ids of its own, the page's colours and font, and the names."""
    body = text[text.index("<svg") : text.rindex("</svg>")].partition(">")[2]
    body = re.sub(r"<(style|metadata)\b.*?</\1>|<!--.*?-->", "", body, flags=re.DOTALL)
    body = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{drawing.name}-", body)
    body = re.sub(r"#0[0-9a-f]{5}\b", lambda match: f"var(--{VARIABLES.get(match[0], 'ink')})", body)
    body = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", body)
    body = re.sub(r"font-family: [^;\"]*;? ?", "", body)
    return re.sub(r">name-(\d+)-<", lambda match: f">{escape(label(drawing.names[int(match[1])]))}<", body)


def _element(drawing: Drawing, body: str) -> str:
    name, left = drawing.name, len(drawing.said) - SAID
    said = "; ".join([*drawing.said[:SAID], *([f"and {left} more"] if left > 0 else [])])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" class="chart" '
        f'viewBox="0 0 {WIDTH} {drawing.height}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(drawing.title)}</title>'
        f'<desc id="{name}-desc">{escape(said)}</desc>{body}</svg>'
    )
