"""Nothing that a bot says or raises ends a match; what is kept of a report can be shown and written down."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from serai.bots.bot import Bot, BotFault
from serai.bots.guard import KINDS, Answer, Guard
from serai.bots.match import Match, MatchPlan
from serai.bots.referee import Conditions
from serai.bots.time_control import TimeControl
from serai.core import load
from serai.core.record import RecordReader, RecordWriter
from serai.search.report import Line, Report

POSITION = load("spice_road;players=2;seed=1").start().view(0)
TOKEN = POSITION.legal_tokens()[0]
LINE = Line(TOKEN, (0.75, 0.25), (30.0, 20.0), 5, 0.1, (TOKEN,))
GOOD = Report(TOKEN, (LINE,), nodes=9, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)


class Says(Bot):
    """Reports and returns, or raises, what it was made with."""

    def __init__(self, report: Any = None, token: Any = TOKEN, error: BaseException | None = None) -> None:
        self.said, self.token, self.error = report, token, error

    def choose(self, position: object) -> str:
        if self.error is not None:
            raise self.error
        self.report = self.said
        return self.token  # type: ignore[no-any-return]


class OfOurOwn(Says):
    """The same, asked in the thread of the match."""

    guarded = False


def answer(bot: Bot) -> Answer:
    guard = Guard(bot)
    found = guard.choose(POSITION, POSITION.legal_tokens(), 20.0)
    guard.close(1.0)
    return found


def thinking(**changes: Any) -> Report:
    """The good report, its line with other values."""
    return replace(GOOD, lines=(replace(LINE, **changes),))


class Fragile:
    """Raises whatever it is asked."""

    def __getattribute__(self, name: str) -> Any:
        raise KeyError(name)

    def __repr__(self) -> str:
        raise OSError("no words")


class WordlessError(Exception):
    """Can't say what it is."""

    def __str__(self) -> str:
        raise AttributeError("message")


BAD: dict[str, Any] = {
    "win of none": thinking(win=None),
    "win in words": thinking(win=("0.5", "0.5")),
    "win as text": thinking(win="ab"),
    "win not a number": thinking(win=(float("nan"), 0.5)),
    "win infinite": thinking(win=(float("inf"), 0.0)),
    "win beyond all": thinking(win=(1e15, 0.0)),
    "win below nothing": thinking(win=(1.5, -0.5)),
    "win of the largest": thinking(win=(10**400, 0)),
    "win complex": thinking(win=(1j, 0.5)),
    "win of an array too many": thinking(win=np.ones((2, 2))),
    "points of none": thinking(points=None),
    "points not a number": thinking(points=(float("nan"), 1.0)),
    "no visits": thinking(visits=None),
    "no error": thinking(se="small"),
    "nodes of none": replace(GOOD, nodes=None),  # type: ignore[arg-type]
    "nodes without end": replace(GOOD, nodes=float("inf")),  # type: ignore[arg-type]
    "no lines": replace(GOOD, lines=None),  # type: ignore[arg-type]
    "lines of nothing": replace(GOOD, lines=(None,)),  # type: ignore[arg-type]
    "a line that raises": replace(GOOD, lines=(Fragile(),)),  # type: ignore[arg-type]
    "other seats": thinking(win=(1.0,)),
    "a map": {"win": (0.5, 0.5)},
}


@pytest.mark.parametrize("kind", [Says, OfOurOwn])
@pytest.mark.parametrize("report", BAD.values(), ids=BAD)
def test_a_report_that_makes_no_sense_is_dropped(report: Any, kind: type[Says]) -> None:
    found = answer(kind(report))
    assert (found.token, found.report, found.fault) == (TOKEN, None, None)


