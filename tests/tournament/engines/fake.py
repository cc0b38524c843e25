"""``fake.py WAY [KEY=VALUE]…``: an engine that plays well enough, but does one thing wrong.

`WAYS` has what that can be, each with the moment at which it happens: at the ``start``, in answer to ``ugi``,
``newgame``, ``isready``, ``position`` or ``go``, ``after`` a move, or at the ``end``. Keys: ``nth=N`` only at
the N-th such moment of a process; ``crc=N`` only where the CRC of the position line can be divided by N, so
that a tournament that is resumed sees the same; ``if=PATH`` only while there is such a file; ``seconds=S``
where it is about time; ``time=MS``, what it says a move took; ``log=PATH``, where it writes. Other keys mean
nothing; they mark the process for whoever looks for it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from zlib import crc32

from honest import Honest

FOREVER = 300.0  # seconds; for a test that is for ever, and one that was killed leaves nothing for long
MIB = 2**20
KILL, STOP = 9, 19  # signals; the module takes a while to import


class Fake(Honest):
    """An honest engine until its moment comes."""

    def __init__(self, way: str, keys: dict[str, str]) -> None:
        super().__init__(int(keys.get("time", "0")))
        self.when, self.act = WAYS[way]
        self.nth, self.crc = int(keys.get("nth", "0")), int(keys.get("crc", "1"))
        self.flag, self.log = keys.get("if", ""), keys.get("log", "")
        self.seconds = float(keys.get("seconds", "1"))
        self.count = 0  # moments so far

    def moment(self, name: str) -> bool:
        """Do what is wrong, if it is time to; True if that replaces what is right."""
        if name != self.when:
            return False
        self.count += 1
        if self.nth not in (0, self.count) or crc32(self.position.encode()) % self.crc:
            return False
        if self.flag and not os.path.exists(self.flag):
            return False
        return bool(self.act(self))


# ---- what it can do


def sleep(fake: Fake) -> None:
    """Do nothing any more, whatever comes."""
    time.sleep(FOREVER)
    os._exit(0)


def linger(fake: Fake, seconds: float, heed_stop: bool) -> None:
    """Think for so long, answering ``isready``; until ``stop``, if that is heeded."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        line = fake.read(left) or ""
        if line.startswith("isready"):
            fake.do_isready(line[8:])
        elif line == "quit":
            raise EOFError
        elif line == "stop" and heed_stop:
            return


def deaf(fake: Fake) -> None:
    linger(fake, FOREVER, heed_stop=False)


def late(fake: Fake) -> None:
    linger(fake, FOREVER, heed_stop=True)


def slow(fake: Fake) -> None:
    linger(fake, fake.seconds, heed_stop=True)


def crash(fake: Fake) -> None:
    """End like a program with a bug."""
    fake.write(2, b"loading\nfake engine: index out of range\n")
    os._exit(3)


def crash_halfway(fake: Fake) -> None:
    fake.say("id name Half")
    crash(fake)


def stop_itself(fake: Fake) -> None:
    os.kill(os.getpid(), STOP)


def kill_itself(fake: Fake) -> None:
    os.kill(os.getpid(), KILL)


def leave(fake: Fake) -> None:
    os._exit(0)


def close_stdout(fake: Fake) -> None:
    os.close(1)
    sleep(fake)


def ignore_signals(fake: Fake) -> None:
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sleep(fake)


def tidy_up(fake: Fake) -> None:
    """Take a while to write a log before the end."""
    time.sleep(fake.seconds)
    with open(fake.log, "a", encoding="utf-8") as log:
        log.write("goodbye\n")


def fork(fake: Fake) -> None:
    """Leave a child that keeps the pipes open."""
    if os.fork() == 0:
        sleep(fake)


def fork_away(fake: Fake) -> None:
    """The same, out of the reach of signals to the group; it ends by itself."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(fake.seconds)
        os._exit(0)


def crash_and_leave(fake: Fake) -> None:
    fork_away(fake)
    crash(fake)


def use_crlf(fake: Fake) -> None:
    fake.end_of_line = "\r\n"


def speak(*lines: str) -> Callable[[Fake], bool]:
    """Say this instead."""

    def act(fake: Fake) -> bool:
        fake.say(*lines)
        return True

    return act


def add(*lines: str) -> Callable[[Fake], None]:
    """Say this before what is right."""
    return lambda fake: fake.say(*lines)


def move(word: str) -> Callable[[Fake], bool]:
    """Move like this."""

    def act(fake: Fake) -> bool:
        fake.answer(word, fake.searchid)
        return True

    return act


def illegal(fake: Fake) -> bool:
    assert fake.table is not None
    words = ("claim=5", "take=6", "rest", "drop=b", "pay=b")
    return move(next(word for word in words if word not in fake.table.legal()))(fake)


def boast(fake: Fake) -> bool:
    """Move well, with figures that can't be: a time of ages, more than the whole win."""
    from foreign_rules import choose

    assert fake.table is not None
    move, much = choose(fake.table), "9" * 17
    fake.say(f"info win {much} -{much} vp {much} nodes {much} time {much}{fake.searchid} pv {move}")
    fake.say(f"bestmove {move}{fake.searchid}")
    return True


