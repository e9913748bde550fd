"""Recorded event streams by themselves: the text of server-sent events, a JSON list of events, or one event a line.

Each event is a record; the messages that they make together are records of the whole file. Several answers may stand in one file: each is
a transcript of its own, since what was asked is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._deep import EACH_LINE, TEXT
from app.formats._format import Progress
from app.formats._json import BOM, NotJson, loads
from app.formats._logs import each_line
from app.formats._nodes import Node, document
from app.formats._payload import came
from app.formats._peek import Peek, peek
from app.formats._streams import STREAM, answers, events, kind_of
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind

_HEADS = (b"data:", b"event:", b"id:", b"retry:", b":")


class StreamLog(CallLog):
    """Base of these formats. `kind`: the word of `_streams.KINDS` whose events it reads; `words`: what they are called."""

    kind: ClassVar[str]
    words: ClassVar[str]

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        if is_text(head):
            found = list(events(head.decode("utf-8", "replace")))
            if not found or not self._mine(found):
                return None
            return Confidence(self.name, 0.95, f"server-sent events: {self.words}")
        listed = _listed(peek(head, whole))
        if not listed or not self._mine(listed):
            return None
        return Confidence(self.name, 0.97, f"events: {self.words}")

    def _mine(self, found: list[Any]) -> bool:
        kinds = [kind_of(event) for event in found]
        return 2 * kinds.count(self.kind) > len(kinds)

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
        head = source.read(start, 4096)
        if is_text(head):
            root = _of_text(source, sheet, start)
        elif peek(head, source.size <= start + 4096).lines or _is_lines(head):
            root = _of_lines(source, sheet, first_look)
        else:
            root = document(source)
            for place, item in enumerate(root.elements()):
                sheet.item(item, place, RecordKind.META if isinstance(item.value, dict) else RecordKind.UNKNOWN)
        self.calls(sheet, root)
        return sheet.dump(complete=not first_look)

    def calls(self, sheet: CallSheet, root: Node) -> None:
        """The answers of a stream, each a conversation of its own."""
        found = answers(root.value)
        for number, answer in enumerate(found):
            node = root.inside(answer, STREAM, number)
            told = came(node)
            call = Call(told.id or (f"answer-{number + 1}" if len(found) > 1 else "main"), "answer", came=told, model=told.model)
            if told.error is not None:
                call.refusal = (None, told.error)
            sheet.add(call)


def is_text(head: bytes) -> bool:
    """Whether a head is the text of an event stream."""
    return head.lstrip(b" \t\r\n").startswith(_HEADS)


def _is_lines(head: bytes) -> bool:
    """Whether the first line is an object by itself, and another line follows."""
    first, found, rest = head.lstrip().partition(b"\n")
    if not found or not rest.strip() or first[:1] != b"{":
        return False
    try:
        return isinstance(loads(first), dict)
    except NotJson:
        return False


def _listed(seen: Peek) -> list[Any]:
    if seen.lines:
        return [item for item in seen.records if isinstance(item, dict)]
    return seen.value[:200] if isinstance(seen.value, list) else []


def _of_text(source: Source, sheet: CallSheet, start: int) -> Node:
    """The text of a file; each stretch between blank lines is a record."""
    data = source.read(start, source.size - start)
    for place, (offset, length) in enumerate(_stretches(data)):
        node = Node(data, None, start + offset, start + offset + length, f"/{place}")
        sheet.item(node, place)
    return Node(data, data.decode("utf-8", "replace"), start, source.size, "", (TEXT,))


def _stretches(data: bytes) -> Iterator[tuple[int, int]]:
    """Offset and length of the lines between blank ones."""
    at, begin = 0, -1
    for line in data.splitlines(keepends=True):
        if line.strip():
            begin = at if begin < 0 else begin
            end = at + len(line.rstrip(b"\r\n"))
        elif begin >= 0:
            yield begin, end - begin
            begin = -1
        at += len(line)
    if begin >= 0:
        yield begin, end - begin


def _of_lines(source: Source, sheet: CallSheet, first_look: bool) -> Node:
    """One event a line."""
    values = []
    for number, offset, length, value, _odd in each_line(source, first_look):
        if isinstance(value, dict):
            sheet.item(Node(b"", value, offset, offset + length, f"/{number}"), number)
            values.append(value)
        else:
            sheet.unparsed(offset, length, number)
    if not values:
        raise UnreadableError(f"{source.name}: it holds no line that could be read")
    return Node(b"", values, 0, source.size, "", (EACH_LINE,))
