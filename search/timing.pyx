"""How long the operations of a game take, one by one; for benchmarks only."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from serai.core.game cimport Game, GameOps
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

cdef dict KINDS = {
    "copy": COPY, "to_act": TO_ACT, "legal": LEGAL, "apply": APPLY,
    "determinize": DETERMINIZE, "observe": OBSERVE, "evaluate": EVALUATE, "standing": STANDING,
}
OPERATIONS = tuple(KINDS)

cdef struct Sample:             # what one call works on
    const char* state
    int seat                    # to act there
    Action action               # for APPLY: one of the legal ones

cdef struct Bench:
    const GameOps* ops
    const void* tables
    size_t size                 # of a state
    Sample* samples
    int count
    char* scratch               # the state that is changed
    uint64_t sink               # keeps the compiler from leaving work out


def nanoseconds(str operation not None, list positions not None, int rounds):
    """Mean CPU time of a call of one of OPERATIONS, in nanoseconds, over all positions and a number of rounds.

    The positions belong to one `Game` and have a decision to make. `apply` goes through all legal actions. What is
    needed to call at all is subtracted: the loop, and the copy of the state for what changes it.
    """
    if operation not in KINDS:
        raise ValueError(f"operation must be one of {', '.join(OPERATIONS)}, not {operation!r}")
    if not positions or rounds < 1:
        raise ValueError("at least one position and one round are needed")
    if any(p.game is not positions[0].game or p.to_act < 0 for p in positions):
        raise ValueError("the positions must be decisions in one game")
    cdef Operation kind = KINDS[operation]
    cdef Operation baseline = COPY if kind in (APPLY, DETERMINIZE) else NOTHING
    samples = list_samples(positions, kind)
    return elapsed(positions[0].game, samples, kind, rounds) - elapsed(positions[0].game, samples, baseline, rounds)


cdef list list_samples(list positions, Operation kind):
    """(state, seat, action) for each call of a round."""
    return [(p.raw(), p.to_act, a) for p in positions
            for a in (p.legal_actions() if kind == APPLY else p.legal_actions()[:1])]


cdef double elapsed(Game game, list samples, Operation kind, int rounds) except -1:
    """CPU nanoseconds a call."""
    cdef Bench b
    cdef int i
    b.ops, b.tables, b.size, b.count, b.sink = game.ops, game.tables, game.state_size, <int>len(samples), 0
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
    cdef float win[MAX_SEATS]
    cdef Rng rng
    cdef int _round, k
    rng.state = 1
    for _round in range(rounds):
        for k in range(b.count):
            once(b, kind, &b.samples[k], options, win, &rng)
            b.sink += <unsigned char>b.scratch[0]


cdef inline void once(Bench* b, Operation kind, const Sample* x, Action* options, float* win, Rng* rng) noexcept nogil:
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
        b.ops.evaluate(b.tables, x.state, win)
        b.sink += win[0] > 0.5
    elif kind == STANDING:
        b.sink += b.ops.standing(b.tables, x.state, x.seat) > 0
