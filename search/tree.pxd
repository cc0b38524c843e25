"""One iteration of ISMCTS: determinize, descend, evaluate, back up."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.game cimport GameOps
from serai.core.network cimport Weights
from serai.core.rng cimport Rng
from serai.core.types cimport MAX_ACTIONS, MAX_SEATS, STATE_WORDS, Action
from serai.search.arena cimport Arena, Chunk
from serai.search.beam cimport Beam

cdef enum:
    MAX_PATH = 400          # decisions in one descent

cdef struct Settings:       # SearchParams, as C
    float exploration
    float first_play
    float prior_temperature
    float planner_prior
    float planner_trust
    uint32_t planner_visits
    bint use_book
    bint paranoid
    bint random_leaf        # play on at random to the end instead of evaluating
    bint use_priors
    float network_share     # of the network in a leaf's value, the rest is the hand-made evaluation's
    float network_prior     # of the network's preferences in the priors, the rest is the one-ply evaluation's

cdef struct RootStats:      # of one option at the root, kept by each thread
    uint64_t visits
    double win[MAX_SEATS]
    double points[MAX_SEATS]
    double squares          # of the mover's share

cdef struct Shared:         # what all threads share
    const GameOps* ops
    const void* tables
    size_t size
    int seats
    int root_seat
    bint peek               # the root's hidden cards are used as they are
    const void* root        # the state
    const Weights* network  # or NULL: the hand-made evaluation alone
    Arena arena
    Settings settings
    uint64_t started        # iterations claimed by threads
    uint64_t node_limit
    uint64_t deadline       # nanoseconds of the monotonic clock
    uint32_t stopped

cdef struct Worker:         # what a thread owns
    Shared* shared
    Rng rng
    Chunk chunk
    Beam beam
    uint64_t state[STATE_WORDS]
    uint64_t child[STATE_WORDS]
    Action options[MAX_ACTIONS]
    float priors[MAX_ACTIONS]
    float preferred[MAX_ACTIONS]
    uint32_t path[MAX_PATH]
    int movers[MAX_PATH]
    int length
    uint64_t iterations
    uint64_t depth_sum
    double depth_limit      # mean depth that ends the search; < 0: none
    double depth_before     # mean depth at the last look whether it still grows
    uint64_t depth_look     # iterations at the next such look
    int deepest
    RootStats stats[MAX_ACTIONS]    # by place in the root's block

cdef uint64_t now() noexcept nogil
cdef void value(Shared* s, const void* state, float* win, float* points) noexcept nogil
cdef void iterate_until(Worker* w, uint64_t until) noexcept nogil
cdef void deal_world(Worker* w) noexcept nogil
cdef void advise(Worker* w, uint32_t node, int actor) noexcept nogil
cdef void expand_root(Worker* w, const Action* options, int n) noexcept nogil
