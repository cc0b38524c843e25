from serai.core.games.concordia.state cimport Player, State, Tables
from serai.core.types cimport Action

cdef bint can_recruit(const Tables* t, const State* s) noexcept nogil
cdef int recruits(const State* s, Action* out) noexcept nogil
cdef void recruit(const Tables* t, State* s, int sort) noexcept nogil
cdef int settlements(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void settle(const Tables* t, State* s, Action event) noexcept nogil
cdef void cash_colonists(const Tables* t, State* s) noexcept nogil
cdef int coins_for_colonists(const Player* p) noexcept nogil
