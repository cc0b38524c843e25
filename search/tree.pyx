"""Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012) with PUCT, on one tree keyed by the path of decisions.

Each iteration deals what the searching seat can't know, and descends with the decisions that are legal in that
world. Chance is open-loop: drawn on the way, with no nodes of its own. Forced decisions have no nodes either.
"""

from libc.math cimport sqrtf
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from serai.core.fastmath cimport fast_exp
from serai.core.network cimport judge, prefer
from serai.core.rng cimport below
from serai.core.types cimport CHANCE, GAME_OVER, MAX_SEATS, Action
from serai.search.beam cimport MAX_DEPTH, run
from serai.search.arena cimport Node, acquire, addf, bump, fetch_add, get, getf, is_full, prefetch, publish, put, reserve

cdef extern from *:
    """
    #include <time.h>
    static inline uint64_t serai_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    }
    """
    uint64_t c_now "serai_now"() noexcept nogil

cdef float ONE = 1          # a literal would make the arithmetic double
cdef double LEAST_GROWTH = 0.1      # decisions by which the mean depth grows while the iterations double

cdef enum:
    EXPAND_AT = 3           # visits before a node gets children: most leaves are never seen again
    CLOCK_EVERY = 8         # iterations between looks at the clock
    DEPTH_EVERY = 1000      # iterations between looks at the mean depth; a multiple of CLOCK_EVERY
    PLAYOUT_LIMIT = 4000    # decisions of a random playout


cdef uint64_t now() noexcept nogil:
    """Nanoseconds of the monotonic clock."""
    return c_now()


cdef void iterate_until(Worker* w, uint64_t until) noexcept nogil:
    """Iterate until a time, a limit of the search or its stop flag."""
    cdef Shared* s = w.shared
    while not get(&s.stopped):
        if fetch_add(&s.started, 1) >= s.node_limit:
            put(&s.stopped, 1)
            return
        iterate(w)
        if w.iterations % CLOCK_EVERY == 0:
            if w.iterations % DEPTH_EVERY == 0 and w.depth_limit >= 0 and deep_enough(w):
                put(&s.stopped, 1)
            if now() >= until:
                return


cdef bint deep_enough(Worker* w) noexcept nogil:
    """True if the mean depth is the one asked for, or can hardly become it: the memory is full, or the game ends before.

    Where the mean grows by less than `LEAST_GROWTH` while the iterations double, one decision more would take a
    thousand times as many. Depends on iterations alone, so that a limit in depth is as reproducible as one in nodes.
    """
    cdef double mean = <double>w.depth_sum / w.iterations, grown = mean - w.depth_before
    if mean >= w.depth_limit or is_full(&w.shared.arena):
        return True
    if w.iterations < w.depth_look:
        return False
    w.depth_before = mean
    w.depth_look = 2 * w.iterations
    return grown < LEAST_GROWTH


cdef void iterate(Worker* w) noexcept nogil:
    cdef float win[MAX_SEATS]
    cdef float points[MAX_SEATS]
    deal_world(w)
    w.length = 0
    descend(w)
    leaf_value(w, win, points)
    back_up(w, win)
    if w.length:
        count_root(w, win, points)
    w.iterations += 1
    w.depth_sum += w.length
    w.deepest = max(w.deepest, w.length)


cdef void deal_world(Worker* w) noexcept nogil:
    """The root, with what its seat can't know dealt anew."""
    cdef Shared* s = w.shared
    memcpy(w.state, s.root, s.size)
    if not s.peek:
        s.ops.determinize(s.tables, w.state, s.root_seat, &w.rng)


# ---- descend

