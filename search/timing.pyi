from serai.core.game import Position

OPERATIONS: tuple[str, ...]

def nanoseconds(operation: str, positions: list[Position], rounds: int) -> float: ...
