"""What search knows of Concordia: never wrong about the rules, and sane about what is good."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from reference.concordia_situations import player, situation

from serai.bots.planner import PlannerBot
from serai.core import load
from serai.core.game import Position
from serai.core.games.concordia.weights import load_weights
from serai.search import Limits, Planner, Search, greedy, has_planner

SET_UPS = [
    *(f"concordia;players={n};variant=italia" for n in (2, 3, 4)),
    *(f"concordia;players={n};variant=imperium" for n in (3, 4, 5)),
]
CITIES = (
    *("cosa", "spoletum", "florentia", "ancona", "genua", "ravenna"),
    *("verona", "mutina", "hadria", "casinum", "neapolis"),
)
LONGEST = 3000  # decisions of a game between players who want to end it


def judged(position: Position) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Win shares and expected points."""
    line = Planner(1, 1).plan(position).lines[0]
    return line.win, line.points


def wandering(spec: str, seed: int, decisions: int = 250) -> Iterator[Position]:
    """Positions of a game between greedy players that often play at random."""
    numbers = Random(seed)
    position = load(f"{spec};seed={seed}").start()
    for _ in range(decisions):
        if position.is_over:
            return
        yield position
        if numbers.random() < 0.4:
            position = position.apply(position.random_action(numbers.getrandbits(60)))
        else:
            position = position.apply(greedy(position, numbers.getrandbits(60)))


def seats(*first: dict[str, Any]) -> Position:
    """Two seats on Italia; those not given have what everybody starts with."""
    players = [*first, *(player() for _ in range(2 - len(first)))]
    return load("concordia;players=2").from_state(situation(players))


@pytest.mark.parametrize("spec", SET_UPS)
def test_win_shares_sum_to_one_in_the_middle_of_turns_too(spec: str) -> None:
    for position in wandering(spec, 1):
        win, points = judged(position)
        assert sum(win) == pytest.approx(1, abs=1e-4)
        assert all(0 <= share <= 1 for share in win)
        assert all(-50 < value < 400 for value in points)


@pytest.mark.parametrize("spec", SET_UPS)
def test_what_is_left_to_search_is_legal_and_never_nothing(spec: str) -> None:
    search = Search(1, seed=1)
    for position in wandering(spec, 2):
        legal = position.legal_tokens()
        assert greedy(position) in legal
        assert search.run(position, Limits(nodes=2 * len(legal))).best in legal


def test_goods_are_kept_and_paid_without_a_choice_to_search() -> None:
    search, settled = Search(1, seed=1), 0
    for seed in range(6):
        for position in wandering("concordia;players=3", seed):
            if position.state()["phase"] in ("keep", "pay"):
                search.clear()
                assert search.run(position, Limits(nodes=50)).lines[0].visits == 50
                settled += 1
    assert settled > 20


@pytest.mark.parametrize("spec", SET_UPS)
def test_greedy_players_end_their_games(spec: str) -> None:
    position = load(f"{spec};seed=5").start()
    for decision in range(LONGEST):
        if position.is_over:
            break
        position = position.apply(greedy(position, decision))
    assert position.is_over
    assert max(position.scores()) > 60


@pytest.mark.parametrize("houses", [1, 3, 6, 10])
def test_a_house_more_is_not_worse(houses: int) -> None:
    less, more = (seats(player(houses=sorted_cities(CITIES[:n]))) for n in (houses, houses + 1))
    assert judged(more)[0][0] > judged(less)[0][0]


def sorted_cities(names: tuple[str, ...]) -> list[str]:
    order = [city.name for city in load("concordia;players=2").board.cities]
    return sorted(names, key=order.index)


def test_coins_and_cards_are_not_worse() -> None:
    plain = judged(seats(player()))[0][0]
    assert judged(seats(player(coins=15)))[0][0] > plain
    assert judged(seats(player(hand=["mason"])))[0][0] > plain


def test_an_architect_that_can_build_counts_its_houses_at_once() -> None:
    before = seats(player(coins=12))
    after = before.apply("play=architect")
    game: Any = before.game
    assert game.evaluation_features(before)[0][1] == 0
    assert game.evaluation_features(after)[0][1] >= 1


def test_weights_are_there_for_all_seats() -> None:
    weights = load_weights()
    assert sorted(weights) == [2, 3, 4, 5]
    for table in weights.values():
        assert [len(row) for row in table.win] == [28] * 17
        assert [len(row) for row in table.score] == [28] * 17


def test_without_a_planner_the_planner_plays_greedily(capsys: pytest.CaptureFixture[str]) -> None:
    game: Any = load("concordia;players=2")
    assert not has_planner(game)
    bot = PlannerBot()
    for position in wandering("concordia;players=2", 3, 60):
        assert Planner().plan(position, seed=7).best == greedy(position, 7)
        assert bot.choose(position) in position.legal_tokens()
    assert capsys.readouterr().err == "planner: concordia has no planner; playing greedily\n"
    assert has_planner(load("spice_road;players=2"))