@pytest.mark.parametrize(
    "made",
    [tuple, list, np.array, lambda win: np.array(win, np.float32), lambda win: tuple(map(Fraction, win))],
    ids=["tuple", "list", "array", "half as long", "fractions"],
)
def test_what_is_kept_of_a_report_are_plain_numbers(made: Callable[[Any], Any]) -> None:
    said = thinking(win=made([0.75, 0.25]), points=made([30, 20]), visits=np.int64(5), se=np.float32(0.5))
    report = answer(Says(replace(said, nodes=np.int32(9)))).report  # type: ignore[arg-type]
    assert report == thinking(win=(0.75, 0.25), points=(30.0, 20.0), se=0.5)
    line = report.lines[0]
    assert {type(figure) for figure in (*line.win, *line.points, line.se)} == {float}
    assert {type(count) for count in (line.visits, report.nodes)} == {int}


def test_a_share_that_rounding_made_too_large_is_the_whole() -> None:
    report = answer(Says(thinking(win=(1.0000001, -0.0000001)))).report
    assert report is not None
    assert report.lines[0].win == (1.0, 0.0)


@pytest.mark.parametrize(
    ("token", "kind"),
    [(Fragile(), "crash"), (np.array(["a", "b"]), "illegal"), (None, "illegal"), ("\ud800", "illegal")],
    ids=["without words", "array", "nothing", "half a letter"],
)
def test_what_is_no_move_is_a_fault(token: Any, kind: str) -> None:
    found = answer(Says(token=token))
    assert found.token is None
    assert found.fault is not None
    assert found.fault[0] == kind
    found.fault[1].encode()


class Word(str):
    """A move that calls itself something else."""

    def __str__(self) -> str:
        return "claim=9"


@pytest.mark.parametrize("kind", [Word, np.str_])
def test_a_move_is_played_as_it_is_listed(kind: type[str]) -> None:
    token = answer(Says(token=kind(TOKEN))).token
    assert token == TOKEN
    assert type(token) is str


@pytest.mark.parametrize(
    "error",
    [
        WordlessError(),
        asyncio.CancelledError(),
        SystemExit(3),
        OSError("no file \udcff"),
        BotFault("tired", "of this"),
        BotFault(7, "\udcff"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
@pytest.mark.parametrize("bot", [Says, OfOurOwn])
def test_whatever_a_bot_raises_is_a_fault_that_can_be_written_down(
    error: BaseException, bot: type[Says]
) -> None:
    fault = answer(bot(error=error)).fault
    assert fault is not None
    assert fault[0] in KINDS
    fault[1].encode()


NUMB = """
import numpy as np
from serai.bots import Bot
from serai.search.report import Line, Report


class Numb(Bot):
    wins = [np.array([0.75, 0.25], np.float32), (float("nan"), 0.5), None, ("high", "low")]

    def choose(self, position):
        token = position.legal_tokens()[0]
        win = self.random.choice(self.wins)
        line = Line(token, win, (50.0,) * position.seats, 1, 0.1, (token,))
        self.report = Report(token, (line,), nodes=9, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)
        return token
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_of_bots_with_strange_reports_is_played_and_recorded(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "numb.py").write_text(NUMB)
    name, conditions = f"{tmp_path / 'numb.py'}:Numb", Conditions(TimeControl(nodes=20), max_plies=40)
    with RecordWriter(tmp_path / "games.rec") as writer:
        match = Match(MatchPlan((name, name), games=2, conditions=conditions), jobs=jobs, writer=writer)
        assert match.play().games == 2
    assert match.notes == []
    records = list(RecordReader(tmp_path / "games.rec"))
    assert len(records) == 2
    wins = {event.win for record in records for event in record.events}
    assert wins == {None, (0.75, 0.25)}
    assert all(not record.faults for record in records)
    json.dumps([record.to_dict() for record in records], allow_nan=False)


def test_a_closed_bot_leaves_no_thread_behind() -> None:
    """A match opens bots for each of its games."""
    before = set(threading.enumerate())
    guard = Guard(Says())
    assert guard.choose(POSITION, [TOKEN], 20.0).token == TOKEN
    (thread,) = set(threading.enumerate()) - before
    guard.close(20.0)
    thread.join(20.0)
    assert not thread.is_alive()
