"""The ticker tells the truth while games are played, fits any terminal, and never gets in the way."""

from __future__ import annotations

import io
import os
import re
import threading
import time
from collections.abc import Sequence
from random import Random

import pytest
from rich.cells import cell_len
from tournament.made_up import HOSTILE, outcomes

from serai.bots.tournament.live import Ticker
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.results import results
from serai.bots.tournament.tally import Tally

NAMES = ("strong", "fair", "weak")


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """What was written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(params=[(80, 24), (20, 5), (60, 10), (1, 1)], ids=str)
def terminal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    columns, lines = request.param
    for name, value in {"COLUMNS": columns, "LINES": lines, "TERM": "xterm"}.items():
        monkeypatch.setenv(name, str(value))
    return Terminal()


def shown(stream: io.StringIO) -> str:
    """What was written, without what sets colours, and a line's end wherever the cursor was moved."""
    return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]|\r", "\n", re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()))


# ---- the shares


@pytest.mark.parametrize("entrants", [2, 3, 7])
def test_shares_are_those_of_the_results_in_any_order(entrants: int) -> None:
    games = outcomes(entrants, 40, min(3, entrants), faulty=1)
    found = results([str(i) for i in range(entrants)], games, len(games[0].seating), bootstrap=0)
    Random(5).shuffle(games)
    tally = Tally(entrants, len(games[0].seating))
    for game in games:
        tally.add(game)
    for row in found.entrants:
        assert tally.share(row.entrant).mean == pytest.approx(row.share.mean)
        assert tally.share(row.entrant).se == pytest.approx(row.share.se)
        assert dict(tally.faults[row.entrant]) == row.faults
    assert tally.order() == sorted(range(entrants), key=lambda i: -tally.share(i).mean)


def test_an_entrant_in_several_seats_counts_by_their_mean() -> None:
    games = [seated(game, (0, 1, 1)) for game in outcomes(3, 20)]
    found = results(["a", "b"], games, 3, bootstrap=0)
    tally = Tally(2, 3)
    for game in games:
        tally.add(game)
    for row in found.entrants:
        assert tally.share(row.entrant).mean == pytest.approx(row.share.mean)
        assert tally.share(row.entrant).se == pytest.approx(row.share.se)


def seated(game: Outcome, table: tuple[int, ...]) -> Outcome:
    return Outcome(**{**vars(game), "seating": tuple(table[(seat + game.game) % 3] for seat in range(3))})


def test_void_games_count_as_games_only() -> None:
    tally = Tally(3, 3)
    for game in outcomes(3, 4, faulty=0):
        tally.add(Outcome(**{**vars(game), "void": True}))
    assert tally.games == 12
    assert tally.faults[0].total() > 0
    assert str(tally.share(0).mean) == "nan"


def test_a_game_costs_less_than_a_millisecond() -> None:
    ticker, games = Ticker(NAMES, 9000, stream=io.StringIO(), block_size=3), outcomes(3, 3000)
    began = time.process_time()
    for game in games:
        ticker.finished(game, "p1 12, p2 9, p3 7")
    assert time.process_time() - began < 9


# ---- lines


def test_a_line_every_ten_seconds_where_there_is_no_terminal() -> None:
    stream, clock = io.StringIO(), Clock()
    ticker = Ticker(NAMES, 60, stream=stream, block_size=3, clock=clock)
    for game in outcomes(3, 10, faulty=1):
        clock.now += 4
        ticker.finished(game, "a game")
    ticker.close()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("3 of 60 games, 3:48 left, 4.0 s a game: ")
    assert re.search(r"strong \d+\.\d ± \d+\.\d %  .*fair .* faults \d+$", lines[-1])
    assert lines[-1].startswith("30 of 60 games")


def test_the_end_is_told_once() -> None:
    stream = io.StringIO()
    ticker = Ticker(NAMES, 60, stream=stream, block_size=3, clock=Clock())
    ticker.finished(outcomes(3, 1)[0], "a game")
    ticker.close()
    ticker.close()
    assert re.fullmatch(r"1 of 60 games: .*\n", stream.getvalue())


