"""What is done to the lines of a Claude Code session, before any of it is written."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.formats._context import Context
from app.formats._scan import Malformed, Object, Torn, scan_object
from app.formats._style import Style

NAMESPACE: Final = uuid.UUID("6f1c1f0a-7a52-4c0e-9a57-1d9b1b6a4b1e")
COMPACT: Final = Style(colon=":", comma=",")


class MessageContext(Context):
    """A record is the message inside its line."""

    def record(self, record: int) -> tuple[bytes, Object | None]:
        if self._held[0] != record:
            data, line = self.line(record)
            member = line.get("message") if line is not None else None
            inner = data[member.start : member.end] if member is not None else b""
            self._held = record, inner, scan_object(inner) if inner[:1] == b"{" else None
        return self._held[1], self._held[2]

    def line(self, record: int) -> tuple[bytes, Object | None]:
        """The bytes of a line and its members; None where it is no object that can be read."""
        records = self.base.records
        data = self.source.read(int(records.offset[record]), int(records.length[record]))
        try:
            return data, scan_object(data) if data[:1] == b"{" else None
        except (Torn, Malformed):
            return data, None


@dataclass(eq=False)
class Unit:
    """A line that stands where none stood: a made block, a block from another record, or a whole record from elsewhere (`moved`).

    `what`: what it will be read as. `template`: the record whose envelope it takes. `after`: the record of the last row before it that
    stays, -1 none.
    """

    context: MessageContext
    rows: tuple[int, ...]
    what: int
    template: int
    after: int
    moved: int = -1
    uuid: str = ""
    parent: str | None = None

    @property
    def message_id(self) -> str:
        """The id of a message that is made for it."""
        return f"msg_{uuid.uuid5(NAMESPACE, self.uuid).hex[:24]}"

    def same(self, other: Unit) -> bool:
        """Whether another conversation made the same line."""
        if self.moved >= 0 or other.moved >= 0 or self.what != other.what or len(self.rows) != len(other.rows):
            return self.moved >= 0 and self.moved == other.moved
        mine, theirs = self.context, other.context
        return all(
            mine.edited.made.get(a) is not None
            and mine.edited.made.get(a) == theirs.edited.made.get(b)
            and mine.fields(a) == theirs.fields(b)
            and mine.role(a) == theirs.role(b)
            for a, b in zip(self.rows, other.rows, strict=True)
        )


@dataclass(eq=False)
class Laid:
    """What the edits of one conversation put anew: lines by the record that they stand before, and `last`, those behind all of it.
    `units`: the line in which each row stands that has a new one (that of another conversation where both made the same)."""

    index: int
    before: dict[int, list[Unit]] = field(default_factory=dict)
    last: list[Unit] = field(default_factory=list)
    units: dict[int, Unit] = field(default_factory=dict)


@dataclass(eq=False)
class Plan:
    """What is done to the file. Records: `gone` are left out, `moved` stand elsewhere, `stands` (some of both) leave a line that says
    nothing, `walls` (some of these) one that is a wall. Lines: put in front of a record, those of `ahead` first, or `behind` it.
    `changed`: blocks that each changed record still holds, and by which conversation. New parents; what walls say of what they keep;
    what a title says of the record that it is about. `asked`: parents that an edit asked for. `aside`: of those that are gone, what is
    kept in a file of its own. `apart`: records that get a line of their own."""

    gone: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    stands: set[int] = field(default_factory=set)
    walls: set[int] = field(default_factory=set)
    ahead: dict[int, list[Unit]] = field(default_factory=dict)
    before: dict[int, list[Unit]] = field(default_factory=dict)
    behind: dict[int, list[Unit]] = field(default_factory=dict)
    changed: dict[int, tuple[MessageContext, tuple[int, ...]]] = field(default_factory=dict)
    parents: dict[int, str | None] = field(default_factory=dict)
    logical: dict[int, str | None] = field(default_factory=dict)
    kept: dict[int, dict[tuple[str, ...], Any]] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    aside: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)

    def away(self, record: int) -> bool:
        """Whether no line of the record is left where it stood."""
        return (record in self.gone or record in self.moved) and record not in self.stands

    def in_front(self, record: int) -> Iterator[Unit]:
        """The lines that are put in front of a record, in order."""
        yield from self.ahead.get(record, ())
        yield from self.before.get(record, ())

    def units(self) -> Iterator[Unit]:
        for places in (self.ahead, self.before, self.behind):
            for some in places.values():
                yield from some
