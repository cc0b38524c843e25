"""Which network a game is played with: the shipped one, a file's, or none."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from reference.networks import arrays_of, random_file, whole_sums

from serai.core import Position, Spec, load
from serai.core.errors import NetworkError
from serai.core.games import NAMES, seat_counts, set_ups
from serai.core.network import feature_lists
from serai.core.network_file import NONE, load_network, network_choice, shipped_network

ROOT = Path(__file__).parents[2]
SHIPPED = [name for name in NAMES if (ROOT / "core" / "games" / name / "network.bin").exists()]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shipped_can_be_used(name: str) -> None:
    network = shipped_network(name)
    assert (network is not None) == place_of(name).exists()
    assert network is None or network.fits(load(name))
    assert shipped_network(name) is network


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped_is_small_and_says_how_it_was_made(name: str) -> None:
    assert place_of(name).stat().st_size <= 200_000
    network = shipped_network(name)
    assert network is not None
    told = network.provenance
    assert told["plan"]["game"] == name
    assert told["plan"]["seats"] == seat_counts(name)
    assert told["accepted"]
    assert told["games"] == told["generation"] * sum(told["plan"]["games"])
    assert told["gates"][told["generation"] - 1]["accepted"]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("layer", ["", "choice_"])
def test_no_sum_of_what_is_shipped_overflows(name: str, layer: str) -> None:
    """The evaluator has 16 bits for each: an overflow would be defined, and nonsense."""
    arrays = arrays_of(place_of(name).read_bytes())
    for spec in set_ups(name):
        for position in walk(spec, seed=1):
            sums = whole_sums(arrays, *feature_lists(position), layer=layer)
            assert -(2**15) <= sums.min() <= sums.max() < 2**15


def walk(spec: Spec, seed: int) -> Iterator[Position]:
    """Every tenth position of a game of random decisions, stranger than any player's."""
    position = load(replace(spec, seed=seed)).start()
    for ply in range(400):
        if position.is_over:
            return
        if ply % 10 == 0:
            yield position
        position = position.apply(position.random_action(ply))


def place_of(name: str) -> Path:
    return ROOT / "core" / "games" / name / "network.bin"


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
