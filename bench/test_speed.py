"""The figures under pytest-benchmark, to compare builds: ``pytest bench/test_speed.py --benchmark-compare``.

Not part of the test run (``testpaths`` is tests). Times are wall-clock times.
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from serai.core import load
from serai.core.game import Position
from serai.search import Limits, Planner, Search, SearchParams, greedy, perft, playouts
from serai.search.benchmark import PURE, positions, tables
from serai.search.timing import nanoseconds


@pytest.fixture(params=tables())
def middle(request: pytest.FixtureRequest) -> Position:
    return positions(request.param)[2]


def search_afresh(search: Search, position: Position, nodes: int) -> None:
    search.clear()
    search.run(position, Limits(nodes=nodes))


def test_100_playouts(benchmark: BenchmarkFixture, middle: Position) -> None:
    benchmark(playouts, middle, 100, 1)


def test_perft_3(benchmark: BenchmarkFixture, middle: Position) -> None:
    benchmark(perft, middle, 3)


@pytest.mark.parametrize("nodes", [1_000, 10_000])
@pytest.mark.parametrize("params", [SearchParams(), PURE], ids=["default", "without planner"])
def test_search(benchmark: BenchmarkFixture, middle: Position, nodes: int, params: SearchParams) -> None:
    benchmark(search_afresh, Search(hash_mb=16, params=params), middle, nodes)


def test_search_of_100000_iterations(benchmark: BenchmarkFixture) -> None:
    benchmark(search_afresh, Search(hash_mb=32), positions(tables()[0])[1], 100_000)


def test_planner(benchmark: BenchmarkFixture, middle: Position) -> None:
    planner = Planner()
    benchmark(planner.plan, middle, 0, False)


def test_greedy(benchmark: BenchmarkFixture, middle: Position) -> None:
    benchmark(greedy, middle, 0)


@pytest.mark.parametrize("operation", ["copy", "legal", "apply", "determinize", "observe", "evaluate"])
def test_1000_rounds_of(benchmark: BenchmarkFixture, middle: Position, operation: str) -> None:
    benchmark(nanoseconds, operation, [middle], 1000)


def test_start_of_a_game(benchmark: BenchmarkFixture) -> None:
    game = load("spice_road;players=4;seed=1")
    benchmark(game.start)


def test_apply_in_python(benchmark: BenchmarkFixture, middle: Position) -> None:
    benchmark(middle.apply, middle.legal_tokens()[-1])


def test_view_as_text(benchmark: BenchmarkFixture, middle: Position) -> None:
    benchmark(middle.view_text, middle.to_act)
