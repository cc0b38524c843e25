"""The layers: imports point right only, no game outside its folder, no compiled call that needs the GIL."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from serai.core.games import NAMES

ROOT = Path(__file__).parents[1]
LAYERS = ("core", "search", "protocol", "bots")  # each may import those before it
SOURCES = sorted(
    path
    for layer in LAYERS
    for kind in ("py", "pyx", "pxd", "pyi")
    for path in (ROOT / layer).rglob(f"*.{kind}")
)
COMPILED = [path for path in SOURCES if path.suffix in (".pyx", ".pxd")]
GAMES = ROOT / "core" / "games"


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_source = pytest.mark.parametrize("path", SOURCES, ids=name)
every_compiled = pytest.mark.parametrize("path", COMPILED, ids=name)


def imported(path: Path) -> set[str]:
    """Modules of ours that a file imports or cimports, wherever in it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        found = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, "imports are absolute"
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    else:
        found = set(re.findall(r"^\s*c?import ([\w.]+)", text, re.MULTILINE))
        for module, names in re.findall(r"^\s*from ([\w.]+) c?import \(?([\w ,\n]+)", text, re.MULTILINE):
            found |= {f"{module}.{word.split()[0]}" for word in names.split(",") if word.strip()}
    return {module for module in found if module.startswith("serai.")}


def layer(module: str) -> int:
    return LAYERS.index(module.split(".")[1])


def test_there_are_sources() -> None:
    assert len(COMPILED) > 10
    assert len(SOURCES) > 60


@every_source
def test_imports_point_right_only(path: Path) -> None:
    own = LAYERS.index(path.relative_to(ROOT).parts[0])
    assert not {module for module in imported(path) if layer(module) > own}


@every_source
def test_only_its_own_folder_and_the_registry_know_a_game_by_name(path: Path) -> None:
    if path.is_relative_to(GAMES):
        games = set(NAMES) - {path.relative_to(GAMES).parts[0]}
        if path.parent == GAMES:
            return
    else:
        games = set(NAMES)
    assert not {module for module in imported(path) if any(f".games.{game}" in module for game in games)}
    code = without_comments(path)
    assert not [game for game in games if re.search(rf"\b{game}\b", code)]


# What may say a game's name: the benchmark, whose figures are those of one game; the commands, for their
# default game and their examples.
SPEAKING = ("search/benchmark.py", "bots/")


def without_comments(path: Path) -> str:
    """The code of a file, less comments and docstrings; nothing of a file that may speak."""
    if name(path).startswith(SPEAKING):
        return ""
    text = re.sub(r'""".*?"""', '""', path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"#.*", "", text)


def signatures(path: Path) -> list[str]:
    """Declarations of functions in a compiled file, each on one line."""
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    text = re.sub(r",\n\s+", ", ", text)
    return [
        line.strip() for line in text.splitlines() if "(" in line and not line.strip().startswith("with ")
    ]


@every_compiled
def test_a_function_without_the_gil_says_how_it_fails(path: Path) -> None:
    for line in signatures(path):
        if re.search(r"\bnogil\b", line):
            assert re.search(r"\b(noexcept|except)\b", line), line


@every_compiled
def test_a_compiled_function_that_returns_nothing_says_noexcept(path: Path) -> None:
    """A void function that may raise costs a look at the error state after every call."""
    for line in signatures(path):
        if re.match(r"cdef (inline )?void \w+\(", line):
            assert "noexcept" in line, line


@pytest.mark.parametrize("game", NAMES)
def test_the_rules_of_a_game_use_no_knowledge(game: str) -> None:
    for path in (GAMES / game).glob("*.p[yx][xd]"):
        if path.stem in ("events", "score", "hidden", "state"):
            assert not {module for module in imported(path) if "knowledge" in module or "worth" in module}
