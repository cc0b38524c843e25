"""Whatever a bot does, the game goes on to its end, and the record says what happened."""

import pytest
from arena.play import one_game, user

from serai.bots.referee import FAULTS_ALLOWED
from serai.bots.time_control import TimeControl
from serai.core.game_record import GameRecord


def kinds(record: GameRecord, seat: int = 1) -> list[str]:
    return [fault.kind for fault in record.faults if fault.seat == seat]


def replayed_scores(record: GameRecord) -> tuple[int, ...]:
    *_, (position, event) = record.replay()
    return tuple(position.apply(event.token).scores())


def test_a_game_without_faults_is_recorded_whole() -> None:
    record = one_game(["planner", "greedy", "random"])
    assert record.ended == "over"
    assert record.faults == ()
    assert record.scores == replayed_scores(record)
    assert sorted(record.ranks) == [1, 2, 3]
    decisions = [event for event in record.events if event.ms is not None]
    assert len(decisions) > 60
    assert any(event.win is not None for event in decisions)


@pytest.mark.parametrize(
    ("name", "kind", "word"),
    [
        ("Raises", "crash", "KeyError: 'lost my notes' (.*players.py"),
        ("Leaves", "crash", "SystemExit: 4"),
        ("Empty", "crash", "has no method choose"),
        ("Cheats", "illegal", "'claim=9' is not legal"),
        ("Mumbles", "illegal", "must return a token"),
    ],
)
def test_a_fault_is_replaced_and_the_third_one_is_the_last(name: str, kind: str, word: str) -> None:
    record = one_game(["planner", user(name)])
    assert record.ended == "over"
    assert kinds(record) == [kind] * FAULTS_ALLOWED
    assert kinds(record, 0) == []
    assert word.split("(")[0].strip() in record.faults[0].detail
    assert record.scores == replayed_scores(record)


def test_a_hanging_bot_is_left_behind_at_once() -> None:
    record = one_game(["planner", user("Sleeps")], patience=0.2)
    assert record.ended == "over"
    assert kinds(record) == ["hung"]


def test_a_bot_that_fails_to_begin_may_still_play() -> None:
    record = one_game(["planner", user("Forgets")])
    assert kinds(record) == ["crash"]
    assert "OSError: no disk" in record.faults[0].detail


def test_a_bot_sees_its_own_view_and_no_seed() -> None:
    assert one_game([user("Peeks")] * 3).faults == ()


def test_a_late_bot_has_one_fault_a_turn_and_its_moves_stand() -> None:
    record = one_game(["planner", user("Slow")], TimeControl(clock=(0.01, 0.0)))
    assert kinds(record) == ["time"] * FAULTS_ALLOWED
    assert "too late" in record.faults[0].detail


def test_a_report_of_the_bots_own_is_kept_and_one_that_does_not_fit_is_not() -> None:
    record = one_game([user("Sure"), user("Confused")], max_plies=4)
    assert record.events[11].win == (1.0, 0.0)
    assert all(event.win in (None, (1.0, 0.0)) for event in record.events)


def test_a_game_that_does_not_end_is_scored_as_it_stands() -> None:
    record = one_game(["random", "random"], max_plies=10)
    assert record.ended == "max-plies"
    assert sum(event.token[0] != "~" for event in record.events) == 10
    assert record.scores == replayed_scores(record)


def test_equal_seeds_give_equal_games_and_other_seeds_others() -> None:
    names = ["ismcts", "random", user("Miser"), user("Raises")]
    first, again, other = (
        [event.token for event in one_game(names, seed=seed, max_plies=60).events] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
