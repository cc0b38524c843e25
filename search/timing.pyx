"""How long the operations of a game take, one by one; for benchmarks only."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from serai.core.game cimport Game, GameOps
from serai.core.network cimport Network, Weights, judge, prefer
from serai.core.rng cimport Rng
from serai.core.types cimport MAX_ACTIONS, MAX_SEATS, Action

import time

cdef enum Operation:
    NOTHING
    COPY
    TO_ACT
    LEGAL
    APPLY
    DETERMINIZE
    OBSERVE
    EVALUATE
    STANDING
    JUDGE
    PREFER

cdef dict KINDS = {
    "copy": COPY, "to_act": TO_ACT, "legal": LEGAL, "apply": APPLY,
    "determinize": DETERMINIZE, "observe": OBSERVE, "evaluate": EVALUATE, "standing": STANDING,
    "judge": JUDGE, "prefer": PREFER,
}
OPERATIONS = tuple(KINDS)
NEED_NETWORK = ("judge", "prefer")

cdef struct Sample:             # what one call works on
    const char* state
    int seat                    # to act there
    Action action               # for APPLY: one of the legal ones

cdef struct Bench:
    const GameOps* ops
    const void* tables
    const Weights* network
    int seats
    size_t size                 # of a state
    Sample* samples
    int count
    char* scratch               # the state that is changed
    uint64_t sink               # keeps the compiler from leaving work out


def nanoseconds(str operation not None, list positions not None, int rounds, Network network=None):
    """Mean CPU time of a call of one of OPERATIONS, in nanoseconds, over all positions and a number of rounds.

    The positions belong to one `Game` and have a decision to make. `apply` goes through all legal actions; `judge`
    and `prefer` are those of a network. What is needed to call at all is subtracted: the loop, the copy of the state for
    what changes it, and the list of options for `prefer`.
    """
    if operation not in KINDS:
        raise ValueError(f"operation must be one of {', '.join(OPERATIONS)}, not {operation!r}")
    if not positions or rounds < 1:
        raise ValueError("at least one position and one round are needed")
    if any(p.game is not positions[0].game or p.to_act < 0 for p in positions):
        raise ValueError("the positions must be decisions in one game")
    if operation in NEED_NETWORK and (network is None or not network.fits(positions[0].game)):
        raise ValueError(f"{operation} needs a network for this game")
    cdef Operation kind = KINDS[operation]
    samples = list_samples(positions, kind)
    return (elapsed(positions[0].game, samples, kind, rounds, network)
            - elapsed(positions[0].game, samples, baseline_of(kind), rounds, network))


cdef Operation baseline_of(Operation kind) noexcept:
    if kind == APPLY or kind == DETERMINIZE:
        return COPY
    return LEGAL if kind == PREFER else NOTHING


cdef list list_samples(list positions, Operation kind):
    """(state, seat, action) for each call of a round."""
    return [(p.raw(), p.to_act, a) for p in positions
            for a in (p.legal_actions() if kind == APPLY else p.legal_actions()[:1])]


cdef double elapsed(Game game, list samples, Operation kind, int rounds, Network network) except -1:
    """CPU nanoseconds a call."""
    cdef Bench b
    cdef int i
    b.ops, b.tables, b.size, b.count, b.sink = game.ops, game.tables, game.state_size, <int>len(samples), 0
    b.seats, b.network = game.seats, NULL if network is None else &network.weights
    b.samples = <Sample*>malloc(b.count * sizeof(Sample))
    b.scratch = <char*>malloc(b.size)
    try:
        if b.samples is NULL or b.scratch is NULL:
            raise MemoryError
        for i, (state, seat, action) in enumerate(samples):
            b.samples[i].state, b.samples[i].seat, b.samples[i].action = state, seat, action
        began = time.thread_time_ns()
        with nogil:
            repeat(&b, kind, rounds)
        return (time.thread_time_ns() - began) / (<double>rounds * b.count)
    finally:
        free(b.samples)
        free(b.scratch)


cdef void repeat(Bench* b, Operation kind, int rounds) noexcept nogil:
    cdef Action options[MAX_ACTIONS]
    cdef float shares[MAX_ACTIONS]      # of seats, or of options
    cdef Rng rng
    cdef int _round, k
    rng.state = 1
    for _round in range(rounds):
        for k in range(b.count):
            once(b, kind, &b.samples[k], options, shares, &rng)
            b.sink += <unsigned char>b.scratch[0]


cdef inline void once(Bench* b, Operation kind, const Sample* x, Action* options, float* shares,
                      Rng* rng) noexcept nogil:
    cdef float points[MAX_SEATS]
    cdef int n
    if kind == COPY:
        memcpy(b.scratch, x.state, b.size)
    elif kind == TO_ACT:
        b.sink += b.ops.to_act(b.tables, x.state)
    elif kind == LEGAL:
        b.sink += b.ops.legal(b.tables, x.state, options)
    elif kind == APPLY:
        memcpy(b.scratch, x.state, b.size)
        b.ops.apply(b.tables, b.scratch, x.action)
    elif kind == DETERMINIZE:
        memcpy(b.scratch, x.state, b.size)
        b.ops.determinize(b.tables, b.scratch, x.seat, rng)
    elif kind == OBSERVE:
        b.sink += b.ops.observe(b.tables, x.state, x.seat)
    elif kind == EVALUATE:
        b.ops.evaluate(b.tables, x.state, shares)
        b.sink += shares[0] > 0.5
    elif kind == STANDING:
        b.sink += b.ops.standing(b.tables, x.state, x.seat) > 0
    elif kind == JUDGE:
        judge(b.network, b.ops, b.tables, x.state, b.seats, shares, points)
        b.sink += shares[0] > 0.5
    elif kind == PREFER:
        n = b.ops.legal(b.tables, x.state, options)
        prefer(b.network, b.ops, b.tables, x.state, b.seats, x.seat, options, n, shares)
        b.sink += shares[0] > 0.5
