"""The planner: a beam over the turns of one seat, the others standing still."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.game cimport GameOps
from serai.core.types cimport Action

cdef enum:
    MAX_DEPTH = 32

cdef struct Step:           # how a survivor of a level came about
    int parent              # index in the level before
    Action action           # the turn's choice; forced decisions after it are not listed

cdef struct Candidate:
    float value             # what the beam is sorted by
    float scored            # discounted points so far
    int parent
    Action action
    uint64_t key            # hash of the state, to drop a state reached twice

cdef struct Beam:
    const GameOps* ops
    const void* tables
    size_t size             # bytes of a state
    int width
    int depth               # own turns
    float discount          # per own turn
    float points_weight     # a point in units of what the caravan holds
    float tempo             # what an own turn saved by ending the game counts, in the same units
    float behind            # what it costs to end the game without leading it
    char* states            # width states of this level
    char* next_states
    float* scored           # discounted points of each
    float* next_scored
    Candidate* candidates
    int capacity
    uint32_t* table         # hash table over the candidates, index + 1
    uint32_t table_mask
    Step* steps             # depth * width

cdef int allocate(Beam* beam, const GameOps* ops, const void* tables, size_t size, int width, int depth) except -1
cdef void release(Beam* beam) noexcept nogil
cdef float run(Beam* beam, const void* state, int seat, Action* line, int* length) noexcept nogil
