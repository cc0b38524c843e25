"""Checks of the handshake, the form of lines, and options."""

from __future__ import annotations

import json
import time

from serai.protocol.compliance_probe import FailedCheckError, Probe, SkippedCheckError
from serai.protocol.compliance_registry import Checks, Context, expect
from serai.protocol.errors import EngineRefusal
from serai.protocol.messages import Option, parse_error, parse_game, parse_option, split
from serai.protocol.settings import option_text

CHECKS = Checks()
STANDARD = (
    "Threads Hash MultiPV Ponder Seed Information DefaultMoveTime",
    "Move Overhead",
)
PROMPT = 0.1  # seconds for readyok
START = 1.0  # seconds for ugiok


def errors_in(lines: list[str]) -> list[str]:
    """The codes of the error lines among some lines."""
    return [error.code for line in lines if (error := parse_error(line)) is not None]


@CHECKS.add("handshake", "ugi is answered by id, game, option lines and ugiok within 1 s of the start")
def handshake(context: Context) -> str:
    """Section 2."""
    began = time.monotonic()
    probe = context.start(greet=False)
    probe.send("ugi")
    lines = probe.until("ugiok", max(context.timeout, START * context.slack), "ugi")
    seconds = lines[-1][0] - began
    expect(seconds <= START * context.slack, f"ugiok came {seconds:.2f} s after the start")
    words = {split(line)[0] for _, line in lines}
    expect(words <= {"id", "game", "option", "ugiok"}, f"other lines in the handshake: {sorted(words)}")
    starts = {tuple(split(line)[:3]) for _, line in lines}
    expect(("id", "protocol", "ugi-n") in starts, "no line `id protocol ugi-n 1`")
    expect(any(start[:2] == ("id", "name") for start in starts), "no line `id name …`")
    return f"{seconds:.2f} s"


@CHECKS.add("uci", "uci is an alias of ugi, answered with uciok")
def uci(context: Context) -> None:
    """Section 2."""
    probe = context.start(greet=False)
    probe.send("uci")
    probe.until("uciok", what="uci")


@CHECKS.add("games", "every game line can be read")
def games(context: Context) -> str:
    """Section 2."""
    lines = [line for line in context.start(greet=False).greet() if split(line)[0] == "game"]
    expect(lines, "no game line")
    for line in lines:
        game = parse_game(line)
        if game is None or not 1 <= game.fewest <= game.most:
            raise FailedCheckError(f"can't be read: {line}")
    return f"{len(lines)} of them"


@CHECKS.add(
    "options", "every option line can be read, has a possible default, and the standard ones are there"
)
def options(context: Context) -> str:
    """Section 2."""
    lines = [line for line in context.start(greet=False).greet() if split(line)[0] == "option"]
    for line in lines:
        option = parse_option(line)
        if option is None:
            raise FailedCheckError(f"can't be read: {line}")
        _possible(option, line)
    found = context.options()
    expect(len(found) == len(lines), "an option is announced twice")
    missing = [name for name in (*STANDARD[0].split(), STANDARD[1]) if name not in found]
    expect(not missing, f"missing: {', '.join(missing)}")
    return f"{len(lines)} of them"


def _possible(option: Option, line: str) -> None:
    if option.type == "spin":
        expect(option.minimum is not None and option.maximum is not None, f"no limits: {line}")
    try:
        option_text(option, option.default)
    except EngineRefusal as refusal:
        raise FailedCheckError(f"impossible default: {line}: {refusal}") from None


@CHECKS.add("isready", "isready is answered with its tag, in order, within 100 ms")
def isready(context: Context) -> str:
    """Section 2."""
    probe = context.start()
    began = probe.send("isready a", "isready", "isready c-3")
    got = [probe.until("readyok")[-1] for _ in range(3)]
    answers = [line for _, line in got]
    expect(answers == ["readyok a", "readyok", "readyok c-3"], f"answers: {answers}")
    return _prompt(got[-1][0] - began, context, "readyok")


def _prompt(seconds: float, context: Context, what: str) -> str:
    expect(seconds <= PROMPT * context.slack, f"{what} took {seconds * 1000:.0f} ms")
    return f"{seconds * 1000:.0f} ms"


@CHECKS.add("isready-search", "isready is answered within 100 ms during a search, which goes on")
def isready_in_search(context: Context) -> str:
    """Section 2."""
    probe = context.start()
    probe.sync(context.guide().opening().line)
    probe.send("go infinite searchid s1")
    probe.until("info")
    slowest = 0.0
    for tag in range(30):
        began = probe.send(f"isready {tag}")
        lines = probe.until("readyok", what=f"isready {tag} in a search")
        expect(lines[-1][1] == f"readyok {tag}", f"isready {tag} was answered {lines[-1][1]!r}")
        expect(all(split(line)[:1] != ["bestmove"] for _, line in lines), "isready ended the search")
        slowest = max(slowest, lines[-1][0] - began)
    probe.send(*(f"isready f{tag}" for tag in range(200)))
    for tag in range(200):
        line = probe.until("readyok")[-1][1]
        expect(line == f"readyok f{tag}", f"isready f{tag} was answered {line!r}")
    expect(probe.go("stop").best.searchid == "s1", "stop ended another search")
    return _prompt(slowest, context, "readyok")


