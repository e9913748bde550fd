"""What is at hand while an edited conversation is written: the records as they stand in the file, the edits, and the file's style."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from app.formats._scan import Malformed, Object, Torn, scan_array, scan_object
from app.formats._style import Style, escapes, style_of
from app.model.dump import Dump
from app.model.edits import DELETE, Content
from app.model.kinds import Role
from app.model.transcript import Transcript


class Context:
    """`base` is the table that the file was read into, `edited` the transcript that is written. `level` is the indentation of the
    lines in which messages begin, "" where they stand on one line."""

    def __init__(self, dump: Dump, edited: Transcript, example: tuple[int, int] | None, level: str, frame: Style) -> None:
        """`example`: offset and length of a message that shows the style; `frame`: what is known without one."""
        self.base = dump.table
        self.edited = edited
        self.source = dump.source
        self.level = level
        self._example = example
        self._frame = frame
        self._held: tuple[int, bytes, Object | None] = (-1, b"", None)
        self._spans: tuple[int, str, list[tuple[int, int]]] = (-1, "", [])

    # -- the file -----------------------------------------------------------------------------------------------------------

    def record(self, record: int) -> tuple[bytes, Object | None]:
        """The bytes of a record and its members; None where it is no object, or none that can be read."""
        if self._held[0] != record:
            records = self.base.records
            data = self.source.read(int(records.offset[record]), int(records.length[record]))
            found: Object | None = None
            try:
                found = scan_object(data) if data[:1] == b"{" else None
            except (Torn, Malformed):
                found = None
            self._held = record, data, found
        return self._held[1], self._held[2]

    def seen(self, record: int, value: Any) -> Any:
        """A decoded record as it is looked at: what is named in it and stands elsewhere in the file is put in."""
        return value

    def elements(self, record: int, key: str) -> list[tuple[int, int]]:
        """Where the elements of a member that is a list stand in a record's bytes; none where it is no list."""
        if self._spans[:2] != (record, key):
            data, found = self.record(record)
            member = found.get(key) if found is not None else None
            spans = scan_array(data, member.start).spans if member is not None and data[member.start] == 91 else []
            self._spans = record, key, spans
        return self._spans[2]

    @cached_property
    def style(self) -> Style:
        """The style of messages that are made."""
        style = self._frame
        if self._example is not None:
            data = self.source.read(*self._example)
            if data[:1] == b"{":
                style = style_of(data, scan_object(data), style)
        return style.with_ascii(self.ascii)

    def style_of(self, data: bytes, message: Object) -> Style:
        """The style of one message."""
        found = escapes(data)
        return style_of(data, message, self.style).with_ascii(self.ascii if found is None else found)

    @cached_property
    def ascii(self) -> bool:
        """Whether the file writes characters beyond ASCII as escapes: no, where it has one that is not or has none at all."""
        escaped = False
        for chunk in self.source.chunks():
            found = escapes(chunk)
            if found is False:
                return False
            escaped = escaped or found is True
        return escaped

    # -- the edits ----------------------------------------------------------------------------------------------------------

    def fields(self, row: int) -> dict[str, Any]:
        return self.edited.fields.get(row, {})

    def content(self, row: int) -> Content | None:
        return self.edited.content_of(row)

    def call_id(self, row: int) -> str | None:
        """The call id of a row as the edits left it."""
        return self.edited.table.ids.text(int(self.edited.table.key[row]))

    def role(self, row: int) -> Role:
        return Role(int(self.edited.table.role[row]))

    def new_role(self, rows: tuple[int, ...], record: int) -> str | None:
        """The role that edits gave to a message that was a record; None where it has its own."""
        for row in rows:
            value = self.fields(row).get("role")
            if isinstance(value, str) and not isinstance(value, Role):
                return value
        if record >= 0:
            first = int(self.base.record.searchsorted(record))
            if int(self.base.role[first]) == int(self.edited.table.role[rows[0]]):
                return None
        role = self.role(rows[0])
        return None if role == Role.OTHER else role.name.lower()

    def message_fields(self, rows: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
        """Other members of the message that edits set: key and value (DELETE: taken away)."""
        for row in rows:
            for field, value in self.fields(row).items():
                if field.startswith("message."):
                    yield field.removeprefix("message."), value


def encoded(value: Any, style: Style, level: str) -> bytes | None:
    """A value for `rewrite_object`: None takes the member away."""
    return None if value is DELETE else style.dumps(value, level)
