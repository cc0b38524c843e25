"""What can go wrong between a client and an engine, in one small tree below ``SeraiError``."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from serai.core.errors import SeraiError


class EngineError(SeraiError):
    """Root of everything that an engine, or talking to one, can raise."""


class ProtocolError(EngineError):
    """The engine said something that the protocol doesn't allow. ``line`` is what it said."""

    def __init__(self, message: str, line: str = "") -> None:
        super().__init__(message)
        self.line = line

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.line)


class EngineRefusal(EngineError):  # noqa: N818
    """The engine answered with an ``error`` line: the protocol's ``code``, and ``detail``, the rest of it."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code} {detail}".rstrip())
        self.code = code
        self.detail = detail

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.detail)


class EngineTimeout(EngineError, TimeoutError):  # noqa: N818 - the design's word
    """A deadline passed. ``limit`` names the one that did: ``start``, ``answer``, ``clock``, ``movetime``…"""

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.limit)


class EngineStalled(EngineTimeout):
    """The engine is alive as a process but said nothing for too long, not even to ``isready``."""


class EngineTerminated(EngineError):  # noqa: N818 - the design's word
    """The engine is gone. ``returncode`` is negative for a signal, None if it was never reaped."""

    def __init__(self, message: str, returncode: int | None = None, stderr_tail: str = "") -> None:
        super().__init__(message)
        self.returncode = returncode
        self.stderr_tail = stderr_tail

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.returncode, self.stderr_tail)


class IllegalMove(EngineError):  # noqa: N818 - the design's word
    """The engine chose ``move``, which isn't one of ``legal``."""

    def __init__(self, move: str, legal: Sequence[str]) -> None:
        shown = " ".join(legal[:12]) + (f" … ({len(legal)} in all)" if len(legal) > 12 else "")
        super().__init__(f"{move!r:.200} is not legal; legal: {shown}")
        self.move = move
        self.legal = tuple(legal)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.move, self.legal)


class Busy(EngineError):  # noqa: N818 - the design's word
    """The engine is held by a running analysis; stop that first."""


def explain_exit(returncode: int | None) -> str:
    """A return code in words.

    >>> explain_exit(0), explain_exit(-9), explain_exit(-4), explain_exit(None)
    ('exit code 0', 'SIGKILL', 'SIGILL (binary not made for this CPU?)', 'exit code unknown')
    """
    if returncode is None:
        return "exit code unknown"
    if returncode >= 0:
        return f"exit code {returncode}" + (
            " (binary not made for this CPU?)" if returncode == 0xC000001D else ""
        )
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    return name + (" (binary not made for this CPU?)" if name == "SIGILL" else "")
