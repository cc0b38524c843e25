"""`check(condition)`: aborts with file and line in debug builds, costs nothing in release builds."""

cdef extern from *:
    """
    #ifdef SERAI_CHECK
      #include <stdio.h>
      #include <stdlib.h>
      #define serai_check(condition) do { if (!(condition)) { \\
          fprintf(stderr, "%s:%d: check failed: %s\\n", __FILE__, __LINE__, #condition); abort(); } } while (0)
    #else
      #define serai_check(condition) ((void)0)
    #endif
    """
    void check "serai_check"(bint condition) noexcept nogil
