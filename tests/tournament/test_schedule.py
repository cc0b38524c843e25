"""Which games a tournament has: every table, every rotation, fair to all, the same whenever it is asked."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from math import comb, factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.schedule import Block, block_at, block_count, block_size, blocks
from serai.bots.tournament.sprt import Sprt


def plan(entrants: int, **settings: Any) -> Plan:
    if settings.get("format") == "sprt":
        settings["sprt"] = Sprt(0.5, 0.6)
    return Plan(tuple(Entrant(f"e{number}", "serai") for number in range(entrants)), **settings)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    form = draw(st.sampled_from(["round-robin", "gauntlet", "field", "mixed", "sprt"]))
    seats = draw(st.integers(2, 5))
    fewest = 2 if form in ("field", "sprt") else seats
    return plan(
        2 if form == "sprt" else draw(st.integers(fewest, 9)),
        seats=seats,
        format=form,
        games=draw(st.integers(1, 300)),
        rotations="cyclic" if seats == 5 else draw(st.sampled_from(["cyclic", "all"])),
        seed=draw(st.integers(0, 2**63 - 1)),
    )


# ---- which tables


def tables(plan: Plan) -> Counter[tuple[int, ...]]:
    return Counter(block.table for block in blocks(plan))


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (4, 2), (5, 3), (5, 5), (9, 4)])
def test_a_round_robin_has_each_table_equally_often(entrants: int, seats: int) -> None:
    found = tables(plan(entrants, seats=seats, games=1))
    assert found == Counter(itertools.combinations(range(entrants), seats))
    more = tables(plan(entrants, seats=seats, games=comb(entrants, seats) * seats * 2 + 1))
    assert more == Counter(dict.fromkeys(found, 3))


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (5, 3), (6, 5)])
def test_a_gauntlet_has_the_tables_with_the_first(entrants: int, seats: int) -> None:
    found = tables(plan(entrants, seats=seats, format="gauntlet", games=1))
    every = itertools.combinations(range(entrants), seats)
    assert found == Counter(table for table in every if 0 in table)


def test_a_field_has_the_first_against_copies() -> None:
    assert tables(plan(4, seats=3, format="field", games=1)) == Counter([(0, 1, 1), (0, 2, 2), (0, 3, 3)])
    assert tables(plan(2, seats=5, format="field", games=26)) == Counter({(0, 1, 1, 1, 1): 6})


def test_an_sprt_has_the_first_against_copies_of_the_second() -> None:
    assert tables(plan(2, seats=3, format="sprt", games=10)) == Counter({(0, 1, 1): 4})


# ---- each block


@given(plans())
def test_a_block_is_one_deal_from_all_rotations(plan: Plan) -> None:
    for block in itertools.islice(blocks(plan), 20):
        assert block.size == block_size(plan)
        assert len(set(block.seatings)) == block.size
        for seating in block.seatings:
            assert sorted(seating) == sorted(block.table)
        if plan.rotations == "cyclic":
            assert block.seatings == tuple(
                block.table[turn:] + block.table[:turn] for turn in range(plan.seats)
            )
        else:
            assert set(block.seatings) == set(itertools.permutations(block.table))


@given(plans())
def test_each_entrant_is_equally_often_in_every_seat(plan: Plan) -> None:
    for block in itertools.islice(blocks(plan), 20):
        assert_fair(block, plan.seats)


def assert_fair(block: Block, seats: int) -> None:
    for entrant in set(block.table):
        times = [sum(seating[seat] == entrant for seating in block.seatings) for seat in range(seats)]
        assert times == [block.table.count(entrant) * block.size // seats] * seats


@pytest.mark.parametrize(
    ("form", "seats", "size"),
    [("round-robin", 2, 2), ("round-robin", 4, 24), ("field", 3, 3), ("field", 4, 4), ("mixed", 3, 6)],
)
def test_all_rotations_are_all_orders_that_differ(form: str, seats: int, size: int) -> None:
    assert block_size(plan(5, seats=seats, format=form, rotations="all")) == size
    assert size in (factorial(seats), seats)


# ---- how many


@given(plans())
def test_games_are_rounded_up_to_whole_blocks_and_rounds(plan: Plan) -> None:
    count, size = block_count(plan), block_size(plan)
    assert [block.number for block in blocks(plan)] == list(range(count))
    assert count * size >= plan.games
    rounds = 1 if plan.format in ("mixed", "sprt") else len(tables(plan))
    assert (count - rounds) * size < plan.games
    assert count % rounds == 0


@given(plans(), st.integers(1, 300))
def test_more_games_begin_with_the_same_blocks(plan: Plan, games: int) -> None:
    for one, other in zip(blocks(plan), blocks(dataclasses.replace(plan, games=games)), strict=False):
        assert one == other


def test_a_block_is_the_same_out_of_order() -> None:
    one = plan(7, seats=3, format="mixed", games=200)
    forward = {block.number: block for block in blocks(one)}
    assert [block_at(one, number) for number in reversed(range(len(forward)))] == [*forward.values()][::-1]


# ---- deals


@settings(max_examples=30)
@given(plans())
def test_r77_no_deal_comes_twice(plan: Plan) -> None:
    plan = dataclasses.replace(plan, games=2000)
    deals = [block.deal for block in blocks(plan)]
    assert len(set(deals)) == len(deals)
    assert all(0 <= deal < 2**63 for deal in deals)


def test_another_seed_deals_otherwise() -> None:
    one, other = ({block.deal for block in blocks(plan(4, games=500, seed=seed))} for seed in (1, 2))
    assert not one & other


def test_the_deal_does_not_depend_on_who_plays() -> None:
    one, other = plan(3, games=60, seed=4), plan(5, games=60, format="gauntlet", seats=3, seed=4)
    assert all(a.deal == b.deal for a, b in zip(blocks(one), blocks(other), strict=False))


# ---- mixed tables


@settings(max_examples=50)
@given(
    st.integers(2, 5).flatmap(lambda seats: st.tuples(st.just(seats), st.integers(seats, 20))),
    st.integers(0, 10**9),
)
def test_mixed_tables_are_fair(size: tuple[int, int], seed: int) -> None:
    seats, entrants = size
    one = plan(entrants, seats=seats, format="mixed", games=3 * entrants * seats, seed=seed)
    played = Counter({entrant: 0 for entrant in range(entrants)})
    for block in blocks(one):
        assert len(set(block.table)) == seats
        played.update(block.table)
        assert max(played.values()) - min(played.values()) <= 1  # at any time
    assert set(played.values()) == {3 * seats}


@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (7, 2), (6, 3), (12, 4), (20, 5)])
def test_everybody_meets_everybody_about_as_often(entrants: int, seats: int) -> None:
    parts = 200
    one = plan(entrants, seats=seats, format="mixed", games=parts * entrants * seats)
    met = Counter(pair for block in blocks(one) for pair in itertools.combinations(sorted(block.table), 2))
    expected = parts * seats * (seats - 1) / (entrants - 1)
    assert sum(met.values()) == pytest.approx(expected * comb(entrants, 2))
    for pair in itertools.combinations(range(entrants), 2):
        assert 0.7 * expected <= met[pair] <= 1.3 * expected


@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (7, 2), (6, 3), (12, 4), (20, 5)])
def test_pairs_are_even_within_a_part(entrants: int, seats: int) -> None:
    one = plan(entrants, seats=seats, format="mixed", games=entrants * seats * 30)
    for part in range(30):
        found = [block_at(one, number).table for number in range(part * entrants, (part + 1) * entrants)]
        met = Counter(pair for table in found for pair in itertools.combinations(sorted(table), 2))
        mean = seats * (seats - 1) / (entrants - 1)
        assert max(met.values()) <= mean + 3  # the last table takes whoever has played least


def test_parts_have_tables_of_their_own() -> None:
    one = plan(8, seats=3, format="mixed", games=8 * 3 * 10)
    every = [block.table for block in blocks(one)]
    parts = [tuple(every[at : at + 8]) for at in range(0, 80, 8)]
    assert len(set(parts)) == len(parts)
