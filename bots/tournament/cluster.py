"""Workers on other machines: a Dask scheduler that the blocks are handed to."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Executor
from typing import Any, Final

from serai.core.errors import SetupError

WAIT: Final = 10.0  # seconds for the scheduler to answer
LOOK: Final = 2.0  # seconds between two looks at who is there
LEAST: Final = 4  # blocks that wait even if nobody is there to play them


async def _knock(address: str) -> None:
    """See if anybody is there: a client that finds nobody would keep us for long even after its failure."""
    import distributed

    dask: Any = distributed
    terms = dask.Security().get_connection_args("client")
    comm = await dask.comm.connect(address, timeout=WAIT, **terms)
    await comm.close()


class Cluster:
    """A connection to a scheduler; raises SetupError if there is none, or no Dask.

    Workers come and go as they like: the blocks of one that is lost are handed to another.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise SetupError("--cluster needs Dask: pip install 'serai[cluster]'") from None
        try:
            asyncio.run(_knock(address))
            connect: Any = Client
            self._client = connect(address, timeout=WAIT, set_as_default=False)
        except Exception as error:  # of many kinds, by what is wrong with the address
            raise SetupError(f"no Dask scheduler answers at {address}: {error}") from None
        self._looked = 0.0
        self._threads = 0

    def executor(self) -> Executor:
        """The cluster as an executor; a block is never taken for another one with equal arguments."""
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    @property
    def threads(self) -> int:
        """Blocks that can be played at a time, by the workers that are there now."""
        if time.monotonic() >= self._looked + LOOK:
            self._looked = time.monotonic()
            self._threads = sum(self._client.nthreads().values())
        return self._threads

    def window(self) -> int:
        """Blocks that should be under way, so that nobody waits for us."""
        return max(LEAST, 2 * self.threads)

    def close(self) -> None:
        """Leave the cluster as it is."""
        self._client.close()
