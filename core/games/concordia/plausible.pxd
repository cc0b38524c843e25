from serai.core.games.concordia.state cimport State, Tables

cdef object fault_of(const Tables* t, const State* s)
