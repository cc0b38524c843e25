"""The compiled rules of Century: Spice Road against the slow second reading, event by event.

SERAI_REFERENCE_GAMES sets the number of games; the default takes seconds.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from reference.deal import dealt, fnv1a, pile_order, splitmix64
from reference.spice_road import CHANCE as REFERENCE_CHANCE
from reference.spice_road import OVER, Reference

from serai.core import CHANCE, GAME_OVER, load
from serai.core.errors import IllegalAction

GAMES = int(os.environ.get("SERAI_REFERENCE_GAMES", "32"))
LONGEST = 600
SEATS = (2, 3, 4, 5)


class Duel:
    """One random game, played by both readings side by side."""

    def __init__(self, seats: int, number: int) -> None:
        self.chooser = random.Random(f"{seats} seats, game {number}")
        self.claims_first = number % 2 == 0
        self.verb_first = number % 3 == 0
        self.seed = self.chooser.getrandbits(64) if number % 4 >= 2 else None
        self.spec = f"spice_road;players={seats}" + ("" if self.seed is None else f";seed={self.seed}")
        self.game = load(self.spec)
        self.position = self.game.start()
        self.reference = Reference(seats)
        self.events: list[str] = []
        self.met: dict[str, None] = {}
        self.deal()

    def play(self) -> None:
        """Play to the end, or until the game is long enough."""
        self.compare()
        while self.reference.to_act() != OVER and len(self.events) < LONGEST:
            self.step(self.choose())
            self.compare()

    def choose(self) -> str:
        """The next event: at random, with the leanings of this game."""
        legal = self.reference.legal()
        claims = [token for token in legal if token.startswith("claim=")]
        if self.claims_first and claims:
            return self.chooser.choice(claims)
        if self.verb_first:
            verb = self.chooser.choice(sorted({token.partition("=")[0] for token in legal}))
            legal = [token for token in legal if token.partition("=")[0] == verb]
        return self.chooser.choice(legal)

    def step(self, event: str) -> None:
        """Make an event happen on both sides; the position before it must not change."""
        before, key = self.position, self.position.hash
        self.position = before.apply(event)
        self.check("the hash of the position before the event", before.hash, key)
        self.reference.apply(event)
        self.events.append(event)
        self.deal()

    def deal(self) -> None:
        """Let the reference turn up what the seed deals; the compiled rules have done so by themselves."""
        while self.seed is not None and self.reference.to_act() == REFERENCE_CHANCE:
            self.events.append(dealt(self.reference, self.seed))
            self.reference.apply(self.events[-1])

    def compare(self) -> None:
        """Everything that both sides can tell about the game now."""
        self.check("who is to act", self.position.to_act, self.reference_actor())
        self.check("the legal events", sorted(self.position.legal_tokens()), sorted(self.reference.legal()))
        self.check("the state", self.position.state(), self.reference.state())
        self.check("the scores", list(self.position.scores()), self.reference.scores())
        self.check("the ranks", list(self.position.ranks()), self.reference.ranks())
        self.check("the history", list(self.position.history), self.events)
        self.check("the conservation of components", self.position.consistent(), True)
        self.compare_actions()
        self.refuse_an_illegal_event()

    def reference_actor(self) -> int:
        actor = self.reference.to_act()
        return {REFERENCE_CHANCE: CHANCE, OVER: GAME_OVER}[actor] if isinstance(actor, str) else actor

    def compare_actions(self) -> None:
        """Numbers and tokens of the legal events belong together; outcomes are equally likely."""
        actions = list(self.position.legal_actions())
        self.check("the order of the actions", actions, sorted(set(actions)))
        tokens = [self.position.token(action) for action in actions]
        self.check("the tokens of the actions", tokens, list(self.position.legal_tokens()))
        self.check("the actions of the tokens", [self.position.action(token) for token in tokens], actions)
        if self.reference.to_act() == REFERENCE_CHANCE:
            outcomes = [(token, pytest.approx(1 / len(tokens))) for token in tokens]
            self.check("the probabilities", sorted(self.position.outcomes()), sorted(outcomes, key=str))

    def refuse_an_illegal_event(self) -> None:
        """A token that was legal earlier in the game, but is not now, is refused."""
        legal = self.reference.legal()
        self.met.update(dict.fromkeys(legal))
        token = self.chooser.choice(list(self.met))
        if token not in legal:
            with pytest.raises(IllegalAction):
                self.position.apply(token)

    def check(self, what: str, got: Any, expected: Any) -> None:
        """Fail with all that is needed to see the difference again."""
        if got != expected:
            pytest.fail(
                f"{what} differ\n  compiled:  {got}\n  reference: {expected}\n"
                f"  spec:   {self.spec}\n  events: {' '.join(self.events)}",
                pytrace=False,
            )


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", range(max(1, GAMES // len(SEATS))))
def test_both_readings_agree_on_every_event(seats: int, number: int) -> None:
    Duel(seats, number).play()


@pytest.mark.parametrize("seats", SEATS)
def test_both_readings_go_on_alike_from_any_state(seats: int) -> None:
    """After every tenth event the state is written down and set up anew, on both sides."""
    duel = Duel(seats, 0)
    while duel.reference.to_act() != OVER and len(duel.events) < LONGEST:
        duel.step(duel.choose())
        if len(duel.events) % 10 == 0 and duel.reference.to_act() != OVER:
            position = duel.game.from_state(duel.reference.state())
            duel.check("the state set up anew", position.state(), duel.reference.state())
            duel.check("its legal events", sorted(position.legal_tokens()), sorted(duel.reference.legal()))
            twin = Reference.from_state(position.state())
            duel.check("the reference set up anew", sorted(twin.legal()), sorted(duel.reference.legal()))


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
@pytest.mark.parametrize("seats", SEATS)
def test_a_seed_deals_the_published_order(seats: int, seed: int) -> None:
    state = load(f"spice_road;players={seats};seed={seed}").start().state()
    reference = Reference(seats)
    market = pile_order(seed, "market", reference.merchants)
    assert [stall["card"] for stall in state["market"]] == market[:6]
    assert state["points"] == pile_order(seed, "point", list(reference.goals))[:5]
    assert state["turn"] == "p1"


def test_the_numbers_behind_the_deal_are_the_well_known_ones() -> None:
    numbers = splitmix64(0)
    assert [next(numbers) for _ in range(2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert (fnv1a(""), fnv1a("a")) == (0xCBF29CE484222325, 0xAF63DC4C8601EC8C)
