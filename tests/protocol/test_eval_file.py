"""Option EvalFile through the lines of the engine: which network judges, and what is refused."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from driver.session import Session
from reference.networks import framed, random_arrays, random_file

from serai.core import load
from serai.core.network import shape_of
from serai.core.network_file import encode
from serai.protocol.thinker import SearchThinker

pytestmark = pytest.mark.usefixtures("shelf")

POSITION = "position fen spice_road;players=3;seed=42"
CLOCKWORK = re.compile(r" (nps|time) \d+")
Lines = list[str]


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A network of random weights, its name with spaces and letters from afar."""
    path = tmp_path / "my networks ü 文" / "a value b.net"
    path.parent.mkdir()
    path.write_bytes(random_file(seed=3))
    return path


def opinion(session: Session, position: str = POSITION) -> Lines:
    """All that a short search of a fixed seed says, less what depends on the clock."""
    assert session.ask("setoption name Seed value 7", "ucinewgame", position) == []
    return [CLOCKWORK.sub("", line) for line in session.go("nodes 150 multipv 3")]


def opinion_with(value: str, position: str = POSITION) -> Lines:
    """The same in an engine of its own, after one setting."""
    with Session() as session:
        assert session.ask(f"setoption name EvalFile value {value}") == []
        return opinion(session, position)


def chosen(session: Session) -> str:
    value: str = json.loads(session.response("options"))["EvalFile"]
    return value


# ---- which network


def test_a_file_changes_what_the_engine_thinks_and_none_does_not(network: Path) -> None:
    with Session() as session:
        plain = opinion(session)
        assert session.ask(f"setoption name evalfile value {network}") == []
        assert chosen(session) == str(network)
        judged = opinion(session)
        assert judged == opinion(session) == opinion_with(str(network))
        assert session.ask("setoption name EvalFile value none") == []
        assert chosen(session) == "none"
        assert opinion(session) == plain == opinion_with("none") == opinion_with("")
    assert judged[:-1] != plain[:-1]
    assert judged[-1].startswith("bestmove ")


def test_an_empty_value_is_the_shipped_network(shelf: Path, network: Path) -> None:
    shelf.write_bytes(random_file(seed=3))
    with Session() as session:
        shipped = opinion(session)
        assert shipped == opinion_with("") == opinion_with("<empty>")
        assert session.ask("setoption name EvalFile value none") == []
        without = opinion(session)
        assert without == opinion_with("None") != shipped
        assert session.ask("setoption name EvalFile") == []
        assert opinion(session) == shipped == opinion_with(str(network))


def test_the_next_search_uses_the_setting_without_a_newgame(network: Path) -> None:
    with Session() as session:
        plain = opinion(session)
        session.ask(f"setoption name EvalFile value {network}")
        changed = [CLOCKWORK.sub("", line) for line in session.go("nodes 150 multipv 3")]
    assert changed == opinion_with(str(network)) != plain


