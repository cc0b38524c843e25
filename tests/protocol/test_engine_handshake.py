"""Handshake, lines and settings."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from driver.fake_thinker import FakeThinker
from driver.session import Session

from serai.core import NAMES, SetupError, load
from serai.protocol.catalogue import GAMES
from serai.protocol.messages import GameLine, parse_game, parse_option
from serai.protocol.options import Options, check
from serai.protocol.thinker import SearchThinker, level_of_elo
from serai.search import Search

STANDARD = {
    *("Threads", "Hash", "MultiPV", "Ponder", "Seed", "Move Overhead", "Information", "UGI_AnalyseMode"),
    *("UGI_InfoJSON", "UGI_LimitStrength", "UGI_Elo", "AllowResign", "DefaultMoveTime", "UGI_Opponents"),
    *("Memory", "TurnMoves", "Skill", "UGI_Game", "EvalFile"),
}


@pytest.mark.parametrize("word", ["ugi", "uci"])
def test_handshake(word: str) -> None:
    with Session() as session:
        session.send(word)
        lines = session.until(f"{word}ok")
    assert lines[0].startswith("id name Serai ")
    assert lines[1:3] == ["id author The Serai authors", "id protocol ugi-n 1"]
    assert {game.name for line in lines if (game := parse_game(line))} == set(NAMES)
    assert {option.name for line in lines if (option := parse_option(line))} == STANDARD
    assert all(line.split()[0] in ("id", "game", "option", f"{word}ok") for line in lines)


def test_nothing_heavy_is_loaded_for_the_handshake() -> None:
    program = (
        "import io, sys\n"
        "from serai.protocol.engine import Engine\n"
        "from serai.protocol.thinker import SearchThinker\n"
        "sent = io.BytesIO(b'ugi\\nsetoption name Hash value 5\\nquit\\n')\n"
        "Engine(SearchThinker(), sent, io.BytesIO()).run()\n"
        "print([name for name in ('numpy', 'serai.search', 'rich', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_catalogue_agrees_with_the_rules(game: GameLine) -> None:
    for players in range(10):
        if game.fewest <= players <= game.most:
            assert load(f"{game.name};players={players}").start().seats == players
        else:
            with pytest.raises(SetupError):
                load(f"{game.name};players={players}")


def test_the_catalogue_is_complete() -> None:
    assert [game.name for game in GAMES] == list(NAMES)


# ---- lines


@pytest.mark.parametrize(
    "sent",
    [
        b"isready 1\n",
        b"isready 1\r\n",
        b"  isready \t 1  \n",
        b"\tIsReady 1\n",
        b"\n\r\n \n# isready 2\n#\nisready 1\n",
        b"\xef\xbb\xbfisready 1\n",
    ],
)
def test_lines_are_read_generously(sent: bytes) -> None:
    with Session(FakeThinker()) as session:
        session.send_bytes(sent)
        assert session.rest() == ["readyok 1"]


def test_isready_without_a_tag() -> None:
    with Session(FakeThinker()) as session:
        session.send("isready")
        assert session.line() == "readyok"


def test_a_tag_comes_back_whole_or_not_at_all() -> None:
    with Session(FakeThinker()) as session:
        for tag in ("x" * 1000, "é…~" * 100):
            assert session.ask(f"isready {tag}") == [f"readyok {tag}"]
        for tag in ("x" * 1001, "x" * 100_000, "a\x85b"):
            assert session.ask(f"isready {tag}") == [
                "error bad-value isready: at most 1000 printable characters",
                "readyok",
            ]


def test_isready_loads_what_a_change_of_settings_needs() -> None:
    thinker = SearchThinker()
    with Session(thinker) as session:
        assert thinker._search is None
        session.ask()
        first = thinker._search
        assert first is not None
        session.ask()
        assert thinker._search is first
        session.ask("setoption name Hash value 8")
        assert thinker._search not in (None, first)


def test_unknown_commands_are_named() -> None:
    with Session(FakeThinker()) as session:
        known = "ugi uci isready uginewgame ucinewgame setoption position go stop ponderhit query quit"
        cases = (("xyzzy now", "xyzzy"), ("\x00\x85\u2028é", "???é"), ("x" * 5000, "x" * 79 + "…"))
        for sent, shown in cases:
            assert session.one(sent) == f"error unknown-command {shown}; there are: {known}"


def test_bytes_that_are_no_text_are_dropped() -> None:
    with Session(FakeThinker()) as session:
        session.send_bytes(b"\xff\xfe position\nisready 1\n")
        assert session.until("readyok") == ["error syntax the line is dropped", "readyok 1"]


def test_a_line_may_have_a_mebibyte_and_no_more() -> None:
    with Session(FakeThinker()) as session:
        session.send_bytes(b"isready 1" + b" " * (2**20 - 9) + b"\r\n")
        assert session.line() == "readyok 1"
        session.send_bytes(b"isready 1" + b" " * (2**20 - 8) + b"\n")
        assert session.line() == "error line-too-long the line is dropped"
        for _ in range(50):
            session.send_bytes(b"x" * 2**20)
        assert session.one("") == "error line-too-long the line is dropped"
        assert session.ask() == []


# ---- settings


def test_settings_are_checked_and_kept() -> None:
    with Session() as session:
        assert (
            session.ask("setoption name move overhead value 77", "setoption name Information value FULL")
            == []
        )
        assert (
            session.one("setoption name Move Overhead value -1")
            == "error bad-value Move Overhead -1: 0 to 5000"
        )
        assert session.one("setoption name Hash value").startswith("error bad-value Hash <empty>: 1 to ")
        assert (
            session.one("setoption name Information value all")
            == "error bad-value Information all: one of seat full"
        )
        assert session.one("setoption name Ponder") == "error bad-value Ponder <empty>: one of true false"
        unknown = session.one("setoption name Nought value 1")
        assert unknown.startswith("error unknown-option Nought; there are: ")
        assert set(unknown.split(": ")[1].split(", ")) == STANDARD
        assert session.one("setoption Hash 3").startswith("error syntax")
        assert (
            session.ask(
                "setoption name UGI_Opponents value p1=human p3=Ünï", "setoption name TurnMoves value TRUE"
            )
            == []
        )
        options = json.loads(session.response("options"))
    assert options["Move Overhead"] == 77
    assert options["Information"] == "full"
    assert options["UGI_Opponents"] == "p1=human p3=Ünï"
    assert (options["Ponder"], options["TurnMoves"], options["Hash"]) == (False, True, 64)
    assert options.keys() == STANDARD


def test_more_memory_than_there_is_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(hash_mb: int, **settings: Any) -> Search:
        if hash_mb > 1000:
            raise MemoryError
        return Search(hash_mb=hash_mb, **settings)

    monkeypatch.setattr("serai.search.Search", small)
    with Session() as session:
        refusal = session.one("setoption name Hash value 60000")
        assert refusal == "error bad-value Hash 60000: more than this machine gives"
        assert json.loads(session.response("options"))["Hash"] == 64
        session.send("position startpos")
        assert session.go("nodes 10")[-1].startswith("bestmove take=")
        assert session.ask("setoption name Hash value 65") == []


def test_a_text_is_emptied_in_three_ways() -> None:
    with Session(FakeThinker()) as session:
        for emptying in (
            "setoption name Temper",
            "setoption name Temper value",
            "setoption name Temper value <empty>",
        ):
            session.send("setoption name Temper value wild")
            assert session.ask(emptying) == []
            assert json.loads(session.response("options"))["Temper"] == ""


def test_a_text_is_not_endless() -> None:
    with Session(FakeThinker()) as session:
        assert session.one(f"setoption name Temper value {'x' * 5000}").startswith("error bad-value Temper")


def test_only_the_thinkers_own_settings_reach_it() -> None:
    thinker = FakeThinker()
    with Session(thinker) as session:
        session.ask("setoption name temper value hot", "setoption name MultiPV value 3", "ucinewgame")
    assert thinker.told == ["Temper=hot", "new game", "prepare"]


def test_two_settings_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="one name"):
        Options([check("A", True), check("a", False)])


@pytest.mark.parametrize(
    "value",
    [
        *("chess", "spice_road;players=x", "spice road", ""),
        *("spice_road;players=9", "spice_road;variant=chess"),
        *("spice_road;components=/no/such", "spice_road;state=x"),
    ],
)
def test_the_starting_game_is_checked(value: str) -> None:
    with Session(FakeThinker()) as session:
        assert session.one(f"setoption name UGI_Game value {value}").startswith("error bad-value UGI_Game")
        session.send("position startpos")
        assert session.response("fen") == "spice_road;players=2;seed=1"


def test_the_starting_game_is_any_spec() -> None:
    with Session(FakeThinker()) as session:
        session.send("setoption name UGI_Game value spice_road;players=4;seed=9", "position startpos")
        assert session.response("players") == "4"


def test_elo_is_a_straight_line_over_the_levels() -> None:
    assert [level_of_elo(elo) for elo in (500, 1000, 1500)] == [0, 10, 20]
