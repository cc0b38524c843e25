"""The one interface between rules and everything that uses them."""

from libc.stdint cimport uint16_t, uint64_t

from serai.core.rng cimport Rng
from serai.core.types cimport Action


cdef struct GameOps:
    # A game as plain functions over plain memory. `tables` is the game's read-only data (components and
    # what is computed from them), `state` a block of `Game.state_size` bytes without pointers: memcpy is a
    # copy. Nothing here allocates, fails or touches a Python object. A caller passes only legal events.

    # ---- rules
    int (*to_act)(const void* tables, const void* state) noexcept nogil             # seat, CHANCE or GAME_OVER
    int (*mover)(const void* tables, const void* state) noexcept nogil              # seat whose turn it is, where others
    #                                                                                 decide in it too; NULL: whoever is to act
    int (*legal)(const void* tables, const void* state, Action* out) noexcept nogil     # count; ascending, unique
    double (*weight)(const void* tables, const void* state, Action outcome) noexcept nogil
    Action (*draw)(const void* tables, const void* state, Rng* rng) noexcept nogil  # an outcome, by its weight
    void (*apply)(const void* tables, void* state, Action event) noexcept nogil
    void (*scores)(const void* tables, const void* state, int* out) noexcept nogil  # points now
    void (*ranks)(const void* tables, const void* state, int* out) noexcept nogil   # 1 = best; shared ranks = shared win
    bint (*consistent)(const void* tables, const void* state) noexcept nogil        # components conserved

    # ---- hidden information
    uint64_t (*observe)(const void* tables, const void* state, int viewer) noexcept nogil   # equal iff viewer knows the same
    void (*determinize)(const void* tables, void* state, int viewer, Rng* rng) noexcept nogil   # redeal what viewer can't know
    void (*conceal)(const void* tables, void* state, int viewer) noexcept nogil     # make unknown what viewer can't know
    void (*forget)(const void* tables, void* state, int viewer) noexcept nogil      # as if viewer had no memory (option Memory)

    # ---- knowledge: for search only, never for rules
    void (*evaluate)(const void* tables, const void* state, float* win) noexcept nogil      # share per seat, sum 1
    void (*forecast)(const void* tables, const void* state, float* points) noexcept nogil   # expected final scores
    float (*standing)(const void* tables, const void* state, int seat) noexcept nogil       # hand-made: win = softmax of it
    int (*narrow)(const void* tables, const void* state, Action* list, int count) noexcept nogil    # keep what is worth a look
    Action (*forced)(const void* tables, const void* state) noexcept nogil          # a decision inside a turn that needs no
    #                                                                                 search, told without a list; 0 = think
    Action (*book)(const void* tables, const void* state) noexcept nogil            # opening advice, 0 = none
    void (*solo)(const void* tables, void* state, int seat) noexcept nogil         # from here on only `seat` moves, no refills;
    #                                                                                 NULL: no planner, nor `worth`
    void (*worth)(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil
    int (*features)(const void* tables, const void* state, int seat, uint16_t* out) noexcept nogil  # what a network sees of
    #                                                                                 a seat, or (-1) of the table; a count
    int (*traits)(const void* tables, const void* state, Action option, uint16_t* out) noexcept nogil   # what a network sees
    #                                                                                 of an option; a count


cdef class Game:
    cdef const GameOps* ops
    cdef void* tables               # owned by the subclass
    cdef size_t state_size
    cdef readonly str name
    cdef readonly int seats
    cdef readonly int max_actions
    cdef readonly int player_features   # indices that `features` uses for a seat; 0: no network sees this game
    cdef readonly int table_features    # ... and for the table
    cdef readonly int option_traits     # ... and `traits` for an option; 0: no network prefers any
    cdef readonly object spec       # serai.core.spec.Spec
    cdef dict tokens                # action -> token
    cdef Game open_twin             # see `undealt`

    cdef void setup(self, void* state) noexcept
    cpdef str token(self, Action action)
    cdef Game undealt(self)


cdef class Position:
    cdef readonly Game game
    cdef void* data                 # the state, `game.state_size` bytes
    cdef readonly object seed       # int, or None: then chance events are applied by the caller
    cdef readonly int viewer        # seat whose view this is, -1: full information
    cdef object origin              # bytes of the state before the first event
    cdef list events                # actions; shared between positions of one line
    cdef Py_ssize_t length          # how many of them belong to this position

    cdef Position spawn(self)
    cdef int append(self, Action action) except -1
    cdef int resolve(self) except -1
