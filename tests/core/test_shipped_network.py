"""Which network a game is played with: the shipped one, a file's, or none."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from reference.networks import random_file

from serai.core import load
from serai.core.errors import NetworkError
from serai.core.games import NAMES
from serai.core.network_file import NONE, load_network, network_choice, shipped_network

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shipped_can_be_used(name: str) -> None:
    place = ROOT / "core" / "games" / name / "network.bin"
    network = shipped_network(name)
    assert (network is not None) == place.exists()
    assert network is None or network.fits(load(name))
    assert shipped_network(name) is network


def test_networks_are_packed_with_the_games() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert any(Path("network.bin").match(kind) for kind in project["tool"]["setuptools"]["package-data"]["*"])


def test_a_shipped_network_is_read_once(shelf: Path) -> None:
    shelf.write_bytes(random_file())
    network = shipped_network("spice_road")
    assert network is not None
    assert network.provenance == {"seed": 1}
    shelf.unlink()
    assert shipped_network("spice_road") is network
    assert network_choice("")("spice_road") is network


def test_without_a_shipped_network_there_is_none(shelf: Path) -> None:
    assert shipped_network("spice_road") is None
    assert shipped_network("no such game") is None


@pytest.mark.parametrize("content", [b"", b"SNet", random_file()[:-1]])
def test_a_shipped_network_that_is_damaged_is_told_and_not_used(shelf: Path, content: bytes) -> None:
    shelf.write_bytes(content)
    with pytest.warns(RuntimeWarning, match=r"network\.bin: .*; spice_road is played without a network"):
        assert shipped_network("spice_road") is None
    assert shipped_network("spice_road") is None


def test_a_shipped_network_is_that_of_its_own_game(shelf: Path) -> None:
    other = shelf.parents[1] / "tarot" / "network.bin"
    other.parent.mkdir()
    other.write_bytes(random_file())
    with pytest.warns(RuntimeWarning, match="the network is for spice_road, not for tarot"):
        assert shipped_network("tarot") is None


def test_a_user_chooses_a_file_for_its_game_or_no_network_at_all(tmp_path: Path, shelf: Path) -> None:
    shelf.write_bytes(random_file(seed=2))
    path = tmp_path / "a b ü.net"
    path.write_bytes(random_file(seed=3))
    chosen = network_choice(str(path))("spice_road")
    assert chosen is not None
    assert chosen.provenance == {"seed": 3} == load_network(path).provenance
    assert network_choice(str(path))("tarot") is None
    for word in (NONE, NONE.upper()):
        assert network_choice(word)("spice_road") is None
    with pytest.raises(NetworkError, match=r"missing\.net: there is no such file"):
        network_choice("missing.net")
