from serai.core.types cimport Action

cdef void evaluate(const void* tables, const void* state, float* win) noexcept nogil
cdef void forecast(const void* tables, const void* state, float* points) noexcept nogil
cdef float standing(const void* tables, const void* state, int seat) noexcept nogil
cdef int narrow(const void* tables, const void* state, Action* options, int n) noexcept nogil
cdef Action forced(const void* tables, const void* state) noexcept nogil
cdef Action book(const void* tables, const void* state) noexcept nogil
cdef void solo(const void* tables, void* state, int seat) noexcept nogil
cdef void worth(const void* tables, const void* state, int seat, float* scored, float* held) noexcept nogil
