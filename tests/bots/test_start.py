"""What starts with the command, and what must not; and the bot that the package shows as an example."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from arena.play import one_game

import serai.bots

HEAVY = ("rich", "numpy", "argparse", "serai.search", "serai.bots.bot")


def test_the_engine_starts_without_what_only_other_commands_need() -> None:
    script = (
        "import sys\n"
        "from serai.bots.cli import main\n"
        "code = main([])\n"
        f"print([name for name in {HEAVY} if name in sys.modules], code, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, input="ugi\nquit\n", capture_output=True, text=True, timeout=60, check=True
    )
    assert "ugiok" in done.stdout
    assert done.stderr.strip() == "[] 0"


def test_the_package_offers_what_a_bot_needs_and_nothing_unknown() -> None:
    assert issubclass(serai.bots.BotFault, Exception)
    assert callable(serai.bots.serve)
    with pytest.raises(AttributeError, match="no attribute 'Robot'"):
        serai.bots.Robot  # noqa: B018


def test_the_example_is_a_bot_of_ten_lines_that_plays_and_serves(tmp_path: Path) -> None:
    example = textwrap.dedent((serai.bots.__doc__ or "").split("::\n")[1]).strip()
    assert len([line for line in example.splitlines() if line]) <= 10
    path = tmp_path / "miser.py"
    path.write_text(example)
    assert one_game([f"{path}:Miser", "random"], max_plies=60).faults == ()
    script = "position fen spice_road;seed=1\ngo nodes 1\n"
    command = [sys.executable, str(path)]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60, check=True)
    assert "bestmove play=" in done.stdout
