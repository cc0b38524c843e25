"""Spice Road's table of operations, and its face towards Python."""

from libc.stdint cimport uint32_t

from serai.core.bits cimport bit, size
from serai.core.game cimport Game, GameOps, Position
from serai.core.games.spice_road cimport events, features, hidden, knowledge, score
from serai.core.games.spice_road.features cimport OPTION_TRAITS, PLAYER_FEATURES, TABLE_FEATURES
from serai.core.games.spice_road.state cimport (
    CARAVAN_LIMIT, FEATURES, MARKET, MAX_CLAIMS, PAY, PRODUCE, STARTERS, TRADE, UNKNOWN, UPGRADE, UPGRADES,
    Caravan, Player, State, Tables, caravan, count, covers,
)
from serai.core.types cimport MAX_ACTIONS as _MAX_ACTIONS

from functools import lru_cache

from serai.core.errors import NotationError, SetupError
from serai.core.games.spice_road import notation
from serai.core.games.spice_road.components import letters, load_components
from serai.core.games.spice_road.feature_names import feature_key
from serai.core.games.spice_road.observation import observe_state

cdef GameOps OPS = GameOps(
    to_act=events.to_act, mover=NULL, legal=events.legal, weight=events.weight, draw=events.draw, apply=events.apply,
    scores=score.scores, ranks=score.ranks, consistent=score.consistent,
    observe=hidden.observe, determinize=hidden.determinize, conceal=hidden.conceal, forget=hidden.forget,
    evaluate=knowledge.evaluate, forecast=knowledge.forecast, standing=knowledge.standing,
    narrow=knowledge.narrow, forced=knowledge.forced, book=knowledge.book, solo=knowledge.solo,
    worth=knowledge.worth, features=features.features, traits=features.traits,
)


# ---- tables

cdef uint32_t packed(cubes) except? 0:
    cdef uint32_t word = 0
    for i, number in enumerate(cubes):
        word |= <uint32_t>number << (8 * i)
    return word


cdef int fill_tables(Tables* t, cards) except -1:
    cdef int i
    t.cards, t.points = len(cards.cards), len(cards.points)
    for i, card in enumerate(cards.cards):
        t.kind[i] = {"produce": PRODUCE, "upgrade": UPGRADE, "trade": TRADE}[card.kind]
        t.give[i], t.get[i], t.steps[i] = packed(card.give), packed(card.get), card.upgrades
        if card.kind == "upgrade":
            t.upgrade_cards |= bit(i)
        if i >= STARTERS:
            t.all_merchants |= bit(i)
    for i, point in enumerate(cards.points):
        t.cost[i], t.score[i] = packed(point.cost), point.points
        t.all_points |= bit(i)
    for i in range(5):
        t.start_cubes[i] = packed(cards.start_cubes[i])
    for i in range(2, 6):
        t.claims_to_end[i] = cards.claims_to_end[i - 2]
    for i, steps in enumerate(notation.UPGRADES):
        t.less[i] = packed(steps)
        t.more[i] = packed((0, *steps[:3]))
    return fill_caravans(t)


cdef int fill_caravans(Tables* t) except -1:
    cdef uint32_t n, y, r, g, b, cubes
    for n in range(16):
        t.four[n] = n * (n + 1) * (n + 2) * (n + 3) // 24
        t.three[n] = n * (n + 1) * (n + 2) // 6
        t.two[n] = n * (n + 1) // 2
    for y in range(CARAVAN_LIMIT + 1):
        for r in range(CARAVAN_LIMIT + 1 - y):
            for g in range(CARAVAN_LIMIT + 1 - y - r):
                for b in range(CARAVAN_LIMIT + 1 - y - r - g):
                    cubes = y | r << 8 | g << 16 | b << 24
                    fill_caravan(t, <Caravan*>caravan(t, cubes), cubes)
    return 0


cdef void fill_caravan(const Tables* t, Caravan* c, uint32_t cubes) noexcept:
    cdef int card, times, i, n = 0
    cdef uint32_t left
    for card in range(t.cards):
        if t.kind[card] == PRODUCE:
            c.times[0] |= bit(card)
        elif t.kind[card] == TRADE:
            left, times = cubes, 0
            while covers(left, t.give[card]):
                left -= t.give[card]
                c.times[times] |= bit(card)
                times += 1
    for card in range(t.points):
        if covers(cubes, t.cost[card]):
            c.affordable |= bit(card)
    for i in range(UPGRADES):
        # Cubes gained by a cheaper step may be raised further by the same card.
        if covers(cubes + t.more[i], t.less[i]):
            c.upgrades[n] = i
            n += 1
        times = sum_of(t.less[i])
        c.up_to[times] = n
    for i in range(1, 5):
        if c.up_to[i] < c.up_to[i - 1]:
            c.up_to[i] = c.up_to[i - 1]


