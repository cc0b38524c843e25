"""An export has every game of a file as it was played, whatever else is in the file."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tournament.made_up import HOSTILE, plan, write_journal

from serai.bots.export_command import run
from serai.bots.tournament.journal import read_journal
from serai.bots.tournament.plan import FaultPolicy
from serai.core import load
from serai.core.errors import RecordError, SetupError
from serai.core.game_record import Event, Fault, GameRecord
from serai.core.record import RecordWriter, encode

SPEC = "spice_road;players=2;seed=5"


def played(names: tuple[str, ...] = ("ann", "ben"), **more: Any) -> GameRecord:
    """A game that was played to its end."""
    position, events = load(SPEC).start(), []
    while not position.is_over:
        legal = position.legal_tokens()
        token = legal[0] if position.to_act >= 0 else position.outcomes()[0][0]
        events.append(Event(token, 3.5 if position.to_act >= 0 else None))
        position = position.apply(token)
    ended = {"scores": tuple(position.scores()), "ranks": tuple(position.ranks())}
    return GameRecord(**{"spec": SPEC, "seats": names, "events": tuple(events), **ended, **more})


def recorded(path: Path, *records: GameRecord | dict[str, Any]) -> str:
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    return str(path)


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run(list(arguments)) == 0
    return [json.loads(line) for line in capsys.readouterr().out.split("\n")[:-1]]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    write_journal(tmp_path / "cup.journal", plan(games=20), faulty=0)
    return tmp_path / "cup.journal"


def test_a_journal_as_json_lines(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, content = lines(capsys, str(journal)), read_journal(journal)
    assert [game["number"] for game in games] == list(range(1, 21))
    for game, record, outcome in zip(games, content.records, content.outcomes, strict=True):
        assert (game["block"], game["game"]) == (outcome.block, outcome.game)
        assert game["seats"] == [content.plan.names[entrant] for entrant in outcome.seating]
        assert game["scores"] == list(outcome.scores)
        assert game["ranks"] == list(record.ranks)
        assert game["counted"] == list(outcome.ranks)
        assert game["shares"] == list(outcome.shares)
        assert len(game["faults"]) == len(outcome.faults)
    assert any(game["counted"] != game["ranks"] for game in games)


def test_decisions_with_their_seats_and_times(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = lines(capsys, str(journal))[0]
    assert game["events"] == [
        {"token": "~deal=p1:8,8", "seat": None, "ms": None, "own": None, "win": None},
        {"token": "add=2", "seat": 0, "ms": 12.5, "own": 10.0, "win": None},
        {"token": "add=1", "seat": 1, "ms": 7.0, "own": None, "win": None},
    ]


def test_a_fault_that_only_counts_changes_no_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_journal(tmp_path / "cup", plan(games=10, faults=FaultPolicy("count")), faulty=0)
    games = lines(capsys, str(tmp_path / "cup"))
    assert all(game["counted"] == game["ranks"] for game in games)
    assert any(game["faults"] for game in games)


def test_joined_journals_go_by_the_plan_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, policy in (("a", "rank-last"), ("b", "count")):
        write_journal(tmp_path / name, plan(games=10, faults=FaultPolicy(policy)), faulty=0)
    (tmp_path / "both").write_bytes((tmp_path / "a").read_bytes() + (tmp_path / "b").read_bytes())
    games = lines(capsys, str(tmp_path / "both"))
    alone = lines(capsys, str(tmp_path / "a")) + lines(capsys, str(tmp_path / "b"))
    assert [game["counted"] for game in games] == [game["counted"] for game in alone]
    assert [game["number"] for game in games] == list(range(1, 21))


def test_a_record_file_has_no_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game,) = lines(capsys, recorded(tmp_path / "games.rec", played()))
    assert (game["block"], game["game"], game["counted"]) == (None, None, None)
    assert game["events"][-1]["ms"] == 3.5
    assert sum(game["shares"]) == pytest.approx(1)


def test_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "games.rec", played(), played(("carl", "dora")))
    assert run([path, "--format", "text"]) == 0
    out = capsys.readouterr().out
    assert "# 1\nspice_road;players=2" in out
    assert "p1  carl" in out
    assert out.count("result:") == 2
    assert out.endswith("points\n\n")


def test_one_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "games.rec", played(), played(("carl", "dora")))
    (game,) = lines(capsys, path, "--game", "2")
    assert (game["number"], game["seats"]) == (2, ["carl", "dora"])
    assert run([path, "--game", "3"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "has no game 3" in err
    with pytest.raises(SetupError, match="--game must be 1 or more"):
        run([path, "--game", "0"])


@pytest.mark.parametrize("form", ["jsonl", "text"])
def test_nothing_in_a_game_moves_a_cursor(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = Fault(0, 0, "crash", "\x1b[2J\nforged: line", "\x9b31m\u202e")
    hostile = played(
        ("\x1b[31m\nann", HOSTILE[5]), faults=(fault,), engine="\x07", date="\x1b", tags={"\x1bx": "\x00"}
    )
    broken = dataclasses.replace(hostile, events=(Event("\x1b[2J"), Event("\u2028")), spec="\x1b")
    path = recorded(tmp_path / "games.rec", hostile, broken)
    assert run([path, "--format", form]) == 0
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert not [line for line in out.split("\n") if line.startswith(("ann", "forged"))]
    if form == "jsonl":
        first, second = map(json.loads, out.splitlines())
        assert first["seats"] == list(hostile.seats)
        assert first["faults"] == [dataclasses.asdict(fault)]
        assert second["events"][0]["token"] == "\x1b[2J"


def test_a_file_is_utf_8_with_lf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = recorded(tmp_path / "games.rec", played(("アン", "ben"))), tmp_path / "games.jsonl"
    out.write_text("before")
    assert run([path, "--out", str(out)]) == 0
    raw = out.read_bytes()
    assert "アン".encode() in raw
    assert raw.count(b"\n") == 1
    assert b"\r" not in raw
    assert capsys.readouterr().out == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.jsonl", "games.rec"]


def test_what_is_read_is_not_replaced(tmp_path: Path) -> None:
    path = recorded(tmp_path / "games.rec", played())
    before = Path(path).read_bytes()
    with pytest.raises(SetupError, match="is what is read"):
        run([path, "--out", path])
    assert Path(path).read_bytes() == before


def test_damaged_parts_are_said_and_passed_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, good = tmp_path / "games.rec", encode(played())
    bad_plan = encode({"kind": "tournament", "version": 1, "plan": {"seats": "\x1b"}})
    path.write_bytes(good + b"\x1b[2J rubbish" + bad_plan + encode({"kind": "\x1b"}) + good + good[:-5])
    assert run([str(path)]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert "bytes are damaged" in err
    assert "cut short" in err
    assert "its plan" in err
    assert err.replace("\n", "").isprintable()


def test_a_file_without_a_game_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert run([str(path)]) == 1
    assert "has no game" in capsys.readouterr().err
    path.write_bytes(b"something else altogether")
    with pytest.raises(RecordError, match="not a record file"):
        run([str(path)])


def test_games_are_written_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may be larger than memory."""
    seen: list[int] = []

    class Out(io.StringIO):
        def write(self, text: str) -> int:
            seen.append(len(read))
            return len(text)

    read: list[object] = []
    check = GameRecord.from_dict
    monkeypatch.setattr(GameRecord, "from_dict", lambda data: read.append(1) or check(data))
    monkeypatch.setattr("sys.stdout", Out())
    assert run([recorded(tmp_path / "games.rec", *[played()] * 5)]) == 0
    assert seen == [1, 2, 3, 4, 5]


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["--help"])
    assert "serai export cup.journal > games.jsonl" in capsys.readouterr().out
