"""Decisions in another seat's turn: they belong to that turn, get little time, take none from the next."""

from __future__ import annotations

import io
import re

import pytest
from reference.asides import FULL, SCRIPT, TOKENS, keeping, opening, turning
from reference.concordia_situations import player, situation
from rich.console import Console

from serai.bots.bot import Bot
from serai.bots.guard import Guard
from serai.bots.ismcts import IsmctsBot
from serai.bots.referee import Conditions, Game
from serai.bots.replay import show_again
from serai.bots.schedule import MatchPlan
from serai.bots.standings import played
from serai.bots.time_control import SeatTimer, TimeControl, parse_clock, pass_turn
from serai.bots.watch import Watch
from serai.core import Position, load
from serai.core.game_record import Event, GameRecord, to_text, turns
from serai.search import Limits

WORDS = (SCRIPT[:2], SCRIPT[2:4], SCRIPT[4:])  # by seat


# ---- time


def test_of_nodes_of_its_own_a_bot_uses_an_eighth_in_turns_of_others() -> None:
    bot = IsmctsBot(nodes=160, hash=1)
    bot.new_game()
    spent = []
    for position in (keeping(), turning()):
        bot.choose(position.view(1))
        assert bot.report is not None
        spent.append(bot.report.nodes)
    assert spent == [20, 160]


@pytest.mark.parametrize(
    ("control", "little", "whole"),
    [
        (TimeControl(nodes=4000), Limits(nodes=500), Limits(nodes=4000)),
        (TimeControl(turn=2.0), Limits(movetime=199, overhead=0), Limits(movetime=1800, overhead=0)),
        (parse_clock("5:00+2"), Limits(clock=(300_000, 2000, 0, 0)), Limits(clock=(299_996, 2000, 0, 0))),
    ],
)
def test_a_decision_in_anothers_turn_takes_nothing_from_the_next_one(
    control: TimeControl, little: Limits, whole: Limits
) -> None:
    timers = [SeatTimer(control, margin=0.5) for _ in range(3)]
    pass_turn(timers, None, 0)
    assert timers[1].limits() == little
    assert timers[1].spend(0.004) is None
    pass_turn(timers, 0, 1)
    assert timers[1].limits() == whole


def test_later_ones_take_an_eighth_of_what_the_last_turns_first_one_took() -> None:
    timers = [SeatTimer(parse_clock("60+1"), margin=0.5) for _ in range(2)]
    pass_turn(timers, None, 0)
    timers[0].spend(4.0)
    pass_turn(timers, 0, 1)
    assert timers[0].limits() == Limits(clock=(57_000, 1000, 0, 0), movetime=500)
    timers[0].spend(0.5)
    pass_turn(timers, 1, 0)
    assert timers[0].left == 56.5, "only a turn of its own adds the increment"
    assert timers[0].limits().movetime is None


def test_byo_yomi_used_in_anothers_turn_are_there_again() -> None:
    timers = [SeatTimer(parse_clock("1/3"), margin=0.0) for _ in range(2)]
    pass_turn(timers, None, 0)
    assert timers[1].spend(3.0) is None
    pass_turn(timers, 0, 1)
    assert timers[1].spend(2.9) is None


def test_what_comes_next_is_foreseen() -> None:
    timer = SeatTimer(parse_clock("60+1"), margin=0.5)
    timer.begin_turn()
    timer.spend(8.0)
    own, aside = timer.next_turn(own=True), timer.next_turn(own=False)
    assert (own.left, own.limits().movetime) == (53.0, None)
    assert (aside.left, aside.limits().movetime) == (53.0, 1000)
    assert aside.next_turn(own=True).left == 53.0
    assert timer.left == 52.0


# ---- a game


class Scripted(Bot):
    """Plays its seat's words, and writes down what it might use."""

    name = "scripted"

    def __init__(self, given: list[tuple[int, int | None]]) -> None:
        self.given = given

    def choose(self, position: Position) -> str:
        """The word that is legal."""
        self.given.append((self.seat, self.limits.nodes))
        return next(token for token in WORDS[self.seat] if token in position.legal_tokens())


def one_game() -> tuple[GameRecord, list[tuple[int, int | None]]]:
    """The script as a game, of decisions with a choice as they were asked for."""
    given: list[tuple[int, int | None]] = []
    guards = [Guard(Scripted(given)) for _ in range(3)]
    conditions = Conditions(TimeControl(nodes=80), max_plies=len(SCRIPT))
    try:
        return Game(opening().spec, guards, conditions, seed=1).play(), given
    finally:
        for guard in guards:
            guard.close(1.0)


def test_the_referee_gives_little_for_it_and_all_for_the_turn_after_it() -> None:
    record, given = one_game()
    assert tuple(event.token for event in record.events) == SCRIPT
    assert given == [(0, 80), (0, 10), (1, 10), (1, 80), (2, 80), (2, 10)]


def test_a_record_has_it_in_the_turn_that_it_was_made_in() -> None:
    record, _ = one_game()
    assert [turn.seat for turn in turns(record)] == [0, 1, 2]
    lines = to_text(record).splitlines()
    number = next(i for i, line in enumerate(lines) if "play=prefect" in line)
    assert lines[number].split()[1:5] == ["p1", "play=prefect", "produce=venetia", "p2:keep=brick"]
    assert re.fullmatch(r" +2 +p2 +play=tribune .*play the tribune", lines[number + 1])


def test_statistics_count_it_as_no_turn() -> None:
    record, _ = one_game()
    fixture = MatchPlan(("a", "b", "c"), games=1).fixture(0)
    digest = played(fixture, record)
    assert digest.turns == (1, 1, 1)
    assert digest.decisions == (2, 2, 2)


def test_who_looks_on_sees_whole_turns() -> None:
    out = io.StringIO()
    show_again(one_game()[0], Watch(Console(file=out, width=120)))
    told = re.findall(r"(?m)^ *(\d+) (p\d) +\S+ +(.*?) *$", out.getvalue())
    assert told == [
        ("1", "p1", "lets venetia produce, bonus wine; p2 keeps brick"),
        ("1", "p2", "takes 2 cards back"),
        ("1", "p3", "takes 3 coins"),
    ]


def test_the_round_begins_with_the_first_seats_turn() -> None:
    """Not with what it keeps in the turn of another."""
    seats = [player(FULL, houses=["bauzanum", "aquileia"]), player(), player("")]
    known = {"tokens": TOKENS, "mover": "p2", "turn": "p2"}
    position = load("concordia;players=3;variant=italia").from_state(situation(seats, "italia", **known))
    tokens = ("play=prefect", "produce=venetia", "keep=food", "play=mercator", "done")
    record = GameRecord(position.spec, ("a", "b", "c"), tuple(map(Event, tokens)), (0, 0, 0), (1, 1, 1))
    out = io.StringIO()
    show_again(record, Watch(Console(file=out, width=120)))
    assert re.findall(r"(?m)^ *(\d+) (p\d) ", out.getvalue()) == [("0", "p2"), ("0", "p3")]
