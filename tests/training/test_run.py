"""Whole runs of seconds: killed anywhere they end in the same network; what is damaged is made again."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from training.small import small_plan, train, write

from serai.bots.train_command import run
from serai.core.errors import SetupError
from serai.core.network_file import read_network

FOREVER = 60.0  # seconds; it takes some five
PLAN = small_plan()


def finish(plan: Path, out: Path, *more: str) -> bytes:
    process = train(plan, out, *more)
    _, said = process.communicate(timeout=FOREVER)
    assert process.returncode in (0, 1), said
    return (out / "network.bin").read_bytes()


def kill_when(plan: Path, out: Path, ready: Callable[[], bool], *more: str) -> None:
    """Start it, and kill it as soon as something is there; its workers must end by themselves."""
    process = train(plan, out, *more)
    deadline = time.monotonic() + FOREVER
    while not ready():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.001)
    workers = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=FOREVER)
    _, alive = psutil.wait_procs(workers, timeout=FOREVER)
    assert not alive


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plan, and the folder of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("training")
    plan = write(PLAN, folder / "small.json")
    finish(plan, folder / "run")
    return plan, folder / "run"


def test_a_killed_run_ends_in_the_same_network(undisturbed: tuple[Path, Path], tmp_path: Path) -> None:
    plan, done = undisturbed
    out = tmp_path / "run"
    generation = out / "generation-1"
    kill_when(plan, out, lambda: any((generation / "self-play").glob("*.samples")))
    kill_when(plan, out, (generation / "training.npz").exists, "--resume")
    assert finish(plan, out, "--resume") == (done / "network.bin").read_bytes()


def test_a_run_killed_in_a_gate_goes_on(undisturbed: tuple[Path, Path], tmp_path: Path) -> None:
    plan, done = undisturbed
    out = tmp_path / "run"
    kill_when(plan, out, (out / "generation-1" / "gate-3.journal").exists)
    assert finish(plan, out, "--resume") == (done / "network.bin").read_bytes()


def test_what_is_damaged_is_made_again(undisturbed: tuple[Path, Path], tmp_path: Path) -> None:
    plan, done = undisturbed
    out = tmp_path / "run"
    places = "generation-1/self-play/2-seats-00001.samples", "plan.json"
    for place in places:
        (out / place).parent.mkdir(parents=True, exist_ok=True)
        (out / place).write_bytes((done / place).read_bytes())
    chunk = out / places[0]
    chunk.write_bytes(chunk.read_bytes()[:-20])
    process = train(plan, out, "--resume")
    _, said = process.communicate(timeout=FOREVER)
    assert "2-seats-00001.samples: it is damaged, or no file of samples; it is played again" in said
    assert chunk.read_bytes() == (done / places[0]).read_bytes()
    assert (out / "network.bin").read_bytes() == (done / "network.bin").read_bytes()


def test_the_network_says_how_it_was_made(undisturbed: tuple[Path, Path]) -> None:
    _, done = undisturbed
    network = read_network(done / "network.bin")
    assert network.game == "spice_road"
    assert network.provenance["plan"]["seed"] == PLAN.seed
    assert network.provenance["games"] == 16
    assert [match["seats"] for match in network.provenance["gates"][0]["matches"]] == [2, 3]
    assert network.provenance == json.loads((done / "report.json").read_text())
    text = (done / "report.txt").read_text()
    assert "held-out loss by seats" in text
    assert ("core/games/spice_road/network.bin" in text) == network.provenance["accepted"]


def test_a_finished_run_says_so_again(
    undisturbed: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    plan, done = undisturbed
    before = (done / "network.bin").read_bytes()
    assert run([str(plan), "--out", str(done), "--resume", "--json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["generation"] == 1
    assert (done / "network.bin").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "unknown game"),
        (["spice_road", "--budget", "soon"], "a budget is a time as 30m"),
        (["spice_road", "--seats", "7"], "seats must be some of 2 3 4 5"),
        (["spice_road", "--jobs", "0"], "--jobs must be 1 to 256"),
        (["nowhere.json"], "no such file"),
    ],
)
def test_what_makes_no_sense_is_refused_before_there_is_a_folder(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SetupError, match=words):
        run(arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "has a run already: --resume goes on"),
        (["--resume", "--seed", "9"], "begun with --seed 5, not 9"),
        (["--resume", "--seats", "4"], "begun with --seats"),
        (["--resume", "--budget", "3m"], "begun with --budget"),
    ],
)
def test_another_run_in_the_folder_is_refused(
    undisturbed: tuple[Path, Path], arguments: list[str], words: str
) -> None:
    _, done = undisturbed
    with pytest.raises(SetupError, match=words):
        run(["spice_road", "--out", str(done), *arguments])


def test_a_plan_leaves_no_room_for_other_wishes(undisturbed: tuple[Path, Path], tmp_path: Path) -> None:
    plan, done = undisturbed
    with pytest.raises(SetupError, match="leave out --budget"):
        run([str(plan), "--seed", "3", "--out", str(tmp_path / "x")])
    other = write(small_plan(seed=6), tmp_path / "other.json")
    with pytest.raises(SetupError, match="another plan"):
        run([str(other), "--out", str(done), "--resume"])


def test_a_folder_is_used_by_one_process_at_a_time(undisturbed: tuple[Path, Path], tmp_path: Path) -> None:
    from serai.bots.training.store import Store

    plan, _ = undisturbed
    store = Store(tmp_path / "run")
    try:
        with pytest.raises(SetupError, match="another process trains there"):
            run([str(plan), "--out", str(tmp_path / "run")])
    finally:
        store.close()
