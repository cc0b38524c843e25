"""Tournament files and what they make: each value, each refusal, and that equal plans are known as equal."""

from __future__ import annotations

import dataclasses
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serai.bots.guard import KINDS
from serai.bots.time_control import TimeControl
from serai.bots.tournament.plan import (
    FORMATS,
    MOST_ENTRANTS,
    POLICIES,
    Entrant,
    FaultPolicy,
    Plan,
    as_data,
    command_of,
)
from serai.bots.tournament.plan_file import EXAMPLE, plan_of, read_plan
from serai.bots.tournament.sprt import Sprt
from serai.core.errors import SetupError
from serai.core.tables import MAX_BYTES

TWO = [{"engine": "serai"}, {"engine": "random"}]
WHOLE = """
game = "spice_road;variant=base"
seats = 2
format = "sprt"
games = 44
rotations = "all"
seed = 9
margin = 0.25
patience = 3
max_plies = 70
referee = "cmd:./referee"
audit = "serai"
trusted = true
nodes = 500

[faults]
default = "count"
hung = "abort"
crash = "void"

[sprt]
h0 = 0.5
h1 = 0.6
alpha = 0.1
beta = 0.2
min_blocks = 4

[[entrants]]
name = "mine"
engine = "serai[Skill=5,Hash=8]"
options = { Threads = 2, Ponder = true, "Move Overhead" = 1.5, Style = "calm" }
clock = "1:00+0.5/3"
ponder = true

[[entrants]]
engine = "random"
"""


def with_entrant(**values: Any) -> dict[str, Any]:
    return {"entrants": [{"engine": "serai", **values}, {"engine": "random"}]}


def written(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


# ---- what a file can say


def test_every_key_arrives(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, WHOLE))
    mine = Entrant(
        "mine",
        "serai[Skill=5,Hash=8]",
        (("Threads", "2"), ("Ponder", "true"), ("Move Overhead", "1.5"), ("Style", "calm")),
        TimeControl(clock=(60.0, 0.5), byo=3.0),
        ponder=True,
    )
    assert plan == Plan(
        (mine, Entrant("random", "random", control=TimeControl(nodes=500))),
        game="spice_road;variant=base",
        seats=2,
        format="sprt",
        games=44,
        rotations="all",
        seed=9,
        faults=FaultPolicy("count", (("hung", "abort"), ("crash", "void"))),
        margin=0.25,
        patience=3.0,
        max_plies=70,
        referee="cmd:./referee",
        audit="serai",
        trusted=True,
        sprt=Sprt(0.5, 0.6, 0.1, 0.2, 4),
    )
    assert set(vars(plan)) == set(tomllib.loads(WHOLE)) - {"nodes"}  # a field that the file can't set is lost
    assert mine.settings == {
        "Skill": "5",
        "Hash": "8",
        "Threads": "2",
        "Ponder": "true",
        "Move Overhead": "1.5",
        "Style": "calm",
    }
    assert mine.threads == 2


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, '[[entrants]]\nengine="serai"\n[[entrants]]\nengine="random"'))
    limit = TimeControl(turn=0.5)
    assert plan == Plan(
        (Entrant("serai", "serai", control=limit), Entrant("random", "random", control=limit))
    )


def test_as_many_seats_as_entrants_up_to_five() -> None:
    many = [{"engine": f"ismcts:width={width}"} for width in range(1, 8)]
    assert [plan_of({"entrants": many[:count]}, "x").seats for count in (2, 3, 5, 7)] == [2, 3, 5, 5]