def test_a_relative_name_is_found_from_where_the_engine_runs(
    network: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(network.parent)
    assert opinion_with(network.name) == opinion_with(str(network)) == opinion_with(f"./{network.name}")


def test_a_file_that_was_written_anew_is_read_again(network: Path) -> None:
    with Session() as session:
        session.ask(f"setoption name EvalFile value {network}")
        first = opinion(session)
        network.write_bytes(random_file(seed=4))
        assert opinion(session) == first
        session.ask(f"setoption name EvalFile value {network}")
        assert opinion(session) == opinion_with(str(network)) != first


def test_a_file_that_is_gone_later_is_not_missed(network: Path) -> None:
    with Session() as session:
        session.ask(f"setoption name EvalFile value {network}")
        first = opinion(session)
        network.unlink()
        session.ask("setoption name Hash value 8")
        assert opinion(session)[-1] == first[-1]


def test_other_components_are_judged_by_hand(network: Path, tmp_path: Path) -> None:
    data = Path(__file__).parents[2] / "core" / "games" / "spice_road" / "data.toml"
    (tmp_path / "mine.toml").write_bytes(data.read_bytes())
    position = f"position fen spice_road;players=3;components={tmp_path}/mine.toml;seed=42"
    assert opinion_with(str(network), position) == opinion_with("none", position)


def test_a_whole_game_is_played_on_the_word_of_a_network_that_knows_nothing(network: Path) -> None:
    with Session() as session:
        session.ask(f"setoption name EvalFile value {network}", "setoption name Seed value 1")
        moves: Lines = []
        while len(moves) < 60:
            assert session.ask(f"position fen spice_road;players=2;seed=5 moves {' '.join(moves)}") == []
            moves.append(session.go("nodes 20")[-1].split()[1])
            assert session.response(f"islegal {moves[-1]}") == "true"


def test_nothing_is_read_before_it_is_needed() -> None:
    thinker = SearchThinker()
    with Session(thinker) as session:
        session.send("ugi")
        session.until("ugiok")
        assert thinker._network_of is None
        session.ask()
        assert thinker._network_of is not None


# ---- what is refused


def refused(folder: Path) -> dict[str, str]:
    """Names of what is no network for a game here, made in a folder, and what is said of each."""
    shape = shape_of(load("spice_road"))
    good = random_file()
    contents = {
        "empty": (b"", "this is no network file"),
        "text": (b"a text\n" * 50, "this is no network file"),
        "cut": (good[:-1], "bytes, should have"),
        "changed": (good[:5000] + b"\xa5\xa5" + good[5002:], "its digest is wrong"),
        "sealed": (framed(b"\x91" * 5000), "makes no sense"),
        "continued": (framed(good[8:-16] + b"more"), "goes on after its end"),
        "without traits": (
            encode(random_arrays((*shape[:2], 0), 1), "spice_road", {}),
            f"{(*shape[:2], 0)}; ",
        ),
        "large": (good + bytes(2**22), "larger than"),
        "chess": (encode(random_arrays(shape, 1), "chess", {}), "the network is for 'chess'"),
        "other shape": (encode(random_arrays((9, 9, 9), 1), "spice_road", {}), "(9, 9, 9); spice_road has"),
    }
    for name, (content, _) in contents.items():
        (folder / name).write_bytes(content)
    os.mkfifo(folder / "pipe")
    said = {name: complaint for name, (_, complaint) in contents.items()}
    return said | {"pipe": "a pipe or a device", "": "a folder", "missing": "there is no such file"}


@pytest.mark.parametrize("before", ["", "none", "the network"])
def test_what_is_no_network_for_a_game_here_is_refused_and_play_goes_on(
    before: str, network: Path, tmp_path: Path
) -> None:
    value = str(network) if before == "the network" else before
    with Session() as session:
        session.ask(f"setoption name EvalFile value {value}")
        expected = opinion(session)
        for name, complaint in refused(tmp_path).items():
            answer = session.one(f"setoption name EvalFile value {tmp_path / name}")
            assert answer.startswith(f"error bad-value EvalFile {tmp_path / name}: ")
            assert complaint in answer
            assert chosen(session) == value
        assert opinion(session) == expected


def test_a_refusal_is_no_reason_to_forget_the_tree(tmp_path: Path) -> None:
    thinker = SearchThinker()
    with Session(thinker) as session:
        opinion(session)
        search = thinker._search
        assert session.one(f"setoption name EvalFile value {tmp_path}").startswith("error bad-value")
        assert session.ask() == []
        assert thinker._search is search


def test_names_that_cannot_be_are_refused() -> None:
    with Session() as session:
        for value in ("\x1b[2J", "x" * 5000, "a\0b"):
            answer = session.one(f"setoption name EvalFile value {value}")
            assert answer.startswith("error bad-value EvalFile: at most 4096 printable characters")
        for value in ("x" * 4000, "d/" * 2000, "/", "\U0001f600"):
            answer = session.one(f"setoption name EvalFile value {value}")
            assert answer.startswith("error bad-value EvalFile ")
            assert re.search(r": (File name too long|there is no such file|this is no file)", answer)
        assert chosen(session) == ""


def test_a_network_is_not_changed_during_a_search(network: Path) -> None:
    with Session() as session:
        session.ask("position startpos")
        session.send("go infinite", f"setoption name EvalFile value {network}")
        assert session.until("error")[-1] == "error busy setoption"
        session.send("stop")
        session.until("bestmove")
        assert chosen(session) == ""
        assert session.ask(f"setoption name EvalFile value {network}") == []
        assert chosen(session) == str(network)


# ---- a damaged installation


def test_a_shipped_network_that_is_damaged_is_told_and_the_game_goes_on(shelf: Path) -> None:
    shelf.write_bytes(random_file()[:-1])
    with pytest.warns(RuntimeWarning, match="spice_road is played without a network"):
        said = opinion_with("")
    assert said == opinion_with("none")
