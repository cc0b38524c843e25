"""Bugs that tournament managers have had, as tests of this one; the numbers are those of our list of them.

Every engine here does one thing wrong. Whatever that is, the tournament ends by itself, the fault is put down
to the right seat under the right name, nobody else suffers, and no process is left.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tournament.hall import Played, entrant, left_behind, make_plan, play

from serai.bots.guard import KINDS
from serai.bots.time_control import TimeControl
from serai.bots.tournament import preflight
from serai.bots.tournament.game import FAULTS_ALLOWED
from serai.bots.tournament.plan import Entrant
from serai.bots.tournament.player import DETAIL
from serai.bots.tournament.results import results
from serai.bots.tournament.schedule import block_size
from serai.core.errors import SetupError

MARK = f"tag={os.getpid()}"
FOREVER = 60.0  # seconds; a tournament here that takes longer has hung
HONEST = entrant("honest", "nothing", MARK)

FINE = {
    "nothing": "an engine without fault",
    "crlf": "M69 CR LF ends of lines",
    "early": "M71 a move before the search",
    "unasked": "M71 a move that nobody asked for",
    "twice": "M71 two moves",
    "banner": "M82 chatter before the handshake",
    "rude-name": "names are data",
    "bad-info": "M57 malformed info lines",
    "boast": "M57 figures beyond all measure",
    "bad-utf8": "M68 bytes that are no text",
    "long-lines": "M57 lines of a megabyte",
    "flood-stderr": "M55 a lot on stderr before each move",
    "endless-stderr": "M55 stderr never ends",
    "endless-stdout": "M55 stdout never ends",
    "slow-start": "M35 a slow start is not on the clock",
    "tidy": "M54 time to end after quit",
    "ignore-quit": "M44 quit is ignored",
    "ignore-signals": "M44 so is SIGTERM",
    "fork": "M44 M53 a child that keeps the pipes",
    "fork-away": "M53 a child in a session of its own",
}
TROUBLE = {
    "slow": ("time", "M45 M49 too slow"),
    "late": ("time", "M49 a move only after stop"),
    "hang": ("hung", "M49 M63 nothing at all"),
    "deaf": ("hung", "M43 alive, but no move"),
    "babble": ("hung", "M43 words, but no move"),
    "half-line": ("hung", "M43 half a line"),
    "stopped": ("hung", "M44 M63 stopped by a signal"),
    "wrong-id": ("hung", "M71 the answer to another search"),
    "crash": ("crash", "M52 M63 M72 a crash, again and again"),
    "killed": ("crash", "M52 killed by a signal"),
    "orphan": ("crash", "M53 a crash that leaves a child with the pipes"),
    "close-stdout": ("crash", "M52 stdout closed"),
    "illegal": ("illegal", "M46 M48 an illegal move"),
    "resign": ("illegal", "M48 resigns though it mustn't"),
    "long-move": ("illegal", "M48 a move of a megabyte"),
    "none": ("protocol", "M49 bestmove (none)"),
    "empty": ("protocol", "M49 bestmove alone"),
    "no-id": ("protocol", "M71 an answer without its search's name"),
}
LIMITS = {"hung": r"\((movetime|stall|timeout|start)\)", "time": r"stopped|too late"}


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """All of them against an honest engine, two games each."""
    folder = tmp_path_factory.mktemp("big")
    keys = (MARK, f"log={folder / 'log'}")
    others = [entrant(way, way, f"seconds={2 if way == 'slow' else 0.5}", *keys) for way in (*FINE, *TROUBLE)]
    return play(folder / "journal", make_plan(HONEST, *others, format="gauntlet"), jobs=6)


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """M44: no process outlives a tournament, no child is left unreaped."""
    yield
    assert left_behind(MARK) == []


def described(ways: Mapping[str, str | tuple[str, str]]) -> list[Any]:
    return [
        pytest.param(way, id=f"{words if isinstance(words, str) else words[1]}")
        for way, words in ways.items()
    ]


# ---- the big one


@pytest.mark.parametrize("way", described(FINE))
def test_what_does_no_harm_is_no_fault(big: Played, way: str) -> None:
    assert len(big.games_of(way)) == 2
    assert all(not record.faults for _, record in big.games_of(way))


@pytest.mark.parametrize("way", described(TROUBLE))
def test_a_fault_has_the_right_name_and_seat(big: Played, way: str) -> None:
    kind, _ = TROUBLE[way]
    for outcome, record in big.games_of(way):
        seat = record.seats.index(way)
        assert {(fault.seat, fault.kind) for fault in record.faults} == {(seat, kind)}
        assert len(record.faults) == (1 if kind == "hung" else FAULTS_ALLOWED)
        assert outcome.ranks[seat] == 2  # M46: last, whatever the points are
        assert outcome.shares[seat] == 0
        assert outcome.decisions[1 - seat] > 4  # the game went on
        for fault in record.faults:
            assert re.search(LIMITS.get(kind, "."), fault.detail), fault.detail  # M42: which limit it was


def test_m70_the_totals_are_right(big: Played) -> None:
    assert len(big.content.records) == 2 * len(FINE | TROUBLE) == len(big.heard.games)
    assert big.content.notes == big.heard.notes == []
    assert len(big.content.done) == len(big.content.records)
    counted = Counter(kind for outcome in big.content.outcomes for _, kind in outcome.faults)
    expected = Counter({kind: 0 for kind in KINDS})
    for kind, _ in TROUBLE.values():
        expected[kind] += 2 * (1 if kind == "hung" else FAULTS_ALLOWED)
    assert counted == expected
    assert big.faults_of("honest") == []
    assert all(sum(outcome.shares) == pytest.approx(1) for outcome in big.content.outcomes)


def test_m72_the_last_words_are_kept(big: Played) -> None:
    for _, record in big.games_of("crash"):
        assert [fault.stderr for fault in record.faults] == ["loading\nfake engine: index out of range\n"] * 3
        assert "exit code 3" in record.faults[0].detail
    assert "SIGKILL" in big.games_of("killed")[0][1].faults[0].detail


def test_m48_what_it_said_instead_of_a_move_is_told(big: Played) -> None:
    assert big.games_of("resign")[0][1].faults[0].detail.startswith("'resign' is not legal; legal: ")
    assert len(big.games_of("long-move")[0][1].faults[0].detail) <= DETAIL


def test_m45_m63_it_ended_by_itself(big: Played) -> None:
    assert big.seconds < FOREVER
    assert {record.ended for record in big.content.records} == {"max-plies"}


def test_m54_an_engine_has_time_to_tidy_up(big: Played) -> None:
    (engine,) = [each for each in big.plan.entrants if each.name == "tidy"]
    log = next(word[4:] for word in engine.argv if word.startswith("log="))
    assert "goodbye" in Path(log).read_text(encoding="utf-8")


def test_m57_what_an_engine_can_not_mean_is_not_kept(big: Played) -> None:
    for _, record in big.games_of("boast"):
        mine = [event for event in record.events if event.ms is not None and event.own is None]
        assert len(mine) > 4
        assert all(event.win is None for event in mine)


def test_m77_each_block_has_a_deal_of_its_own(big: Played) -> None:
    deals = [
        (outcome.block, record.spec)
        for outcome, record in zip(big.content.outcomes, big.content.records, strict=True)
    ]
    assert (
        len(set(deals))
        == len({spec for _, spec in deals})
        == len({block for block, _ in deals})
        == len(deals) // 2
    )


def test_m67_what_was_started_is_known(big: Played) -> None:
    assert [engine["name"] for engine in big.content.engines[:2]] == ["honest", "nothing"]
    for engine in big.content.engines:
        assert engine["command"].startswith("/")
        assert re.fullmatch("[0-9a-f]{64}", engine["sha256"])


def test_r81_the_order_of_the_games_means_nothing(big: Played) -> None:
    outcomes = list(big.content.outcomes)
    first = results(big.plan.names, outcomes, block_size(big.plan), bootstrap=20)
    Random(1).shuffle(outcomes)
    assert results(big.plan.names, outcomes, block_size(big.plan), bootstrap=20) == first


# ---- before the first game


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("hang-start", r"ugi: no answer within 0.5 s \(start\)"),
        ("hang-ugi", r"ugi: no answer within 0.5 s \(start\)"),
        ("uci-only", r"ugi: no answer within 0.5 s \(start\)"),
        ("hang-isready", r"isready: no answer within 0.5 s \(start\)"),
        ("crash-start", "exit code 3.*index out of range"),
        ("crash-ugi", "exit code 3.*index out of range"),
        ("crash-isready", "exit code 3.*index out of range"),
    ],
)
def test_m42_m43_an_engine_that_can_not_start_stops_it_at_once(way: str, words: str) -> None:
    plan = make_plan(HONEST, entrant(way, way, MARK), patience=0.5)
    with pytest.raises(SetupError, match=f"(?s)^{way} .*{words}"):
        asyncio.run(preflight.inspect(plan))


def test_m67_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(SetupError, match=r"^gone .*no such program"):
        asyncio.run(preflight.inspect(make_plan(HONEST, Entrant("gone", "cmd:./no/such/engine"))))


# ---- engines that fail later


@pytest.mark.parametrize(
    ("way", "kind", "count"),
    [
        ("crash-start", "crash", FAULTS_ALLOWED),
        ("hang-ugi", "hung", 1),
        ("crash-isready", "crash", FAULTS_ALLOWED),
    ],
)
def test_m52_an_engine_that_starts_no_more_is_a_fault(
    way: str, kind: str, count: int, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    plan = make_plan(HONEST, entrant(way, way, f"if={flag}", MARK), patience=1.5)
    played = play(tmp_path / "journal", plan, ready=flag.touch)
    assert played.faults_of(way) == [kind] * count * 2
    words = {fault.stderr for _, record in played.games_of(way) for fault in record.faults}
    assert words == ({"loading\nfake engine: index out of range\n"} if kind == "crash" else {""})  # M72
    assert played.faults_of("honest") == []


@pytest.mark.parametrize(
    ("control", "late"),
    [
        (TimeControl(nodes=20), []),
        (TimeControl(clock=(0.3, 0.1)), ["late"]),
        (TimeControl(clock=(0.0, 0.0), byo=0.2), ["late"]),
    ],
    ids=["M50 fixed nodes", "M74 a clock", "M74 byo-yomi"],
)
def test_there_is_a_deadline_under_every_limit(control: TimeControl, late: list[str], tmp_path: Path) -> None:
    troubled = [entrant(way, way, MARK, control=control) for way in ["hang", "crash", *late]]
    honest = dataclasses.replace(HONEST, control=control)
    plan = make_plan(honest, *troubled, format="gauntlet", margin=0.3, patience=1.5)
    played = play(tmp_path / "journal", plan, jobs=3)
    assert played.seconds < FOREVER
    assert played.faults_of("hang") == ["hung"] * 2
    assert played.faults_of("crash") == ["crash"] * 2 * FAULTS_ALLOWED
    assert set(played.faults_of("late")) == ({"time"} if late else set())
    assert played.faults_of("honest") == []
