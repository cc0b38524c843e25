import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from arena.play import user

from serai.bots.match import Match, MatchPlan
from serai.bots.referee import Conditions
from serai.bots.time_control import TimeControl
from serai.core import SetupError
from serai.core.record import RecordReader, RecordWriter
from serai.protocol.transport import SHELL

QUICK = Conditions(TimeControl(nodes=20), max_plies=60, patience=20.0)
Start = Callable[..., "subprocess.Popen[str]"]
FAKES = Path(__file__).parents[1] / "protocol" / "fakes" / "engine.py"
CLI = [sys.executable, "-m", "serai.bots.cli", "match"]


def played_games(match: Match) -> list[tuple[object, ...]]:
    results = sorted(match.results, key=lambda result: result.number)
    return [(r.number, r.scores, r.turns, r.decisions, [f.detail for f in r.faults]) for r in results]


def test_a_match_gives_the_same_games_again_also_in_several_processes() -> None:
    plan = MatchPlan(("ismcts", "planner", user("Cheats")), games=6, seed=7, conditions=QUICK)
    matches = [Match(plan), Match(plan), Match(plan, jobs=2)]
    for match in matches:
        match.play()
    first, again, parallel = map(played_games, matches)
    assert first == again == parallel
    assert not any(match.notes for match in matches)


def test_games_are_recorded_and_a_match_is_resumed_from_them(tmp_path: Path) -> None:
    plan = MatchPlan(("random", "planner"), games=4, conditions=QUICK)
    with RecordWriter(tmp_path / "r") as writer:
        Match(plan, writer=writer).play()
    other = MatchPlan(("random", "planner"), games=2, seed=2, conditions=QUICK)
    with RecordWriter(tmp_path / "r") as writer:
        Match(other, writer=writer).play()
    longer = Match(MatchPlan(("random", "planner"), games=6, conditions=QUICK))
    assert longer.take(RecordReader(tmp_path / "r")) == 4
    assert longer.play().games == 6
    whole = Match(MatchPlan(("random", "planner"), games=6, conditions=QUICK))
    whole.play()
    assert played_games(longer) == played_games(whole)


def test_a_stopped_match_ends_after_the_game_under_way() -> None:
    match = Match(
        MatchPlan(("random", "random"), games=50, conditions=QUICK), progress=lambda match: match.stop()
    )
    assert match.play().games == 1


def test_a_match_whose_bots_cannot_be_made_is_refused_in_any_process() -> None:
    plan = MatchPlan(("random", user("Unborn")), games=4, conditions=QUICK)
    for jobs in (1, 2):
        with pytest.raises(SetupError, match="no memory for this"):
            Match(plan, jobs=jobs).play()
    assert children() == []


def test_a_process_that_dies_costs_its_game_and_is_named() -> None:
    match = Match(MatchPlan(("random", user("Dies")), games=3, conditions=QUICK), jobs=2)
    with pytest.raises(ValueError, match="no game was played"):
        match.play()
    assert len(match.notes) == 3
    assert all("exit code 7" in note for note in match.notes)
    assert children() == []


def test_a_bot_that_hangs_in_a_process_does_not_keep_it_alive() -> None:
    conditions = Conditions(TimeControl(nodes=20), max_plies=30, patience=0.2)
    match = Match(MatchPlan(("random", user("Sleeps")), games=2, conditions=conditions), jobs=2)
    result = match.play()
    assert result.entrants[1].faults == {"hung": 2}
    assert children() == []


def children() -> list[psutil.Process]:
    """Processes of this one that still run, after a moment to end."""
    deadline = time.monotonic() + 10
    alive: list[psutil.Process] = psutil.Process().children(recursive=True)
    while alive and time.monotonic() < deadline:
        time.sleep(0.05)
        alive = psutil.Process().children(recursive=True)
    return alive


@pytest.fixture
def start_cli() -> Iterator[Start]:
    """Starts the command; whatever is still running of it at the end of the test is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [*CLI, *arguments], stdout=pipe, stderr=pipe, text=True, encoding="utf-8", start_new_session=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        family = descendants(process)
        process.kill()
        process.communicate(timeout=30)
        for child in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()


def descendants(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Workers and engines, less the shells that watch over engines."""
    family: list[psutil.Process] = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if child.cmdline()[:1] != [SHELL]:
                    family.append(child)
    return family


def wait_for_descendants(process: "subprocess.Popen[str]", count: int) -> list[psutil.Process]:
    """Return when so many run, and go on running."""
    deadline = time.monotonic() + 60
    before, found = [], descendants(process)
    while (len(found) != count or found != before) and time.monotonic() < deadline:
        time.sleep(0.2)  # a shell looks like its parent until it is one
        before, found = found, descendants(process)
    assert len(found) == count
    return found


def wait_for_games(path: Path, process: "subprocess.Popen[str]") -> None:
    """Return when a first game is on the disk."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and path.stat().st_size > 0:
            return
        time.sleep(0.05)
    raise AssertionError("no game was recorded in time")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_once_finishes_the_game_and_prints_the_table(
    tmp_path: Path, jobs: str, start_cli: Start
) -> None:
    path = tmp_path / "r"
    process = start_cli("planner", "random", "--games", "2000", "--jobs", jobs, "--record", str(path))
    wait_for_games(path, process)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "winner's points" in out
    assert "Ctrl-C again to stop at once" in err
    assert "Traceback" not in err
    assert children() == []


def test_ctrl_c_twice_stops_at_once_and_leaves_no_process(tmp_path: Path, start_cli: Start) -> None:
    path = tmp_path / "r"
    process = start_cli(
        "ismcts:time=20",
        f"cmd:{sys.executable} -m serai.bots.cli",
        "--games",
        "20",
        "--jobs",
        "2",
        "--time",
        "20",
    )
    family = wait_for_descendants(process, 4)
    threading.Timer(0.5, os.kill, (process.pid, signal.SIGINT)).start()
    threading.Timer(1.0, os.kill, (process.pid, signal.SIGINT)).start()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "no game was finished" in err
    assert out == ""
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []
    assert not path.exists()


def test_a_killed_match_leaves_neither_workers_nor_engines_that_do_not_want_to_end(
    tmp_path: Path, start_cli: Start
) -> None:
    path = tmp_path / "r"
    immortal = f"cmd:{sys.executable} {FAKES} immortal"
    process = start_cli("planner", immortal, "--games", "2000", "--jobs", "2", "--record", str(path))
    wait_for_games(path, process)
    family = wait_for_descendants(process, 4)
    process.kill()
    process.communicate(timeout=30)
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []
    with RecordWriter(path):
        pass
