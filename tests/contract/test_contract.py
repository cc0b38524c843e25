"""What every registered game promises, tried with every number of seats and without knowing any of them."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from contract.cases import TABLES, game_of, line_of, name_of, sampled

from serai.core import CHANCE, GAME_OVER, IllegalAction, Position, load
from serai.core.games import NAMES
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec, decode_snapshot, encode_snapshot, parse_spec

Table = Spec
TESTS = Path(__file__).parents[1]
GAMES = TESTS.parent / "core" / "games"
MAX_FEATURES, MAX_TRAITS = 128, 16  # in core/types.pxd

every_table = pytest.mark.parametrize("table", TABLES, ids=name_of)


# ---- what belongs to a game


@every_table
def test_a_game_has_a_playthrough(table: Table) -> None:
    assert (TESTS / "playthroughs" / f"{table.game}_{table.players}.txt").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_perft_file_for_every_number_of_seats(name: str) -> None:
    lines = (TESTS / "perft" / f"{name}.perft").read_text(encoding="utf-8").splitlines()
    counted = {int(line.split()[0]) for line in lines if line.strip() and not line.startswith("#")}
    assert counted == {table.players for table in TABLES if table.game == name}


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_readme(name: str) -> None:
    text = (GAMES / name / "README.md").read_text(encoding="utf-8")
    for heading in ("Tokens", "State", "Observation", "Rulings", "Components", "Evaluation"):
        assert f"## {heading}" in text


# ---- rules


@every_table
def test_a_game_ends(table: Table) -> None:
    last = line_of(table)[-1]
    assert last.is_over
    assert last.to_act == GAME_OVER
    assert last.legal_actions() == last.legal_tokens() == []


@every_table
def test_the_result_is_a_ranking_with_the_win_shared_by_the_first(table: Table) -> None:
    last = line_of(table)[-1]
    ranks, returns = last.ranks(), last.returns()
    assert len(last.scores()) == len(ranks) == table.players
    assert min(ranks) == 1
    assert max(ranks) <= table.players
    assert sum(returns) == pytest.approx(1)
    assert [share > 0 for share in returns] == [rank == 1 for rank in ranks]


@every_table
def test_legal_lists_are_ascending_without_repetition_and_never_empty(table: Table) -> None:
    for position in line_of(table)[:-1]:
        actions = position.legal_actions()
        assert actions
        assert actions == sorted(set(actions))
        assert len(actions) <= position.game.max_actions
        tokens = position.legal_tokens()
        assert [position.action(token) for token in tokens] == actions


@every_table
def test_features_and_traits_are_numbers_within_their_limits(table: Table) -> None:
    game = game_of(table)
    for position in sampled(table, 40):
        of_table, of_players = feature_lists(position)
        check_numbers([of_table], game.table_features, MAX_FEATURES)
        check_numbers(of_players, game.player_features, MAX_FEATURES)
        traits = trait_lists(position)
        check_numbers(list(traits.values()), game.option_traits, MAX_TRAITS)
        decisions = position.legal_tokens() if position.to_act >= 0 and game.option_traits else []
        assert list(traits) == decisions


def check_numbers(lists: list[list[int]], limit: int, most: int) -> None:
    for found in lists:
        assert len(set(found)) == len(found) <= most
        assert all(0 <= number < limit for number in found)


@every_table
def test_to_act_is_a_seat_or_chance_and_outcomes_look_different_from_decisions(table: Table) -> None:
    for position in line_of(table)[:-1]:
        assert position.to_act in (CHANCE, *range(table.players))
        assert all(t.startswith("~") == (position.to_act == CHANCE) for t in position.legal_tokens())


@every_table
def test_all_components_are_accounted_for_after_every_event(table: Table) -> None:
    assert all(position.consistent() for position in line_of(table))


@every_table
def test_applying_leaves_the_position_as_it_was(table: Table) -> None:
    for position in sampled(table, 30):
        raw, history = position.raw(), position.history
        children = [position.apply(action) for action in position.legal_actions()]
        assert (position.raw(), position.history) == (raw, history)
        for child, token in zip(children, position.legal_tokens(), strict=True):
            assert child.history == [*history, token]
            assert child.raw() != raw


@every_table
def test_the_probabilities_of_the_outcomes_sum_to_one_and_only_they_are_drawn(table: Table) -> None:
    for position in line_of(table)[:-1]:
        if position.to_act == CHANCE:
            outcomes = dict(position.outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            assert min(outcomes.values()) > 0
            assert {position.draw(number) for number in range(20)} <= set(outcomes)


@every_table
def test_outcomes_are_drawn_as_often_as_their_probabilities_say(table: Table) -> None:
    position = next(p for p in line_of(table) if p.to_act == CHANCE)
    outcomes, draws = dict(position.outcomes()), 20_000
    drawn = dict.fromkeys(outcomes, 0)
    for number in range(draws):
        drawn[position.draw(number)] += 1
    surplus = sum((drawn[token] - draws * p) ** 2 / (draws * p) for token, p in outcomes.items())
    freedom = len(outcomes) - 1
    assert surplus < freedom + 5 * (2 * freedom) ** 0.5


# ---- text and Python's own


@every_table
def test_a_position_replayed_from_its_history_is_the_same(table: Table) -> None:
    for position in sampled(table, 10):
        again = load(position.origin_spec).start().replay(position.history)
        assert_same(again, position)


@every_table
def test_a_seeded_position_replays_with_and_without_its_chance_events(table: Table) -> None:
    for position in line_of(table, seed=7)[:: len(line_of(table, seed=7)) // 5]:
        start = load(position.origin_spec).start()
        assert position.to_act != CHANCE
        assert_same(start.replay(position.history), position)
        assert_same(start.replay(t for t in position.history if not t.startswith("~")), position)


@every_table
def test_a_replay_from_the_middle_confirms_the_last_chance_events_and_no_others(table: Table) -> None:
    line = line_of(table, seed=7)
    before, after = next((a, b) for a, b in pairwise(line) if b.history_since(len(a.history) + 1))
    dealt = after.history_since(len(before.history) + 1)
    assert_same(after.replay(dealt), after)
    with pytest.raises(IllegalAction) as error:
        after.replay(line[0].history[:1])
    assert error.value.code in ("chance-mismatch", "not-a-chance-node")


@every_table
def test_the_spec_of_a_position_leads_to_it(table: Table) -> None:
    for position in sampled(table, 10):
        again = load(position.spec).start()
        assert again.raw() == position.raw()
        assert (again.legal_tokens(), again.scores()) == (position.legal_tokens(), position.scores())
        assert again.spec == position.spec
        assert str(parse_spec(position.spec)) == position.spec


@every_table
def test_a_state_dictionary_is_read_back_and_survives_its_snapshot(table: Table) -> None:
    for position in sampled(table, 10):
        state = position.state()
        assert decode_snapshot(encode_snapshot(state)) == state
        again = game_of(table).from_state(state)
        assert again.state() == state
        assert again.raw() == position.raw()


@every_table
def test_a_position_survives_pickling(table: Table) -> None:
    for position in [*sampled(table, 5), *line_of(table, seed=7)[-2:]]:
        for each in (position, position.view(0)):
            again = pickle.loads(pickle.dumps(each))
            assert_same(again, each)
            assert (again.viewer, again.seed) == (each.viewer, each.seed)


@every_table
def test_equal_positions_are_interchangeable_and_different_ones_are_not_equal(table: Table) -> None:
    line = line_of(table)
    again = game_of(table).start()
    for position, after in pairwise(line[:100]):
        assert position == again
        assert hash(position) == hash(again)
        assert position.hash == again.hash
        assert position != after
        again = again.apply(after.history[-1])
    assert line[0] != "a string"
    assert line[0] != line_of(table, seed=7)[0]


@every_table
def test_the_texts_for_people_can_be_made_everywhere(table: Table) -> None:
    for position in sampled(table, 10):
        assert position.render().isprintable() or "\n" in position.render()
        assert all(position.describe(token) for token in position.legal_tokens())


def assert_same(again: Position, position: Position) -> None:
    assert again == position
    assert again.history == position.history
    assert again.origin_spec == position.origin_spec
    assert again.spec == position.spec
    for seat in range(position.seats) if position.viewer < 0 else [position.viewer]:
        assert again.view_text(seat) == position.view_text(seat)


# ---- what a seat sees


@every_table
def test_the_observation_is_an_array_of_one_length_and_of_finite_numbers(table: Table) -> None:
    lengths = set()
    for position in sampled(table, 10):
        for seat in range(table.players):
            seen = position.observation(seat)
            assert seen.dtype == np.float32
            assert seen.ndim == 1
            assert np.isfinite(seen).all()
            lengths.add(len(seen))
    assert len(lengths) == 1


@every_table
def test_the_key_of_what_a_seat_knows_is_equal_exactly_when_its_view_is(table: Table) -> None:
    for seat in range(table.players):
        keys: dict[int, bytes] = {}
        for position in sampled(table, 40):
            view = position.view(seat).raw()
            assert keys.setdefault(position.observe(seat), view) == view
            assert position.view(seat).observe(seat) == position.observe(seat)
        assert len(set(keys.values())) == len(keys)
