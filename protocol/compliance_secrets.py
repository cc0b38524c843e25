"""Checks that an engine plays from what its seat knows, and from nothing else."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from serai.core.errors import SeraiError
from serai.protocol.compliance_guide import Guide, Spot
from serai.protocol.compliance_probe import Probe, SkippedCheckError
from serai.protocol.compliance_registry import Checks, Context, expect
from serai.protocol.compliance_search import essence
from serai.protocol.messages import split

CHECKS = Checks()
NODES = 150
PAIRS = 200  # of each kind, at most; fewer with fewer positions to try


@CHECKS.add("no-peek", "full positions that look the same to the seat to move get the same answer")
def no_peek(context: Context) -> str:
    """Such pairs differ in the secret cards of others, or in a seed and so in cards to come."""
    fixed = context.fixed()
    guide = context.guide()
    if not (guide.game.hidden or guide.game.chance):
        raise SkippedCheckError("a game without secrets")
    probe = context.start()
    probe.sync(*fixed)
    wanted = min(PAIRS, max(1, context.positions // 4))
    found = {"secret cards": _secrets(probe, guide, wanted), "cards to come": _futures(probe, guide, wanted)}
    tried = {}
    for kind, pairs in found.items():
        tried[kind] = 0
        for first, second in itertools.islice(pairs, wanted):
            tried[kind] += 1
            one, two = (_answer(probe, fixed, line) for line in (first, second))
            expect(one == two, f"{kind}: {one} in {first[-300:]}, but {two} in {second[-300:]}")
    if not sum(tried.values()):
        raise SkippedCheckError("no two positions found that look the same")
    return ", ".join(f"{count} pairs with other {kind}" for kind, count in tried.items())


def _answer(probe: Probe, fixed: list[str], line: str) -> list[str]:
    """The answer of an engine that has forgotten what was before."""
    return essence(probe.go("uginewgame", *fixed, line, f"go nodes {NODES}"))


def _futures(probe: Probe, guide: Guide, wanted: int) -> Iterator[tuple[str, str]]:
    """A seeded position, and the same with its events listed: only the seed tells what will come."""
    if not guide.game.chance:
        return
    for spot in guide.spots(2 * wanted, per_game=10):
        events = split(probe.ask("history", spot.line))[1:]
        if any(event.startswith("~") for event in events):
            yield spot.line, f"{spot.bare} moves {' '.join(events)}"


def _secrets(probe: Probe, guide: Guide, wanted: int) -> Iterator[tuple[str, str]]:
    """Positions with the same view for the seat to move, but other secrets of the other seats."""
    if guide.known:
        yield from _redealt(guide, wanted)
    if guide.game.hidden:
        yield from _relisted(probe, guide, wanted)


def _redealt(guide: Guide, wanted: int) -> Iterator[tuple[str, str]]:
    """Two deals, by our rules, of what the seat to move can't know; cards are made secret if possible."""
    rng = random.Random(1)
    for spot in guide.spots(4 * wanted, per_game=10):
        position = spot.text.position()
        state = position.state()
        _make_secret(position.game, state, spot.seat)
        try:
            base = position.game.from_state(state)
            worlds = [base.determinize(spot.seat, rng.getrandbits(64)) for _ in range(2)]
        except SeraiError:
            continue
        if worlds[0] != worlds[1] and worlds[0].observe(spot.seat) == worlds[1].observe(spot.seat):
            yield f"position fen {worlds[0].spec}", f"position fen {worlds[1].spec}"


def _make_secret(game: object, state: dict[str, object], viewer: int) -> None:
    """Mark the cards in other hands as secret, each one that the rules allow to be."""
    players = state.get("players")
    if not isinstance(players, list):
        return
    for seat, player in enumerate(players):
        for shown, marked in (("hand", "secret"), ("claimed", "veiled")):
            if seat == viewer or not {shown, marked} <= player.keys():
                continue
            for card in player[shown]:
                _mark(game, state, player[marked], card)


def _mark(game: object, state: dict[str, object], marked: list[object], card: object) -> None:
    if card in marked:
        return
    marked.append(card)
    try:
        game.from_state(state)  # type: ignore[attr-defined]
    except SeraiError:
        marked.remove(card)


def _relisted(probe: Probe, guide: Guide, wanted: int) -> Iterator[tuple[str, str]]:
    """The same events but for one hidden chance event, if the engine itself says they look the same."""
    rng = random.Random(2)
    for spot in guide.spots(2 * wanted, per_game=10):
        events = split(probe.ask("history", spot.line))[1:]
        line = f"{spot.bare} moves {' '.join(events)}"
        seen = split(probe.ask(f"history {spot.mover}", line))[1:]
        masked = [i for i, (event, shown) in enumerate(zip(events, seen, strict=False)) if event != shown]
        if masked:
            other = _another(probe, events, rng.choice(masked), spot, rng)
            if other is not None:
                yield line, other


def _another(probe: Probe, events: list[str], at: int, spot: Spot, rng: random.Random) -> str | None:
    """The line with another outcome at one place, if that is possible and looks the same."""
    before = " ".join(events[:at])
    got = probe.sync(spot.bare + (f" moves {before}" if before else ""), "query chance")
    outcomes = [word.rsplit("@", 1)[0] for word in split(got[-1])[2:]] if got else []
    rng.shuffle(outcomes)
    view = f"query view {spot.mover}"
    same = probe.sync(f"{spot.bare} moves {' '.join(events)}", view)
    for outcome in outcomes[:20]:
        line = f"{spot.bare} moves {' '.join([*events[:at], outcome, *events[at + 1 :]])}"
        if outcome != events[at] and probe.sync(line, view) == same:
            return line
    return None


@CHECKS.add("seat-leak", "what it thought for one seat doesn't change what it says for another")
def seat_leak(context: Context) -> str:
    """Several seats may share one process."""
    fixed = context.fixed()
    guide = context.guide()
    found = [pair for seed in range(1, 4) if (pair := _neighbours(guide, seed)) is not None]
    pairs = found[: 1 + context.positions // 10]
    with context.start(aside=True) as referee:
        lines = [[referee.ask(f"view {spot.mover}", spot.line) for spot in pair] for pair in pairs]
    for first, second in ([f"position {view}" for view in views] for views in lines):
        with context.fresh() as probe:
            probe.go(*fixed, first, f"go nodes {NODES * 4}")
            after = essence(probe.go(second, f"go nodes {NODES}"))
        probe = context.start()
        alone = essence(probe.go(*fixed, second, f"go nodes {NODES}"))
        expect(after == alone, f"after another seat {after}, alone {alone} in {second[-300:]}")
    if not pairs:
        raise SkippedCheckError("no two seats decide in turn")
    return f"{len(pairs)} pairs"


def _neighbours(guide: Guide, seed: int) -> tuple[Spot, Spot] | None:
    """Two decisions in a row by different seats, in the middle of a game."""
    spots = guide.played(min(3, guide.game.most), seed).spots
    pairs = list(itertools.pairwise(spots))
    changes = [pair for pair in pairs[len(pairs) // 3 :] if pair[0].seat != pair[1].seat]
    return changes[0] if changes else None
