"""The result of a tournament as one page: it loads nothing, runs nothing, and everything in it is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from serai.bots.tournament import charts
from serai.bots.tournament import report_words as words
from serai.bots.tournament.chart_data import ChartData, chart_data
from serai.bots.tournament.outcome import Outcome, Results
from serai.bots.tournament.report_style import STYLE
from serai.bots.tournament.report_tables import entrants_table, name_of, pairs_table, seats_table, sure_table

NOTES: Final = 100  # shown at most
TEXT: Final = 500  # characters of what an engine says of itself
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"  # what the page may load: nothing

READING: Final = """\
<details><summary>How to read this</summary>
<p>Every deal was played with all rotations of the seats: these games are a block, and every error is
computed over blocks, since the games of one are related. ± is one standard error.</p>
<p><b>Rating</b>: 400 points are odds of 10 to 1 in one game between two; 0 is the mean of all entrants. It is
the Plackett–Luce model's, fitted to all games at once; the interval holds the true value 95 times in 100.
<b>Wins</b>: the share of the wins in percent, a shared win split. <b>Par</b>: what chance would give.
<b>Place</b>: the mean place at the table, 1 is best.
<b>ms/turn</b>: time of a turn by the tournament's clock. <b>Gap</b>: milliseconds a decision took longer than
the engine says.</p></details>"""


def as_html(
    results: Results,
    outcomes: Sequence[Outcome],
    *,
    block_size: int,
    title: str = "",
    date: str = "",
    engines: Sequence[Mapping[str, str]] = (),
    notes: Sequence[str] = (),
) -> str:
    """The page as text. ``outcomes``: the games that the results are of; ``engines``: what is known of each.

    Equal arguments make equal pages. Raises SetupError if matplotlib isn't there.
    """
    body = [_head(results, title, date, block_size)]
    if results.games:
        data = chart_data(outcomes, len(results.entrants), block_size)
        body += [_ranking(results), _progress(results, data), *_pairs(results), _seats(results)]
        body.append(_distributions(results, data))
    elif results.entrants:
        body.append(entrants_table(results))
    body += [_engines(engines), _notes(notes)]
    return _page("\n".join(part for part in body if part))


def _page(body: str) -> str:
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>Tournament report</title>
<style>
{STYLE}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _head(results: Results, title: str, date: str, block_size: int) -> str:
    when = f", begun {_text(date[:16].replace('T', ' '), 40)}" if date else ""
    parts = ["<header><h1>Tournament report</h1>", f'<p class="muted">{_text(title, TEXT)}{when}</p>']
    parts.append(f"<p>{_text(words.summary(results, block_size), TEXT)}</p>")
    if results.sprt is not None:
        parts.append(f'<p class="verdict">{_text(words.sprt_sentence(results.sprt), TEXT)}</p>')
    return "\n".join([*parts, "</header>", READING])


def _text(text: str, limit: int) -> str:
    return escape(words.plain(text, limit))


def _section(title: str, *parts: str) -> str:
    return "\n".join([f"<section>\n<h2>{title}</h2>", *parts, "</section>"])


def _figure(chart: str, caption: str, legend: str = "") -> str:
    return f"<figure>\n{chart}\n{legend}<figcaption>{caption}</figcaption>\n</figure>"


def _ranking(results: Results) -> str:
    rated = any(row.rating is not None for row in results.entrants)
    said = "Ratings and their 95 % intervals." if rated else "Shares of the wins in percent, 95 % intervals."
    figure = _figure(charts.ratings(results.entrants), said + _first(results))
    return _section("Ranking", entrants_table(results), figure)


def _first(results: Results) -> str:
    count = len(results.entrants)
    return f" The first {charts.ROWS} of {count} entrants." if count > charts.ROWS else ""


def _progress(results: Results, data: ChartData) -> str:
    rows = [row for row in results.entrants if row.entrant in data.lines]
    if not rows:
        return ""
    items = "".join(
        f'<li><i class="{"dashed" if dash == "--" else "solid"}" style="border-color: var(--series{number})">'
        f"</i>{name_of(row)}</li>"
        for number, (row, dash) in enumerate(zip(rows, charts.DASHES, strict=False), 1)
    )
    rest = " Grey: the others." if len(rows) > charts.LINES else ""
    caption = "Share of the wins in percent after so many complete blocks, ± one standard error;"
    caption += f" dotted: what chance gives.{rest}"
    legend = f'<ul class="legend">{items}</ul>\n'
    return _section("Progress", _figure(charts.progress(results.entrants, data.lines), caption, legend))


def _pairs(results: Results) -> list[str]:
    if len(results.entrants) < 2:
        return []
    tables = pairs_table(results) + sure_table(results)
    return [_section("Against each other", f'<div class="tables">{tables}</div>')]


def _seats(results: Results) -> str:
    return _section("What a seat is worth", seats_table(results))


def _distributions(results: Results, data: ChartData) -> str:
    rows, how = results.entrants, "Line: 90 % of the games; bar: the middle half; notch: the median."
    points = charts.quantiles("points", "Points of a game", rows, data.points, "points")
    parts = [_figure(points, f"Points of a game. {how}{_first(results)}")]
    if data.times:
        times = charts.quantiles("time", "Milliseconds a turn", rows, data.times, "ms")
        parts.append(_figure(times, f"Milliseconds a turn, mean of a game. {how}{_first(results)}"))
    return _section("Points and time", f'<div class="charts">{"".join(parts)}</div>')


def _engines(engines: Sequence[Mapping[str, str]]) -> str:
    if not engines:
        return ""
    lists = ["".join(_fact(*item) for item in engine.items()) for engine in engines]
    body = "\n".join(f"<dl>{items}</dl>" for items in lists if items)
    return f"<details><summary>The engines</summary>\n{body}\n</details>"


def _fact(key: str, value: str) -> str:
    return f"<dt><bdi>{_text(key, 40)}</bdi></dt><dd><bdi>{_text(value, TEXT)}</bdi></dd>"


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    items = [f"<li><bdi>{_text(note, TEXT)}</bdi></li>" for note in notes[:NOTES]]
    items += [f"<li>and {len(notes) - NOTES} more</li>"] if len(notes) > NOTES else []
    return _section("Notes", f"<ul>{''.join(items)}</ul>")
