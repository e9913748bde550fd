"""What is done to the lines of a Claude Code session, before any of it is written."""

from __future__ import annotations

import uuid
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


@dataclass
class Unit:
    """A line that stands where none stood: a made block, a block from another record, or a whole record from elsewhere (`moved`)."""

    context: MessageContext
    rows: tuple[int, ...]
    moved: int = -1
    uuid: str = ""
    parent: str | None = None


@dataclass(eq=False)
class Plan:
    """What is done to the file: lines left out, lines put in front of a record (len(records): at the end), blocks that each changed
    record still holds, and by which transcript; new parents; what walls say."""

    gone: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    before: dict[int, list[Unit]] = field(default_factory=dict)
    changed: dict[int, tuple[MessageContext, tuple[int, ...]]] = field(default_factory=dict)
    parents: dict[int, str | None] = field(default_factory=dict)
    logical: dict[int, str | None] = field(default_factory=dict)
    kept: dict[int, dict[tuple[str, ...], Any]] = field(default_factory=dict)  # what walls say of what they keep
