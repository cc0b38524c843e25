"""``ismcts:network=…``: which network judges for a bot."""

from __future__ import annotations

from pathlib import Path

import pytest
from reference.networks import random_file

from serai.bots.registry import make_bot
from serai.core import SetupError, load
from serai.core.network_file import shipped_network
from serai.search import Line

pytestmark = pytest.mark.usefixtures("shelf")

POSITION = load("spice_road;players=3;seed=4").start().view(0)


def thoughts(name: str, games: int = 1) -> list[tuple[Line, ...]]:
    """What a bot thinks of the same position at the start of each of some games."""
    bot, found = make_bot(name), []
    for _ in range(games):
        bot.random.seed(5)
        bot.new_game()
        assert bot.choose(POSITION) in POSITION.legal_tokens()
        assert bot.report is not None
        found.append(bot.report.lines)
    return found


def test_a_bot_thinks_with_the_network_that_its_name_says(shelf: Path, tmp_path: Path) -> None:
    path = tmp_path / "a b ü.net"
    path.write_bytes(random_file(seed=3))
    plain = thoughts("ismcts:nodes=200", 2)
    judged = thoughts(f"ismcts:nodes=200,network={path}", 2)
    assert plain[0] == plain[1] == thoughts("ismcts:nodes=200,network=none")[0]
    assert judged[0] == judged[1] != plain[0]
    shelf.write_bytes(random_file(seed=3))
    shipped_network.cache_clear()
    assert thoughts("ismcts:nodes=200") == thoughts("ismcts:nodes=200,network=") == judged[:1]
    assert thoughts("ismcts:nodes=200,network=none") == plain[:1]


@pytest.mark.parametrize("content", [b"", random_file()[:-1]])
def test_what_is_no_network_is_no_bot_either(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.net"
    path.write_bytes(content)
    for name in (path, tmp_path, tmp_path / "missing"):
        with pytest.raises(SetupError, match=rf"^ismcts:network={name}: network: {name}: "):
            make_bot(f"ismcts:network={name}")
