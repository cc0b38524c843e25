"""A small independent UGI-N engine, to test clients and the compliance checks: plays the game of tokens.

``--break NAME`` makes it break one promise of the protocol, so that every check is seen to fail.
"""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time

from tokens_game import Refuse, Table, parse_position

OPTIONS: dict[str, tuple[str, str, tuple[object, ...]]] = {
    "Threads": ("spin", "1", (1, 4)),
    "Hash": ("spin", "16", (1, 64)),
    "MultiPV": ("spin", "1", (1, 50)),
    "Ponder": ("check", "false", ()),
    "Seed": ("spin", "0", (0, 2**31 - 1)),
    "Move Overhead": ("spin", "20", (0, 1000)),
    "Information": ("combo", "seat", ("seat", "full")),
    "DefaultMoveTime": ("spin", "200", (1, 100000)),
    "UGI_Opponents": ("string", "", ()),
    "Clear Hash": ("button", "", ()),
}
LONGEST = 2**20  # bytes of a line
BROKEN = sys.argv[sys.argv.index("--break") + 1] if "--break" in sys.argv else ""


def say(*lines: str, lock: threading.Lock = threading.Lock()) -> None:  # noqa: B008 - one for all
    end = "\r\n" if BROKEN == "carriage-return" else "\n"
    with lock:
        sys.stdout.buffer.write("".join(line + end for line in lines).encode())
        sys.stdout.buffer.flush()


