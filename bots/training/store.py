"""The folder of a run. A file is there as a whole or not at all, so what exists is finished."""

from __future__ import annotations

import contextlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from serai.bots.training.chunk_file import unpack
from serai.bots.training.plan import Chunk, TrainingPlan, as_json, read_plan
from serai.core.errors import RecordError, SetupError

try:
    import fcntl
except ImportError:  # not a POSIX system: two runs in one folder are then not kept apart
    fcntl = None  # type: ignore[assignment]

PLAN: Final = "plan.json"
NETWORK: Final = "network.bin"
WEIGHTS: Final = "weights.npz"  # of a network, before it was rounded
# What NumPy and zipfile raise for a file of arrays with any byte changed.
DAMAGED: Final = (OSError, ValueError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)


class Store:
    """A folder with everything of a run; made if it isn't there. One process at a time; raises SetupError."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).resolve()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock: IO[bytes] = open(self.folder / "lock", "ab")  # noqa: SIM115 - closed by close()
        except OSError as error:
            raise SetupError(f"{self.folder}: {error.strerror or error}") from None
        if fcntl is not None:
            try:
                fcntl.flock(self._lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise SetupError(f"{self.folder}: another process trains there") from None

    def close(self) -> None:
        """Let others use the folder."""
        self._lock.close()

    # ---- places

    def generation(self, number: int) -> Path:
        """The folder of a generation; they are counted from 0 here, from 1 for people."""
        return self.folder / f"generation-{number + 1}"

    def chunk(self, chunk: Chunk) -> Path:
        """The file of a chunk."""
        return self.generation(chunk.generation) / "self-play" / f"{chunk.name}.samples"

    def candidate(self, generation: int) -> Path:
        """The network that a generation ended in."""
        return self.generation(generation) / NETWORK

    @property
    def network(self) -> Path:
        """What is shipped."""
        return self.folder / NETWORK

    # ---- files

    def write(self, path: Path, content: bytes) -> None:
        """Put a file in its place, at once and for good; raises SetupError."""
        beside = path.with_name(f".{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except OSError as error:
            raise SetupError(f"{path} can't be written: {error.strerror or error}") from None

    def write_chunk(self, plan: TrainingPlan, chunk: Chunk, content: bytes) -> None:
        """Keep what a worker played; raises SetupError if it isn't what was asked for."""
        try:
            unpack(content, plan.identity, chunk)
        except RecordError as error:
            words = "does it run another version of Serai?"
            raise SetupError(f"what a worker sent of {chunk.name} is no use, {words} ({error})") from None
        self.write(self.chunk(chunk), content)

    def write_candidate(self, generation: int, content: bytes) -> None:
        """Put a generation's network in its place; the gates of another one that was there are forgotten."""
        path = self.candidate(generation)
        try:
            if not path.exists() or path.read_bytes() != content:
                for gate in path.parent.glob("gate*"):
                    gate.unlink()
        except OSError as error:
            raise SetupError(f"{path.parent}: {error.strerror or error}") from None
        self.write(path, content)

    def write_json(self, path: Path, data: Any) -> None:
        """The same for plain data."""
        self.write(path, (json.dumps(data, indent=2) + "\n").encode())

    def read_json(self, path: Path) -> Any:
        """Plain data, None if the file isn't there or is damaged."""
        with contextlib.suppress(OSError, ValueError):
            return json.loads(path.read_text(encoding="utf-8"))
        return None

    def write_arrays(self, path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The same for arrays."""
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **arrays)
        self.write(path, content.getvalue())

    def read_arrays(self, path: Path) -> dict[str, NDArray[Any]] | None:
        """Arrays, None if the file isn't there or is damaged."""
        try:
            with np.load(io.BytesIO(path.read_bytes())) as file:
                return {name: file[name] for name in file.files}
        except DAMAGED:
            return None

    def weights(self, generation: int) -> NDArray[np.float32] | None:
        """What a generation learned, None if it isn't there or is damaged."""
        arrays = self.read_arrays(self.generation(generation) / WEIGHTS)
        return None if arrays is None else arrays.get("weights")

    # ---- the plan and the samples

    def plan(self) -> TrainingPlan | None:
        """The plan of the run in this folder; None if there is none. Raises SetupError."""
        path = self.folder / PLAN
        return read_plan(path) if path.exists() else None

    def keep_plan(self, plan: TrainingPlan) -> None:
        """Begin a run."""
        self.write(self.folder / PLAN, as_json(plan).encode())

    def missing(self, plan: TrainingPlan, generation: int) -> tuple[list[Chunk], list[str]]:
        """The chunks that are to be played, and what was wrong with those that are to be played again."""
        missing, notes = [], []
        for chunk in plan.chunks(generation):
            path = self.chunk(chunk)
            if path.exists():
                try:
                    self.samples(plan, chunk)
                    continue
                except RecordError as error:
                    notes.append(f"{error}; it is played again")
            missing.append(chunk)
        return missing, notes

    def samples(self, plan: TrainingPlan, chunk: Chunk) -> dict[str, NDArray[Any]]:
        """The samples of a chunk; raises RecordError that begins with the file's name."""
        path = self.chunk(chunk)
        try:
            return unpack(path.read_bytes(), plan.identity, chunk)
        except (OSError, RecordError) as error:
            raise RecordError(f"{path}: {error}") from None

    def all_samples(self, plan: TrainingPlan, generations: range) -> Iterator[dict[str, NDArray[Any]]]:
        """The samples of some generations, in the order of the plan."""
        for generation in generations:
            for chunk in plan.chunks(generation):
                yield self.samples(plan, chunk)