cdef void descend(Worker* w) noexcept nogil:
    """Walk down to a leaf: the end of the game, or a node without children."""
    cdef Shared* s = w.shared
    cdef uint32_t node = 0
    cdef int actor, n
    cdef Action forced
    while w.length < MAX_PATH:
        actor = s.ops.to_act(s.tables, w.state)
        if actor == GAME_OVER:
            return
        if actor == CHANCE:
            s.ops.apply(s.tables, w.state, s.ops.draw(s.tables, w.state, &w.rng))
            continue
        if node == 0:
            n = 0           # the root's options are given, not listed
        else:
            forced = s.ops.forced(s.tables, w.state)
            if forced:
                s.ops.apply(s.tables, w.state, forced)
                continue
            n = s.ops.legal(s.tables, w.state, w.options)
            if n > 1:
                n = s.ops.narrow(s.tables, w.state, w.options, n)
            if n == 1:
                s.ops.apply(s.tables, w.state, w.options[0])
                continue
            if acquire(&s.arena.nodes[node].children) == 0:
                if get(&s.arena.nodes[node].visits) < EXPAND_AT or not expand(w, node, actor, n):
                    return
            elif get(&s.arena.nodes[node].visits) == s.settings.planner_visits:
                advise(w, node, actor)
        node = select(w, node, n)
        if node == 0:
            return
        w.movers[w.length] = actor
        w.path[w.length] = node
        w.length += 1
        bump(&s.arena.nodes[node].visits)       # now, so that other threads see a visit under way
        prefetch(&s.arena.nodes[get(&s.arena.nodes[node].children)])
        s.ops.apply(s.tables, w.state, s.arena.nodes[node].action)


cdef uint32_t select(Worker* w, uint32_t parent, int n) noexcept nogil:
    """The available child with the highest PUCT value; new options of this world get nodes first."""
    cdef Shared* s = w.shared
    cdef Node* nodes = s.arena.nodes
    cdef uint32_t first = acquire(&nodes[parent].children), head = first
    cdef Choice choice
    choice.total = get(&nodes[first].visits)
    choice.unvisited = getf(&nodes[first].value) / max(1, choice.total) - s.settings.first_play
    choice.trust = s.settings.planner_trust * choice.total if nodes[first].prior > 0 else 0
    choice.root_for = choice.total
    choice.root_of = max(s.settings.exploration * sqrtf(choice.total), choice.trust)
    choice.most = -1e30
    choice.best = 0
    bump(&nodes[first].visits)
    while head:
        n = weigh_block(w, &choice, head, n, parent == 0)
        if n > 0 and acquire(&nodes[head].children) == 0:
            add_block(w, &nodes[head].children, n, choice.total)
        head = acquire(&nodes[head].children)
    return choice.best


cdef struct Choice:             # a selection under way
    uint32_t total              # visits to the parent before this one
    float unvisited             # what a child without visits counts
    float trust                 # where the planner has spoken, its prior holds against this share of all visits
    uint32_t root_for           # root_of = c * sqrt(root_for), or the trust: nearly all children share it
    float root_of
    float most
    uint32_t best


cdef inline int weigh_block(Worker* w, Choice* choice, uint32_t head, int n, bint all_legal) noexcept nogil:
    """Look at the children in one block; returns the number of options that have no node in it.

    Block and options are both ascending, so one walk over both finds the children that are legal in this world.
    The options without a node are moved to the front of the list.
    """
    cdef Node* nodes = w.shared.arena.nodes
    cdef Node* node
    cdef uint32_t i
    cdef int k = 0, unmatched = 0
    for i in range(head + 1, head + 1 + nodes[head].action):
        node = &nodes[i]
        if not all_legal:
            while k < n and w.options[k] < node.action:
                w.options[unmatched] = w.options[k]
                unmatched += 1
                k += 1
            if k == n or w.options[k] != node.action:
                bump(&node.missed)
                continue
            k += 1
        weigh(w.shared, choice, node, i)
    while k < n:
        w.options[unmatched] = w.options[k]
        unmatched += 1
        k += 1
    return unmatched


cdef inline void weigh(const Shared* s, Choice* choice, const Node* node, uint32_t index) noexcept nogil:
    """PUCT; the visits in which a child was available take the place of the parent's visits."""
    cdef uint32_t visits = get(&node.visits), missed = get(&node.missed)
    cdef uint32_t available = choice.total - min(choice.total, missed)
    cdef float score, n = visits
    if available != choice.root_for:
        choice.root_for = available
        choice.root_of = max(s.settings.exploration * sqrtf(available), choice.trust)
    score = node.prior * choice.root_of
    if visits == 0:
        score += choice.unvisited
    else:                   # value / n + score / (1 + n) with one division: this line is the search's hottest
        score = (getf(&node.value) * (n + ONE) + score * n) / (n * (n + ONE))
    if score > choice.most:
        choice.most, choice.best = score, index


