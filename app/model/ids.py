"""The call ids of a table, one for each number in its column `key`, packed: 350,000 of them as objects would be 30 MB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pickle import PickleBuffer
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Ids:
    """`blob`: the ids one behind the other (UTF-8, unpaired surrogates kept); `ends`: where each ends, in bytes."""

    blob: bytes | memoryview
    ends: npt.NDArray[Any]  # int64

    @classmethod
    def of(cls, ids: Iterable[str]) -> Ids:
        """In the order of their numbers."""
        ids = list(ids)
        whole = "".join(ids)
        if whole.isascii():  # characters are bytes: nothing is encoded one by one
            return cls(whole.encode(), np.cumsum(np.fromiter(map(len, ids), np.int64, len(ids))))
        parts = [text.encode("utf-8", "surrogatepass") for text in ids]
        return cls(b"".join(parts), np.cumsum([len(part) for part in parts], dtype=np.int64) if parts else np.empty(0, np.int64))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return Ids, (PickleBuffer(self.blob) if int(protocol) >= 5 else bytes(self.blob), self.ends)

    def __len__(self) -> int:
        return len(self.ends)

    def text(self, key: int) -> str | None:
        """The id of a number; None for -1 and for numbers that are not known."""
        if not 0 <= key < len(self.ends):
            return None
        start = int(self.ends[key - 1]) if key else 0
        return str(self.blob[start : int(self.ends[key])], "utf-8", "surrogatepass")

    def number(self, text: str) -> int:
        """The number of an id, -1 where the table has none such: for a few, without a dictionary of all."""
        return next(self._found(text, whole=True), -1)

    def beginning(self, text: str, limit: int = 8) -> list[int]:
        """Numbers of the ids that begin with a text, at most `limit` of them."""
        return [number for number, _ in zip(self._found(text, whole=False), range(limit), strict=False)]

    def _found(self, text: str, whole: bool) -> Iterator[int]:
        wanted = text.encode("utf-8", "surrogatepass")
        for found in re.finditer(re.escape(wanted), self.blob) if wanted else ():
            number = int(np.searchsorted(self.ends, found.start(), side="right"))
            start, stop = int(self.ends[number - 1]) if number else 0, int(self.ends[number])
            if found.start() == start and (found.end() == stop if whole else found.end() <= stop):
                yield number

    def numbers(self) -> dict[str, int]:
        """Id to number, for all of them: for whoever has several to look up."""
        ends = self.ends.tolist()
        text = bytes(self.blob)
        return {
            text[start:end].decode("utf-8", "surrogatepass"): number
            for number, (start, end) in enumerate(zip([0, *ends], ends, strict=False))
        }  # fmt: skip

    def grown(self, more: Iterable[str]) -> Ids:
        """With further ids, which get the next numbers."""
        new = Ids.of(more)
        return Ids(bytes(self.blob) + bytes(new.blob), np.concatenate([self.ends, new.ends + len(self.blob)]))
