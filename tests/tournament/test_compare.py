"""``serai compare``: agreement is seen, and every way to disagree is found and shown where it begins."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from serai.bots.compare_command import Ticker, run
from serai.bots.tournament.compare import CHECKS, Comparison
from serai.bots.tournament.compare_games import given
from serai.bots.tournament.witness import Witness, engine_text
from serai.core import load
from serai.core.errors import SeraiError, SetupError
from serai.core.game_record import Event, GameRecord
from serai.core.record import RecordWriter

HERE = Path(__file__).parent
LIAR = f"{sys.executable} {HERE / 'engines' / 'liar.py'}"
STRANGER = f"{sys.executable} -ES {HERE / 'foreign_ugi.py'}"
FAKE = f"{sys.executable} -ES {HERE / 'engines' / 'fake.py'}"
DEALT = "fen tokens;players=2 moves ~deal=p1:8,8 ~deal=p2:1,5 add=2 add=1 ~turn=6"
WRONG = f"position {DEALT} add=1 add=1 ~turn=1"  # the first position on the way where a liar lies
QUICK = ("--timeout", "20")


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the result."""
    code = run([*arguments, *QUICK, "--json"])
    return code, json.loads(capsys.readouterr().out)


def against(capsys: pytest.CaptureFixture[str], way: str, *arguments: str) -> dict[str, Any]:
    """The difference between the honest engine and a liar."""
    code, result = compared(capsys, LIAR, f"{LIAR} {way}", *arguments)
    assert code == 1
    assert not result["agree"]
    difference: dict[str, Any] = result["difference"]
    return difference


# ---- agreement


def test_our_engine_agrees_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    code, result = compared(capsys, "serai", "planner:width=3", "--games", "1", "--seed", "3")
    assert code == 0
    assert result["agree"]
    assert result["difference"] is None
    assert result["left_out"] == {}
    assert all(result["checks"][name] > 0 for name in CHECKS)
    assert result["positions"] == result["checks"]["scores"] > 10


def test_games_at_random_have_all_numbers_of_seats_and_repeat(capsys: pytest.CaptureFixture[str]) -> None:
    first = compared(capsys, LIAR, LIAR, "--games", "4", "--depth", "1")
    assert first[0] == 0
    assert first == compared(capsys, LIAR, LIAR, "--games", "4", "--depth", "1")
    seats = compared(capsys, LIAR, LIAR, "--game", "tokens;players=5;seed=9", "--games", "1", "--depth", "0")[
        1
    ]
    assert seats["checks"]["turn"] == 5 + 15 + 2 + 2  # hands, moves, cards turned, the end twice
    assert seats["checks"]["perft"] == 0


def test_another_order_is_no_difference_but_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([LIAR, f"{LIAR} reverses", "--games", "1", *QUICK]) == 0
    assert "only the order of the events differs in" in capsys.readouterr().out


# ---- differences