# ---- expand

cdef bint expand(Worker* w, uint32_t node, int actor, int n) noexcept nogil:
    """Give a node children for the options of this world; false if the memory is full."""
    return add_block(w, &w.shared.arena.nodes[node].children, n, 0)


cdef bint add_block(Worker* w, uint32_t* link, int n, uint32_t missed) noexcept nogil:
    """Chain a block for the first n options; true if there is a block now, ours or another thread's.

    `missed`: how often the parent was visited before these options turned up.
    """
    cdef Shared* s = w.shared
    cdef uint32_t head = reserve(&s.arena, &w.chunk, n)
    cdef int k
    cdef Node* child
    if head == 0:
        return False
    fill_priors(w, n)
    for k in range(n):
        child = &s.arena.nodes[head + 1 + k]
        child.action, child.prior, child.missed = w.options[k], w.priors[k], missed
    if not publish(link, head):
        w.chunk.next -= n + 1       # another thread was first; its block serves as well
    return True


cdef void fill_priors(Worker* w, int n) noexcept nogil:
    """How promising each option of whoever is to choose looks: the network's preferences and one ply, blended."""
    cdef Shared* s = w.shared
    cdef int k, actor = s.ops.to_act(s.tables, w.state)
    cdef float share = s.settings.network_prior
    if not s.settings.use_priors:
        for k in range(n):
            w.priors[k] = 1.0 / n
        return
    if s.network is NULL or s.network.options == 0 or share <= 0:
        look_one_ply(w, n, actor)
        return
    prefer(s.network, s.ops, s.tables, w.state, s.seats, actor, w.options, n, w.preferred)
    if share < 1:
        look_one_ply(w, n, actor)
        for k in range(n):
            w.priors[k] = share * w.preferred[k] + (1 - share) * w.priors[k]
    else:
        memcpy(w.priors, w.preferred, n * sizeof(float))


cdef void look_one_ply(Worker* w, int n, int actor) noexcept nogil:
    """Softmax over what each option makes of the actor's win share.

    The others' standing is taken from before the option: it changes little, and counts for all options alike.
    """
    cdef Shared* s = w.shared
    cdef int k
    cdef float most = -1, sum = 0, base, others
    base = s.ops.standing(s.tables, w.state, actor)
    others = strength_of_others(s, w.state, actor, base)
    for k in range(n):
        memcpy(w.child, w.state, s.size)
        s.ops.apply(s.tables, w.child, w.options[k])
        w.priors[k] = 1 / (1 + others * fast_exp(base - s.ops.standing(s.tables, w.child, actor)))
        most = max(most, w.priors[k])
    for k in range(n):
        w.priors[k] = fast_exp((w.priors[k] - most) / s.settings.prior_temperature)
        sum += w.priors[k]
    for k in range(n):
        w.priors[k] /= sum


cdef inline float strength_of_others(const Shared* s, const void* state, int actor, float base) noexcept nogil:
    """Sum of the others' exp(standing), in units of the actor's."""
    cdef float sum = 0
    cdef int seat
    for seat in range(s.seats):
        if seat != actor:
            sum += fast_exp(s.ops.standing(s.tables, state, seat) - base)
    return sum


cdef void advise(Worker* w, uint32_t node, int actor) noexcept nogil:
    """Mix the move that the opening book or the planner proposes into the priors of a node."""
    cdef Shared* s = w.shared
    cdef uint32_t head = s.arena.nodes[node].children, i
    cdef Action line[MAX_DEPTH]
    cdef int length = 0
    cdef float share = s.settings.planner_prior
    if share <= 0:
        return
    line[0] = s.ops.book(s.tables, w.state) if s.settings.use_book else 0
    if line[0] == 0 and s.ops.solo is not NULL:
        run(&w.beam, w.state, actor, line, &length)
    if line[0] == 0:
        return
    for i in range(head + 1, head + 1 + s.arena.nodes[head].action):
        s.arena.nodes[i].prior *= 1 - share
        if s.arena.nodes[i].action == line[0]:
            s.arena.nodes[i].prior += share
    s.arena.nodes[head].prior = 1       # advised: see Choice.trust