def name_another(searchid: str) -> Callable[[Fake], None]:
    """Answer under another search's id."""

    def act(fake: Fake) -> None:
        fake.searchid = searchid

    return act


def answer_again(fake: Fake) -> None:
    fake.say(f"bestmove rest{fake.searchid}")


def be_rude(fake: Fake) -> None:
    fake.name = "<script>alert(1)</script>&\"'\x1b[31m\x07[red]|*_,;"


def write_half(fake: Fake) -> None:
    fake.write(1, b"bestmove ta")
    sleep(fake)


def babble(fake: Fake) -> None:
    while True:
        fake.say(*["info string thinking hard"] * 50)
        time.sleep(0.002)


def garble(fake: Fake) -> None:
    fake.write(1, b"info string \xff\xfe\x00\xc3\x28 \xed\xa0\x80\n\x80\x81\n")


def flood_stderr(fake: Fake) -> None:
    fake.write(2, b"warning: something is odd\n" * 10_000 + b"the last words\n")


def chatter(fd: int) -> Callable[[Fake], None]:
    """Write to an output all the time, beside a good game."""

    def run(fake: Fake) -> None:
        while True:
            fake.write(fd, b"info string la la la\n" * 100)
            time.sleep(0.005)

    def act(fake: Fake) -> None:
        import _thread

        _thread.start_new_thread(run, (fake,))

    return act


BAD_INFO = (
    *(
        "info",
        "info pv",
        "info win banana",
        "info win 1000 0 0 0 0 0 0 0 0 0 0",
        "info vp nan inf",
        "info time -7",
    ),
    *(
        f"info depth {'9' * 400} time 1e99 nodes -1 multipv 0 pv",
        "infojson {",
        "infojson [1]",
        "info multipv x",
    ),
)
LONG_LINES = ("info string " + "x" * MIB, "y" * 5 * MIB, "info pv " + "take=1 " * (MIB // 7))
BANNER = ("Fake Engine 3000 (c) nobody", "", "loading... done", "bestmove take=1", "readyok", "error busy")

WAYS: dict[str, tuple[str, Callable[[Fake], bool | None]]] = {
    "nothing": ("never", leave),
    "crlf": ("start", use_crlf),
    # it dies
    "crash-start": ("start", crash),
    "crash-ugi": ("ugi", crash_halfway),
    "crash-isready": ("isready", crash),
    "crash": ("go", crash),
    "killed": ("go", kill_itself),
    "exit-after": ("after", leave),
    # it hangs
    "hang-start": ("start", sleep),
    "hang-ugi": ("ugi", sleep),
    "hang-isready": ("isready", sleep),
    "hang": ("go", sleep),
    "deaf": ("go", deaf),
    "babble": ("go", babble),
    "stopped": ("go", stop_itself),
    "close-stdout": ("go", close_stdout),
    "half-line": ("go", write_half),
    "tidy": ("end", tidy_up),
    "ignore-quit": ("end", sleep),
    "ignore-signals": ("end", ignore_signals),
    # it is late
    "slow": ("go", slow),
    "slow-start": ("start", lambda fake: time.sleep(fake.seconds)),
    "late": ("go", late),
    # it moves in a wrong way
    "illegal": ("go", illegal),
    "none": ("go", move("(none)")),
    "resign": ("go", move("resign")),
    "empty": ("go", speak("bestmove")),
    "twice": ("after", answer_again),
    "early": ("position", add("bestmove rest searchid s1", "bestmove take=1")),
    "unasked": ("newgame", add("bestmove take=1")),
    "wrong-id": ("go", name_another(" searchid another")),
    "no-id": ("go", name_another("")),
    "long-move": ("go", move("take=" + "1" * MIB)),
    # it says strange things
    "banner": ("ugi", add(*BANNER)),
    "uci-only": ("ugi", speak("Unknown command: ugi")),
    "rude-name": ("ugi", be_rude),
    "long-lines": ("go", add(*LONG_LINES)),
    "bad-utf8": ("go", garble),
    "bad-info": ("go", add(*BAD_INFO)),
    "boast": ("go", boast),
    "flood-stderr": ("go", flood_stderr),
    "endless-stderr": ("start", chatter(2)),
    "endless-stdout": ("start", chatter(1)),
    # it leaves something behind
    "fork": ("start", fork),
    "fork-away": ("start", fork_away),
    "orphan": ("go", crash_and_leave),
}

if __name__ == "__main__":
    Fake(sys.argv[1], dict(word.partition("=")[::2] for word in sys.argv[2:])).run()
