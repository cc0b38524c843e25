"""Checks of ``go``, ``stop``, ``info`` and ``bestmove``."""

from __future__ import annotations

import time

from serai.protocol.compliance_guide import Spot
from serai.protocol.compliance_probe import Answer, FailedCheckError, Probe, SkippedCheckError
from serai.protocol.compliance_registry import Checks, Context, expect
from serai.protocol.messages import split

CHECKS = Checks()
STOP = 0.05  # seconds from stop to bestmove
HOLD = 0.5  # seconds to see whether an infinite search ends by itself


def judge(answer: Answer, spot: Spot, searchid: str | None = None) -> None:
    """Fail unless an answer is a proper one to a search from a spot."""
    where = spot.text.line[-200:]
    expect(len(answer.best.moves) == 1, f"bestmove {answer.move} in {where}")
    expect(answer.best.move in spot.legal, f"illegal move {answer.move} in {where}")
    expect(answer.best.searchid == searchid, f"searchid {answer.best.searchid} instead of {searchid}")
    expect(answer.best.ponder is None, "bestmove has a ponder move, but Ponder is off")
    expect(any(info.win for info in answer.infos), f"no info with win before bestmove in {where}")
    for info in answer.infos:
        if info.win is not None:
            expect(len(info.win) == spot.seats, f"win has {len(info.win)} numbers for {spot.seats} seats")
            expect(abs(sum(info.win) - 1000) <= spot.seats, f"win sums to {sum(info.win)}")
        if info.vp is not None:
            expect(len(info.vp) == spot.seats, f"vp has {len(info.vp)} numbers for {spot.seats} seats")


@CHECKS.add("go-limits", "every kind of limit, however small, gives one legal move")
def go_limits(context: Context) -> str:
    """Section 4."""
    probe = context.start()
    spot = context.guide().opening()
    if "DefaultMoveTime" in context.options():
        probe.sync("setoption name DefaultMoveTime value 50")
    clocks = "p1time 50 p2time 50 p3time 50"
    tries = [
        *("movetime 1", "movetime 0", "movetime -5", "movetime 30"),
        *("nodes 1", "nodes 0", "nodes -1", "depth 1", ""),
        *("p1time 1", "p1time 0", "p1time -100", f"{clocks} p1inc 10 movestogo 3"),
        "wtime 20 btime 20 winc 1 binc 1",
        *("p1byo 20 p1time 1", "nodes 1000000000 movetime 20", "movetime 99999999999999999999 nodes 10"),
    ]
    for number, limit in enumerate(tries):
        answer = probe.go(spot.line, f"go {limit} searchid n{number}")
        judge(answer, spot, f"n{number}")
    expect(not probe.quiet(0.2), "something was said after the last bestmove")
    return f"{len(tries)} limits"


@CHECKS.add("infinite", "go infinite ends by stop only, then within 50 ms")
def infinite(context: Context) -> str:
    """Section 4."""
    probe = context.start()
    spots = [context.guide().opening(), *_forced(context)]
    slowest = 0.0
    for spot in spots:
        probe.sync(spot.line)
        seconds = _held(probe, "go infinite", "stop", spot)
        slowest = max(slowest, seconds)
    _held(probe, f"go infinite searchmoves {spots[0].legal[0]}", "stop", spots[-1], position=spots[0])
    expect(slowest <= STOP * context.slack, f"bestmove came {slowest * 1000:.0f} ms after stop")
    return f"{slowest * 1000:.0f} ms" + ("" if len(spots) > 1 else ", no forced move found to try")


def _forced(context: Context) -> list[Spot]:
    """A decision with one legal move, if random games have one."""
    guide = context.guide()
    spots = (spot for seed in range(1, 6) for spot in guide.played(guide.game.fewest, seed).spots)
    return [spot for spot in spots if len(spot.legal) == 1][:1]


def _held(probe: Probe, go: str, release: str, spot: Spot, position: Spot | None = None) -> float:
    spot = position or spot
    probe.sync(spot.line)
    probe.send(go)
    early = [line for line in probe.quiet(HOLD) if split(line)[:1] == ["bestmove"]]
    expect(not early, f"{go}: bestmove before {release}")
    answer = probe.go(release)
    expect(answer.best.move in spot.legal, f"{go}: illegal move {answer.move}")
    return answer.seconds