cdef void expand_root(Worker* w, const Action* options, int n) noexcept nogil:
    """Give the root a block with exactly these options, taking over what the tree knows of them."""
    cdef Shared* s = w.shared
    cdef uint32_t old = s.arena.nodes[0].children, head, i
    cdef int k
    deal_world(w)
    memcpy(w.options, options, n * sizeof(Action))
    s.arena.nodes[0].children = 0
    if not add_block(w, &s.arena.nodes[0].children, n, 0):
        s.arena.used = 2            # no room left: start afresh
        w.chunk.next = w.chunk.end = 0
        old = 0
        add_block(w, &s.arena.nodes[0].children, n, 0)
    head = s.arena.nodes[0].children
    while old:
        for i in range(old + 1, old + 1 + s.arena.nodes[old].action):
            for k in range(n):
                if s.arena.nodes[i].action == options[k]:
                    inherit(&s.arena.nodes[head + 1 + k], &s.arena.nodes[i])
                    s.arena.nodes[head].visits += s.arena.nodes[i].visits
                    s.arena.nodes[head].value += s.arena.nodes[i].value
        old = s.arena.nodes[old].children


cdef inline void inherit(Node* node, const Node* known) noexcept nogil:
    node.visits, node.children, node.value = known.visits, known.children, known.value


# ---- evaluate and back up

cdef void value(Shared* s, const void* state, float* win, float* points) noexcept nogil:
    """What a state is worth to each seat: network and hand-made evaluation, blended; exact at the end."""
    cdef float hand_made[MAX_SEATS]
    cdef float share = s.settings.network_share
    cdef int seat
    if s.network is NULL or s.ops.to_act(s.tables, state) == GAME_OVER:
        s.ops.evaluate(s.tables, state, win)
        s.ops.forecast(s.tables, state, points)
        return
    judge(s.network, s.ops, s.tables, state, s.seats, win, points)
    if share < 1:       # in some games that other evaluation costs more than the network
        s.ops.evaluate(s.tables, state, hand_made)
        for seat in range(s.seats):
            win[seat] = hand_made[seat] + share * (win[seat] - hand_made[seat])


cdef inline void leaf_value(Worker* w, float* win, float* points) noexcept nogil:
    if w.shared.settings.random_leaf:
        play_out(w)
    value(w.shared, w.state, win, points)


cdef void play_out(Worker* w) noexcept nogil:
    """Uniformly random decisions to the end: the plain ISMCTS that the evaluation is measured against."""
    cdef Shared* s = w.shared
    cdef int actor, n, _decision
    for _decision in range(PLAYOUT_LIMIT):
        actor = s.ops.to_act(s.tables, w.state)
        if actor == GAME_OVER:
            return
        if actor == CHANCE:
            s.ops.apply(s.tables, w.state, s.ops.draw(s.tables, w.state, &w.rng))
            continue
        n = s.ops.legal(s.tables, w.state, w.options)
        s.ops.apply(s.tables, w.state, w.options[below(&w.rng, n)])


cdef inline void back_up(Worker* w, const float* win) noexcept nogil:
    cdef Shared* s = w.shared
    cdef int i, mover
    cdef uint32_t parent = 0
    cdef float share
    for i in range(w.length):
        mover = w.movers[i]
        share = win[mover]
        if s.settings.paranoid and mover != s.root_seat:
            share = 1 - win[s.root_seat]
        addf(&s.arena.nodes[w.path[i]].value, share)
        addf(&s.arena.nodes[s.arena.nodes[parent].children].value, share)
        parent = w.path[i]


cdef inline void count_root(Worker* w, const float* win, const float* points) noexcept nogil:
    cdef Shared* s = w.shared
    cdef RootStats* stats = &w.stats[w.path[0] - s.arena.nodes[0].children - 1]
    cdef int seat
    stats.visits += 1
    for seat in range(s.seats):
        stats.win[seat] += win[seat]
        stats.points[seat] += points[seat]
    stats.squares += win[s.root_seat] * win[s.root_seat]
