"""Aider's chat history (`.aider.chat.history.md`): Markdown that is appended to, read and never written.

`# aider chat started at ...` begins a session, `#### ` stands before each line of a person's words, `> ` before what Aider says itself; all
else is the model's. An answer that has a heading of the fourth level in it cannot be told from a person's words. What lies between two of
these is a record, a stretch of lines.
Source: Aider-AI/aider aider/io.py (`append_chat_history`, `user_input`, `tool_output`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from app.formats._columns import Columns
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._json import BOM
from app.formats._logs import Log, Sheet
from app.formats._pieces import Piece, add_pieces, blocks_of
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind, Table

STARTED: Final = b"# aider chat started at "
_MARKS: Final = {"user": b"####", "output": b">"}
_SORTS: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "output": Role.OTHER}


class AiderWire:
    """A stretch of lines as a message."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, [_piece(value)], odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of([_piece(value)], first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "text"


def _piece(value: dict[str, Any]) -> Piece:
    flags = Flag.INJECTED if value["sort"] == "output" else 0
    return Piece(Kind.TEXT, value["sort"], _SORTS[value["sort"]], "", (value["text"],), flags=flags, value=value["text"])


class Aider(Log):
    name = "aider"
    summary = "Aider: a chat history in Markdown"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    writable = False
    dialect = Dialect(AiderWire(), lambda context, run: [])

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        if head.lstrip(b"\r\n \t").startswith(STARTED):
            return Confidence(self.name, 0.98, "# aider chat started at")
        return Confidence(self.name, 0.9, "lines of # aider chat started at") if b"\n" + STARTED in head else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        owner = None
        for place, offset, data in _stretches(source.all()):
            sort = _sort(data)
            if sort == "start":
                title = data[len(STARTED) :].strip().decode("utf-8", "replace")
                owner = sheet.conversation(str(len(sheet.conversations)), title=title)
                sheet.other(offset, len(data), place, RecordKind.META, owner=len(sheet.conversations) - 1)
            elif owner is None or not data.strip():
                sheet.other(offset, len(data), place, RecordKind.META, owner=len(sheet.conversations) - 1)
            else:
                sheet.message(owner, offset, len(data), place, _decoded(data))
            if progress is not None and not place % 4096:
                progress(min(1.0, offset / max(1, source.size)))
        if not sheet.conversations:
            raise UnreadableError(f"{source.name}: it has no line that begins with {STARTED.decode().strip()}")
        return sheet.dump(complete=not first_look)

    def value(self, table: Table, source: Source, record: int) -> Any:
        records = table.records
        return _decoded(source.read(int(records.offset[record]), int(records.length[record])))


def _sort(line: bytes) -> str:
    """What a line is: the start of a session, a person's words, what Aider says, or what the model says."""
    if line.startswith(STARTED):
        return "start"
    return next((sort for sort, mark in _MARKS.items() if line.startswith((mark + b" ", mark + b"\n", mark + b"\r"))), "assistant")


def _stretches(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Neighbouring lines of one sort: the number of the first line, its offset, the bytes. Blank lines go with those before them."""
    at = begin = len(BOM) if data.startswith(BOM) else 0
    first, sort = 0, ""
    for number, line in enumerate(data[begin:].splitlines(keepends=True) if b"\r" not in data else _lines(data[begin:])):
        own = _sort(line)
        blank = not line.strip()
        if sort and not (blank and sort != "user") and (own != sort or own == "start" or (blank and sort == "user")):
            yield first, begin, data[begin:at]
            first, begin, sort = number, at, ""
        if not sort:
            sort = own
        at += len(line)
    if at > begin:
        yield first, begin, data[begin:at]


def _lines(data: bytes) -> list[bytes]:
    """Lines that end with a newline, whatever else is in them."""
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + ([data.rsplit(b"\n", 1)[-1]] if data and not data.endswith(b"\n") else [])


def _decoded(data: bytes) -> dict[str, Any]:
    sort = _sort(data)
    mark = _MARKS.get(sort)
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    if mark is not None:
        word = mark.decode()
        lines = [line.removeprefix(word).removeprefix(" ").rstrip() for line in lines]
    return {"sort": sort if sort != "start" else "assistant", "text": "\n".join(lines).strip("\n")}


FORMAT = Aider()
