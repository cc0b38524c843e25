from collections.abc import Sequence
from pathlib import Path

from serai.bots.guard import Guard
from serai.bots.referee import Conditions, Game
from serai.bots.registry import make_bot
from serai.bots.time_control import TimeControl
from serai.core.game_record import GameRecord

PLAYERS = Path(__file__).with_name("players.py")


def user(name: str) -> str:
    """The name of a bot in players.py."""
    return f"{PLAYERS}:{name}"


def one_game(
    names: Sequence[str],
    control: TimeControl | None = None,
    patience: float = 20.0,
    max_plies: int = 400,
    seed: int = 1,
) -> GameRecord:
    """One game between bots, and the bots closed."""
    guards = [Guard(make_bot(name)) for name in names]
    conditions = Conditions(control or TimeControl(nodes=20), patience=patience, max_plies=max_plies)
    try:
        return Game(f"spice_road;players={len(names)};seed={seed}", guards, conditions, seed).play()
    finally:
        for guard in guards:
            guard.close(1.0)
