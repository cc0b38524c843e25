"""``serai tournament`` as people and scripts use it: help that is true, refusals that teach, exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tournament.hall import command, left_behind

from serai.bots.cli import main
from serai.bots.time_control import TimeControl
from serai.bots.tournament import preflight
from serai.bots.tournament.journal import read_journal
from serai.bots.tournament.plan import Entrant, FaultPolicy, Plan
from serai.bots.tournament.plan_file import EXAMPLE, read_plan
from serai.bots.tournament.sprt import Sprt
from serai.bots.tournament_command import EXAMPLES, make_plan, parser
from serai.core.errors import SetupError

MARK = f"tag=command{os.getpid()}"
PROTOCOL = Path(__file__).parents[1] / "protocol"
FAKE = f"cmd:{command('nothing', MARK)}"


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert left_behind(MARK) == []


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of ``serai tournament``."""
    try:
        code = main(["tournament", *arguments])
    except SystemExit as error:  # argparse
        code = int(error.code or 0)
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out, err


def planned(*arguments: str) -> Plan:
    return make_plan(parser().parse_args(list(arguments)))


def pair(**settings: Any) -> str:
    """A file with two engines that start fast."""
    values = {"games": 2, "max_plies": 16, "nodes": 5, **settings}
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())
    entrants = "".join(f"[[entrants]]\nname = {name!r}\nengine = {json.dumps(FAKE)}\n" for name in ("a", "b"))
    Path("cup.toml").write_text(text + entrants, encoding="utf-8")
    return "cup.toml"


# ---- help


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for word in ("examples:", "entrants:", "formats:", "a file:", "serai[Skill=5", "cmd:COMMAND", "Ctrl-C"):
        assert word in out
    for line in EXAMPLE.splitlines():
        assert f"  {line}".rstrip() in out
    assert max(map(len, out.splitlines())) <= 120
    _, out, _ = run(capsys, "-h")
    assert "--journal" in out


def examples() -> list[list[str]]:
    found = re.findall("^  serai tournament (.*)$", EXAMPLES, re.MULTILINE)
    assert len(found) >= 5
    return [shlex.split(line) for line in found]


@pytest.mark.parametrize("words", examples(), ids=" ".join)
def test_each_example_is_valid(words: list[str]) -> None:
    Path("cup.toml").write_text(EXAMPLE, encoding="utf-8")
    plan = planned(*words)
    assert set(re.findall("--(?:games|seats) ([0-9]+)", " ".join(words))) <= {
        str(plan.games),
        str(plan.seats),
    }
    if words[0] == "cup.toml":
        assert plan == read_plan(Path("cup.toml"))


def test_every_option_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    for action in parser()._actions:
        assert all(option in out for option in action.option_strings)
        assert action.help


# ---- what becomes of arguments


def test_arguments_become_a_plan() -> None:
    words = "serai random greedy --seats 2 --format mixed --games 40 --rotations all --seed 3 --nodes 70"
    more = "--on-fault void --margin 1 --patience 4 --max-plies 90 --referee cmd:r --audit serai --trusted"
    entrants = tuple(
        Entrant(name, name, control=TimeControl(nodes=70)) for name in ("serai", "random", "greedy")
    )
    assert planned(*words.split(), *more.split(), "--game", "spice_road;variant=base") == Plan(
        entrants,
        game="spice_road;variant=base",
        seats=2,
        format="mixed",
        games=40,
        rotations="all",
        seed=3,
        faults=FaultPolicy("void"),
        margin=1.0,
        patience=4.0,
        max_plies=90,
        referee="cmd:r",
        audit="serai",
        trusted=True,
    )


def test_defaults_suit_what_was_given() -> None:
    assert planned("serai", "random") == Plan((Entrant("serai", "serai"), Entrant("random", "random")))
    assert planned("serai", "random", "greedy").seats == 3
    assert planned("serai", "random", "--seats", "4").format == "field"
    test = planned("serai", "random", "--format", "sprt", "--h0", "0.5", "--h1", "0.6")
    assert test.sprt == Sprt(0.5, 0.6)
    assert planned("a", "b", "--clock", "1:00+2/5").entrants[0].control == TimeControl(clock=(60, 2), byo=5)
    assert planned("a", "b", "--time", "2").entrants[1].control == TimeControl(turn=2.0)


