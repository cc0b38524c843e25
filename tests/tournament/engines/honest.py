"""An engine that does everything right: UGI-N for seats that get views of Spice Road from its start.

Only what a tournament asks of a seat's engine is here. `Honest.moment` is called wherever `fake` may step in.
"""

from __future__ import annotations

import os
import select
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from foreign_rules import Refusal, Table, choose


class Honest:
    """The command loop."""

    end_of_line = "\n"
    name = "Fake"

    def __init__(self, claimed: int = 0) -> None:
        self.claimed = claimed  # milliseconds that it says a move took
        self.unread = b""
        self.position = ""
        self.table: Table | None = None
        self.seen: list[str] = []  # the spec and the events that the table has seen
        self.searchid = ""

    def moment(self, name: str) -> bool:
        """Something is about to be done; True if it has been done otherwise."""
        return False

    # ---- lines

    def say(self, *lines: str) -> None:
        """Write whole lines."""
        self.write(1, "".join(line + self.end_of_line for line in lines).encode())

    def write(self, fd: int, data: bytes) -> None:
        """Write all of it."""
        while data:
            data = data[os.write(fd, data) :]

    def read(self, seconds: float | None = None) -> str | None:
        """The next line; None if it doesn't come in time. EOFError at the end of the input."""
        while b"\n" not in self.unread:
            if seconds is not None and not select.select([0], [], [], seconds)[0]:
                return None
            data = os.read(0, 65_536)
            if not data:
                raise EOFError
            self.unread += data
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    # ---- commands

    def run(self) -> None:
        """Serve until the end."""
        self.moment("start")
        try:
            while (line := self.read()) != "quit":
                self.obey(line or "#")
        except EOFError:
            pass
        self.moment("end")

    def obey(self, line: str) -> None:
        """Do a command."""
        name, _, rest = line.partition(" ")
        command = getattr(self, f"do_{name}", None)
        if command is not None:
            command(rest)
        elif not name.startswith("#"):
            self.say(f"error unknown-command {name}")

    def do_ugi(self, _: str) -> None:
        if not self.moment("ugi"):
            self.greet()

    def greet(self) -> None:
        """Introduce itself."""
        self.say(f"id name {self.name}", "id author nobody", "id protocol ugi-n 1")
        self.say("game name spice_road players 2 5 hidden true chance true maxlen 400")
        self.say("option name Threads type spin default 1 min 1 max 1", "ugiok")

    def do_isready(self, tag: str) -> None:
        if not self.moment("isready"):
            self.say(f"readyok {tag}".rstrip())

    def do_uginewgame(self, _: str) -> None:
        self.table = None
        self.moment("newgame")

    def do_setoption(self, _: str) -> None:
        pass

    do_stop = do_setoption

    def do_query(self, name: str) -> None:
        self.say(f"error unknown-query {name}")

    def do_position(self, rest: str) -> None:
        self.position = f"position {rest}"
        spec, *events = rest.split()[2:]
        seen = [spec, *events[1:]]
        table, before, self.table, self.seen = self.table, self.seen, None, seen
        if table is None or seen[: len(before)] != before:
            table, before = Table(players_of(spec)), seen[:1]
        try:
            for event in seen[len(before) :]:
                table.play(event)
            self.table = table
        except Refusal as refusal:
            self.say(str(refusal))
        self.moment("position")

    def do_go(self, rest: str) -> None:
        words = rest.split()
        self.searchid = f" searchid {words[words.index('searchid') + 1]}" if "searchid" in words else ""
        if self.table is None:
            self.say("error no-position go", f"bestmove (none){self.searchid}")
        elif not self.moment("go"):
            self.answer(choose(self.table), self.searchid)

    def answer(self, move: str, searchid: str) -> None:
        """Move."""
        seats = players_of(self.seen[0])
        win = " ".join(str(1000 // seats + (seat < 1000 % seats)) for seat in range(seats))
        self.say(f"info depth 1 win {win} nodes 1 time {self.claimed}{searchid} pv {move}")
        self.say(f"bestmove {move}{searchid}")
        self.moment("after")


def players_of(spec: str) -> int:
    """The number of seats."""
    return next((int(word[8:]) for word in spec.split(";") if word.startswith("players=")), 2)
