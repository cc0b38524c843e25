"""Hidden information of every registered game: what a seat can't know shows in nothing that it is given."""

from __future__ import annotations

import dataclasses
import pickle
import random

import pytest
from contract.cases import TABLES, line_of, name_of, next_event, sampled
from contract.secrets import SECRETS, Pair, pairs_of

from serai.core import CHANCE, HiddenInformation, IllegalAction, NotationError, Position, load
from serai.core.games import NAMES
from serai.core.network import feature_lists, trait_lists
from serai.core.spec import Spec, parse_spec

Table = Spec
every_table = pytest.mark.parametrize("table", TABLES, ids=name_of)


def given_to(position: Position, seat: int) -> list[object]:
    """Everything that a seat can be given of a position, byte by byte."""
    view = position.view(seat)
    return [
        position.view_text(seat),
        position.observe(seat),
        position.observation(seat).tobytes(),
        view.raw(),
        view.hash,
        view.spec,
        view.origin_spec,
        view.history,
        view.state(),
        view.scores(),
        view.ranks(),
        view.legal_tokens(),
        view.outcomes() if view.to_act == CHANCE else [],
        view.render(),
        [view.describe(token) for token in view.legal_tokens()[:3]],
    ]


def hiding(table: Table, number: int) -> list[Position]:
    """Positions in which something is hidden, if the game has such, and others."""
    return [*sampled(table, number // 2), *(pair.position for pair in pairs_of(table, number // 2))]


def test_every_game_says_what_it_can_hide() -> None:
    assert set(SECRETS) == set(NAMES)


# ---- no leak


@every_table
def test_what_one_seat_keeps_secret_changes_nothing_for_the_others(table: Table) -> None:
    for pair in pairs_of(table, 12):
        assert pair.position.raw() != pair.other.raw()
        for seat in range(table.players):
            same = given_to(pair.position, seat) == given_to(pair.other, seat)
            assert same == (seat != pair.owner), f"p{seat + 1} of {pair.position.spec}"


@every_table
def test_a_network_sees_nothing_in_a_view_that_the_seat_cannot_know(table: Table) -> None:
    compared = 0
    for pair in pairs_of(table, 12):
        for seat in set(range(table.players)) - {pair.owner}:
            view, other = pair.position.view(seat), pair.other.view(seat)
            assert feature_lists(view) == feature_lists(other)
            assert trait_lists(view) == trait_lists(other)
            compared += bool(trait_lists(view))
    assert compared > 0


@every_table
def test_secrets_stay_secret_while_the_game_goes_on(table: Table) -> None:
    for pair in pairs_of(table, 3):
        for position, other in played_alike(pair, 8):
            for seat in range(table.players):
                if seat != pair.owner:
                    assert given_to(position, seat) == given_to(other, seat)


def played_alike(pair: Pair, events: int) -> list[tuple[Position, Position]]:
    """Both positions after the same events, as long as there are events possible in both."""
    numbers = random.Random(pair.position.hash)
    position, other, line = pair.position, pair.other, []
    for _ in range(events):
        common = sorted(set(position.legal_tokens()) & set(other.legal_tokens()))
        if not common:
            break
        wanted = next_event(position, numbers)
        token = wanted if wanted in common else numbers.choice(common)
        position, other = position.apply(token), other.apply(token)
        line.append((position, other))
    return line


@every_table
def test_a_view_holds_neither_the_seed_nor_the_snapshot_with_the_secrets(table: Table) -> None:
    spec = parse_spec(pairs_of(table, 2)[0].position.spec)
    secret = load(dataclasses.replace(spec, seed=1234567890123)).start()
    for seat in range(table.players):
        view = secret.view(seat)
        assert view.seed is None
        assert "1234567890123" not in f"{view.spec} {view.origin_spec} {view.view_text(seat)}"
        assert view.game.spec.seed is None
        assert view.game.spec.state is None
        assert view.game.start().to_act == CHANCE
        assert b"1234567890123" not in pickle.dumps(view, protocol=0)


@every_table
def test_views_of_games_dealt_differently_are_equal_if_they_look_the_same(table: Table) -> None:
    dealt = line_of(table, seed=7)
    for position in dealt[:: max(1, len(dealt) // 5)]:
        listed = load(table).start().replay(position.history)
        for seat in range(table.players):
            assert position.view(seat) == listed.view(seat)
            assert hash(position.view(seat)) == hash(listed.view(seat))


@every_table
def test_a_view_answers_for_its_own_seat_only(table: Table) -> None:
    for position in hiding(table, 4):
        view = position.view(0)
        for seat in range(1, table.players):
            for ask in (view.observe, view.observation, view.view, view.view_text):
                with pytest.raises(HiddenInformation):
                    ask(seat)
            with pytest.raises(HiddenInformation):
                view.determinize(seat, 1)


@every_table
def test_a_viewer_who_does_not_sit_at_the_table_is_refused(table: Table) -> None:
    position = sampled(table, 3)[1]
    for viewer in (table.players, 99, -2):
        with pytest.raises(NotationError):
            position.game.from_state(position.state(), viewer=viewer)
    for seat in (-1, table.players):
        with pytest.raises(IllegalAction):
            position.view(seat)


@every_table
def test_the_view_of_a_view_is_the_view(table: Table) -> None:
    for position in hiding(table, 10):
        for seat in range(table.players):
            view = position.view(seat)
            assert view.view(seat) == view
            assert view.viewer == seat
            assert given_to(view, seat) == given_to(position, seat)


@every_table
def test_a_view_text_is_read_back_as_the_view(table: Table) -> None:
    for position in hiding(table, 10):
        for seat in range(table.players):
            again = read_view(position.view_text(seat))
            assert again == position.view(seat)
            assert again.view_text(seat) == position.view_text(seat)


def read_view(text: str) -> Position:
    """As the engine reads the argument of `position view`."""
    word, seat, spec, *moves = text.split()
    assert word == "view"
    start, viewer = load(spec).start(), int(seat[1:]) - 1
    return start.game.from_state(start.state(), viewer=viewer).replay(moves[1:])


@every_table
def test_a_seat_goes_on_knowing_what_it_saw(table: Table) -> None:
    """The view after an event is what the view before it becomes by the same event."""
    for pair in pairs_of(table, 4):
        for position, _ in played_alike(pair, 20)[:-1]:
            token = position.legal_tokens()[0]
            for seat in range(table.players):
                assert position.view(seat).apply(token).raw() == position.apply(token).view(seat).raw()


# ---- worlds that a seat can't tell apart


@every_table
def test_a_determinized_position_looks_the_same_to_its_seat(table: Table) -> None:
    for position in hiding(table, 8):
        for seat in range(table.players):
            for number in range(3):
                world = position.determinize(seat, number)
                assert world.consistent()
                assert world.viewer == -1
                assert world.view(seat).raw() == position.view(seat).raw()
                assert world.observe(seat) == position.observe(seat)
                assert world.observation(seat).tobytes() == position.observation(seat).tobytes()
                assert world.to_act == position.to_act
                if position.to_act in (seat, CHANCE) or position.is_over:
                    seen = position if position.to_act == seat else position.view(seat)
                    assert set(world.legal_tokens()) <= set(seen.legal_tokens())
                if position.to_act == seat:
                    assert world.legal_tokens() == position.legal_tokens()


@every_table
def test_determinizing_a_view_deals_the_same_worlds_as_determinizing_the_position(table: Table) -> None:
    for position in hiding(table, 10):
        for seat in range(table.players):
            worlds = [position.determinize(seat, number).raw() for number in range(5)]
            assert [position.view(seat).determinize(seat, number).raw() for number in range(5)] == worlds


@every_table
def test_a_determinized_position_can_be_played_to_its_end(table: Table) -> None:
    numbers = random.Random(f"to the end {table}")
    for position in hiding(table, 4):
        world = position.determinize(0, numbers.getrandbits(64))
        for _ in range(3_000):
            if world.is_over:
                break
            world = world.apply(next_event(world, numbers))
            assert world.consistent()
        assert world.is_over


@every_table
def test_what_is_not_hidden_is_not_redealt(table: Table) -> None:
    """Without secrets a world is the position itself: only the order of what will be drawn is unknown."""
    for position in sampled(table, 10):
        for seat in range(table.players):
            assert position.determinize(seat, 3).raw() == position.raw()
