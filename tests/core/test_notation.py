"""Everything written is read back as it was; everything else is refused by name, never by an accident."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from contract.cases import TABLES, game_of, line_of, name_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from serai.core import CHANCE, IllegalAction, NotationError, Position, SetupError, load, parse_spec
from serai.core.games import NAMES
from serai.core.spec import MAX_SNAPSHOT, Spec, decode_snapshot, encode_snapshot
from serai.search import greedy, perft

Table = Spec
CODES = {
    "bad-event",
    "illegal-move",
    "game-over",
    "chance-node",
    "not-a-chance-node",
    "chance-mismatch",
    "wrong-seat",
    "syntax",
    "unknown-game",
    "bad-players",
    "bad-number",
    "bad-value",
}
words = st.text(st.characters(exclude_characters=";=", exclude_categories=["Cs"]), min_size=1, max_size=20)
tables = st.sampled_from(TABLES)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position from the game of some table."""
    line = line_of(draw(tables))
    return line[draw(st.integers(0, len(line) - 1))]


def mutated(alphabet: str) -> st.SearchStrategy[list[tuple[str, float, str]]]:
    """A few edits of a text: what to do, where (share of the length), with which character."""
    edit = st.tuples(st.sampled_from(["put", "cut", "set"]), st.floats(0, 1), st.sampled_from(alphabet))
    return st.lists(edit, min_size=1, max_size=4)


def edited(text: str, edits: list[tuple[str, float, str]]) -> str:
    """The text after its edits."""
    for what, place, character in edits:
        at = int(place * len(text))
        text = text[:at] + (character if what != "cut" else "") + text[at + (what != "put") :]
    return text


def refusal(attempt: Callable[[], object]) -> Exception | None:
    """The error by which an attempt is refused; any other exception gets through."""
    try:
        attempt()
    except SetupError as error:
        return error
    except (NotationError, IllegalAction) as error:
        if error.code not in CODES:
            raise
        return error
    return None


# ---- specs

specs = st.builds(
    Spec,
    game=st.one_of(st.sampled_from(list(NAMES)), words),
    players=st.integers(0, 99),
    seed=st.one_of(st.none(), st.integers(0, 2**64 - 1)),
    variant=words,
    components=st.one_of(st.none(), words),
    state=st.one_of(st.none(), words),
)


@given(specs)
def test_a_spec_is_read_as_it_was_written(spec: Spec) -> None:
    assert parse_spec(str(spec)) == spec
    assert str(parse_spec(str(spec))) == str(spec)


@given(st.text())
@example("spice_road;players=²")
@example("spice_road;players=-1")
@example("spice_road;players=" + "9" * 5000)
@example("spice_road;seed=18446744073709551616")
@example("spice_road;seed=1;seed=1")
@example("spice_road;state=")
@example("spice_road;state=" + "A" * (MAX_SNAPSHOT + 1))
@example("spice_road;components=\0")
@example("spice_road;components=/")
@example("spice_road;components=" + "x" * 5000)
@example("../spice_road")
@example("spice_road.rules")
def test_any_text_is_a_spec_or_refused(text: str) -> None:
    if refusal(lambda: load(text).start()) is None:
        assert parse_spec(str(parse_spec(text))) == parse_spec(text)


@given(st.sampled_from(["spice_road;players=3;seed=42", "spice_road;variant=base"]), mutated(";=012789p²\0"))
def test_a_damaged_spec_is_read_or_refused(spec: str, edits: list[tuple[str, float, str]]) -> None:
    refusal(lambda: load(edited(spec, edits)).start())


# ---- events


@given(positions())
def test_an_event_is_read_as_it_was_written(position: Position) -> None:
    for action in position.legal_actions():
        token = position.token(action)
        assert position.action(token) == action
        assert token.isascii()
        assert token.isprintable()
        assert not set(token) & set(" ;")


@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_no_two_events_of_a_game_share_a_token(table: Table) -> None:
    tokens: dict[str, int] = {}
    for position in line_of(table):
        for action in position.legal_actions():
            assert tokens.setdefault(position.token(action), action) == action


@given(positions(), st.text())
def test_any_text_is_an_event_or_refused(position: Position, text: str) -> None:
    error = refusal(lambda: position.apply(text))
    assert (error is None) == (text in position.legal_tokens())


@given(positions(), st.data())
def test_an_event_of_another_position_is_possible_or_refused(position: Position, data: st.DataObject) -> None:
    other = data.draw(positions())
    tokens = other.legal_tokens()
    if tokens:
        edits = st.one_of(st.just([]), mutated("yrgb=>+*,1~p:"))
        token = edited(data.draw(st.sampled_from(tokens)), data.draw(edits))
        error = refusal(lambda: position.apply(token))
        assert (error is None) == (token in position.legal_tokens())