def test_a_long_command_is_called_by_its_ends() -> None:
    long = [f"cmd:./{'engine' * 30} --flag {number}" for number in (1, 2)]
    plan = planned(*long)
    assert [entrant.engine for entrant in plan.entrants] == long
    assert [len(name) for name in plan.names] == [100, 100]
    assert plan.names[0].startswith("cmd:./engine")
    assert plan.names[0].endswith("engine --flag 1")


def test_an_argument_replaces_what_the_file_says() -> None:
    Path("cup.toml").write_text(EXAMPLE, encoding="utf-8")
    plan = planned("cup.toml", "--nodes", "5", "--games", "9", "--on-fault", "count", "--seed", "7")
    assert (plan.games, plan.seed, plan.faults) == (9, 7, FaultPolicy("count"))
    assert [entrant.control for entrant in plan.entrants] == [
        TimeControl(nodes=5),
        TimeControl(nodes=5),
        TimeControl(turn=0.25),
    ]
    assert planned("cup.toml", "--seats", "2").seats == 2


# ---- refusals


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "the following arguments are required"),
        ("serai", "entrants must be 2 to 64, not 1"),
        ("random greedy", "give a file for the games: --journal FILE"),
        ("random greedy --journal j --format swiss", "invalid choice: 'swiss'"),
        ("random greedy --journal j --format sprt", "needs its bounds"),
        ("random greedy --journal j --h0 0.5", "h1: is missing"),
        ("random greedy --journal j --h0 0.5 --h1 0.6", "goes with format = 'sprt'"),
        ("random greedy --journal j --seats 3 --format round-robin", "needs 3 entrants, not 2"),
        ("random greedy --journal j --time 1 --nodes 5", "not allowed with argument"),
        ("random greedy --journal j --time nan", "time: must be a number"),
        ("random greedy --journal j --nodes 0", "nodes must be at least 1"),
        ("random greedy --journal j --nodes x", "invalid int value: 'x'"),
        ("random greedy --journal j --clock soon", "a clock is written SECONDS+INCREMENT"),
        ("random greedy --journal j --games 0", "games must be 1 to"),
        ("random greedy --journal j --on-fault cry", "must be one of rank-last count void abort"),
        ("random greedy --journal j --jobs 0", "--jobs must be 1 to 256, not 0"),
        ("random greedy --journal j --jobs 257", "--jobs must be 1 to 256, not 257"),
        ("random greedy --journal j --jobs -1", "--jobs must be 1 to 256, not -1"),
        ("random greedy --journal j --seats 6", "plays spice_road with 2 to 5 seats, not with 6"),
        ("random greedy --journal j --game chess", "doesn't play chess; it plays: spice_road"),
        ("random greedy --journal j --game spice_road;seed=3", "leave out seed="),
        ("random nobody --journal j", "nobody"),
        ("random serai:x --journal j", "serai takes no command"),
        ("random serai[Sklil=3] --journal j", "Sklil"),
        ("random serai[Skill=99] --journal j", "Skill"),
        ("random cmd:./nowhere --journal j", "can't start './nowhere': no such program"),
        ("random cmd:false --journal j", "exit code 1"),
        ("random greedy --journal j --referee cmd:./nowhere", "(referee)"),
        ("random greedy --journal j --audit cmd:./nowhere", "(audit)"),
        ("cup.toml --journal j", "cup.toml: no such file"),
        ("cup.toml random --journal j", "give one tournament file, or engines, not both"),
        ("random greedy --journal no/where/j", "No such file"),
        ("random greedy --journal .", "is there already"),
    ],
)
def test_what_can_not_be_done_is_told(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert said in err
    assert not Path("j").exists()


def test_a_game_of_others_needs_engines_that_play_it(capsys: pytest.CaptureFixture[str]) -> None:
    theirs = f"cmd:{sys.executable} {PROTOCOL / 'minimal_engine.py'}"
    Path("cup.toml").write_text(
        f"""
game = "tokens"
games = 2
nodes = 5
referee = {json.dumps(theirs)}
[[entrants]]
name = "theirs"
engine = {json.dumps(theirs)}
[[entrants]]
engine = "random"
""",
        encoding="utf-8",
    )
    code, _, err = run(capsys, "cup.toml", "--journal", "j")
    assert code == 2
    assert "random doesn't play tokens; it plays: spice_road" in err
    text = Path("cup.toml").read_text(encoding="utf-8").replace('engine = "random"', f"engine = '{theirs}'")
    Path("cup.toml").write_text(text.replace("[[entrants]]\nengine", "[[entrants]]\nname = 'b'\nengine"))
    code, out, _ = run(capsys, "cup.toml", "--journal", "j")
    assert code == 0
    assert "theirs" in out


def test_too_few_files_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (256, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: limits.append(pair))
    plan = planned("random", "greedy")
    preflight.make_room(plan, 2)
    assert limits == []
    preflight.make_room(plan, 20)
    assert limits == [(784, 1024)]
    with pytest.raises(SetupError, match=r"100 games at a time need \d+ open files, 1024 are allowed"):
        preflight.make_room(plan, 100)


# ---- a dry run


def test_a_dry_run_says_what_would_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    words = "serai planner greedy --seats 2 --games 24 --time 0.5 --dry-run --jobs 2"
    code, out, err = run(capsys, *words.split())
    assert (code, err) == (0, "")
    assert "12 blocks of 2 games: 24 games, 0 of them are there already" in out
    assert "serai: serai, 0.5 s a turn" in out
    assert "  serai planner: 4 blocks" in out
    assert "  planner greedy: 4 blocks" in out
    assert len(re.findall(r"^  block \d+: seed \d+: ", out, re.MULTILINE)) == 12
    assert "time: about 0:07:00 for 24 games of 35 turns a seat, 2 at a time" in out
    assert list(Path().iterdir()) == []


def test_a_dry_run_knows_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    pair()
    assert run(capsys, "cup.toml", "--journal", "j")[0] == 0
    before = Path("j").read_bytes()
    code, out, _ = run(capsys, "cup.toml", "--journal", "j", "--dry-run", "--games", "6")
    assert code == 0
    assert "3 blocks of 2 games: 6 games, 2 of them are there already" in out
    assert "for 4 games as long as those played so far" in out
    code, out, _ = run(capsys, "cup.toml", "--journal", "j", "--dry-run", "--games", "1")
    assert "for 0 games" in out
    assert Path("j").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("a b --nodes 5", "nobody can tell how long nodes take"),
        ("a b --clock 70+1", "of 35 turns a seat"),
        ("a b --clock 0+80000/86400 --games 1000000", "days"),
        ("a b --format sprt --h0 0.5 --h1 0.6", "50 blocks of 2 games at most"),
        ("a b c d e f --seats 3 --format mixed", "34 blocks of 3 games: 102 games"),
        ("a b --seats 4", "25 blocks of 4 games"),
        ("a b c d --seats 4 --rotations all --games 50", "3 blocks of 24 games: 72 games"),
        ("a b c d e f g --seats 2 --games 1", "and 9 more"),
    ],
)
def test_dry_runs_of_all_kinds(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *words.split(), "--dry-run")
    assert code == 0
    assert said in out


