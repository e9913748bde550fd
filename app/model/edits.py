"""Edits are data: they address rows of the transcript that they were made for, never positions.

Row sets are arrays, so that a plan over a million rows is a handful of edits and not a million objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from app.model.kinds import Kind, Role
from app.model.table import Ints

Effect = Literal["exact", "adds", "loses"]
EFFECTS: Final[tuple[Effect, ...]] = ("exact", "adds", "loses")


# -- places ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Before:
    """In front of a row. With `join` the block becomes part of that row's message, else it is a message of its own."""

    row: int
    join: bool = False


@dataclass(frozen=True)
class After:
    """Behind a row; `join` as above."""

    row: int
    join: bool = False


@dataclass(frozen=True)
class HeadOf:
    """At the head of the turn that answers the (joined) turn in which `row`, a call, stands: behind the results that already
    lead that turn, before all else. Made where there is no such turn. What "joined" and "turn" mean is the provider's."""

    row: int


@dataclass(frozen=True)
class End:
    """Behind everything, as a message of its own."""


Place = Before | After | HeadOf | End


# -- content that an edit makes ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """A block that the dump does not hold. The format renders it in its own wire and style.

    kind TOOL_RESULT: answers the call in row `call`, `text` is its content, `error` its mark where the wire has one.
    kind TEXT: a message of `role` with `text`. kind EMPTY: a message of `role` without content.
    """

    kind: Kind
    role: Role
    text: str
    call: int = -1
    error: bool = False


# -- what takes the place of a block's text -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stub:
    """One text in place of all content of a result, media too; a string stays a string, a list a list of one text part."""

    text: str

    def of(self, texts: Iterable[str]) -> list[str]:
        return [self.text]


CAP_NOTE = "\n\n[cut: {missing} characters are missing here; ask for a narrower range or for the next part]"


@dataclass(frozen=True)
class Cap:
    """The first part of a long result and a note that says how many characters (code points) are missing. Text and note have at
    most `max_chars` together, so that a second run changes nothing. Text parts count together; media stays."""

    max_chars: int

    def kept(self, total: int) -> int:
        """How many characters of `total` stay."""
        if total <= self.max_chars:
            return total
        kept = self.max_chars
        for _ in range(4):  # the note grows with the number in it
            kept = max(0, self.max_chars - len(CAP_NOTE.format(missing=total - kept)))
        return kept

    def size(self, total: int) -> int:
        """How many characters a result of `total` has under this cap, the note included."""
        if total <= self.max_chars:
            return total
        kept = self.kept(total)
        return kept + len(CAP_NOTE.format(missing=total - kept))

    def of(self, texts: Iterable[str]) -> list[str]:
        parts = list(texts)
        total = sum(map(len, parts))
        if total <= self.max_chars:
            return parts
        left = kept = self.kept(total)
        out: list[str] = []
        for part in parts:
            out.append(part[:left])
            left -= len(out[-1])
            if left <= 0:
                break
        out[-1] += CAP_NOTE.format(missing=total - kept)
        return out


@dataclass(frozen=True)
class Words:
    """Given text in place of a text block's or a result's text (shape kept as for Stub)."""

    text: str

    def of(self, texts: Iterable[str]) -> list[str]:
        return [self.text]


Content = Stub | Cap | Words


# -- edits --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Drop:
    rows: Ints


@dataclass(frozen=True, eq=False)
class Replace:
    rows: Ints
    content: Content


@dataclass(frozen=True)
class Move:
    row: int
    place: Place


class Deleted:
    """The value of a Set that takes a key away."""


DELETE: Final = Deleted()


@dataclass(frozen=True)
class Set:
    """One field of a row. Fields, neutral as to wire: `call_id`, `name` (of a call), `input` (of a call: the value; a wire that wants
    a JSON string dumps it), `text` (of a text block), `content` (string content of a result, or of the whole message that a row
    stands in), `role` (of its message), `message.KEY` (any other member of the message; value DELETE takes it away),
    `block.KEY` (the same for a member of the block itself)."""

    row: int
    field: str
    value: Any


@dataclass(frozen=True)
class Insert:
    """`together`: part of the message that the insert before it, in the same change, has made; its own place is not looked for."""

    place: Place
    made: Made
    together: bool = False


@dataclass(frozen=True)
class SetRequest:
    """A member of the request beside its messages, by JSON pointer; value DELETE takes it away."""

    pointer: str
    value: Any


Edit = Drop | Replace | Move | Set | Insert | SetRequest


def drop(*rows: int) -> Drop:
    return Drop(np.asarray(rows, np.int32))


def rows_of(edit: Edit) -> Ints:
    """The rows that an edit touches (an insert touches none)."""
    if isinstance(edit, Drop | Replace):
        return edit.rows
    if isinstance(edit, Move | Set):
        return np.asarray([edit.row], np.int32)
    return np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
class Change:
    """A titled group of edits, applied whole or not at all.

    `origin` names its maker: `rule:NAME` or `strategy:SPEC`. Effect: *exact* moves or renames and loses nothing; *adds* states something
    that the dump does not; *loses* removes recorded content.
    """

    title: str
    origin: str
    effect: Effect
    edits: tuple[Edit, ...]
    note: str = ""
    tokens: int = field(default=0)  # change of the total, where known
    budget: int | None = None  # of a plan: what it worked towards ...
    after: int | None = None  # ... and what it came to

    @property
    def missed(self) -> int:
        """Tokens by which a plan is over its budget: the strategy had nothing more to take."""
        return max(0, self.after - self.budget) if self.after is not None and self.budget is not None else 0

    @property
    def overshoot(self) -> float | None:
        """What a plan freed, as a multiple of what its budget needed; None where nothing was needed."""
        if self.after is None or self.budget is None:
            return None
        deficit = self.after - self.tokens - self.budget
        return -self.tokens / deficit if deficit > 0 else None


@dataclass(frozen=True)
class Layer:
    """One undo step: a title and its passes. The changes of one pass address the transcript that the pass before left."""

    title: str
    passes: tuple[tuple[Change, ...], ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(change for changes in self.passes for change in changes)


@dataclass(frozen=True)
class History:
    """Layers and a cursor; undo moves the cursor, no inverse exists. Immutable: `push`, `undo`, `redo` give a new one."""

    layers: tuple[Layer, ...] = ()
    cursor: int = 0

    @property
    def active(self) -> tuple[Layer, ...]:
        return self.layers[: self.cursor]

    @property
    def can_undo(self) -> bool:
        return self.cursor > 0

    @property
    def can_redo(self) -> bool:
        return self.cursor < len(self.layers)

    def push(self, layer: Layer) -> History:
        return History((*self.layers[: self.cursor], layer), self.cursor + 1)

    def undo(self) -> History:
        return History(self.layers, max(0, self.cursor - 1))

    def redo(self) -> History:
        return History(self.layers, min(len(self.layers), self.cursor + 1))
