from serai.core.game import Position
from serai.core.network import Network

OPERATIONS: tuple[str, ...]
NEED_NETWORK: tuple[str, ...]

def nanoseconds(
    operation: str, positions: list[Position], rounds: int, network: Network | None = None
) -> float: ...
