"""Checks of the process: how it ends, what it costs, and what it says in all."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from serai.protocol.compliance_probe import FailedCheckError, Probe, SkippedCheckError
from serai.protocol.compliance_registry import Checks, Context, expect

CHECKS = Checks()
END = 1.0  # seconds to end
GROWTH = 24.0  # MB that many positions may cost
IDLE = 0.02  # of a core that an idle engine may use, clock ticks being coarse
TICKS = 2.0  # seconds of looking at an idle engine


@CHECKS.add("quit", "quit ends it with exit code 0 within 1 s, also during a search")
def quits(context: Context) -> None:
    """Section 2."""
    for probe, what in _idle_and_searching(context):
        probe.send("quit")
        _ended(probe, context, f"quit {what}")


@CHECKS.add("end-of-input", "the end of its input ends it within 1 s, also during a search")
def end_of_input(context: Context) -> None:
    """Section 1."""
    for probe, what in _idle_and_searching(context):
        probe.close_input()
        _ended(probe, context, f"end of input {what}")


def _idle_and_searching(context: Context) -> Iterator[tuple[Probe, str]]:
    yield context.start(), "while idle"
    probe = context.start()
    probe.sync(context.guide().opening().line)
    probe.send("go infinite")
    ended = [line for line in probe.quiet(0.2) if line.startswith("bestmove")]
    expect(not ended, f"go infinite was answered: {ended}")
    yield probe, "during a search"


def _ended(probe: Probe, context: Context, what: str) -> None:
    code = probe.exit_code(END * context.slack)
    expect(code == 0, f"{what}: exit code {code}")


@CHECKS.add("closed-output", "it ends when nobody reads it any more")
def closed_output(context: Context) -> None:
    """Section 1."""
    process = subprocess.Popen(
        context.argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    try:
        process.stdin.write(b"ugi\nisready\nisready\n")
        process.stdin.flush()
        process.wait(max(context.timeout, END * context.slack))
    except BrokenPipeError:
        process.wait(END * context.slack)
    except subprocess.TimeoutExpired:
        raise FailedCheckError("it lives on after its output was closed") from None
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


@CHECKS.add("memory", "memory doesn't grow with the number of positions")
def memory(context: Context) -> str:
    """A tournament is some ten thousand positions."""
    probe = context.start()
    spots = [spot.line for spot in context.guide().spots(100)]
    count = max(10 * context.positions, 200)
    for line in spots:
        probe.go(line, "go nodes 1")
    before = _megabytes(probe.pid)
    for number in range(count):
        probe.sync(spots[number % len(spots)], "query legal")
    grown = _megabytes(probe.pid) - before
    expect(grown < GROWTH, f"{grown:.0f} MB more after {count} positions")
    return f"{grown:+.1f} MB after {count} positions"


def _megabytes(pid: int) -> float:
    """Resident memory, on systems that tell it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        raise SkippedCheckError("this system doesn't tell the memory of a process") from None
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@CHECKS.add("idle", "an idle engine uses no processor time")
def idle(context: Context) -> str:
    """Of N engines at a table all but one are idle."""
    probe = context.start()
    probe.go(context.guide().opening().line, "go nodes 10")
    probe.quiet(0.3)
    before = _cpu_seconds(probe.pid)
    said = probe.quiet(TICKS)
    share = (_cpu_seconds(probe.pid) - before) / TICKS
    expect(not said, f"an idle engine said {said[:3]}")
    expect(share <= IDLE, f"{share:.1%} of a core while idle")
    return f"{share:.1%} of a core"


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        raise SkippedCheckError("this system doesn't tell the time of a process") from None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@CHECKS.add("pause", "it goes on after it was suspended and resumed in a search")
def pause(context: Context) -> None:
    """What a laptop does when it is closed and opened."""
    if not hasattr(signal, "SIGSTOP"):
        raise SkippedCheckError("this system can't suspend a process")
    probe = context.start()
    probe.sync(context.guide().opening().line)
    probe.send("go movetime 300 searchid p")
    probe.signal(signal.SIGSTOP)
    time.sleep(0.5)
    probe.signal(signal.SIGCONT)
    answer = probe.answer(time.monotonic())
    expect(answer.best.moves and answer.best.searchid == "p", f"bestmove {answer.move}")
    expect(not probe.sync(), "it isn't in step any more")
