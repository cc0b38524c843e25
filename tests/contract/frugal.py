"""Work in a process of its own that may hardly use more memory than it has once everything is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

on_linux = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="it asks Linux how much memory there is in use"
)
LIMIT = """
import resource
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + {megabytes} * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
"""


def said(imports: str, work: str, megabytes: int, *arguments: str, given: str = "") -> str:
    """What Python code prints that may use so much more memory than its imports; ``given``: on its input."""
    code = f"import sys\n{imports}\n{LIMIT.format(megabytes=megabytes)}\n{work}"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