def test_the_example_parses(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, EXAMPLE))
    assert plan.names == ("serai", "half asleep", "theirs")
    assert plan.entrants[2].control == TimeControl(turn=0.25)
    assert plan.entrants[2].settings == {"Threads": "1"}
    assert plan.faults.of("time") == "count"
    assert plan.faults.of("crash") == "rank-last"


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ({"time": 2}, TimeControl(turn=2.0)),
        ({"nodes": 70}, TimeControl(nodes=70)),
        ({"clock": "60+1"}, TimeControl(clock=(60.0, 1.0))),
        ({"clock": "10:00/30"}, TimeControl(clock=(600.0, 0.0), byo=30.0)),
        ({"clock": [0, 0.5, 3]}, TimeControl(clock=(0.0, 0.5), byo=3.0)),
    ],
)
def test_each_entrant_may_have_a_limit_of_its_own(text: dict[str, Any], control: TimeControl) -> None:
    mine, other = plan_of({**with_entrant(**text), "nodes": 5}, "x").entrants
    assert mine.control == control
    assert other.control == TimeControl(nodes=5)
    assert [entrant.control for entrant in plan_of({"entrants": TWO, **text}, "x").entrants] == [control] * 2


def test_an_override_replaces_the_value_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)
    changed = read_plan(path, {"seed": 3, "time": 0.25, "faults": {"default": "void"}, "sprt": {"h1": 0.7}})
    assert changed.seed == 3
    assert changed.entrants[1].control == TimeControl(turn=0.25)
    assert changed.entrants[0].control.clock == (60.0, 0.5)  # its own stands
    assert changed.faults == FaultPolicy("void")
    assert changed.sprt == Sprt(0.5, 0.7, 0.1, 0.2, 4)


def test_what_engines_are_called_and_how_they_are_started() -> None:
    here = [sys.executable, "-m", "serai.bots.cli"]
    assert command_of("serai") == command_of("serai[Skill=5]") == here
    assert command_of("ismcts:width=3") == [*here, "engine", "ismcts:width=3"]
    assert command_of("mine.py:Miser") == [*here, "engine", "mine.py:Miser"]
    assert command_of("cmd:./a 'b c' --d") == ["./a", "b c", "--d"]
    assert command_of("cmd[Hash=1, Style=calm]:x") == ["x"]
    assert Entrant("x", "cmd[Hash=1, Style = so so]:y").settings == {"Hash": "1", "Style": "so so"}
    assert plan_of({"entrants": TWO, "audit": "cmd:a b"}, "x").commands == {
        "serai": here,
        "random": [*here, "engine", "random"],
        "(referee)": here,
        "(audit)": ["a", "b"],
    }


# ---- what it can't say

HUGE = 16**5000  # hexadecimal ones of any length are read, and can't be printed
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]

