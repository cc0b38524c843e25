"""What engines get to hear and when they must answer: views, limits, clocks, thinking ahead."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tournament.hall import Played, entrant, left_behind, play

from serai.bots.time_control import TimeControl
from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.player import Player

MARK = f"tag=seats{os.getpid()}"
FEW = TimeControl(nodes=5)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process outlives a tournament."""
    yield
    assert left_behind(MARK) == []


SERAI = Entrant("serai", "serai", control=TimeControl(nodes=50))
OTHER = Entrant("other", "serai", control=TimeControl(nodes=50))


# ---- what engines get to hear


def listening(entrant: Entrant, log: Path) -> Entrant:
    """The same, and what it is told is written to a file."""
    argv = [sys.executable, "-m", "serai.protocol.relay", "--log", str(log), *entrant.argv]
    engine = f"cmd:{shlex.join(argv)}"
    return dataclasses.replace(entrant, engine=engine, options=tuple(entrant.settings.items()))


def heard_by(log: Path) -> list[str]:
    """The lines that it was told."""
    lines = log.read_text(encoding="utf-8").splitlines()
    return [line.split(" > ", 1)[1] for line in lines if re.match(r" *[0-9.]+ > ", line)]


@pytest.fixture(scope="module", params=[False, True], ids=["views", "trusted"])
def overheard(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Played, Path]:
    folder = tmp_path_factory.mktemp("overheard")
    entrants = [
        listening(each, folder / each.name)
        for each in (
            SERAI,
            Entrant("clock", "random", control=TimeControl(clock=(40.0, 0.5), byo=2.0)),
            Entrant("turn", "greedy", control=TimeControl(turn=0.3)),
        )
    ]
    plan = Plan(tuple(entrants), games=1, seats=3, max_plies=40, trusted=request.param)
    return play(folder / "journal", plan, jobs=1), folder


def positions(folder: Path, name: str) -> list[str]:
    return [line for line in heard_by(folder / name) if line.startswith("position")]


@pytest.mark.parametrize("name", ["serai", "clock", "turn"])
def test_an_engine_sees_what_its_seat_sees(overheard: tuple[Played, Path], name: str) -> None:
    played, folder = overheard
    lines = positions(folder, name)
    assert len(lines) > 10
    text = "\n".join(heard_by(folder / name))
    if played.plan.trusted:
        assert all(re.match(r"position fen spice_road;players=3;seed=\d+( moves |$)", line) for line in lines)
        return
    assert ";seed=" not in text
    assert "fen" not in text
    assert "startpos" not in text
    for record in played.content.records:
        seat = record.seats.index(name)
        mine = [line for line in lines if line.startswith(f"position view p{seat + 1} spice_road;players=3")]
        assert mine
        lines = [line for line in lines if line not in mine]
    assert lines == []


def test_limits_are_each_seats_own(overheard: tuple[Played, Path]) -> None:
    played, folder = overheard
    seat = played.content.records[0].seats.index("clock") + 1
    first = {
        name: next(line for line in heard_by(folder / name) if line.startswith("go "))
        for name in ("serai", "clock", "turn")
    }
    assert "nodes 50 " in f"{first['serai']} "
    assert "p1time" not in first["serai"]
    assert f"p{seat}time 40000 p{seat}inc 500 p{seat}byo 2000" in first["clock"]
    assert "movetime 270" in first["turn"]
    assert all(not record.faults for record in played.content.records)


def test_each_game_has_a_seed_of_its_own_for_each_engine(overheard: tuple[Played, Path]) -> None:
    _, folder = overheard
    seeds = [
        line
        for name in ("serai", "clock", "turn")
        for line in heard_by(folder / name)
        if line.startswith("setoption name Seed value ")
    ]
    assert len(seeds) == len(set(seeds)) == 9


@pytest.mark.parametrize(("lowest", "highest"), [(0, 0), (0, 1), (5, 9), (1, 2**31 - 1)])
def test_a_seed_is_one_that_the_engine_takes(lowest: int, highest: int, tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(
        f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1] / "protocol")!r})
