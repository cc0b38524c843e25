from serai.core.games.concordia.state cimport Player, State, Tables

cdef int points_of(const Tables* t, const State* s, int seat) noexcept nogil
cdef void points_by_god(const Tables* t, const State* s, const Player* p, int* out) noexcept nogil
cdef void scores(const void* tables, const void* state, int* out) noexcept nogil
cdef void ranks(const void* tables, const void* state, int* out) noexcept nogil