# ---- whole tournaments


def test_a_tournament_ends_with_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, pair(), "--journal", "j", "--html", "cup.html", "--jobs", "1")
    assert code == 0
    assert "2 games wanted, seed 1; 1 at a time here" in err
    assert re.search("^ *1 +[ab] ", out, re.MULTILINE)
    assert "2 games in 1 complete block" in out
    page = Path("cup.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    assert len(read_journal("j").records) == 2


def test_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, pair(), "--journal", "j", "--json", "--affinity")
    assert code == 0
    data = json.loads(out)
    assert data["games"] == 2
    assert {entrant["name"] for entrant in data["entrants"]} == {"a", "b"}


def test_an_existing_journal_is_not_touched_by_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, pair(), "--journal", "j")[0] == 0
    before = Path("j").read_bytes()
    code, _, err = run(capsys, "cup.toml", "--journal", "j")
    assert code == 2
    assert "j is there already: --resume goes on with it, or give another file" in err
    code, _, err = run(capsys, "cup.toml", "--journal", "j", "--resume", "--seed", "5")
    assert code == 2
    assert "another tournament; it differs in: seed." in err
    code, _, err = run(capsys, "cup.toml", "--journal", "j", "--resume")
    assert code == 0
    assert "2 are there already" in err
    assert Path("j").read_bytes() == before
    code, out, err = run(capsys, "cup.toml", "--journal", "j", "--resume", "--games", "4")
    assert code == 0
    assert "4 games in 2 complete blocks" in out


