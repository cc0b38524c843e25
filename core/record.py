"""Game records: one growing file of frames. A crash while writing can only cut the last frame short.

A frame is a head of 16 bytes, little-endian, and a msgpack map::

    "SRec" | length of the map, u32 | CRC-32 of the map, u32 | CRC-32 of the 12 bytes before, u32

A map with a key ``kind`` isn't a game: it is for whoever wrote it, a tournament's plan for example, and
readers of games pass it by. Files can be joined with ``cat``. Nothing in a file is trusted: lengths are
bounded, sums are checked, and what is no record is left out and named in :attr:`RecordReader.notes`.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final
from zlib import crc32

import msgpack

from serai.core.closing import Closing
from serai.core.errors import RecordError
from serai.core.game_record import Event, Fault, GameRecord

try:
    import fcntl
except ImportError:  # not a POSIX system: two writers of one file are then not kept apart
    fcntl = None  # type: ignore[assignment]

__all__ = ["MAX_LENGTH", "Event", "Fault", "GameRecord", "RecordReader", "RecordWriter", "encode", "unpack"]

MAGIC: Final = b"SRec"
HEAD: Final = struct.Struct("<4sIII")
MAX_LENGTH: Final = 4 * 2**20  # bytes of one record; the longest games take some ten thousand
LONGEST: Final = 4096  # entries of a list or map in it, other than the events of a game
_CHUNK: Final = 2**16


def encode(record: GameRecord | dict[str, Any]) -> bytes:
    """A record as a frame, or a map with a ``kind``; raises RecordError if no reader accepts its length."""
    payload: bytes = msgpack.packb(record.to_dict() if isinstance(record, GameRecord) else record)
    if len(payload) > MAX_LENGTH:
        raise RecordError(f"the record takes {len(payload)} bytes, at most {MAX_LENGTH} are allowed")
    head = struct.pack("<4sII", MAGIC, len(payload), crc32(payload))
    return head + struct.pack("<I", crc32(head)) + payload


class RecordWriter(Closing):
    """Append records to a file, each one on the disk before ``write`` returns.

    A last frame that an earlier crash cut short is removed first. A file that is not a record file, that is
    damaged at its end in any other way, or that another process writes to, is refused with RecordError.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.repaired = 0
        """Bytes of a cut-short frame that were removed on opening."""
        try:
            self._file: IO[bytes] = open(self.path, "ab+", buffering=0)  # noqa: SIM115 - closed by close()
        except (OSError, ValueError) as error:
            raise RecordError(f"{self.path}: {_reason(error)}") from None
        try:
            self._lock()
            self._repair()
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RecordError(f"{self.path} is being written by another process") from None

    def _repair(self) -> None:
        reader = RecordReader(self.path)
        for _ in reader.frames():
            pass
        if reader.cut_at is not None:
            self.repaired = os.fstat(self._file.fileno()).st_size - reader.cut_at
            self._file.truncate(reader.cut_at)
        elif reader.damaged_tail:
            raise RecordError(f"{self.path}: {reader.notes[-1]}; nothing is appended to it")

    def write(self, record: GameRecord | dict[str, Any]) -> None:
        """Append a record, or a map with a ``kind``; raises RecordError, and then the file is as before."""
        frame = encode(record)
        size = os.fstat(self._file.fileno()).st_size
        try:
            if self._file.write(frame) != len(frame):
                raise OSError("not all of the record could be written")
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(size)
            raise RecordError(f"{self.path}: {_reason(error)}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class RecordReader:
    """The records of a file, in order; iterate over it. Raises RecordError if it is no record file at all.

    After an iteration ``notes`` has a sentence for everything that could not be read: a frame cut short at
    the end, a damaged stretch (reading goes on at the next good frame), a frame that holds no game.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.notes: list[str] = []
        self.cut_at: int | None = None
        """Where a last frame begins that was cut short; None if there is none."""
        self.damaged_tail = False
        """True if the file ends with something that is neither a frame nor the beginning of one."""

    def __iter__(self) -> Iterator[GameRecord]:
        for place, payload in self.frames():
            try:
                data = unpack(payload)
                if "kind" in data:
                    continue
                yield GameRecord.from_dict(data)
            except RecordError as error:
                self.notes.append(f"at byte {place}: no game record: {error}")

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """(place, content) of every frame whose sums are right."""
        self.notes, self.cut_at, self.damaged_tail = [], None, False
        try:
            if not stat.S_ISREG(os.stat(self.path).st_mode):  # opening a pipe could wait for ever
                raise RecordError(f"{self.path} is not a regular file")
            with open(self.path, "rb") as file:
                yield from self._frames(file)
        except (OSError, ValueError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"{self.path}: {_reason(error)}") from None

    def _frames(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        place = 0
        while True:
            file.seek(place)
            head = file.read(HEAD.size)
            if not head:
                return
            payload = _payload(file, head)
            if payload is not None:
                yield place, payload
                place += HEAD.size + len(payload)
            elif _is_cut(file, head, place):
                self._note_cut(file, place)
                return
            else:
                place = self._skip_damage(file, place, head)

    def _note_cut(self, file: IO[bytes], place: int) -> None:
        self.cut_at = place
        left = os.fstat(file.fileno()).st_size - place
        self.notes.append(f"at byte {place}: the last record is cut short, {left} bytes are left of it")

    def _skip_damage(self, file: IO[bytes], place: int, head: bytes) -> int:
        """The place of the next frame after one that can't be read, or the end of the file."""
        if place == 0 and head[: len(MAGIC)] != MAGIC:
            raise RecordError(f"{self.path} is not a record file")
        following = _find_frame(file, place + 1)
        end = os.fstat(file.fileno()).st_size
        self.damaged_tail = following is None
        stop = end if following is None else following
        self.notes.append(f"at byte {place}: {stop - place} bytes are damaged and left out")
        return stop


def _payload(file: IO[bytes], head: bytes) -> bytes | None:
    """The content that follows a head; None if head or content is not as its sum says."""
    length = _length(head)
    if length is None:
        return None
    payload = file.read(length)
    return payload if len(payload) == length and crc32(payload) == HEAD.unpack(head)[2] else None


def _length(head: bytes) -> int | None:
    """The length in a good head, else None."""
    if len(head) < HEAD.size:
        return None
    magic, length, _, check = HEAD.unpack(head)
    good = magic == MAGIC and crc32(head[:12]) == check and length <= MAX_LENGTH
    return int(length) if good else None


def _is_cut(file: IO[bytes], head: bytes, place: int) -> bool:
    """True if this is the beginning of a frame, the file ends within it, and no other frame follows."""
    if len(head) < HEAD.size:
        return head[: len(MAGIC)] == MAGIC[: len(head)]
    length = _length(head)
    if length is None or os.fstat(file.fileno()).st_size >= place + HEAD.size + length:
        return False
    return _find_frame(file, place + 1) is None


def _find_frame(file: IO[bytes], start: int) -> int | None:
    """Place of the next good head; None if there is none."""
    file.seek(start)
    tail, place = b"", start
    while chunk := file.read(_CHUNK):
        data = tail + chunk
        at = data.find(MAGIC)
        while at >= 0 and len(data) - at >= HEAD.size:
            if _length(data[at : at + HEAD.size]) is not None:
                return place + at
            at = data.find(MAGIC, at + 1)
        keep = min(len(data), HEAD.size - 1) if at < 0 else len(data) - at
        tail, place = data[len(data) - keep :], place + len(data) - keep
    return None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def unpack(payload: bytes) -> dict[str, Any]:
    """The content of a frame as plain data; raises RecordError."""
    try:
        return _map(payload)
    except (ValueError, TypeError, RecursionError, MemoryError, msgpack.UnpackException) as error:
        raise RecordError(f"no map in msgpack: {type(error).__name__}") from None


def _map(payload: bytes) -> dict[str, Any]:
    """The map in a frame, read entry by entry, as a long game has more events than a list may be long.

    Without the limits a few bytes can ask for a list of millions, within another one, a thousand times.
    """
    reader = msgpack.Unpacker(
        max_buffer_size=len(payload),
        strict_map_key=True,
        max_array_len=LONGEST,
        max_map_len=LONGEST,
        max_ext_len=0,
    )
    reader.feed(payload)
    data: dict[str, Any] = {}
    for _ in range(reader.read_map_header()):
        key = reader.unpack()
        if not isinstance(key, str):
            raise TypeError(f"{key!r:.60} as a key")
        data[key] = _events(reader) if key == "events" else reader.unpack()
    if reader.tell() != len(payload):
        raise ValueError("the frame goes on after the map")
    return data


def _events(reader: msgpack.Unpacker) -> list[Any]:
    return [reader.unpack() for _ in range(reader.read_array_header())]
