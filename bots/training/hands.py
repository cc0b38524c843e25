"""Who plays the chunks: processes here, or the workers of a Dask scheduler."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Final

from serai.bots.tournament.cluster import Cluster
from serai.bots.training.plan import Chunk, TrainingPlan
from serai.bots.training.selfplay import play_chunk
from serai.core.errors import SeraiError

TRIES: Final = 3  # of a chunk whose worker was lost
LOOK: Final = 0.5  # seconds between two looks at whether we are still wanted
ORPHANED: Final = 3  # exit code


class LostWorkers(SeraiError):  # noqa: N818 - what happened
    """Workers were lost again and again; what they finished is kept."""


def play_all(
    plan: TrainingPlan, chunks: list[Chunk], network: bytes | None, jobs: int, cluster: Cluster | None = None
) -> Iterator[tuple[Chunk, bytes]]:
    """The chunks as they are finished, in whatever order, and the content of each one's file.

    ``jobs``: processes here, unless there is a ``cluster``. Raises LostWorkers.
    """
    left = {chunk: 0 for chunk in chunks}  # and how often each was lost
    while left:
        over = get_context("spawn").Event()
        executor = cluster.executor() if cluster else _pool(min(jobs, len(left)), over)
        window = cluster.window() if cluster else 2 * jobs
        try:
            for chunk, content in _round(executor, plan, left, network, window):
                del left[chunk]
                yield chunk, content
        except BaseException:
            over.set()  # what was handed to a worker can't be called back, and nobody wants it any more
            raise
        finally:
            executor.shutdown(wait=False)


def _round(
    executor: Executor, plan: TrainingPlan, left: dict[Chunk, int], network: bytes | None, window: int
) -> Iterator[tuple[Chunk, bytes]]:
    """What an executor finishes until it is through, or broken."""
    waiting = iter(list(left))
    running: dict[Future[bytes], Chunk] = {}
    try:
        while True:
            for chunk in islice(waiting, window - len(running)):
                running[_submitted(executor, plan, chunk, network)] = chunk
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = running.pop(future)
                error = _failure(future)
                if error is None:
                    yield chunk, future.result()
                    continue
                _count_loss(left, chunk, error)
                if isinstance(error, BrokenExecutor):
                    return
    finally:
        for future in running:
            future.cancel()


def _submitted(executor: Executor, plan: TrainingPlan, chunk: Chunk, network: bytes | None) -> Future[bytes]:
    """A chunk under way; if the executor is known to be broken, one that has failed."""
    try:
        return executor.submit(play_chunk, plan, chunk, network)
    except BrokenExecutor as error:
        failed: Future[bytes] = Future()
        failed.set_exception(error)
        return failed


def _failure(future: Future[bytes]) -> BaseException | None:
    """What has become of a worker; raises whatever else has gone wrong."""
    try:
        error = future.exception()
    except CancelledError:
        raise LostWorkers("the scheduler is gone, or has called off what was asked of it") from None
    if error is None or isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":
        return error
    raise error


def _count_loss(left: dict[Chunk, int], chunk: Chunk, error: BaseException) -> None:
    left[chunk] += 1
    if left[chunk] >= TRIES:
        raise LostWorkers(f"workers were lost again and again, {TRIES} times with {chunk.name}: {error}")


def _pool(jobs: int, over: Event) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_enlist, initargs=(os.getpid(), over))


def _enlist(parent: int, over: Event) -> None:
    """Prepare a worker: Ctrl-C is for the parent; without a parent, or when all is over, a worker ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent, over), daemon=True).start()


def _leave_with(parent: int, over: Event) -> None:
    while os.getppid() == parent and not over.wait(LOOK):
        pass
    os._exit(ORPHANED)
