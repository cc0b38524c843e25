"""What every card's action ends with."""

from serai.core.games.concordia.state cimport CARDS, MAIN, NONE, OVER, ROW, State


cdef inline void end_turn(State* s) noexcept nogil:
    """The next seat plays a card. Who holds the Concordia card has triggered the end and gets no further turn."""
    s.card = NONE
    s.last = 0
    if s.solo:
        s.phase = MAIN if s.concordia == NONE else OVER
        return
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.phase = OVER if s.turn == s.concordia else MAIN


cdef inline void take_concordia(State* s) noexcept nogil:
    """There is one Concordia card: a second trigger in the last round brings nothing (ruling 17)."""
    if s.concordia == NONE:
        s.concordia = s.turn


cdef inline void fill_row(State* s) noexcept nogil:
    """The deck fills the row; when that is done, so is the turn, or the set-up, in which nobody has played a card."""
    if s.row_size < ROW and s.deck and not s.solo:
        s.card = NONE
        s.phase = CARDS
    elif s.players[s.turn].top == NONE:
        s.phase = MAIN
    else:
        end_turn(s)
