"""An engine that isn't ours, written from the specification alone, plays against one of ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from tournament.foreign_rules import Table
from tournament.hall import play

from serai.bots.time_control import TimeControl
from serai.bots.tournament.plan import Entrant, Plan
from serai.core import Position, load
from serai.protocol.client import EngineRefusal, GameText, Limit, SimpleEngine

FOREIGN = [sys.executable, "-ES", str(Path(__file__).parent / "foreign_ugi.py")]
OURS = [sys.executable, "-m", "serai.bots.cli", "engine", "random"]
GAMES = 4
LONGEST = 1500  # decisions; a game with a random player takes some hundreds


@pytest.fixture(scope="module")
def engines() -> Iterator[list[SimpleEngine]]:
    """Theirs and ours."""
    with ExitStack() as stack:
        yield [stack.enter_context(SimpleEngine.popen(command)) for command in (FOREIGN, OURS)]


@pytest.mark.parametrize("number", range(GAMES))
def test_it_plays_whole_games_by_our_rules(engines: list[SimpleEngine], number: int) -> None:
    position = load(f"spice_road;players=2;seed={number}").start()
    for engine in engines:
        engine.new_game()
    asked = [0, 0]
    while not position.is_over:
        seat = position.to_act
        engine = engines[(seat + number) % 2]
        text = GameText.parse(position.view_text(seat))
        result = engine.play(text, Limit(nodes=1), legal=position.legal_tokens())
        assert result.fault is None
        assert result.info.win is not None
        position = position.apply(str(result.move))
        asked[seat] += 1
        assert sum(asked) < LONGEST
    assert all(count > 20 for count in asked)
    assert [engine.restarts for engine in engines] == [0, 0]


def test_it_plays_a_tournament_without_a_fault(tmp_path: Path) -> None:
    control = TimeControl(turn=5.0)  # no limit to speak of, on a machine however busy
    entrants = (
        Entrant("stranger", f"cmd:{' '.join(FOREIGN)}", control=control),
        Entrant("random", "random", control=control),
    )
    played = play(tmp_path / "journal", Plan(entrants, games=4))
    assert len(played.content.records) == 4
    assert [record.faults for record in played.content.records] == [()] * 4
    assert {record.ended for record in played.content.records} == {"over"}
    assert played.content.engines[0]["id"] == "Stranger 1.0"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_its_rules_are_ours(seats: int) -> None:
    random = Random(seats)
    position = load(f"spice_road;players={seats};seed={seats}").start()
    table, seen = Table(seats), 0
    for _ in range(500):
        for event in position.history[seen:]:
            table.play(event)
        seen = len(position.history)
        assert table.over == position.is_over
        if position.is_over:
            break
        assert sorted(table.legal()) == sorted(position.legal_tokens())
        position = position.apply(forward(position, random))
    assert seen > 100


def forward(position: Position, random: Random) -> str:
    """A random move; a claim wherever one is possible, so that games end."""
    claims = [token for token in position.legal_tokens() if token.startswith("claim")]
    return random.choice(claims or position.legal_tokens())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("fen spice_road;players=3", "bad-players"),
        ("fen spice_road;seed=4", "bad-value"),
        ("fen chess", "unknown-game"),
        ("fen spice_road moves take=1", "chance-node"),
        ("fen spice_road moves ~point=gggg=12", "not-a-chance-node"),
    ],
)
def test_what_it_can_not_play_is_an_error_line(engines: list[SimpleEngine], line: str, code: str) -> None:
    with pytest.raises(EngineRefusal) as caught:
        engines[0].play(line, Limit(nodes=1), verify=False)
    assert caught.value.code == code
    assert engines[0].alive
