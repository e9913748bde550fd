"""The bytes of a dump, read in chunks and by `pread`, never mapped: a mapped file that shrinks kills the process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.model.errors import ChangedError, UnreadableError

CHUNK = 1 << 20


@dataclass(frozen=True)
class Stamp:
    """What tells one state of a file from another."""

    size: int
    mtime_ns: int
    inode: int


class Source:
    """A file that is read, or bytes that came from elsewhere (standard input, the clipboard).

    `name` is what is said of it; `path` is None where there is no file. Offsets and lengths are in bytes.
    """

    def __init__(self, path: Path | None, name: str, data: bytes | None = None, limit: int | None = None) -> None:
        self.path, self.name, self._data = path, name, data
        self._fd = -1
        if data is not None:
            self.stamp = Stamp(len(data), 0, 0)
        else:
            assert path is not None
            try:
                if path.exists() and not path.is_file():  # before it is opened: a pipe that nobody writes to would wait for ever
                    raise UnreadableError(f"{name}: not a regular file; name a file that holds a dump, or pipe it in and name it -")
                self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
                status = os.fstat(self._fd)
            except OSError as error:
                raise UnreadableError(f"{name}: {error.strerror or error}; check the path and its permissions") from None
            self.stamp = Stamp(status.st_size, status.st_mtime_ns, status.st_ino)
        self.size = self.stamp.size if limit is None else min(limit, self.stamp.size)

    @classmethod
    def open(cls, path: str | os.PathLike[str], limit: int | None = None) -> Source:
        """Opens a file. `limit`: as if it ended after so many bytes (a first look)."""
        return cls(Path(path), os.fspath(path), limit=limit)

    @classmethod
    def of(cls, data: bytes, name: str = "-") -> Source:
        return cls(None, name, data)

    def chunks(self, start: int = 0, size: int = CHUNK) -> Iterator[bytes]:
        """The bytes from `start`, a chunk at a time; ends early where the file has shrunk."""
        while start < self.size:
            chunk = self.read(start, min(size, self.size - start))
            if not chunk:
                return
            yield chunk
            start += len(chunk)

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`; fewer where the file has shrunk since."""
        if self._data is not None:
            return self._data[offset : offset + length]
        return _pread(self._fd, length, offset)

    def all(self) -> bytes:
        return self._data[: self.size] if self._data is not None else b"".join(self.chunks())

    def changed(self) -> bool:
        """Whether the file is no longer what was opened: rewritten, grown, replaced or gone."""
        if self.path is None:
            return False
        try:
            status = self.path.stat()
        except OSError:
            return True
        return Stamp(status.st_size, status.st_mtime_ns, status.st_ino) != self.stamp

    def require_unchanged(self) -> None:
        """Raises ChangedError where the file is no longer what was opened."""
        if self.changed():
            raise ChangedError(f"{self.name}: the file has changed since it was read; open it again before exporting from it")

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __del__(self) -> None:
        self.close()


def _pread(fd: int, length: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(fd, length, offset)
    os.lseek(fd, offset, os.SEEK_SET)  # Windows has no pread; a Source is used from one thread only
    return os.read(fd, length)
