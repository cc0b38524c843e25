from serai.core.games.concordia.state cimport Tables

cdef int fill_tables(Tables* t, box, board, int seats, bint first_game) except -1
