"""Ctrl-C and SIGTERM while games are under way that should be finished."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def signals_to(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Give Ctrl-C and SIGTERM to a handler, until the end of the block."""
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


@contextlib.contextmanager
def interruptible(
    finish: Callable[[], None], abandon: Callable[[], None] = lambda: None
) -> Iterator[list[int]]:
    """The first Ctrl-C only calls ``finish``; a second one, or SIGTERM, raises KeyboardInterrupt.

    ``abandon`` is called just before. The value is the list of the signals so far.
    """
    signals: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        if len(signals) > 1 or number != signal.SIGINT:
            abandon()
            raise KeyboardInterrupt
        finish()

    with signals_to(on_signal):
        yield signals
