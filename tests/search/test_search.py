"""What the search promises whatever it finds: the same for every registered game and number of seats."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import psutil
import pytest
from contract.cases import TABLES, game_of, line_of, name_of
from contract.secrets import Pair, pairs_of

from serai.core import CHANCE, IllegalAction, Position
from serai.core.spec import Spec
from serai.search import Limits, Planner, Report, Search, SearchParams, greedy

Table = Spec
every_table = pytest.mark.parametrize("table", TABLES, ids=name_of)
SLACK = 2.0  # seconds that a busy machine may be late


def decisions(table: Table, number: int) -> list[Position]:
    """Positions with something to decide, from all over a game."""
    line = [p for p in line_of(table) if p.to_act >= 0 and len(p.legal_actions()) > 1]
    return line[:: max(1, len(line) // number)]


def search(hash_mb: int = 2, seed: int = 5, threads: int = 1) -> Search:
    return Search(hash_mb=hash_mb, threads=threads, seed=seed)


def timeless(report: Report) -> Report:
    """A report less what depends on the clock."""
    return replace(report, time=0)


# ---- results


@every_table
def test_equal_seeds_and_nodes_give_equal_reports(table: Table) -> None:
    for position in decisions(table, 4):
        first = search().run(position, Limits(nodes=600), multipv=3)
        again = search()
        assert timeless(again.run(position, Limits(nodes=600), multipv=3)) == timeless(first)
        again.clear()
        assert timeless(again.run(position, Limits(nodes=600), multipv=3)) == timeless(first)


@every_table
def test_a_node_limit_is_kept_to_the_node(table: Table) -> None:
    for nodes in (1, 2, 77, 1000):
        report = search().run(decisions(table, 1)[0], Limits(nodes=nodes))
        assert report.nodes == report.worlds == nodes


@every_table
def test_a_report_makes_sense(table: Table) -> None:
    for position in decisions(table, 6):
        report = search().run(position, Limits(nodes=400), multipv=4)
        assert report.best == report.lines[0].token
        assert [line.visits for line in report.lines] == sorted(
            (x.visits for x in report.lines), reverse=True
        )
        assert sum(line.visits for line in report.lines) <= report.nodes
        assert 1 <= report.depth <= report.seldepth
        assert 0 <= report.hashfull <= 1000
        for line in report.lines:
            assert line.token in position.legal_tokens()
            assert len(line.win) == len(line.points) == table.players
            assert sum(line.win) == pytest.approx(1, abs=1e-3)
            assert min(line.win) >= 0
            assert 0 <= line.se <= 0.5
            assert line.pv[0] == line.token


@every_table
def test_a_principal_variation_can_be_played(table: Table) -> None:
    for position in decisions(table, 6):
        report = search().run(position, Limits(nodes=1500))
        after = position
        for token in report.lines[0].pv:
            assert after.to_act != CHANCE
            seat, _, move = token.rpartition(":")
            assert seat == ("" if after.to_act == position.to_act else f"p{after.to_act + 1}")
            after = after.apply(move)


@every_table
def test_as_many_lines_are_given_as_asked_for_or_legal(table: Table) -> None:
    for position in decisions(table, 3):
        legal = position.legal_tokens()
        for count in (2, 3, 1000):
            lines = search().run(position, Limits(nodes=50), multipv=count).lines
            assert len(lines) == min(count, len(legal))
            assert len({line.token for line in lines}) == len(lines)


@every_table
def test_only_the_moves_asked_for_are_searched(table: Table) -> None:
    for position in decisions(table, 3):
        wanted = position.legal_tokens()[-2:]
        report = search().run(position, Limits(nodes=200), multipv=9, moves=wanted)
        assert {line.token for line in report.lines} == set(wanted)
        alone = search().run(position, Limits(nodes=200), moves=wanted[:1])
        assert [line.token for line in alone.lines] == wanted[:1]


@every_table
def test_softness_chooses_among_the_legal_moves_and_not_always_the_same(table: Table) -> None:
    widest = sorted(decisions(table, 20), key=lambda p: -len(p.legal_actions()))[:3]
    varied = 0
    for position in widest:
        chosen = set()
        for seed in range(8):
            report = search(seed=seed).run(position, Limits(nodes=300), softness=10, advice=False)
            assert report.best == report.lines[0].token
            assert report.best in position.legal_tokens()
            chosen.add(report.best)
        varied += len(chosen) > 1
    assert varied > 0


@every_table
def test_weaker_settings_play_legal_moves_too(table: Table) -> None:
    for params in (
        SearchParams(paranoid=True),
        SearchParams(rollout="random", use_book=False, planner_prior=0.0),
        SearchParams(priors=False, planner_visits=0),
        SearchParams(planner_width=3, planner_depth=2),
    ):
        weak = Search(hash_mb=2, seed=3, params=params)
        for position in decisions(table, 2):
            report = weak.run(position, Limits(nodes=60), memory="none", softness=0.3)
            assert report.best in position.legal_tokens()


# ---- the tree


@every_table
def test_one_tree_serves_a_whole_game(table: Table) -> None:
    engine, position, seed = search(), game_of(table).start(), 0
    while not position.is_over:
        seed += 1
        if position.to_act == CHANCE:
            position = position.apply(position.draw(seed))
            continue
        report = engine.run(position, Limits(nodes=25))
        assert report.best in position.legal_tokens()
        assert report.lines[0].visits >= 1
        position = position.apply(report.best if seed % 3 else greedy(position, seed))


@every_table
def test_the_tree_is_kept_for_the_position_that_follows(table: Table) -> None:
    position = next(p for p in decisions(table, 40) if p.to_act >= 0 and _decides_on(p))
    engine = search()
    token = engine.run(position, Limits(nodes=2000)).best
    after = position.apply(token)
    kept = engine.run(after, Limits(nodes=1), multipv=99)
    assert sum(line.visits for line in kept.lines) > 10
    fresh = search().run(after, Limits(nodes=1), multipv=99)
    assert sum(line.visits for line in fresh.lines) <= 1


def _decides_on(position: Position) -> bool:
    """True if a short search likes a move after which somebody decides at once among several."""
    after = position.apply(search().run(position, Limits(nodes=2000)).best)
    return after.to_act >= 0 and len(after.legal_actions()) > 4


@every_table
def test_another_game_or_a_step_back_starts_afresh(table: Table) -> None:
    engine = search()
    late, early = decisions(table, 2)[-1], decisions(table, 2)[0]
    engine.run(late, Limits(nodes=500))
    report = engine.run(early, Limits(nodes=300), multipv=2)
    assert timeless(report) == timeless(search().run(early, Limits(nodes=300), multipv=2))


@every_table
def test_a_full_tree_neither_grows_nor_stops_the_search(table: Table) -> None:
    position = decisions(table, 3)[1]
    engine = search(hash_mb=1)
    first = engine.run(position, Limits(nodes=40_000))
    assert first.hashfull >= 900
    before = psutil.Process().memory_info().rss
    for _ in range(3):
        report = engine.run(position, Limits(nodes=20_000))
        assert report.nodes == 20_000
        assert report.best in position.legal_tokens()
    assert psutil.Process().memory_info().rss - before < 16 << 20


@every_table
def test_searching_leaves_the_position_as_it_was(table: Table) -> None:
    position = decisions(table, 2)[1]
    raw, history = position.raw(), position.history
    search().run(position, Limits(nodes=200), memory="none", softness=1.0)
    Planner().plan(position)
    greedy(position)
    assert (position.raw(), position.history) == (raw, history)


# ---- hidden information


def decided_by_another(table: Table, number: int) -> list[Pair]:
    """Pairs of positions that look the same to the seat that decides."""
    return [pair for pair in pairs_of(table, number) if pair.position.to_act != pair.owner]


@every_table
def test_what_the_seat_cannot_know_changes_nothing(table: Table) -> None:
    for pair in decided_by_another(table, 8):
        reports = [search().run(p, Limits(nodes=300), multipv=3) for p in (pair.position, pair.other)]
        assert timeless(reports[0]) == timeless(reports[1])
        plans = [Planner().plan(p, seed=3) for p in (pair.position, pair.other)]
        assert timeless(plans[0]) == timeless(plans[1])
        assert greedy(pair.position, 4) == greedy(pair.other, 4)


@every_table
def test_a_view_is_searched_like_the_position(table: Table) -> None:
    for pair in pairs_of(table, 3):
        view = pair.position.view(pair.position.to_act)
        report = search().run(view, Limits(nodes=300), multipv=2)
        assert timeless(report) == timeless(search().run(pair.position, Limits(nodes=300), multipv=2))


@every_table
def test_without_memory_what_the_others_took_changes_nothing(table: Table) -> None:
    """The same pairs with nothing marked as secret: a seat that remembers could tell them apart."""
    for pair in decided_by_another(table, 8):
        positions = [known(p) for p in (pair.position, pair.other)]
        if positions[0].scores() != positions[1].scores() or not same_claims(*positions):
            continue
        reports = [search().run(p, Limits(nodes=200), memory="none") for p in positions]
        assert timeless(reports[0]) == timeless(reports[1])


def known(position: Position) -> Position:
    """The position with its hands open to all."""
    state = position.state()
    players = [seat | {"secret": [], "veiled": [], "secret_pile": []} for seat in state["players"]]
    return position.game.from_state(state | {"players": players})


def same_claims(one: Position, other: Position) -> bool:
    return all(
        a.get("claimed") == b.get("claimed")
        for a, b in zip(one.state()["players"], other.state()["players"], strict=True)
    )


# ---- refusals


@every_table
def test_what_cannot_be_searched_is_refused(table: Table) -> None:
    decision = decisions(table, 1)[0]
    other = (decision.to_act + 1) % table.players
    refused = {
        "game-over": line_of(table)[-1],
        "chance-node": next(p for p in line_of(table) if p.to_act == CHANCE),
        "not-your-turn": decision.view(other),
    }
    for code, position in refused.items():
        for attempt in (lambda p: search().run(p, Limits(nodes=1)), Planner().plan, greedy):
            with pytest.raises(IllegalAction) as error:
                attempt(position)
            assert error.value.code == code


@every_table
def test_moves_that_are_not_legal_are_refused(table: Table) -> None:
    position = decisions(table, 1)[0]
    with pytest.raises(IllegalAction) as error:
        search().run(position, Limits(nodes=1), moves=[])
    assert error.value.code == "no-searchmoves"


@pytest.mark.parametrize("settings", [{"hash_mb": 0}, {"threads": 0}, {"threads": 65}, {"hash_mb": 65_537}])
def test_settings_out_of_range_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Search(**settings)


# ---- time and threads


@every_table
def test_a_search_without_limits_ends_when_it_is_stopped(table: Table) -> None:
    engine = search()
    timer = threading.Timer(0.05, engine.stop)
    start = time.monotonic()
    timer.start()
    report = engine.run(decisions(table, 1)[0], Limits())
    assert 0.03 < time.monotonic() - start < 0.05 + SLACK
    timer.join()
    assert report.nodes > 0
    engine.stop()


def test_a_stop_before_a_search_is_forgotten() -> None:
    engine, position = search(), decisions(TABLES[0], 1)[0]
    engine.stop()
    assert engine.run(position, Limits(nodes=50)).nodes == 50


@pytest.mark.parametrize("milliseconds", [0, 20, 150])
def test_a_time_limit_is_used_and_kept(milliseconds: int) -> None:
    engine, position = search(), decisions(TABLES[0], 1)[0]
    start = time.monotonic()
    report = engine.run(position, Limits(movetime=milliseconds))
    took = time.monotonic() - start
    assert 0.7 * milliseconds / 1000 <= took < milliseconds / 1000 + SLACK
    assert report.best in position.legal_tokens()


def test_a_clock_is_not_overdrawn() -> None:
    position = decisions(TABLES[0], 3)[1]
    for left in (1, 50, 300):
        start = time.monotonic()
        search().run(position, Limits(clock=(left, 0, 0, 1)))
        assert time.monotonic() - start < left / 1000 + SLACK


def test_a_depth_limit_ends_the_search() -> None:
    report = search().run(decisions(TABLES[0], 2)[1], Limits(depth=2, movetime=20_000))
    assert report.depth >= 1
    assert report.time < 15_000


@every_table
def test_a_depth_that_cannot_be_reached_ends_the_search_too(table: Table) -> None:
    """Near the end of the game, and with a memory that is full."""
    for position in (decisions(table, 40)[-1], decisions(table, 2)[0]):
        report = search().run(position, Limits(depth=399, movetime=60_000))
        assert report.time < 50_000
        assert report.best in position.legal_tokens()


@every_table
def test_a_limit_in_depth_counts_iterations_not_time(table: Table) -> None:
    position = decisions(table, 3)[1]
    first, again = (search().run(position, Limits(depth=depth), multipv=2) for depth in (3, 3))
    assert timeless(first) == timeless(again)


@every_table
def test_a_single_visit_is_no_certainty(table: Table) -> None:
    report = search().run(decisions(table, 2)[1], Limits(nodes=1), multipv=2)
    assert [line.visits for line in report.lines] == [1, 0]
    assert [line.se for line in report.lines] == [0.5, 0.5]


@every_table
def test_reports_come_while_the_search_runs(table: Table) -> None:
    reports: list[Report] = []
    final = search().run(decisions(table, 1)[0], Limits(movetime=300), on_report=reports.append)
    assert 1 <= len(reports) <= 7
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)
    assert final.nodes >= reports[-1].nodes


@pytest.mark.parametrize("table", [t for t in TABLES if (t.players, t.variant) == (3, "base")], ids=name_of)
def test_reports_on_the_way_change_nothing(table: Table) -> None:
    """Also where they judge moves that have no visit yet, with hands dealt anew that were forgotten."""
    slow = SearchParams(rollout="random", exploration=0.001, first_play=1.0)  # some moves are never tried
    position = decisions(table, 3)[1]
    alone, told = (Search(hash_mb=2, seed=5, params=slow) for _ in range(2))
    silent = alone.run(position, Limits(nodes=10_000), multipv=1000, memory="none")
    reports: list[Report] = []
    loud = told.run(position, Limits(nodes=10_000), multipv=1000, memory="none", on_report=reports.append)
    assert any(line.visits == 0 for report in reports for line in report.lines)
    assert timeless(loud) == timeless(silent)


def test_an_error_in_the_listener_ends_the_search_and_leaves_it_usable() -> None:
    def fail(_: Report) -> None:
        raise RuntimeError("listener")

    engine, position = search(threads=2), decisions(TABLES[0], 1)[0]
    with pytest.raises(RuntimeError, match="listener"):
        engine.run(position, Limits(movetime=5_000), on_report=fail)
    assert engine.run(position, Limits(nodes=50)).nodes >= 50


@every_table
def test_two_threads_search_one_tree(table: Table) -> None:
    engine, before = search(threads=2), threading.active_count()
    for position in decisions(table, 3):
        report = engine.run(position, Limits(nodes=3_000), multipv=2)
        assert 3_000 <= report.nodes <= 3_001
        assert report.best in position.legal_tokens()
        assert sum(report.lines[0].win) == pytest.approx(1, abs=1e-3)
    assert threading.active_count() <= before


def test_searches_of_two_engines_do_not_disturb_each_other() -> None:
    position = decisions(TABLES[0], 2)[1]
    alone = timeless(search().run(position, Limits(nodes=1500)))
    results: list[Report] = []
    workers = [
        threading.Thread(target=lambda: results.append(search().run(position, Limits(nodes=1500))))
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert [timeless(report) for report in results] == [alone, alone]
