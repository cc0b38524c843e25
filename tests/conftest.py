"""Settings of all tests, and a fixture for several folders."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from serai.core.network_file import shipped_network

settings.register_profile("serai", deadline=None)  # a busy machine is no defect
settings.load_profile("serai")

# A shell lets what it runs in the background ignore Ctrl-C, and so would every process that a test starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def shelf(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the network shipped with Spice Road is looked for; there is none."""
    place = tmp_path_factory.mktemp("shelf")
    monkeypatch.setattr("serai.core.network_file.SHIPPED", place)
    (place / "spice_road").mkdir()
    shipped_network.cache_clear()
    yield place / "spice_road" / "network.bin"
    shipped_network.cache_clear()
