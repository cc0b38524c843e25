"""What a client waits for: the greeting, the answer to a fence, a search."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from serai.protocol.errors import ProtocolError
from serai.protocol.messages import (
    MAX_REPLY,
    BestMove,
    GameLine,
    Info,
    Option,
    parse_game,
    parse_info,
    parse_option,
    split,
)

MOST_ANNOUNCED: Final = 1000  # options or games of one engine that are kept
LONGEST_GREETING: Final = 2**20  # characters of all those lines of one engine
MOST_KEPT: Final = 100  # response and error lines of one exchange that are kept
MOST_LINES: Final = 256  # values of multipv that are kept
DIALECT: Final = "ugi-n"


@dataclass
class Greeting:
    """What an engine says of itself."""

    id: dict[str, str] = field(default_factory=dict)
    games: dict[str, GameLine] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    size: int = 0  # characters taken so far
    fault: ProtocolError | None = None  # why nothing more is taken

    @property
    def full(self) -> bool:
        """Whether it speaks UGI-N, with tags and search ids; else it is a plain UGI engine."""
        return split(self.id.get("protocol", ""))[:1] == [DIALECT]

    def take(self, line: str) -> None:
        """Note an ``id``, ``game`` or ``option`` line; too much of it is a ``fault``."""
        self.size += len(line)
        if len(line) >= MAX_REPLY or self.size > LONGEST_GREETING:
            what = f"a line of {MAX_REPLY} or all of {LONGEST_GREETING} characters"
            self.fault = ProtocolError(f"ugi: the greeting is too long: {what}", line[:80])
            return
        game, option = parse_game(line), parse_option(line)
        if game is not None and len(self.games) < MOST_ANNOUNCED:
            self.games[game.name] = game
        elif option is not None and len(self.options) < MOST_ANNOUNCED:
            self.options[option.name] = option
        elif (words := split(line))[0].lower() == "id" and len(words) > 2 and len(self.id) < MOST_ANNOUNCED:
            self.id[words[1].lower()] = " ".join(words[2:])


@dataclass
class Fence:
    """An ``isready`` under way, and the lines that came before its answer."""

    tag: str
    done: asyncio.Future[None]
    lines: list[str] = field(default_factory=list)


class Search:
    """A search under way or ended: the latest info of each line, the number of them all, the answer."""

    def __init__(self, searchid: str, fence: Fence, checked: bool, perft: bool = False) -> None:
        loop = asyncio.get_running_loop()
        self.searchid = searchid
        self.fence = fence
        self.checked = checked  # the engine echoes search ids
        self.perft = perft  # ended by its total, or by an error
        self.best: asyncio.Future[BestMove] = loop.create_future()
        self.changed = asyncio.Event()
        self.count = 0
        self.total: int | None = None  # of a perft
        self.json: str | None = None
        self.errors: deque[str] = deque(maxlen=MOST_KEPT)
        self.began = loop.time()
        self.ended: float | None = None
        self._latest: dict[int, str] = {}
        self._unread: dict[int, str] = {}

    def note(self, line: str) -> None:
        """Keep an info line in the place of the one before it."""
        self.count += 1
        if line.startswith("infojson"):
            self.json = line
        else:
            rank = _rank(line)
            if rank is None or (rank not in self._latest and len(self._latest) >= MOST_LINES):
                return
            self._latest[rank] = self._unread[rank] = line
        self.changed.set()

    def lines(self) -> list[Info]:
        """The latest info of each line, best first."""
        return [info for _, line in sorted(self._latest.items()) if (info := parse_info(line)) is not None]

    def unread(self) -> Info | None:
        """The next info that wasn't handed out and hasn't been replaced; None if there is none now."""
        while self._unread:
            info = parse_info(self._unread.pop(min(self._unread)))
            if info is not None:
                return info
        return None

    def awaits(self, best: BestMove) -> bool:
        """Whether an answer can be the one to this search: it comes after the fence and names no other."""
        if self.best.done() or not self.fence.done.done():
            return False
        return not self.checked or best.searchid in (None, self.searchid)

    def answer(self, best: BestMove) -> None:
        """Note the answer."""
        self.ended = asyncio.get_running_loop().time()
        self.best.set_result(best)
        self.changed.set()


def _rank(line: str) -> int | None:
    """The multipv of an info line, 1 if it has none; None for one that has only text."""
    words = line.split(" string ", 1)[0].split(" pv ", 1)[0].split()
    if "multipv" in words[:-1]:
        text = words[words.index("multipv") + 1]
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
    return None if len(words) < 2 or words[1] == "string" else 1
