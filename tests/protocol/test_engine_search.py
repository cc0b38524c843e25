"""The engine with the real search: promises about determinism, secrets, strength settings and lines."""

from __future__ import annotations

import json
import re

import pytest
from driver.session import Session

from serai.core import load
from serai.protocol.messages import parse_info, parse_infojson

START = "position fen spice_road;players=3;seed=42"
DECISION = f"{START} moves take=1 take=1 take=1 play=+yy play=+yy play=+yy"
FIXED = ("setoption name Threads value 1", "setoption name Seed value 5", "setoption name Hash value 8")


def timeless(lines: list[str]) -> list[str]:
    """Lines less what depends on the clock."""
    return [re.sub(r" (nps|time) \d+", "", line) for line in lines]


def fresh(*lines: str, go: str = "nodes 1500") -> list[str]:
    """What an engine just started says."""
    with Session() as session:
        session.send(*FIXED, *lines)
        return timeless(session.go(go))


def test_fixed_nodes_and_seed_give_equal_bytes() -> None:
    lines = [DECISION, "setoption name MultiPV value 4"]
    first = fresh(*lines)
    assert len(first) == 5
    assert fresh(*lines) == first
    with Session() as session:
        session.send(*FIXED, *lines)
        again = [timeless(session.go("nodes 1500"))]
        for _ in range(2):
            session.send("ucinewgame", *lines)
            again.append(timeless(session.go("nodes 1500")))
    assert again == [first] * 3


def test_a_whole_game_is_reproducible() -> None:
    games = []
    for _ in range(2):
        with Session() as session:
            session.send(*FIXED)
            moves: list[str] = []
            lines: list[str] = []
            for _ in range(25):
                session.send(f"{START} moves {' '.join(moves)}".removesuffix(" moves "))
                lines += timeless(session.go("nodes 60"))
                moves.append(lines[-1].split()[1])
            games.append(lines)
    assert games[0] == games[1]


def test_what_was_thought_for_one_seat_is_not_known_to_another() -> None:
    alone = fresh(f"{START} moves take=1", go="nodes 800 multipv 3")
    with Session() as session:
        session.send(*FIXED, START)
        session.go("nodes 3000")
        session.send(f"{START} moves take=1")
        assert timeless(session.go("nodes 800 multipv 3")) == alone


def test_the_answer_depends_only_on_what_the_seat_sees() -> None:
    answers = set()
    history = load("spice_road;players=3;seed=42").start().history
    for position in (
        START,
        f"position fen spice_road;players=3 moves {' '.join(history)}",
        f"position view p1 spice_road;players=3 moves {' '.join(history)}",
    ):
        answers.add("\n".join(fresh(position)))
    assert len(answers) == 1


def worlds_of_a_view(number: int) -> list[str]:
    """Specs of full positions that differ only in what p1 can't know: the hands of the others."""
    position = load("spice_road;players=3;seed=42").start()
    for step in range(60):
        position = position.apply(position.random_action(step))
    while position.to_act != 0:
        position = position.apply(position.random_action(1))
    state = position.state()
    for player in state["players"][1:]:
        starters = [card for card in player["hand"] if card in ("+yy", "up2")]
        player["hidden"], player["hand"] = len(player["hand"]) - len(starters), starters
    view = position.game.from_state(state, viewer=0)
    return [view.determinize(0, seed).spec for seed in range(number)]


@pytest.mark.parametrize(("information", "different"), [("seat", False), ("full", True)])
def test_hidden_hands_count_only_with_full_information(information: str, different: bool) -> None:
    answers, hashes = set(), set()
    for spec in worlds_of_a_view(6):
        with Session() as session:
            session.send(*FIXED, f"setoption name Information value {information}", f"position fen {spec}")
            hashes.add(session.response("hash"))
            answers.add((session.response("view p1"), *timeless(session.go("nodes 700 multipv 3"))))
    assert len(hashes) > 1
    assert (len(answers) > 1) == different


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lines_are_complete_and_sum_up(players: int) -> None:
    position = load(f"spice_road;players={players};seed=8").start()
    legal = position.legal_tokens()
    with Session() as session:
        session.send(f"position fen {position.spec}")
        for multipv in (1, 2, 50):
            *lines, best = session.go(f"nodes 300 multipv {multipv} searchid 7")
            infos = [parse_info(line) for line in lines]
            assert len(infos) == min(multipv, len(legal))
            for number, info in enumerate(infos, 1):
                assert info is not None
                assert info.multipv == number
                assert info.searchid == "7"
                assert info.win is not None
                assert info.vp is not None
                assert info.pv is not None
                assert (len(info.win), sum(info.win), len(info.vp)) == (players, 1000, players)
                assert info.pv[0] in legal
                assert info.nodes == 300
            assert best == f"bestmove {infos[0].pv[0]} searchid 7"  # type: ignore[index, union-attr]


@pytest.mark.parametrize(
    "go", ["nodes 1", "movetime 0", "movetime 1", "p1time 1", "p1time -5", "p1time 50 p1inc 3", "depth 1"]
)
def test_the_tightest_limits_give_a_legal_move(go: str) -> None:
    with Session() as session:
        session.send(START)
        *infos, best = session.go(go)
        assert best.split()[1] in load("spice_road;players=3;seed=42").start().legal_tokens()
        assert " win " in infos[-1]


