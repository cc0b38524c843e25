from serai.core.games.concordia.state cimport Player, State, Tables

cdef bint consistent(const void* tables, const void* state) noexcept nogil
cdef int sale_cards_out(const Tables* t, const State* s, int kind) noexcept nogil
cdef int hidden_sale_cards(const Tables* t, const Player* p) noexcept nogil
