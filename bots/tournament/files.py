"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from serai.core.errors import SetupError


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], source: str | os.PathLike[str] | None = None
) -> Iterator[IO[str]]:
    """A text file to write to, UTF-8 with LF, that takes its name, and the place of another, at the end.

    After an exception nothing has changed. ``source``: what is read meanwhile, and must not be replaced.
    Raises SetupError where the file can't be written.
    """
    target = Path(path)
    with _refusals(target):
        _check(target, source)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
    try:
        with (
            _refusals(target),
            open(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
        ):
            yield file
        with _refusals(target):
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _check(target: Path, source: str | os.PathLike[str] | None) -> None:
    if target.exists() and not target.is_file():
        raise SetupError(f"{target} can't be written: it is no regular file")
    if source is not None and target.exists() and os.path.exists(source) and target.samefile(source):
        raise SetupError(f"{target} is what is read; write to another file")


@contextlib.contextmanager
def _refusals(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SetupError(f"{target} can't be written: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, SetupError):
            raise
        raise SetupError(f"{target} can't be written: {error}") from None


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
