"""Bots as engines, and engines as bots, over real pipes."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from arena.play import PLAYERS, one_game, user

from serai.bots.time_control import TimeControl
from serai.core import load
from serai.core.game_record import GameRecord
from serai.protocol.client import GameText, Limit, SimpleEngine

SERVED = f"{sys.executable} -m serai.bots.cli engine"


@pytest.fixture(scope="module")
def miser() -> Iterator[SimpleEngine]:
    """A user's file, run as a program: its last lines serve the bot in it."""
    with SimpleEngine.popen([sys.executable, str(PLAYERS)]) as engine:
        yield engine


def test_a_bot_in_a_users_file_is_an_engine(miser: SimpleEngine) -> None:
    assert miser.id["name"] == "Miser"
    position = load("spice_road;players=3;seed=9").start()
    while not position.is_over and len(position.history) < 60:
        result = miser.play(position.view(position.to_act), Limit(nodes=1))
        assert result.verified
        position = position.apply(str(result.move))


def test_a_served_bot_with_a_seed_answers_alike_whatever_came_before(miser: SimpleEngine) -> None:
    position = GameText("spice_road;players=2;seed=4")
    miser.configure({"Seed": 5})
    answers = []
    for _ in range(3):
        miser.new_game()
        answers.append(miser.play(position, Limit(nodes=1)).move)
        miser.play(GameText("spice_road;players=4;seed=8"), Limit(nodes=1))
        answers.append(miser.play(position, Limit(nodes=1)).move)
    assert len(set(answers)) == 1


def test_searchmoves_bind_a_bot_that_does_not_know_them(miser: SimpleEngine) -> None:
    position = GameText("spice_road;players=2;seed=4")
    assert miser.play(position, Limit(nodes=1), searchmoves=["take=3"]).move == "take=3"


def test_a_bot_has_as_many_lines_as_are_asked_for(miser: SimpleEngine) -> None:
    lines = miser.analyse(GameText("spice_road;players=2;seed=4"), Limit(nodes=1), multipv=4)
    assert [line.multipv for line in lines] == [1, 2, 3, 4]
    assert len({line.pv for line in lines}) == 4
    with miser.analysis(GameText("spice_road;players=2;seed=4")) as analysis:
        assert analysis.get(timeout=20) is not None


def test_what_a_bot_prints_goes_to_stderr() -> None:
    with SimpleEngine.popen(f"{SERVED} {user('Sure')}") as engine:
        result = engine.play(GameText("spice_road;players=2;seed=4"), Limit(nodes=1))
        assert result.info.win == (1000, 0)
        assert "anybody's way" in engine.stderr_tail


def test_a_bot_that_fails_as_an_engine_lives_on() -> None:
    script = "position fen spice_road;seed=1\ngo nodes 1\nisready x\nquit\n"
    done = subprocess.run(
        [*SERVED.split(), user("Raises")],
        input=script,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "error internal KeyError" in done.stdout
    assert "bestmove (none)" in done.stdout
    assert "readyok x" in done.stdout


@pytest.mark.parametrize("bot", ["planner", "ismcts:skill=3"])
def test_a_built_in_bot_is_an_engine(bot: str) -> None:
    with SimpleEngine.popen(f"{SERVED} {bot}") as engine:
        result = engine.play(GameText("spice_road;players=2;seed=4"), Limit(time=0.05))
        assert result.verified
        assert engine.id["name"] == bot


def kinds(record: GameRecord) -> list[str]:
    return [fault.kind for fault in record.faults]


@pytest.mark.parametrize(
    "control", [TimeControl(nodes=30), TimeControl(turn=0.01), TimeControl(clock=(3.0, 0.05))], ids=str
)
def test_the_engine_plays_a_match_game_in_a_process(control: TimeControl) -> None:
    engine = f"cmd[Hash=8, Seed=3]:{sys.executable} -m serai.bots.cli"
    record = one_game([engine, "random"], control, max_plies=24)
    assert kinds(record) == []
    asked = [event for event in record.events if event.win is not None]
    assert len(asked) > 5
    assert all(abs(sum(event.win or ()) - 1) < 0.01 for event in asked)


@pytest.mark.parametrize(
    ("command", "kind", "word"),
    [
        (f"{SERVED} {user('Dies')}", "crash", "out of paper"),
        (f"{SERVED} {user('Cheats')}", "protocol", "not legal"),
        (
            f"{sys.executable} {PLAYERS.parents[1]}/protocol/fakes/engine.py illegal",
            "illegal",
            "'add=9' is not legal",
        ),
        (
            f"{sys.executable} {PLAYERS.parents[1]}/protocol/fakes/engine.py refuser",
            "protocol",
            "illegal-move",
        ),
        (f"{sys.executable} {PLAYERS.parents[1]}/protocol/fakes/engine.py hang", "hung", "no"),
    ],
)
def test_a_fault_of_an_engine_is_named_and_the_game_goes_on(command: str, kind: str, word: str) -> None:
    control = TimeControl(turn=0.05) if kind == "hung" else TimeControl(nodes=1)
    record = one_game(["random", f"cmd:{command}"], control, max_plies=24)
    assert kinds(record)[0] == kind
    assert len(record.faults) == 3
    assert word in record.faults[0].detail
    assert len([event for event in record.events if event.token[0] != "~"]) == 24


def test_an_option_that_an_engine_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown-option Wings"):
        one_game([f"cmd[Wings=2]:{sys.executable} -m serai.bots.cli", "random"])
