"""Whose turn it is while another seat decides: such a decision belongs to the mover's turn."""

from __future__ import annotations

from reference.asides import SCRIPT, keeping, opening, turning

from serai.core import load


def test_a_decision_of_another_seat_belongs_to_the_movers_turn() -> None:
    kept, turn = keeping(), turning()
    assert (kept.to_act, kept.mover, kept.continues_turn) == (1, 0, True)
    assert (turn.to_act, turn.mover, turn.continues_turn) == (1, 1, False)
    assert opening().apply(SCRIPT[0]).continues_turn
    assert not opening().continues_turn


def test_it_does_so_in_a_view_and_in_a_position_without_history() -> None:
    kept = keeping()
    assert kept.view(1).continues_turn
    assert load(kept.spec).start().continues_turn
    assert not turning().view(1).continues_turn


def test_where_nobody_decides_in_turns_of_others_the_mover_is_who_acts() -> None:
    position = load("spice_road;players=3;seed=5").start()
    for number in range(60):
        assert position.mover == position.to_act
        position = position.apply(position.random_action(number))
    assert load("spice_road").start().mover == load("spice_road").start().to_act == -1
