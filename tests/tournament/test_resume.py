"""A tournament that is killed or interrupted, and goes on: nothing is lost, played twice, or left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import psutil
import pytest
from tournament.hall import command, left_behind
from tournament.stories import stories

from serai.bots.tournament.journal import JournalContent, read_journal
from serai.core.errors import RecordError

MARK = f"tag=resume{os.getpid()}"
FOREVER = 60.0  # seconds
SOON = 6.0  # seconds in which what is told to end has ended, on a machine however busy
GAMES = 24


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert left_behind(MARK) == []


def write_plan(folder: Path, *engines: str, games: int = GAMES, max_plies: int = 30) -> None:
    entrants = "".join(
        f"[[entrants]]\nname = '{name}'\nengine = \"{engine}\"\n"
        for name, engine in zip("ab", engines, strict=True)
    )
    settings = f"games = {games}\nnodes = 5\nmax_plies = {max_plies}\nseed = 8\n"
    (folder / "cup.toml").write_text(settings + entrants, encoding="utf-8")


def start(folder: Path, name: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "serai.bots.cli", "tournament", str(folder / "cup.toml")),
            *("--journal", str(folder / name), "--jobs", "2", *arguments),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str], seconds: float = FOREVER) -> tuple[int, str]:
    """Its exit code and what it said on stderr."""
    try:
        _, stderr = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    assert "Traceback" not in stderr
    return process.returncode, stderr


def games_in(path: Path) -> int:
    with contextlib.suppress(RecordError):  # it is not there yet
        return len(read_journal(path).outcomes)
    return 0


def wait_for(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + FOREVER
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def whole(content: JournalContent, games: int = GAMES) -> bool:
    return content.notes == [] and len(content.records) == len(content.done) == games


# ---- killed


def test_killed_at_any_moment_it_plays_what_is_missing(tmp_path: Path) -> None:
    write_plan(tmp_path, f"cmd:{command('nothing', MARK)}", "random", games=2 * GAMES)
    random = Random(4)
    for part in (1, 2, 3):
        killed(start(tmp_path, "killed", "--resume"), tmp_path / "killed", 5 * part, random.random() / 10)
    code, said = ended(start(tmp_path, "killed", "--resume"))
    assert code == 0
    assert " are there already" in said
    assert ended(start(tmp_path, "undisturbed"))[0] == 0
    content, undisturbed = read_journal(tmp_path / "killed"), read_journal(tmp_path / "undisturbed")
    assert whole(content, 2 * GAMES)
    assert whole(undisturbed, 2 * GAMES)
    assert stories(content.records) == stories(undisturbed.records)


def killed(process: subprocess.Popen[str], path: Path, games: int, more: float) -> None:
    """Kill a manager, and nothing else, some seconds after so many games."""
    wait_for(lambda: games_in(path) >= games, process)
    time.sleep(more)
    process.send_signal(signal.SIGSTOP)  # it can't end by itself while we look
    theirs = psutil.Process(process.pid).children(recursive=True)
    assert theirs, "it was done before it could be killed: give it more games"
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(theirs, timeout=SOON)
    assert alive == []


def test_a_record_that_was_being_written_is_played_again(tmp_path: Path) -> None:
    write_plan(tmp_path, f"cmd:{command('nothing', MARK)}", "random", games=4)
    assert ended(start(tmp_path, "journal"))[0] == 0
    path, content = tmp_path / "journal", read_journal(tmp_path / "journal")
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    code, said = ended(start(tmp_path, "journal", "--resume"))
    assert code == 0
    assert "a record cut short by a crash was removed" in said
    assert stories(read_journal(path).records) == stories(content.records)


def test_a_plan_that_was_being_written_is_begun_again(tmp_path: Path) -> None:
    write_plan(tmp_path, f"cmd:{command('nothing', MARK)}", "random", games=2)
    assert ended(start(tmp_path, "journal"))[0] == 0
    path, content = tmp_path / "journal", read_journal(tmp_path / "journal")
    path.write_bytes(path.read_bytes()[:100])
    code, said = ended(start(tmp_path, "journal", "--resume"))
    assert code == 0
    assert "a record cut short by a crash was removed (100 bytes)" in said
    assert stories(read_journal(path).records) == stories(content.records)


# ---- interrupted


def slow_plan(folder: Path) -> None:
    """Games of some 10 s."""
    slow = f"cmd:{command('slow', 'seconds=0.25', MARK)}"
    write_plan(folder, slow, slow, games=40)


def test_ctrl_c_lets_the_games_under_way_end(tmp_path: Path) -> None:
    write_plan(tmp_path, f"cmd:{command('nothing', MARK)}", "random", games=200)
    process = start(tmp_path, "journal")
    wait_for(lambda: games_in(tmp_path / "journal") >= 3, process)
    process.send_signal(signal.SIGINT)
    code, said = ended(process)
    assert code == 130
    assert "the games under way will be finished; Ctrl-C again to stop at once" in said
    assert f"not finished; go on with: --journal {tmp_path / 'journal'} --resume" in said
    content = read_journal(tmp_path / "journal")
    assert whole(content, len(content.records))
    assert 3 <= len(content.records) < 200
    assert {record.ended for record in content.records} == {"max-plies"}


@pytest.mark.parametrize("numbers", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]], ids=["twice", "TERM"])
def test_it_can_be_ended_at_once(numbers: list[signal.Signals], tmp_path: Path) -> None:
    slow_plan(tmp_path)
    process = start(tmp_path, "journal")
    wait_for((tmp_path / "journal").exists, process)  # all engines could be started
    time.sleep(1)
    theirs = psutil.Process(process.pid).children(recursive=True)
    for number in numbers:
        assert process.poll() is None
        process.send_signal(number)
        time.sleep(0.5)
    began = time.monotonic()
    code, said = ended(process)
    assert time.monotonic() - began < SOON
    assert code == 130
    assert "no game was finished" in said
    assert "--resume" in said
    assert psutil.wait_procs(theirs, timeout=SOON)[1] == []
    assert whole(read_journal(tmp_path / "journal"), 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_can_be_ended_before_the_first_game(number: signal.Signals, tmp_path: Path) -> None:
    slow = f"cmd:{command('slow-start', 'seconds=5', MARK)}"
    write_plan(tmp_path, slow, slow)
    process = start(tmp_path, "journal")
    wait_for(lambda: psutil.Process(process.pid).children(recursive=True), process)
    time.sleep(0.3)
    process.send_signal(number)
    began = time.monotonic()
    code, _ = ended(process)
    assert time.monotonic() - began < SOON
    assert code in (130, -number)
    assert not (tmp_path / "journal").exists()
