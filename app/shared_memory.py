"""A value whose arrays two processes see at one place, so that a large file's columns are held once (Linux; elsewhere they are copied).

The arrays are laid out in an anonymous file that only its descriptor names. Both sides map it privately: what one writes, the other never
sees. It is ours alone and never shrinks, so that mapping it cannot end a process as mapping a person's file could.
"""

from __future__ import annotations

import mmap
import os
import pickle
from dataclasses import dataclass
from typing import Any, Final

LEAST: Final = 1 << 20  # bytes; less is as quick to copy
_SMALL: Final = 4096  # an array of fewer bytes stays in the pickle
_ALIGNED: Final = 64


@dataclass(frozen=True)
class Laid:
    """What travels: the value without its large arrays, and where these lie. `inode` tells the file from a later one by the same number."""

    value: bytes
    path: str
    inode: int
    spans: tuple[tuple[int, int], ...]

    def opened(self) -> Any:
        """The value. FileNotFoundError where the side that laid it out has gone, or has let go of it."""
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            if os.fstat(descriptor).st_ino != self.inode:
                raise FileNotFoundError(self.path)
            held = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY))
        finally:
            os.close(descriptor)
        return pickle.loads(self.value, buffers=[held[start:end] for start, end in self.spans])


class Layout:
    """Keeps a laid out value alive for whoever opens it later; `close` lets go of it."""

    def __init__(self, value: Any) -> None:
        """Raises OSError where there is no such memory."""
        buffers: list[memoryview] = []

        def taken(buffer: pickle.PickleBuffer) -> bool:
            raw = buffer.raw()
            if raw.nbytes >= _SMALL:
                buffers.append(raw)
            return raw.nbytes < _SMALL

        text = pickle.dumps(value, 5, buffer_callback=taken)
        self.size = sum(len(buffer) for buffer in buffers)
        if self.size < LEAST or not hasattr(os, "memfd_create"):
            raise OSError("nothing to share")
        self._descriptor = os.memfd_create("transcript columns", os.MFD_CLOEXEC)
        spans, at = [], 0
        for buffer in buffers:
            at += -at % _ALIGNED
            spans.append((at, at + len(buffer)))
            while len(buffer):
                written = os.pwrite(self._descriptor, buffer, at)
                buffer, at = buffer[written:], at + written
        path = f"/proc/{os.getpid()}/fd/{self._descriptor}"
        self.laid = Laid(text, path, os.fstat(self._descriptor).st_ino, tuple(spans))

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
