"""Bugs that tournament managers have had, continued: whole runs, their ends, and what they leave behind."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from tournament.hall import Heard, Played, command, entrant, left_behind, make_plan, marked, play

from serai.bots.tournament.crew import SPARE
from serai.bots.tournament.journal import JournalContent, read_journal
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Entrant
from serai.bots.tournament.plan_file import read_plan
from serai.core.errors import RecordError
from serai.core.game_record import GameRecord

MARK = f"tag=runs-{os.getpid()}"
FOREVER = 60.0  # seconds; a tournament here that takes longer has hung
HONEST = entrant("honest", "nothing", MARK)
SERAI = [sys.executable, "-m", "serai.bots.cli"]
FAULTY = f"""
games = 12
seats = 2
max_plies = 30
margin = 0.3
patience = 3.0
time = 0.1
entrants = [
    {{ name = "honest", engine = "cmd:{command("nothing", MARK)}" }},
    {{ name = "crash", engine = "cmd:{command("crash", "crc=5", MARK)}" }},
    {{ name = "illegal", engine = "cmd:{command("illegal", "crc=7", MARK)}" }},
    {{ name = "deaf", engine = "cmd:{command("deaf", "crc=29", MARK)}" }},
]
"""


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """M44: no process outlives a tournament, no child is left unreaped."""
    yield
    assert left_behind(MARK) == []


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A tournament file whose engines fail at the same places whenever a game is played."""
    path = tmp_path / "faulty.toml"
    path.write_text(FAULTY, encoding="utf-8")
    return path


