"""Whole tournaments with real engines: equal plans play equal games, whoever plays them and when."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import psutil
import pytest
from tournament import made_up
from tournament.hall import Heard, Played, command, entrant, left_behind, marked, play
from tournament.stories import stories

from serai.bots.time_control import TimeControl
from serai.bots.tournament import preflight
from serai.bots.tournament.crew import Abandoned, Control, Crew
from serai.bots.tournament.journal import Journal, read_journal
from serai.bots.tournament.manager import Aborted, Manager, Progress
from serai.bots.tournament.outcome import Outcome
from serai.bots.tournament.plan import Entrant, FaultPolicy, Plan
from serai.bots.tournament.referee import RefereeError
from serai.bots.tournament.schedule import block_at
from serai.bots.tournament.sprt import Sprt
from serai.core.game_record import GameRecord

MARK = f"tag=manager{os.getpid()}"
ENGINES = Path(__file__).parent / "engines"
PROTOCOL = Path(__file__).parents[1] / "protocol"
FEW = TimeControl(nodes=5)
SERAI = Entrant("serai", "serai", control=TimeControl(nodes=50))
RANDOM, GREEDY = (Entrant(name, name, control=FEW) for name in ("random", "greedy"))
PLAN = Plan((SERAI, RANDOM, GREEDY), games=12, max_plies=30, seed=3)
HONEST = entrant("honest", "nothing", MARK, control=FEW)
OTHER = entrant("other", "nothing", MARK, control=FEW)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process outlives a tournament."""
    yield
    assert left_behind(MARK) == []


# ---- equal games


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("whole") / "journal", PLAN, jobs=1)


def test_every_game_is_played_once(whole: Played) -> None:
    assert whole.content.notes == whole.heard.notes == []
    assert len(whole.content.records) == 12 == len(whole.content.done)
    assert Counter(name for record in whole.content.records for name in record.seats) == {
        "serai": 8,
        "random": 8,
        "greedy": 8,
    }
    assert all(record.ended == "max-plies" and not record.faults for record in whole.content.records)
    assert [outcome for outcome, _ in whole.heard.games] == whole.content.outcomes
    assert [record for _, record in whole.heard.games] == whole.content.records


def test_records_replay_and_say_who_moved(whole: Played) -> None:
    for outcome, record in zip(whole.content.outcomes, whole.content.records, strict=True):
        movers = iter(str(record.tags["movers"]))
        for position, event in record.replay():
            if not event.token.startswith("~"):
                assert next(movers) == str(position.to_act)
            after = position.apply(event.token)
        assert list(after.scores()) == list(record.scores)
        assert sum(outcome.shares) == pytest.approx(1)


def test_two_jobs_play_the_same_games(whole: Played, tmp_path: Path) -> None:
    assert stories(play(tmp_path / "journal", PLAN, jobs=2).content.records) == stories(whole.content.records)


def test_what_is_resumed_plays_the_same_games(whole: Played, tmp_path: Path) -> None:
    for last in (5, None):
        played = play(tmp_path / "journal", PLAN, jobs=2, heard=Heard(last=last))
    assert stories(played.content.records) == stories(whole.content.records)
    assert len(played.heard.games) < 12
    before = (tmp_path / "journal").read_bytes()
    assert play(tmp_path / "journal", PLAN, jobs=2).heard.games == []  # nothing is missing
    assert (tmp_path / "journal").read_bytes() == before


def test_the_games_of_a_block_have_one_deal_and_engines_seeds_of_their_own(whole: Played) -> None:
    for block in range(6):
        games = [record for record in whole.content.records if record.tags["block"] == block]
        assert len({record.spec for record in games}) == 1
        assert games[0].seats == games[1].seats[::-1]
        deals = [[event.token for event in record.events][:4] for record in games]
        assert deals[0][0] == deals[1][0]


def test_a_game_to_its_end(tmp_path: Path) -> None:
    plan = Plan((RANDOM, GREEDY), games=1, format="field", seats=3)
    played = play(tmp_path / "journal", plan, jobs=1)
    assert [record.ended for record in played.content.records] == ["over"] * 3
    for record in played.content.records:
        assert sorted(record.seats) == ["greedy", "greedy", "random"]
        assert min(record.ranks) == 1
        position, event = list(record.replay())[-1]
        assert position.apply(event.token).is_over


# ---- policies


@pytest.mark.parametrize("policy", ["rank-last", "count", "void"])
def test_policies(policy: str, tmp_path: Path) -> None:
    plan = Plan(
        (HONEST, entrant("bad", "illegal", MARK, control=FEW)),
        games=4,
        max_plies=20,
        faults=FaultPolicy("abort", (("illegal", policy),)),
    )
    outcomes = play(tmp_path / "journal", plan).content.outcomes
    assert len(outcomes) == 4
    assert {outcome.void for outcome in outcomes} == {policy == "void"}
    for outcome in outcomes:
        seat = outcome.seating.index(1)
        assert [fault for fault in outcome.faults if fault != (seat, "illegal")] == []
        by_points = tuple(1 + sum(other > score for other in outcome.scores) for score in outcome.scores)
        if policy == "rank-last":
            assert outcome.ranks[seat] == 2
        elif len(set(by_points)) == 2:
            assert outcome.ranks == by_points


def test_abort_ends_it_with_the_games_so_far(tmp_path: Path) -> None:
    bad = entrant("bad", "illegal", "crc=7", MARK, control=FEW)
    plan = Plan((HONEST, bad), games=40, max_plies=20, faults=FaultPolicy("count", (("illegal", "abort"),)))
    with pytest.raises(Aborted, match=r"^bad: illegal: .*; the policy for that is abort$"):
        play(tmp_path / "journal", plan, jobs=1)
    content = read_journal(tmp_path / "journal")
    assert 0 < len(content.records) < 40
    assert any(
        outcome.void for outcome in content.outcomes[-2:]
    )  # one more may have begun before the news came
    assert not any(outcome.void for outcome in content.outcomes[:-2])


