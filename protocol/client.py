"""Talk to engines: everything a program needs, under one name.

>>> from serai.protocol.client import GameText, Limit, MockEngine
>>> with MockEngine(["take=2"]) as engine:  # SimpleEngine.popen("serai") for a real one
...     result = engine.play(GameText("spice_road;players=3;seed=7"), Limit(clocks=[60, 60, 60]))
>>> result.move, result.fault
('take=2', None)
"""

from __future__ import annotations

from serai.protocol.analysis import Analysis
from serai.protocol.client_async import Engine
from serai.protocol.client_sync import SimpleAnalysis, SimpleEngine
from serai.protocol.errors import (
    Busy,
    EngineError,
    EngineRefusal,
    EngineStalled,
    EngineTerminated,
    EngineTimeout,
    IllegalMove,
    ProtocolError,
)
from serai.protocol.game_text import GameText, PositionLine
from serai.protocol.local import LocalEngine
from serai.protocol.messages import BestMove, GameLine, Info, Option
from serai.protocol.mock import MockEngine, MockFault, Script
from serai.protocol.patience import Limit, Patience
from serai.protocol.play_result import PlayResult
from serai.protocol.pool import Pool

__all__ = [
    "Analysis",
    "BestMove",
    "Busy",
    "Engine",
    "EngineError",
    "EngineRefusal",
    "EngineStalled",
    "EngineTerminated",
    "EngineTimeout",
    "GameLine",
    "GameText",
    "IllegalMove",
    "Info",
    "Limit",
    "LocalEngine",
    "MockEngine",
    "MockFault",
    "Option",
    "Patience",
    "PlayResult",
    "Pool",
    "PositionLine",
    "ProtocolError",
    "Script",
    "SimpleAnalysis",
    "SimpleEngine",
]
