"""The README's promises: its Python runs, its commands exist, its session is what the engine says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serai.bots.tournament_command import make_plan, parser
from serai.core.network_file import shipped_network

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_are_three_examples_in_python() -> None:
    assert len(PYTHON) == 3


@pytest.mark.parametrize("number", range(3))
def test_an_example_in_python_runs(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import serai.bots

    served: list[object] = []
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    monkeypatch.setattr(serai.bots, "serve", served.append)
    code = PYTHON[number].replace("time=0.5", "nodes=50").replace("movetime=500", "nodes=50")
    exec(compile(code, f"README example {number}", "exec"), {"__name__": "__main__"})
    assert bool(served) == ("serve(" in code)


def test_the_search_in_the_example_is_that_of_the_engine() -> None:
    names: dict[str, Any] = {}
    exec(PYTHON[1].replace("movetime=500", "nodes=50"), names)
    assert names["search"].network is not None
    assert names["search"].network is shipped_network("spice_road")


def test_the_table_names_the_commands() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "serai.bots.cli", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    for command in (
        "match",
        "tournament",
        "report",
        "export",
        "compare",
        "train",
        "show",
        "compliance",
        "perft",
        "bench",
    ):
        assert f"`serai {command}" in README
        assert f"serai {command}" in shown


def test_the_tournament_is_one_that_can_be_played() -> None:
    line = re.search(r"^\.venv/bin/serai tournament (.*)$", README, re.MULTILINE)
    assert line is not None
    plan = make_plan(parser().parse_args(shlex.split(line[1])))
    assert plan.names == ("serai", "planner", "serai[Skill=8]", "greedy")


def test_the_engine_answers_as_in_the_session() -> None:
    session = re.search(r"```\n> ugi\n(.*?)```", README, re.DOTALL)
    assert session is not None
    lines = "ugi\n" + "".join(
        line[2:].replace("movetime 1000", "nodes 200").replace("quit", "isready") + "\n"
        for line in session.group(1).splitlines()
        if line.startswith("> ")
    )
    said = subprocess.run(
        [sys.executable, "-m", "serai.protocol.engine"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()
    expected = [line[2:].split(" …")[0] for line in session.group(1).splitlines() if line.startswith("< ")]
    for line in expected:
        words = 2 if line.startswith(("info", "bestmove")) else None
        start = " ".join(line.split()[:1]) if words else line
        assert any(each.startswith(start) for each in said), line