REFUSALS: list[tuple[Any, str]] = [
    (None, "cup: must be a table, not None"),
    ([1], r"cup: must be a table, not \[1\]"),
    (HUGE, "cup: must be a table, not such a int"),
    ({}, "cup: entrants must be 2 to 64, not 0"),
    ({"entrants": TWO[:1]}, "cup: entrants must be 2 to 64, not 1"),
    ({"entrants": TWO * 33}, "cup: entrants must be 2 to 64, not 66"),
    ({"entrants": {"a": 1}}, "cup: entrants: must be a list of tables"),
    ({"entrants": [1, 2]}, "cup: entrant 1: must be a table, not 1"),
    ({"entrants": [TWO[0], {}]}, "cup: entrant 2: engine: is missing: serai, planner, cmd:COMMAND"),
    ({"entrants": [TWO[0], TWO[0]]}, "cup: two entrants are called 'serai'; give each a name"),
    (with_entrant(name=""), "cup: entrant 1: an entrant's name is 1 to 100 printable characters, not ''"),
    (with_entrant(name=" "), "cup: entrant 1: an entrant's name"),
    (with_entrant(name="x" * 101), "cup: entrant 1: an entrant's name"),
    (with_entrant(name="a\x1b[2J"), "cup: entrant 1: an entrant's name"),
    (with_entrant(name="a\nb"), "cup: entrant 1: an entrant's name"),
    (with_entrant(name=5), "cup: entrant 1: name: must be text, not 5"),
    (with_entrant(name="x", engine=""), "cup: entrant 1: an engine is missing"),
    (with_entrant(engine=7), "cup: entrant 1: engine: must be text, not 7"),
    (with_entrant(engine="cmd:"), "cup: entrant 1: .*a command must follow, as in cmd:./engine"),
    (with_entrant(engine="cmd:'a"), "cup: entrant 1: cmd:'a: No closing quotation"),
    (with_entrant(engine="cmd"), "cup: entrant 1: cmd: a command must follow"),
    (with_entrant(engine="serai:x"), "cup: entrant 1: serai:x: serai takes no command; options are written"),
    (with_entrant(engine="serai[Skill]"), r"cup: entrant 1: .*'Skill' must be Option=value"),
    (with_entrant(engine="cmd[=3]:x"), "cup: entrant 1: .*'=3' must be Option=value"),
    (with_entrant(engine=["a", "b"]), "cup: entrant 1: engine: must be text"),
    (with_entrant(options=3), "cup: entrant 1: options: must be a table, not 3"),
    (with_entrant(options={"A": []}), "cup: entrant 1: options: A: must be text, a number, true or false"),
    (with_entrant(options={"A": HUGE}), "cup: entrant 1: options: A: is too large"),
    (with_entrant(options={1: "a"}), "cup: entrant 1: options: has a name that is no text"),
    (with_entrant(ponder=1), "cup: entrant 1: ponder: must be true or false, not 1"),
    (with_entrant(time=1, nodes=2), "cup: entrant 1: time, nodes, clock: give one of them"),
    (with_entrant(time=float("nan")), "cup: entrant 1: time: must be a number, not nan"),
    (with_entrant(time=float("inf")), "cup: entrant 1: the time per turn must be above 0 and at most 86400"),
    (with_entrant(time=0), "cup: entrant 1: the time per turn must be above 0"),
    (with_entrant(time=True), "cup: entrant 1: time: must be a number, not True"),
    (with_entrant(time=HUGE), "cup: entrant 1: time: is too large"),
    (with_entrant(nodes=0), "cup: entrant 1: nodes must be at least 1, not 0"),
    (with_entrant(nodes=1.5), "cup: entrant 1: nodes: must be a whole number, not 1.5"),
    (with_entrant(nodes=HUGE), "cup: entrant 1: nodes: is too large"),
    (with_entrant(clock="soon"), r"cup: entrant 1: a clock is written SECONDS\+INCREMENT .*not 'soon'"),
    (with_entrant(clock="0"), "cup: entrant 1: the clock must start above 0"),
    (with_entrant(clock=60), r"cup: entrant 1: clock: must be text as 60\+1, not 60"),
    (with_entrant(clock=[60, 1]), "cup: entrant 1: a clock is text .* or three numbers from 0 to 86400"),
    (with_entrant(clock=[60, float("nan"), 0]), "cup: entrant 1: a clock is text"),
    (with_entrant(clock=[60, -1, 0]), "cup: entrant 1: a clock is text"),
    (with_entrant(clock=[60, float("inf"), 0]), "cup: entrant 1: a clock is text"),
    (with_entrant(clock=[True, 1, 1]), "cup: entrant 1: a clock is text"),
    (with_entrant(clock=[HUGE, 1, 1]), "cup: entrant 1: a clock is text .*not such a list"),
    (with_entrant(elo=3), "cup: entrant 1: elo: isn't known here; known: clock engine name nodes options"),
    ({"entrants": TWO, "gmaes": 3}, "cup: gmaes: isn't known here; known: .*games"),
    ({"entrants": TWO, 5: 3}, "cup: 5: isn't known here"),
    ({"entrants": TWO, "seats": 1}, "cup: seats must be 2 to 9, not 1"),
    ({"entrants": TWO, "seats": 10}, "cup: seats must be 2 to 9, not 10"),
    ({"entrants": TWO, "seats": 2.0}, "cup: seats: must be a whole number, not 2.0"),
    ({"entrants": TWO, "seats": True}, "cup: seats: must be a whole number, not True"),
    ({"entrants": TWO, "seats": 3}, "cup: round-robin at 3 seats needs 3 entrants, not 2; .*'field'"),
    (
        {"entrants": TWO, "format": "swiss"},
        "cup: format must be one of round-robin gauntlet field mixed sprt",
    ),
    ({"entrants": TWO, "format": 2}, "cup: format: must be text"),
    ({"entrants": TWO, "games": 0}, "cup: games must be 1 to 1e.06, not 0"),
    ({"entrants": TWO, "games": HUGE}, "cup: games: is too large"),
    ({"entrants": TWO, "rotations": "some"}, "cup: rotations must be one of cyclic all, not 'some'"),
    (
        {"entrants": TWO, "rotations": "all", "seats": 5, "format": "field"},
        "cup: rotations = 'all' is for up",
    ),
    ({"entrants": TWO, "seed": -1}, "cup: seed must be 0 to "),
    ({"entrants": TWO, "seed": 2**63}, "cup: seed must be 0 to "),
    ({"entrants": TWO, "seed": HUGE}, "cup: seed: is too large"),
    ({"entrants": TWO, "seed": "x"}, "cup: seed: must be a whole number, not 'x'"),
    ({"entrants": TWO, "margin": -1}, "cup: margin must be 0 to 3600, not -1.0"),
    ({"entrants": TWO, "margin": float("nan")}, "cup: margin: must be a number, not nan"),
    ({"entrants": TWO, "patience": 0}, "cup: patience must be 0.1 to 86400, not 0.0"),
    ({"entrants": TWO, "patience": float("inf")}, "cup: patience must be 0.1 to 86400, not inf"),
    ({"entrants": TWO, "max_plies": 0}, "cup: max_plies must be 1 to 60000, not 0"),
    ({"entrants": TWO, "referee": ""}, "cup: referee: an engine is missing"),
    ({"entrants": TWO, "audit": "cmd:"}, "cup: audit: cmd:: a command must follow"),
    ({"entrants": TWO, "trusted": "yes"}, "cup: trusted: must be true or false, not 'yes'"),
    ({"entrants": TWO, "game": ""}, "cup: game must be one word, as spice_road, not ''"),
    ({"entrants": TWO, "game": "a b"}, "cup: game must be one word"),
    ({"entrants": TWO, "game": "spice_road\n"}, "cup: game must be one word"),
    ({"entrants": TWO, "game": "spice_road\x1b[2J"}, "cup: game must be one word"),
    ({"entrants": TWO, "game": "x;seed=3"}, "cup: game: leave out seed=; the tournament deals by itself"),
    ({"entrants": TWO, "game": "x;players=3"}, "cup: game: leave out players="),
    ({"entrants": TWO, "game": "x;state=abc"}, "cup: game: leave out state="),
    ({"entrants": TWO, "game": DEEP}, "cup: game: must be text, not such a list"),
    ({"entrants": TWO, "faults": []}, r"cup: faults: must be a table, not \[\]"),
    ({"entrants": TWO, "faults": {"time": 3}}, "cup: faults: time: must be text, not 3"),
    ({"entrants": TWO, "faults": {"time": "no"}}, "cup: faults: time: the policy must be one of rank-last"),
    ({"entrants": TWO, "faults": {"default": "no"}}, "cup: faults: default: the policy must be one of"),
    ({"entrants": TWO, "faults": {"late": "count"}}, "cup: faults: no kind 'late' of fault; there are: time"),
    ({"entrants": TWO, "sprt": {"h0": 0.5, "h1": 0.6}}, "cup: .sprt. goes with format = 'sprt'"),
    ({"entrants": TWO, "format": "sprt"}, "cup: an SPRT is between 2 entrants, and needs its bounds"),
    ({"entrants": TWO, "format": "sprt", "sprt": {"h0": 0.5}}, "cup: sprt: h1: is missing: a share"),
    ({"entrants": TWO, "format": "sprt", "sprt": {"h0": 0.5, "h1": 0.4}}, "cup: sprt: a test needs 0 < h0"),
    ({"entrants": TWO, "format": "sprt", "sprt": {"h0": "a"}}, "cup: sprt: h0: must be a number, not 'a'"),
    (
        {"entrants": TWO, "format": "sprt", "sprt": {"h2": 1, "h0": 0.1, "h1": 0.2}},
        "cup: sprt: h2: isn't known",
    ),
    (
        {"entrants": [*TWO, {"engine": "a"}], "format": "sprt", "sprt": {"h0": 0.4, "h1": 0.5}},
        "cup: an SPRT is",
    ),
]


