"""Plans: what they refuse, how they are divided into chunks, and the budget they are made from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from training.small import small_plan

from serai.bots.training import plan as module
from serai.bots.training.budget import make_plan
from serai.bots.training.plan import TrainingPlan, as_json, check_seats, parse_budget, plan_of, read_plan
from serai.bots.training.selfplay import draw_set_up
from serai.core.errors import SetupError


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("90s", 90), ("1h", 3600), ("1h30m", 5400), ("2m5s", 125)]
)
def test_a_budget_is_read(text: str, seconds: int) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "m", "5s", "30 m", "-1h", "9999h", "1e3s", "m30", "9" * 30 + "s"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match="a budget is"):
        parse_budget(text)


def test_a_plan_survives_its_file() -> None:
    plan = small_plan(styles=(("planner", 0.5), ("search", 0.5)))
    assert plan_of(as_json(plan), "x") == plan


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats": [2, 9]}, "seats must be some of 2 3 4 5"),
        ({"seats": [2, 2]}, "each once"),
        ({"game": "chess"}, "unknown game"),
        ({"games": [8]}, "games must be 2 numbers"),
        ({"games": [8, 0]}, "games must be 1 to"),
        ({"generations": 0}, "generations must be 1 to"),
        ({"nodes": 2.5}, "nodes must be of type int"),
        ({"rate": "fast"}, "rate must be of type float"),
        ({"styles": [["dreamer", 1]]}, "styles must be some of planner"),
        ({"styles": [["planner", 0]]}, "not all 0"),
        ({"styles": [["planner", float("inf")]]}, "numbers from 0 up"),
        ({"styles": 3}, "no training plan"),
        ({"rate": 10**400}, "no training plan"),
        ({"decay": 100}, "decay must be 0 to 10"),
        ({"variants": ["base", "base"]}, "each once"),
        ({"variants": ["huge"]}, "variants must be some of base"),
        ({"variants": []}, "variants must be some of base"),
        ({"variants": [1]}, "variants must be a list of texts"),
        ({"colour": "red"}, "colour, which isn't known"),
    ],
)
def test_a_plan_file_is_checked(change: dict[str, object], words: str) -> None:
    data = json.loads(as_json(small_plan())) | change
    with pytest.raises(SetupError, match=words):
        plan_of(json.dumps(data), "there")


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "[" * 100_000])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match="there is no training plan"):
        plan_of(text, "there")


def test_a_plan_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(SetupError, match=r"plan\.json is no training plan: it is no text in UTF-8"):
        read_plan(tmp_path / "plan.json")
    with pytest.raises(SetupError, match=r"deeper\.json: Not a directory"):
        read_plan(tmp_path / "plan.json" / "deeper.json")


def test_a_game_without_features_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Blind:
        player_features = table_features = 0

    monkeypatch.setattr(module, "load", lambda spec: Blind())
    with pytest.raises(SetupError, match="nothing that a network could see"):
        check_seats("spice_road", (2,))


def test_chunks_hold_every_game_once() -> None:
    plan = TrainingPlan("spice_road", (2, 4), (10, 3), generations=2, chunk=4)
    for generation in range(2):
        chunks = list(plan.chunks(generation))
        assert [chunk.seats for chunk in chunks] == [2, 4, 2, 2]
        numbers = [chunk.first + game for chunk in chunks for game in range(chunk.games)]
        assert sorted(numbers) == list(range(13 * generation, 13 * generation + 13))


def test_variants_are_drawn_among_those_for_the_number_of_seats() -> None:
    plan = TrainingPlan("concordia", (2, 3, 5), (1, 1, 1), variants=("imperium", "base", "italia-first"))
    numbers = Random(1)
    drawn = {seats: [draw_set_up(plan, seats, numbers) for _ in range(40)] for seats in plan.seats}
    assert {spec.variant for spec in drawn[2]} == {"base", "italia-first"}
    assert {spec.variant for spec in drawn[3]} == {"imperium", "base", "italia-first"}
    assert {spec.variant for spec in drawn[5]} == {"imperium", "base"}
    assert all(spec.players == seats for seats in drawn for spec in drawn[seats])
    assert len({spec.seed for spec in drawn[3]}) == 40


def test_seats_that_no_variant_is_for_are_refused() -> None:
    with pytest.raises(SetupError, match="seats must be some of 3 4 5"):
        TrainingPlan("concordia", (2,), (1,), variants=("imperium",))


def test_equal_plans_have_equal_identities() -> None:
    assert small_plan().identity == small_plan().identity != replace(small_plan(), seed=6).identity


def test_samples_of_features_that_meant_something_else_are_of_another_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Changed:
        feature_key = "older"

    before = small_plan().identity
    plan = small_plan()
    monkeypatch.setattr(module, "load", lambda spec: Changed())
    assert plan.identity != before


def test_a_budget_makes_a_plan_that_takes_about_as_long() -> None:
    plan, pace = make_plan("spice_road", (2, 5), 3, "20s", jobs=1)
    assert (plan.seats, plan.seed, plan.budget, plan.generations) == ((2, 5), 3, "20s", 1)
    assert plan.games[0] >= plan.games[1] >= 40
    assert 10 < pace.whole(plan) < 22
    assert dict(plan.styles)["planner"] > 0


def test_a_game_without_a_planner_is_not_learned_from_players_of_one_ply() -> None:
    """The planner's decision would be the greedy player's there, and it teaches the first generation."""
    plan, _ = make_plan("concordia", (2,), 3, "20s", jobs=1)
    assert "planner" not in dict(plan.styles)
