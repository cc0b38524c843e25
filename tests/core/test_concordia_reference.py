"""The compiled rules of Concordia against the slow second reading, event by event.

Many more games, as many as one has patience for, are compared by ``python -m reference.long_run``.
"""

from __future__ import annotations

import pytest
from reference.concordia_box import FOR_SALE, GOODS, box
from reference.deal import pile_order
from reference.duel import Duel
from reference.readings import new_game

from serai.core import load
from serai.core.spec import Spec

GAMES = 4
LONGEST = 1_200
TABLES = [Spec("concordia", seats) for seats in (2, 3, 4, 5)]
TABLES += [Spec("concordia", seats, variant="imperium") for seats in (3, 4)]
FIRST_GAMES = [Spec("concordia", 3, variant="base-first"), Spec("concordia", 5, variant="imperium-first")]


@pytest.mark.parametrize("table", [*TABLES, *FIRST_GAMES], ids=str)
@pytest.mark.parametrize("number", range(GAMES))
def test_both_readings_agree_on_every_event(table: Spec, number: int) -> None:
    Duel(table, number).play(LONGEST)


@pytest.mark.parametrize("table", [*TABLES, *FIRST_GAMES], ids=str)
def test_both_readings_go_on_alike_from_any_state(table: Spec) -> None:
    Duel(table, 0).play_and_begin_anew(LONGEST)


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_seed_deals_the_published_order(table: Spec, seed: int) -> None:
    state = load(Spec("concordia", table.players, seed, table.variant)).start().state()
    board = new_game(table).board
    for letter, tokens in box()["tokens"].items():
        cities = [city for city in board.cities if board.letter_of[city] == letter]
        items = [good for good in GOODS for _ in range(tokens[good])]
        assert [state["tokens"][city] for city in cities] == pile_order(seed, letter.lower(), items)[
            : len(cities)
        ]
    first = [card.kind for card in FOR_SALE if card.numeral == 1]
    assert [name.partition("/")[0] for name in state["row"]] == pile_order(seed, "i", first)[:7]
    assert (state["turn"], state["phase"]) == ("p1", "main")
