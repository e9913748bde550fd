"""Which patterns can be in a text at all: hundreds of words are looked for at once, by the three-letter pieces that a text consists of.

A text of any length costs a few array operations; a word of which one piece is missing is not in it. What remains is looked for by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from app.pipeline.sensitive_patterns import Pattern

SLOTS: Final = 1 << 16


def _codes(data: bytes) -> npt.NDArray[np.uint16]:
    """A slot for each three bytes that follow one another: two of them as they lie, and the third."""
    third = np.frombuffer(data, np.uint8) * np.uint16(24_239)
    even = np.frombuffer(data, "<u2", (len(data) - 1) // 2)
    odd = np.frombuffer(data, "<u2", (len(data) - 2) // 2, 1)
    return np.concatenate([even ^ third[2::2], odd ^ third[3::2]])


class Needles:
    """The patterns, and the words without which each of them finds nothing."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._always = [pattern for pattern in patterns if any(len(needle) < 3 for needle in pattern.needles)]
        always = set(map(id, self._always))
        self._words = [(pattern, needle) for pattern in patterns if id(pattern) not in always for needle in pattern.needles]
        pieces = [_codes(needle.lower().encode()) for _, needle in self._words]
        self._pieces = np.concatenate(pieces)
        self._starts = np.cumsum([0, *map(len, pieces[:-1])])

    def found(self, text: str, small: str) -> list[tuple[Pattern, list[str]]]:
        """The patterns that can be in a text, each with those of its words that are. `small`: the text in small letters."""
        wanted = [(one, [needle for needle in one.needles if needle in (small if one.fold else text)]) for one in self._always]
        found = {id(pattern): (pattern, words) for pattern, words in wanted if words}
        data = small.encode("utf-8", "surrogatepass")
        if len(data) >= 3:
            table = np.zeros(SLOTS, bool)
            table[_codes(data)] = True
            there = np.logical_and.reduceat(table[self._pieces], self._starts)
            for index in np.flatnonzero(there).tolist():
                pattern, needle = self._words[index]
                if needle in (small if pattern.fold else text):
                    found.setdefault(id(pattern), (pattern, []))[1].append(needle)
        return list(found.values())
