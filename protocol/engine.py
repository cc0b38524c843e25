"""The engine: commands in, answers out, one search at a time; ``python -m serai.protocol.engine`` is Serai.

The reading thread never waits longer than :data:`serai.protocol.thinking.GRACE` for a search, after a bare
``stop`` much less; ``isready`` is answered at once. Nothing heavy is imported before the first ``isready``,
``position`` or ``go``.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final

from serai.protocol import queries
from serai.protocol.catalogue import GAMES
from serai.protocol.commands import (
    TAG_RULE,
    CommandError,
    GoCommand,
    fresh_clocks,
    is_tag,
    parse_go,
    parse_position,
    parse_setoption,
)
from serai.protocol.effort import first_decision, limits_for
from serai.protocol.messages import (
    BestMove,
    format_bestmove,
    format_error,
    format_game,
    format_option,
    printable,
    split,
)
from serai.protocol.options import Options, engine_options
from serai.protocol.perft import DEEPEST, Perft
from serai.protocol.reporting import Asked
from serai.protocol.setup import chance_draw, chance_node, decision, legal_searchmoves, set_up
from serai.protocol.thinker import SearchThinker, Thinker
from serai.protocol.thinking import GRACE, PROMPT, Job, Task
from serai.protocol.wire import LineReader, LineWriter

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.search import Limits

PROTOCOL: Final = "ugi-n 1"
_LAST_CHANCE = 0.5  # seconds for a search to end after quit


class Engine:
    """Serves a thinker on a pair of byte streams, until ``quit`` or the end of the input."""

    def __init__(
        self,
        thinker: Thinker,
        stdin: BinaryIO,
        stdout: BinaryIO,
        on_broken: Callable[[], None] | None = None,
    ) -> None:
        self._thinker = thinker
        self._reader, self._writer = LineReader(stdin), LineWriter(stdout, on_broken)
        self._thinker_options = {option.name for option in thinker.options()}
        self._options = Options([*thinker.options(), *engine_options()])
        self._thinker_lock = threading.Lock()
        self._position: Position | None = None
        self._search: Job | Perft | None = None
        self._pondering: GoCommand | None = None
        self._commands: dict[str, Callable[[str, list[str]], None]] = {
            "ugi": self._handshake,
            "uci": self._handshake,
            "isready": self._isready,
            "uginewgame": self._newgame,
            "ucinewgame": self._newgame,
            "setoption": self._setoption,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "query": self._query,
        }

    def run(self) -> int:
        """Serve; the exit code of the process."""
        for line, code in self._reader:
            if code is not None:
                self._writer.send(format_error(code, "the line is dropped"))
                continue
            words = split(line)
            if words and words[0].lower() == "quit":
                break
            if words and not words[0].startswith("#"):
                self._obey(line, words)
            if self._writer.broken:
                break
        if self._search is not None:
            self._search.stop(_LAST_CHANCE)
        return 0

    def _obey(self, line: str, words: list[str]) -> None:
        """One command; whatever goes wrong becomes an error line."""
        self._settle()
        command = self._commands.get(words[0].lower())
        if command is None:
            known = " ".join([*self._commands, "quit"])
            self._writer.send(format_error("unknown-command", f"{printable(words[0])}; there are: {known}"))
            return
        try:
            command(line, words[1:])
        except CommandError as error:
            self._writer.send(format_error(error.code, str(error)))
        except Exception as error:
            self._position = None
            self._report_internal(error)

    def _report_internal(self, error: Exception) -> None:
        traceback.print_exception(error, file=sys.stderr)
        self._writer.send(format_error("internal", f"{type(error).__name__}: {error}"))

    # ---- handshake and settings

    def _handshake(self, line: str, words: list[str]) -> None:
        word = split(line)[0].lower()
        self._writer.send(
            f"id name {self._thinker.name}",
            f"id author {self._thinker.author}",
            f"id protocol {PROTOCOL}",
            *map(format_game, GAMES),
            *map(format_option, self._options.offered),
            f"{word}ok",
        )

    def _isready(self, line: str, words: list[str]) -> None:
        if self._search is None and self._thinker_lock.acquire(blocking=False):
            try:
                self._thinker.prepare()
            except Exception as error:
                self._report_internal(error)
            finally:
                self._thinker_lock.release()
        tag = words[:1]
        if tag and not is_tag(tag[0]):
            self._writer.send(format_error("bad-value", f"isready: {TAG_RULE}"))
            tag = []
        self._writer.send(" ".join(["readyok", *tag]))

    def _with_thinker(self, call: Callable[[], None]) -> None:
        """Call the thinker once it is free of a search that was given up."""
        if not self._thinker_lock.acquire(timeout=GRACE):
            raise CommandError("internal", "overdue: an earlier search hasn't ended")
        try:
            call()
        finally:
            self._thinker_lock.release()

    def _newgame(self, line: str, words: list[str]) -> None:
        self._interrupt()
        self._position = None
        self._with_thinker(self._thinker.new_game)

    def _setoption(self, line: str, words: list[str]) -> None:
        name, value = parse_setoption(line)
        if self._search is not None:
            raise CommandError("busy", "setoption")
        name, text = self._options.checked(name, value)
        if name in self._thinker_options:
            self._with_thinker(lambda: self._thinker.set_option(name, text))
        self._options.keep(name, text)

    # ---- positions and questions

    def _set_position(self, line: str, words: list[str]) -> None:
        self._interrupt()
        self._position = None
        self._position = set_up(parse_position(words), self._options["UGI_Game"])

    def _query(self, line: str, words: list[str]) -> None:
        if not words:
            raise CommandError("syntax", "query NAME [ARGUMENT]")
        if words[0].lower() == "options":
            self._writer.send(f"response {self._options.to_json()}")
        else:
            self._writer.send(queries.answer(self._position, words[0], words[1:]))

    # ---- go

    def _go(self, line: str, words: list[str]) -> None:
        self._interrupt()
        command, complaints = parse_go(words)
        self._writer.send(*(format_error(code, detail) for code, detail in complaints))
        if command.perft is not None:
            self._go_perft(command.perft)
            return
        nothing = format_bestmove(BestMove((), None, command.searchid))
        try:
            if command.chance:
                self._go_chance(command)
            else:
                self._go_search(command)
        except CommandError as error:
            self._writer.send(format_error(error.code, str(error)), nothing)
        except Exception as error:
            self._position = None
            self._report_internal(error)
            self._writer.send(nothing)

    def _go_search(self, command: GoCommand) -> None:
        """Start a search; raises CommandError if there is nothing to search."""
        position = decision(self._position)
        moves = legal_searchmoves(position, command)
        job = Job(self._thinker, self._thinker_lock, self._writer, self._task(position, command, moves))
        limits = first_decision(self._limits(position, command), job.task.whole_turn)
        job.start(limits, hold=command.infinite or command.ponder)
        self._search = job
        self._pondering = command if command.ponder else None

    def _task(self, position: Position, command: GoCommand, moves: tuple[str, ...] | None) -> Task:
        options, mover = self._options, position.to_act
        asked = Asked(
            seats=position.seats,
            mover=mover,
            turn=len(position.history),
            legal=len(position.legal_actions()),
            searchid=command.searchid,
            as_json=options.flag("UGI_InfoJSON"),
        )
        hidden = position.viewer < 0 and options["Information"] == "seat"
        return Task(
            position=position.view(mover) if hidden else position,
            moves=moves,
            multipv=command.multipv or options.integer("MultiPV"),
            asked=asked,
            whole_turn=options.flag("TurnMoves"),
            may_ponder=options.flag("Ponder"),
            may_resign=options.flag("AllowResign"),
        )

    def _limits(self, position: Position, command: GoCommand) -> Limits:
        options = self._options
        return limits_for(
            command,
            position.to_act,
            default_ms=options.integer("DefaultMoveTime"),
            overhead_ms=options.integer("Move Overhead"),
        )

    def _go_perft(self, depth: int) -> None:
        position = self._position
        if position is None:
            raise CommandError("no-position", "go perft")
        if position.viewer >= 0:
            raise CommandError("hidden", "go perft: this is a view")
        if depth > DEEPEST:
            raise CommandError("bad-value", f"go perft {depth}: at most {DEEPEST}")
        count = Perft(position, depth, self._writer)
        self._search = count
        count.start()

    def _go_chance(self, command: GoCommand) -> None:
        """Draw for a referee; raises CommandError."""
        position = chance_node(self._position)
        token = chance_draw(position, self._options.integer("Seed") if "Seed" in self._options else 0)
        self._writer.send(format_bestmove(BestMove((token,), None, command.searchid)))

    # ---- a running search

    def _settle(self) -> None:
        """Take note of a search that has ended by itself."""
        search = self._search
        if search is not None and search.answer.is_given():
            self._search = self._pondering = None
            if search.failed:
                self._position = None

    def _interrupt(self) -> None:
        """The implicit stop: the running search is answered before anything else happens."""
        search = self._search
        if search is not None and not search.stop(GRACE):
            search.give_up()
        self._settle()

    def _stop(self, line: str, words: list[str]) -> None:
        search = self._search
        if search is not None and not search.stop(PROMPT):
            threading.Thread(target=_await, args=(search, GRACE - PROMPT), name="stop", daemon=True).start()

    def _ponderhit(self, line: str, words: list[str]) -> None:
        command, search = self._pondering, self._search
        if command is None or not isinstance(search, Job) or self._position is None:
            return
        later, complaints = parse_go(words)
        self._writer.send(*(format_error(code, detail) for code, detail in complaints))
        self._pondering = None
        limits = self._limits(self._position, fresh_clocks(command, later))
        search.ponderhit(first_decision(limits, search.task.whole_turn))


def _await(search: Job | Perft, patience: float) -> None:
    """Let a search that was stopped end by itself; after so many seconds answer in its place."""
    if not search.answer.given.wait(max(0.0, patience)):
        search.give_up()


# ---- as a program


def serve(thinker: Thinker) -> int:
    """Serve a thinker on this process's stdin and stdout; the exit code.

    What the thinker, or a library below it, prints goes to stderr instead: stdout is for the protocol only.
    """
    if sys.stdin is None or sys.stdout is None:
        return 1
    sys.stdout.flush()
    wire = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(
        sys.stderr.fileno() if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY),
        sys.stdout.fileno(),
    )
    with wire:
        return Engine(thinker, sys.stdin.buffer, wire, on_broken=lambda: os._exit(0)).run()


def main(argv: Sequence[str] | None = None) -> int:
    """Serve Serai itself; arguments are not used."""
    try:
        return serve(SearchThinker())
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
