"""Whole runs of seconds: killed anywhere they end in the same network; what is damaged is made again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from training.small import small_plan, train, write

from serai.bots.train_command import run
from serai.bots.training.store import Store
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


DAMAGE = (
    *("generation-1/fit.json", "generation-1/network.bin", "generation-1/weights.npz"),
    *("generation-1/gate.json", "generation-1/training.npz"),
)


@pytest.mark.parametrize("place", DAMAGE)
def test_a_damaged_file_of_a_finished_run_is_made_again(
    undisturbed: tuple[Path, Path], tmp_path: Path, place: str
) -> None:
    plan, done = undisturbed
    out = tmp_path / "run"
    shutil.copytree(done, out, ignore=shutil.ignore_patterns("lock"))
    (out / place).write_bytes((out / place).read_bytes()[:-30])
    assert finish(plan, out, "--resume") == (done / "network.bin").read_bytes()
    if not place.endswith("training.npz"):  # nobody asks for it after the end
        assert read_whole(out / place) == read_whole(done / place)


def read_whole(path: Path) -> object:
    """What matters in a file: archives have the time in them."""
    if path.suffix != ".npz":
        return path.read_bytes()
    with np.load(path) as arrays:
        return {name: arrays[name].tobytes() for name in arrays.files}


def test_ctrl_c_ends_a_run_and_its_workers_at_once(tmp_path: Path) -> None:
    """Their games are long here, and nobody waits for them."""
    long = replace(small_plan(chunk=40, nodes=4000, sample_nodes=4000), games=(80, 80))
    plan = write(long, tmp_path / "long.json")
    out = tmp_path / "run"
    process = train(plan, out)
    deadline = time.monotonic() + FOREVER
    while not (workers := workers_of(process.pid)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(1)  # so that games are under way
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "not finished; go on with" in said
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive


def workers_of(pid: int) -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process(pid).children(recursive=True)
        if "spawn_main" in " ".join(child.cmdline())
    ]


def test_a_second_generation_plays_with_the_first_one_and_meets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with two processes, and when it is begun again after its samples are lost."""
    monkeypatch.setattr("serai.bots.training.gate.accepts", lambda matches: True)
    plan = write(small_plan(generations=2), tmp_path / "two.json")
    for name, jobs in (("one", "1"), ("two", "2")):
        assert run([str(plan), "--out", str(tmp_path / name), "--jobs", jobs]) == 0
    network = read_network(tmp_path / "one" / "network.bin")
    assert (network.provenance["generation"], network.provenance["games"]) == (2, 32)
    assert [gate["matches"][0]["opponent"] for gate in network.provenance["gates"]] == [
        "hand-made",
        "generation 1",
    ]
    assert [fit["games"] for fit in network.provenance["fits"]] == [16, 32]
    for file in ("network.bin", "generation-2/gate.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    forget(tmp_path / "two", "generation-2/fit.json", "generation-1/self-play/2-seats-00000.samples")
    assert run([str(plan), "--out", str(tmp_path / "two"), "--resume", "--jobs", "1"]) == 0
    assert (tmp_path / "one/network.bin").read_bytes() == (tmp_path / "two/network.bin").read_bytes()


def forget(folder: Path, *files: str) -> None:
    for file in files:
        (folder / file).unlink()


def test_another_network_does_not_inherit_a_gate(tmp_path: Path) -> None:
    store = Store(tmp_path / "run")
    store.write_candidate(0, b"first")
    gate = store.generation(0) / "gate.json"
    store.write_json(gate, {})
    store.write_candidate(0, b"first")
    assert gate.exists()
    store.write_candidate(0, b"second")
    store.close()
    assert not gate.exists()


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
        (["spice_road", "--seed", "-1"], "--seed must be 0 to"),
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
    plan, _ = undisturbed
    store = Store(tmp_path / "run")
    try:
        with pytest.raises(SetupError, match="another process trains there"):
            run([str(plan), "--out", str(tmp_path / "run")])
    finally:
        store.close()
