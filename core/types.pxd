"""Widths and limits shared by every layer."""

from libc.stdint cimport uint32_t

ctypedef uint32_t Action    # one atomic decision or chance outcome; its bits belong to the game

cdef enum:
    CHANCE = -1             # to_act: the next event is a chance outcome
    GAME_OVER = -2          # to_act: no further event
    MAX_SEATS = 6
    MAX_ACTIONS = 1024      # the longest list `legal` may write; a game that could exceed it refuses to load
    MAX_FEATURES = 128      # what `features` may write for one player, or for the table
    MAX_TRAITS = 16         # what `traits` may write for one option
    STATE_WORDS = 128       # of 8 bytes: the largest state a game may have
