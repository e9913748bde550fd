"""The bytes of a dump, read in chunks and by `pread`, never mapped: a mapped file that shrinks kills the process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
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


@dataclass(frozen=True)
class Wrap:
    """What a file has its dump in. `kind`: gzip, zstd, xz, bzip2, zip, text (in another encoding), string (of JSON), masked; `detail`:
    the same for a person; `before`, `after`: what stands around it there; `number`: of the member of an archive; `ascii`: how the string
    is written; `plain`: the text as it is, byte by byte where a masked one stands for it."""

    kind: str
    detail: str = ""
    before: bytes = b""
    after: bytes = b""
    number: int = -1
    ascii: bool = False
    plain: bytes = b""


@dataclass(frozen=True, eq=False)
class StandIn:
    """Text that is read in place of a file's own bytes: what a folder or a database holds, as one document. `members`: files beside the
    one that was named which it was made of, each with its stamp; `wraps`: what it was taken out of, the outermost first."""

    data: bytes
    members: tuple[tuple[str, Stamp], ...] = ()
    wraps: tuple[Wrap, ...] = ()


class Source:
    """A file that is read, or bytes that came from elsewhere (standard input, the clipboard).

    `name` is what is said of it; `path` is None where there is no file. Offsets and lengths are in bytes.
    """

    def __init__(self, path: Path | None, name: str, data: bytes | None = None, limit: int | None = None) -> None:
        self.path, self.name, self._data = path, name, data
        self.stand_in: StandIn | None = None
        self.told: Callable[[float], None] | None = None  # how far whoever reads it from end to end is, 0 to 1
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

    def stand(self, stand_in: StandIn) -> None:
        """From now on offsets and the size are those of a text that stands for the file."""
        self.stand_in, self.size = stand_in, len(stand_in.data)

    def file(self) -> Source:
        """The file itself, where a text stands for it."""
        if self.stand_in is None:
            return self
        return Source(self.path, self.name, self._data)

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`; fewer where the file has shrunk since."""
        if self.stand_in is not None:
            return self.stand_in.data[offset : offset + length]
        if self._data is not None:
            return self._data[offset : offset + length]
        return _pread(self._fd, length, offset)

    def read_into(self, buffer: memoryview, offset: int) -> int:
        """Fills a buffer with what stands at `offset`, without a copy on the way; how many bytes there were."""
        room = buffer[: max(0, min(len(buffer), self.size - offset))]
        if self.stand_in is None and self._data is None and hasattr(os, "preadv"):
            return os.preadv(self._fd, [room], offset) if len(room) else 0
        data = self.read(offset, len(room))
        room[: len(data)] = data
        return len(data)

    def all(self) -> bytes:
        if self._data is not None and self.stand_in is None:
            return self._data[: self.size]
        return b"".join(self.chunks())

    def changed(self) -> bool:
        """Whether the file is no longer what was opened: rewritten, grown, replaced or gone."""
        if self.path is None:
            return False
        members = self.stand_in.members if self.stand_in is not None else ()
        return stamp_of(self.path) != self.stamp or any(stamp_of(path) != stamp for path, stamp in members)

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


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    """The state of a file; None where there is none."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


def _pread(fd: int, length: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(fd, length, offset)
    os.lseek(fd, offset, os.SEEK_SET)  # Windows has no pread; a Source is used from one thread only
    return os.read(fd, length)
