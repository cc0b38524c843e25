"""Whoever has an engine of its own: started when it is needed first, ended from any thread."""

from __future__ import annotations

from collections.abc import Sequence

from serai.protocol.client import Engine, Patience


class Keeper:
    """What players and referees share. The engine is None until it is needed, and once it is closed."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._ended = False

    async def _popen(self, argv: Sequence[str], patience: Patience) -> Engine:
        """Start the engine; raises EngineError."""
        self._engine = await Engine.popen(argv, patience=patience)
        if self._ended:  # while it was being started
            self._engine.cut()
        return self._engine

    def cut(self) -> None:
        """End it at once and for good; from any thread."""
        self._ended = True
        if self._engine is not None:
            self._engine.cut()

    async def close(self) -> None:
        """End it politely."""
        if self._engine is not None:
            engine, self._engine = self._engine, None
            await engine.close()
