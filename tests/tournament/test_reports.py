"""Whatever entrants are called and however games went, a report can be read, parsed, and harms nobody."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import re
import sys
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.console import Console
from tournament.made_up import HOSTILE, outcomes
from tournament.pages import Page

from serai.bots.standings import Estimate
from serai.bots.tournament import report_words as words
from serai.bots.tournament.chart_data import chart_data
from serai.bots.tournament.outcome import EntrantRow, Outcome, PairCell, Results, SeatRow, SprtState
from serai.bots.tournament.report_data import as_csv, as_data, as_json, cell
from serai.bots.tournament.report_html import as_html
from serai.bots.tournament.report_text import report
from serai.bots.tournament.results import results
from serai.core.errors import RecordError, SetupError

PLAIN = ("strong", "fair", "middling", "weak")


def result(
    names: tuple[str, ...] = PLAIN, blocks: int = 30, bootstrap: int = 20
) -> tuple[Results, list[Outcome]]:
    games = outcomes(len(names), blocks, faulty=1)
    return results(names, games, 3, bootstrap=bootstrap), games


def many(count: int = 40) -> tuple[Results, list[Outcome]]:
    return result(tuple(f"engine number {i}" for i in range(count)), 80, 5)


def nothing() -> Results:
    return results(PLAIN, [], 3)


def alone() -> Results:
    """One entrant who met nobody, in games that don't count, with figures that are none."""
    row = EntrantRow(
        entrant=0,
        name="alone",
        games=1,
        share=Estimate(math.nan, math.inf),
        par=1.0,
        points=Estimate(5.0),
        place=1.0,
        rating=math.nan,
        interval=(math.nan, math.inf),
        turns=3.0,
        ms_move=math.inf,
        ms_turn=None,
        ms_gap=-0.001,
        faults={"time": 2, "crash": 0},
        void_faults={"hung": 1},
    )
    return Results(
        games=1,
        void=1,
        unfinished=1,
        blocks=0,
        entrants=(row,),
        seats=(SeatRow(0, Estimate(1.0), Estimate(5.0), 1.0),),
        pairs={},
        superiority={},
        variance_ratio=None,
        turns=Estimate(3.0),
        winner_points=5.0,
        shared_wins=0,
        sprt=SprtState(1.25, -2.94, 2.94, 7, 0.523, None),
    )


# ---- text


def text(found: Results, width: int, terminal: bool = False, **more: Any) -> str:
    file = io.StringIO()
    colours: Any = {"force_terminal": True, "color_system": "standard"} if terminal else {}
    Console(file=file, width=width, **colours).print(report(found, **more))
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
def test_the_text_keeps_to_the_width_and_to_printable_characters(names: tuple[str, ...], width: int) -> None:
    shown = text(result(names)[0], width, title="a title\x1b[2J", notes=["a \x1b]0;note\x07"])
    for line in shown.splitlines():
        assert cell_len(line) <= width
        assert line.isprintable()


def test_names_are_no_markup() -> None:
    shown = text(result(HOSTILE)[0], 200, terminal=True)
    for name in ("[red]bold[/red]", "<script>alert(1)</scrip", "two\\nlines\\x1b[31m\\x00"):
        assert name in shown
    assert "\x1b[31mbold" not in shown


@pytest.mark.parametrize("width", [60, 100, 200])
def test_no_figure_is_cut(width: int) -> None:
    found = result()[0]
    shown = text(found, width)
    for row in found.entrants:
        for figure in (words.percent(row.share), words.interval(row), words.spread(row.points), row.name[:6]):
            assert figure in shown
    (faulty,) = (row for row in found.entrants if row.faults)
    assert words.entrant_faults(faulty) in shown


def test_of_many_entrants_the_matrix_shows_as_many_as_fit() -> None:
    shown = text(many()[0], 60)
    assert all(f"engine number {i}"[:9] in shown for i in range(40))
    matrix = shown[shown.index("row ahead") : shown.index("how sure")]
    assert not [line for line in matrix.splitlines() if "…" in line[20:]]
    assert re.search(r"^\d+ of 40 columns", matrix, re.MULTILINE)


def test_an_empty_tournament_says_so() -> None:
    assert text(nothing(), 60).split("\n")[0] == "No game was finished."
    assert "2 games void" in text(dataclasses.replace(nothing(), void=2), 60)


def test_one_entrant_and_figures_that_are_none() -> None:
    shown = text(alone(), 100)
    assert "nan" not in shown
    assert "inf" not in shown
    assert "time 2; void: hung 1" in " ".join(shown.split())
    assert "SPRT goes on. Log-likelihood ratio 1.25, bounds -2.94 to 2.94, after 7 blocks" in shown
    assert "they need two complete blocks" in " ".join(shown.split())