class MinimalEngine:
    """The command loop; a thread searches."""

    def __init__(self) -> None:
        self.values = {name: default for name, (kind, default, _) in OPTIONS.items() if kind != "button"}
        self.table: Table | None = None
        self.search: Search | None = None
        self.stops = 0
        self.leak = 0
        self.hoard: list[bytearray] = []

    # ---- lines

    def run(self) -> None:
        if BROKEN == "slow-start":
            time.sleep(1.5)
        while line := self.read():
            words = line.split()
            if words and not line.startswith("#") and self.obey(words, line):
                return self.halt()
        if BROKEN == "ignore-eof":
            time.sleep(30)
        self.halt()

    def read(self) -> str:
        raw = sys.stdin.buffer.readline(LONGEST + 2)
        if len(raw) <= LONGEST + 1:
            return raw.decode("utf-8", "replace")
        while raw and not raw.endswith(b"\n"):
            raw = sys.stdin.buffer.readline(2**16)
        if BROKEN == "long-line-dies":
            sys.exit(1)
        say("error line-too-long")
        return "#"

    def obey(self, words: list[str], line: str) -> bool:
        """Do a command; True to quit."""
        if BROKEN == "no-tabs" and "\t" in line:
            return False
        name = words[0] if BROKEN == "case" else words[0].lower()
        if name == "quit":
            return BROKEN != "ignore-quit"
        command = getattr(self, f"do_{name}", None)
        try:
            if command is None:
                raise Refuse("unknown-command", words[0])
            command([words[0], line] if name == "setoption" else words[1:])
        except Refuse as refusal:
            if BROKEN != "silent-errors":
                say(refusal.line)
        return False

    def do_ugi(self, args: list[str], ok: str = "ugiok") -> None:
        if BROKEN == "chatter":
            say("Welcome to the minimal engine!")
        say("id name Minimal 1.0", "id author Nobody", "id protocol ugi-n 1")
        players = "5 2" if BROKEN == "bad-game-line" else "2 5"
        say(f"game name tokens players {players} hidden true chance true maxlen 40")
        for name, (kind, default, rest) in OPTIONS.items():
            line = f"option name {name} type {kind}" + (
                f" default {default or '<empty>'}" if kind != "button" else ""
            )
            if kind == "spin":
                line += f" min {rest[0]} max {rest[1]}"
            say(line + "".join(f" var {value}" for value in rest if kind == "combo"))
        if BROKEN == "bad-option-line":
            say("option name Style type colour default red")
        say(ok)

    def do_uci(self, args: list[str]) -> None:
        if BROKEN != "no-uci":
            self.do_ugi(args, "uciok")

    def do_isready(self, args: list[str]) -> None:
        if BROKEN == "deaf-in-search" and self.search is not None:
            self.search.thread.join()
        if BROKEN == "isready-stops":
            self.halt()
        say(" ".join(["readyok", *([] if BROKEN == "no-tag" else args[:1])]))

    def do_uginewgame(self, args: list[str]) -> None:
        self.halt()
        self.table, self.leak = None, 0

    def do_setoption(self, args: list[str]) -> None:
        if self.searching() and BROKEN != "setoption-in-search":
            raise Refuse("busy", "setoption")
        match = re.match(r"\s*\S+\s+name\s+(.*?)(?:\s+value(?:\s+(.*))?)?\s*$", args[1], re.IGNORECASE)
        names = {name.lower(): name for name in OPTIONS}
        if match is None or not match[1]:
            raise Refuse("syntax", "setoption")
        name, value = names.get(match[1].lower()), match[2] or ""
        if name is None:
            raise Refuse("unknown-option", match[1])
        if OPTIONS[name][0] != "button":
            self.values[name] = self.checked(name, value)

    @staticmethod
    def checked(name: str, value: str) -> str:
        kind, _, rest = OPTIONS[name]
        good = {
            "spin": re.fullmatch(r"\d{1,10}", value) is not None
            and int(str(rest[0])) <= int(value) <= int(str(rest[1])),
            "check": value in ("true", "false"),
            "combo": value.lower() in rest,
        }
        if not good.get(kind, True) and BROKEN != "any-value":
            raise Refuse("bad-value", value)
        if BROKEN == "ascii-options":
            return value.encode("ascii", "ignore").decode()
        return value.lower() if kind == "combo" else value

    # ---- positions

    def do_position(self, args: list[str]) -> None:
        self.halt()
        if BROKEN == "leaky":
            self.hoard.append(bytearray(200_000))
        if BROKEN != "keeps-old-position":
            self.table = None
        try:
            self.table = parse_position(args, BROKEN == "skips-illegal")
        except Refuse as refusal:
            if BROKEN == "position-dies":
                sys.exit(1)
            raise Refuse(refusal.args[0]) if BROKEN == "no-place" else refusal from None

    def do_query(self, args: list[str]) -> None:
        name = args[0].lower() if args else ""
        if name == "options":
            return say(f"response {json.dumps(self.values, ensure_ascii=False)}")
        answer = getattr(Answers, name, None)
        if answer is None or name.startswith("_"):
            raise Refuse("unknown-query", name)
        try:
            if self.table is None:
                raise Refuse("no-position")
            say(f"response {answer(self.table, args[1:])}".rstrip())
        except Refuse as refusal:
            say(f"response {refusal.line}")

    # ---- searches

    def searching(self) -> bool:
        return self.search is not None and self.search.thread.is_alive()

    def halt(self) -> None:
        if self.search is not None:
            self.search.stopped.set()
            self.search.thread.join()
            self.search = None

    def do_stop(self, args: list[str]) -> None:
        self.stops += 1
        if BROKEN == "slow-stop":
            time.sleep(1.0)
        self.halt()

    def do_ponderhit(self, args: list[str]) -> None:
        if self.search is not None:
            self.search.hit.set()

    def do_go(self, args: list[str]) -> None:
        if BROKEN == "drops-second-go" and self.searching():
            return
        self.halt()
        go = Go(args)
        table = self.table
        try:
            if table is None:
                raise Refuse("no-position", "go")
            if "perft" in go.numbers:
                total = perft(table, go.numbers["perft"]) + (BROKEN == "perft")
                return say(f"perft {go.numbers['perft']} nodes {total} time 0")
            self.refuse(table, go)
        except Refuse as refusal:
            return say(refusal.line, *([] if BROKEN == "error-only" else ["bestmove (none)" + go.suffix]))
        if "chance" in go.flags:
            outcome = "~turn=77" if BROKEN == "chance-draw" else random.choice(table.legal())
            return say(f"bestmove {outcome}{go.suffix}")
        self.search = Search(self, table, go)
        if BROKEN == "remembers-stop" and self.stops:
            self.search.stopped.set()
        self.stops = 0
        self.search.thread.start()

    @staticmethod
    def refuse(table: Table, go: Go) -> None:
        at_chance = isinstance(table.due(), str)
        if table.due() is None:
            raise Refuse("game-over")
        if at_chance != ("chance" in go.flags):
            raise Refuse("chance-node" if at_chance else "not-a-chance-node")
        if table.viewer not in (None, table.due()) and not at_chance:
            raise Refuse("not-your-turn")
        if go.moves is not None and not set(go.moves) & set(table.legal()):
            raise Refuse("no-searchmoves")


