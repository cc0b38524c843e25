import json
from collections import Counter

import pytest

from serai.bots.referee import Conditions
from serai.bots.schedule import MatchPlan
from serai.bots.time_control import TimeControl
from serai.core import NotationError, SetupError, parse_spec


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_deal_is_played_with_each_entrant_in_each_seat(seats: int) -> None:
    plan = MatchPlan(tuple("abcde"[:seats]), games=3 * seats)
    fixtures = list(plan.fixtures())
    for block in range(3):
        games = [fixture for fixture in fixtures if fixture.block == block]
        assert len({game.spec for game in games}) == 1
        places = Counter((seat, entrant) for game in games for seat, entrant in enumerate(game.seating))
        assert set(places.values()) == {1}
        assert len(places) == seats**2


def test_deals_and_bot_seeds_are_all_different() -> None:
    fixtures = list(MatchPlan(("a", "b"), games=2000).fixtures())
    assert len({fixture.spec for fixture in fixtures}) == 1000
    assert len({fixture.seed for fixture in fixtures}) == 2000
    assert not {f.spec for f in fixtures} & {
        f.spec for f in MatchPlan(("a", "b"), games=2000, seed=2).fixtures()
    }


def test_without_rotation_each_game_has_a_deal_of_its_own() -> None:
    fixtures = list(MatchPlan(("a", "b"), games=5, rotate=False).fixtures())
    assert [fixture.seating for fixture in fixtures] == [(0, 1)] * 5
    assert len({fixture.spec for fixture in fixtures}) == 5


def test_the_deal_is_a_spec_that_the_engine_understands() -> None:
    spec = parse_spec(MatchPlan(("a", "b", "c")).fixture(0).spec)
    assert spec.players == 3
    assert spec.seed is not None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"entrants": ("a",)}, "players"),
        ({"entrants": ("a",) * 6}, "players"),
        ({"entrants": ("a", "b"), "games": 0}, "at least 1 game"),
        ({"entrants": ("a", "b"), "seed": -1}, "the seed must be"),
        ({"entrants": ("a", "b"), "game": "spice_road;seed=3"}, "leave seed= and state= out"),
        ({"entrants": ("a", "b"), "game": "spice_road;players=3"}, "has 3 seats, and there are 2 entrants"),
        ({"entrants": ("a", "b"), "game": "chess"}, "unknown game"),
        ({"entrants": ("a", "b"), "game": "spice_road;components=/no/such/file"}, "file"),
    ],
    ids=str,
)
def test_an_impossible_match_is_refused(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises((SetupError, NotationError), match=complaint):
        MatchPlan(**arguments)  # type: ignore[arg-type]


def test_a_plan_survives_json() -> None:
    conditions = Conditions(TimeControl(clock=(60.0, 1.0)), patience=3.0, max_plies=77)
    plan = MatchPlan(("a", "b"), games=7, seed=2**63, rotate=False, conditions=conditions)
    assert MatchPlan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


def test_plans_that_differ_in_length_only_share_their_games() -> None:
    short, long = MatchPlan(("a", "b"), games=4), MatchPlan(("a", "b"), games=40)
    assert short.identity == long.identity
    assert short.fixture(3) == long.fixture(3)
    assert short.identity != MatchPlan(("a", "b"), games=4, seed=9).identity