cdef int sum_of(uint32_t cubes) noexcept:
    return count(cubes, 0) + count(cubes, 1) + count(cubes, 2) + count(cubes, 3)


cdef class _SharedTables:
    """The tables of one component list and number of seats; all its games share them."""

    cdef Tables table

    def __cinit__(self, cards, int seats):
        fill_tables(&self.table, cards)
        knowledge.fill_knowledge(&self.table, cards, seats)


@lru_cache(maxsize=16)
def _shared_tables(cards, seats):
    """The tables for some components; filling them takes milliseconds."""
    return _SharedTables(cards, seats)


# ---- the game

cdef class SpiceRoad(Game):
    """Century: Spice Road for 2–5 seats; see this folder's README.md."""

    cdef _SharedTables shared
    cdef const Tables* table
    cdef readonly object cards      # serai.core.games.spice_road.components.Components

    grammar = notation.GRAMMAR
    variants = ("base",)

    def __cinit__(self, spec):
        if not 2 <= spec.players <= 5:
            raise SetupError(f"spice_road has 2 to 5 players, not {spec.players}")
        if spec.variant not in SpiceRoad.variants:
            raise SetupError(f"spice_road has only the variant base, not {spec.variant!r}")
        self.name, self.seats, self.spec, self.tokens = "spice_road", spec.players, spec, {}
        self.cards = load_components(spec.components)
        self.shared = _shared_tables(self.cards, self.seats)
        self.table = &self.shared.table
        self.ops, self.tables = &OPS, <void*>self.table
        self.state_size = sizeof(State) - (5 - self.seats) * sizeof(Player)
        self.max_actions = _MAX_ACTIONS
        self.player_features, self.table_features = PLAYER_FEATURES, TABLE_FEATURES
        self.option_traits = OPTION_TRAITS

    def __init__(self, spec):
        pass

    cdef void setup(self, void* state) noexcept:
        events.set_up(self.table, <State*>state, self.seats)

    def __reduce__(self):
        return SpiceRoad, (self.spec,)

    # ---- words

    def format(self, action):
        """The token of an action."""
        return notation.format_action(self.cards, action)

    def is_token(self, text):
        """True if the text has the form of an event."""
        return notation.is_token(text)

    def describe(self, position, action):
        """One sentence about a legal action."""
        return notation.describe_action(self.cards, self.dump(position), action)

    def render(self, position):
        """The table as text."""
        state = self.dump(position)
        for player, points in zip(state["players"], position.scores()):
            player["score"] = points
        return notation.render(state)

    def observation(self, position, seat):
        """float32 array; layout in this folder's README.md."""
        return observe_state(self.cards, self.dump(position.view(seat)), seat)

    def evaluation_features(self, Position position not None):
        """What the hand-made evaluation sees: a list per seat, in the order of evaluation.toml."""
        cdef float x[FEATURES]
        rows = []
        for seat in range(self.seats):
            knowledge.describe(self.table, <const State*>position.data, seat, x)
            rows.append([x[i] for i in range(FEATURES)])
        return rows

    @property
    def feature_key(self):
        """A text that changes with what the features mean, so that no network is asked about something else."""
        return feature_key(self.cards)

    # ---- piles

    def pile_at(self, Position position not None):
        """The pile that the chance event at hand is drawn from."""
        return "market" if (<const State*>position.data).phase == MARKET else "point"

    def pile(self, name):
        """All outcomes a pile ever held, in the order of the component file."""
        if name == "market":
            return [notation.SHOW_MERCHANT << 16 | i for i in range(STARTERS, self.table.cards)]
        return [notation.SHOW_POINT << 16 | i for i in range(self.table.points)]

    # ---- snapshots

    def dump(self, Position position not None):
        """The state as a JSON-able dictionary."""
        cdef const State* s = <const State*>position.data
        phase = notation.PHASES[s.phase]
        state = {
            "game": self.name, "seats": self.seats, "turn": f"p{s.turn + 1}", "phase": phase,
            "market": [{"card": self.cards.cards[s.market[i]].name, "cubes": cube_text(s.lying[i])}
                       for i in range(s.market_size)],
            "points": [self.cards.points[s.row[i]].name for i in range(s.row_size)],
            "gold": s.gold, "silver": s.silver,
            "merchants_left": s.merchants_left, "points_left": s.points_left,
            "taking": s.target + 1 if s.phase == PAY else 0, "paid": s.paid,
            "last_round": bool(s.last_round),
            "players": [self.dump_player(s, &s.players[i]) for i in range(self.seats)],
        }
        if phase in ("market", "point"):
            state["mover"], state["turn"] = state["turn"], "chance"
        elif phase == "over":
            state["turn"] = "none"
        return state

    cdef dict dump_player(self, const State* s, const Player* p):
        cards, points = self.cards.cards, self.cards.points
        return {
            "caravan": cube_text(p.cubes),
            "hand": notation.names(cards, p.hand), "hidden": p.hidden,
            "secret": notation.names(cards, p.hand & s.secret),
            "played": notation.names(cards, p.played),
            "claimed": ["?" if p.claimed[i] == UNKNOWN else points[p.claimed[i]].name for i in range(p.claims)],
            "veiled": [points[p.claimed[i]].name for i in range(p.claims)
                       if p.claimed[i] != UNKNOWN and s.veiled >> p.claimed[i] & 1],
            "gold": p.gold, "silver": p.silver,
        }

    def restore(self, Position position not None, data):
        """Write a state dictionary into an empty position; raises NotationError if it can't be a real one."""
        cdef State* s = <State*>position.data
        reader = notation.Reader(self.cards)
        if reader.get(data, "game", str) != self.name or reader.integer(data, "seats", 9) != self.seats:
            raise NotationError(f"state: is not of {self.name} with {self.seats} players", "bad-value")
        s.seats = self.seats
        s.turn = notation.seat_of(reader, data, self.seats)
        phase = reader.get(data, "phase", str)
        if phase not in notation.PHASES:
            raise NotationError(f"state: phase must be one of {' '.join(notation.PHASES)}", "bad-value")
        s.phase = notation.PHASES.index(phase)
        s.gold, s.silver = reader.integer(data, "gold", 10), reader.integer(data, "silver", 10)
        s.last_round = reader.get(data, "last_round", bool)
        self.restore_rows(s, reader, data)
        players = reader.listed(data, "players", 5)
        if len(players) != self.seats:
            raise NotationError(f"state: must have {self.seats} players", "bad-value")
        s.merchants, s.point_cards = self.table.all_merchants, self.table.all_points
        for i, player in enumerate(players):
            self.restore_player(s, &s.players[i], reader, player)
        self.restore_decks(s)
        self.check_state(position, data)

    cdef int restore_rows(self, State* s, reader, data) except -1:
        market = reader.listed(data, "market", 6)
        for i, slot in enumerate(market):
            s.market[i] = reader.card(slot.get("card") if isinstance(slot, dict) else None)
            s.lying[i] = reader.cubes(slot, "cubes", 60)
        s.market_size = len(market)
        row = reader.listed(data, "points", 5)
        for i, name in enumerate(row):
            s.row[i] = reader.point(name)
        s.row_size = len(row)
        taking = reader.integer(data, "taking", 6, 0)
        s.paid = reader.integer(data, "paid", 5, 0)
        s.target = taking - 1 if taking else 0
        return 0

    cdef int restore_player(self, State* s, Player* p, reader, data) except -1:
        p.cubes = reader.cubes(data, "caravan", 100)
        p.hand, p.played = reader.mask(data, "hand"), reader.mask(data, "played")
        p.hidden = reader.integer(data, "hidden", 62, 0)
        p.gold, p.silver = reader.integer(data, "gold", 10), reader.integer(data, "silver", 10)
        if reader.mask(data, "secret") & ~p.hand:
            raise NotationError("state: a secret card must be in the hand", "bad-value")
        s.secret |= reader.mask(data, "secret")
        claimed = reader.listed(data, "claimed", MAX_CLAIMS)
        for i, name in enumerate(claimed):
            p.claimed[i] = UNKNOWN if name == "?" else reader.point(name)
            if p.claimed[i] != UNKNOWN:
                p.points += self.table.score[p.claimed[i]]
        p.claims = len(claimed)
        for name in reader.listed(data, "veiled", MAX_CLAIMS):
            if name not in claimed:
                raise NotationError("state: a veiled card must be claimed", "bad-value")
            s.veiled |= bit(reader.point(name))
        return 0

    cdef int restore_decks(self, State* s) except -1:
        """The decks are what lies nowhere else."""
        cdef int i, j, hidden_cards = 0, hidden_claims = 0
        for i in range(s.market_size):
            s.merchants &= ~bit(s.market[i])
        for i in range(s.row_size):
            s.point_cards &= ~bit(s.row[i])
        for i in range(self.seats):
            s.merchants &= ~(s.players[i].hand | s.players[i].played)
            hidden_cards += s.players[i].hidden
            for j in range(s.players[i].claims):
                if s.players[i].claimed[j] == UNKNOWN:
                    hidden_claims += 1
                else:
                    s.point_cards &= ~bit(s.players[i].claimed[j])
        merchants, points = bin(s.merchants).count("1"), bin(s.point_cards).count("1")
        if hidden_cards > merchants or hidden_claims > points:
            raise NotationError("state: more unknown cards than there are left", "bad-value")
        s.merchants_left, s.points_left = merchants - hidden_cards, points - hidden_claims
        return 0

    def check_state(self, Position position not None, data):
        """Raise NotationError unless the position could arise in play."""
        cdef const State* s = <const State*>position.data
        cdef int target = self.table.claims_to_end[self.seats]
        claims = [s.players[i].claims for i in range(self.seats)]
        wrong = None
        if not score.consistent(self.table, s):
            wrong = "cards or coins are missing, or in two places, or a caravan is too full"
        elif max(claims) > target or bool(s.last_round) != (max(claims) == target):
            wrong = f"last_round must be true exactly when a seat holds {target} claimed cards"
        elif self.has_done(s, claims, target):
            wrong = f"a seat that holds {target} claimed cards has had its last turn"
        elif s.phase == PAY and not (s.paid < s.target < s.market_size
                                     and sum_of(s.players[s.turn].cubes) >= s.target - s.paid):
            wrong = "the merchant being taken can't be paid for"
        elif s.phase != PAY and (s.target or s.paid):
            wrong = "paid and taking belong to the phase pay"
        elif not self.phase_possible(s):
            wrong = f"the phase {notation.PHASES[s.phase]} is not possible here"
        if wrong is None and data.get("merchants_left", s.merchants_left) != s.merchants_left:
            wrong = f"merchants_left must be {s.merchants_left}: all cards that lie nowhere else"
        if wrong is None and data.get("points_left", s.points_left) != s.points_left:
            wrong = f"points_left must be {s.points_left}: all cards that lie nowhere else"
        if wrong is not None:
            raise NotationError(f"state: {wrong}", "bad-value")

    cdef bint has_done(self, const State* s, claims, int target) noexcept:
        """Whether a seat is still to act, or to act again, that has triggered the end: it would claim a card too many."""
        phase = notation.PHASES[s.phase]
        first = s.turn if phase in ("main", "pay") else s.turn + 1
        return phase != "over" and target in claims[first:]

    cdef bint phase_possible(self, const State* s) noexcept:
        cdef int cubes = sum_of(s.players[s.turn].cubes)
        cdef bint market_full = s.market_size == 6 or s.merchants_left == 0
        cdef bint row_full = s.row_size == 5
        phase = notation.PHASES[s.phase]
        if phase == "market":
            return not market_full and self.dealing_possible(s, s.market_size == 5)
        if phase == "point":
            return market_full and not row_full and self.dealing_possible(s, s.row_size == 4)
        if not (market_full and row_full):
            return False
        if phase == "drop":
            return cubes > CARAVAN_LIMIT
        return phase != "over" or (s.last_round and s.turn == 0)

    cdef bint dealing_possible(self, const State* s, bint one_missing) noexcept:
        """The rows are dealt in the turn of the last seat, before anybody has done anything; later one card at a time."""
        return s.turn == self.seats - 1 if self.is_untouched(s) else one_missing

    cdef bint is_untouched(self, const State* s) noexcept:
        """Whether all seats have what they begin with; cards in hand may be hidden."""
        cdef const Player* p
        cdef int seat
        for seat in range(self.seats):
            p = &s.players[seat]
            if size(p.hand) + p.hidden != STARTERS or p.cubes != self.table.start_cubes[seat]:
                return False
            if p.played or p.claims:
                return False
        return True

    def check_view(self, Position position not None, int viewer):
        """Raise NotationError if a view doesn't show its own seat's cards."""
        cdef const State* s = <const State*>position.data
        cdef int i
        if s.players[viewer].hidden:
            raise NotationError(f"state: p{viewer + 1} must know its own hand", "bad-value")
        for i in range(s.players[viewer].claims):
            if s.players[viewer].claimed[i] == UNKNOWN:
                raise NotationError(f"state: p{viewer + 1} must know its own claimed cards", "bad-value")


cdef str cube_text(uint32_t cubes):
    return letters([cubes >> 8 * i & 255 for i in range(4)])
