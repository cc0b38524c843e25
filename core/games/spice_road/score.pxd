from serai.core.games.spice_road.state cimport Player

cdef int points_of(const Player* p) noexcept nogil
cdef void scores(const void* tables, const void* state, int* out) noexcept nogil
cdef void ranks(const void* tables, const void* state, int* out) noexcept nogil
cdef bint consistent(const void* tables, const void* state) noexcept nogil
