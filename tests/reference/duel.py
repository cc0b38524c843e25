"""One random game, played by the compiled rules and by the reference, and compared after every event."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from reference import readings
from reference.deal import dealt
from reference.readings import OVER, game_in, new_game, wished_for

from serai.core import CHANCE, GAME_OVER, load
from serai.core.errors import IllegalAction
from serai.core.spec import Spec


class Duel:
    """A game of a table with a number, which decides its leanings and whether its chance events are dealt."""

    def __init__(self, table: Spec, number: int) -> None:
        self.chooser = random.Random(f"{table}, game {number}")
        self.wishful = number % 2 == 0
        self.verb_first = number % 3 == 0
        self.seed = self.chooser.getrandbits(64) if number % 4 >= 2 else None
        self.spec = replace(table, seed=self.seed)
        self.game = load(self.spec)
        self.position = self.game.start()
        self.reference = new_game(table)
        self.events: list[str] = []
        self.met: dict[str, None] = {}
        self.deal()

    def play(self, longest: int) -> None:
        """Play to the end, or until the game is long enough."""
        self.compare()
        while self.goes_on(longest):
            self.step(self.choose())
            self.compare()

    def play_and_begin_anew(self, longest: int) -> None:
        """After every tenth event the state is written down and set up anew, on both sides."""
        while self.goes_on(longest):
            self.step(self.choose())
            if len(self.events) % 10 == 0 and self.goes_on(longest):
                position = self.game.from_state(self.reference.state())
                self.check("the state set up anew", position.state(), self.reference.state())
                self.check("its legal events", sorted(position.legal_tokens()), self.legal())
                twin = game_in(position.state(), self.spec.variant)
                self.check("the reference set up anew", sorted(twin.legal()), self.legal())

    def goes_on(self, longest: int) -> bool:
        """Whether there is a next event to play."""
        return self.reference.to_act() != OVER and len(self.events) < longest

    def legal(self) -> list[str]:
        """The legal events by the reference, sorted."""
        return sorted(self.reference.legal())

    def choose(self) -> str:
        """The next event: at random, with the leanings of this game."""
        legal = self.reference.legal()
        legal = (self.wishful and wished_for(self.spec.game, legal)) or legal
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
        while self.seed is not None and self.reference.to_act() == readings.CHANCE:
            self.events.append(dealt(self.reference, self.seed))
            self.reference.apply(self.events[-1])

    def compare(self) -> None:
        """Everything that both sides can tell about the game now."""
        self.check("who is to act", self.position.to_act, self.reference_actor())
        self.check("the legal events", sorted(self.position.legal_tokens()), self.legal())
        self.check("the state", self.position.state(), self.reference.state())
        self.check("the scores", list(self.position.scores()), self.reference.scores())
        self.check("the ranks", list(self.position.ranks()), self.reference.ranks())
        self.check("the history", list(self.position.history), self.events)
        self.check("the conservation of components", self.position.consistent(), True)
        self.compare_actions()
        self.refuse_an_illegal_event()

    def reference_actor(self) -> int:
        actor = self.reference.to_act()
        return {readings.CHANCE: CHANCE, OVER: GAME_OVER}[actor] if isinstance(actor, str) else actor

    def compare_actions(self) -> None:
        """Numbers and tokens of the legal events belong together; outcomes come with their probabilities."""
        actions = list(self.position.legal_actions())
        self.check("the order of the actions", actions, sorted(set(actions)))
        tokens = [self.position.token(action) for action in actions]
        self.check("the tokens of the actions", tokens, list(self.position.legal_tokens()))
        self.check("the actions of the tokens", [self.position.action(token) for token in tokens], actions)
        if self.reference.to_act() == readings.CHANCE:
            expected = pytest.approx(self.reference.weights())
            self.check("the probabilities", dict(self.position.outcomes()), expected)

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