@pytest.mark.parametrize(("data", "words"), REFUSALS, ids=[words[:60] for _, words in REFUSALS])
def test_a_refusal_names_the_place_and_the_rule(data: Any, words: str) -> None:
    with pytest.raises(SetupError, match=f"^{words}"):
        plan_of(data, "cup")


def test_too_many_tables_are_refused() -> None:
    many = [{"engine": f"ismcts:width={width + 1}"} for width in range(MOST_ENTRANTS)]
    with pytest.raises(SetupError, match="more than 10000 tables; format = 'mixed'"):
        plan_of({"entrants": many, "seats": 3}, "x")
    assert plan_of({"entrants": many, "seats": 3, "format": "mixed"}, "x").seats == 3


def test_an_entrant_needs_a_limit() -> None:
    with pytest.raises(SetupError, match="slow: without a limit"):
        Entrant("slow", "serai", control=TimeControl())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "entrants must be 2 to 64"),
        (b"games = ", "Invalid value"),
        (b"\xff\xfe", "utf-8"),
        (b"a = " + b"[" * 50_000, "recursion|Unclosed"),
        (b"seed = " + b"9" * 5000, "4300 digits"),
        (b"seed = 0x" + b"f" * 5000, "seed: is too large"),
        (b"#" * (MAX_BYTES + 1), "larger than 1000000 bytes"),
        (b"seed = 1\nseed = 2", "overwrite"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_file_that_is_none_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_bytes(content)
    with pytest.raises(SetupError, match=f"(?s)cup.toml: .*({words})"):
        read_plan(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "cup.toml", tmp_path, Path("/dev/zero"), tmp_path / ("x" * 400)):
        with pytest.raises(SetupError):
            read_plan(path)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.sampled_from([*FORMATS, *POLICIES, *KINDS, "serai", "random", "cmd:./x", "all", "60+1", "a", ""])
VALUES = JUNK | WORDS | st.integers(-1, 12) | st.floats(0, 2) | st.lists(st.floats(0, 99), max_size=4)


def tables(*names: str, **more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={**dict.fromkeys(names, VALUES), **more})


ENTRANT = tables("clock", "time", "nodes", "ponder", "name", engine=WORDS | VALUES, options=JUNK)
PLANS = tables(
    *("game", "seats", "format", "games", "rotations", "seed", "margin", "patience", "max_plies", "audit"),
    *("referee", "trusted", "time", "nodes", "clock", "junk"),
    entrants=st.lists(ENTRANT | st.sampled_from(TWO), max_size=4) | JUNK,
    faults=st.dictionaries(WORDS, WORDS | JUNK, max_size=3) | JUNK,
    sprt=tables("h0", "h1", "alpha", "beta", "min_blocks") | JUNK,
)


@settings(max_examples=1000)
@given(PLANS | JUNK)
def test_junk_is_a_plan_or_refused(data: Any) -> None:
    made = plan_or_refusal(data)
    if isinstance(made, Plan):
        assert_same_after_a_trip(made)
    else:
        assert made.startswith("cup: ")


def plan_or_refusal(data: Any) -> Plan | str:
    try:
        return plan_of(data, "cup")
    except SetupError as error:
        return str(error)


# ---- who a plan is


def assert_same_after_a_trip(plan: Plan) -> None:
    again = plan_of(msgpack.unpackb(msgpack.packb(as_data(plan))), "cup")
    assert again == plan
    assert again.identity == plan.identity
    assert as_data(again) == as_data(plan)


@pytest.mark.parametrize("text", [EXAMPLE, WHOLE])
def test_a_plan_survives_the_journal(text: str, tmp_path: Path) -> None:
    assert_same_after_a_trip(read_plan(written(tmp_path, text)))


@given(
    st.lists(st.sampled_from(KINDS), unique=True).flatmap(
        lambda kinds: st.tuples(*[st.tuples(st.just(kind), st.sampled_from(POLICIES)) for kind in kinds])
    ),
    st.floats(0, 3600),
    st.one_of(
        st.builds(lambda seconds: TimeControl(turn=seconds), st.floats(1e-9, 86_400)),
        st.builds(lambda nodes: TimeControl(nodes=nodes), st.integers(1, 10**12)),
        st.builds(
            lambda start, more, byo: TimeControl(clock=(start, more), byo=byo),
            *[st.floats(0.001, 1000)] * 3,
        ),
    ),
)
def test_any_plan_survives_the_journal(
    kinds: tuple[tuple[str, str], ...], margin: float, control: TimeControl
) -> None:
    entrants = tuple(Entrant(name, "serai", (("B", "1"), ("A", "2")), control) for name in ("a", "b"))
    assert_same_after_a_trip(Plan(entrants, faults=FaultPolicy("void", kinds), margin=margin))


OTHERS: dict[str, Callable[[Plan], Any]] = {
    "entrants": lambda plan: plan.entrants[::-1],
    "game": lambda plan: "another",
    "seats": lambda plan: 3,
    "format": lambda plan: "gauntlet",
    "rotations": lambda plan: "all",
    "seed": lambda plan: 5,
    "faults": lambda plan: FaultPolicy("void"),
    "margin": lambda plan: 0.75,
    "patience": lambda plan: 11.0,
    "max_plies": lambda plan: 9,
    "referee": lambda plan: "cmd:r",
    "trusted": lambda plan: True,
    "sprt": lambda plan: Sprt(0.2, 0.3),
}


def test_identity_depends_on_all_but_the_number_of_games_and_the_audit() -> None:
    entrants = tuple(Entrant(name, "serai") for name in "abc")
    plan = Plan(entrants, seats=2)
    found = {plan.identity}
    for name in vars(plan):
        if name in ("games", "audit"):
            same = dataclasses.replace(plan, **{name: 7 if name == "games" else "cmd:a"})
            assert same.identity == plan.identity
        elif name == "sprt":
            tests = [Plan(entrants[:2], format="sprt", sprt=Sprt(0.4, h1)) for h1 in (0.5, 0.6)]
            assert tests[0].identity != tests[1].identity
        else:
            found.add(dataclasses.replace(plan, **{name: OTHERS[name](plan)}).identity)
    assert len(found) == len(OTHERS)  # all but the SPRT, and the plan itself


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x"},
        {"engine": "random"},
        {"options": (("Hash", "1"),)},
        {"control": TimeControl(nodes=5)},
        {"ponder": True},
    ],
)
def test_identity_depends_on_all_of_an_entrant(change: dict[str, Any]) -> None:
    first, second = Entrant("a", "serai"), Entrant("b", "serai")
    assert Plan((dataclasses.replace(first, **change), second)).identity != Plan((first, second)).identity


def test_the_order_of_exceptions_means_nothing() -> None:
    kinds = (("time", "void"), ("crash", "count"))
    plans = [
        Plan((Entrant("a", "serai"), Entrant("b", "serai")), faults=FaultPolicy("count", k))
        for k in (kinds, kinds[::-1])
    ]
    assert plans[0] == plans[1]
    assert plans[0].identity == plans[1].identity


def test_policies_are_told_by_kind() -> None:
    policy = FaultPolicy("void", (("crash", "count"),))
    assert [policy.of(kind) for kind in KINDS] == ["void", "void", "count", "void", "void"]


def test_a_file_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refusal:
        read_plan(tmp_path / "cup.toml")
    assert str(refusal.value) == f"{tmp_path / 'cup.toml'}: no such file"
