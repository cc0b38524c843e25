"""What people see: on a terminal, in a pipe, at 80 columns."""

import io
import re

import pytest
from rich.console import Console

from serai.bots.match import Match, MatchPlan
from serai.bots.referee import Conditions
from serai.bots.replay import show_again
from serai.bots.tables import result_tables
from serai.bots.time_control import TimeControl
from serai.bots.watch import Watch
from serai.core import load
from serai.core.display import SeatLabel, board_of, width_of
from serai.core.game_record import Event, GameRecord
from serai.core.games.spice_road import board

QUICK = Conditions(TimeControl(nodes=20))


def watched(*entrants: str, games: int = 1, terminal: bool = False, width: int = 80, height: int = 40) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=terminal,
        force_interactive=terminal,
        width=width,
        height=height,
        color_system=None,
    )
    plan = MatchPlan(entrants, games=games, conditions=QUICK)
    match = Match(plan, watcher=Watch(console))
    match.play()
    console.print(result_tables(plan, match.results))
    return out.getvalue()


def test_in_a_pipe_each_turn_is_a_line_of_plain_text_within_80_columns() -> None:
    text = watched("ismcts", "planner", "greedy", "random")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    turns = re.findall(r"(?m)^ *\d+ p[1-4] \w+ +(?:takes|plays|produces|upgrades|rests|claims) ", text)
    assert len(turns) > 80
    assert "chances of the win as ismcts sees them" in text
    assert re.search(r"1\.  p[1-4] +\w+ +\d+", text)
    assert "--- round 6: ismcts" in text


def test_on_a_terminal_the_board_is_drawn_again_in_place() -> None:
    text = watched("planner", "random", terminal=True)
    assert "\x1b[2K" in text or "\x1b[1A" in text
    assert "\x1b[?25h" in text, "the cursor is visible again"


@pytest.mark.parametrize(("width", "height"), [(80, 10), (40, 50)])
def test_a_terminal_too_small_for_the_board_gets_lines(width: int, height: int) -> None:
    text = watched("planner", "random", terminal=True, width=width, height=height)
    assert "\x1b[1A" not in text
    assert max(map(len, text.splitlines())) <= max(width, 80)


def test_several_games_end_in_a_table_each_and_one_for_all() -> None:
    text = watched("planner", "random", games=2)
    assert text.count("place  seat") == 2
    assert "game 2 of 2" in text
    assert "wins %" in text


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_board_keeps_its_height_and_its_width(seats: int) -> None:
    position = load(f"spice_road;players={seats};seed=2").start()
    heights = set()
    for number in range(400):
        if position.is_over:
            break
        labels = [SeatLabel("x" * 30, points, " 100% ██████") for points in position.scores()]
        lines = board.table(position.state(), labels, 80)
        assert max(map(width_of, lines)) <= 80
        heights.add(len(lines))
        position = position.apply(position.random_action(number * 7919))
    assert len(heights) == 1


def say(tokens: list[str], **state: object) -> str:
    return "".join(text for text, _ in board.sentence(state, tokens, state))


def test_turns_are_told_in_sentences() -> None:
    market = [{"card": "up3", "cubes": ""}, {"card": "rr>gg", "cubes": "yr"}]
    points = ["rrgb=12", "bbbb=16", "yyrr=6"]
    player = {"played": ["+yy", "up2"]}
    assert say(["take=1", "~market=+b"], market=market) == "takes up3   new: +b"
    assert say(["take=2", "pay=y"], market=market) == "takes rr>gg for y and the yr on it"
    assert say(["play=+yyy", "drop=y", "drop=r"]) == "produces yyy, returning yr"
    assert say(["play=up2,y>r,r>g"]) == "upgrades y>r r>g with up2"
    assert say(["play=up2"]) == "upgrades nothing with up2"
    assert say(["play=rr>gg*1"]) == "plays rr>gg"
    assert say(["play=rr>yyb*4"]) == "plays rr>yyb 4 times: rrrrrrrr for yyyyyyyybbbb"
    assert say(["rest"], turn="p1", players=[player]) == "rests and takes 2 cards back"
    claim = say(["claim=1", "~point=ggg=9"], points=points, gold=0, silver=3)
    assert claim == "claims rrgb for 12 points and a silver coin   new: ggg 9"
    assert say(["claim=2"], points=points, gold=1, silver=1) == "claims bbbb for 16 points and a silver coin"
    assert say(["claim=3"], points=points, gold=1, silver=1) == "claims yyrr for 6 points"


def test_a_game_without_a_board_of_its_own_has_none() -> None:
    assert board_of("no_such_game") is None


@pytest.mark.parametrize("win", [(1e15, -1e15), (1e308, 0.0)], ids=str)
def test_a_recorded_estimate_that_can_not_be_is_not_shown(win: tuple[float, ...]) -> None:
    start = load("spice_road;players=2;seed=2").start()
    events = [*map(Event, start.history), Event(start.legal_tokens()[0], 1.0, win)]
    record = GameRecord(str(start.game.spec), ("a", "b"), tuple(events), (0, 0), (1, 1), "stopped")
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, force_interactive=True, width=80, height=40, color_system=None
    )
    show_again(record, Watch(console))
    assert "%" not in out.getvalue()
