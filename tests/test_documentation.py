"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITH_EXAMPLES = sorted(
    str(path.relative_to(ROOT).with_suffix("")).replace("/", ".")
    for folder in ("core", "search", "protocol", "bots")
    for path in (ROOT / folder).rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


def test_there_are_examples() -> None:
    assert len(WITH_EXAMPLES) > 10


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_work(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"serai.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