@CHECKS.add("ponder", "go ponder waits for ponderhit or stop, whatever the limit")
def ponder(context: Context) -> None:
    """Section 4."""
    probe = context.start()
    spot = context.guide().opening()
    clock = "p1time 1000 p2time 1000 p3time 1000"
    _held(probe, "go ponder movetime 20", "ponderhit", spot)
    _held(probe, f"go ponder {clock}", f"ponderhit {clock}", spot)
    _held(probe, "go ponder nodes 1", "stop", spot)
    got = probe.sync("ponderhit")
    expect(not any(split(line)[:1] == ["bestmove"] for line in got), "ponderhit while idle gave a bestmove")


@CHECKS.add("ponder-move", "bestmove has a ponder move only if Ponder is on")
def ponder_move(context: Context) -> None:
    """Section 5."""
    context.needs("Ponder")
    probe = context.start()
    spot = context.guide().opening()
    judge(probe.go(spot.line, "go nodes 200"), spot)
    answer = probe.go("setoption name Ponder value true", spot.line, "go nodes 200 searchid x")
    expect(answer.best.searchid == "x", "no searchid after the ponder move")


@CHECKS.add("searchmoves", "searchmoves restricts the choice; if none is legal there is an error and (none)")
def searchmoves(context: Context) -> None:
    """Section 4."""
    probe = context.start()
    spot = context.guide().middle()
    for move in (spot.legal[0], spot.legal[-1]):
        answer = probe.go(spot.line, f"go searchmoves {move} nodes 20")
        expect(answer.best.move == move, f"searchmoves {move} gave {answer.move}")
    pair = spot.legal[-2:]
    answer = probe.go(f"go nodes 20 searchmoves no=such {' '.join(pair)} searchid b")
    expect(answer.best.move in pair, f"searchmoves {' '.join(pair)} gave {answer.move}")
    refused(probe, "no-searchmoves", "go nodes 20 searchmoves no=such")


def refused(probe: Probe, code: str, *lines: str) -> None:
    """Fail unless a go is answered by one error and ``bestmove (none)``."""
    answer = probe.go(*lines)
    codes = [error.code for error in answer.errors]
    expect(code in codes, f"{lines[-1][:80]}: wanted error {code}, got {codes}")
    expect(answer.move == "(none)", f"{lines[-1][:80]}: bestmove {answer.move} after an error")


@CHECKS.add("stop-idle", "stop without a search does nothing and is not remembered")
def stop_idle(context: Context) -> None:
    """Section 4."""
    probe = context.start()
    spot = context.guide().opening()
    got = probe.sync("stop", "stop", spot.line, "stop")
    expect(not got, f"stop while idle was answered: {got}")
    _held(probe, "go infinite", "stop", spot)
    got = probe.sync("stop")
    expect(not got, f"stop after the answer was answered: {got}")


@CHECKS.add("one-answer", "every go has exactly one bestmove, in order, also in a burst")
def one_answer(context: Context) -> None:
    """Section 4: an implicit stop comes before position, uginewgame and another go."""
    probe = context.start()
    spot = context.guide().opening()
    line = spot.line
    bursts = {
        "stop, position, go": [line, "go infinite searchid 1", "stop", line, "go nodes 5 searchid 2"],
        "two go": [line, "go infinite searchid 1", "go movetime 10 searchid 2"],
        "position in a search": [line, "go infinite searchid 1", line, "go nodes 5 searchid 2"],
        "ten go": [line, *(f"go infinite searchid {number}" for number in range(1, 11)), "stop"],
        "uginewgame": [line, "go infinite searchid 1", "uginewgame", line, "go nodes 1 searchid 2"],
    }
    for name, lines in bursts.items():
        wanted = [f"{number}" for number in range(1, sum("searchid" in sent for sent in lines) + 1)]
        probe.send(*lines)
        answers = [probe.answer(0.0, what=name) for _ in wanted]
        got = [answer.best.searchid for answer in answers]
        expect(got == wanted, f"{name}: answers {got} instead of {wanted}")
        for number, answer in enumerate(answers, 1):
            judge(answer, spot, f"{number}")
        more = [text for text in probe.quiet(0.2) if split(text)[:1] == ["bestmove"]]
        expect(not more, f"{name}: one answer too many: {more}")


@CHECKS.add("no-move", "a go that can't be answered gets an error and bestmove (none)")
def no_move(context: Context) -> None:
    """Section 4."""
    guide = context.guide()
    probe = context.start()
    refused(probe, "game-over", guide.played(guide.game.fewest, 1).end.line, "go nodes 5")
    if guide.game.chance:
        refused(probe, "chance-node", guide.unseeded(), "go nodes 5")
    spot = guide.opening()
    view = probe.ask(f"view {spot.other}", spot.line)
    refused(probe, "not-your-turn", f"position {view}", "go nodes 5")
    answer = probe.go(f"position {view}", "go nodes 5 searchid z")
    expect(answer.best.searchid == "z", "bestmove (none) without the searchid")


