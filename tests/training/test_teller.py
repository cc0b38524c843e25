"""What a run says while it goes."""

from __future__ import annotations

import io

from training.small import small_plan

from serai.bots.training.pace import Pace
from serai.bots.training.teller import Teller


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_lines_come_now_and_then_with_the_time_left() -> None:
    stream, clock = io.StringIO(), Clock()
    teller = Teller(stream, clock)
    teller.begin("self-play", 1000, "games", done=100, later=90)
    for done in range(200, 1000, 100):
        clock.now += 4
        teller.at(done, "well")
    teller.close()
    assert stream.getvalue().splitlines() == [
        "self-play: 400 of 1,000 games, 25 games/s, 1:54 left in all; well",
        "self-play: 700 of 1,000 games, 25 games/s, 1:42 left in all; well",
    ]


def test_notes_come_at_once() -> None:
    stream = io.StringIO()
    teller = Teller(stream, Clock())
    teller.say("hello [1]")
    assert stream.getvalue() == "hello [1]\n"


def test_the_pace_knows_what_follows() -> None:
    plan = small_plan(generations=2)
    pace = Pace(play=100.0, fit=10.0, gate=1.0)
    assert pace.whole(plan) == 2 * 100 + 10 + 20 + 4
    assert pace.after(plan, 0, "self-play") == pace.whole(plan) - 100
    assert pace.after(plan, 1, "gate at 2 seats") == 1
    assert pace.after(plan, 1, "gate at 3 seats") == 0
