"""Samples as plain memory, for the trainer."""

from libc.stdint cimport int64_t, uint16_t

from serai.core.types cimport MAX_SEATS

cdef enum:
    LISTS = MAX_SEATS + 1   # of a sample: the table's features, and each player's

cdef struct View:
    const uint16_t* features
    const int64_t* starts   # of each sample among the features
    const uint16_t* ends    # LISTS a sample
    const unsigned char* seats
    const float* win
    const float* points
    const unsigned char* mover
    const uint16_t* options         # how many; 0: no choice is known
    const uint16_t* chosen
    const int64_t* option_starts    # of each sample among the trait counts
    const int64_t* trait_starts     # of each sample among the traits
    const unsigned char* trait_counts
    const uint16_t* traits


cdef class Samples:
    cdef list pieces
    cdef dict whole
    cdef object checked             # the data that was last found sound, for these numbers of features
    cdef tuple limits
    cdef tuple starts


cdef object open_view(Samples samples, View* v, places, int players, int table, int options)