@CHECKS.add("line-forms", "CR LF, tabs, blank lines, # comments and capitals are understood")
def line_forms(context: Context) -> None:
    """Section 1."""
    probe = context.start()
    probe.send_bytes(b"\r\n\n   \n\t\n# isready no\n  isready a\r\nIsReady\tb\t\r\nISREADY   c  \n")
    for tag in "abc":
        lines = [line for _, line in probe.until("readyok", what="isready in another form")]
        expect(lines == [f"readyok {tag}"], f"instead of readyok {tag}: {lines}")
    spec = context.guide().opening().text.spec
    got = probe.sync(f"  POSITION\tFen  {spec} ", "query\tTURN")
    expect(len(got) == 1 and got[0].startswith("response p"), f"POSITION with tabs: {got}")


@CHECKS.add("unknown", "unknown commands, tokens, queries and options are refused by name and do no harm")
def unknown(context: Context) -> None:
    """Sections 1 and 7."""
    probe = context.start()
    line = context.guide().opening().line
    for sent, code in (
        ("fly me to the moon", "unknown-command"),
        ("bestmove x", "unknown-command"),
        ("query weather", "unknown-query"),
        ("setoption name Colour value red", "unknown-option"),
    ):
        got = probe.sync(line, sent)
        expect(errors_in(got) == [code], f"{sent!r}: wanted error {code}, got {got}")
    answer = probe.go(line, "go nodes 1 sideways 3")
    codes = {error.code for error in answer.errors}
    expect("unknown-token" in codes, "go nodes 1 sideways 3: no error unknown-token")
    expect(answer.best.moves, "go nodes 1 sideways 3: no move")


@CHECKS.add("setoption", "options are set whatever the case; bad values are refused and the old value stays")
def setoption(context: Context) -> None:
    """Section 2."""
    probe = context.start()
    for name, option in context.options().items():
        _try_option(probe, name, option)
    got = probe.sync("setoption", "setoption name", "setoption value 3", "setoption nom X value 1")
    expect(len(errors_in(got)) == 4, f"four setoption lines without a name got {got}")
    if "Move Overhead" in context.options():
        got = probe.sync("SETOPTION  Name  move OVERHEAD  Value  33")
        expect(not errors_in(got), f"Move Overhead was not set: {got}")
        expect(_value(probe, "Move Overhead") == "33", "Move Overhead has not changed")


def _try_option(probe: Probe, name: str, option: Option) -> None:
    above = str((option.maximum or 0) + 1)
    bad = {"spin": ["many", above, ""], "check": ["maybe"], "combo": ["no such word"]}
    before = _value(probe, name)
    for value in bad.get(option.type, []):
        got = probe.sync(f"setoption name {name} value {value}".rstrip())
        expect(errors_in(got) == ["bad-value"], f"{name} value {value!r}: wanted error bad-value, got {got}")
        expect(_value(probe, name) == before, f"{name} has changed after a bad value")
    probe.sync(f"setoption name {name}")  # a button, an empty text, or an error: no crash
    if option.type != "button":
        got = probe.sync(f"setoption name {name} value {option.default}".rstrip())
        expect(not errors_in(got), f"{name} refuses its own default: {got}")


def _value(probe: Probe, name: str) -> str | None:
    """The value of an option as the engine tells it; None if it doesn't."""
    try:
        values = json.loads(probe.ask("options"))
    except ValueError as error:
        raise FailedCheckError(f"query options is no JSON: {error}") from None
    value = values.get(name)
    return str(value).lower() if isinstance(value, bool) else None if value is None else str(value)


@CHECKS.add("option-text", "text options take spaces, non-ASCII letters and the empty text")
def option_texts(context: Context) -> None:
    """Section 2; the word value may stand in the value. Texts that name something may be refused."""
    found = context.options().values()
    names = ("Game", "File", "Path")
    texts = [x for x in found if x.type == "string" and not any(word in x.name for word in names)]
    if not texts:
        raise SkippedCheckError("no option of type string")
    probe = context.start()
    for value in ("p1=human p3=Serai", "/tmp/ä ö/文", "a value b", ""):
        got = probe.sync(f"setoption name {texts[0].name} value {value}")
        expect(not got, f"{texts[0].name} value {value!r}: {got}")
        expect((_value(probe, texts[0].name) or "") == value, f"{texts[0].name} is not {value!r}")


@CHECKS.add("setoption-search", "setoption during a search is refused as busy and doesn't block")
def setoption_in_search(context: Context) -> None:
    """Section 2."""
    context.needs("Hash")
    probe = context.start()
    probe.sync(context.guide().opening().line)
    probe.send("go infinite")
    got = probe.sync("setoption name Hash value 2")
    expect("busy" in errors_in(got), f"wanted error busy, got {got[-3:]}")
    expect(probe.go("stop").best.moves, "no move after it")
