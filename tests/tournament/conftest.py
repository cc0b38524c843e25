"""Fixtures for tests of tournaments."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A place for a journal; there is none yet."""
    return tmp_path / "cup.journal"
