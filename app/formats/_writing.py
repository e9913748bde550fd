"""What an export writes: spans of the source, copied, and bytes that edits made, with a tally of what became of each record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.model.errors import ChangedError
from app.model.source import CHUNK, Source


@dataclass
class Tally:
    """What became of the records (lines of a JSONL file, messages of a document). Counts add up over the file:
    records read = same + changed + relinked + dropped. `notes`: what was done beyond the edits that were asked for, each with the
    JSON pointer of the record in the source (None: of none), as "parentUuid now names the record before it"."""

    same: int = 0
    changed: int = 0
    inserted: int = 0
    dropped: int = 0
    relinked: int = 0
    notes: list[tuple[str | None, str]] = field(default_factory=list)


class Writing:
    """Pieces of an export in order. Neighbouring spans become one, so that an export without edits is one copy of the file."""

    def __init__(self, source: Source, tally: Tally | None = None) -> None:
        self.source = source
        self.tally = tally or Tally()
        self.aside: list[bytes] = []  # what was taken out of the file and is kept beside it, piece by piece
        self._pieces: list[tuple[int, int] | bytes] = []

    def copy(self, offset: int, length: int) -> None:
        """Bytes of the source, as they are."""
        if length <= 0:
            return
        if self._pieces:
            last = self._pieces[-1]
            if isinstance(last, tuple) and last[0] + last[1] == offset:
                self._pieces[-1] = (last[0], last[1] + length)
                return
        self._pieces.append((offset, length))

    def put(self, data: bytes) -> None:
        """Bytes of our own."""
        if data:
            self._pieces.append(data)

    def replace(self, start: int, end: int, data: bytes) -> None:
        """Puts bytes in place of a stretch of the source that lies in one of the pieces that are copied."""
        for number, piece in enumerate(self._pieces):
            if isinstance(piece, tuple) and piece[0] <= start and end <= piece[0] + piece[1]:
                behind = piece[0] + piece[1]
                parts: list[tuple[int, int] | bytes] = [(piece[0], start - piece[0]), data, (end, behind - end)]
                self._pieces[number : number + 1] = [part for part in parts if (part if isinstance(part, bytes) else part[1])]
                return
        raise ValueError(f"bytes {start} to {end} are not copied")

    @property
    def pieces(self) -> tuple[tuple[int, int] | bytes, ...]:
        """What is written, in order: spans of the source (offset and length), and bytes."""
        return tuple(self._pieces)

    @property
    def size(self) -> int:
        """How many bytes will be written."""
        return sum(piece[1] if isinstance(piece, tuple) else len(piece) for piece in self._pieces)

    def chunks(self) -> Iterator[bytes]:
        """The bytes, at most 1 MB of the source at a time. ChangedError where the source has shrunk."""
        for piece in self._pieces:
            if isinstance(piece, bytes):
                yield piece
                continue
            offset, left = piece
            while left > 0:
                data = self.source.read(offset, min(CHUNK, left))
                if not data:
                    raise ChangedError(f"{self.source.name}: the file has shrunk since it was read; open it again before exporting from it")
                yield data
                offset += len(data)
                left -= len(data)
