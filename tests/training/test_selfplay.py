"""Self-play: the same for the same arguments, in many manners, with targets that can be true."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from training.small import small_plan

from serai.bots.training import selfplay
from serai.bots.training.chunk_file import pack, unpack
from serai.bots.training.plan import Chunk, TrainingPlan
from serai.bots.training.selfplay import Table, draw_manners, play_chunk, play_game
from serai.core import Position
from serai.core.errors import NetworkError, RecordError
from serai.core.games import load
from serai.core.network import Network, shape_of, trait_lists
from serai.core.network_file import encode
from serai.search.learn import Trainer

PLAN = small_plan()
CHUNK = Chunk(0, 3, 0, 8, 2)
GREEDY = (("greedy", 1.0),)


def untrained(seed: int) -> bytes:
    return encode(trained(seed), "spice_road", {})


def trained(seed: int) -> dict[str, Any]:
    return Trainer(*shape_of(load("spice_road;players=2")), seed).arrays()


def test_a_chunk_is_always_the_same() -> None:
    assert play_chunk(PLAN, CHUNK, None) == play_chunk(PLAN, CHUNK, None)
    assert play_chunk(PLAN, CHUNK, untrained(1)) == play_chunk(PLAN, CHUNK, untrained(1))


def test_a_network_for_something_else_is_no_teacher() -> None:
    """A worker of another version would else play without a network, and nobody would know."""
    foreign = encode(trained(1), "concordia", {})
    with pytest.raises(NetworkError, match="doesn't fit spice_road as it is here"):
        play_chunk(PLAN, CHUNK, foreign)


def test_the_network_matters() -> None:
    assert play_chunk(PLAN, CHUNK, untrained(1)) != play_chunk(PLAN, CHUNK, None)


def test_any_game_is_learned_from_on_all_its_set_ups() -> None:
    """Another game than the one that the rest is tried on, whose maps are variants."""
    plan = TrainingPlan("concordia", (3,), (8,), variants=("base", "imperium"), styles=GREEDY, sampled=0.1)
    table = Table(None)
    played = [list(play_game(plan, 3, number, table, False)) for number in range(8)]
    specs = {str(sample.position.game.spec).partition(";seed")[0] for game in played for sample in game}
    assert specs == {"concordia;players=3", "concordia;players=3;variant=imperium"}
    again = [sample.position for sample in play_game(plan, 3, 5, Table(None), False)]
    assert again == [sample.position for sample in played[5]]


def test_the_seed_matters() -> None:
    assert play_chunk(PLAN, CHUNK, None) != play_chunk(small_plan(seed=6), CHUNK, None)


def test_samples_are_what_came_of_the_games() -> None:
    data = unpack(play_chunk(PLAN, CHUNK, None), PLAN.identity, CHUNK)
    assert set(data["game"].tolist()) == {8, 9}
    assert set(data["seats"].tolist()) == {3}
    assert np.allclose(data["win"].sum(axis=1), 1, atol=1e-4)
    assert not data["win"][:, 3:].any()
    assert (data["win"] >= 0).all()


def test_where_no_search_thought_the_next_one_speaks() -> None:
    """And after the last thought only the result; a quarter of every target is the result here."""
    position = load("spice_road;players=2;seed=1").start()
    while not position.is_over:
        position = position.apply(position.random_action(len(position.history)))
    result, points = np.array(position.returns()), np.array(position.scores(), float)
    first, second = (SimpleNamespace(win=(x, 1 - x), points=(100 * x, 9.0)) for x in (0.3, 0.6))
    seen: Any = [(position, line, None) for line in (None, first, None, None, second, None)]
    samples = list(selfplay._samples(seen, position, 0.25))
    for sample, thought in zip(samples, (first, first, second, second, second, None), strict=True):
        win, final = (
            (result, points) if thought is None else (np.array(thought.win), np.array(thought.points))
        )
        assert sample.win == pytest.approx(0.25 * result + 0.75 * win)
        assert sample.points == pytest.approx(0.25 * points + 0.75 * final)


def test_only_thoughts_with_the_network_count_once_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bool] = []
    real = selfplay._samples

    def spy(seen: Any, end: Position, share: float) -> Any:
        kept.extend(line is not None for _, line, _ in seen)
        return real(seen, end, share)

    monkeypatch.setattr(selfplay, "_samples", spy)
    network = Network("spice_road", trained(1))
    for networked, has_network in ((0.0, False), (1.0, True), (0.0, True)):
        kept.clear()
        plan = small_plan(styles=(("search", 1.0),), networked=networked)
        list(play_game(plan, 2, 1, Table(network if has_network else None), has_network))
        assert set(kept) == {not has_network or networked == 1.0}


def test_a_game_does_not_depend_on_those_before_it() -> None:
    table = Table(None)
    for number in (3, 4):
        list(play_game(PLAN, 2, number, table, False))
    after = [sample.win for sample in play_game(PLAN, 2, 5, table, False)]
    assert after == [sample.win for sample in play_game(PLAN, 2, 5, Table(None), False)]


def test_only_open_decisions_are_samples() -> None:
    samples = list(play_game(PLAN, 2, 1, Table(None), False))
    assert len(samples) > 20
    assert all(len(sample.position.legal_actions()) > 1 for sample in samples)


def test_what_strong_players_chose_is_known() -> None:
    """A legal decision of theirs; nothing of what the others chose."""
    manners: Counter[bool] = Counter()
    for game in range(8):
        for sample in play_game(PLAN, 2, game, Table(None), False):
            manners[sample.chosen is None] += 1
            assert sample.chosen is None or sample.chosen in sample.position.legal_tokens()
    assert min(manners.values()) > 50


@pytest.mark.parametrize(
    ("style", "networked", "teaches"),
    [
        *(("planner", None, True), ("advised", None, True), ("search", None, False), ("greedy", None, False)),
        *(("planner", 1.0, False), ("advised", 1.0, True), ("search", 1.0, False), ("advised", 0.0, False)),
    ],
)
def test_only_the_best_there_is_teaches(style: str, networked: float | None, teaches: bool) -> None:
    """Planners and advised searches; once there is a network, advised searches that use it."""
    plan = small_plan(styles=((style, 1.0),), networked=networked or 0.0)
    network = None if networked is None else Network("spice_road", trained(1))
    samples = list(play_game(plan, 2, 1, Table(network), network is not None))
    assert {sample.chosen is not None for sample in samples} == {teaches}


def test_choices_become_samples_of_traits() -> None:
    """As many as a strong player made among options worth a look."""
    data = unpack(play_chunk(PLAN, CHUNK, None), PLAN.identity, CHUNK)
    network, expected = Network("spice_road", trained(1)), []
    for game in (8, 9):
        for sample in play_game(PLAN, 3, game, Table(None), False):
            options = list(network.prefer(sample.position))
            if sample.chosen in options and len(options) > 1:
                traits = trait_lists(sample.position)
                expected.append((len(options), options.index(sample.chosen), len(traits[sample.chosen])))
            else:
                expected.append((0, 0, 0))
    starts = np.cumsum([0, *data["options"]])
    found = [
        (options, chosen, data["trait_counts"][start + chosen] if options else 0)
        for options, chosen, start in zip(data["options"], data["chosen"], starts[:-1], strict=True)
    ]
    assert found == expected
    assert 20 < np.count_nonzero(data["options"]) < len(data["options"])


def test_every_style_plays_and_networks_only_where_there_is_one() -> None:
    numbers = Random(1)
    games = [draw_manners(PLAN, 4, numbers, True) for _ in range(2000)]
    styles = Counter(manner.style for manners in games for manner in manners)
    shares = {name: styles[name] / 8000 for name, _ in PLAN.styles}
    assert shares == pytest.approx(dict(PLAN.styles), abs=0.04)
    assert 0.45 < sum(len({m.style for m in manners}) == 1 for manners in games) / 2000 < 0.65
    assert any(manner.networked for manners in games for manner in manners)
    assert not any(m.networked for _ in range(50) for m in draw_manners(PLAN, 4, numbers, False))


def test_files_of_samples_are_checked() -> None:
    raw = play_chunk(PLAN, CHUNK, None)
    for broken in (raw[:-1], b"", raw[:100] + b"?" + raw[101:], b"SSam"):
        with pytest.raises(RecordError, match="damaged"):
            unpack(broken, PLAN.identity, CHUNK)
    with pytest.raises(RecordError, match="another plan"):
        unpack(raw, "other", CHUNK)
    with pytest.raises(RecordError, match="another plan"):
        unpack(raw, PLAN.identity, Chunk(1, 3, 0, 8, 2))


def test_arrays_survive_a_file() -> None:
    data = {"a": np.arange(5, dtype=np.uint16), "b": np.ones((2, 3), np.float32)}
    found = unpack(pack("x", CHUNK, data), "x", CHUNK)
    assert all((found[name] == data[name]).all() and found[name].dtype == data[name].dtype for name in data)