def test_the_worth_of_a_block_in_words() -> None:
    found = dataclasses.replace(result()[0], variance_ratio=1.5)
    assert words.summary(found, 3).endswith("A block of 3 games is worth 4.5 unrelated ones.")
    assert words.summary(found).endswith("A game in a block is worth 1.5 unrelated ones.")
    assert "30 complete blocks" in words.summary(found)


def test_a_verdict_in_words() -> None:
    state = SprtState(3.1, -2.94, 2.94, 1, 0.6, "H1")
    assert words.sprt_sentence(state).startswith("SPRT ended: H1 accepted. Log-likelihood ratio 3.10")
    assert words.sprt_sentence(state).endswith("after 1 block; mean share 60.0 %.")


# ---- JSON and CSV


def figures(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [figure for item in value.values() for figure in figures(item)]
    if isinstance(value, list):
        return [figure for item in value for figure in figures(item)]
    return [value] if isinstance(value, float) else []


def refuse(text: str) -> float:
    raise AssertionError(f"{text} is no JSON")


@pytest.mark.parametrize("found", [result()[0], result(HOSTILE)[0], nothing(), alone()])
def test_json_has_all_its_keys_and_finite_numbers(found: Results) -> None:
    written = as_json(found, plan={"seats": 3}, notes=["a\x1bb"], engines=[{"name": "\u202e"}], block_size=3)
    assert written.replace("\n", "").isprintable()
    data = json.loads(written, parse_constant=refuse)
    assert set(data) == set(as_data(nothing()))
    assert all(map(math.isfinite, figures(data)))
    assert (data["format"], data["version"], data["plan"]) == ("serai-results", 1, {"seats": 3})
    assert data["notes"] == ["a\x1bb"]
    assert data["engines"] == [{"name": "\u202e"}]


def test_json_says_what_the_results_say() -> None:
    found = result(HOSTILE)[0]
    data = json.loads(as_json(found))
    assert [row["name"] for row in data["entrants"]] == [row.name for row in found.entrants]
    best = found.entrants[0]
    assert data["entrants"][0]["share"] == {"mean": best.share.mean, "se": best.share.se}
    assert best.interval is not None
    low, high = best.interval
    assert data["entrants"][0]["rating"] == {"value": best.rating, "low": low, "high": high}
    cells = {(each["first"], each["second"]): each["ahead"]["mean"] for each in data["pairs"]}
    assert cells == {pair: each.ahead.mean for pair, each in found.pairs.items()}
    sure = {(each["first"], each["second"]): each["sure"] for each in data["superiority"]}
    assert sure == found.superiority


def test_json_has_null_for_what_is_no_number() -> None:
    row = as_data(alone())["entrants"][0]
    assert row["share"] == {"mean": None, "se": None}
    assert row["ms_move"] is None
    assert row["rating"] == {"value": None, "low": None, "high": None}


def test_csv_has_a_row_for_each_entrant() -> None:
    found = result(HOSTILE)[0]
    written = as_csv(found)
    assert written.count("\n") == 1 + len(HOSTILE)
    rows = list(csv.DictReader(io.StringIO(written), strict=True))
    assert [float(row["share"]) for row in rows] == [row.share.mean for row in found.entrants]
    assert sum(int(row["faults_time"]) for row in rows) == sum(
        row.faults.get("time", 0) for row in found.entrants
    )
    assert next(row["name"] for row in rows if "HYPERLINK" in row["name"]).startswith("'=HYPERLINK")


def test_csv_is_empty_where_there_is_no_number() -> None:
    (row,) = csv.DictReader(io.StringIO(as_csv(alone())))
    assert row["share"] == row["share_se"] == row["rating"] == row["ms_move"] == row["ms_turn"] == ""
    assert row["faults_void"] == "1"


@pytest.mark.parametrize("name", ["=1", "+1", "-1", "@x", "\tx", "\r=1", "  =1"])
def test_no_cell_is_a_formula(name: str) -> None:
    assert cell(name).startswith("'")
    assert cell(name).isprintable()


# ---- the page


def page_of(found: Results, games: list[Outcome]) -> str:
    return as_html(
        found,
        games,
        block_size=3,
        title="<b>title</b>",
        date="2026-01-01T00:00:00+00:00",
        engines=[{"name": name, "id</dt>": "<i>\x1b"} for name in HOSTILE],
        notes=["<img src=x onerror=alert(1)>"] * 200,
    )


CASES = {
    "plain": result,
    "hostile": lambda: result(HOSTILE),
    "many": many,
    "no ratings": lambda: result(bootstrap=0),
}


@pytest.mark.parametrize("case", CASES)
def test_a_page_is_whole_and_loads_nothing(case: str) -> None:
    found, games = CASES[case]()
    page = page_of(found, games)
    read = Page(page)
    assert not {tag for tag, _ in read.tags} & {
        "script",
        "img",
        "link",
        "iframe",
        "object",
        "i>",
        "b>",
        "image",
    }
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]
    assert set(re.findall(r"https?://[^\"' ]*", page)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not re.search(r"@import|url\((?!#)|\bsrc=|javascript:", page.replace("&lt;img src=x", ""))
    assert page.replace("\n", "").isprintable()
    ids = read.all("id")
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]*)\)", page)) | {href[1:] for href in read.all("xlink:href")} <= set(
        ids
    )


