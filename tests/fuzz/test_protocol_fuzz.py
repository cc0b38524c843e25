"""Whatever is sent: no crash, no silence, and one answer for each question.

Bytes, words and damaged sessions are drawn with fixed seeds. Every run ends with the end of its input, so a
hang shows as a time-out of the wait for the engine's thread.
"""

from __future__ import annotations

import io
import random
import threading

import pytest
from driver.fake_thinker import FakeThinker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serai.core import load
from serai.protocol.commands import parse_go
from serai.protocol.engine import Engine
from serai.protocol.messages import ERROR_CODES, parse_error, split
from serai.protocol.queries import QUERIES
from serai.protocol.thinker import SearchThinker, Thinker

BOUNDED = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
KINDS = {
    *("id", "game", "option", "ugiok", "uciok", "readyok", "response", "error"),
    *("info", "infojson", "bestmove", "perft"),
}
HISTORY = load("spice_road;players=2;seed=3").start().history


def talk(sent: bytes, thinker: Thinker | None = None) -> list[str]:
    """Everything an engine says to some input, until it ends."""
    output = io.BytesIO()
    engine = Engine(thinker or FakeThinker(), io.BytesIO(sent), output)
    thread = threading.Thread(target=engine.run, daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive(), f"hangs on {sent!r}"
    return output.getvalue().decode("utf-8").removesuffix("\n").split("\n")


def readable(sent: bytes) -> list[list[str]]:
    """The commands that an engine must take note of, as words."""
    commands = []
    for raw in sent.split(b"\n"):
        try:
            words = split(raw.removesuffix(b"\r").decode("utf-8").removeprefix("\ufeff"))
        except UnicodeDecodeError:
            continue
        if words and words[0].lower() == "quit":
            break
        if words and not words[0].startswith("#"):
            commands.append(words)
    return commands


def check(sent: bytes, said: list[str]) -> None:
    """One answer for each question, known codes, well-formed lines."""
    commands = readable(sent)
    first = [words[0].lower() for words in commands]
    counts = [sum(parse_go(words[1:])[0].perft is None for words in commands if words[0].lower() == "go")]
    assert [sum(line.startswith("bestmove ") for line in said)] == counts, (sent, said)
    assert sum(line.startswith("readyok") for line in said) == first.count("isready")
    assert sum(line in ("ugiok", "uciok") for line in said) == first.count("ugi") + first.count("uci")
    known = [words for words in commands if words[0].lower() == "query" and words[1:2]]
    known = [words for words in known if words[1].lower() in (*QUERIES, "options")]
    assert sum(line.startswith("response") for line in said) == len(known)
    for line in said:
        check_line(line)


def check_line(line: str) -> None:
    assert not line or line.split(" ")[0] in KINDS, line
    assert len(line.encode()) < 60_000
    error = parse_error(line)
    assert error is None or (error.code in ERROR_CODES and error.code != "internal"), line


# ---- bytes and words


@BOUNDED
@given(st.binary(max_size=400))
def test_any_bytes(sent: bytes) -> None:
    check(sent, talk(sent))


COMMANDS = (
    "ugi uci isready uginewgame setoption position go stop ponderhit query quit # fen view startpos moves"
)
ARGUMENTS = (
    "p1 p2 p9 p0 p1:take=1 spice_road spice_road;players=3;seed=1 spice_road;seed=3 chess ; = : ~ ~? state="
)
LIMITS = "nodes 1 0 -1 99999999999999999999 movetime depth infinite ponder multipv searchid searchmoves perft"
OTHERS = (
    "rest take=1 take=9 play=+yy p1time wtime legal turn history observation hash options islegal describe é"
)
SETTINGS = "chance name value MultiPV Information full Hash TurnMoves true UGI_InfoJSON Ponder AllowResign"
VOCABULARY = f"{COMMANDS} {ARGUMENTS} {LIMITS} {OTHERS} {SETTINGS}".split(" ")
WORDS = st.sampled_from([*VOCABULARY, *HISTORY, "\x00", "\x85", "\t", "\r"])


@BOUNDED
@given(st.lists(st.lists(WORDS, max_size=8), max_size=12))
def test_any_words(lines: list[list[str]]) -> None:
    sent = "\n".join(" ".join(words) for words in lines).encode()
    check(sent, talk(sent))


GOOD = st.sampled_from(
    [
        "position startpos",
        "position fen spice_road;players=3;seed=1 moves take=1 p2:take=1",
        f"position fen spice_road moves {' '.join(HISTORY)}",
        f"position view p1 spice_road moves {' '.join(HISTORY)} take=1",
        "position fen spice_road;players=9",
        "go",
        "go infinite",
        "go ponder searchid 1",
        "go nodes 3",
        "go movetime 1 multipv 3",
        "go chance",
        "go searchmoves rest",
        "go perft 2",
        "stop",
        "ponderhit",
        "ponderhit nodes 1",
        "uginewgame",
        "isready x",
        "query legal",
        "query view p1",
        "query xyzzy",
        "setoption name TurnMoves value true",
        "setoption name Ponder value true",
        "setoption name Information value full",
        "setoption name UGI_InfoJSON value true",
    ]
)


@BOUNDED
@given(st.lists(GOOD, max_size=25))
def test_any_order_of_commands(lines: list[str]) -> None:
    sent = "\n".join(lines).encode()
    check(sent, talk(sent))


@settings(BOUNDED, max_examples=40)
@given(st.lists(GOOD, max_size=12))
def test_any_order_of_commands_with_the_real_search(lines: list[str]) -> None:
    sent = "\n".join(["setoption name Hash value 2", *lines]).encode()
    check(sent, talk(sent, SearchThinker()))


# ---- damaged sessions


SESSION = f"""ugi
setoption name Seed value 3
isready 1
position fen spice_road;players=3;seed=5 moves take=1 take=2 pay=y
query legal
query view p2
go p1time 100 p2time 100 p3time 100 searchid 4
position view p1 spice_road moves {" ".join(HISTORY)}
go infinite
stop
query observation p1
go perft 1
position fen spice_road
go chance
uginewgame
isready 2
"""


def damaged(generator: random.Random) -> bytes:
    """The session with a few cuts, copies, swaps and flipped bits."""
    data = bytearray(SESSION.encode())
    for _ in range(generator.randint(1, 12)):
        at, length = generator.randrange(len(data)), generator.randint(1, 40)
        piece = data[at : at + length]
        kind = generator.randrange(4)
        if kind == 0:
            del data[at : at + length]
        elif kind == 1:
            data[at:at] = piece * generator.randint(1, 4)
        elif kind == 2:
            data[at] ^= 1 << generator.randrange(8)
        else:
            data[at : at + length] = reversed(piece)
        data = data or bytearray(b"go")
    return bytes(data)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_sessions(seed: int) -> None:
    generator = random.Random(seed)
    for _ in range(25):
        sent = damaged(generator)
        check(sent, talk(sent))
