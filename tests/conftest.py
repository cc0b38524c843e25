"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("serai", deadline=None)  # a busy machine is no defect
settings.load_profile("serai")