def games(content: JournalContent) -> dict[tuple[int, int], object]:
    """What has happened in each game, less the times that it took."""
    return {
        (outcome.block, outcome.game): (
            record.spec,
            record.seats,
            [event.token for event in record.events],
            [(fault.seat, fault.event, fault.kind) for fault in record.faults],
            record.scores,
            outcome.ranks,
        )
        for outcome, record in zip(content.outcomes, content.records, strict=True)
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The faulty tournament in one go."""
    folder = tmp_path_factory.mktemp("whole")
    path = folder / "faulty.toml"
    path.write_text(FAULTY, encoding="utf-8")
    return play(folder / "journal", read_plan(path), jobs=2)


# ---- broken off, and gone on with


def test_m65_a_resumed_tournament_plays_the_same_games(whole: Played, faulty: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    first = play(path, read_plan(faulty), heard=Heard(last=5))
    assert 5 <= len(first.content.records) < 12
    second = play(path, read_plan(faulty), jobs=1)
    assert len(second.heard.games) == 12 - len(first.content.records)
    assert games(second.content) == games(whole.content)
    assert {kind for outcome in whole.content.outcomes for _, kind in outcome.faults} == {
        "crash",
        "illegal",
        "hung",
    }
    assert whole.faults_of("honest") == []


def run_until(games_played: int, plan: Path, journal: Path) -> subprocess.Popen[str]:
    """Start the command, and wait until the journal has some games."""
    arguments = ["tournament", str(plan), "--journal", str(journal), "--jobs", "2"]
    process = subprocess.Popen(
        [*SERAI, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + FOREVER
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(RecordError):
            if len(read_journal(journal).records) >= games_played:
                return process
        time.sleep(0.02)
    process.kill()
    pytest.fail(f"it has ended, or does nothing: {process.communicate()}")


def test_e8_m79_killed_the_manager_leaves_no_process_and_a_whole_journal(
    whole: Played, faulty: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    process = run_until(2, faulty, journal)
    assert marked(MARK)
    process.kill()
    process.communicate(timeout=FOREVER)
    assert left_behind(MARK) == []
    resumed = play(journal, read_plan(faulty))
    assert games(resumed.content) == games(whole.content)
    assert resumed.content.notes == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_m44_a_signal_ends_it_with_all_its_processes(
    number: signal.Signals, faulty: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    process = run_until(1, faulty, journal)
    process.send_signal(number)
    _, err = process.communicate(timeout=FOREVER)
    assert process.returncode == 130, err
    assert "--resume" in err
    assert left_behind(MARK, 2.0) == []
    content = read_journal(journal)
    assert content.notes == []
    assert 1 <= len(content.records) < 12


# ---- processes and files


def test_m60_the_number_of_processes_is_bounded(tmp_path: Path) -> None:
    crowd = [entrant(f"e{number}", "nothing", MARK) for number in range(9)]
    heard = Heard(marker=MARK)
    played = play(tmp_path / "journal", make_plan(*crowd, max_plies=4, seats=2), jobs=1, heard=heard)
    assert len(played.content.records) == 72
    assert 2 <= heard.processes <= 2 + SPARE
    assert heard.descriptors == 3  # M53: none has the pipes of another


def test_m61_no_open_file_is_left(tmp_path: Path) -> None:
    others = [entrant(way, way, MARK) for way in ("crash", "exit-after", "hang", "fork")]

    def run(number: int) -> int:
        play(tmp_path / f"journal{number}", make_plan(HONEST, *others, format="gauntlet", margin=0.2), jobs=4)
        gc.collect()
        return int(psutil.Process().num_fds())

    assert run(1) >= run(2)


def test_m61_too_few_open_files_are_told_before_the_first_game(tmp_path: Path) -> None:
    code = "import sys, resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))\n"
    code += "from serai.bots.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["tournament", "random", "greedy", "--jobs", "40", "--journal", str(tmp_path / "journal")]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "open files" in done.stderr
    assert "--jobs" in done.stderr


class RefereeKiller(Heard):
    """Kills the referees after each game."""

    def finished(self, outcome: Outcome, record: GameRecord) -> None:
        super().finished(outcome, record)
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "serai.bots.cli" in child.cmdline():
                    child.kill()


def test_m52_a_referee_that_dies_is_started_again(whole: Played, faulty: Path, tmp_path: Path) -> None:
    played = play(tmp_path / "journal", read_plan(faulty), heard=RefereeKiller())
    assert games(played.content) == games(whole.content)


def test_m52_an_engine_that_leaves_after_each_move_has_crashed(tmp_path: Path) -> None:
    played = play(tmp_path / "journal", make_plan(HONEST, entrant("exit-after", "exit-after", MARK)))
    assert played.faults_of("exit-after") == ["crash"] * 6
    assert played.faults_of("honest") == []


# ---- what is written down


def test_m34_options_come_first_and_each_game_begins_with_a_fence(tmp_path: Path) -> None:
    log = tmp_path / "log"
    relayed = (
        f"cmd[Threads=1]:{sys.executable} -m serai.protocol.relay --log {log} {command('nothing', MARK)}"
    )
    play(tmp_path / "journal", make_plan(HONEST, Entrant("logged", relayed), max_plies=6, seed=3), jobs=1)
    sent = [
        line.split()[2] for line in log.read_text(encoding="utf-8").splitlines() if line.split()[1:2] == [">"]
    ]
    *_, played = "".join(f" {word}" for word in sent).split(" ugi ")
    first, *games = played.split(" uginewgame")
    assert "setoption" in first
    assert len(games) == 2
    for game in games:
        assert game.split()[0] == "isready"
        assert "setoption" not in game.split(" position")[-1]
        assert "go" in game.split()


def test_m67_a_program_is_found_from_where_one_is_and_written_down_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\nexec {command('nothing', MARK)}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    played = play(
        tmp_path / "journal", make_plan(HONEST, Entrant("here", "cmd:./engine --fast"), max_plies=4)
    )
    here = played.content.engines[1]
    assert here["command"] == f"{program} --fast"
    assert here["sha256"] == hashlib.sha256(program.read_bytes()).hexdigest()


def test_m66_who_took_the_time_is_written_down(tmp_path: Path) -> None:
    liar = entrant("liar", "slow", "seconds=0.25", "time=5", MARK)
    played = play(tmp_path / "journal", make_plan(HONEST, liar, max_plies=6))
    assert played.faults_of("liar") == []  # a quarter of a second is within the margin
    for outcome, _ in played.games_of("liar"):
        seat = outcome.seating.index(1)
        assert outcome.wall[seat] >= 250 * outcome.decisions[seat] > 0
        assert outcome.own[seat] == 5 * outcome.decisions[seat]


@pytest.fixture
def foreign(tmp_path: Path) -> tuple[Path, subprocess.CompletedProcess[bytes]]:
    """A tournament with names from elsewhere, played where nobody speaks UTF-8."""
    plan, journal = tmp_path / "foreign.toml", tmp_path / "journal"
    engines = {"Zoë <b>&\"'": "rude-name", "größer 大": "crlf"}
    lines = ["games = 2", "time = 0.2", "max_plies = 10"]
    for name, way in engines.items():
        lines += [
            "[[entrants]]",
            f"name = {json.dumps(name, ensure_ascii=False)}",
            f'engine = "cmd:{command(way, MARK)}"',
        ]
    plan.write_text("\n".join(lines), encoding="utf-8")
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": os.environ["PATH"]}
    arguments = ["tournament", str(plan), "--journal", str(journal), "--html", str(tmp_path / "page.html")]
    done = subprocess.run([*SERAI, *arguments], capture_output=True, check=False, env=environment)
    return journal, done


def test_m68_m69_text_is_utf_8_in_any_locale_and_names_are_escaped(
    foreign: tuple[Path, subprocess.CompletedProcess[bytes]], capfd: pytest.CaptureFixture[str]
) -> None:
    journal, done = foreign
    assert done.returncode == 0, done.stderr
    content = read_journal(journal)
    assert content.plan.names == ("Zoë <b>&\"'", "größer 大")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", content.records[0].date)
    assert all(not record.faults for record in content.records)
    page = (journal.parent / "page.html").read_text(encoding="utf-8")
    assert "Zoë &lt;b&gt;&amp;" in page
    assert not re.search(r"<b>&|<script>alert|\x1b|\x07", page)
    shown = (done.stdout + done.stderr).decode("ascii")
    assert "\x1b" not in shown
    exported = subprocess.run([*SERAI, "export", str(journal)], capture_output=True, check=True).stdout
    assert b"\r" not in exported
    assert [json.loads(line)["seats"][0] for line in exported.splitlines()] == ["Zoë <b>&\"'", "größer 大"]
