from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef int fill_knowledge(Tables* t, board, int seats) except -1
cdef void describe_after(const Tables* t, const State* s, int seat, float* x) noexcept nogil
cdef int stage_after(const Tables* t, const State* s) noexcept nogil
cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil
cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil
cdef float standing(const void* tables, const void* state, int seat) noexcept nogil
cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil
cdef Action forced(const void* tables, const void* state) noexcept nogil
cdef Action book(const void* tables, const void* state) noexcept nogil
