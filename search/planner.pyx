"""The planner as a player of its own, and the one-ply player it is measured against."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from serai.core.game cimport Game, GameOps, Position
from serai.core.rng cimport Rng, below
from serai.core.types cimport CHANCE, GAME_OVER, MAX_ACTIONS, MAX_SEATS, STATE_WORDS, Action
from serai.search.beam cimport MAX_DEPTH, Beam, allocate, release, run

import time

from serai.core.errors import IllegalAction
from serai.search.report import Line, Report


def require_decision(Position position not None):
    """The seat to decide; raises IllegalAction if there is nothing to decide, or not for the viewer."""
    cdef int actor = position.game.ops.to_act(position.game.tables, position.data)
    if actor == GAME_OVER:
        raise IllegalAction("the game is over", "game-over")
    if actor == CHANCE:
        raise IllegalAction("a chance event comes first", "chance-node")
    if position.viewer >= 0 and position.viewer != actor:
        raise IllegalAction(f"it is p{actor + 1}'s turn, and this is p{position.viewer + 1}'s view", "not-your-turn")
    return actor


cdef class Planner:
    """Plans the turns of one seat by a beam; keeps its memory between calls.

    `width`: states kept a level; `depth`: own turns looked ahead, at most 32.
    """

    cdef Beam beam
    cdef int width
    cdef int depth
    cdef Game game

    def __init__(self, int width=100, int depth=10):
        if not 1 <= width <= 10_000 or not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"width must be 1 to 10000 and depth 1 to {MAX_DEPTH}, not {width} and {depth}")
        self.width, self.depth = width, depth

    def __dealloc__(self):
        release(&self.beam)

    cdef int prepare(self, Game game) except -1:
        if self.game is not game:
            release(&self.beam)
            self.game = None
            allocate(&self.beam, game.ops, game.tables, game.state_size, self.width, self.depth)
            self.game = game
        return 0

    def tune(self, Game game, float discount, float points_weight, float tempo, float behind):
        """Set the weights of the plan's value; see `Beam`."""
        self.prepare(game)
        self.beam.discount, self.beam.points_weight, self.beam.tempo = discount, points_weight, tempo
        self.beam.behind = behind

    def plan(self, Position position not None, uint64_t seed=0, bint use_book=True):
        """A `Report` with the best line of own turns; hidden cards are dealt once, by the seed.

        For a game without a planner it is the greedy player's decision.
        """
        cdef int seat = require_decision(position), length = 0
        cdef Action line[MAX_DEPTH]
        cdef uint64_t world[STATE_WORDS]
        cdef Rng rng
        cdef const GameOps* ops = position.game.ops
        cdef const void* tables = position.game.tables
        cdef float win[MAX_SEATS]
        cdef float points[MAX_SEATS]
        started = time.perf_counter()
        self.prepare(position.game)
        rng.state = seed
        memcpy(world, position.data, position.game.state_size)
        ops.determinize(tables, world, seat, &rng)
        with nogil:
            length = choose(&self.beam, world, seat, use_book, line)
            if length == 0:
                line[0], length = best_at_once(ops, tables, world, seat, &rng, position.game.state_size), 1
            ops.evaluate(tables, world, win)
            ops.forecast(tables, world, points)
        tokens = tuple(position.game.token(line[i]) for i in range(length))
        seats = range(position.game.seats)
        best = Line(tokens[0], tuple(win[i] for i in seats), tuple(points[i] for i in seats), 1, 0.5, tokens)
        elapsed = int(1000 * (time.perf_counter() - started))
        return Report(tokens[0], (best,), 1, 1, length, length, 0, elapsed)


cdef int choose(Beam* beam, const void* state, int seat, bint use_book, Action* line) noexcept nogil:
    """The planner's decision and what it means to do after it; returns the length of that line.

    0: the game comes without a planner, and there is something to decide.
    """
    cdef Action options[MAX_ACTIONS]
    cdef int n, length = 0
    if use_book:
        line[0] = beam.ops.book(beam.tables, state)
        if line[0]:
            return 1
    n = beam.ops.legal(beam.tables, state, options)
    n = beam.ops.narrow(beam.tables, state, options, n)
    line[0] = options[0]
    if n == 1:
        return 1
    if beam.ops.solo is NULL:
        return 0
    run(beam, state, seat, line, &length)
    return max(length, 1)


def has_planner(Game game not None):
    """Whether a game's knowledge comes with a planner."""
    return game.ops.solo is not NULL


def greedy(Position position not None, uint64_t seed=0):
    """Token of the decision whose immediate result evaluates best for the seat; ties are broken by the seed."""
    cdef int seat = require_decision(position)
    cdef uint64_t world[STATE_WORDS]
    cdef Rng rng
    cdef Action best
    rng.state = seed
    memcpy(world, position.data, position.game.state_size)
    position.game.ops.determinize(position.game.tables, world, seat, &rng)
    best = best_at_once(position.game.ops, position.game.tables, world, seat, &rng, position.game.state_size)
    return position.game.token(best)


cdef Action best_at_once(
        const GameOps* ops, const void* tables, const void* world, int seat, Rng* rng, size_t size) noexcept nogil:
    """The option whose immediate result evaluates best for the seat; ties are broken at random."""
    cdef Action options[MAX_ACTIONS]
    cdef uint64_t child[STATE_WORDS]
    cdef float win[MAX_SEATS]
    cdef float most = -1
    cdef Action best = 0
    cdef int n, i, ties = 0
    n = ops.legal(tables, world, options)
    n = ops.narrow(tables, world, options, n)
    for i in range(n):
        memcpy(child, world, size)
        ops.apply(tables, child, options[i])
        ops.evaluate(tables, child, win)
        if win[seat] > most:
            most, ties = win[seat], 0
        if win[seat] == most:
            ties += 1
            if below(rng, ties) == 0:
                best = options[i]
    return best
