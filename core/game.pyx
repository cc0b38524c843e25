"""`Game` and `Position`: the rules as Python sees them; every call validates what comes in."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from serai.core.hashing cimport hash_bytes
from serai.core.rng cimport Rng, below
from serai.core.types cimport CHANCE as _CHANCE, GAME_OVER as _GAME_OVER, MAX_ACTIONS as _MAX_ACTIONS

import dataclasses

from serai.core.deal import deal_order
from serai.core.errors import HiddenInformation, IllegalAction, NotationError
from serai.core.spec import decode_snapshot, encode_snapshot, parse_spec

CHANCE = _CHANCE
GAME_OVER = _GAME_OVER


cdef class Game:
    """One game with its seats and components; a subclass per game fills in operations and words."""

    cdef void setup(self, void* state) noexcept:
        """Write the state before the first event; the memory is zeroed."""

    cpdef str token(self, Action action):
        """The event's word in the protocol."""
        token = self.tokens.get(action)
        if token is None:
            token = self.tokens[action] = self.format(action)
        return token

    cdef Game undealt(self):
        """This game without the seed and the snapshot of its spec: what a view may know of it."""
        if self.spec.seed is None and self.spec.state is None:
            return self
        if self.open_twin is None:
            self.open_twin = type(self)(dataclasses.replace(self.spec, seed=None, state=None))
        return self.open_twin

    def copies_left(self, position, action):
        """How often a possible outcome is still in its pile; more than once only in a game with equal things."""
        return 1

    @property
    def feature_key(self):
        """A text that changes with what the features mean; a game that networks see has one of its own."""
        return ""

    def start(self):
        """The position the spec describes: the start of the game, or the snapshot in its `state=`."""
        if self.spec.state is not None:
            return self.from_state(decode_snapshot(self.spec.state), seed=self.spec.seed)
        cdef Position position = empty_position(self, self.spec.seed)
        self.setup(position.data)
        position.origin = position.raw()
        position.resolve()
        return position

    def from_state(self, state, seed=None, viewer=-1):
        """The position that a state dictionary (see `Position.state`) describes; raises NotationError."""
        if not -1 <= viewer < self.seats:
            raise NotationError(f"viewer {viewer} is no seat of this game", "bad-value")
        cdef Position position = empty_position(self, seed)
        self.restore(position, state)
        if viewer >= 0:
            position.viewer = viewer
            self.check_view(position, viewer)
        position.origin = position.raw()
        position.resolve()
        return position


cdef Position empty_position(Game game, object seed):
    cdef Position position = Position.__new__(Position)
    position.game = game
    position.data = calloc(1, game.state_size)
    if position.data is NULL:
        raise MemoryError
    position.seed = seed
    position.viewer = -1
    position.events = []
    position.length = 0
    return position


cdef tuple components_of(Game game):
    """What two games must share so that their states can be compared."""
    spec = game.spec
    return spec.game, spec.players, spec.variant, spec.components


def _unpickle(Game game, bytes state, bytes origin, list events, seed, int viewer):
    cdef Position position = empty_position(game, seed)
    if len(state) != <Py_ssize_t>game.state_size:
        raise ValueError("a position of another game")
    memcpy(position.data, <const char*>state, game.state_size)
    position.origin, position.events, position.length, position.viewer = origin, events, len(events), viewer
    return position


