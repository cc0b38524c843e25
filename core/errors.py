"""Every exception that Serai raises on purpose, in one small tree."""


class SeraiError(Exception):
    """Root of all of them."""


class SetupError(SeraiError, ValueError):
    """A game can't be set up as asked: unknown game, seats, option, or a broken component file."""


class NotationError(SeraiError, ValueError):
    """A text that isn't in the notation: token, spec, snapshot. ``code`` is the protocol's error code."""

    def __init__(self, message: str, code: str = "bad-event") -> None:
        super().__init__(message)
        self.code = code


class IllegalAction(SeraiError, ValueError):  # noqa: N818 - the design's word
    """An event that the position doesn't allow. ``code`` is the protocol's error code."""

    def __init__(self, message: str, code: str = "illegal-move") -> None:
        super().__init__(message)
        self.code = code


class HiddenInformation(SeraiError, ValueError):  # noqa: N818
    """A question whose answer the view doesn't contain."""


class NetworkError(SeraiError, ValueError):
    """A network file that is damaged, foreign, or made for something else."""


class RecordError(SeraiError, ValueError):
    """A record file that isn't one, or holds a game that doesn't replay."""
