"""Workers: whoever plays, and whoever is lost, all chunks come, and they are the same."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
from tournament.test_cluster import Farm
from training.small import small_plan

from serai.bots.tournament.cluster import Cluster
from serai.bots.training.hands import LostWorkers, play_all
from serai.bots.training.selfplay import play_chunk

PLAN = small_plan(chunk=2)
CHUNKS = list(PLAN.chunks(0))


def expected() -> dict[object, bytes]:
    return {chunk: play_chunk(PLAN, chunk, None) for chunk in CHUNKS}


def test_processes_play_as_we_do() -> None:
    assert dict(play_all(PLAN, CHUNKS, None, 2)) == expected()


def test_a_lost_worker_is_replaced() -> None:
    known = set(psutil.Process().children(recursive=True))
    found = {}
    for chunk, content in play_all(PLAN, CHUNKS, None, 1):
        if not found:
            for child in set(psutil.Process().children(recursive=True)) - known:
                if "spawn_main" in " ".join(child.cmdline()):
                    child.kill()
        found[chunk] = content
    assert found == expected()


def test_a_pool_that_refuses_new_work_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost worker may be noticed while the next chunk is handed over."""
    pools = []

    class Refusing(Executor):
        def submit(self, *args: object, **more: object) -> Future[bytes]:  # type: ignore[override]
            raise BrokenProcessPool("gone")

    class Working(Executor):
        def submit(self, work: Any, *args: object, **more: object) -> Future[bytes]:  # type: ignore[override]
            future: Future[bytes] = Future()
            future.set_result(work(*args))
            return future

    def pool(jobs: int, over: object) -> Executor:
        pools.append(Refusing() if not pools else Working())
        return pools[-1]

    monkeypatch.setattr("serai.bots.training.hands._pool", pool)
    assert dict(play_all(PLAN, CHUNKS, None, 1)) == expected()
    assert len(pools) == 2


def test_workers_that_are_always_lost_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mortal(Executor):
        def submit(self, *args: object, **more: object) -> Future[bytes]:  # type: ignore[override]
            future: Future[bytes] = Future()
            future.set_exception(BrokenProcessPool("gone"))
            return future

    monkeypatch.setattr("serai.bots.training.hands._pool", lambda jobs, over: Mortal())
    with pytest.raises(LostWorkers, match="again and again, 3 times with"):
        list(play_all(PLAN, CHUNKS, None, 1))


def test_a_scheduler_that_is_gone_is_an_error() -> None:
    class Gone:
        def executor(self) -> Executor:
            executor = Executor()
            future: Future[bytes] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            executor.submit = lambda *args, **more: future  # type: ignore[method-assign]
            return executor

        def window(self) -> int:
            return 1

    with pytest.raises(LostWorkers, match="scheduler is gone"):
        list(play_all(PLAN, CHUNKS[:1], None, 1, cast(Cluster, Gone())))


def test_a_cluster_plays_as_we_do(tmp_path: Path) -> None:
    farm = Farm(tmp_path)
    farm.open()
    try:
        farm.hire()
        cluster = Cluster(farm.address)
        try:
            assert dict(play_all(PLAN, CHUNKS, None, 1, cluster)) == expected()
        finally:
            cluster.close()
    finally:
        farm.close()
