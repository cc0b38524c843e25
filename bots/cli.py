"""The ``serai`` command. Without arguments it is the engine; nothing else is imported then."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

HELP: Final = """\
Serai: an AI opponent for Euro board games. N seats, hidden cards, chance.

  serai                    the engine: UGI-N on stdin and stdout
  serai engine [BOT]       the same, or any bot as an engine
  serai match BOT BOT …    bots against each other, with a table of the result
  serai tournament E E …   engines in their own processes; ratings; resumable
  serai report FILE        what its journal says: tables, JSON, a page of charts
  serai export FILE        games of a journal as JSON Lines or text
  serai train GAME         fit a network to games that it plays itself
  serai compare A B        do two engines agree about the rules
  serai compliance CMD     check that an engine keeps to the protocol
  serai perft DEPTH        count the lines of play, to compare rules
  serai bench              how fast it is here
  serai show FILE          the games in a record file

Look at a game of four engines:

  serai match ismcts planner greedy random --watch --time 0.2

Which of two is stronger, over 50 deals, each from both seats:

  serai match ismcts planner --games 100 --nodes 1000

Talk to the engine yourself; type these lines and see what it answers:

  $ serai
  position fen spice_road;players=3;seed=7
  query legal
  go movetime 500
  quit

serai COMMAND --help tells more. The protocol: protocol/README.md."""

ENGINE_HELP: Final = """\
usage: serai engine [BOT]

Serve UGI-N on stdin and stdout. BOT is any bot of serai match --help; without
one it is the search.

examples:
  serai engine
  serai engine planner:width=300
  serai engine mine.py:Miser"""

COMMANDS: Final = {  # and the module that runs each
    "engine": "",
    "match": "serai.bots.match_command",
    "tournament": "serai.bots.tournament_command",
    "report": "serai.bots.report_command",
    "export": "serai.bots.export_command",
    "compare": "serai.bots.compare_command",
    "train": "serai.bots.train_command",
    "compliance": "serai.protocol.compliance",
    "perft": "serai.bots.perft_command",
    "bench": "serai.search.benchmark",
    "show": "serai.bots.show",
}
BROKEN_PIPE: Final = 141  # as a program killed by SIGPIPE
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code. 2 means that it was asked for something that can't be done."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        return _engine([])
    command, rest = arguments[0], arguments[1:]
    if command in ("-h", "--help", "help"):
        return _print_help()
    if command in ("-V", "--version", "version"):
        return _print_version()
    if command not in COMMANDS:
        print(
            f"serai: no command {command!r}; there are: {' '.join(COMMANDS)}. See serai --help",
            file=sys.stderr,
        )
        return 2
    return _guarded(command, rest)


def _guarded(command: str, rest: list[str]) -> int:
    """Run a command; what is wrong with the request, or a reader that went away, is no traceback."""
    from serai.core.errors import SeraiError

    try:
        code = _run(command, rest)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SeraiError as error:
        print(f"serai {command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(command: str, rest: list[str]) -> int:
    if command == "engine":
        return _engine(rest)
    if sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 shows ? for what it lacks
    module = importlib.import_module(COMMANDS[command])
    code: int = (module.main if hasattr(module, "main") else module.run)(rest)
    return code


def _engine(rest: list[str]) -> int:
    if not rest:
        from serai.protocol.engine import main as serve_serai

        return serve_serai([])
    if rest[0] in ("-h", "--help"):
        print(ENGINE_HELP)
        return 0
    if len(rest) > 1:
        print(f"serai engine: one bot at most, not {' '.join(rest)}", file=sys.stderr)
        return 2
    from serai.bots.registry import make_bot
    from serai.bots.serving import serve

    return serve(make_bot(rest[0]))


def _print_help() -> int:
    print(HELP)
    return 0


def _print_version() -> int:
    from importlib.metadata import version

    print(f"serai {version('serai')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
