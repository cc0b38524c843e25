"""Fixtures for tests of the rules."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> str:
    """The reading of the rules that a table is played by."""
    return str(request.param)
