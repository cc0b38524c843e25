from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from typing_extensions import disjoint_base

from serai.core.game import Position

__pyx_capi__: dict[str, Any]  # the samples as plain memory, for other compiled modules

@disjoint_base
class Samples:
    def __new__(cls) -> Samples: ...
    def __len__(self) -> int: ...
    def add(
        self,
        position: Position,
        win: Sequence[float],
        points: Sequence[float],
        game: int,
        chosen: str | None = None,
    ) -> None: ...
    def add_data(self, data: Any) -> None: ...
    def to_data(self) -> dict[str, NDArray[Any]]: ...