@pytest.mark.parametrize(
    ("way", "only"),
    [
        ("drops", (["add=2"], [])),
        ("invents", ([], ["add=4"])),
        ("repeats", ([], ["add=1"])),
    ],
)
def test_a_count_leads_to_the_wrong_list(
    way: str, only: tuple[list[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    difference = against(capsys, way, "--positions", DEALT, "--depth", "4")
    assert difference["check"] == "legal"
    assert difference["position"] == WRONG
    assert difference["question"] == "query legal"
    assert tuple(difference["only"]) == only
    assert difference["found"] == f"position {DEALT}"
    assert [step["event"] for step in difference["trail"]] == ["add=1", "add=1", "~turn=1"]
    assert [step["depth"] for step in difference["trail"]] == [3, 2, 1]
    assert all(step["says"][0] != step["says"][1] for step in difference["trail"])


def test_lists_of_one_length_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    difference = against(capsys, "swaps", "--positions", WRONG)
    assert tuple(difference["only"]) == (["add=3"], ["add=4"])


def test_a_wrong_list_is_found_in_a_game_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    difference = against(capsys, "drops", "--games", "20", "--depth", "0")
    assert difference["check"] == "legal"
    assert tuple(difference["only"]) == (["add=2"], [])
    assert difference["found"] == ""


def test_a_wrong_count_over_right_lists_is_followed_to_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    difference = against(capsys, "miscounts", "--positions", DEALT, "--depth", "4")
    assert (difference["check"], difference["question"]) == ("perft", "go perft 1")
    assert difference["position"] == WRONG
    assert difference["says"] == ["4", "5"]


def test_a_wrong_sum_of_right_branches_is_told_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    difference = against(capsys, "adds-wrongly", "--positions", WRONG)
    assert difference["question"] == "go perft 2"
    assert difference["position"] == WRONG
    assert difference["trail"] == []


@pytest.mark.parametrize(
    ("way", "check", "says"),
    [
        ("loads-dice", "chance", ["45 events", "45 events"]),
        ("flatters", "scores", ["0 0", "1 1"]),
        ("never-ends", "gameover", ["true", "false"]),
        ("ranks-backwards", "ranks", ["1 2", "2 1"]),
        ("garbles", "legal", ["4 events", "no answer: response two moves, I think"]),
        ("refuses", "turn", ["chance", "error bad-value not today"]),
    ],
)
def test_each_question_can_tell_them_apart(
    way: str, check: str, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    difference = against(capsys, way, "--games", "2", "--depth", "0")
    assert difference["check"] == check
    assert difference["says"] == says


@pytest.mark.parametrize(
    ("way", "word"), [("crashes", "segmentation fault"), ("hangs", "no answer within 1 s")]
)
def test_an_engine_that_fails_at_a_position_is_a_difference(
    way: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([LIAR, f"{LIAR} {way}", "--positions", WRONG.removeprefix("position "), "--timeout", "1"])
    text = capsys.readouterr().out
    assert code == 1
    assert word in text
    assert WRONG in text
    assert "query legal" in text


def test_a_crash_within_a_count_is_followed_too(capsys: pytest.CaptureFixture[str]) -> None:
    difference = against(capsys, "crashes", "--positions", DEALT, "--depth", "4")
    assert difference["position"] == WRONG
    assert "segmentation fault" in difference["says"][1]


def test_the_text_has_all_that_is_needed_to_see_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([LIAR, f"{LIAR} drops", "--positions", DEALT, "--depth", "4", *QUICK]) == 1
    text = capsys.readouterr().out
    assert "differ: legal" in text
    assert f"a count led to it: go perft 4 at\n  position {DEALT}\n  add=1: perft 3: A " in text
    assert "A says to query legal: 4 events; only here: add=2\nB says to query legal: 3 events\n" in text
    assert text.endswith(f"  {WRONG}\n  query legal\n")


# ---- what can't be asked


@pytest.mark.parametrize(
    ("way", "left_out"),
    [
        ("no-ranks", {"ranks"}),
        ("searches-instead", {"perft"}),
        ("is-silent", {"perft"}),
        ("knows-nothing", set(CHECKS) - {"perft"}),
    ],
)
def test_what_an_engine_does_not_know_is_left_out_and_told(
    way: str, left_out: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([LIAR, f"{LIAR} {way}", "--games", "1", "--depth", "1", "--timeout", "1", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(result["left_out"]) == left_out
    assert all(reason.startswith("B ") for reason in result["left_out"].values())
    assert {name for name in CHECKS if result["checks"][name]} == set(CHECKS) - left_out


def test_with_nothing_left_to_ask_there_is_no_agreement() -> None:
    with pytest.raises(SetupError, match=r"nothing could be compared.*A can't be asked"):
        run([STRANGER, "random", "--positions", "spice_road", *QUICK])


# ---- positions


def game(events: int, spec: str = "spice_road;players=3;seed=4") -> GameRecord:
    """A record of the first part of a game at random."""
    position, random = load(spec).start(), Random(events)
    while len(position.history) < events:
        position = position.apply(random.choice(position.legal_tokens()))
    history = tuple(Event(token) for token in position.history)
    return GameRecord(spec, ("a", "b", "c"), history, (0, 0, 0), (1, 2, 3), "stopped")


def test_recorded_games_are_walked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.rec"
    with RecordWriter(path) as writer:
        for events in (12, 35):
            writer.write(game(events))
    lengths = [len(game(events).events) for events in (12, 35)]
    code, result = compared(capsys, "serai", "--records", str(path), "--every", "7", "--depth", "1")
    assert code == 0
    assert result["positions"] == sum(len(range(0, length, 7)) + 1 for length in lengths)
    some = compared(capsys, "serai", "--records", str(path), str(path), "--games", "1", "--depth", "0")[1]
    assert some["positions"] == len(range(0, lengths[0], 10)) + 1


def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.rec"
    with RecordWriter(path) as writer:
        writer.write(game(12))
        writer.write(GameRecord("nonsense;;", ("a",), (Event("two words"),), (0,), (1,)))
        writer.write(GameRecord("spice_road", ("a",), (Event("two words"),), (0,), (1,)))
        writer.write(GameRecord("spice_road", ("a",), (Event("x"),) * 10_001, (0,), (1,)))
        writer.write(GameRecord("chess;players=2", ("a", "b"), (Event("e2e4"),), (0, 0), (1, 2)))
    with path.open("ab") as file:
        file.write(b"SRec cut")
    code = run(["serai", "--records", str(path), "--depth", "0", "--json", *QUICK])
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert code == 0
    assert result["refused"] == {"unknown-game": 2}
    assert len(result["notes"]) == 4
    assert "game 4 is left out: 10001 events" in err
    assert "cut short" in err


def test_a_seed_is_dealt_before_it_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code, result = compared(
        capsys, "serai", "--positions", "spice_road;seed=4", "fen spice_road;seed=4 moves take=2"
    )
    assert (code, result["positions"]) == (0, 2)
    with Witness("serai", 20.0) as witness:
        (text,) = given(["spice_road;seed=42"], witness)
        assert text.line.startswith("position fen spice_road;players=2 moves ~market=rr>gg ~market=rrr>ggg")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["serai", "--positions", "chess"], r"neither engine takes any of them \(unknown-game\)"),
        (["serai", "--positions", "fen spice_road;seed=1 moves nonsense"], "doesn't say how .* is dealt"),
        (["serai", "--positions", "fen spice_road nonsense"], "nonsense"),
        (["serai", "--game", "chess"], "neither engine takes position fen chess"),
        (["serai", LIAR], "no game in common: give --game SPEC"),
        (["no/such/engine"], "no such program"),
        ([f"{FAKE} crash-start"], "can't be started|index out of range"),
        (["nobody.py:Bot"], "nobody.py"),
        (["serai[Skill=99]"], "Skill"),
        (["serai", "--records", "no/such/file"], "No such file"),
        (["serai", "--records", __file__], "is not a record file"),
        (["serai", "--depth", "21"], "--depth must be 0 to 20"),
        (["serai", "--games", "0"], "--games must be 1"),
        (["serai", "--timeout", "0"], "--timeout must be"),
    ],
    ids=str,
)
def test_a_wrong_request_is_told(arguments: list[str], complaint: str) -> None:
    with pytest.raises(SeraiError, match=complaint):
        run(arguments)


def test_an_engine_is_named_as_in_a_tournament_or_by_its_command() -> None:
    kept = ("serai", "serai[Skill=3]", "planner", "planner:width=9", "mine.py:Miser:greed=3", "cmd:./a b")
    assert all(engine_text(text) == text for text in kept)
    for command in ("./engine", "python mine.py:x", "/opt/serai/engine --fast"):
        assert engine_text(command) == f"cmd:{command}"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_that_goes_away() -> None:
    stream = Terminal()
    with Witness(LIAR, 20.0) as first, Witness(LIAR, 20.0) as second:
        comparison = Comparison(first, second, 1)
        comparison.on_progress = progress = Ticker(comparison, stream)
        for text in given([DEALT, WRONG], first):
            comparison.examine(text)
    progress.clear()
    assert "0 positions, 0 checks" in stream.getvalue()
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().endswith(" \r")