class Go:
    """A ``go`` line."""

    def __init__(self, args: list[str]) -> None:
        self.numbers: dict[str, int] = {}
        self.flags: set[str] = set()
        self.moves: list[str] | None = None
        self.suffix = ""
        words = list(args)
        while words:
            word = {"wtime": "p1time", "btime": "p2time"}.get(words[0].lower(), words[0].lower())
            del words[0]
            if word in ("infinite", "ponder", "chance"):
                self.flags.add(word)
            elif word == "searchid" and words:
                self.suffix = "" if BROKEN == "no-searchid" else f" searchid {words.pop(0)}"
            elif word == "searchmoves":
                self.moves = []
                while words and "=" in words[0]:
                    self.moves.append(words.pop(0))
            elif (
                re.fullmatch(r"movetime|nodes|depth|movestogo|multipv|perft|p\d(time|inc|byo)|[wb]inc", word)
                and words
            ):
                self.numbers[word] = min(int(words.pop(0)), 10**9)
            elif BROKEN != "silent-errors":
                say(f"error unknown-token {word}")


class Search:
    """A search in its thread: waits as long as it may, and says the same whatever the time."""

    def __init__(self, engine: MinimalEngine, table: Table, go: Go) -> None:
        self.engine, self.table, self.go = engine, table, go
        self.stopped, self.hit = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        ranked = self.ranked()
        held = self.go.flags & {"infinite", "ponder"} and BROKEN != "infinite-ends"
        deadline = time.monotonic() + (3600.0 if held else self.budget())
        while not self.stopped.is_set() and not (held and self.hit.is_set()) and time.monotonic() < deadline:
            self.report(ranked[:1])
            self.stopped.wait(
                0.001 if BROKEN == "info-flood" else min(0.06, max(deadline - time.monotonic(), 0))
            )
        if BROKEN != "no-info":
            self.report(ranked)
        self.engine.leak += 1 + (self.table.mover() or 0)
        best = "add=9" if BROKEN == "illegal" else ranked[-1] if BROKEN == "not-first" else ranked[0]
        ponder = " ponder add=1" if BROKEN == "ponder-move" else ""
        say(*[f"bestmove {best}{ponder}{self.go.suffix}"] * (2 if BROKEN == "two-answers" else 1))

    def budget(self) -> float:
        numbers, seat = self.go.numbers, self.table.mover() or 0
        times = [0.0] if {"nodes", "depth"} & numbers.keys() else []
        times += [max(numbers["movetime"], 0) / 1000] if "movetime" in numbers else []
        times += [max(numbers[f"p{seat + 1}time"], 1) / 20_000] if f"p{seat + 1}time" in numbers else []
        return min(times, default=int(self.engine.values["DefaultMoveTime"]) / 1000)

    def ranked(self) -> list[str]:
        legal = self.table.legal()
        wanted = legal if self.go.moves is None or BROKEN == "searchmoves" else self.go.moves
        return sorted((move for move in legal if move in wanted), key=lambda move: (-self.worth(move), move))

    def worth(self, move: str) -> float:
        """A number from what the seat to move knows, unless something is broken."""
        known: list[object] = [self.table.known(self.table.mover() or 0), self.engine.values["Seed"], move]
        if BROKEN == "peeks" or self.engine.values["Information"] == "full":
            known.append(self.table.secrets())
        if BROKEN == "foresees":
            known.append(self.table.seed)
        if BROKEN == "seat-leak":
            known.append(self.engine.leak)
        if BROKEN == "moody":
            known.append(time.time())
        return random.Random(json.dumps(known)).random()

    def report(self, moves: list[str]) -> None:
        seats, nodes = self.table.seats, self.go.numbers.get("nodes", 1000)
        count = self.go.numbers.get("multipv", int(self.engine.values["MultiPV"]))
        win = [1000 // seats + (seat < 1000 % seats) for seat in range(seats - (BROKEN == "win-length"))]
        win[0] += 100 if BROKEN == "win-sum" else 0
        shares = f"win {' '.join(map(str, win))} vp {' '.join(f'{p:.1f}' for p in self.table.points)}"
        say(
            *(
                f"info depth 1 seldepth 1 multipv {rank} score cp {self.worth(move) * 100:.0f} {shares} "
                f"nodes {nodes} nps 1000 time 1 hashfull 0{self.go.suffix} visits {nodes} se 10 pv {move}"
                for rank, move in enumerate(moves[: 1 if BROKEN == "multipv" else count], 1)
            )
        )


def perft(table: Table, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(table.child(move), depth - 1) for move in table.legal())


class Answers:
    """Answers to ``query``, by name."""

    @staticmethod
    def gameover(table: Table, args: list[str]) -> str:
        return str(table.due() is None).lower()

    @staticmethod
    def p1turn(table: Table, args: list[str]) -> str:
        return str(table.due() == 0).lower()

    @staticmethod
    def result(table: Table, args: list[str]) -> str:
        if table.due() is not None:
            return "none"
        best = [seat for seat in range(table.seats) if table.points[seat] == max(table.points)]
        return f"p{best[0] + 1}win" if len(best) == 1 else "p1win" if BROKEN == "result" else "draw"

    @staticmethod
    def players(table: Table, args: list[str]) -> str:
        return str(table.seats)

    @staticmethod
    def turn(table: Table, args: list[str]) -> str:
        due = table.due()
        return "none" if due is None else "chance" if isinstance(due, str) else f"p{due + 1}"

    @staticmethod
    def scores(table: Table, args: list[str]) -> str:
        return " ".join(map(str, table.points))

    @staticmethod
    def ranks(table: Table, args: list[str]) -> str:
        low = 2 if BROKEN == "result" else 1
        return " ".join(str(low + sum(other > mine for other in table.points)) for mine in table.points)

    @staticmethod
    def returns(table: Table, args: list[str]) -> str:
        best = [points == max(table.points) for points in table.points]
        return " ".join(f"{won / sum(best):.3f}" for won in best)

    @staticmethod
    def legal(table: Table, args: list[str]) -> str:
        moves = table.legal() if table.mover() is not None else []
        return f"{len(moves) + (BROKEN == 'legal-count')} {' '.join(moves)}"

    @staticmethod
    def islegal(table: Table, args: list[str]) -> str:
        return str(args[:1] != [] and args[0] in table.legal()).lower()

    @staticmethod
    def describe(table: Table, args: list[str]) -> str:
        return f"the event {' '.join(args)}"

    @staticmethod
    def chance(table: Table, args: list[str]) -> str:
        if not isinstance(table.due(), str):
            raise Refuse("not-a-chance-node")
        share = 2 if BROKEN == "chance-sum" else 1
        chances = table.outcomes()
        return f"{len(chances)} {' '.join(f'{name}@{p * share:.9f}' for name, p in chances.items())}"

    @staticmethod
    def fen(table: Table, args: list[str]) -> str:
        if table.viewer is not None:
            raise Refuse("hidden")
        if BROKEN == "fen":
            return f"tokens;players={table.seats};seed=99"
        return table.spec() if not table.turns else f"tokens;players={table.seats};state={table.snapshot()}"

    @staticmethod
    def view(table: Table, args: list[str]) -> str:
        seat = _seat(table, args)
        events = table.events if BROKEN == "view" else table.masked(seat)
        return f"view p{seat + 1} {table.spec(BROKEN == 'seed-in-view')} moves {' '.join(events)}"

    @staticmethod
    def history(table: Table, args: list[str]) -> str:
        events = table.masked(_seat(table, args)) if args else table.events
        return f"{len(events)} {' '.join(events)}"

    @staticmethod
    def observation(table: Table, args: list[str]) -> str:
        seat = _seat(table, args)
        return json.dumps({"seat": seat + 1, "known": table.known(seat)})

    @staticmethod
    def state(table: Table, args: list[str]) -> str:
        if table.viewer is not None and BROKEN != "view-tells":
            raise Refuse("hidden")
        return json.dumps({"state": table.secrets()})

    @staticmethod
    def hash(table: Table, args: list[str]) -> str:
        return f"{random.Random(table.snapshot()).getrandbits(64):016x}"


def _seat(table: Table, args: list[str]) -> int:
    if not args or re.fullmatch("p[1-9]", args[0]) is None or int(args[0][1]) > table.seats:
        raise Refuse("syntax", "seat")
    if table.viewer not in (None, int(args[0][1]) - 1):
        raise Refuse("hidden")
    return int(args[0][1]) - 1


if __name__ == "__main__":
    MinimalEngine().run()
