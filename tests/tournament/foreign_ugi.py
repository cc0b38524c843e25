"""A small engine that isn't ours: Spice Road for two, written from the published protocol, sharing no code.

It is a plain UGI engine with the views of UGI-N: no tags, no search ids, no queries.
"""

from __future__ import annotations

import os
import sys

from foreign_rules import Refusal, Table, choose


class Engine:
    """The command loop. It thinks for no time at all; only ``go infinite`` has anything to wait for."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.seat: int | None = None
        self.line: list[str] = []  # the spec and the events that the table has seen
        self.held = ""

    def obey(self, line: str) -> bool:
        """Do a command; True to go on."""
        words = line.split()
        if not words or words[0].startswith("#"):
            return True
        name = words[0].lower()
        if name == "quit":
            return False
        command = getattr(self, f"do_{name}", None)
        try:
            if command is None:
                raise Refusal("unknown-command", words[0])
            command(words[1:])
        except Refusal as refusal:
            say(str(refusal))
        return True

    def do_ugi(self, _: list[str], ok: str = "ugiok") -> None:
        say("id name Stranger 1.0", "id author nobody in particular")
        say("game name spice_road players 2 2 hidden true chance true maxlen 400", ok)

    def do_uci(self, words: list[str]) -> None:
        self.do_ugi(words, "uciok")

    def do_isready(self, _: list[str]) -> None:
        say("readyok")

    def do_setoption(self, words: list[str]) -> None:
        raise Refusal("unknown-option", " ".join(words[1:2]))

    def do_query(self, words: list[str]) -> None:
        raise Refusal("unknown-query", " ".join(words[:1]))

    def do_uginewgame(self, _: list[str]) -> None:
        self.do_stop([])
        self.table, self.line = None, []

    do_ucinewgame = do_uginewgame

    def do_position(self, words: list[str]) -> None:
        self.do_stop([])
        table, before, self.table = self.table, self.line, None
        self.seat, line = parse_position(words)
        seats = players_of(line[0])
        if table is None or line[: len(before)] != before:
            table, before = Table(seats), line[:1]
        for place, event in enumerate(line[len(before) :], len(before)):
            try:
                table.play(event)
            except Refusal as refusal:
                code, *detail = str(refusal).split()[1:]
                raise Refusal(code, " ".join([f"at={place} token={event}", *detail])) from None
        self.table, self.line = table, line

    def do_go(self, words: list[str]) -> None:
        self.do_stop([])
        try:
            move = self.think()
        except Refusal as refusal:
            say(str(refusal), "bestmove (none)")
            return
        say(f"info depth 1 seldepth 1 score cp 0 win 500 500 nodes 1 time 0 pv {move}")
        self.held = f"bestmove {move}"
        if not {"infinite", "ponder"} & {word.lower() for word in words}:
            self.do_stop([])

    def think(self) -> str:
        if self.table is None:
            raise Refusal("no-position", "go")
        if self.table.over:
            raise Refusal("game-over", "go")
        if self.table.due:
            raise Refusal("chance-node", "go")
        if self.seat not in (None, self.table.turn):
            raise Refusal("not-your-turn", "go")
        return choose(self.table)

    def do_stop(self, _: list[str]) -> None:
        if self.held:
            say(self.held)
        self.held = ""

    do_ponderhit = do_stop


def parse_position(words: list[str]) -> tuple[int | None, list[str]]:
    """The seat whose view it is, None for everything; and the spec with the events after it."""
    if len(words) > 2 and words[0] == "view" and words[1] in ("p1", "p2"):
        seat, rest = int(words[1][1]) - 1, words[2:]
    elif len(words) > 1 and words[0] == "fen":
        seat, rest = None, words[1:]
    else:
        raise Refusal("syntax", "position fen SPEC [moves ...] or position view SEAT SPEC [moves ...]")
    if rest[1:2] not in ([], ["moves"]):
        raise Refusal("syntax", f"moves, not {rest[1]}")
    return seat, [rest[0], *rest[2:]]


def players_of(spec: str) -> int:
    """The number of seats; raises Refusal for a game that this engine can't follow."""
    game, *pairs = spec.split(";")
    values = dict(pair.partition("=")[::2] for pair in pairs)
    if game != "spice_road":
        raise Refusal("unknown-game", game)
    if values.pop("players", "2") != "2":
        raise Refusal("bad-players", "two seats only")
    if values.pop("variant", "base") != "base" or values:
        raise Refusal("bad-value", f"{' '.join(values)}: only the base game from its start, chance listed")
    return 2


def say(*lines: str) -> None:
    """Write whole lines."""
    os.write(1, "".join(f"{line}\n" for line in lines).encode())


def main() -> None:
    """Serve stdin and stdout."""
    engine = Engine()
    for line in sys.stdin:
        if not engine.obey(line):
            return


if __name__ == "__main__":
    main()
