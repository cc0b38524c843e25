"""Equal cards at different places, where a component file makes the places cost different goods."""

from __future__ import annotations

from pathlib import Path

import pytest
from components.files import shipped_text
from reference import concordia_choices
from reference.concordia_situations import player, situation
from reference.duel import Duel

from serai.core import load
from serai.core.spec import Spec

PLACES = '[[], ["brick"], ["tool"], ["cloth"], ["cloth"], ["?", "cloth"], ["cloth", "cloth"]]'
SLOTS = ((), ("brick",), ("tool",), ("cloth",), ("cloth",), ("?", "cloth"), ("cloth", "cloth"))
ROW = ["architect", "prefect", "prefect", "mercator5", "colonist", "mason", "farmer"]


@pytest.fixture
def edited(tmp_path: Path) -> str:
    """A file in which the second place costs a brick and the third a tool, instead of any good."""
    lines = shipped_text("concordia").split("\n")
    (number,) = (i for i, line in enumerate(lines) if line.startswith("places = "))
    lines[number] = f"places = {PLACES}"
    path = tmp_path / "edited.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("stored", "offered"),
    [("tool wine", {"hire=3"}), ("brick wine", {"hire=2"}), ("brick tool wine", {"hire=2", "hire=3"})],
)
def test_a_card_is_offered_where_its_place_can_be_paid_for(
    edited: str, stored: str, offered: set[str]
) -> None:
    """Both are prefects, for wine; but who pays a tool can't pay a brick."""
    game = load(Spec("concordia", 3, variant="italia", components=edited))
    state = situation([player(stored), player(), player()], row=ROW)
    tokens = game.from_state(state).apply("play=senator").legal_tokens()
    assert {"hire=2", "hire=3"} & set(tokens) == offered


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_readings_agree_on_random_games(
    edited: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concordia_choices, "SLOTS", SLOTS)
    Duel(Spec("concordia", seats, components=edited), seats).play(700)
