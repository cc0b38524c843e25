"""The benchmarks run and print sane numbers; the signature is stable."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from serai.core.errors import SetupError
from serai.core.games import NAMES, load, set_ups
from serai.core.games.spice_road.worth import load_weights
from serai.core.network_file import shipped_network
from serai.core.spec import parse_spec
from serai.search import Planner, benchmark, has_planner
from serai.search.signature import signature
from serai.search.timing import OPERATIONS, nanoseconds

BENCH = Path(__file__).parents[1] / "bench"
TWO = "spice_road;players=2"
Import = Callable[[str], Any]  # scripts are no package: mypy can't see into them


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Import a script of bench/; all of them are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(BENCH))
    names = {path.stem for path in BENCH.glob("*.py")}
    yield importlib.import_module
    for name in names & sys.modules.keys():
        del sys.modules[name]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches of one size only: the largest take half a second each."""
    monkeypatch.setattr(benchmark, "SIZES", benchmark.SIZES[:1])


@pytest.mark.parametrize("table", benchmark.tables())
def test_fixed_positions_are_decisions_in_one_game(table: str) -> None:
    found = benchmark.positions(table)
    assert len(found) == 4
    assert {str(replace(p.game.spec, seed=None)) for p in found} == {table}
    assert all(p.game is found[0].game and len(p.legal_actions()) > 4 for p in found)


def test_every_game_has_fixed_positions_for_all_its_seats() -> None:
    for game in NAMES:
        chosen = benchmark.tables(game)
        assert {parse_spec(table).players for table in chosen} == {s.players for s in set_ups(game)}
        assert benchmark.tables(game, (2, 9)) == tuple(t for t in chosen if "players=2" in t)


def test_every_figure_is_positive_and_has_a_label() -> None:
    larger = {name for name in benchmark.LABELS if name.endswith(("_10000", "_100000"))}
    unadvised = {name for name in benchmark.LABELS if name.startswith(("pure", "planner"))}
    without = {name for name in benchmark.LABELS if name.startswith(("network", "judge", "prefer"))}
    results = benchmark.run(0.1, ("spice_road;players=2", "concordia;players=3;variant=imperium"))
    for table, figures in results.items():
        game = load(table)
        missing = set() if has_planner(game) else unadvised
        missing |= set() if shipped_network(game.spec.game) else without
        assert figures.keys() == benchmark.LABELS.keys() - larger - missing
        assert 100 < figures["state_bytes"] <= 400
        assert all(value > 0 for name, value in figures.items() if not name.endswith("_ns"))
        assert 0 < figures["legal_ns"] < 1e6
    shown = benchmark.format_table(results)
    assert "2 seats" in shown
    assert "3 seats, imperium" in shown


def test_timing_refuses_what_it_cannot_time() -> None:
    found, foreign = list(benchmark.positions(TWO)), shipped_network("spice_road")
    with pytest.raises(ValueError, match="operation must be one of"):
        nanoseconds("sleep", found, 1)
    with pytest.raises(ValueError, match="at least one"):
        nanoseconds(OPERATIONS[0], [], 1)
    with pytest.raises(ValueError, match="one game"):
        nanoseconds(OPERATIONS[0], [*found, *benchmark.positions(benchmark.tables()[1])], 1)
    with pytest.raises(ValueError, match="needs a network for this game"):
        nanoseconds("judge", found, 1)
    with pytest.raises(ValueError, match="needs a network for this game"):
        nanoseconds("prefer", list(benchmark.positions("concordia;players=2")), 1, foreign)


def test_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--seconds", "0.05", "--seats", "3", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["tables"]["spice_road;players=3"]["playouts_per_s"] > 0
    assert printed["signature"] == signature()


def test_seats_without_fixed_positions_are_refused() -> None:
    with pytest.raises(SetupError, match="--seats must be some of 2 3 4 5 for concordia"):
        benchmark.main(["--game", "concordia", "--seats", "7"])


def test_signature_is_the_same_in_another_process() -> None:
    command = [sys.executable, str(BENCH / "signature.py"), "--only"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) == signature()


