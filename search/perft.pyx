"""Counting and running lines without judging them: perft, and random playouts."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from serai.core.game cimport GameOps, Position
from serai.core.rng cimport Rng, below
from serai.core.types cimport CHANCE, GAME_OVER, MAX_ACTIONS, STATE_WORDS, Action

cdef struct Walk:               # what the recursion below shares
    const GameOps* ops
    const void* tables
    size_t size
    char* states                # one state a level
    Action* actions             # MAX_ACTIONS a level


def perft(Position position not None, int depth):
    """Number of event sequences of a length, decisions and chance outcomes counted alike.

    >>> from serai.core import load
    >>> perft(load("spice_road").start(), 2)
    1806
    """
    if not 0 <= depth <= 64:
        raise ValueError(f"depth must be 0 to 64, not {depth}")
    cdef Walk walk
    cdef uint64_t total
    walk.ops, walk.tables, walk.size = position.game.ops, position.game.tables, position.game.state_size
    walk.states = <char*>malloc((depth + 1) * walk.size)
    walk.actions = <Action*>malloc((depth + 1) * MAX_ACTIONS * sizeof(Action))
    try:
        if walk.states is NULL or walk.actions is NULL:
            raise MemoryError
        memcpy(walk.states, position.data, walk.size)
        with nogil:
            total = count(&walk, 0, depth)
        return total
    finally:
        free(walk.states)
        free(walk.actions)


cdef uint64_t count(Walk* w, int level, int depth) noexcept nogil:
    cdef char* state = w.states + level * w.size
    cdef Action* actions = w.actions + level * MAX_ACTIONS
    cdef uint64_t total = 0
    cdef int i, n
    if depth == 0:
        return 1
    if w.ops.to_act(w.tables, state) == GAME_OVER:
        return 0
    n = w.ops.legal(w.tables, state, actions)
    if depth == 1:
        return n
    for i in range(n):
        memcpy(state + w.size, state, w.size)
        w.ops.apply(w.tables, state + w.size, actions[i])
        total += count(w, level + 1, depth - 1)
    return total


def playouts(Position position not None, int number, uint64_t seed, int longest=4000):
    """Play a number of uniformly random games to the end; returns (decisions, chance events, unfinished games)."""
    cdef const GameOps* ops = position.game.ops
    cdef const void* tables = position.game.tables
    cdef size_t size = position.game.state_size
    cdef Action actions[MAX_ACTIONS]
    cdef uint64_t state[STATE_WORDS]
    cdef uint64_t decisions = 0, chances = 0
    cdef int _game, actor, n, length, unfinished = 0
    cdef Rng rng
    rng.state = seed
    with nogil:
        for _game in range(number):
            memcpy(state, position.data, size)
            length = 0
            while True:
                actor = ops.to_act(tables, state)
                if actor >= 0:
                    if length == longest:
                        unfinished += 1
                        break
                    n = ops.legal(tables, state, actions)
                    ops.apply(tables, state, actions[below(&rng, n)])
                    length += 1
                elif actor == CHANCE:
                    ops.apply(tables, state, ops.draw(tables, state, &rng))
                    chances += 1
                else:
                    break
            decisions += length
    return decisions, chances, unfinished
