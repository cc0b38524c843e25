"""`Pool`: several engines of one kind, for work that can be done side by side."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from serai.core.closing import Closing
from serai.protocol.client_async import NO_LIMIT
from serai.protocol.client_sync import SimpleEngine
from serai.protocol.errors import EngineError
from serai.protocol.game_text import GameText
from serai.protocol.messages import Info
from serai.protocol.patience import Limit
from serai.protocol.play_result import PlayResult
from serai.protocol.settings import OptionValue

if TYPE_CHECKING:
    from serai.core import Position

T = TypeVar("T")
R = TypeVar("R")


class Pool(Closing):
    """``size`` engines, each made by ``make`` when it is first needed; never more than that.

    >>> from serai.protocol.mock import MockEngine
    >>> with Pool(2, lambda: MockEngine(["take=1"] * 3)) as pool:
    ...     [result.move for result in pool.play_all(["fen spice_road;seed=1"] * 3)]
    ['take=1', 'take=1', 'take=1']
    """

    def __init__(self, size: int, make: Callable[[], SimpleEngine]) -> None:
        if size < 1:
            raise EngineError(f"a pool of {size} engines can't do anything")
        self.size = size
        self._make = make
        self._options: dict[str, OptionValue] = {}
        self._engines: list[SimpleEngine] = []
        self._free: queue.LifoQueue[SimpleEngine | None] = queue.LifoQueue()
        for _ in range(size):
            self._free.put(None)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="serai-pool")

    @classmethod
    def popen(cls, size: int, command: str | list[str], **options: Any) -> Pool:
        """A pool of processes; ``options`` are those of `SimpleEngine.popen`."""
        return cls(size, lambda: SimpleEngine.popen(command, **options))

    def configure(self, values: Mapping[str, OptionValue]) -> None:
        """Set options of every engine, now or when it is made; waits until none is at work."""
        engines = [self._free.get() for _ in range(self.size)]
        try:
            self._options |= values
            for engine in engines:
                if engine is not None:
                    engine.configure(values)
        finally:
            for engine in engines:
                self._free.put(engine)

    @contextmanager
    def engine(self) -> Iterator[SimpleEngine]:
        """An engine of one's own for a while; waits until one is free."""
        engine = self._free.get()
        try:
            if engine is None:
                engine = self._made()
            yield engine
        finally:
            self._free.put(engine)

    def _made(self) -> SimpleEngine:
        engine = self._make()
        self._engines.append(engine)
        if self._options:
            engine.configure(self._options)
        return engine

    def map(self, work: Callable[[SimpleEngine, T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """``work(engine, item)`` for each item, in the order of the items; an error is raised in its place.

        Items are taken as they are needed, so that there may be any number of them.
        """

        def task(item: T) -> R:
            with self.engine() as engine:
                return work(engine, item)

        source = iter(items)
        waiting: deque[Future[R]] = deque(
            self._threads.submit(task, item) for item in islice(source, self.size)
        )
        try:
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(self._threads.submit(task, item) for item in islice(source, 1))
                yield result
        finally:
            for future in waiting:
                future.cancel()

    def analyse_all(
        self, positions: Iterable[GameText | Position | str], limit: Limit = NO_LIMIT, *, multipv: int = 1
    ) -> Iterator[list[Info]]:
        """`SimpleEngine.analyse` of each position, in order."""
        return self.map(lambda engine, position: engine.analyse(position, limit, multipv=multipv), positions)

    def play_all(
        self, positions: Iterable[GameText | Position | str], limit: Limit = NO_LIMIT
    ) -> Iterator[PlayResult]:
        """`SimpleEngine.play` in each position, in order."""
        return self.map(lambda engine, position: engine.play(position, limit), positions)

    def close(self) -> None:
        """End all engines; work that hasn't begun is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for engine in self._engines:
            engine.close()
        self._threads.shutdown()
        for engine in self._engines:  # made by work that was under way
            engine.close()
