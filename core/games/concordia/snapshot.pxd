from serai.core.games.concordia.state cimport State, Tables

cdef dict dump_state(const Tables* t, const State* s, words, box)
cdef int restore_state(const Tables* t, State* s, int seats, data, words, box) except -1
