"""Who knows the rules, and what happens when it doesn't: referees that die, lie or disagree."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tournament.hall import Heard, command, left_behind, play
from tournament.stories import stories

from serai.bots.time_control import TimeControl
from serai.bots.tournament.journal import read_journal
from serai.bots.tournament.manager import TRIES, Aborted
from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.referee import AuditError, Referee, RefereeError

MARK = f"tag=referee{os.getpid()}"
FEW = TimeControl(nodes=5)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process outlives a tournament."""
    yield
    assert left_behind(MARK) == []


ENGINES = Path(__file__).parent / "engines"
PROTOCOL = Path(__file__).parents[1] / "protocol"


# ---- referees


def tokens(way: str = "") -> str:
    """The command line of an engine that plays another game than ours."""
    script = [str(ENGINES / "liar.py"), way] if way else [str(PROTOCOL / "minimal_engine.py")]
    return " ".join([sys.executable, "-S", *script, MARK])


def token_plan(**settings: Any) -> Plan:
    players = [Entrant(name, f"cmd:{tokens()}", control=FEW) for name in ("a", "b")]
    given = {"referee": f"cmd:{tokens()}", "games": 6, "patience": 3.0, **settings}
    return Plan(tuple(players), "tokens", **given)


def test_it_knows_no_game(tmp_path: Path) -> None:
    played = play(tmp_path / "journal", token_plan(), jobs=1)
    assert len(played.content.records) == 6
    assert all(record.ended == "over" and not record.faults for record in played.content.records)
    assert all(record.events[0].token.startswith("~deal=") for record in played.content.records)


def test_an_audit_that_agrees_changes_nothing(tmp_path: Path) -> None:
    entrants = (Entrant("random", "random", control=FEW), Entrant("serai", "serai", control=FEW))
    plan = Plan(entrants, games=2, max_plies=36)
    plain = play(tmp_path / "plain", plan, jobs=1)
    audited = play(tmp_path / "audited", dataclasses.replace(plan, audit="serai"), jobs=1)
    assert stories(audited.content.records) == stories(plain.content.records)


def test_the_order_of_the_legal_moves_is_nothing_to_disagree_about(tmp_path: Path) -> None:
    plan = token_plan(audit=f"cmd:{tokens('reverses')}", games=2)
    assert len(play(tmp_path / "journal", plan, jobs=1).content.records) == 2


@pytest.mark.parametrize(
    ("way", "what"),
    [("drops", "legal"), ("swaps", "legal"), ("flatters", "scores"), ("ranks-backwards", "ranks")],
)
@pytest.mark.parametrize("who", ["audit", "referee"])
def test_a_referee_that_lies_is_found_out(way: str, what: str, who: str, tmp_path: Path) -> None:
    plan = token_plan(**{"audit": f"cmd:{tokens()}", who: f"cmd:{tokens(way)}"}, games=20)
    with pytest.raises(AuditError, match=f"the referees disagree about .*{what}: .* against ") as caught:
        play(tmp_path / "cup.journal", plan, jobs=2)
    path = tmp_path / "cup.audit.txt"
    assert str(path) in str(caught.value)
    assert path.read_text(encoding="utf-8") == caught.value.reproducer
    assert len(set(reproduced(plan, path))) == 2
    read_journal(tmp_path / "cup.journal")


def reproduced(plan: Plan, path: Path) -> list[tuple[str, ...]]:
    """What both referees answer to the lines in the file."""
    head, first, second = re.split("# to the .*\n", path.read_text(encoding="utf-8"))
    assert head == ""
    answers = []
    for name, lines in (("(referee)", first), ("(audit)", second)):
        done = subprocess.run(
            plan.commands[name], check=False, input=lines, capture_output=True, text=True, timeout=20
        )
        answers.append(tuple(done.stdout.splitlines()))
        assert len(answers[-1]) == lines.count("query")
    return answers


def frail(folder: Path, at: int) -> str:
    """A referee that dies, once, some events into a game."""
    script = folder / "frail.py"
    script.write_text(
        f"""
import os, sys
sys.path.insert(0, {str(PROTOCOL)!r})
import minimal_engine
honest = minimal_engine.Answers.legal
def legal(table, args):
    if len(table.events) == {at} and not os.path.exists({str(folder / "died")!r}):
        open({str(folder / "died")!r}, "w").close()
        os._exit(3)
    return honest(table, args)
minimal_engine.Answers.legal = staticmethod(legal)
minimal_engine.MinimalEngine().run()
""",
        encoding="utf-8",
    )
    return f"cmd:{sys.executable} -S {script} {MARK}"


def test_a_referee_that_dies_once_is_asked_again(tmp_path: Path) -> None:
    plain = play(tmp_path / "plain", token_plan(), jobs=1)
    plan = token_plan(referee=frail(tmp_path, 5))
    played = play(tmp_path / "journal", plan, jobs=1)
    assert (tmp_path / "died").exists()
    assert played.heard.notes == []
    same = [{**each, "tags": {}} for each in stories(played.content.records)]  # the plan isn't the same
    assert same == [{**each, "tags": {}} for each in stories(plain.content.records)]


REFUSED = [
    ("crashes", "exit code 1"),
    ("garbles", "two moves, I think"),
    ("exaggerates", "scores \\['9999"),
    ("strays", "p3's turn, of 2 seats"),
]


@pytest.mark.parametrize(("way", "words"), REFUSED)
def test_a_referee_that_can_not_go_on_ends_it(way: str, words: str, tmp_path: Path) -> None:
    plan = token_plan(referee=f"cmd:{tokens(way)}", games=40)
    heard = Heard()
    with pytest.raises(Aborted, match=f"^block \\d+ failed: the referee .*{words}.*, {TRIES} times$"):
        play(tmp_path / "journal", plan, jobs=1, heard=heard)
    assert len(heard.notes) == TRIES - 1
    assert all("it is played again" in note for note in heard.notes)
    assert len(read_journal(tmp_path / "journal").records) == len(heard.games)


def test_a_referee_that_hangs_is_no_engines_fault() -> None:
    referee = Referee(shlex.split(command("hang-start", MARK)), 0.5)

    async def ask() -> None:
        try:
            await referee.situation("position fen tokens;players=2;seed=1")
        finally:
            await referee.close()

    with pytest.raises(RefereeError, match=r"^the referee failed: .*\(start\)"):
        asyncio.run(ask())