def test_stop_is_obeyed_while_the_search_starts() -> None:
    with Session() as session:
        for _ in range(40):
            session.send(START, "go infinite", "stop")
            assert session.until("bestmove")[-1].startswith("bestmove ")


def test_pondering_with_the_real_search() -> None:
    with Session() as session:
        session.send(START, "go ponder p1time 900", "ponderhit p1time 600")
        assert session.until("bestmove")[-1].startswith("bestmove ")
        session.send(START, "go ponder", "ponderhit nodes 10", "isready")
        session.until("bestmove")


def test_a_forced_move_costs_a_clock_nothing() -> None:
    with Session() as session:
        session.send(START)
        assert session.go("p1time 3600000 searchmoves take=2")[-1] == "bestmove take=2"


def test_movetime_is_taken_at_its_word_for_a_forced_move_too() -> None:
    with Session() as session:
        session.send(START)
        lines = session.go("movetime 400 searchmoves take=2")
        words = lines[-2].split()
        assert int(words[words.index("time") + 1]) >= 300
        assert lines[-1] == "bestmove take=2"


def test_a_forced_move_waits_for_stop_in_an_infinite_search() -> None:
    with Session() as session:
        session.send(START, "go infinite searchmoves take=2")
        session.until("info")
        session.send("stop")
        lines = session.until("bestmove")
        assert lines[-1] == "bestmove take=2"
        assert not any(line.startswith("bestmove") for line in lines[:-1])


def test_a_whole_turn_is_legal() -> None:
    position = load("spice_road;players=3;seed=42").start()
    with Session() as session:
        session.send("setoption name TurnMoves value true", START)
        moves = session.go("nodes 400 searchmoves take=4")[-1].split()[1:]
        assert moves[0] == "take=4"
        for move in moves:
            assert position.to_act == 0
            position = position.apply(move)
        assert position.to_act == 1
        assert len(session.go("movetime 60")[-1].split()) >= 2


@pytest.mark.parametrize(
    "setting",
    ["Skill value 0", "Skill value 9", "Memory value none", "Threads value 2", "UGI_AnalyseMode value true"],
)
def test_settings_of_the_search_play_on(setting: str) -> None:
    with Session() as session:
        session.send(f"setoption name {setting}", DECISION)
        assert session.go("movetime 40")[-1].startswith("bestmove ")


def test_a_low_skill_searches_little() -> None:
    with Session() as session:
        session.send("setoption name Skill value 12", START)
        *_, info, _ = session.go("nodes 100000")
        weak = parse_info(info)
        session.send("setoption name UGI_AnalyseMode value true")
        *_, info, _ = session.go("nodes 5000")
        full = parse_info(info)
        session.send("setoption name UGI_AnalyseMode value false", "setoption name Skill value 20")
        session.send("setoption name UGI_LimitStrength value true", "setoption name UGI_Elo value 1200")
        *_, info, _ = session.go("nodes 5000")
        limited = parse_info(info)
    assert weak is not None
    assert full is not None
    assert limited is not None
    assert (weak.nodes, full.nodes, limited.nodes) == (32, 5000, 90)


@pytest.mark.parametrize(
    ("before", "setting"),
    [
        ("Skill value 20", "Skill value 15"),
        ("Memory value perfect", "Memory value none"),
        ("UGI_Elo value 1400", "UGI_LimitStrength value true"),
        ("UGI_LimitStrength value true", "UGI_Elo value 1400"),
    ],
)
def test_another_level_does_not_use_what_was_found_before(before: str, setting: str) -> None:
    """What a stronger level has found would make a weaker one strong."""
    settings = (f"setoption name {before}", f"setoption name {setting}")
    with Session() as session:
        session.send(*FIXED, settings[0], DECISION)
        session.go("nodes 3000")
        session.send(settings[1])
        after = timeless(session.go("nodes 300 multipv 3"))
    assert after == fresh(*settings, DECISION, go="nodes 300 multipv 3")


def test_json_instead_of_info() -> None:
    with Session() as session:
        session.send("setoption name UGI_InfoJSON value true", START)
        *lines, best = session.go("nodes 200 multipv 3 searchid g1")
    assert len(lines) == 1
    report = parse_infojson(lines[0])
    assert report is not None
    assert (report["id"], report["turn"], report["seat"], report["legal"]) == ("g1", 11, "p1", 9)
    assert report["isDuringSearch"] is False
    assert [move["order"] for move in report["moves"]] == [0, 1, 2]
    assert report["moves"][0]["move"] == report["best"] == best.split()[1]
    assert sum(report["root"]["win"]) == pytest.approx(1, abs=0.001)
    for move in report["moves"]:
        assert move.keys() == {"move", "order", "visits", "win", "vp", "se", "lcb", "pv"}
        assert 0 <= move["lcb"] <= move["win"][0]


def test_json_while_the_search_runs() -> None:
    with Session() as session:
        session.send("setoption name UGI_InfoJSON value true", START, "go infinite")
        assert json.loads(session.line().split(" ", 1)[1])["isDuringSearch"] is True
        session.send("stop")
        session.until("bestmove")


def test_a_small_hash_is_enough() -> None:
    with Session() as session:
        session.send("setoption name Hash value 1", START)
        assert session.go("nodes 20000")[-1].startswith("bestmove take=")
