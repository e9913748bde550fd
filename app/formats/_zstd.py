"""Zstandard, which Python reads from 3.14 on only. The library is imported where a file needs it: few do, and it costs every start.

Source: RFC 8878 (frames may follow one another).
"""

from __future__ import annotations

import io
from typing import Final

from app.model.errors import UnreadableError

MAGIC: Final = b"\x28\xb5\x2f\xfd"


def unpacked(data: bytes, most: int, what: str) -> bytes:
    """What frames hold, at most `most` bytes and one more. `what` is named where that cannot be got out (UnreadableError)."""
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as reader:
            return bytes(reader.read(most + 1))
    except (zstandard.ZstdError, MemoryError) as error:
        raise UnreadableError(f"{what}: it is damaged and cannot be unpacked ({error})") from None


def packed(data: bytes) -> bytes:
    """The same in a frame with a checksum."""
    import zstandard

    return zstandard.ZstdCompressor(level=3, write_checksum=True).compress(data)
