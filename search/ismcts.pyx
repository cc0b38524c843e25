"""`Search`: the engine's search as Python sees it. The work is in tree.pyx; this file prepares it and waits."""

from libc.math cimport powf, sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from serai.core.game cimport Game, GameOps, Position
from serai.core.network cimport Network
from serai.core.rng cimport Rng, next_u64, unit
from serai.core.types cimport MAX_ACTIONS, MAX_SEATS, STATE_WORDS, Action
from serai.search.arena cimport Node, clear, close_arena, get, keep_subtree, open_arena, put
from serai.search.beam cimport allocate, release
from serai.search.tree cimport RootStats, Shared, Worker, advise, deal_world, expand_root, iterate_until, now, value

import threading
from dataclasses import replace

from serai.core.errors import IllegalAction
from serai.search.budget import plan_time
from serai.search.params import SearchParams
from serai.search.planner import require_decision
from serai.search.report import Line, Report

cdef enum:
    REPORT_MS = 60          # between reports
    MAX_THREADS = 64
    MIN_PV_VISITS = 8       # a line shown is at least this well visited
    FIRST_DEPTH_LOOK = 4000     # iterations before the mean depth is expected to grow steadily


cdef class Search:
    """ISMCTS over any game, with one tree that is kept from call to call.

    `hash_mb`: memory for the tree. `threads`: 1–64 on one tree. `seed`: with one thread and limits in nodes or
    depth, equal seeds give equal results. `network`: judges leaves in games that it fits; None: the hand-made
    evaluation.
    """

    cdef Shared shared
    cdef Worker* workers
    cdef Game beam_game
    cdef Position root          # the tree's root position
    cdef uint64_t root_state[STATE_WORDS]
    cdef Action options[MAX_ACTIONS]
    cdef int count              # of options at the root
    cdef object lock
    cdef readonly int threads
    cdef readonly uint64_t seed
    cdef readonly object params
    cdef readonly Network network

    def __init__(self, int hash_mb=64, int threads=1, uint64_t seed=0, params=None, Network network=None):
        if not 1 <= hash_mb <= 65_536 or not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"hash_mb must be 1 to 65536 and threads 1 to {MAX_THREADS}")
        self.threads, self.seed, self.network = threads, seed, network
        self.params = params if params is not None else SearchParams()
        self.lock = threading.Lock()
        open_arena(&self.shared.arena, <size_t>hash_mb << 20)
        self.workers = <Worker*>calloc(threads, sizeof(Worker))
        if self.workers is NULL:
            raise MemoryError
        self.load_params()

    def __dealloc__(self):
        cdef int i
        close_arena(&self.shared.arena)
        if self.workers is not NULL:
            for i in range(self.threads):
                release(&self.workers[i].beam)
        free(self.workers)

    cdef int load_params(self) except -1:
        p = self.params
        self.shared.settings.exploration = p.exploration
        self.shared.settings.first_play = p.first_play
        self.shared.settings.prior_temperature = p.prior_temperature
        self.shared.settings.use_book = p.use_book
        self.shared.settings.paranoid = p.paranoid
        self.shared.settings.random_leaf = p.rollout == "random"
        self.shared.settings.use_priors = p.priors
        self.shared.settings.network_share = p.network_share
        self.shared.settings.network_prior = p.network_prior
        return 0

    # ---- control

    def stop(self):
        """End the running search soon (well under 10 ms); may be called from any thread."""
        put(&self.shared.stopped, 1)

    def clear(self):
        """Forget the tree."""
        with self.lock:
            clear(&self.shared.arena)
            self.root = None

    def run(self, Position position not None, limits, int multipv=1, moves=None, on_report=None,
            memory="perfect", float softness=0.0, bint peek=False, bint advice=True):
        """Search a position and return a `Report`.

        `moves`: tokens to choose from (all, if None). `on_report` is called with a `Report` at most 20 times a
        second. `memory="none"` forgets what the others hold in hand. `softness` > 0 chooses among good moves by
        chance: the exponent on the visits is 1 / softness. What the seat to move can't know is dealt anew in each
        iteration, also if the position holds it; `peek` uses it.
        Without `advice` neither book nor planner is asked. Raises IllegalAction if there is nothing to decide.
        """
        with self.lock:
            put(&self.shared.stopped, 0)
            seat = require_decision(position)
            self.list_options(position, moves, multipv)
            budget = plan_time(limits, position, self.count)
            self.shared.peek = peek and position.viewer < 0
            self.shared.settings.planner_prior = self.params.planner_prior if advice else 0
            self.take_root(position, seat, memory)
            return self.search(position, limits, budget, multipv, on_report, softness)

    # ---- preparation

    cdef int list_options(self, Position position, moves, int multipv) except -1:
        cdef const GameOps* ops = position.game.ops
        self.count = ops.legal(position.game.tables, position.data, self.options)
        if moves is not None:
            wanted = {position.action(token) for token in moves}
            chosen = [self.options[i] for i in range(self.count) if self.options[i] in wanted]
            if not chosen:
                raise IllegalAction("none of the moves to search is legal", "no-searchmoves")
            for i, action in enumerate(chosen):
                self.options[i] = action
            self.count = len(chosen)
        elif multipv == 1:
            self.count = ops.narrow(position.game.tables, position.data, self.options, self.count)
        return 0

    cdef int take_root(self, Position position, int seat, memory) except -1:
        """Point the tree at a position, keeping what is known of it."""
        cdef Shared* s = &self.shared
        cdef int i
        cdef uint32_t node = self.find_root(position)
        if node == 0 and self.root is not None and position == self.root:
            pass
        elif node:
            keep_subtree(&s.arena, node)
        else:
            clear(&s.arena)
        self.root = position
        memcpy(self.root_state, position.data, position.game.state_size)
        if memory == "none":
            position.game.ops.forget(position.game.tables, self.root_state, seat)
        s.ops, s.tables, s.size = position.game.ops, position.game.tables, position.game.state_size
        s.seats, s.root_seat, s.root = position.game.seats, seat, self.root_state
        s.network = NULL
        if self.network is not None and self.network.fits(position.game):
            s.network = &self.network.weights
        self.weigh_planner()
        self.prepare_beams(position.game)
        for i in range(self.threads):
            self.prepare_worker(&self.workers[i], i, position)
        expand_root(&self.workers[0], self.options, self.count)
        if self.count > 1:
            deal_world(&self.workers[0])
            advise(&self.workers[0], 0, seat)
        return 0

    cdef int weigh_planner(self) except -1:
        """How much the planner counts beside what judges this game."""
        cdef Shared* s = &self.shared
        s.settings.planner_trust, s.settings.planner_visits = self.params.planner_trust, self.params.planner_visits
        if s.network is not NULL:
            s.settings.planner_trust = self.params.network_trust
            if s.network.options and s.settings.network_prior > 0:
                s.settings.planner_visits = 0
        return 0

    cdef void prepare_worker(self, Worker* w, int number, Position position) noexcept:
        w.shared = &self.shared
        w.rng.state = self.seed ^ (<uint64_t>number << 48)
        next_u64(&w.rng)
        w.chunk.next = w.chunk.end = 0
        w.iterations = w.depth_sum = 0
        w.deepest = 0
        w.depth_limit = w.depth_before = -1
        w.depth_look = FIRST_DEPTH_LOOK
        memset(w.stats, 0, self.count * sizeof(RootStats))

    cdef uint32_t find_root(self, Position position) except? 0:
        """The node of the tree that a later position of the same game belongs to; 0 if none."""
        cdef Position old = self.root
        cdef uint64_t state[STATE_WORDS]
        cdef Action options[MAX_ACTIONS]
        cdef uint32_t node = 0
        cdef Py_ssize_t k
        cdef int n
        cdef const GameOps* ops = position.game.ops
        cdef const void* tables = position.game.tables
        if (old is None or str(old.game.spec) != str(position.game.spec) or old.viewer != position.viewer
                or old.origin != position.origin or position.length <= old.length
                or old.events[:old.length] != position.events[:old.length]):
            return 0
        memcpy(state, old.data, position.game.state_size)
        for k in range(old.length, position.length):
            if ops.to_act(tables, state) >= 0:
                n = ops.legal(tables, state, options)
                if n > 1 and k > old.length:
                    n = ops.narrow(tables, state, options, n)
                if n > 1:
                    node = self.child_of(node, position.events[k])
                    if node == 0:
                        return 0
            ops.apply(tables, state, position.events[k])
        return node

    cdef uint32_t child_of(self, uint32_t parent, Action action) noexcept:
        cdef Node* nodes = self.shared.arena.nodes
        cdef uint32_t head = nodes[parent].children, i
        while head:
            for i in range(head + 1, head + 1 + nodes[head].action):
                if nodes[i].action == action:
                    return i
            head = nodes[head].children
        return 0

    cdef int prepare_beams(self, Game game) except -1:
        cdef int i
        if self.beam_game is not game:
            self.beam_game = None
            for i in range(self.threads):
                release(&self.workers[i].beam)
                allocate(&self.workers[i].beam, game.ops, game.tables, game.state_size,
                         self.params.planner_width, self.params.planner_depth)
            self.beam_game = game
        return 0

    # ---- the search itself

    cdef object search(self, Position position, limits, budget, int multipv, on_report, float softness):
        cdef uint64_t start = now(), slice_end
        cdef uint64_t hard = start + <uint64_t>(budget.hard * 1e6) if budget.hard is not None else 0xFFFFFFFFFFFFFFFFULL
        self.shared.started = 0
        self.shared.node_limit = limits.nodes if limits.nodes is not None else 0xFFFFFFFFFFFFFFFFULL
        self.shared.deadline = hard
        if limits.depth is not None:
            self.workers[0].depth_limit = max(0, limits.depth)
        helpers = [threading.Thread(target=self._work, args=(i,), daemon=True) for i in range(1, self.threads)]
        for helper in helpers:
            helper.start()
        try:
            while True:
                slice_end = min(hard, now() + REPORT_MS * 1_000_000)
                with nogil:
                    iterate_until(&self.workers[0], slice_end)
                if get(&self.shared.stopped) or now() >= hard or self.enough(budget, start):
                    break
                if on_report is not None:
                    on_report(self.report(position, multipv, start))
        finally:
            put(&self.shared.stopped, 1)
            for helper in helpers:
                helper.join()
        return self.final_report(position, multipv, start, softness)

    def _work(self, int number):
        """Body of an extra thread."""
        if not 1 <= number < self.threads or self.shared.root is NULL:
            raise ValueError("no thread of a running search")
        with nogil:
            iterate_until(&self.workers[number], self.shared.deadline)

    cdef bint enough(self, budget, uint64_t start) except -1:
        """True if the clock says that it is time to move."""
        if budget.soft is None:
            return False
        elapsed = (now() - start) / 1e6
        return elapsed >= budget.soft or (elapsed >= 0.4 * budget.soft and self.decided(budget.soft / elapsed))

    cdef bint decided(self, double whole) noexcept:
        """True if the second best move can't overtake the best in what is left of the time."""
        cdef Node* nodes = self.shared.arena.nodes
        cdef uint32_t head = nodes[0].children, visits, most = 0, second = 0
        cdef double total = 0
        cdef int i
        for i in range(self.count):
            visits = nodes[head + 1 + i].visits
            total += visits
            if visits > most:
                most, second = visits, most
            elif visits > second:
                second = visits
        return most - second > total * (whole - 1)

    # ---- reports

    cdef object report(self, Position position, int multipv, uint64_t start):
        lines = tuple([self.line(position, i) for i in self.ranked()[:multipv]])
        cdef uint64_t nodes = 0, depth = 0, used = self.shared.arena.used, capacity = self.shared.arena.capacity
        cdef uint64_t full = min(<uint64_t>1000, 1000 * used // capacity)
        cdef int deepest = 0, i
        for i in range(self.threads):
            nodes += self.workers[i].iterations
            depth += self.workers[i].depth_sum
            deepest = max(deepest, self.workers[i].deepest)
        return Report(lines[0].token, lines, nodes, nodes, max(1, round(depth / (nodes or 1))), max(1, deepest),
                      full,
                      int((now() - start) // 1_000_000))

    cdef list ranked(self):
        """The options: most visits first, then the higher value, then canonical order."""
        cdef Node* first = &self.shared.arena.nodes[self.shared.arena.nodes[0].children + 1]
        keys = [(-<long long>first[i].visits, -first[i].value / max(<uint32_t>1, first[i].visits), i)
                for i in range(self.count)]
        return [i for _, _, i in sorted(keys)]

    cdef object final_report(self, Position position, int multipv, uint64_t start, float softness):
        result = self.report(position, multipv, start)
        line = result.lines[0].pv
        if len(line) > 1:
            result = replace(result, ponder=line[1].partition(":")[2] or line[1])
        if softness > 0 and self.count > 1:
            result = self.softened(position, result, softness)
        return result

    cdef object softened(self, Position position, result, float softness):
        """Choose by visits to the power 1 / softness: rarely a bad move, often not the best.

        A prior counts as part of a visit, so that there is a choice also after very few.
        """
        cdef Node* first = &self.shared.arena.nodes[self.shared.arena.nodes[0].children + 1]
        cdef uint32_t most = max([first[i].visits for i in range(self.count)])
        cdef Rng rng = self.workers[0].rng
        weights = [powf((first[i].visits + first[i].prior) / (1 + most), 1 / softness) for i in range(self.count)]
        mark = unit(&rng) * sum(weights)
        choice = 0
        for option, weight in enumerate(weights):
            mark -= weight
            if weight > 0:
                choice = option
            if mark <= 0 and weight > 0:
                break
        chosen = self.line(position, choice)
        rest = [line for line in result.lines if line.token != chosen.token]
        lines = (chosen, *rest)[:len(result.lines)]
        return replace(result, best=chosen.token, lines=lines, ponder=None)

    cdef object line(self, Position position, int option):
        """What is known of one option: fresh statistics of this search, or the tree's if it got no visit."""
        cdef RootStats sum
        cdef int i, seat, seats = self.shared.seats
        cdef uint32_t head = self.shared.arena.nodes[0].children
        cdef double mean, n
        memset(&sum, 0, sizeof(RootStats))
        for i in range(self.threads):
            add_stats(&sum, &self.workers[i].stats[option], seats)
        token = position.game.token(self.options[option])
        visits = max(sum.visits, <uint64_t>self.shared.arena.nodes[head + 1 + option].visits)
        if sum.visits == 0:
            return self.unvisited_line(position, option, token, visits)
        n = sum.visits
        mean = sum.win[self.shared.root_seat] / n
        error = sqrt(max(0.0, sum.squares / n - mean * mean) / n)
        if sum.visits == 1:         # one value has no spread, but that is no certainty
            error = 0.5 / sqrt(visits)
        return Line(token, tuple(sum.win[seat] / n for seat in range(seats)),
                    tuple(sum.points[seat] / n for seat in range(seats)), visits, error, self.principal(option))

    cdef object unvisited_line(self, Position position, int option, token, visits):
        """An option that this search hasn't tried: the evaluation of what it leads to, corrected by the kept tree."""
        cdef Worker* w = &self.workers[0]
        cdef Shared* s = &self.shared
        cdef Node* node = &s.arena.nodes[s.arena.nodes[0].children + 1 + option]
        cdef float win[MAX_SEATS]
        cdef float points[MAX_SEATS]
        cdef double mine, scale = 1
        cdef Rng before = w.rng
        cdef int seat
        w.rng.state = self.seed     # the search goes on as if nobody had asked
        deal_world(w)
        w.rng = before
        s.ops.apply(s.tables, w.state, self.options[option])
        value(s, w.state, win, points)
        mine = win[s.root_seat]
        if node.visits:
            mine = node.value / node.visits
            scale = (1 - mine) / max(1e-6, 1 - win[s.root_seat])
        shares = tuple([mine if seat == s.root_seat else scale * win[seat] for seat in range(s.seats)])
        return Line(token, shares, tuple([points[seat] for seat in range(s.seats)]), visits,
                    0.5 / sqrt(max(1, node.visits)), (token,))

    cdef tuple principal(self, int option):
        """The most visited line from an option to the next chance event, as tokens."""
        cdef Shared* s = &self.shared
        cdef Node* nodes = s.arena.nodes
        cdef uint64_t state[STATE_WORDS]
        cdef Action choices[MAX_ACTIONS]
        cdef Action action = self.options[option]
        cdef uint32_t node = nodes[0].children + 1 + option
        cdef int actor = s.root_seat, n
        cdef Rng rng
        rng.state = self.seed
        memcpy(state, s.root, s.size)
        s.ops.determinize(s.tables, state, s.root_seat, &rng)
        line = []
        while len(line) < 30:
            token = self.root.game.token(action)
            line.append(token if actor == s.root_seat else f"p{actor + 1}:{token}")
            s.ops.apply(s.tables, state, action)
            actor = s.ops.to_act(s.tables, state)
            if actor < 0:
                break
            n = s.ops.legal(s.tables, state, choices)
            if n > 1:
                n = s.ops.narrow(s.tables, state, choices, n)
            action = choices[0]
            if n > 1:
                node = most_visited(nodes, node, choices, n)
                if node == 0:
                    break
                action = nodes[node].action
        return tuple(line)


cdef void add_stats(RootStats* sum, const RootStats* more, int seats) noexcept nogil:
    cdef int seat
    sum.visits += more.visits
    sum.squares += more.squares
    for seat in range(seats):
        sum.win[seat] += more.win[seat]
        sum.points[seat] += more.points[seat]


cdef uint32_t most_visited(const Node* nodes, uint32_t parent, const Action* choices, int n) noexcept nogil:
    cdef uint32_t head = nodes[parent].children, i, best = 0, most = MIN_PV_VISITS - 1
    cdef int k
    while head:
        for i in range(head + 1, head + 1 + nodes[head].action):
            for k in range(n):
                if nodes[i].action == choices[k] and nodes[i].visits > most:
                    best, most = i, nodes[i].visits
        head = nodes[head].children
    return best
