"""Bots of a user's own, most of which misbehave."""

import os
import sys
import time

from serai.bots import Bot, serve
from serai.core import Position
from serai.search.report import Line, Report


class Plain(Bot):
    def choose(self, position: Position) -> str:
        return position.legal_tokens()[0]


class Miser(Bot):
    def choose(self, position: Position) -> str:
        free = [token for token in position.legal_tokens() if not token.startswith("take")]
        return self.random.choice(free or position.legal_tokens())


class Tuned(Plain):
    def __init__(self, greed: int = 3, fast: bool = False, weight: float = 0.5, label: str = "x") -> None:
        if greed > 100:
            raise ValueError("greed must be at most 100")
        self.values = (greed, fast, weight, label)


class Raises(Bot):
    def choose(self, position: Position) -> str:
        raise KeyError("lost my notes")


class Cheats(Bot):
    def choose(self, position: Position) -> str:
        return "claim=9"


class Mumbles(Bot):
    def choose(self, position: Position) -> str:
        return 5  # type: ignore[return-value]


class Leaves(Bot):
    def choose(self, position: Position) -> str:
        sys.exit(4)


class Dies(Bot):
    def choose(self, position: Position) -> str:
        print("out of paper", file=sys.stderr, flush=True)
        os._exit(7)


class Sleeps(Bot):
    def choose(self, position: Position) -> str:
        time.sleep(3600)
        return ""


class Forgets(Plain):
    """Raises when a game begins."""

    def new_game(self) -> None:
        raise OSError("no disk")


class Slow(Plain):
    def choose(self, position: Position) -> str:
        time.sleep(0.02)
        return super().choose(position)


class Peeks(Plain):
    """Fails unless it sees a view of its own seat, and no seed."""

    def choose(self, position: Position) -> str:
        assert position.viewer == self.seat == position.to_act
        assert position.seed is None
        return super().choose(position)


class Sure(Plain):
    """Believes that it wins."""

    def choose(self, position: Position) -> str:
        print("this must not end up in anybody's way")
        token = super().choose(position)
        win = tuple(float(seat == self.seat) for seat in range(position.seats))
        line = Line(token, win, (50.0,) * position.seats, 1, 0.1, (token,))
        self.report = Report(token, (line,), nodes=9, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)
        return token


class Confused(Plain):
    """Reports about a game with other seats."""

    def choose(self, position: Position) -> str:
        token = super().choose(position)
        line = Line(token, (1.0,), (50.0,), 1, 0.1, (token,))
        self.report = Report(token, (line,), nodes=9, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)
        return token


class Unborn(Plain):
    def __init__(self) -> None:
        raise RuntimeError("no memory for this")


class Empty(Bot):
    pass


if __name__ == "__main__":
    raise SystemExit(serve(Miser))