import minimal_engine
minimal_engine.OPTIONS["Seed"] = ("spin", "{lowest}", ({lowest}, {highest}))
minimal_engine.MinimalEngine().run()
""",
        encoding="utf-8",
    )
    player = Player(Entrant("a", f"cmd:{sys.executable} -S {script} {MARK}"), Plan((SERAI, OTHER)))

    async def sit() -> list[object]:
        try:
            return [await player.sit(seed) for seed in (0, 1, 12345678901234567)]
        finally:
            await player.close()

    assert asyncio.run(sit()) == [None] * 3


# ---- limits and pondering


@pytest.mark.parametrize(
    ("control", "limit"),
    [
        (TimeControl(nodes=80), "nodes 80"),
        (TimeControl(turn=0.06), "movetime 54"),
        (TimeControl(clock=(0.8, 0.05)), "p1time"),
        (TimeControl(clock=(0.0, 0.0), byo=0.06), "p1byo 60"),
    ],
    ids=str,
)
def test_pondering_ends_and_is_legal(control: TimeControl, limit: str, tmp_path: Path) -> None:
    """With two engines that think in each other's turns; the limit is that of a whole turn."""
    mine = Entrant("a", "serai", control=control, ponder=True)
    both = (listening(mine, tmp_path / "log"), dataclasses.replace(mine, name="b"))
    played = play(tmp_path / "journal", Plan(both, games=1, max_plies=20, margin=30.0), jobs=1)
    assert [record.ended for record in played.content.records] == ["max-plies"] * 2
    for record in played.content.records:
        assert {fault.kind for fault in record.faults} <= {"time"}  # a busy machine
        assert len(list(record.replay())) == len(record.events)
    told = heard_by(tmp_path / "log")
    ahead = [line for line in told if line.startswith("go ") and " ponder" in line]
    assert ahead
    assert all(limit in line for line in ahead)
    assert "setoption name Ponder value true" in told
    assert all(" view p" in line for line in told if line.startswith("position"))
    hits = sum(line.startswith("ponderhit") for line in told)
    assert hits + told.count("stop") == len(ahead)


def test_who_ponders_does_not_see_what_is_dealt_later(tmp_path: Path) -> None:
    """An engine that expects a move after which a card comes up would know that card, if it pondered."""
    mine = Entrant("a", "serai", control=TimeControl(nodes=80), ponder=True)
    both = (listening(mine, tmp_path / "log"), dataclasses.replace(mine, name="b"))
    play(tmp_path / "journal", Plan(both, games=1, max_plies=60, margin=30.0), jobs=1)
    shown: list[str] = []
    last = ""
    for line in heard_by(tmp_path / "log"):
        last = line if line.startswith("position") else last
        if line.startswith("go ") and " ponder" in line:
            shown.append(last.split()[-1])
    assert shown
    assert not [event for event in shown if event.startswith("~")]


def test_at_three_seats_nobody_ponders(tmp_path: Path) -> None:
    few = TimeControl(nodes=20)
    mine = Entrant("a", "serai", control=few, ponder=True)
    others = [Entrant(name, "random", control=few) for name in "bc"]
    plan = Plan((listening(mine, tmp_path / "log"), *others), seats=3, games=1, max_plies=20)
    play(tmp_path / "journal", plan, jobs=1)
    told = [line for line in heard_by(tmp_path / "log") if line.startswith("go ")]
    assert told
    assert not any(" ponder" in line for line in told)


def test_an_engine_whose_clock_runs_out_has_lost_on_time(tmp_path: Path) -> None:
    slow = entrant("slow", "slow", "seconds=0.6", MARK, control=TimeControl(clock=(0.4, 0.1)))
    plan = Plan((entrant("honest", "nothing", MARK, control=FEW), slow), games=1, max_plies=10, margin=3.0)
    played = play(tmp_path / "journal", plan, jobs=2)
    assert set(played.faults_of("slow")) == {"time"}
    assert played.faults_of("honest") == []
    assert "s too late, of 0.4 s + 0.1 s a turn; load " in played.games_of("slow")[0][1].faults[0].detail
    assert all(outcome.shares[outcome.seating.index(0)] == 1 for outcome in played.content.outcomes)
