"""Files of samples: a head, a compressed msgpack map, a digest. What is damaged or foreign is refused."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import astuple
from hashlib import blake2b
from typing import Any, Final

import msgpack
import numpy as np
from numpy.typing import NDArray

from serai.bots.training.plan import Chunk
from serai.core.errors import RecordError

MAGIC: Final = b"SSam"
DIGEST: Final = 16  # bytes
LEVEL: Final = 3  # of the compression: a higher one takes longer than it saves
LARGEST: Final = 2**30  # bytes of a chunk when unpacked
MOST: Final = 64  # entries of a list or a map in it; without a limit a few bytes can ask for millions


def pack(identity: str, chunk: Chunk, data: Mapping[str, NDArray[Any]]) -> bytes:
    """The content of a file. ``identity``: of the plan that the chunk is part of."""
    arrays = {name: (array.dtype.str, list(array.shape), array.tobytes()) for name, array in data.items()}
    content = msgpack.packb({"plan": identity, "chunk": list(astuple(chunk)), "arrays": arrays})
    body = MAGIC + zlib.compress(content, LEVEL)
    return body + blake2b(body, digest_size=DIGEST).digest()


def unpack(raw: bytes, identity: str, chunk: Chunk) -> dict[str, NDArray[Any]]:
    """The samples in a file's content; raises RecordError unless it is this chunk of this plan, and whole."""
    body, digest = raw[:-DIGEST], raw[-DIGEST:]
    if body[: len(MAGIC)] != MAGIC or blake2b(body, digest_size=DIGEST).digest() != digest:
        raise RecordError("it is damaged, or no file of samples")
    try:
        content = zlib.decompressobj().decompress(body[len(MAGIC) :], LARGEST)
        data = msgpack.unpackb(content, max_array_len=MOST, max_map_len=MOST, max_ext_len=0)
        if data["plan"] != identity or data["chunk"] != list(astuple(chunk)):
            raise RecordError("it belongs to another plan")
        return {
            name: np.frombuffer(content, kind).reshape(shape)
            for name, (kind, shape, content) in data["arrays"].items()
        }
    except (zlib.error, msgpack.UnpackException, ValueError, TypeError, KeyError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"it makes no sense: {error}") from None