def test_a_poem_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("poem").write_text("roses\n")
    for more in ([], ["--resume"]):
        code, _, _ = run(capsys, pair(), "--journal", "poem", *more)
        assert code == 2
    assert Path("poem").read_text() == "roses\n"


def test_resume_begins_one_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").touch()
    for name in ("missing", "empty"):
        assert run(capsys, pair(), "--journal", name, "--resume")[0] == 0
        assert len(read_journal(name).records) == 2


def test_a_journal_that_is_written_to_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    from serai.bots.tournament.journal import Journal

    plan = planned(pair())
    with contextlib.closing(Journal("j", plan, [])):
        code, _, err = run(capsys, "cup.toml", "--journal", "j", "--resume")
    assert code == 2
    assert "j is being written by another process" in err


def test_an_sprt_ends_when_it_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = "greedy random --format sprt --h0 0.5 --h1 0.9 --nodes 5 --max-plies 40 --games 1000 --jobs 1"
    code, out, _ = run(capsys, *words.split(), "--journal", "j")
    assert code == 0
    assert "H1" in out
    assert len(read_journal("j").records) < 60


def test_an_abort_is_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    bad = FAKE.replace(" nothing ", " illegal ")
    Path("cup.toml").write_text(
        f"games = 20\nmax_plies = 16\nnodes = 5\n[[entrants]]\nname = 'good'\nengine = {json.dumps(FAKE)}\n"
        f"[[entrants]]\nname = 'bad'\nengine = {json.dumps(bad)}\n"
    )
    code, _, err = run(capsys, "cup.toml", "--journal", "j", "--on-fault", "abort", "--jobs", "1")
    assert code == 1
    assert "serai tournament: bad: illegal: " in err
    assert "the policy for that is abort" in err
    assert 1 <= len(read_journal("j").records) <= 2


def test_a_disagreement_of_referees_is_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    liar = Path(__file__).parent / "engines" / "liar.py"
    engine = f"cmd:{sys.executable} {PROTOCOL / 'minimal_engine.py'}"
    Path("cup.toml").write_text(
        f"game = 'tokens'\ngames = 40\nnodes = 5\nreferee = {json.dumps(engine)}\n"
        + f"audit = {json.dumps(f'cmd:{sys.executable} {liar} flatters')}\n"
        + "".join(f"[[entrants]]\nname = '{name}'\nengine = {json.dumps(engine)}\n" for name in "ab")
    )
    code, _, err = run(capsys, "cup.toml", "--journal", "cup.journal")
    assert code == 1
    assert "the referees disagree about scores" in err
    assert "reproducer: cup.audit.txt" in err
    assert Path("cup.audit.txt").exists()


def test_an_engine_that_is_given_twice_is_numbered() -> None:
    plan = make_plan(parser().parse_args(["serai", "planner", "serai", "--journal", "x"]))
    assert plan.names == ("serai #1", "planner", "serai #2")


@pytest.mark.parametrize(
    ("entrant", "ponders"),
    [
        (Entrant("a", "serai"), False),
        (Entrant("a", "serai", ponder=True), True),
        (Entrant("a", "serai[Ponder=true]"), True),
        (Entrant("a", "serai", options=(("ponder", "True"),)), True),
        (Entrant("a", "serai[Ponder=false]"), False),
    ],
)
def test_who_is_told_to_ponder_in_whatever_way_does(entrant: Entrant, ponders: bool) -> None:
    assert entrant.ponders is ponders


@pytest.mark.parametrize(
    ("seats", "ponder", "warned"), [(2, "true", False), (3, "true", True), (3, "false", False)]
)
def test_who_wants_to_ponder_at_a_larger_table_is_told_once(
    seats: int, ponder: str, warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    entrants = [f"[[entrants]]\nname = '{name}'\nengine = 'random'\n" for name in "abc"]
    Path("cup.toml").write_text(
        f"seats = {seats}\ngames = 1\nnodes = 5\nmax_plies = 12\n{entrants[0]}ponder = {ponder}\n"
        + "".join(entrants[1:])
    )
    code, _, err = run(capsys, "cup.toml", "--journal", "j", "--jobs", "1")
    assert code == 0
    assert err.count("note: pondering is for two seats; at 3 nobody ponders, a neither") == warned
