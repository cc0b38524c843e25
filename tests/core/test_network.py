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
from reference.networks import MAX_TRAITS, Arrays, Shape, preferences, random_arrays, random_network, read

from serai.core import Position, load
from serai.core.errors import NetworkError
from serai.core.network import Network, shape_of, shapes, trait_lists, units
from serai.core.spec import Spec
from serai.search import Limits, Report, Search, SearchParams

Table = Spec
SEEN = [table for table in TABLES if table.variant == "base" and game_of(table).player_features]
every_table = pytest.mark.parametrize("table", SEEN, ids=name_of)
WEIGHTS = {"small": (60, 300), "large": (200, 2000), "largest": (networks.LARGEST_WEIGHT, 16_384)}
ALONE = SearchParams(network_share=1.0, network_prior=1.0)  # the network without the hand-made evaluation
UNHEARD = SearchParams(  # the other way round
    network_share=0.0, network_prior=0.0, network_trust=SearchParams().planner_trust
)
DATA = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "data.toml"


def spread(table: Table, number: int) -> list[Position]:
    """Positions from all over a game."""
    line = line_of(table)
    return [*line[:: max(1, len(line) // number)], line[-1]]


def decisions(table: Table, number: int) -> list[Position]:
    return [p for p in spread(table, 3 * number) if p.to_act >= 0 and len(p.legal_actions()) > 1][:number]


def choices(table: Table, number: int) -> list[Position]:
    """Decisions from all over a game for which more than one option is worth a look."""
    network = random_network(table.game)
    found = [p for p in line_of(table) if len(network.prefer(p)) > 1]
    return found[:: max(1, len(found) // number)][:number]


# ---- the sums


def test_the_units_are_those_of_the_slow_reading() -> None:
    names = ("hidden", "unit", "ceiling", "head_unit", "points_unit")
    assert units() == {name: getattr(networks, name.upper()) for name in names}


def test_the_shapes_are_those_of_the_slow_reading() -> None:
    for shape in ((5, 4, 3), (5, 4, 0)):
        assert shapes(*shape) == networks.shapes(*shape)
        assert Network("spice_road", random_arrays(shape, 1)).shape == shape


@every_table
@pytest.mark.parametrize("most", [60, networks.LARGEST_WEIGHT], ids=["in-range", "overflowing"])
def test_every_sum_is_that_of_the_slow_reading(table: Table, most: int) -> None:
    """To the bit, sum by sum: a points head that looks at one of them shows it."""
    arrays = random_arrays(shape_of(game_of(table)), seed=table.players, most=most)
    sums = {p: networks.hidden_sums(arrays, *networks.feature_lists(p)) for p in spread(table, 12)}
    scale = networks.UNIT * networks.POINTS_UNIT
    for place in range(networks.HIDDEN):
        head = np.zeros(networks.HIDDEN, np.int16)
        head[place] = 1
        one = Network(table.game, arrays | {"points_head": head, "points_bias": 0})
        for position, expected in sums.items():
            assert [points * scale for points in one.judge(position)[1]] == list(expected[:, place])
    found = np.concatenate(list(sums.values()))
    assert found.min() == 0 < found.max()
    assert 0.1 < np.mean(found == 0) < 0.9


@every_table
@pytest.mark.parametrize(("most", "heads"), WEIGHTS.values(), ids=WEIGHTS)
def test_shares_and_points_are_those_of_the_slow_reading(table: Table, most: int, heads: int) -> None:
    arrays = random_arrays(shape_of(game_of(table)), 7 * table.players, most, heads)
    network = Network(table.game, arrays)
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
    said = {random_network(table.game, seed).judge(p) for seed in (1, 2) for p in positions}
    assert len(said) > len(positions)


def said_by(arrays: Arrays, position: Position) -> tuple[object, object]:
    network = Network("spice_road", arrays)
    return network.judge(position), network.prefer(position)


def test_a_network_keeps_weights_of_its_own() -> None:
    (position,) = choices(Spec("spice_road", 3), 1)
    arrays = random_arrays(shape_of(position.game), 3)
    network, before = Network("spice_road", arrays), copy.deepcopy(arrays)
    said = network.judge(position), network.prefer(position)
    for name in shapes(*network.shape):
        arrays[name][:] = 1
    assert (network.judge(position), network.prefer(position)) == said == said_by(before, position)


def test_weights_may_lie_in_any_order_in_memory() -> None:
    (position,) = choices(Spec("spice_road", 3), 1)
    arrays = random_arrays(shape_of(position.game), 3)
    names = shapes(*shape_of(position.game))
    strided = {name: np.repeat(arrays[name], 2, axis=0)[::2] for name in names}
    columns = {name: np.asfortranarray(arrays[name]) for name in names}
    said = said_by(arrays, position)
    assert said_by(arrays | strided, position) == said_by(arrays | columns, position) == said


# ---- what is preferred


@every_table
@pytest.mark.parametrize(("most", "heads"), [(60, 32), *WEIGHTS.values()], ids=["smallest", *WEIGHTS])
def test_preferences_are_those_of_the_slow_reading(table: Table, most: int, heads: int) -> None:
    arrays = random_arrays(shape_of(game_of(table)), 5 * table.players, most, heads)
    network, undecided = Network(table.game, arrays), 0
    for position in choices(table, 40):
        found = network.prefer(position)
        expected = preferences(arrays, position, list(found))
        assert list(found.values()) == pytest.approx(expected, rel=1e-3, abs=1e-30)
        assert sum(found.values()) == pytest.approx(1, abs=1e-5)
        undecided += max(found.values()) < 0.9
    assert undecided > 1 or heads > 32


@every_table
def test_every_trait_is_weighed(table: Table) -> None:
    """With a bias alone that grows with its number, an option's traits can be read from its share."""
    shape = shape_of(game_of(table))
    arrays = random_arrays(shape, 1) | {"traits": np.zeros((shape[2], networks.HIDDEN), np.int16)}
    unit = networks.UNIT * networks.HEAD_UNIT
    arrays["trait_bias"] = (np.arange(shape[2]) * unit // 200).astype(np.int32)
    network = Network(table.game, arrays)
    for position in choices(table, 20):
        traits = trait_lists(position)
        shares = network.prefer(position)
        best = max(shares, key=lambda token: shares[token])
        for token, share in shares.items():
            less = (sum(traits[best]) - sum(traits[token])) / 200
            assert np.log(shares[best] / share) == pytest.approx(less, abs=2e-3)


@every_table
def test_only_what_is_worth_a_look_is_preferred(table: Table) -> None:
    """All legal decisions have traits; those that are preferred are some of them, in their order."""
    network, fewer = random_network(table.game), 0
    for position in decisions(table, 40):
        preferred, legal = list(network.prefer(position)), position.legal_tokens()
        assert preferred == [token for token in legal if token in preferred] != []
        assert list(trait_lists(position)) == legal
        fewer += len(preferred) < len(legal)
    assert fewer > 5


@every_table
def test_preferences_depend_on_the_position_and_the_weights(table: Table) -> None:
    said = {
        tuple(random_network(table.game, seed).prefer(p).items())
        for seed in (1, 2)
        for p in choices(table, 10)
    }
    assert len(said) > 15


def test_nobody_prefers_anything_at_an_outcome_or_at_the_end() -> None:
    start, *_, end = line_of(Spec("spice_road", 2))
    assert random_network().prefer(start) == random_network().prefer(end) == {}


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


def heavy_trait(arrays: Arrays) -> None:
    arrays["traits"][1, 7] = 16_384 // MAX_TRAITS + 1


def heavy_trait_bias(arrays: Arrays) -> None:
    arrays["trait_bias"][2] = -(2**25) - 1


def heaviest_trait_bias(arrays: Arrays) -> None:
    arrays["trait_bias"][0] = -(2**31)


def narrow_trait_bias(arrays: Arrays) -> None:
    arrays["trait_bias"] = arrays["trait_bias"].astype(np.int16)


def fewer_trait_biases(arrays: Arrays) -> None:
    arrays["trait_bias"] = arrays["trait_bias"][:-1]


def no_layer_of_choices(arrays: Arrays) -> None:
    arrays.update({name: arrays[name][:0] for name in ("choice_players", "choice_table", "choice_bias")})


def other_layer_of_choices(arrays: Arrays) -> None:
    arrays["choice_table"] = arrays["choice_table"][1:]


def no_traits(arrays: Arrays) -> None:
    arrays.update({name: arrays[name][:0] for name in ("traits", "trait_bias")})


BROKEN = (
    *(wider, wrong_type, other_end_first, empty, flat, heavy_head, heaviest_head, heavy_bias),
    *(heavy_trait, heavy_trait_bias, heaviest_trait_bias, narrow_trait_bias, fewer_trait_biases),
    *(no_layer_of_choices, other_layer_of_choices, no_traits),
)


@pytest.mark.parametrize("breaking", BROKEN, ids=lambda breaking: str(breaking.__name__))
def test_weights_that_do_not_fit_together_or_could_overflow_are_refused(
    breaking: Callable[[Arrays], None],
) -> None:
    arrays = random_arrays((5, 4, 3), 1)
    Network("spice_road", arrays)
    breaking(arrays)
    with pytest.raises(NetworkError):
        Network("spice_road", arrays)


def test_the_heaviest_weights_do_not_overflow() -> None:
    """All traits at the limit: those options are preferred that have most of them."""
    (position,) = choices(Spec("spice_road", 3), 1)
    shape = shape_of(position.game)
    arrays = random_arrays(shape, 1)
    arrays["choice_bias"][:] = 2**14
    arrays["choice_players"][:], arrays["choice_table"][:] = 0, 0
    arrays["traits"][:], arrays["trait_bias"][:] = 16_384 // MAX_TRAITS, 2**25
    found = Network("spice_road", arrays).prefer(position)
    traits = trait_lists(position)
    most = max(len(traits[token]) for token in found)
    best = [token for token in found if len(traits[token]) == most]
    assert [found[token] for token in best] == pytest.approx([1 / len(best)] * len(best))


@pytest.mark.parametrize("shape", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
def test_a_network_of_another_shape_does_not_fit(shape: Shape) -> None:
    game = load("spice_road")
    players, table, options = (own + more for own, more in zip(shape_of(game), shape, strict=True))
    network = Network("spice_road", random_arrays((players, table, options), 1))
    assert random_network().fits(game)
    assert not network.fits(game)
    assert_not_used(network, game.start)


def test_a_network_without_traits_does_not_fit_a_game_with_some() -> None:
    game = load("spice_road")
    network = Network("spice_road", random_arrays((*shape_of(game)[:2], 0), 1))
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
    for ask in (network.judge, network.prefer):
        with pytest.raises(NetworkError, match="doesn't fit"):
            ask(position)
    for seed in range(40):
        if position.to_act >= 0:
            assert searched(position, network) == searched(position, None)
        position = position.apply(position.draw(seed) if position.to_act < 0 else position.legal_tokens()[0])


# ---- in a search


def searched(
    position: Position,
    network: Network | None,
    nodes: int = 40,
    params: SearchParams | None = None,
    lines: int = 3,
) -> Report:
    """A report less what depends on the clock."""
    engine = Search(hash_mb=2, seed=5, params=params, network=network)
    return replace(engine.run(position, Limits(nodes=nodes), multipv=lines), time=0)


@every_table
def test_a_search_with_a_network_is_sound_and_repeatable(table: Table) -> None:
    network, other = random_network(table.game, 1), random_network(table.game, 2)
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
    network = random_network(table.game)
    for position in decisions(table, 5):
        with_it, without = (searched(position, one, 100, UNHEARD) for one in (network, None))
        assert [line.win for line in with_it.lines] == [line.win for line in without.lines]
        assert with_it.best == without.best


def own_traits(token: str, position: Position) -> list[int]:
    """Traits that no other option has."""
    lists = trait_lists(position)
    others = {trait for other, traits in lists.items() for trait in traits if other != token}
    return sorted(set(lists[token]) - others)


def fond_of(token: str, position: Position) -> Network:
    """A network to which all seats look alike, and one option much better than all others."""
    shape = shape_of(position.game)
    arrays = {name: np.zeros_like(array) for name, array in random_arrays(shape, 1).items()}
    arrays["trait_bias"][own_traits(token, position)] = 20 * networks.UNIT * networks.HEAD_UNIT
    return Network(position.game.name, arrays | {"win_bias": 0, "points_bias": 0})


@every_table
def test_a_search_goes_where_the_preference_points(table: Table) -> None:
    gained = 0
    for position in choices(table, 4):
        offered = random_network(table.game).prefer(position)
        for token in [token for token in offered if own_traits(token, position)][:2]:
            network = fond_of(token, position)
            assert network.prefer(position)[token] > 0.99
            visits = [visits_of(token, position, network, prior) for prior in (1.0, 0.5, 0.0)]
            assert visits == sorted(visits, reverse=True)
            assert visits[0] > 55
            gained += visits[0] - visits[2]
    assert gained > 100


def visits_of(token: str, position: Position, network: Network, prior: float) -> int:
    """How often a search goes for an option."""
    params = SearchParams(network_share=1, network_prior=prior, planner_prior=0, use_book=False)
    lines = searched(position, network, 60, params, lines=1000).lines
    return next(line.visits for line in lines if line.token == token)


@every_table
def test_what_the_seat_cannot_know_changes_nothing(table: Table) -> None:
    network = random_network(table.game, 4)
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
        network = random_network(table.game, seed, most=networks.LARGEST_WEIGHT)
        wrong += network.judge(end)[0] != pytest.approx(end.returns(), abs=0.1)
        engine = Search(hash_mb=2, seed=3, params=ALONE, network=network)
        (found,) = engine.run(position, Limits(nodes=50), moves=[token]).lines
        assert found.win == pytest.approx(end.returns(), abs=1e-6)
        assert found.points == pytest.approx(end.scores(), abs=1e-4)
    assert wrong > 1


def test_two_threads_share_a_network() -> None:
    position = decisions(Spec("spice_road", 4), 3)[2]
    report = Search(hash_mb=8, threads=2, seed=1, network=random_network()).run(position, Limits(nodes=4000))
    assert report.best in position.legal_tokens()
    assert report.nodes >= 4000
