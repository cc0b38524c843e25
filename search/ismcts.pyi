from collections.abc import Callable, Iterable

from typing_extensions import disjoint_base

from serai.core.game import Position
from serai.core.network import Network
from serai.search.params import SearchParams
from serai.search.report import Limits, Report

@disjoint_base
class Search:
    @property
    def threads(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def params(self) -> SearchParams: ...
    @property
    def network(self) -> Network | None: ...
    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        seed: int = 0,
        params: SearchParams | None = None,
        network: Network | None = None,
    ) -> None: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
    def run(
        self,
        position: Position,
        limits: Limits,
        multipv: int = 1,
        moves: Iterable[str] | None = None,
        on_report: Callable[[Report], object] | None = None,
        memory: str = "perfect",
        softness: float = ...,
        peek: bool = ...,
        advice: bool = ...,
    ) -> Report: ...
