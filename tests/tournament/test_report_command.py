"""``serai report``: tables, data and a page of a journal, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from tournament.made_up import plan, write_journal
from tournament.pages import Page

from serai.bots.report_command import run
from serai.bots.tournament.files import replacing
from serai.core.errors import RecordError, SetupError


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "cup.journal"
    write_journal(path, plan(), faulty=2)
    return path


def test_report_prints_tables(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(journal), "--bootstrap", "20"]) == 0
    out, err = capsys.readouterr()
    assert "tokens, 2 seats, mixed, 3 entrants, 60 games wanted" in out
    assert "60 games in 30 complete blocks" in out
    assert "time 40" in out
    assert err == ""


def test_report_prints_data(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(journal), "--bootstrap", "0", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["block_size"], data["plan"]["seats"]) == (60, 2, 2)
    assert [engine["name"] for engine in data["engines"]] == ["strong", "middling", "weak"]
    assert run([str(journal), "--bootstrap", "0", "--format", "csv"]) == 0
    assert [row["name"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))][-1] == "weak"


def test_report_writes_a_page(journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "cup.html"
    target.write_text("what was there before")
    assert run([str(journal), "--bootstrap", "20", "--html", str(target)]) == 0
    page = target.read_text(encoding="utf-8")
    assert "middling &lt;1.0&gt;" in page
    Page(page)
    assert [path.name for path in tmp_path.iterdir()] == ["cup.html"]
    assert "complete blocks" in capsys.readouterr().out


def test_report_of_a_damaged_journal_says_what_is_missing(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.journal"
    cut.write_bytes(journal.read_bytes()[:-10])
    assert run([str(cut), "--bootstrap", "0", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 59
    assert "cut short" in json.loads(out)["notes"][0]
    assert "cut short" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bootstrap", "-1"], "--bootstrap must be 0 to"),
        (["--html", "{folder}"], "no regular file"),
        (["--html", "{folder}/no/such.html"], "can't be written"),
        (["--html", "{journal}"], "is what is read"),
    ],
)
def test_report_refuses(journal: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    places = {"folder": tmp_path, "journal": journal}
    before = journal.read_bytes()
    with pytest.raises(SetupError, match=words):
        run([str(journal), "--bootstrap", "0", *(each.format(**places) for each in arguments)])
    assert journal.read_bytes() == before
    assert not list(tmp_path.iterdir())


def test_report_of_no_journal_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("not a journal at all, just words")
    with pytest.raises(RecordError):
        run([str(other)])


def test_slow_resamples_say_how_far_they_are(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("serai.bots.report_command.PATIENCE", 0.0)
    monkeypatch.setattr("serai.bots.report_command.EVERY", 0.0)
    assert run([str(journal), "--bootstrap", "20", "--format", "csv"]) == 0
    assert re.search(r"resamples for the intervals: +\d+%\n", capsys.readouterr().err)


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["--help"])
    out = capsys.readouterr().out
    assert "serai report cup.journal --html cup.html" in out
    assert max(map(len, out.splitlines())) <= 110


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "page"
    target.write_text("before")

    def write() -> None:
        with replacing(target) as file:
            file.write("half of i")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]
