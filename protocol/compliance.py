"""Walk an engine through the protocol: ``python -m serai.protocol.compliance CMD …``.

Every promise of the protocol that can be seen from outside is one check, in a fresh process. A check that
fails shows the lines that were sent and got. The exit code is 0 if none fails, 1 if one does, 2 if the engine
can't be started at all.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from serai.protocol import (
    compliance_basic,
    compliance_process,
    compliance_search,
    compliance_secrets,
    compliance_state,
)
from serai.protocol.compliance_probe import FailedCheckError, SkippedCheckError
from serai.protocol.compliance_registry import Check, Context
from serai.protocol.errors import EngineError
from serai.protocol.transport import split_command

OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
CHECKS = (
    *compliance_basic.CHECKS,
    *compliance_state.CHECKS,
    *compliance_search.CHECKS,
    *compliance_secrets.CHECKS,
    *compliance_process.CHECKS,
)


@dataclass(frozen=True)
class CheckResult:
    """What became of a check. ``detail``: numbers, or the reason; ``reproducer``: the lines of a failure."""

    name: str
    promise: str
    outcome: str
    detail: str = ""
    reproducer: str = ""
    seconds: float = 0.0


def names() -> list[str]:
    """The names of all checks, in order."""
    return [check.name for check in CHECKS] + ["output"]


def run(
    command: str | Sequence[str],
    timeout: float = 10.0,
    only: Iterable[str] | None = None,
    *,
    slack: float = 1.0,
    positions: int = 1000,
    jobs: int = 1,
    on_result: Callable[[CheckResult], None] | None = None,
) -> list[CheckResult]:
    """Check an engine; raises EngineTerminated if it can't be started, ValueError for an unknown name.

    ``timeout``: seconds for any answer. ``slack``: stretches the limits of the protocol, for busy machines.
    ``positions``: how many random positions to try. ``jobs``: checks at a time. ``on_result`` hears
    each result in order, as it comes.
    """
    wanted = names() if only is None else list(only)
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        raise ValueError(f"no check is called {', '.join(unknown)}; there are {' '.join(names())}")
    context = Context(split_command(command), timeout, slack, positions)
    results = []
    for result in _results([check for check in CHECKS if check.name in wanted], context, jobs):
        results.append(result)
        if on_result is not None:
            on_result(result)
    if "output" in wanted:
        results.append(_output(context.violations))
        if on_result is not None:
            on_result(results[-1])
    return results


def _results(checks: Sequence[Check], context: Context, jobs: int) -> Iterator[CheckResult]:
    try:
        context.greeting()
    except FailedCheckError as error:
        yield _try(CHECKS[0], context)
        for check in checks:
            if check is not CHECKS[0]:
                yield CheckResult(check.name, check.promise, SKIPPED, f"no handshake: {error}")
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda check: _try(check, context.clone()), checks)


def _try(check: Check, context: Context) -> CheckResult:
    began = time.monotonic()
    try:
        detail, outcome = check.run(context) or "", OK
    except SkippedCheckError as reason:
        detail, outcome = str(reason), SKIPPED
    except FailedCheckError as reason:
        detail, outcome = str(reason), FAILED
    except (ValueError, IndexError, KeyError) as error:
        detail, outcome = f"an answer that can't be read: {type(error).__name__}: {error}", FAILED
    finally:
        transcript = context.end()
    reproducer = transcript if outcome == FAILED else ""
    return CheckResult(check.name, check.promise, outcome, detail, reproducer, time.monotonic() - began)


def _output(violations: list[str]) -> CheckResult:
    promise = "all that it says is lines of the protocol, in UTF-8, short enough, ended by LF"
    outcome = FAILED if violations else OK
    return CheckResult("output", promise, outcome, "; ".join(violations[:3]), "\n".join(violations))


def exit_code(results: Iterable[CheckResult]) -> int:
    """0 if nothing failed, else 1."""
    return int(any(result.outcome == FAILED for result in results))


def table(result: CheckResult) -> str:
    """One line of the table, and the reason below it if the check didn't pass."""
    line = f"{result.outcome:8}{result.name:18}{result.promise}"
    if result.outcome == OK:
        return line + (f" ({result.detail})" if result.detail else "")
    return f"{line}\n{'':26}{result.detail}"


def report(results: Sequence[CheckResult]) -> str:
    """The reproducers, and the sum of it all."""
    parts = [
        f"--- {result.name}: {result.detail}\n{result.reproducer}\n"
        for result in results
        if result.outcome == FAILED
    ]
    outcomes = [result.outcome for result in results]
    sums = ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in (OK, FAILED, SKIPPED))
    return "\n".join([*parts, sums])


def main(argv: Sequence[str] | None = None) -> int:
    """Check an engine and print a table; the exit code."""
    parser = argparse.ArgumentParser(prog="serai.protocol.compliance", description=__doc__.split("\n")[0])
    parser.add_argument("--only", metavar="NAME,…", help=f"some of: {' '.join(names())}")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="S", help="seconds for any answer")
    parser.add_argument("--slack", type=float, default=1.0, metavar="X", help="stretch the time limits")
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="random positions to try")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="checks at a time")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the engine and its arguments")
    options = parser.parse_args(argv)
    try:
        results = run(
            options.command,
            options.timeout,
            options.only.split(",") if options.only else None,
            slack=options.slack,
            positions=options.positions,
            jobs=max(options.jobs, 1),
            on_result=lambda result: print(table(result), flush=True),
        )
    except (EngineError, OSError, ValueError) as error:
        print(f"compliance: {error}", file=sys.stderr)
        return 2
    print(report(results))
    return exit_code(results)


if __name__ == "__main__":
    sys.exit(main())
