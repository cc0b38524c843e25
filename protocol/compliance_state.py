"""Checks of ``position`` and ``query``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from serai.protocol.compliance_basic import errors_in
from serai.protocol.compliance_guide import Guide, Spot
from serai.protocol.compliance_probe import FailedCheckError, Probe, SkippedCheckError
from serai.protocol.compliance_registry import Checks, Context, expect
from serai.protocol.compliance_search import refused
from serai.protocol.game_text import GameText
from serai.protocol.messages import MAX_LINE, parse_seat, split

CHECKS = Checks()
Bad = tuple[str, set[str]]  # a position line, the codes that may refuse it


def bad_positions(guide: Guide) -> list[Bad]:
    """Position lines that must be refused, each for one reason."""
    name, spot = guide.game.name, guide.opening()
    spec, seats = spot.text.spec, spot.seats
    over = guide.played(guide.game.fewest, 1).end
    bad: list[Bad] = [
        ("position", {"syntax"}),
        ("position somewhere", {"syntax"}),
        (f"position fen {spec} then x", {"syntax"}),
        ("position fen no_such_game;players=2;seed=1", {"unknown-game"}),
        (f"position fen {name};players={guide.game.most + 1};seed=1", {"bad-players"}),
        (f"position fen {name};players=0;seed=1", {"bad-players"}),
        (f"position fen {name};players={seats};seed=many", {"bad-number", "syntax"}),
        (f"position fen {name};players={seats};state=%%%", {"bad-value", "syntax"}),
        (f"position fen {name};players={seats};state=AAAA", {"bad-value", "syntax"}),
        (f"position view p1 {spec}", {"seed-in-view"}),
        (f"position view p9 {name};players={seats}", {"bad-value", "syntax", "bad-players"}),
        (f"position fen {spec} moves no=such=move", {"bad-event", "illegal-move"}),
        (f"position fen {spec} moves ~", {"bad-event", "not-a-chance-node", "chance-mismatch"}),
        (f"position fen {spec} moves {spot.other}:{spot.legal[0]}", {"wrong-seat"}),
        (f"{over.line} {spot.legal[0]}", {"game-over"}),
    ]
    if guide.game.chance:
        bad.append((f"{guide.unseeded()} moves {spot.legal[0]}", {"chance-node"}))
    return bad


@CHECKS.add(
    "position-errors", "a bad position is refused with its code, go answers (none), the next one works"
)
def position_errors(context: Context) -> str:
    """Section 3."""
    guide = context.guide()
    probe = context.start()
    good = guide.opening().line
    tries = bad_positions(guide)
    for line, codes in tries:
        got = probe.sync(good, line)
        found = errors_in(got)
        expect(len(found) == 1, f"{line[:200]}: wanted one error, got {got[:3]}")
        expect(found[0] in codes, f"{line[:200]}: error {found[0]}, wanted {' or '.join(sorted(codes))}")
        refused(probe, "no-position", "go nodes 5")
        expect(probe.ask("turn", good).startswith("p"), "the next position doesn't work")
    return f"{len(tries)} of them"


@CHECKS.add("error-place", "an error in the events says which one: at=I token=T, counted from 1")
def error_place(context: Context) -> None:
    """Section 3."""
    probe = context.start()
    spot = context.guide().opening()
    illegal = _illegal(context, probe)
    got = probe.sync(f"{spot.line} moves {spot.legal[0]} {illegal}")
    wanted = {"at=2", f"token={illegal}"}
    expect(got and wanted <= set(split(got[0])), f"wanted {' '.join(sorted(wanted))}, got {got}")


def _illegal(context: Context, probe: Probe) -> str:
    """A well-formed move that isn't legal after the first one."""
    guide = context.guide()
    spot = guide.opening()
    after = set(split(probe.ask("legal", f"{spot.line} moves {spot.legal[0]}")))
    known = {move for played in guide.played(spot.seats, 1).spots for move in played.legal}
    for move in sorted(known - after):
        return move
    raise SkippedCheckError("every move is legal everywhere")


@CHECKS.add("long-lines", "lines of 1 MiB are taken, longer ones refused, and both do no harm")
def long_lines(context: Context) -> None:
    """Section 1."""
    probe = context.start()
    line = context.guide().opening().line
    padded = line.replace(" fen ", " fen" + " " * (MAX_LINE - len(line) - 10))
    expect(probe.ask("turn", padded).startswith("p"), "a position line of 1 MiB was not understood")
    got = probe.sync("# " + "x" * (3 * MAX_LINE))
    expect(errors_in(got) in ([], ["line-too-long"]), f"a line of 3 MiB got {got[:3]}")
    got = probe.sync("position fen " + "x" * (2 * MAX_LINE))
    expect(errors_in(got) == ["line-too-long"], f"a line of 2 MiB got {[text[:80] for text in got[:3]]}")
    many = probe.sync(f"{line} moves" + " no=such=move" * 60_000)
    expect(len(errors_in(many)) == 1, f"60000 bad moves got {len(many)} lines")
    expect(probe.ask("turn", line).startswith("p"), "the next position doesn't work")


