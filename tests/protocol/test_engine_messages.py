"""The lines themselves: what is written is read back, and what can't be read is told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serai.protocol.commands import (
    Clock,
    CommandError,
    GoCommand,
    PositionCommand,
    format_go,
    format_position,
    format_setoption,
    fresh_clocks,
    parse_go,
    parse_position,
    parse_setoption,
)
from serai.protocol.messages import (
    ERROR_CODES,
    BestMove,
    ErrorLine,
    GameLine,
    Info,
    Option,
    centipawns,
    format_bestmove,
    format_error,
    format_game,
    format_info,
    format_infojson,
    format_option,
    parse_bestmove,
    parse_error,
    parse_game,
    parse_info,
    parse_infojson,
    parse_integer,
    parse_option,
    parse_seat,
    permilles,
    printable,
    split,
)

TOKEN = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12)
MOVE = st.sampled_from(["rest", "take=3", "play=yy>g*2", "play=up2,y>r", "~market=+yy", "p2:claim=1", "~c=?"])
MOVES = st.lists(MOVE, max_size=5).map(tuple)
NATURAL = st.integers(0, 10**12)
SOME = st.none() | NATURAL


@given(
    st.builds(
        Info,
        depth=SOME,
        multipv=SOME,
        cp=st.none() | st.integers(-2000, 2000),
        win=st.none() | st.lists(st.integers(0, 1000), min_size=2, max_size=5).map(tuple),
        vp=st.none() | st.lists(st.integers(-9, 200).map(float), min_size=2, max_size=5).map(tuple),
        nodes=SOME,
        searchid=st.none() | st.just("x7"),
        se=SOME,
        pv=st.none() | MOVES,
    )
)
def test_info_is_read_back(info: Info) -> None:
    assert parse_info(format_info(info)) == info


def test_the_fields_of_an_info_keep_their_order() -> None:
    line = (
        "info depth 12 seldepth 31 multipv 1 score cp 202 win 615 154 231 vp 22.2 15.5 14.8 nodes 3900 "
        "nps 480000 worlds 780 hashfull 12 time 8 searchid 42 visits 1300 se 14 pv p12"
    )
    info = parse_info(line)
    assert info is not None
    assert format_info(info) == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("info string nodes 3 pv x", Info(string="nodes 3 pv x")),
        ("info nodes x depth 3", Info(depth=3)),
        ("info score mate 3 depth 4 currmove e2e4", Info(depth=4)),
        ("info score cp 5 lowerbound nodes", Info(cp=5)),
        ("info win 1 x depth 2", Info(win=(1,), depth=2)),
        ("info nodes 99999999999999999999", Info()),
        ("  INFO\tDEPTH 3 \r", Info(depth=3)),
        ("information depth 3", None),
        ("", None),
    ],
)
def test_damaged_infos(line: str, expected: Info | None) -> None:
    assert parse_info(line) == expected


def test_an_overlong_info_loses_the_end_of_its_line() -> None:
    line = format_info(Info(depth=1, pv=("take=1",) * 20_000))
    assert len(line) < 60_000
    assert line.endswith(" take=1")


@given(MOVES, st.none() | MOVE, st.none() | st.just("7"))
def test_bestmove_is_read_back(moves: tuple[str, ...], ponder: str | None, searchid: str | None) -> None:
    best = BestMove(moves, ponder, searchid)
    assert parse_bestmove(format_bestmove(best)) == best


def test_no_bestmove() -> None:
    assert format_bestmove(BestMove(())) == "bestmove (none)"
    assert parse_bestmove("bestmove (none) searchid 3") == BestMove((), None, "3")
    assert parse_bestmove("bestmoves x") is None
    assert BestMove(("a", "b")).move == "a"
    assert BestMove(()).move is None


@pytest.mark.parametrize(
    "line",
    [
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name Information type combo default seat var seat var full",
        "option name UGI_Opponents type string default <empty>",
        "option name Clear type button",
        "option name mini type check default false",
    ],
)
def test_option_lines_are_read_back(line: str) -> None:
    option = parse_option(line)
    assert option is not None
    assert format_option(option) == line


def test_option_values_may_have_spaces() -> None:
    expected = Option("Book File", "string", "C:\\My Books\\a b.bin")
    assert parse_option("option name Book File type string default C:\\My Books\\a b.bin") == expected
    assert parse_option("option name X type combo default a b var a b var c") == Option(
        "X", "combo", "a b", choices=("a b", "c")
    )


@pytest.mark.parametrize(
    "line", ["option", "option name", "option name X", "option name X type y", "info", ""]
)
def test_damaged_options(line: str) -> None:
    assert parse_option(line) is None


def test_game_lines_are_read_back() -> None:
    game = GameLine("spice_road", 2, 5, True, False, 400)
    assert parse_game(format_game(game)) == game
    assert parse_game("game name x players 2") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("setoption name Threads value 2", ("Threads", "2")),
        ("setoption name Move Overhead value 2", ("Move Overhead", "2")),
        ("setoption\tname\tMove  Overhead\tvalue\t a  b ", ("Move Overhead", "a  b")),
        ("SetOption NAME x VALUE y", ("x", "y")),
        ("setoption name Clear", ("Clear", None)),
        ("setoption name x value", ("x", "")),
        ("setoption name value value value", ("value", "value")),
        ("setoption name the value value 3", ("the", "value 3")),
        ("setoption name x value /tmp/Ünï cödé", ("x", "/tmp/Ünï cödé")),
    ],
)
def test_setoption(line: str, expected: tuple[str, str | None]) -> None:
    assert parse_setoption(line) == expected


@pytest.mark.parametrize(
    "line", ["setoption", "setoption name", "setoption name ", "setoption Threads value 2"]
)
def test_damaged_setoption(line: str) -> None:
    with pytest.raises(CommandError, match="setoption name NAME"):
        parse_setoption(line)


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1).filter(
        lambda t: t.lower() != "value"
    ),
    st.none() | st.text(st.characters(min_codepoint=33, max_codepoint=126)),
)
def test_setoption_is_read_back(name: str, value: str | None) -> None:
    assert parse_setoption(format_setoption(name, value)) == (name, value)


CLOCKS = st.dictionaries(
    st.integers(0, 8),
    st.builds(Clock, time=st.integers(1, 10**9), inc=st.integers(0, 10**6), byo=st.integers(0, 10**6)),
    max_size=5,
)


@given(
    st.builds(
        GoCommand,
        clocks=CLOCKS,
        movestogo=SOME,
        movetime=SOME,
        nodes=st.none() | st.integers(1, 10**12),
        depth=st.none() | st.integers(1, 99),
        infinite=st.booleans(),
        ponder=st.booleans(),
        multipv=st.none() | st.integers(1, 50),
        searchid=st.none() | st.just("q"),
        searchmoves=st.none() | MOVES,
        perft=st.none() | st.integers(0, 20),
        chance=st.booleans(),
    )
)
def test_go_is_read_back(command: GoCommand) -> None:
    assert parse_go(split(format_go(command))[1:]) == (command, [])


@given(st.lists(TOKEN, max_size=30))
def test_any_words_after_go_are_read(tokens: list[str]) -> None:
    command, complaints = parse_go(tokens)
    assert len(complaints) <= 8
    assert {code for code, _ in complaints} <= set(ERROR_CODES)
    assert parse_go(split(format_go(command))[1:])[0] == command or command.clocks


def test_ponderhit_may_bring_fresh_clocks() -> None:
    command = GoCommand(clocks={0: Clock(9), 1: Clock(8)}, ponder=True, nodes=3)
    later = fresh_clocks(command, GoCommand(clocks={0: Clock(5)}, movetime=4))
    assert later == GoCommand(clocks={0: Clock(5), 1: Clock(8)}, nodes=3, movetime=4)


@given(
    st.one_of(
        st.builds(PositionCommand, spec=st.none(), moves=MOVES),
        st.builds(PositionCommand, spec=TOKEN, seat=st.none() | st.integers(0, 8), moves=MOVES),
    )
)
def test_position_is_read_back(command: PositionCommand) -> None:
    assert parse_position(split(format_position(command))[1:]) == command


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "syntax"),
        ("fen", "syntax"),
        ("view p1", "syntax"),
        ("view p0 x", "bad-value"),
        ("view p10 x", "bad-value"),
        ("startpos take=1", "syntax"),
        ("fen x mvoes y", "syntax"),
    ],
)
def test_damaged_positions(line: str, code: str) -> None:
    with pytest.raises(CommandError) as caught:
        parse_position(split(line))
    assert caught.value.code == code


def test_errors_are_read_back() -> None:
    line = format_error("illegal-move", "at=4 token=rest why\nnot")
    assert line == "error illegal-move at=4 token=rest why?not"
    error = parse_error(line)
    assert error == ErrorLine("illegal-move", "at=4 token=rest why?not")
    assert (error.field("at"), error.field("token"), error.field("x")) == ("4", "rest", None)
    assert parse_error("response error hidden") == ErrorLine("hidden")
    assert parse_error("errors") is None


def test_infojson_is_read_back() -> None:
    report = {"id": None, "moves": [{"move": "play=ü", "win": [0.5, 0.5]}], "isDuringSearch": False}
    assert parse_infojson(format_infojson(report)) == report
    for damaged in ("infojson", "infojson {", "infojson []", "info {}", "infojson " + "[" * 10_000):
        assert parse_infojson(damaged) is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_permilles_always_sum_to_a_thousand(shares: list[float]) -> None:
    rounded = permilles(shares)
    assert sum(rounded) == 1000
    assert min(rounded) >= 0
    assert len(rounded) == len(shares)


def test_permilles_of_nonsense() -> None:
    assert permilles([float("nan"), 0.0, float("inf")]) == (334, 333, 333)


def test_centipawns() -> None:
    assert [centipawns(1 / n, n) for n in (2, 3, 4, 5)] == [0, 0, 0, 0]
    assert centipawns(0.64, 2) == 100
    assert (centipawns(0.0, 2), centipawns(1.0, 2)) == (-1200, 1200)


@pytest.mark.parametrize("text", ["", "+", "1.0", "1e3", "0x1", "１", "1_0", " 1", "9" * 19])
def test_what_is_no_integer(text: str) -> None:
    assert parse_integer(text) is None


def test_seats() -> None:
    assert [parse_seat(text) for text in ("p1", "P9", "p0", "p10", "1", "p", "p²")] == [0, 8, *[None] * 5]


@given(st.text())
def test_foreign_text_stays_on_its_line(text: str) -> None:
    shown = printable(text)
    assert len(shown) <= 80
    assert shown.isprintable()
