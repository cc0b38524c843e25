"""What a network computes, against a slow reading; and what a search makes of one that knows nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from contract.cases import TABLES, game_of, line_of, name_of
from contract.secrets import pairs_of
from reference import networks
from reference.networks import Arrays, random_arrays, random_network, read, shape_of

from serai.core import Position, load
from serai.core.errors import NetworkError
from serai.core.network import Network, units
from serai.search import Limits, Report, Search, SearchParams

Table = tuple[str, int]
every_table = pytest.mark.parametrize("table", TABLES, ids=name_of)
WEIGHTS = {"small": (60, 300), "large": (200, 2000), "largest": (networks.LARGEST_WEIGHT, 16_384)}
ALONE = SearchParams(network_share=1.0)  # the network without the hand-made evaluation
UNHEARD = SearchParams(network_share=0.0)  # the other way round
DATA = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "data.toml"


def spread(table: Table, number: int) -> list[Position]:
    """Positions from all over a game."""
    line = line_of(table)
    return [*line[:: max(1, len(line) // number)], line[-1]]


def decisions(table: Table, number: int) -> list[Position]:
    return [p for p in spread(table, 3 * number) if p.to_act >= 0 and len(p.legal_actions()) > 1][:number]


# ---- the sums


def test_the_units_are_those_of_the_slow_reading() -> None:
    names = ("hidden", "unit", "ceiling", "head_unit", "points_unit")
    assert units() == {name: getattr(networks, name.upper()) for name in names}


@every_table
@pytest.mark.parametrize("most", [60, networks.LARGEST_WEIGHT], ids=["in-range", "overflowing"])
def test_every_sum_is_that_of_the_slow_reading(table: Table, most: int) -> None:
    """To the bit, sum by sum: a points head that looks at one of them shows it."""
    arrays = random_arrays(shape_of(game_of(table)), seed=table[1], most=most)
    sums = {p: networks.hidden_sums(arrays, *networks.feature_lists(p)) for p in spread(table, 12)}
    scale = networks.UNIT * networks.POINTS_UNIT
    for place in range(networks.HIDDEN):
        head = np.zeros(networks.HIDDEN, np.int16)
        head[place] = 1
        one = Network(table[0], arrays | {"points_head": head, "points_bias": 0})
        for position, expected in sums.items():
            assert [points * scale for points in one.judge(position)[1]] == list(expected[:, place])
    found = np.concatenate(list(sums.values()))
    assert found.min() == 0 < found.max()
    assert 0.1 < np.mean(found == 0) < 0.9


@every_table
@pytest.mark.parametrize(("most", "heads"), WEIGHTS.values(), ids=WEIGHTS)
def test_shares_and_points_are_those_of_the_slow_reading(table: Table, most: int, heads: int) -> None:
    arrays = random_arrays(shape_of(game_of(table)), 7 * table[1], most, heads)
    network = Network(table[0], arrays)
    for position in spread(table, 40):
        win, points = network.judge(position)
        shares, totals = read(arrays, position)
        assert win == pytest.approx(shares, rel=1e-3, abs=1e-30)
        assert sum(win) == pytest.approx(1, abs=1e-6)
        expected = totals.astype(np.float32) / np.float32(networks.UNIT * networks.POINTS_UNIT)
        assert points == tuple(expected.tolist())


@every_table
def test_what_a_network_says_depends_on_the_position_and_the_weights(table: Table) -> None:
    positions = spread(table, 20)
    said = {random_network(table[0], seed).judge(p) for seed in (1, 2) for p in positions}
    assert len(said) > len(positions)


def test_a_network_keeps_weights_of_its_own() -> None:
    game = load("spice_road")
    arrays = random_arrays(shape_of(game), 3)
    network, before = Network("spice_road", arrays), copy.deepcopy(arrays)
    said = network.judge(game.start())
    for name in ("players", "table", "bias", "win_head", "points_head"):
        arrays[name][:] = 1
    assert network.judge(game.start()) == said == Network("spice_road", before).judge(game.start())


def strided(arrays: Arrays) -> None:
    arrays["players"] = np.repeat(arrays["players"], 2, axis=0)[::2]


def test_weights_may_lie_in_any_order_in_memory() -> None:
    position = line_of(("spice_road", 3))[100]
    arrays = random_arrays(shape_of(position.game), 3)
    said = Network("spice_road", arrays).judge(position)
    strided(arrays)
    arrays["table"] = np.asfortranarray(arrays["table"])
    assert Network("spice_road", arrays).judge(position) == said


# ---- what isn't a network


def wider(arrays: Arrays) -> None:
    arrays["win_head"] = np.zeros(33, np.int16)


def wrong_type(arrays: Arrays) -> None:
    arrays["table"] = arrays["table"].astype(np.int32)


def other_end_first(arrays: Arrays) -> None:
    arrays["bias"] = arrays["bias"].astype(">i2")


def empty(arrays: Arrays) -> None:
    arrays["players"] = arrays["players"][:0]


def flat(arrays: Arrays) -> None:
    arrays["players"] = arrays["players"].reshape(-1)


def heavy_head(arrays: Arrays) -> None:
    arrays["win_head"][3] = -16_385


def heaviest_head(arrays: Arrays) -> None:
    arrays["points_head"][0] = -(2**15)


def heavy_bias(arrays: Arrays) -> None:
    arrays["points_bias"] = 2**29 + 1


BROKEN = (wider, wrong_type, other_end_first, empty, flat, heavy_head, heaviest_head, heavy_bias)


@pytest.mark.parametrize("breaking", BROKEN, ids=lambda breaking: str(breaking.__name__))
def test_weights_that_do_not_fit_together_or_could_overflow_are_refused(
    breaking: Callable[[Arrays], None],
) -> None:
    arrays = random_arrays((5, 4), 1)
    Network("spice_road", arrays)
    breaking(arrays)
    with pytest.raises(NetworkError):
        Network("spice_road", arrays)


@pytest.mark.parametrize("shape", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_network_of_another_shape_does_not_fit(shape: tuple[int, int]) -> None:
    game = load("spice_road")
    own = shape_of(game)
    network = Network("spice_road", random_arrays((own[0] + shape[0], own[1] + shape[1]), 1))
    assert random_network().fits(game)
    assert not network.fits(game)
    assert_not_used(network, game.start)


def test_a_network_of_another_game_does_not_fit() -> None:
    game = load("spice_road")
    network = Network("chess", random_arrays(shape_of(game), 1))
    assert not network.fits(game)
    assert_not_used(network, game.start)


def test_a_network_does_not_judge_other_components(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(DATA.read_bytes())
    game = load(f"spice_road;players=3;components={path}")
    assert not random_network().fits(game)
    assert_not_used(random_network(), game.start)


def assert_not_used(network: Network, start: Callable[[], Position]) -> None:
    """It says no word about the game, and a search goes on without it."""
    position = start()
    with pytest.raises(NetworkError, match="doesn't fit"):
        network.judge(position)
    for seed in range(40):
        if position.to_act >= 0:
            assert searched(position, network) == searched(position, None)
        position = position.apply(position.draw(seed) if position.to_act < 0 else position.legal_tokens()[0])


# ---- in a search


def searched(
    position: Position, network: Network | None, nodes: int = 40, params: SearchParams | None = None
) -> Report:
    """A report less what depends on the clock."""
    engine = Search(hash_mb=2, seed=5, params=params, network=network)
    return replace(engine.run(position, Limits(nodes=nodes), multipv=3), time=0)


@every_table
def test_a_search_with_a_network_is_sound_and_repeatable(table: Table) -> None:
    network, other = random_network(table[0], 1), random_network(table[0], 2)
    differing = 0
    for position in decisions(table, 12):
        report = searched(position, network, 200)
        assert report == searched(position, network, 200)
        assert report.best in position.legal_tokens()
        for line in report.lines:
            assert sum(line.win) == pytest.approx(1, abs=1e-3)
            assert min(line.win) >= 0
        differing += report.lines != searched(position, other, 200).lines
        differing += report.lines != searched(position, None, 200).lines
    assert differing > 12


@every_table
def test_a_share_of_nothing_leaves_the_shares_of_the_win_as_they_are(table: Table) -> None:
    network = random_network(table[0])
    for position in decisions(table, 5):
        with_it, without = (searched(position, one, 100, UNHEARD) for one in (network, None))
        assert [line.win for line in with_it.lines] == [line.win for line in without.lines]
        assert with_it.best == without.best


@every_table
def test_what_the_seat_cannot_know_changes_nothing(table: Table) -> None:
    network = random_network(table[0], 4)
    pairs = [pair for pair in pairs_of(table, 12) if pair.position.to_act != pair.owner]
    assert len(pairs) > 2
    for pair in pairs:
        assert pair.position.raw() != pair.other.raw()
        reports = [searched(p, network, 300, ALONE) for p in (pair.position, pair.other)]
        assert reports[0] == reports[1]


@every_table
def test_the_end_of_a_game_is_exact_whatever_a_network_says(table: Table) -> None:
    line = line_of(table)
    last = max(i for i, position in enumerate(line) if position.to_act >= 0)
    position, end = line[last], line[-1]
    token = line[last + 1].history[-1].rpartition(":")[2]
    wrong = 0
    for seed in range(6):
        network = random_network(table[0], seed, most=networks.LARGEST_WEIGHT)
        wrong += network.judge(end)[0] != pytest.approx(end.returns(), abs=0.1)
        engine = Search(hash_mb=2, seed=3, params=ALONE, network=network)
        (found,) = engine.run(position, Limits(nodes=50), moves=[token]).lines
        assert found.win == pytest.approx(end.returns(), abs=1e-6)
        assert found.points == pytest.approx(end.scores(), abs=1e-4)
    assert wrong > 1


def test_two_threads_share_a_network() -> None:
    position = decisions(("spice_road", 4), 3)[2]
    report = Search(hash_mb=8, threads=2, seed=1, network=random_network()).run(position, Limits(nodes=4000))
    assert report.best in position.legal_tokens()
    assert report.nodes >= 4000
