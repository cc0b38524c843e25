"""The compliance checks: good engines pass all of them, and each check catches the engine that breaks it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from serai.protocol import compliance
from serai.protocol.compliance import CheckResult
from serai.protocol.errors import EngineTerminated

pytestmark = pytest.mark.usefixtures("no_leftovers")

SLACK = 20.0  # times the protocol's limits, so that a busy machine fails nothing
JOBS = 6
TIMEOUT = 3.0  # seconds that a broken engine has for an answer

BREAKS = {
    "slow-start": "handshake",
    "chatter": "handshake",
    "no-uci": "uci",
    "bad-game-line": "games",
    "bad-option-line": "options",
    "no-tag": "isready",
    "isready-stops": "isready-search",
    "deaf-in-search": "isready-search",
    "case": "line-forms",
    "no-tabs": "line-forms",
    "silent-errors": "unknown",
    "any-value": "setoption",
    "ascii-options": "option-text",
    "setoption-in-search": "setoption-search",
    "keeps-old-position": "position-errors",
    "skips-illegal": "position-errors",
    "position-dies": "position-errors",
    "no-place": "error-place",
    "long-line-dies": "long-lines",
    "seed-in-view": "view",
    "view-tells": "hidden",
    "fen": "fen",
    "chance-sum": "chance",
    "chance-draw": "chance",
    "legal-count": "queries",
    "result": "end-of-game",
    "no-info": "go-limits",
    "win-length": "go-limits",
    "no-searchid": "go-limits",
    "slow-stop": "infinite",
    "infinite-ends": "infinite",
    "ponder-move": "ponder-move",
    "searchmoves": "searchmoves",
    "remembers-stop": "stop-idle",
    "two-answers": "one-answer",
    "drops-second-go": "one-answer",
    "error-only": "no-move",
    "illegal": "moves",
    "win-sum": "moves",
    "multipv": "multipv",
    "not-first": "multipv",
    "info-flood": "info-rate",
    "moody": "determinism",
    "perft": "perft",
    "peeks": "no-peek",
    "foresees": "no-peek",
    "seat-leak": "seat-leak",
    "ignore-quit": "quit",
    "ignore-eof": "end-of-input",
    "leaky": "memory",
}
STRICT = {"slow-start", "slow-stop", "ignore-quit", "ignore-eof"}  # caught by the limits themselves


@pytest.fixture(scope="module")
def caught(minimal_command: list[str]) -> dict[str, list[CheckResult]]:
    """For each way to break the minimal engine, the result of the check that should see it."""

    def walk(name: str) -> list[CheckResult]:
        slack = 1.0 if name in STRICT else SLACK
        command = [*minimal_command, "--break", name]
        return compliance.run(command, TIMEOUT, [BREAKS[name]], slack=slack, positions=20)

    with ThreadPoolExecutor(JOBS) as pool:
        return dict(zip(BREAKS, pool.map(walk, BREAKS), strict=True))


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_promise_is_seen(name: str, caught: dict[str, list[CheckResult]]) -> None:
    (result,) = caught[name]
    assert result.outcome == compliance.FAILED, result
    assert result.detail
    assert "> " in result.reproducer


def test_the_minimal_engine_passes(minimal_command: list[str]) -> None:
    results = compliance.run(minimal_command, slack=SLACK, positions=6, jobs=JOBS)
    assert not [result for result in results if result.outcome == compliance.FAILED]
    assert [result.name for result in results if result.outcome == compliance.SKIPPED] == ["rules"]


def test_our_own_engine_passes() -> None:
    command = [sys.executable, "-m", "serai.protocol.engine"]
    results = compliance.run(command, slack=SLACK, positions=6, jobs=JOBS)
    bad = [(result.name, result.detail) for result in results if result.outcome != compliance.OK]
    assert not bad
    assert [result.name for result in results] == compliance.names()


def test_a_carriage_return_in_the_output_is_seen(minimal_command: list[str]) -> None:
    command = [*minimal_command, "--break", "carriage-return"]
    result = compliance.run(command, only=["isready", "output"], slack=SLACK)[-1]
    assert (result.outcome, result.detail) == (compliance.FAILED, "a carriage return in the output")


def test_an_engine_without_handshake_is_not_walked_through(fake_command: str) -> None:
    results = compliance.run(f"{fake_command} mute", 0.5, ["uci", "isready"])
    assert [result.outcome for result in results] == [
        compliance.FAILED,
        compliance.SKIPPED,
        compliance.SKIPPED,
    ]
    assert compliance.exit_code(results) == 1


def test_unknown_checks_and_programs_are_refused() -> None:
    with pytest.raises(ValueError, match="no check is called"):
        compliance.run("true", only=["beauty"])
    with pytest.raises(EngineTerminated):
        compliance.run("no-such-program-anywhere")


def test_the_program_prints_a_table_and_a_reproducer(
    minimal_command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    only = ["--slack", str(SLACK), "--only", "uci,isready,rules"]
    assert compliance.main([*only, *minimal_command]) == 0
    out = capsys.readouterr().out
    assert "ok      uci" in out
    assert "skipped rules" in out
    assert out.endswith("2 ok, 0 FAILED, 1 skipped\n")
    assert compliance.main([*only, *minimal_command, "--break", "no-tag"]) == 1
    out = capsys.readouterr().out
    assert "FAILED  isready" in out
    assert "> isready a\n> isready\n> isready c-3\n< readyok\n" in out
    assert compliance.main(["no-such-program-anywhere"]) == 2
