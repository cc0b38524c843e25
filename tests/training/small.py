"""Plans of seconds, and the command in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from serai.bots.training.plan import TrainingPlan, as_json

ENTRY = "import sys; from serai.bots.train_command import run; sys.exit(run(sys.argv[1:]))"


def small_plan(**changes: object) -> TrainingPlan:
    values: dict[str, object] = {
        "seed": 5,
        "generations": 1,
        "chunk": 4,
        "nodes": 20,
        "sample_nodes": 20,
        "epochs": 2,
        "held_out": 0.25,
        "gate_games": 2,
        "gate_nodes": 2,
    }
    return TrainingPlan("spice_road", (2, 3), (8, 8), **{**values, **changes})  # type: ignore[arg-type]


def write(plan: TrainingPlan, path: Path) -> Path:
    path.write_text(as_json(plan), encoding="utf-8")
    return path


def train(plan: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    """Start the command."""
    command = [sys.executable, "-c", ENTRY, str(plan), "--out", str(out), "--jobs", "1", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