@CHECKS.add("view", "query view gives the argument of position, with the same legal moves and no seed")
def view(context: Context) -> str:
    """Section 6."""
    probe = context.start()
    spots = list(context.guide().spots(min(context.positions, 100), per_game=5))
    for spot in spots:
        text = probe.ask(f"view {spot.mover}", spot.line)
        expect("seed=" not in text, f"the view has a seed: {text[:200]}")
        legal = tuple(split(probe.ask("legal", f"position {text}"))[1:])
        expect(legal == spot.legal, f"legal in the view: {legal[:9]}, in full: {spot.legal[:9]}")
        again = probe.ask(f"view {spot.mover}")
        expect(again == text, "the view of the view is another one")
    return f"{len(spots)} positions"


@CHECKS.add("hidden", "a view doesn't answer what it can't know")
def hidden(context: Context) -> None:
    """Section 6."""
    probe = context.start()
    spot = context.guide().middle()
    text = probe.ask(f"view {spot.mover}", spot.line)
    other = spot.other
    for question in ("state", "fen", f"view {other}", f"history {other}", f"observation {other}"):
        got = probe.sync(f"position {text}", f"query {question}")
        right = [split(line)[:3] for line in got] == [["response", "error", "hidden"]]
        expect(right, f"query {question} in a view: {got[:2]}")


@CHECKS.add("fen", "query fen gives a spec of the same position")
def fen(context: Context) -> str:
    """Section 6."""
    probe = context.start()
    spots = list(context.guide().spots(min(context.positions, 100), per_game=5))
    for spot in spots:
        before = _facts(probe, spot.line)
        spec = probe.ask("fen", spot.line)
        after = _facts(probe, f"position fen {spec}")
        expect(before == after, f"{spot.text.line[-120:]}: {before} before, {after} after")
    return f"{len(spots)} positions"


def _facts(probe: Probe, line: str) -> list[str]:
    got = probe.sync(line, *(f"query {question}" for question in ("turn", "legal", "scores", "players")))
    if len(got) != 4:
        raise FailedCheckError(f"four queries got {len(got)} lines: {got[:5]}")
    return got


@CHECKS.add("chance", "query chance lists outcomes whose probabilities sum to 1; go chance draws one of them")
def chance(context: Context) -> str:
    """Section 6."""
    guide = context.guide()
    if not guide.game.chance:
        raise SkippedCheckError("a game without chance")
    probe = context.start()
    text = GameText(guide.unseeded().removeprefix("position fen "))
    seen = 0
    while probe.ask("turn", text.line) == "chance" and seen < 60:
        words = split(probe.ask("chance"))
        outcomes = dict(word.rsplit("@", 1) for word in words[1:])
        expect(words[0] == str(len(outcomes)) == str(len(words) - 1), f"{words[0]} outcomes: {words[1:]}")
        total = sum(float(probability) for probability in outcomes.values())
        expect(abs(total - 1) < 1e-4, f"the probabilities sum to {total:.6f}")
        drawn = probe.go("go chance searchid c")
        expect(drawn.best.move in outcomes, f"go chance drew {drawn.move}, which is not listed")
        text = text.after(drawn.best.move or "")
        seen += 1
    return f"{seen} chance nodes"


@CHECKS.add("seeded", "under a seed chance events may be listed; a wrong one is a mismatch")
def seeded(context: Context) -> None:
    """Section 3."""
    guide = context.guide()
    if not guide.game.chance:
        raise SkippedCheckError("a game without chance")
    probe = context.start()
    spot = guide.middle()
    events = split(probe.ask("history", spot.line))[1:]
    chances = [event for event in events if event.startswith("~")]
    if not chances:
        raise SkippedCheckError("no chance event so far")
    full = f"position fen {spot.text.spec} moves {' '.join(events)}"
    expect(tuple(split(probe.ask("legal", full))[1:]) == spot.legal, "the full history leads elsewhere")
    first = events.index(chances[0])
    before = probe.ask("chance", f"{spot.bare} moves {' '.join(events[:first])}".removesuffix(" moves "))
    others = [word.rsplit("@", 1)[0] for word in split(before)[1:]]
    wrong = next(event for event in others if event != chances[0])
    got = probe.sync(f"position fen {spot.text.spec} moves {' '.join([*events[:first], wrong])}")
    expect(errors_in(got) == ["chance-mismatch"], f"another deal than the seed's got {got[:2]}")