# ---- the sequential test


def test_an_sprt_ends_early_and_stays_ended(tmp_path: Path) -> None:
    plan = Plan((GREEDY, RANDOM), format="sprt", sprt=Sprt(0.5, 0.9), games=400, max_plies=40)
    played = play(tmp_path / "journal", plan, jobs=2)
    assert played.heard.manager is not None
    assert played.heard.manager.verdict is not None
    assert played.heard.manager.verdict.verdict == "H1"
    assert 16 <= len(played.content.outcomes) < 60
    again = play(tmp_path / "journal", plan, jobs=2)
    assert again.heard.games == []


def outcomes(wins: Sequence[bool], void: Sequence[int] = ()) -> list[Outcome]:
    """Blocks of two games, which the first entrant has won or lost."""
    made = made_up.outcomes(2, len(wins), seats=2)
    return [
        dataclasses.replace(
            game,
            seating=game.seating,
            void=game.block in void,
            shares=tuple(float((who == 0) == wins[game.block]) for who in game.seating),
        )
        for game in made
    ]


SPRT = Plan((GREEDY, RANDOM), format="sprt", sprt=Sprt(0.5, 0.7))


def test_the_order_of_the_games_means_nothing_to_the_test() -> None:
    games = outcomes([True, False, True, True, False, True, True, False, True, False, False, True])
    states = []
    for seed in range(20):
        Random(seed).shuffle(games)
        states.append(Progress(SPRT, games).state)
    assert len(set(states)) == 1
    assert states[0] is not None
    assert states[0].blocks == 12
    assert states[0].mean == pytest.approx(7 / 12)


def test_blocks_count_up_to_the_first_that_is_not_whole() -> None:
    games = outcomes([True] * 6)
    state = Progress(SPRT, [game for game in games if (game.block, game.game) != (3, 1)]).state
    assert state is not None
    assert state.blocks == 3


def test_void_games_do_not_count() -> None:
    state = Progress(SPRT, outcomes([True, False, True, False, True], void=[1, 3])).state
    assert state is not None
    assert (state.blocks, state.mean) == (3, 1.0)


def test_a_verdict_stands_whatever_follows() -> None:
    progress = Progress(SPRT, outcomes([True] * 40))
    assert progress.decided
    before = progress.state
    for game in outcomes([False] * 80)[80:]:
        progress.add(game)
    assert progress.state == before


def test_without_a_test_there_is_no_verdict() -> None:
    progress = Progress(PLAN, outcomes([True] * 40))
    assert progress.state is None
    assert not progress.decided


# ---- processes


def test_affinity_pins_engines(tmp_path: Path) -> None:
    if not hasattr(os, "sched_setaffinity"):  # then nobody is given cores
        assert preflight.core_sets(1) == []
        return
    core = min(os.sched_getaffinity(0))
    seen: set[tuple[int, ...]] = set()

    class Looking(Heard):
        def finished(self, outcome: Outcome, record: GameRecord) -> None:
            for process in marked(MARK):
                with contextlib.suppress(psutil.NoSuchProcess):
                    seen.add(tuple(process.cpu_affinity()))

    plan = Plan((HONEST, OTHER), games=2, max_plies=20)
    with contextlib.closing(Journal(tmp_path / "journal", plan, [])) as journal:
        Manager(plan, journal, [], Looking(), 1, [(core,)]).run()
    assert seen == {(core,)}


def test_cores_are_dealt_to_jobs() -> None:
    if not hasattr(os, "sched_getaffinity"):
        assert preflight.core_sets(3) == []
        return
    mine = sorted(os.sched_getaffinity(0))
    assert sorted(core for cores in preflight.core_sets(len(mine)) for core in cores) == mine
    assert all(len(cores) == 1 for cores in preflight.core_sets(4 * len(mine)))
    assert preflight.core_sets(1) == [tuple(mine)]


def test_jobs_suit_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert preflight.default_jobs(PLAN) == 8
    thick = Entrant("thick", "serai[Threads=3]", ponder=True)
    assert preflight.default_jobs(Plan((RANDOM, thick))) == 1
    assert preflight.default_jobs(Plan((RANDOM, dataclasses.replace(thick, ponder=False)))) == 2
    assert preflight.default_jobs(Plan((RANDOM, OTHER, thick), seats=3)) == 2  # where nobody ponders
    assert preflight.load_warning(PLAN, 8) is None
    assert "9 games at a time keep up to 9 threads busy on 8 cores" in str(preflight.load_warning(PLAN, 9))


@pytest.mark.parametrize("delay", [0.05, 0.3, 0.7, 1.2])
def test_a_crew_that_is_sent_home_goes_at_once(delay: float) -> None:
    """Also while its engines are being started, when nobody has hold of them yet."""
    slow = [entrant(name, "slow-start", "seconds=0.5", MARK, control=FEW) for name in "ab"]
    plan = Plan(
        tuple(slow), games=1, max_plies=5000, referee=f"cmd:{command('slow-start', 'seconds=0.5', MARK)}"
    )
    crew, control = Crew(plan), Control()
    control.watch(crew)
    threading.Timer(delay, control.abandon).start()
    began = time.monotonic()
    with pytest.raises((Abandoned, RefereeError)):
        crew.play(block_at(plan, 0), [0], lambda record: None, control)
    crew.close()
    assert time.monotonic() - began < delay + 6
