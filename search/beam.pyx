"""The planner: a beam over the turns of one seat, the others standing still, no refills.

Engine-building games reward plans of eight to ten own turns, further than a tree over all seats reaches
(search.md, addendum). Written over GameOps: `solo` takes the others out, `worth` says what a state is worth.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from serai.core.game cimport GameOps
from serai.core.hashing cimport hash_bytes
from serai.core.types cimport GAME_OVER, MAX_ACTIONS, STATE_WORDS, Action

cdef enum:
    CHILDREN = 24           # candidates kept a survivor, on average, before a level overflows


cdef int allocate(Beam* b, const GameOps* ops, const void* tables, size_t size, int width, int depth) except -1:
    """Memory for one planner; `release` frees it."""
    cdef uint32_t slots = 1
    memset(b, 0, sizeof(Beam))
    b.ops, b.tables, b.size, b.width, b.depth = ops, tables, size, width, min(depth, <int>MAX_DEPTH)
    b.discount, b.points_weight, b.tempo, b.behind = 0.98, 1.5, 6.0, 30.0
    b.capacity = width * CHILDREN + MAX_ACTIONS
    while slots < <uint32_t>(2 * b.capacity):
        slots *= 2
    b.table_mask = slots - 1
    b.states = <char*>malloc(width * size)
    b.next_states = <char*>malloc(width * size)
    b.scored = <float*>malloc(width * sizeof(float))
    b.next_scored = <float*>malloc(width * sizeof(float))
    b.candidates = <Candidate*>malloc(b.capacity * sizeof(Candidate))
    b.table = <uint32_t*>calloc(slots, sizeof(uint32_t))
    b.steps = <Step*>malloc(b.depth * width * sizeof(Step))
    if (b.states is NULL or b.next_states is NULL or b.scored is NULL or b.next_scored is NULL
            or b.candidates is NULL or b.table is NULL or b.steps is NULL):
        release(b)
        raise MemoryError
    return 0


cdef void release(Beam* b) noexcept nogil:
    free(b.states)
    free(b.next_states)
    free(b.scored)
    free(b.next_scored)
    free(b.candidates)
    free(b.table)
    free(b.steps)
    memset(b, 0, sizeof(Beam))


cdef float run(Beam* b, const void* state, int seat, Action* line, int* length) noexcept nogil:
    """Best line of own turns from a state where `seat` is to decide; returns its value, -inf if there is none.

    `line` has room for `depth` actions, the choice of each turn.
    """
    cdef int live = 1, level, found
    cdef float best = -INFINITY, weight = b.points_weight
    memcpy(b.states, state, b.size)
    b.ops.solo(b.tables, b.states, seat)
    b.scored[0] = 0
    length[0] = 0
    for level in range(b.depth):
        found = expand(b, live, seat, weight)
        live = advance(b, found, level, seat, &best, line, length)
        weight *= b.discount
        if live == 0:
            break
    return best


cdef int expand(Beam* b, int survivors, int seat, float weight) noexcept nogil:
    """All turns of all survivors as candidates; a state that is reached twice is kept once, at its best."""
    cdef Action options[MAX_ACTIONS]
    cdef uint64_t scratch[STATE_WORDS]
    cdef int i, k, n, found = 0
    cdef float before, after, held
    cdef Candidate c
    memset(b.table, 0, (b.table_mask + 1) * sizeof(uint32_t))
    for i in range(survivors):
        b.ops.worth(b.tables, b.states + i * b.size, seat, &before, &held)
        n = b.ops.legal(b.tables, b.states + i * b.size, options)
        n = b.ops.narrow(b.tables, b.states + i * b.size, options, n)
        for k in range(n):
            if found == b.capacity:
                return found
            play_turn(b, scratch, b.states + i * b.size, options[k], seat)
            b.ops.worth(b.tables, scratch, seat, &after, &held)
            c.scored = b.scored[i] + weight * (after - before)
            c.value = c.scored + held
            c.parent, c.action = i, options[k]
            c.key = hash_bytes(scratch, b.size)
            found += keep(b, &c, found)
    return found


cdef inline void play_turn(Beam* b, void* state, const void* before, Action action, int seat) noexcept nogil:
    """A decision, and the forced ones that follow it in the same turn."""
    memcpy(state, before, b.size)
    while action:
        b.ops.apply(b.tables, state, action)
        if b.ops.to_act(b.tables, state) != seat:
            return
        action = b.ops.forced(b.tables, state)


cdef inline int keep(Beam* b, const Candidate* c, int found) noexcept nogil:
    """Store a candidate; 1 if it takes a new place, 0 if its state was there already."""
    cdef uint32_t slot = <uint32_t>c.key & b.table_mask
    cdef Candidate* other
    while b.table[slot]:
        other = &b.candidates[b.table[slot] - 1]
        if other.key == c.key:
            if c.value > other.value:
                other[0] = c[0]
            return 0
        slot = (slot + 1) & b.table_mask
    b.table[slot] = found + 1
    b.candidates[found] = c[0]
    return 1


cdef int advance(Beam* b, int found, int level, int seat, float* best, Action* line, int* length) noexcept nogil:
    """Play the best candidates into the next level; remember the best line that ends here. Returns the survivors."""
    cdef int i, live = 0
    cdef bint last = level == b.depth - 1
    cdef float value
    cdef Candidate* c
    if found > b.width:
        partition(b.candidates, found, b.width)
    for i in range(min(found, b.width)):
        c = &b.candidates[i]
        play_turn(b, b.next_states + live * b.size, b.states + c.parent * b.size, c.action, seat)
        value = c.value
        if b.ops.to_act(b.tables, b.next_states + live * b.size) == GAME_OVER:
            value += ending(b, b.next_states + live * b.size, seat, b.depth - 1 - level)
        elif not last:
            b.next_scored[live] = c.scored
            b.steps[level * b.width + live].parent = c.parent
            b.steps[level * b.width + live].action = c.action
            live += 1
            continue
        if value > best[0]:
            best[0] = value
            length[0] = level + 1
            trace(b, c, level, line)
    b.states, b.next_states = b.next_states, b.states
    b.scored, b.next_scored = b.next_scored, b.scored
    return live


cdef inline float ending(const Beam* b, const void* state, int seat, int turns_saved) noexcept nogil:
    """What it counts to end the game here: the others lose turns, but whoever ends it behind has lost."""
    cdef int order[8]
    b.ops.ranks(b.tables, state, order)
    if order[seat] != 1:
        return -b.behind
    return b.tempo * turns_saved


cdef inline void trace(const Beam* b, const Candidate* c, int level, Action* line) noexcept nogil:
    cdef int parent = c.parent
    line[level] = c.action
    for level in range(level - 1, -1, -1):
        line[level] = b.steps[level * b.width + parent].action
        parent = b.steps[level * b.width + parent].parent


cdef void partition(Candidate* c, int n, int wanted) noexcept nogil:
    """Quickselect: the `wanted` highest values come first, in no order (ties by key, for the same result everywhere)."""
    cdef int low = 0, high = n - 1, i, j
    cdef Candidate pivot, swap
    while low < high:
        pivot = c[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while ahead(&c[i], &pivot):
                i += 1
            while ahead(&pivot, &c[j]):
                j -= 1
            if i <= j:
                swap = c[i]
                c[i] = c[j]
                c[j] = swap
                i += 1
                j -= 1
        if wanted <= j:
            high = j
        elif wanted >= i:
            low = i
        else:
            return


cdef inline bint ahead(const Candidate* a, const Candidate* b) noexcept nogil:
    if a.value != b.value:
        return a.value > b.value
    return a.key < b.key
