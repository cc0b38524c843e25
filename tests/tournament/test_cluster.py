"""Workers elsewhere: a real scheduler and real workers, one of which is killed while another one joins."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from tournament.hall import command, left_behind

from serai.bots.tournament import cluster
from serai.bots.tournament.journal import JournalContent, read_journal
from serai.core.errors import RecordError, SetupError

MARK = f"tag=cluster{os.getpid()}"
FOREVER = 90.0  # seconds; it takes some ten
GAMES = 24
PLAN = f"""
seats = 2
games = {GAMES}
seed = 5
nodes = 5
max_plies = 60

[[entrants]]
name = "honest"
engine = "cmd:{command("nothing", MARK)}"

[[entrants]]
engine = "random"
"""


@dataclass
class Farm:
    """A scheduler on this machine, and its workers."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    address: str = ""

    def open(self) -> None:
        """Start the scheduler."""
        file = self.folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--no-show", "--scheduler-file", str(file))
        wait_for(file.exists)
        self.address = json.loads(file.read_text())["address"]

    def hire(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        where = ("--local-directory", str(self.folder))
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny", *where)

    def _start(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{role}"
        everywhere = ("--host", "127.0.0.1", "--no-dashboard")
        log = (self.folder / f"{role}{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments, *everywhere],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def close(self) -> None:
        """End them all, the scheduler last: workers say goodbye to it."""
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(condition: Callable[[], object], seconds: float = FOREVER) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No engine outlives its worker."""
    yield
    assert left_behind(MARK) == []


@pytest.fixture
def farm(nothing_left: None, tmp_path: Path) -> Iterator[Farm]:
    made = Farm(tmp_path)
    try:
        made.open()
        yield made
    finally:
        made.close()


def tournament(folder: Path, name: str, *arguments: str) -> subprocess.Popen[str]:
    (folder / "cup.toml").write_text(PLAN, encoding="utf-8")
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "serai.bots.cli", "tournament", str(folder / "cup.toml")),
            *("--journal", str(folder / name), *arguments),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def games_in(path: Path) -> int:
    with contextlib.suppress(RecordError):  # it is not there yet
        return len(read_journal(path).outcomes)
    return 0


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, stderr = process.communicate(timeout=FOREVER)
    return process.returncode, stderr


def results(content: JournalContent) -> dict[tuple[int, int], tuple[object, ...]]:
    return {
        (outcome.block, outcome.game): (
            *(record.spec, record.seats, [event.token for event in record.events]),
            *(record.scores, record.ranks, record.ended, record.faults),
        )
        for outcome, record in zip(content.outcomes, content.records, strict=True)
    }


def test_workers_come_and_go(farm: Farm, tmp_path: Path) -> None:
    first, _ = farm.hire(), farm.hire()
    process = tournament(tmp_path, "far", "--cluster", farm.address)
    wait_for(lambda: games_in(tmp_path / "far") >= 4 or process.poll() is not None)
    wait_for(lambda: engines_of(first) or process.poll() is not None)
    theirs = engines_of(first)
    first.kill()
    farm.hire()
    code, said = ended(process)
    assert code == 0, said
    assert theirs
    wait_for(lambda: not any(map(runs, theirs)), 20)  # engines see the end of their input
    content = read_journal(tmp_path / "far")
    assert content.notes == []
    assert len(content.records) == GAMES == len(content.done)
    assert ended(tournament(tmp_path, "near"))[0] == 0
    assert results(content) == results(read_journal(tmp_path / "near"))


def engines_of(worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The engines among the processes that a worker has started."""
    found = psutil.Process(worker.pid).children(recursive=True)
    return [process for process in found if MARK in command_line(process)]


def command_line(process: psutil.Process) -> list[str]:
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def runs(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def test_it_can_be_interrupted_and_resumed(farm: Farm, tmp_path: Path) -> None:
    process = tournament(tmp_path, "far", "--cluster", farm.address)  # nobody there yet
    time.sleep(1)
    farm.hire()
    wait_for(lambda: games_in(tmp_path / "far") >= 2 or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    code, said = ended(process)
    assert code == 130, said
    before = games_in(tmp_path / "far")
    assert 2 <= before < GAMES
    code, said = ended(tournament(tmp_path, "far", "--resume", "--cluster", farm.address))
    assert code == 0, said
    assert f"{before} are there already" in said
    assert read_journal(tmp_path / "far").notes == []
    assert games_in(tmp_path / "far") == GAMES


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "nonsense", "ether://x:1", "tls://127.0.0.1:1", "127.0.0.1:a", ""]
)
def test_no_scheduler_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT", 0.5)
    with pytest.raises(SetupError, match=f"^no Dask scheduler answers at {address}: "):
        cluster.Cluster(address)


def test_no_dask_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SetupError, match=r"needs Dask: pip install 'serai\[cluster\]'"):
        cluster.Cluster("tcp://127.0.0.1:8786")


def test_no_journal_is_begun_without_a_scheduler(tmp_path: Path) -> None:
    code, said = ended(tournament(tmp_path, "far", "--cluster", "nonsense"))
    assert code == 2
    assert "no Dask scheduler answers at nonsense" in said
    assert not (tmp_path / "far").exists()
