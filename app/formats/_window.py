"""A file looked at through a window that moves forward: a document of any size is read without being held."""

from __future__ import annotations

from collections.abc import Callable

from app.formats._scan import Torn, key_at, skip_space, value_end
from app.model.source import Source

SIZE = 1 << 20


class Window:
    """`data` are the bytes of the file from `base` on; `last` tells that they reach its end. Positions are offsets in the file."""

    def __init__(self, source: Source, progress: Callable[[float], None] | None = None) -> None:
        self.source = source
        self.base = 0
        self.data = b""
        self._end = source.size
        self._progress = progress
        self._load(0, SIZE)

    @property
    def last(self) -> bool:
        return self.base + len(self.data) >= self._end

    def _load(self, pos: int, size: int) -> None:
        self.base = pos
        wanted = max(0, min(size, self._end - pos))
        self.data = self.source.read(pos, wanted)
        if len(self.data) < wanted:  # the file has shrunk while it is read
            self._end = pos + len(self.data)
        if self._progress is not None and self.source.size:
            self._progress(min(1.0, pos / self.source.size))

    def need(self, pos: int, count: int = 1) -> int:
        """The index of `pos` in `data`, with at least `count` bytes behind it where the file has them."""
        index = pos - self.base
        if index < 0 or index + count > len(self.data):
            if not (self.last and index >= 0):
                self._load(pos, max(SIZE, count))
            index = pos - self.base
        return index

    def move(self, pos: int) -> None:
        """Makes the window begin at `pos`."""
        self._load(pos, SIZE)

    def grow(self, pos: int) -> bool:
        """Makes the window begin at `pos` and reach twice as far behind it; False where it reaches the end of the file already."""
        if self.last and pos >= self.base:
            return False
        self._load(pos, max(SIZE, 2 * (self.base + len(self.data) - pos)))
        return True

    def space(self, pos: int) -> int:
        """Where the white space from `pos` on ends."""
        while True:
            index = self.need(pos)
            found = skip_space(self.data, index)
            if found < len(self.data) or self.last:
                return self.base + found
            pos = self.base + found

    def byte(self, pos: int) -> int:
        """The byte at `pos`; -1 behind the end."""
        index = self.need(pos)
        return self.data[index] if index < len(self.data) else -1

    def value_end(self, pos: int) -> int:
        """The end of the value at `pos`. Torn where the file ends inside it, Malformed where there is none."""
        while True:
            index = self.need(pos)
            try:
                end = value_end(self.data, index)
            except Torn:
                if not self.grow(pos):
                    raise
                continue
            if end < len(self.data) or not self.grow(pos):  # a number at the edge may go on
                return self.base + end

    def key(self, pos: int) -> tuple[str, int, int]:
        """A key at `pos`: decoded, its end, where its value begins. Torn, Malformed."""
        while True:
            index = self.need(pos)
            try:
                key, end, start = key_at(self.data, index)
            except Torn:
                if not self.grow(pos):
                    raise
                continue
            if start < len(self.data) or not self.grow(pos):
                return key, self.base + end, self.base + start

    def slice(self, start: int, end: int) -> bytes:
        """The bytes between two positions; the window stays where it is if they lie outside it."""
        if start >= self.base and end <= self.base + len(self.data):
            return self.data[start - self.base : end - self.base]
        return self.source.read(start, end - start)
