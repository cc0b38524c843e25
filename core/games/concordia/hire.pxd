from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef void start_hiring(const Tables* t, State* s) noexcept nogil
cdef int candidates(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void hire(const Tables* t, State* s, int place) noexcept nogil
cdef void settle_bill(const Tables* t, State* s) noexcept nogil
cdef int payments(const State* s, Action* out) noexcept nogil
cdef void pay(const Tables* t, State* s, int good) noexcept nogil
cdef bint can_hire(const Tables* t, const State* s) noexcept nogil
