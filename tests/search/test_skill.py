"""Levels: each is at least as able as the one below."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from serai.search.skill import REMEMBERS, STRONGEST, Skill, settings

LEVELS = [settings(level) for level in range(STRONGEST + 1)]


def effort(skill: Skill) -> float:
    return math.inf if skill.nodes is None else skill.nodes


def test_no_level_may_do_less_than_the_one_below() -> None:
    for below, above in pairwise(LEVELS):
        assert effort(above) >= effort(below)
        assert above.softness <= below.softness
        assert (effort(above), -above.softness) != (effort(below), -below.softness)


def test_the_lower_levels_forget_and_only_the_highest_is_advised() -> None:
    assert [skill.memory for skill in LEVELS] == ["none"] * REMEMBERS + ["perfect"] * (
        STRONGEST + 1 - REMEMBERS
    )
    assert [skill.advice for skill in LEVELS] == [False] * STRONGEST + [True]


@pytest.mark.parametrize("level", [-1, STRONGEST + 1])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match="skill must be 0 to 20"):
        settings(level)