cdef class Position:
    """A position of a game; `apply` returns the next one and leaves this one as it is.

    Get one from `Game.start()`. If the spec has a seed, chance events are resolved at once and `to_act` is
    never CHANCE; else they are applied like decisions.
    """

    def __init__(self):
        raise TypeError("get a Position from Game.start() or Game.from_state()")

    def __dealloc__(self):
        free(self.data)

    cdef Position spawn(self):
        cdef Position child = empty_position(self.game, self.seed)
        memcpy(child.data, self.data, self.game.state_size)
        child.viewer = self.viewer
        child.origin = self.origin
        child.events = self.events
        child.length = self.length
        return child

    cdef int append(self, Action action) except -1:
        # The list is shared by the positions of one line of play; who branches off takes a copy.
        if len(self.events) != self.length:
            self.events = self.events[:self.length]
        self.events.append(action)
        self.length += 1
        return 0

    cdef int resolve(self) except -1:
        """Play the chance events that the seed decides."""
        cdef Action outcome
        if self.seed is None:
            return 0
        while self.to_act == _CHANCE:
            outcome = self.dealt_outcome()
            self.game.ops.apply(self.game.tables, self.data, outcome)
            self.append(outcome)
        return 0

    def dealt_outcome(self):
        """The outcome of this chance node under the seed (see `serai.core.deal`)."""
        name = self.game.pile_at(self)
        pile = tuple(self.game.pile(name))
        gone = {outcome: pile.count(outcome) - self.game.copies_left(self, outcome)
                for outcome in self.legal_actions()}
        for outcome in deal_order(self.seed, name, pile):
            if gone.get(outcome) == 0:
                return outcome
            if outcome in gone:
                gone[outcome] -= 1
        raise AssertionError(f"no possible outcome in pile {name}")

    # ---- reading

    @property
    def seats(self):
        """Number of seats."""
        return self.game.seats

    @property
    def to_act(self):
        """Seat to decide (0 = first), CHANCE or GAME_OVER."""
        return self.game.ops.to_act(self.game.tables, self.data)

    @property
    def mover(self):
        """Seat whose turn it is: in some games others decide in it too. CHANCE and GAME_OVER as in `to_act`.

        A turn begins where a decision has another mover than the decision before it.
        """
        cdef int actor = self.to_act
        if actor < 0 or self.game.ops.mover is NULL:
            return actor
        return self.game.ops.mover(self.game.tables, self.data)

    @property
    def is_over(self):
        """True when the game has ended."""
        return self.to_act == _GAME_OVER

    @property
    def continues_turn(self):
        """False for the mover's first decision of its turn; true for its later ones, and for those of others in it."""
        cdef Position walk = self._origin_position()
        cdef int mover = _CHANCE, actor
        cdef bint begun = False     # the mover has decided in its turn
        cdef Action action
        for action in self.events[:self.length]:
            actor = walk.to_act
            if actor >= 0:
                begun = actor == walk.mover or (begun and walk.mover == mover)
                mover = walk.mover
            self.game.ops.apply(self.game.tables, walk.data, action)
        actor = self.to_act
        return actor != self.mover or (actor >= 0 and actor == mover and begun)

    def legal_actions(self):
        """Legal decisions, or possible outcomes at a chance node, as numbers in canonical order; [] at the end."""
        cdef Action actions[_MAX_ACTIONS]
        if self.to_act == _GAME_OVER:
            return []
        cdef int count = self.game.ops.legal(self.game.tables, self.data, actions)
        return [actions[i] for i in range(count)]

    def legal_tokens(self):
        """`legal_actions` as protocol tokens."""
        return [self.game.token(action) for action in self.legal_actions()]

    def token(self, Action action):
        """The token of an action."""
        return self.game.token(action)

    def action(self, str token):
        """The legal action that a token names; raises NotationError or IllegalAction."""
        cdef Action action
        for action in self.legal_actions():
            if self.game.token(action) == token:
                return action
        raise self._refusal(token)

    def _refusal(self, token):
        cdef bint at_chance = self.to_act == _CHANCE
        if not self.game.is_token(token):
            return NotationError(f"{token!r} is no event of {self.game.name}; {self.game.grammar}")
        if self.is_over:
            return IllegalAction(f"{token}: the game is over", "game-over")
        if at_chance and not token.startswith("~"):
            return IllegalAction(f"{token}: a chance event comes first", "chance-node")
        if not at_chance and token.startswith("~"):
            return IllegalAction(f"{token}: no chance event is due", "not-a-chance-node")
        legal = self.legal_tokens()
        shown = " ".join(legal[:12]) + (f" … ({len(legal)} in all)" if len(legal) > 12 else "")
        return IllegalAction(f"{token} is not possible here; possible: {shown}",
                             "chance-mismatch" if at_chance else "illegal-move")

    def outcomes(self):
        """[(token, probability)] at a chance node."""
        if self.to_act != _CHANCE:
            raise IllegalAction("not a chance node", "not-a-chance-node")
        ops = self.legal_actions()
        return [(self.game.token(a), self.game.ops.weight(self.game.tables, self.data, a)) for a in ops]

    def scores(self):
        """Points of each seat if the game ended now."""
        cdef int out[16]
        self.game.ops.scores(self.game.tables, self.data, out)
        return [out[i] for i in range(self.game.seats)]

    def ranks(self):
        """Order of the seats by the game's rules, tie-breaks included: 1 is the winner."""
        cdef int out[16]
        self.game.ops.ranks(self.game.tables, self.data, out)
        return [out[i] for i in range(self.game.seats)]

    def returns(self):
        """Share of the win of each seat: 1 for a single winner, split if the win is shared."""
        ranks = self.ranks()
        winners = ranks.count(1)
        return [1.0 / winners if rank == 1 else 0.0 for rank in ranks]

    @property
    def history(self):
        """Tokens of the events since the start (or the snapshot), chance events included."""
        return [self.game.token(action) for action in self.events[:self.length]]

    @property
    def hash(self):
        """64-bit hash of the state."""
        return hash_bytes(self.data, self.game.state_size)

    def observe(self, int seat):
        """64-bit key of what a seat knows: equal exactly when it knows the same."""
        return self.game.ops.observe(self.game.tables, self.data, self._seat(seat))

    def consistent(self):
        """True if all components are accounted for."""
        return bool(self.game.ops.consistent(self.game.tables, self.data))

    def state(self):
        """The whole position as a JSON-able dictionary; `Game.from_state` reads it back."""
        return self.game.dump(self)

    def observation(self, int seat):
        """float32 array of what a seat sees; layout in the game's README."""
        return self.game.observation(self, self._seat(seat))

    def describe(self, event):
        """One sentence about a legal event, for people."""
        return self.game.describe(self, self.action(event) if isinstance(event, str) else event)

    def render(self):
        """The table as text, for people."""
        return self.game.render(self)

    @property
    def spec(self):
        """The shortest spec that leads to this position."""
        spec = dataclasses.replace(self.game.spec, seed=self.seed, state=None)
        if not self._is_start():
            spec = dataclasses.replace(spec, state=encode_snapshot(self.state()))
        return str(spec)

    def _is_start(self):
        cdef Position start = empty_position(self.game, self.seed)
        self.game.setup(start.data)
        start.resolve()
        return start.raw() == self.raw()

    @property
    def origin_spec(self):
        """The spec of the position before the first event of `history`."""
        spec = parse_spec(self._origin_position().spec)
        return str(dataclasses.replace(spec, seed=self.seed))

    def _origin_position(self):
        cdef Position first = empty_position(self.game, None)
        memcpy(first.data, <const char*>(<bytes>self.origin), self.game.state_size)
        first.viewer = self.viewer
        first.origin = self.origin
        return first

    def raw(self):
        """The bytes of the state; equal for equal states of one game."""
        return (<const char*>self.data)[:self.game.state_size]

    # ---- moving on

    def apply(self, event):
        """The position after a legal event (token or number); raises NotationError or IllegalAction."""
        cdef Action action
        if isinstance(event, str):
            action = self.action(event)
        else:
            if event not in self.legal_actions():
                raise IllegalAction(f"action {event} is not legal here")
            action = event
        cdef Position child = self.spawn()
        self.game.ops.apply(self.game.tables, child.data, action)
        child.append(action)
        child.resolve()
        return child

    def replay(self, tokens):
        """The position after a list of event tokens, as in `position … moves`.

        `p2:take=1` names its seat. With a seed, chance events may be listed or left out; a listed one must be
        the one that was dealt. Errors carry `at`, the index of the token.
        """
        position = self
        unlisted = self._last_dealt() if self.seed is not None else []
        for index, token in enumerate(tokens):
            try:
                if self.seed is not None and token.startswith("~"):
                    unlisted = _confirm(token, unlisted)
                    continue
                before = (<Position>position).length
                position = position.apply(_without_seat(position, token))
            except (NotationError, IllegalAction) as error:
                error.at = index
                raise
            if self.seed is not None:
                unlisted = position.history_since(before + 1)
        return position

    def _last_dealt(self):
        """The chance events since the last decision."""
        history = self.history
        first = len(history)
        while first and history[first - 1].startswith("~"):
            first -= 1
        return history[first:]

    def history_since(self, Py_ssize_t start):
        """Tokens of the events from a given index on."""
        return [self.game.token(action) for action in self.events[start:self.length]]

    def draw(self, uint64_t seed):
        """Token of an outcome drawn with the true probabilities, from a 64-bit random number."""
        if self.to_act != _CHANCE:
            raise IllegalAction("not a chance node", "not-a-chance-node")
        cdef Rng rng
        rng.state = seed
        return self.game.token(self.game.ops.draw(self.game.tables, self.data, &rng))

    def random_action(self, uint64_t seed):
        """A legal decision or drawn outcome, uniform over decisions, from a 64-bit random number."""
        cdef Action actions[_MAX_ACTIONS]
        cdef Rng rng
        rng.state = seed
        if self.is_over:
            raise IllegalAction("the game is over", "game-over")
        if self.to_act == _CHANCE:
            return self.game.ops.draw(self.game.tables, self.data, &rng)
        cdef int count = self.game.ops.legal(self.game.tables, self.data, actions)
        return actions[below(&rng, count)]

    # ---- hidden information

    def _seat(self, int seat):
        if not 0 <= seat < self.game.seats:
            raise IllegalAction(f"seat {seat} is not one of 0 to {self.game.seats - 1}", "bad-value")
        if self.viewer >= 0 and seat != self.viewer:
            raise HiddenInformation(f"a view of p{self.viewer + 1} doesn't show what p{seat + 1} sees")
        return seat

    def view(self, int seat):
        """The position as a seat sees it: hidden cards unknown, no seed."""
        self._seat(seat)
        cdef Position view = self.spawn()
        view.game = self.game.undealt()
        view.seed = None
        view.viewer = seat
        self.game.ops.conceal(self.game.tables, view.data, seat)
        cdef Position first = view._origin_position()
        self.game.ops.conceal(self.game.tables, first.data, seat)
        view.origin = first.raw()
        return view

    def view_text(self, int seat):
        """`view pK SPEC moves EVENT…`: the argument for the protocol's `position`."""
        cdef Position view = self.view(seat)
        moves = view.history
        return f"view p{seat + 1} {view.origin_spec}" + (f" moves {' '.join(moves)}" if moves else "")

    def determinize(self, int seat, uint64_t seed):
        """A full position that a seat can't tell from this one, sampled by its true probability."""
        cdef Position world = self.view(seat)
        cdef Rng rng
        rng.state = seed
        world.viewer = -1
        world.game.ops.determinize(world.game.tables, world.data, seat, &rng)
        world.origin = world.raw()
        world.events, world.length = [], 0
        return world

    # ---- Python's own

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        cdef Position that = other
        return (self.viewer == that.viewer and self.seed == that.seed
                and components_of(self.game) == components_of(that.game)
                and memcmp(self.data, that.data, self.game.state_size) == 0)

    def __hash__(self):
        return <Py_ssize_t>(self.hash >> 2)

    def __reduce__(self):
        return _unpickle, (self.game, self.raw(), self.origin, self.events[:self.length], self.seed, self.viewer)

    def __repr__(self):
        return f"<Position {self.game.name} players={self.game.seats} after {self.length} events>"


def _confirm(token, unlisted):
    """Check a listed chance event against those that the seed has dealt; return the ones still unlisted."""
    if not unlisted or not unlisted[0].startswith("~"):
        raise IllegalAction(f"{token}: no chance event is due", "not-a-chance-node")
    if unlisted[0] != token:
        raise IllegalAction(f"{token}: the seed deals {unlisted[0]}", "chance-mismatch")
    return unlisted[1:]


def _without_seat(position, token):
    """Strip and check the optional `pK:` of a decision."""
    seat, colon, move = token.partition(":")
    if token.startswith("~") or not colon:
        return token
    if seat != f"p{position.to_act + 1}":
        if position.to_act < 0:
            raise position._refusal(move)
        raise IllegalAction(f"{token}: it is p{position.to_act + 1}'s turn", "wrong-seat")
    return move