def test_time_left_is_from_this_run_alone() -> None:
    stream, clock, games = io.StringIO(), Clock(), outcomes(3, 400)
    ticker = Ticker(NAMES, 1200, games[:600], stream, block_size=3, clock=clock)
    clock.now += 20
    ticker.finished(games[600], "a game")
    assert stream.getvalue().startswith("601 of 1200 games, 3:19:40 left, 20.0 s a game: ")


def test_nothing_played_nothing_said() -> None:
    stream = io.StringIO()
    Ticker(NAMES, 60, outcomes(3, 5), stream, block_size=3).close()
    assert stream.getvalue() == ""


def test_a_stream_that_nobody_reads_stops_no_game() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    ticker = Ticker(NAMES, 60, stream=Closed(), block_size=3)
    ticker.note("hello")
    ticker.finished(outcomes(3, 1)[0], "a game")
    ticker.close()


def test_of_many_entrants_a_line_names_the_first() -> None:
    stream = io.StringIO()
    ticker = Ticker([f"engine {i}" for i in range(200)], 60, stream=stream, block_size=3)
    for game in outcomes(200, 20):
        ticker.finished(game, "a game")
    ticker.close()
    assert "and 196 more" in stream.getvalue()
    assert len(stream.getvalue()) < 300


# ---- a picture


@pytest.mark.parametrize("count", [3, 200])
def test_the_picture_keeps_to_the_terminal(terminal: Terminal, count: int) -> None:
    width = play(terminal, [f"engine number {i}" for i in range(count)])
    lines = shown(terminal).split("\n")
    assert max(cell_len(line) for line in lines if not line.startswith("note")) <= width
    assert "note: the engine says hello" in lines


def play(terminal: Terminal, names: Sequence[str], text: str = "p1 12, p2 9, p3 7") -> int:
    """Some games on a terminal, with a picture at the end of them; the width it has."""
    games = outcomes(len(names), 20, faulty=1)
    ticker = Ticker(names, 120, games[:6], terminal, block_size=3)
    for job in range(12):
        ticker.playing(job, f"block {job}, game 1: {text}")
    ticker.playing(3, None)
    ticker.playing(99, None)
    for game in games[6:]:
        ticker.finished(game, text)
    ticker.note("note: the engine says hello")
    ticker.close()
    return int(os.environ["COLUMNS"])


@pytest.mark.parametrize("terminal", [(80, 24)], indirect=True)
def test_the_picture_says_how_it_goes(terminal: Terminal) -> None:
    play(terminal, NAMES)
    said = shown(terminal)
    assert re.search(r"60 of 120 games, \d+:\d\d left", said)
    assert re.search(r"\d  strong +\d+\.\d ± \d+\.\d %", said)
    assert re.search(r"\d  fair .* time \d", said)
    assert "plays  block 0, game 1: p1 12" in said
    assert "block 3, game 1" not in said
    assert "last   p1 12, p2 9, p3 7" in said
    assert "note: the engine says hello\n" in said
    assert re.search(r"━{60}", said)


@pytest.mark.parametrize("terminal", [(80, 24)], indirect=True)
def test_of_many_entrants_the_picture_has_the_first_and_the_last(terminal: Terminal) -> None:
    play(terminal, [f"engine {i}" for i in range(200)])
    said = shown(terminal)
    assert re.search(r"^ +1  engine", said, re.MULTILINE)
    assert re.search(r"^200  engine", said, re.MULTILINE)
    assert re.search(r"… \d+ more", said)


def test_names_move_no_cursor(terminal: Terminal) -> None:
    play(terminal, HOSTILE, "\x1b[2J\x1b]0;title\x07 [red]x")
    written = terminal.getvalue()
    assert "\x1b[2J" not in written
    assert "\x07" not in written
    assert "\x00" not in written


@pytest.mark.parametrize("terminal", [(80, 24)], indirect=True)
def test_all_threads_may_tell_at_once(terminal: Terminal) -> None:
    games = outcomes(3, 200)
    ticker = Ticker(NAMES, 600, stream=terminal, block_size=3)

    def work(job: int) -> None:
        for game in games[job::4]:
            ticker.playing(job, "a game")
            ticker.finished(game, "a game")
            if game.game == 0:
                ticker.note(f"job {job}")

    threads = [threading.Thread(target=work, args=(job,), daemon=True) for job in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    ticker.close()
    assert shown(terminal).count("job ") == 200
    assert "600 of 600 games" in shown(terminal)