@CHECKS.add("moves", "bestmove is legal and judged properly in random positions of all numbers of seats")
def moves(context: Context) -> str:
    """Section 5."""
    probe = context.start()
    spots = list(context.guide().spots(context.positions))
    for number, spot in enumerate(spots):
        judge(probe.go(spot.line, f"go nodes {1 + number % 3} searchid {number}"), spot, f"{number}")
    return f"{len(spots)} positions"


@CHECKS.add("multipv", "as many lines as asked for, or as there are legal moves; best first, no move twice")
def multipv(context: Context) -> None:
    """Section 5."""
    probe = context.start()
    for spot in (context.guide().opening(), context.guide().middle()):
        for wanted in (1, 3, 50):
            answer = probe.go(spot.line, f"go nodes 300 multipv {wanted}")
            judge(answer, spot)
            _judge_lines(answer, spot, wanted)


def _judge_lines(answer: Answer, spot: Spot, wanted: int) -> None:
    final = answer.final()
    count = min(wanted, len(spot.legal))
    expect(sorted(final) == list(range(1, count + 1)), f"multipv {wanted}: lines {sorted(final)} of {count}")
    firsts = [(info.pv or ("",))[0] for _, info in sorted(final.items())]
    expect(set(firsts) <= set(spot.legal), f"a line begins with an illegal move: {firsts}")
    expect(len(set(firsts)) == count, f"a move has two lines: {firsts}")
    expect(answer.best.move == firsts[0], f"bestmove {answer.move} is not the first line, {firsts[0]}")


@CHECKS.add("info-rate", "about 20 info lines a second at most during a search")
def info_rate(context: Context) -> str:
    """Section 5."""
    probe = context.start()
    spot = context.guide().opening()
    answer = probe.go(spot.line, "go movetime 1000")
    judge(answer, spot)
    rate = len(answer.infos) / max(answer.seconds, 1.0)
    expect(rate <= 30, f"{rate:.0f} info lines a second")
    return f"{rate:.0f} a second"


@CHECKS.add("determinism", "Threads 1, a Seed and nodes give the same info and bestmove in every process")
def determinism(context: Context) -> None:
    """Section 2, the promise."""
    spot = context.guide().middle()
    commands = [*context.fixed(), spot.line, "go nodes 300 multipv 3"]
    answers = []
    for _ in range(2):
        with context.fresh() as probe:
            answers.append(essence(probe.go(*commands)))
    expect(answers[0] == answers[1], f"first {answers[0]}, then {answers[1]}")


def essence(answer: Answer) -> list[str]:
    """What must be the same in equal searches: the last word on each line, and the move."""
    expect(answer.best.moves, f"no move: {answer.lines[-2:]}")
    last = {}
    for line in answer.lines:
        words = split(line)
        if words[:1] == ["info"] and "pv" in words:
            last[words[words.index("multipv") + 1] if "multipv" in words else "1"] = _timeless(words)
    return [*(last[key] for key in sorted(last)), answer.move]


def _timeless(words: list[str]) -> str:
    """An info line without what depends on time."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("time", "nps", "searchid"):
            skip = True
        else:
            kept.append(word)
    return " ".join(kept)


@CHECKS.add("perft", "go perft 1 counts the legal moves")
def perft(context: Context) -> str:
    """Section 4."""
    probe = context.start()
    spots = list(context.guide().spots(5, per_game=1))
    for spot in spots:
        counted = _count(probe, spot)
        expect(counted == len(spot.legal), f"perft 1 is {counted}, legal moves {len(spot.legal)}")
    return f"{len(spots)} positions"


def _count(probe: Probe, spot: Spot) -> int:
    probe.sync(spot.line)
    probe.send("go perft 1")
    deadline = time.monotonic() + probe.timeout
    while (got := probe.get(deadline - time.monotonic())) is not None:
        words = split(got[1])
        if words[:1] == ["error"]:
            raise SkippedCheckError(f"it doesn't count: {got[1]}")
        if "nodes" in words[:-1] and words[0] in ("perft", "info"):
            return int(words[words.index("nodes") + 1])
    raise FailedCheckError("go perft 1 was not answered with nodes")
