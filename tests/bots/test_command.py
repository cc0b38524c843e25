"""The command as a person types it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from serai.bots.cli import COMMANDS, main
from serai.bots.progress import Progress

QUICK = ["--nodes", "10", "--max-plies", "40"]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.rec"
    assert main(["match", "planner", "random", "--games", "3", "--record", str(path), *QUICK]) == 0
    return path


def test_help_names_every_command_and_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"serai {command}" in text for command in COMMANDS)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main([command, "--help"])
    except SystemExit as leaving:
        code = leaving.code
    text = capsys.readouterr().out
    assert code in (0, None)
    assert "usage:" in text
    assert command == "compliance" or "examples:" in text


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("serai 0.")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["dance"], "no command 'dance'; there are: engine match"),
        (["engine", "a", "b"], "one bot at most"),
        (["engine", "nobody"], "no bot is called 'nobody'"),
        (["match", "random"], "at least 2 entrants"),
        (["match", "random", "nobody"], "no bot is called 'nobody'"),
        (["match", *["random"] * 6], "players"),
        (["match", "random", "random", "--clock", "soon"], "a clock is written"),
        (["match", "random", "random", "--time", "0"], "above 0"),
        (["match", "random", "random", "--game", "chess"], "unknown game 'chess'"),
        (["match", "random", "random", "--watch", "--json"], "--watch shows one game at a time"),
        (["match", "random", "random", "--jobs", "0"], "--jobs must be 1 to 64"),
        (["match", "random", "random", "--resume"], "give --record FILE"),
        (["match", "random", "random", "--record", "/no/such/folder/x"], "No such file"),
        (["perft", "99"], "the depth must be 0 to 20"),
        (["perft", "2", "go"], "unknown game 'go'"),
        (["show", "/no/such/file"], "No such file"),
        (["show", __file__], "is not a record file"),
        (["show", __file__, "--watch"], "give --game K"),
    ],
    ids=str,
)
def test_a_wrong_request_is_answered_in_a_line_and_code_2(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.startswith("serai")


def test_a_match_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "planner", "random", "--games", "4", *QUICK]) == 0
    text = capsys.readouterr().out
    assert "wins %" in text
    assert "planner" in text
    assert "4 unfinished, scored as they stood" in text
    assert "one standard error over 2 deals" in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["ismcts:time=0.9"], "ismcts:time=0.9 will be late in this match of 0.5 s a turn; give --time 0.9"),
        (["ismcts:time=0.2", "--time", "0.1"], "of 0.1 s a turn; give --time 0.2"),
        (["ismcts:time=0.2", "--time", "0.2"], ""),
        (["ismcts:time=9", "--nodes", "5"], ""),
        (["ismcts:nodes=9"], ""),
    ],
    ids=str,
)
def test_a_bot_that_takes_longer_than_the_match_allows_is_noticed(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["match", "random", *arguments, "--games", "1", "--max-plies", "0"])
    err = capsys.readouterr().err
    assert told in err
    assert ("note: " in err) == bool(told)


def test_a_match_as_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "planner", "random", "planner", "--json", *QUICK]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 3
    assert [row["name"] for row in data["entrants"]] == ["planner", "random"]
    assert data["plan"]["conditions"]["control"]["nodes"] == 10


def test_a_match_tells_the_faults_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    from arena.play import user

    assert main(["match", user("Raises"), "random", *QUICK]) == 0
    text = capsys.readouterr().out
    assert "crash 6" in text
    assert "game 1, p1 " in text
    assert "crash: KeyError: 'lost my notes'" in text
    assert "and 1 more" in text


def test_what_a_bot_prints_does_not_get_into_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    from arena.play import user

    assert main(["match", user("Sure"), "random", "--json", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 2
    assert "anybody's way" in err


def test_a_resumed_match_plays_what_is_missing(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "planner", "random", "--games", "4", "--record", str(recorded), "--resume", *QUICK]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "3 of 4 games are there already" in err
    assert "4 games" in out


def test_show_lists_games_and_tells_one(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(recorded)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 3
    assert "planner" in lines[0]
    assert main(["show", str(recorded), "--game", "2"]) == 0
    assert "p1  random" in capsys.readouterr().out
    assert main(["show", str(recorded), "--game", "99"]) == 2


def test_show_exports_json_lines_and_json(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", str(recorded), "--format", "jsonl"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["show", str(recorded), "--format", "json"])
    assert json.loads(capsys.readouterr().out) == lines
    assert lines[0]["seats"] == ["planner", "random"]


def test_show_plays_a_game_on_the_board_again(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(recorded), "--game", "1", "--watch", "--speed", "0"]) == 0
    text = capsys.readouterr().out
    assert "merchants" in text
    assert "p2 random" in text


def test_show_says_that_a_record_is_cut_short(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut"
    path.write_bytes(recorded.read_bytes()[:-5])
    assert main(["show", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out
    assert "cut short" in err


def test_perft_counts_and_divides(capsys: pytest.CaptureFixture[str]) -> None:
    main(["perft", "2"])
    assert capsys.readouterr().out.startswith("perft 2 1806 ")
    main(["perft", "2", "spice_road;players=3;seed=1", "--divide"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("perft 2 1806 ")
    assert sum(int(line.split()[1]) for line in lines[:-1]) == 1806


def test_the_signature_is_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    main(["bench", "--signature"])
    main(["bench", "--signature"])
    first, second = capsys.readouterr().out.split()
    assert first == second


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_that_goes_away() -> None:
    from serai.bots.match import Match, MatchPlan
    from serai.bots.referee import Conditions
    from serai.bots.time_control import TimeControl

    stream = Terminal()
    progress = Progress(stream)
    plan = MatchPlan(("random", "random"), games=3, conditions=Conditions(TimeControl(nodes=1), max_plies=9))
    Match(plan, progress=progress).play()
    progress.clear()
    text = stream.getvalue()
    assert "\rgame 1 of 3" in text
    assert "\n" not in text
    assert text.endswith(" \r")


def run_as_process(
    *arguments: str, environment: dict[str, str] | None = None, head: int | None = None
) -> tuple[int, bytes, bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "serai.bots.cli", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdout is not None
    if head is None:
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err
    out = process.stdout.read(head)
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=60), out, err


def test_without_arguments_it_is_the_engine_and_ends_with_its_input() -> None:
    code, out, _ = run_as_process()
    assert (code, out) == (0, b"")


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    code, _, err = run_as_process("match", "planner", "random", "--watch", *QUICK, head=10)
    assert code in (1, 141)
    assert err == b""


def test_a_terminal_without_utf_8_gets_what_it_can_show() -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    code, out, err = run_as_process("match", "planner", "random", "--watch", *QUICK, environment=environment)
    assert code == 0, err
    assert out.decode("ascii")
