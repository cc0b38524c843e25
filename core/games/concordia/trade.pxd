from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef void start_trading(const Tables* t, State* s) noexcept nogil
cdef int deals(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void trade(const Tables* t, State* s, Action event) noexcept nogil
cdef bint can_trade(const Tables* t, const State* s) noexcept nogil