@CHECKS.add("queries", "every query has one answer of its form")
def queries(context: Context) -> str:
    """Section 6."""
    probe = context.start()
    spots = [context.guide().opening(), context.guide().middle()]
    for spot in spots:
        for question, right in _forms(spot).items():
            text = probe.ask(question, spot.line)
            expect(right(text), f"query {question}: {text[:200]!r}")
        _judge_mover(probe, spot)
    return f"{len(_forms(spots[0]))} of them"


def _judge_mover(probe: Probe, spot: Spot) -> None:
    """The mover is a seat, if the engine knows the query."""
    got = probe.sync(spot.line, "query mover")
    if errors_in(got) != ["unknown-query"]:
        seat = parse_seat(got[0].partition(" ")[2]) if len(got) == 1 else None
        expect(seat is not None and seat < spot.seats, f"query mover: {got[:2]}")


def _forms(spot: Spot) -> dict[str, Callable[[str], bool]]:
    seat, seats = spot.mover, spot.seats
    return {
        "gameover": lambda text: text == "false",
        "p1turn": lambda text: text == str(spot.seat == 0).lower(),
        "result": lambda text: text == "none",
        "players": lambda text: text == str(seats),
        "turn": lambda text: text == seat,
        "scores": lambda text: len(split(text)) == seats and _numbers(text),
        "legal": lambda text: split(text) == [str(len(spot.legal)), *spot.legal],
        f"islegal {spot.legal[0]}": lambda text: text == "true",
        "islegal no=such": lambda text: text == "false",
        f"describe {spot.legal[0]}": lambda text: bool(text) and not text.startswith("error"),
        "fen": lambda text: len(split(text)) == 1,
        f"view {seat}": lambda text: text.startswith(f"view {seat} "),
        "history": _counted,
        f"history {seat}": _counted,
        f"observation {seat}": _object,
        "state": _object,
        "hash": lambda text: re.fullmatch("[0-9a-f]{16}", text) is not None,
        "options": _object,
    }


def _numbers(text: str) -> bool:
    return all(re.fullmatch(r"-?\d+(\.\d+)?", word) for word in split(text))


def _counted(text: str) -> bool:
    words = split(text)
    return bool(words) and words[0] == str(len(words) - 1)


def _object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


@CHECKS.add("end-of-game", "result, ranks and returns agree when the game is over")
def end_of_game(context: Context) -> str:
    """Section 6."""
    probe = context.start()
    guide = context.guide()
    for seats in guide.seats():
        _judge_end(probe, guide.played(seats, 1).end.line, seats)
    return f"{len(guide.seats())} games"


def _judge_end(probe: Probe, line: str, seats: int) -> None:
    expect(probe.ask("gameover", line) == "true", f"not over: {line[-200:]}")
    expect(probe.ask("turn") == "none", "a turn after the end")
    expect(probe.ask("legal") == "0", "legal moves after the end")
    ranks = [int(word) for word in split(probe.ask("ranks"))]
    shares = [float(word) for word in split(probe.ask("returns"))]
    expect(len(ranks) == len(shares) == seats, f"ranks {ranks}, returns {shares} for {seats} seats")
    expect(min(ranks) == 1 and abs(sum(shares) - 1) < 0.01, f"ranks {ranks}, returns {shares}")
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    wanted = f"p{winners[0] + 1}win" if len(winners) == 1 else "draw"
    expect(probe.ask("result") == wanted, f"the result is not {wanted}, with ranks {ranks}")
    sharing = [seat for seat, share in enumerate(shares) if share > 0]
    expect(sharing == winners, f"ranks {ranks}, returns {shares}")


@CHECKS.add("rules", "its rules agree with ours: the legal moves, scores and ends of random games")
def rules(context: Context) -> str:
    """Only for games that we know."""
    guide = context.guide()
    if not guide.known:
        raise SkippedCheckError(f"our rules don't know {guide.game.name}")
    probe = context.start()
    spots = list(guide.spots(context.positions))
    for spot in spots:
        legal = split(probe.ask("legal", spot.line))[1:]
        expect(tuple(legal) == spot.legal, f"{spot.text.line}: {legal[:9]}, we say {spot.legal[:9]}")
        scores = split(probe.ask("scores"))
        ours = [str(points) for points in spot.text.position().scores()]
        expect(scores == ours, f"{spot.text.line}: scores {scores}, we say {ours}")
    return f"{len(spots)} positions"
