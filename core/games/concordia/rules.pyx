"""Concordia's table of operations, and its face towards Python."""

from serai.core.game cimport Game, GameOps, Position
from serai.core.games.concordia cimport counting, events, features, hidden, knowledge, score, traits
from serai.core.games.concordia.features cimport OPTION_TRAITS, PLAYER_FEATURES, TABLE_FEATURES
from serai.core.games.concordia.snapshot cimport dump_state, restore_state
from serai.core.games.concordia.state cimport FEATURES, MAX_PLAYERS, TOKENS, Player, State, Tables, numeral
from serai.core.games.concordia.tables cimport fill_tables
from serai.core.types cimport MAX_ACTIONS as _MAX_ACTIONS

from functools import lru_cache

from serai.core.errors import NotationError, SetupError
from serai.core.games.concordia import notation
from serai.core.games.concordia.board import render
from serai.core.games.concordia.components import load_components
from serai.core.games.concordia.feature_names import feature_key
from serai.core.games.concordia.observation import observe_state
from serai.core.games.concordia import words

VARIANTS = tuple(f"{name}{first}" for name in ("base", "italia", "imperium") for first in ("", "-first"))

cdef GameOps OPS = GameOps(
    to_act=events.to_act, mover=events.mover, legal=events.legal, weight=events.weight, draw=events.draw, apply=events.apply,
    scores=score.scores, ranks=score.ranks, consistent=counting.consistent,
    observe=hidden.observe, determinize=hidden.determinize, conceal=hidden.conceal, forget=hidden.forget,
    evaluate=knowledge.evaluate, forecast=knowledge.forecast, standing=knowledge.standing,
    narrow=knowledge.narrow, forced=knowledge.forced, book=knowledge.book, solo=NULL, worth=NULL,
    features=features.features, traits=traits.traits,
)


cdef class _SharedTables:
    """The tables of one component list, map and number of seats; all its games share them."""

    cdef Tables table

    def __cinit__(self, box, board, int seats, bint first_game):
        fill_tables(&self.table, box, board, seats, first_game)
        knowledge.fill_knowledge(&self.table, board, seats)


@lru_cache(maxsize=16)
def _shared_tables(box, board, seats, first_game):
    """The tables for some components; filling them takes milliseconds."""
    return _SharedTables(box, board, seats, first_game)


cdef class Concordia(Game):
    """Concordia for 2–5 seats on either map; see this folder's README.md."""

    cdef _SharedTables shared
    cdef const Tables* table
    cdef readonly object box        # serai.core.games.concordia.components.Components
    cdef readonly object board      # serai.core.games.concordia.maps.Map
    cdef readonly object words      # serai.core.games.concordia.notation.Words

    grammar = notation.GRAMMAR
    variants = VARIANTS

    def __cinit__(self, spec):
        if not 2 <= spec.players <= 5:
            raise SetupError(f"concordia has 2 to 5 players, not {spec.players}")
        if spec.variant not in VARIANTS:
            raise SetupError(f"concordia has the variants {' '.join(VARIANTS)}, not {spec.variant!r}")
        self.name, self.seats, self.spec, self.tokens = "concordia", spec.players, spec, {}
        self.box = load_components(spec.components)
        name, _, first = spec.variant.partition("-")
        self.board = self.box.map_for(self.seats) if name == "base" else self.box.map_named(name)
        if self.seats not in self.board.players:
            allowed = " ".join(map(str, self.board.players))
            raise SetupError(f"the map {name} is for {allowed} players, not for {self.seats}")
        self.words = notation.Words(self.box, self.board)
        self.shared = _shared_tables(self.box, self.board, self.seats, first != "")
        self.table = &self.shared.table
        self.ops, self.tables = &OPS, <void*>self.table
        self.state_size = sizeof(State) - (MAX_PLAYERS - self.seats) * sizeof(Player)
        self.max_actions = _MAX_ACTIONS
        self.player_features, self.table_features = PLAYER_FEATURES, TABLE_FEATURES
        self.option_traits = OPTION_TRAITS

    def __init__(self, spec):
        pass

    cdef void setup(self, void* state) noexcept:
        events.set_up(self.table, <State*>state, self.seats)

    def __reduce__(self):
        return Concordia, (self.spec,)

    @property
    def feature_key(self):
        """A text that changes with what the features mean, so that no network is asked about something else."""
        return feature_key(self.box)

    # ---- words

    def format(self, action):
        """The token of an action."""
        return self.words.format(action)

    def is_token(self, text):
        """True if the text has the form of an event."""
        return notation.is_token(text)

    def describe(self, position, action):
        """One sentence about a legal action."""
        return self.words.describe(self.dump(position), action)

    def render(self, position):
        """The table as text."""
        return render(self.dump(position), position.scores())

    def observation(self, position, seat):
        """float32 array; layout in this folder's README.md."""
        return observe_state(self.box, self.dump(position.view(seat)), seat)

    def evaluation_features(self, Position position not None):
        """What the hand-made evaluation sees after the turn under way: a list per seat, as in evaluation.toml."""
        cdef float x[FEATURES]
        rows = []
        for seat in range(self.seats):
            knowledge.describe_after(self.table, <const State*>position.data, seat, x)
            rows.append([x[i] for i in range(FEATURES)])
        return rows

    def evaluation_stage(self, Position position not None):
        """Row of evaluation.toml that counts after the turn under way."""
        return knowledge.stage_after(self.table, <const State*>position.data)

    # ---- piles

    def pile_at(self, Position position not None):
        """The pile that the chance event at hand is drawn from: cards of a numeral, tokens of a letter."""
        cdef const State* s = <const State*>position.data
        if s.phase == TOKENS:
            return self.board.letters[self.table.letter[self.table.order[s.dealt]]].lower()
        return words.NUMERAL_NAMES[numeral(self.table, s)]

    def pile(self, name):
        """All outcomes a pile ever held, in the order of the component file; equal tokens as often as there are."""
        if name in words.NUMERAL_NAMES:
            printed = words.NUMERAL_NAMES.index(name) + 1
            return [notation.CARD << 16 | self.table.alike[<int>i]
                    for i, card in enumerate(self.box.cards) if card.numeral == printed]
        counts = self.box.tokens[name.upper()]
        return [notation.TOKEN << 16 | good for good in range(len(words.GOODS)) for _ in range(counts[good])]

    def copies_left(self, Position position not None, action):
        """How often an outcome is still in the pile it comes from."""
        cdef const State* s = <const State*>position.data
        if s.phase == TOKENS:
            return events.token_copies(self.table, s, action & 255)
        return 1

    # ---- snapshots

    def dump(self, Position position not None):
        """The state as a JSON-able dictionary."""
        return dump_state(self.table, <const State*>position.data, self.words, self.box)

    def restore(self, Position position not None, data):
        """Write a state dictionary into an empty position; raises NotationError if it can't be a real one."""
        restore_state(self.table, <State*>position.data, self.seats, data, self.words, self.box)

    def check_view(self, Position position not None, int viewer):
        """Raise NotationError if a view doesn't show its own seat's cards."""
        cdef const State* s = <const State*>position.data
        if s.players[viewer].hidden or s.players[viewer].hidden_pile:
            raise NotationError(f"state: p{viewer + 1} must know its own cards", "bad-value")
