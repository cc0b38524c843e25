from libc.stdint cimport uint32_t

from serai.core.games.concordia.state cimport State, Tables
from serai.core.types cimport Action

cdef int governments(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void produce(const Tables* t, State* s, int province) noexcept nogil
cdef void cash_provinces(const Tables* t, State* s) noexcept nogil
cdef void produce_everywhere(const Tables* t, State* s, int good) noexcept nogil
cdef int keepable(const Tables* t, const State* s, Action* out) noexcept nogil
cdef void keep(const Tables* t, State* s, int good) noexcept nogil
