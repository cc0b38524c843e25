"""Engines that misbehave: ``python engine.py BEHAVIOUR``. Each answers properly but for one thing.

A behaviour is a subclass of `Fake` that overrides what it does wrong; its name on the command line is the
class name in lower case. ``state=FILE`` makes it misbehave only in its first life: the file remembers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BUSY = 3600.0  # seconds; longer than any test


class Fake:
    """An engine that plays ``add=1`` whatever the position is."""

    move = "add=1"

    def say(self, *lines: str) -> None:
        self.write("".join(f"{line}\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def run(self) -> None:
        for raw in sys.stdin.buffer:
            words = raw.decode("utf-8", "replace").split()
            if words and not self.obey(words):
                return
        self.at_end()

    def obey(self, words: list[str]) -> bool:
        command = words[0]
        if command == "quit":
            return self.quit()
        handler = getattr(self, command, None)
        if handler is not None:
            handler(words[1:])
        return True

    def ugi(self, args: list[str]) -> None:
        self.say(
            "id name Fake",
            "id protocol ugi-n 1",
            "game name tokens players 2 5 hidden true chance true maxlen 40",
            "option name Threads type spin default 1 min 1 max 8",
            "option name mini size type combo default max var max var two words",
            "option name Path type string default <empty>",
            "option name Ponder type check default false",
            "option name Clear type button",
            "ugiok",
        )

    def isready(self, args: list[str]) -> None:
        self.say(" ".join(["readyok", *args]))

    def setoption(self, args: list[str]) -> None:
        print("setoption", *args, file=sys.stderr, flush=True)

    def query(self, args: list[str]) -> None:
        self.say("response 1 add=1" if args[0] == "legal" else "error unknown-query " + args[0])

    def go(self, args: list[str]) -> None:
        self.info(args)
        if "infinite" not in args:
            self.answer(args)
        self.last = args

    def stop(self, args: list[str]) -> None:
        if "infinite" in self.last:
            self.answer(self.last)

    last: list[str] = []  # noqa: RUF012 - a script, one instance

    def info(self, args: list[str]) -> None:
        self.say(f"info depth 1 multipv 1 win 500 500 nodes 10 time 1 pv {self.move}")

    def answer(self, args: list[str], move: str = "") -> None:
        self.say(f"bestmove {move or self.move}{self.suffix(args)}")

    @staticmethod
    def suffix(args: list[str]) -> str:
        return f" searchid {args[args.index('searchid') + 1]}" if "searchid" in args else ""

    def quit(self) -> bool:
        return False

    def at_end(self) -> None:
        pass


class Normal(Fake):
    pass


class Crash(Fake):
    def go(self, args: list[str]) -> None:
        print("assertion failed: board is upside down", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGABRT)


class CrashLater(Fake):
    """Dies between two calls."""

    def go(self, args: list[str]) -> None:
        super().go(args)
        os._exit(7)


class Stillborn(Fake):
    def ugi(self, args: list[str]) -> None:
        self.say("id name Stillborn")
        print("no network file", file=sys.stderr, flush=True)
        sys.exit(3)


class Mute(Fake):
    def ugi(self, args: list[str]) -> None:
        pass


class Hang(Fake):
    """Deaf from the first go on."""

    def go(self, args: list[str]) -> None:
        time.sleep(BUSY)


class HangOnQuery(Fake):
    def query(self, args: list[str]) -> None:
        time.sleep(BUSY)


class Dreamer(Fake):
    """Answers isready, but never a go."""

    def go(self, args: list[str]) -> None:
        self.info(args)


class Garbage(Fake):
    def info(self, args: list[str]) -> None:
        self.write(bytes(range(1, 256)) * 40 + b"\n")
        self.write(b"info depth x multipv y win 1 2 z nodes -5 pv\ninfo\n")
        self.write(b"info multipv 99999999999999999999 pv q\ninfojson [\nperft\nperft 1 nodes 3\n")
        self.write(b"\n\r\n   \nreadyok nobody\nresponse 5\noption name\nerror\nfoo bar\n\x00\x00\n")
        super().info(args)


class BadUtf8(Fake):
    def info(self, args: list[str]) -> None:
        self.write(b"info string caf\xe9 \xff\xfe\r\n")
        super().info(args)


class LongLine(Fake):
    """A line of 1 MiB, which is taken, and one of 9 MiB, which is dropped."""

    def info(self, args: list[str]) -> None:
        for size in (2**20, 9 * 2**20):
            self.write(b"info nodes 77 pv" + b" add=1" * (size // 6) + b"\n")


class Early(Fake):
    def isready(self, args: list[str]) -> None:
        self.say("bestmove add=3", "bestmove add=3 searchid s0")
        super().isready(args)


class Twice(Fake):
    def answer(self, args: list[str], move: str = "") -> None:
        super().answer(args, move)
        super().answer(args, "add=2")


class Late(Fake):
    """Answers only when stopped."""

    def go(self, args: list[str]) -> None:
        self.info(args)
        self.last = args

    def stop(self, args: list[str]) -> None:
        self.answer(self.last)


class Stale(Fake):
    """Answers an older search first."""

    def answer(self, args: list[str], move: str = "") -> None:
        self.say("bestmove add=3 searchid s1")
        super().answer(args)


class Nameless(Fake):
    """Leaves the searchid out."""

    @staticmethod
    def suffix(args: list[str]) -> str:
        return ""


class Plain(Nameless):
    """A plain UGI engine: no tags, no search ids, no protocol line."""

    def ugi(self, args: list[str]) -> None:
        self.say("id name Plain", "ugiok")

    def isready(self, args: list[str]) -> None:
        self.say("readyok")

    def go(self, args: list[str]) -> None:
        assert not {"searchid", "multipv"} & set(args)
        super().go(args)


class Chatty(Fake):
    """Writes to stderr without end."""

    def go(self, args: list[str]) -> None:
        for i in range(400):
            sys.stderr.write(f"line {i} " + "x" * 4000 + "\n")
        sys.stderr.flush()
        super().go(args)


class Immortal(Fake):
    """Ignores quit, the end of its input, and SIGTERM."""

    def run(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()
        time.sleep(BUSY)

    def quit(self) -> bool:
        return True

    def at_end(self) -> None:
        time.sleep(BUSY)


class Frozen(Fake):
    def go(self, args: list[str]) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)
        super().go(args)


class Illegal(Fake):
    move = "add=9"


class Silent(Fake):
    """Says (none) without saying why."""

    def answer(self, args: list[str], move: str = "") -> None:
        super().answer(args, "(none)")


class Quitter(Fake):
    move = "resign"


class Flood(Fake):
    """Info lines without end until the process is killed."""

    def go(self, args: list[str]) -> None:
        line = b"info depth 3 multipv 1 nodes 1 time 1 pv add=1\n"
        while True:
            self.write(line * 200)


class Burst(Fake):
    """Many info lines, then the answer."""

    def info(self, args: list[str]) -> None:
        self.write(b"".join(b"info multipv %d nodes %d pv add=1\n" % (i % 400, i) for i in range(50_000)))


class Boast(Fake):
    """Announces options without end."""

    def ugi(self, args: list[str]) -> None:
        self.write(b"".join(b"option name o%d type button\n" % i for i in range(20_000)))
        super().ugi(args)


class Bloat(Fake):
    """Announces options of the longest lines that are taken, without end."""

    def ugi(self, args: list[str]) -> None:
        for i in range(10_000):
            self.say(f"option name o{i} type combo default a" + " var a" * 9_000)
        super().ugi(args)


class Lengthy(Fake):
    """Names itself in a line that is too long."""

    def ugi(self, args: list[str]) -> None:
        self.say("id name " + "x" * 60_000)
        super().ugi(args)


class Closed(Fake):
    """Closes its stdout but lives on."""

    def go(self, args: list[str]) -> None:
        os.close(1)
        time.sleep(BUSY)


class Parent(Fake):
    """Dies and leaves a child that holds its pipes."""

    def go(self, args: list[str]) -> None:
        subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({BUSY})"])
        os._exit(5)


class DoubleReply(Fake):
    def query(self, args: list[str]) -> None:
        self.say("response 1 add=1", "response 1 add=1")


class BadReply(Fake):
    def query(self, args: list[str]) -> None:
        self.say("response 3 add=1")


class NoReply(Fake):
    def query(self, args: list[str]) -> None:
        pass


class Refuser(Fake):
    """Refuses every position and every option, as the protocol allows."""

    def position(self, args: list[str]) -> None:
        self.say("error illegal-move at=1 token=add=1")

    def setoption(self, args: list[str]) -> None:
        self.say("error busy setoption")

    def go(self, args: list[str]) -> None:
        self.say("error no-position go", "bestmove (none)" + self.suffix(args))


def behaviours() -> dict[str, type[Fake]]:
    """All of them by name."""
    kinds = [kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Fake)]
    return {kind.__name__.lower(): kind for kind in kinds}


def main() -> None:
    name, *rest = sys.argv[1:]
    if rest:
        memory = Path(rest[0].removeprefix("state="))
        if memory.exists():
            name = "normal"
        memory.touch()
    behaviours()[name]().run()


if __name__ == "__main__":
    main()
