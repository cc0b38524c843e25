"""Engines without a process, for the tests of programs that use one."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fnmatch import fnmatchcase

from serai.protocol.client_sync import SimpleEngine
from serai.protocol.commands import parse_go
from serai.protocol.game_text import GameText
from serai.protocol.messages import (
    BestMove,
    GameLine,
    Info,
    Option,
    format_bestmove,
    format_error,
    format_game,
    format_info,
    format_option,
    split,
)
from serai.protocol.patience import Patience
from serai.protocol.transport import Connection, Sink

MOCK_PATIENCE = Patience(timeout=1.0, margin=0.2, grace=0.2, stall=1.0)


class MockFault(Enum):
    """What an engine may do instead of moving."""

    CRASH = "crash"  # end with exit code 1
    HANG = "hang"  # say nothing more, whatever is sent


Choice = str | MockFault | Callable[[GameText], str]


class Script:
    """What a mock engine does, over all its restarts; `connect` is a connector for `Engine.connect`.

    Each ``go`` is answered by the next of ``moves``: a token, a `MockFault`, or a function of the position.
    Each ``query`` is answered from ``replies`` (``{"legal": "2 rest take=1"}``). `expect` comes before both.
    """

    def __init__(
        self,
        moves: Iterable[Choice] = (),
        *,
        replies: Mapping[str, str] | None = None,
        name: str = "Mock",
        options: Iterable[Option] = (),
        games: Iterable[GameLine] = (),
    ) -> None:
        self.moves = deque(moves)
        self.replies = dict(replies or {})
        self.greeting = [
            f"id name {name}",
            "id author nobody",
            "id protocol ugi-n 1",
            *map(format_game, games),
            *map(format_option, options),
            "ugiok",
        ]
        self.sent: list[str] = []  # every line from the client
        self.unexpected: list[str] = []
        self._expected: deque[tuple[str, tuple[str, ...]]] = deque()
        self._lock = threading.Lock()

    def expect(self, pattern: str, *answers: str) -> None:
        """Want a line next that matches a shell pattern, and answer it with these lines.

        ``{searchid}`` in an answer is that of the line. The handshake, ``isready`` and ``position`` need not
        be expected.
        """
        with self._lock:
            self._expected.append((pattern, answers))

    def assert_done(self) -> None:
        """Raise AssertionError if something expected didn't come, or something came that nobody expected."""
        assert not self._expected, f"not sent: {[pattern for pattern, _ in self._expected]}"
        assert not self.unexpected, f"sent, but not expected: {self.unexpected}"

    async def connect(self, sink: Sink) -> Connection:
        """Start the engine (again)."""
        return _MockConnection(self, sink)

    def answers(self, line: str, position: str | None) -> list[str] | MockFault:
        """What is said to a line."""
        words = split(line)
        self.sent.append(line)
        command, _ = parse_go(words[1:] if words[0] == "go" else [])
        with self._lock:
            if self._expected and fnmatchcase(line, self._expected[0][0]):
                _, answers = self._expected.popleft()
                return [answer.replace("{searchid}", command.searchid or "") for answer in answers]
        if words[0] == "ugi":
            return self.greeting
        if words[0] == "isready":
            return [" ".join(("readyok", *words[1:2]))]
        if words[0] == "go":
            return self._move(position, command.searchid)
        if words[0] == "query":
            return self._reply(line, " ".join(words[1:]))
        return []

    def _move(self, position: str | None, searchid: str | None) -> list[str] | MockFault:
        if not self.moves:
            self.unexpected.append(f"go for {position}")
            return [format_error("internal", "no move left"), format_bestmove(BestMove((), None, searchid))]
        choice = self.moves.popleft()
        if isinstance(choice, MockFault):
            return choice
        move = choice(GameText.parse(position or "")) if callable(choice) else choice
        info = Info(depth=1, multipv=1, nodes=1, time=1, searchid=searchid, pv=(move,))
        return [format_info(info), format_bestmove(BestMove((move,), None, searchid))]

    def _reply(self, line: str, question: str) -> list[str]:
        if question in self.replies:
            return [f"response {self.replies[question]}"]
        self.unexpected.append(line)
        return [format_error("unknown-query", question)]


class _MockConnection:
    pid: int | None = None
    stderr_tail = ""

    def __init__(self, script: Script, sink: Sink) -> None:
        self.returncode: int | None = None
        self._script = script
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._position: str | None = None
        self._hung = False

    def send(self, text: str) -> None:
        """Answer some lines."""
        for line in text.splitlines():
            if self.returncode is None and not self._hung:
                self._obey(line)

    def _obey(self, line: str) -> None:
        if line.startswith("position "):
            self._position = line
        answers = self._script.answers(line, self._position)
        if answers is MockFault.HANG:
            self._hung = True
        elif answers is MockFault.CRASH:
            self._end(1)
        elif isinstance(answers, list):
            for answer in answers:
                self._loop.call_soon(self._sink.received, answer)
        if line == "quit":
            self._end(0)

    def _end(self, returncode: int) -> None:
        if self.returncode is None:
            self.returncode = returncode
            self._loop.call_soon(self._sink.ended)

    def close_input(self) -> None:
        """End, as an engine does at the end of its input."""
        if not self._hung:
            self._end(0)

    def kill(self) -> None:
        """End."""
        self._end(-9)

    async def wait(self) -> None:
        """Nothing to wait for."""


class MockEngine(SimpleEngine):
    """A `SimpleEngine` that plays a `Script`; the arguments are those of `Script`.

    >>> with MockEngine(["take=1"]) as engine:
    ...     engine.play("fen spice_road;players=2;seed=1").move
    'take=1'
    """

    def __init__(
        self,
        moves: Iterable[Choice] = (),
        *,
        replies: Mapping[str, str] | None = None,
        name: str = "Mock",
        options: Iterable[Option] = (),
        games: Iterable[GameLine] = (),
        patience: Patience = MOCK_PATIENCE,
    ) -> None:
        self.script = Script(moves, replies=replies, name=name, options=options, games=games)
        self._connect(self.script.connect, patience, _nothing_to_cut)

    @property
    def sent(self) -> list[str]:
        """Every line that was sent to it so far."""
        return list(self.script.sent)

    def expect(self, pattern: str, *answers: str) -> None:
        """Want a line next; see `Script.expect`."""
        self.script.expect(pattern, *answers)

    def assert_done(self) -> None:
        """Raise AssertionError if the script didn't go as expected."""
        self.script.assert_done()


def _nothing_to_cut() -> None:
    """A mock has no process."""