@given(positions(), st.lists(st.one_of(st.text(max_size=8), st.just("p1:rest")), max_size=3))
def test_a_refused_replay_says_at_which_event(position: Position, tokens: list[str]) -> None:
    error: Any = refusal(lambda: position.replay(tokens))
    if error is not None:
        assert 0 <= error.at < len(tokens)
        before = position.replay(tokens[: error.at])
        assert refusal(lambda: before.replay([tokens[error.at]])) is not None


@given(positions(), st.integers())
def test_any_number_is_an_action_or_refused(position: Position, number: int) -> None:
    try:
        position.apply(number)
    except IllegalAction:
        assert number not in position.legal_actions()


# ---- snapshots


@given(positions())
def test_a_snapshot_is_read_as_it_was_written(position: Position) -> None:
    text = encode_snapshot(position.state())
    assert decode_snapshot(text) == position.state()
    again = load(replace(position.game.spec, state=text)).start()
    assert again.raw() == position.raw()
    assert again.spec == position.spec


json = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(), st.binary()
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@given(tables, st.one_of(st.text(), st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode())))
@example(Spec("spice_road", 2), "A")
@example(Spec("spice_road", 2), base64.urlsafe_b64encode(b"\x91" * 40_000).decode())
@example(Spec("spice_road", 2), base64.urlsafe_b64encode(b"\xdf\xff\xff\xff\xff").decode())
@example(Spec("spice_road", 2), base64.urlsafe_b64encode(b"\xc7\x0c\xff" + b"\xff" * 12).decode())
@example(Spec("spice_road", 2), base64.urlsafe_b64encode(b"\x81\xa1x\xd6\xff\xff\xff\xff\xff").decode())
def test_any_text_is_a_snapshot_or_refused(table: Table, text: str) -> None:
    try_snapshot(table, text)


@given(tables, json)
def test_any_value_is_a_state_or_refused(table: Table, value: Any) -> None:
    try_state(table, value)


@settings(max_examples=200)
@given(positions(), st.data())
def test_a_changed_state_is_consistent_or_refused(position: Position, data: st.DataObject) -> None:
    state = position.state()
    for _ in range(data.draw(st.integers(1, 3))):
        change(state, data)
    try_state(position.game.spec, state)


def change(state: Any, data: st.DataObject) -> None:
    """Replace one value somewhere inside by another, or by one from elsewhere in the state."""
    place = state
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.integers(0, 3)) == 0:
            break
        place = inner
    place[key] = data.draw(st.one_of(near(inner), json, st.sampled_from(leaves(state))))


def near(value: Any) -> st.SearchStrategy[Any]:
    """Values like this one."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.integers(-1, 70)
    if isinstance(value, str):
        return st.text("yrgb", max_size=14)
    if isinstance(value, list) and value:
        return st.one_of(st.permutations(value), st.just(value * 2), st.just(value[1:]))
    return st.just(value)


def leaves(value: Any) -> list[Any]:
    """Every value that holds no other."""
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for inner in value for leaf in leaves(inner)] if isinstance(value, list) else [value]


@settings(max_examples=200)
@given(positions(), mutated("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/="))
def test_a_damaged_snapshot_is_read_or_refused(
    position: Position, edits: list[tuple[str, float, str]]
) -> None:
    try_snapshot(position.game.spec, edited(encode_snapshot(position.state()), edits))


@settings(max_examples=200)
@given(positions(), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_snapshot_with_damaged_bytes_is_consistent_or_refused(
    position: Position, damage: list[tuple[float, int]]
) -> None:
    raw = bytearray(msgpack.packb(position.state()))
    for place, byte in damage:
        raw[min(int(place * len(raw)), len(raw) - 1)] = byte
    try_snapshot(position.game.spec, base64.urlsafe_b64encode(bytes(raw)).decode())


def try_snapshot(table: Table, text: str) -> None:
    """A text is no snapshot, or its state is tried."""
    try:
        state = decode_snapshot(text)
    except NotationError:
        return
    try_state(table, state)


def try_state(table: Table, state: Any) -> None:
    """A state is refused, or it is a position like any other: playable, written as it was read."""
    try:
        position = game_of(table).from_state(state)
    except NotationError:
        return
    assert position.consistent()
    assert game_of(table).from_state(position.state()) == position
    if not position.is_over:
        assert position.legal_actions()
        perft(position, 2)
    for _ in range(12):
        if position.is_over:
            break
        event = position.draw(3) if position.to_act == CHANCE else greedy(position)
        position = position.apply(event)
        assert position.consistent()