@pytest.mark.parametrize("case", CASES)
def test_charts_are_svg_in_the_colours_of_the_page(case: str) -> None:
    page = page_of(*CASES[case]())
    charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(charts) == 4
    style = page[page.index("<style>") : page.index("</style>")]
    light, dark = style.split("prefers-color-scheme: dark")
    for chart in charts:
        tree = ElementTree.fromstring(chart)
        assert tree.find("{*}title") is not None
        assert len(tree.findtext("{*}desc") or "") > 20
        assert not re.search(r"#[0-9a-f]{6}\b|font-family|\$\\math", chart)
        for variable in set(re.findall(r"var\((--\w+)\)", chart)):
            assert f"{variable}:" in light
            assert f"{variable}:" in dark


def test_names_are_in_the_page_as_they_are_written() -> None:
    page = page_of(*result(HOSTILE))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    shown = "".join(Page(page).words)
    for name in HOSTILE:
        assert words.plain(name) in shown
    chart = ElementTree.fromstring(re.findall(r"<svg.*?</svg>", page, re.DOTALL)[0])
    labels = {element.text for element in chart.iter("{http://www.w3.org/2000/svg}text")}
    assert {"[red]bold[/red]", "$x_1^2$ \\frac", '=HYPERLINK("x")&"\''} <= labels


def test_equal_games_make_equal_pages() -> None:
    assert page_of(*result()) == page_of(*result())


def test_a_page_of_nothing_and_of_one() -> None:
    page = Page(as_html(nothing(), [], block_size=3))
    assert "No game was finished." in page.words
    lone = Outcome(0, 0, (0,), (5,), (1,), (1.0,), (3,), (0,), (0.0,), (None,), ((0, "time"),))
    page = Page(as_html(alone(), [lone], block_size=1))
    assert "time 2; void: hung 1" in page.words
    assert not [word for word in page.words if "nan" in word]


def test_a_page_without_matplotlib_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SetupError, match=r"serai\[tournament\]"):
        page_of(*result())


def test_a_pair_that_never_met_has_no_figure() -> None:
    found = dataclasses.replace(result()[0], pairs={(0, 1): PairCell(0, Estimate(math.nan))}, superiority={})
    assert "nan" not in text(found, 100)
    assert "nan" not in "".join(Page(as_html(found, result()[1], block_size=3)).words)


# ---- the figures behind the charts


def test_the_lines_end_where_the_results_are() -> None:
    found, games = result(blocks=90)
    Random(3).shuffle(games)
    lines = chart_data(games, len(PLAIN), 3).lines
    for row in found.entrants:
        line = lines[row.entrant]
        assert row.share.se is not None
        assert line.blocks[-1] == 90
        assert line.mean[-1] == pytest.approx(100 * row.share.mean)
        assert line.se[-1] == pytest.approx(100 * row.share.se)
        assert all(line.blocks[1:] > line.blocks[:-1])


def test_long_lines_have_few_points() -> None:
    lines = chart_data(outcomes(3, 2000), 3, 3).lines
    assert all(150 < len(line.blocks) <= 160 for line in lines.values())


def test_quantiles_are_those_of_the_games() -> None:
    games = [dataclasses.replace(game, scores=(n, n, n)) for n, game in enumerate(outcomes(3, 67))]
    least, low, middle, high, most = chart_data(games, 3, 3).points[0]
    assert (least, low, middle, high, most) == pytest.approx((10, 50, 100, 150, 190), abs=1)


def test_games_of_other_entrants_are_refused() -> None:
    with pytest.raises(RecordError):
        chart_data(outcomes(4, 2), 3, 3)
