"""Gates: whom a candidate meets, under which conditions, and when it passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from training.small import small_plan
from training.test_selfplay import untrained

from serai.bots.training.gate import Match, accepts, games_before, games_of, match_plan, play

PLAN = small_plan(gate_nodes=10, handicap=1.5)


def match(llr: float, verdict: str | None = None) -> Match:
    return Match(2, "hand-made", 100, 0.5, 0.5, llr, verdict)


@pytest.mark.parametrize(
    ("matches", "passes"),
    [
        ([match(3.1, "H1")], True),
        ([match(0.5), match(-0.2)], True),
        ([match(0.2), match(-0.5)], False),
        ([match(3.1, "H1"), match(-3.0, "H0")], False),
        ([match(0.0)], False),
    ],
)
def test_a_candidate_must_be_better_in_all(matches: list[Match], passes: bool) -> None:
    assert accepts(matches) == passes


def test_the_hand_made_evaluation_gets_the_nodes_that_its_speed_allows() -> None:
    made = match_plan(PLAN, 0, 3, Path("new"), None)
    candidate, other = made.entrants
    assert (dict(candidate.options)["EvalFile"], dict(other.options)["EvalFile"]) == ("new", "none")
    assert (candidate.control.nodes, other.control.nodes) == (10, 15)
    assert made.sprt is not None
    assert made.sprt.h0 == pytest.approx(1 / 3)


def test_networks_meet_on_equal_terms() -> None:
    candidate, other = match_plan(PLAN, 1, 2, Path("new"), ("generation 1", Path("old"))).entrants
    assert candidate.control == other.control
    assert dict(other.options)["EvalFile"] == "old"
    assert (candidate.name, other.name) == ("generation 2", "generation 1")


def test_a_gate_has_whole_blocks() -> None:
    plan = small_plan(gate_games=40)
    assert [games_of(match_plan(plan, 0, seats, Path("new"), None)) for seats in (2, 3)] == [40, 42]


def test_a_gate_counts_the_games_that_were_played_before(tmp_path: Path) -> None:
    (tmp_path / "network.bin").write_bytes(untrained(1))
    journal = tmp_path / "gate.journal"
    told: list[int] = []

    class Stopped(Exception):  # noqa: N818
        pass

    def stop(games: int, text: str) -> None:
        told.append(games)
        if len(told) == 2:
            raise Stopped

    plan = match_plan(small_plan(gate_games=4, gate_nodes=2), 0, 2, tmp_path / "network.bin", None)
    with pytest.raises(Stopped):
        play(plan, journal, 1, stop)
    before = games_before(plan, journal)
    assert before in (2, 3)
    told.clear()
    play(plan, journal, 1, lambda games, text: told.append(games))
    assert told == list(range(before + 1, 5))


def test_a_gate_goes_on_from_its_journal(tmp_path: Path) -> None:
    (tmp_path / "network.bin").write_bytes(untrained(1))
    journal = tmp_path / "gate.journal"
    told: list[int] = []
    plan = match_plan(PLAN, 0, 2, tmp_path / "network.bin", None)
    found = play(plan, journal, 1, lambda games, text: told.append(games))
    assert (found.games, told, found.opponent) == (2, [1, 2], "hand-made")
    assert games_before(plan, journal) == 2
    assert play(plan, journal, 1, lambda games, text: told.append(games)) == found
    assert told == [1, 2]


def test_the_journal_of_another_match_is_no_use(tmp_path: Path) -> None:
    (tmp_path / "network.bin").write_bytes(untrained(1))
    journal = tmp_path / "gate.journal"
    journal.write_bytes(b"something else")
    plan = match_plan(PLAN, 0, 2, tmp_path / "network.bin", None)
    assert play(plan, journal, 1, lambda games, text: None).games == 2
