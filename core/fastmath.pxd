"""Approximations that search lives on; the same bits on every machine that rounds as IEEE 754 says."""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy


cdef inline float fast_exp(float x) noexcept nogil:
    """e**x to a relative error of 2e-4; x is clipped to ±80. A cubic for the fraction of the power of two."""
    cdef float power = min(max(x, <float>-80), <float>80) * <float>1.442695
    cdef int whole = <int>(power + 128) - 128       # floor
    cdef float f = power - whole
    cdef uint32_t bits = <uint32_t>(whole + 127) << 23
    cdef float scale
    memcpy(&scale, &bits, 4)
    return scale * (<float>0.99986415 + f * (<float>0.69616939 + f * (<float>0.22587185 + f * <float>0.07782254)))
