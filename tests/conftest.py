"""Settings of all tests."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("serai", deadline=None)  # a busy machine is no defect
settings.load_profile("serai")

# A shell lets what it runs in the background ignore Ctrl-C, and so would every process that a test starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