def test_throughput_reports_engine_and_threads(script: Import, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--seconds", "0.05", "--seats", "2", "--latency", "2", "--rounds", "1", "--slice", "0.05"]
    assert script("throughput").main(arguments) == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("two threads", "startup_ms", "stop_ms", "signature"))


COMPILER = """#!/bin/sh
for last; do :; done
cat > "$last" <<'PROGRAM'
#!/bin/sh
echo '| list         |    20000 |      1000000 |'
echo '| tab-list     |    40000 |      2000000 |'
for sims in 1000 10000 100000; do
    echo "| ismcts $sims sims, rollout 0 dec    |    500000 sims/s |"
done
PROGRAM
chmod +x "$last"
"""


def test_ratios_to_a_yardstick(script: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = script("limit")
    (tmp_path / "compiler").write_text(COMPILER)
    (tmp_path / "compiler").chmod(0o755)
    monkeypatch.setenv("CXX", str(tmp_path / "compiler"))
    monkeypatch.setattr(limit, "random_positions", lambda number: list(benchmark.positions(TWO)))
    ratios = limit.compare(tmp_path / "yardstick.cpp", seconds=0.01, rounds=1)
    by_name = {(r.ours, r.theirs): r for r in ratios}
    one = by_name["decisions", "list, portable"]
    assert one.target == 0.75
    assert one.middle == pytest.approx(2 * by_name["decisions", "tab-list, portable"].middle)
    assert "| search 1000 | ismcts 1000, portable |" in limit.table(ratios)


def test_unusable_yardstick_is_named(script: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = script("limit")
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(limit.LimitError, match="missing"):
        limit.compare(tmp_path / "missing.cpp", 0.01, 1)


def test_ladder_resumes(script: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strength = script("strength")
    arguments = [
        "--records",
        str(tmp_path / "ladder.rec"),
        "--time",
        "0.01",
        "--scale",
        "0.01",
        "--jobs",
        "1",
    ]
    arguments += ["--only", "planner against itself"]
    assert strength.main(arguments) == 0
    first, size = capsys.readouterr().out, (tmp_path / "ladder.rec").stat().st_size
    assert "| planner against itself (2 seats) |" in first
    assert strength.main(arguments) == 0
    assert capsys.readouterr().out == first
    assert (tmp_path / "ladder.rec").stat().st_size == size


def test_fit_recovers_known_weights(script: Import) -> None:
    fitting = script("regression")
    numbers = np.random.default_rng(1)
    x = numbers.normal(size=(2000, 3, 48))
    true = numbers.normal(size=(x.shape[2],))
    chances = fitting.shares(x @ true)
    winners = (chances.cumsum(axis=1) > numbers.random((len(x), 1))).argmax(axis=1)
    found = fitting.fit_win(x, np.eye(3)[winners])
    assert np.corrcoef(found, true)[0, 1] > 0.98
    assert np.allclose(fitting.fit_score(x, x @ true), true, atol=0.01)


@pytest.mark.parametrize(("game", "features", "rows"), [("spice_road", 16, 7), ("concordia", 28, 17)])
def test_fit_writes_what_the_game_reads(
    script: Import, tmp_path: Path, game: str, features: int, rows: int
) -> None:
    fitting = script(f"fit_{game}")
    with contextlib.redirect_stderr(io.StringIO()):
        fitting.main(["--games", "4", "--seats", "2", "--out", str(tmp_path / "evaluation.toml")])
    data = tomllib.loads((tmp_path / "evaluation.toml").read_text())
    assert data["features"] == list(fitting.FEATURES)
    assert [len(row) for row in data["seats_2"]["win"]] == [features] * rows
    assert all(row[fitting.FEATURES.index("one")] == 0 for row in data["seats_2"]["win"])


def test_features_are_those_of_the_compiled_evaluation(script: Import) -> None:
    fitting, regression = script("fit_spice_road"), script("regression")
    weights = load_weights()[4]
    for position in benchmark.positions("spice_road;players=4"):
        rows = np.array(position.game.evaluation_features(position))
        win = regression.shares((rows @ np.array(weights.win[int(rows[:, fitting.CLAIMS].max())]))[None])[0]
        # a planner's line carries the evaluation of the position it plans from
        assert Planner(1, 1).plan(position).lines[0].win == pytest.approx(win, abs=2e-3)
