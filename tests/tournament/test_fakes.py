"""The fake engines do what they are for: each one's fault reaches its client, and nothing else does."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

from serai.core import load
from serai.protocol.client import EngineError, GameText, Limit, Patience, SimpleEngine

FAKE = Path(__file__).parent / "engines" / "fake.py"
PATIENCE = Patience(timeout=1.5, margin=0.2, grace=0.3, stall=1.0)
SOON = Limit(time=0.1)  # for engines that won't keep it
EASY = Limit(time=20.0)  # for engines that answer at once, on a machine however busy
FINE = "a move"

EXPECTED = {
    **dict.fromkeys(["nothing", "crlf", "early", "unasked", "twice", "exit-after"], FINE),
    **dict.fromkeys(["banner", "long-lines", "bad-utf8", "bad-info", "boast", "flood-stderr"], FINE),
    **dict.fromkeys(["endless-stderr", "endless-stdout", "fork", "fork-away"], FINE),
    **dict.fromkeys(["ignore-quit", "ignore-signals", "rude-name", "slow-start", "tidy"], FINE),
    **dict.fromkeys(["crash-start", "crash-ugi", "crash-isready", "crash", "killed"], "EngineTerminated"),
    **dict.fromkeys(["close-stdout", "orphan"], "EngineTerminated"),
    **dict.fromkeys(["hang-start", "hang-ugi", "hang-isready", "hang", "deaf", "half-line"], "EngineTimeout"),
    **dict.fromkeys(["stopped", "babble", "wrong-id", "uci-only"], "EngineTimeout"),
    **dict.fromkeys(["slow", "late"], "late"),
    **dict.fromkeys(["illegal", "resign", "long-move"], "IllegalMove"),
    **dict.fromkeys(["no-id", "none", "empty"], "ProtocolError"),
}


def ways() -> list[str]:
    """The names in the table of fakes, read from its source."""
    tree = ast.parse(FAKE.read_text(encoding="utf-8"))
    tables = [
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
    ]
    return [ast.literal_eval(key) for table in tables for key in table.keys if key is not None]


def test_every_fake_is_tried() -> None:
    assert sorted(ways()) == sorted(EXPECTED)


@pytest.mark.parametrize("way", EXPECTED)
def test_what_a_client_makes_of_it(way: str) -> None:
    assert what_comes_of(way, SOON if EXPECTED[way] in ("late", "EngineTimeout") else EASY) == EXPECTED[way]


def what_comes_of(way: str, limit: Limit) -> str:
    """A move, a late one, or the error that the client raises."""
    position = load("spice_road;players=3;seed=5").start()
    command = [sys.executable, "-ES", str(FAKE), way, "seconds=0.7", f"log={os.devnull}"]
    try:
        with SimpleEngine.popen(command, patience=PATIENCE) as engine:
            engine.new_game()
            text = GameText.parse(position.view_text(0))
            result = engine.play(text, limit, legal=position.legal_tokens())
            assert result.info.win == (334, 333, 333) or way == "boast"
            return result.fault or FINE
    except EngineError as error:
        return type(error).__name__
