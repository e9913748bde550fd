"""Two transcripts beside one another: what went, what changed, what was added, where they part. Columns, as all that may be long."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np

from app.model.kinds import quick
from app.model.table import Ints


@quick
class What(IntEnum):
    """What became of a block."""

    SAME = 0
    GONE = 1  # the second has none for it
    ADDED = 2  # the first has none for it
    STUBBED = 3  # a few words stand in place of its text
    CAPPED = 4  # its beginning, or its beginning and end, are left
    REWRITTEN = 5  # another text
    CHANGED = 6  # other arguments, name, role, id or error mark (see Aspect)
    MOVED = 7  # the same, elsewhere

    @property
    def word(self) -> str:
        return self.name.lower()


class Aspect:
    """Bits: in what two blocks that stand for one another differ."""

    TEXT: Final = 1
    ARGUMENTS: Final = 2
    NAME: Final = 4
    ROLE: Final = 8
    ID: Final = 16
    ERROR: Final = 32
    MEDIA: Final = 64
    PLACE: Final = 128


ASPECTS: Final = {
    Aspect.TEXT: "text", Aspect.ARGUMENTS: "arguments", Aspect.NAME: "tool name", Aspect.ROLE: "role", Aspect.ID: "call id",
    Aspect.ERROR: "error mark", Aspect.MEDIA: "media", Aspect.PLACE: "place",
}  # fmt: skip


def aspects(bits: int) -> str:
    """`arguments, call id`."""
    return ", ".join(word for bit, word in ASPECTS.items() if bits & bit)


def linked_words(ids: tuple[str | None, str | None]) -> str:
    """`linked anew: call id toolu_01A -> toolu_01B`."""
    return f"linked anew: call id {ids[0] or 'none'} -> {ids[1] or 'none'}"


@dataclass(frozen=True)
class Side:
    """One of the two: what it is called, and how much it holds. `tokens` are an estimate unless `exact`."""

    name: str
    transcript: str
    format: str
    messages: int
    blocks: int
    tokens: int
    exact: bool = False


@dataclass(frozen=True)
class Common:
    """What both begin with: whole messages, blocks, bytes of these blocks as they are written (compact JSON of each, and of the first
    that differs as far as it is the same) and tokens. `places`: where they part, as pointers in either file; None where one ends."""

    messages: int
    blocks: int
    bytes: int
    tokens: int
    places: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True)
class Section:
    """A run of lines within one exchange. `label` as `E31`; `second`: it stands in the second only. Tokens on either side."""

    label: str
    first: int
    end: int
    second: bool
    before: int
    after: int
    counts: tuple[int, ...]  # by What


@dataclass(eq=False)
class Compared:
    """One entry a line, in the order of the first with what was added where it stands in the second.

    `a`, `b`: positions in what would be sent, -1 where there is none; `rows_a`, `rows_b` the rows of the tables; `tokens_a`, `tokens_b`.
    `aspect`: bits of Aspect. `renamed`: call ids that have another name all through the second. `whole`: all was compared.
    """

    sides: tuple[Side, Side]
    common: Common
    what: Ints  # uint8
    a: Ints  # int32
    b: Ints  # int32
    rows_a: Ints  # int32
    rows_b: Ints  # int32
    kind: Ints  # uint8, Kind
    aspect: Ints  # uint8
    tokens_a: Ints  # int32
    tokens_b: Ints  # int32
    sections: tuple[Section, ...] = ()
    renamed: int = 0
    counts: dict[str, int] = field(default_factory=dict)  # by word of What, those that are there

    def __len__(self) -> int:
        return len(self.what)

    @property
    def differences(self) -> int:
        return int(np.count_nonzero(self.what != What.SAME))

    @property
    def same(self) -> bool:
        return self.differences == 0


@dataclass(frozen=True)
class Words:
    """A line in words: what the block is called, and the heads of its text on either side (None: it is not there)."""

    name: str
    before: str | None
    after: str | None
    at: tuple[str | None, str | None] = (None, None)  # pointers
    id: str | None = None
    linked: tuple[str | None, str | None] | None = None  # the call ids of a block whose id differs and is not renamed throughout
