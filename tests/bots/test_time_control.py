import pytest

from serai.bots.time_control import SeatTimer, TimeControl, parse_clock
from serai.core import SetupError


def test_clocks_are_read() -> None:
    assert parse_clock("60+1").clock == (60, 1)
    assert parse_clock("0.5").clock == (0.5, 0)
    assert parse_clock("1:30+0.5").clock == (90, 0.5)
    assert parse_clock("0/3") == TimeControl(clock=(0, 0), byo=3)


@pytest.mark.parametrize("text", ["", "x", "1+", "+1", "-5", "1:2:3", "1e5", "60 + 1", "nan", "1/", "/1"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match="a clock is written"):
        parse_clock(text)


@pytest.mark.parametrize(
    "control",
    [
        {"turn": 0.0},
        {"turn": -1.0},
        {"turn": 1e9},
        {"nodes": 0},
        {"clock": (0.0, 1.0)},
        {"turn": 1.0, "nodes": 5},
    ],
)
def test_limits_out_of_range_are_refused(control: dict[str, float]) -> None:
    with pytest.raises(SetupError):
        TimeControl(**control)  # type: ignore[arg-type]


def test_not_a_number_is_no_time() -> None:
    with pytest.raises(SetupError):
        TimeControl(turn=float("nan"))


def test_a_turn_never_gets_more_than_its_time_however_many_decisions_it_has() -> None:
    timer = SeatTimer(TimeControl(turn=1.0), margin=0.1)
    timer.begin_turn()
    given = 0.0
    for number in range(12):
        movetime = timer.limits().movetime
        assert movetime is not None
        assert movetime == 900 if number == 0 else movetime <= 100
        given += movetime / 1000
        assert timer.spend(movetime / 1000) is None
    assert given < 1.02
    timer.begin_turn()
    assert timer.limits().movetime == 900


def test_nodes_are_for_the_first_decision_and_an_eighth_for_each_later_one() -> None:
    timer = SeatTimer(TimeControl(nodes=80), margin=0.1)
    timer.begin_turn()
    assert timer.limits().nodes == 80
    timer.spend(1.0)
    assert timer.limits().nodes == 10


def test_a_turn_is_late_once_and_only_beyond_the_margin() -> None:
    timer = SeatTimer(TimeControl(turn=1.0), margin=0.5)
    timer.begin_turn()
    assert timer.spend(1.4) is None
    assert "0.600 s too late" in str(timer.spend(0.2))
    assert timer.spend(1.0) is None


def test_a_clock_runs_down_and_gets_its_increment_after_the_turn() -> None:
    timer = SeatTimer(TimeControl(clock=(10.0, 2.0)), margin=0.5)
    timer.begin_turn()
    assert timer.limits().clock == (10_000, 2000, 0, 0)
    assert timer.limits().movetime is None
    assert timer.spend(4.0) is None
    assert timer.limits().movetime == 500
    timer.end_turn()
    assert timer.left == 8.0
    timer.begin_turn()
    assert "1.000 s too late" in str(timer.spend(9.0))
    timer.end_turn()
    assert timer.left == 2.0


def test_byo_yomi_come_after_the_clock_and_are_there_again_for_each_turn() -> None:
    timer = SeatTimer(TimeControl(clock=(1.0, 0.0), byo=2.0), margin=0.0)
    timer.begin_turn()
    assert timer.limits().clock == (1000, 0, 2000, 0)
    assert timer.spend(2.5) is None
    timer.end_turn()
    timer.begin_turn()
    assert timer.limits().clock == (1, 0, 2000, 0)
    assert timer.spend(1.9) is None
    timer.end_turn()
    timer.begin_turn()
    assert timer.spend(2.1) == "0.100 s too late, of 1 s + 0 s a turn, then 2 s for each"


def test_byo_yomi_go_with_a_clock() -> None:
    with pytest.raises(SetupError, match="byo-yomi"):
        TimeControl(turn=1.0, byo=2.0)
