"""Fixtures for tests that start engines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

HERE = Path(__file__).parent
WAIT = 10.0  # seconds for processes to disappear


@pytest.fixture
def no_leftovers() -> Iterator[None]:
    """Fail a test that leaves a process behind."""
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    yield
    deadline = time.monotonic() + WAIT
    while left := [p for p in psutil.Process().children(recursive=True) if p.pid not in before]:
        if time.monotonic() > deadline:
            names = [" ".join(process.cmdline()) for process in left]
            for process in left:
                process.kill()
            pytest.fail(f"left behind: {names}")
        time.sleep(0.05)


@pytest.fixture(scope="session")
def fake_command() -> str:
    """The command that starts a fake engine, without the name of its behaviour."""
    return f"{sys.executable} {HERE / 'fakes' / 'engine.py'}"


@pytest.fixture(scope="session")
def minimal_command() -> list[str]:
    """The command that starts the minimal engine, a well-behaved one."""
    return [sys.executable, str(HERE / "minimal_engine.py")]
