"""Files that are messages of a framework and nothing else, and that are written back: each message is a record (see `_message_file.py`)."""

from __future__ import annotations

from typing import Any, ClassVar

from app.formats._format import Progress
from app.formats._json import BOM
from app.formats._logs import LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._message_file import bare, ids_of, is_list_of, list_at, lists_in, nested
from app.formats._nodes import Node, document
from app.formats._peek import peek
from app.formats._spans import is_lines
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind

ENVELOPE = ("message",)


class MessageLog(Log):
    """Base of these formats. `wire`: the word of the wire (`_which.py`); `why`: what tells it."""

    provider = "openai-chat"
    mode = "prefix"
    native = False
    wire: ClassVar[str]
    why: ClassVar[str]

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = [messages for messages in lists_in(peek(head, whole)) if messages]
        mine = sum(is_list_of(messages, self.wire) for messages in found)
        return Confidence(self.name, 0.96, self.why) if mine and 2 * mine > len(found) else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        if is_lines(source):
            self._lines(sheet, source, first_look)
        else:
            root = document(source)
            held = list_at(root)
            if held is None and {"role", "type"} & bare(root.value).keys():  # a line alone
                self._lines(sheet, source, first_look)
            elif held is not None and nested(held.value):
                for item in held.elements():
                    self._conversation(sheet, item, list_at(item))
            elif held is not None:
                self._conversation(sheet, root, held)
        if not sheet.conversations and not sheet.columns.record_count:
            raise UnreadableError(f"{source.name}: no messages in it; not a dump of {self.name}")
        return sheet.dump(complete=not first_look)

    def _conversation(self, sheet: Sheet, holder: Node, held: Node | None) -> None:
        id, title = ids_of(holder.value)
        number = len(sheet.conversations)
        owner = sheet.conversation(id or ("main" if not number else f"conversation-{number + 1}"), title=title)
        sheet.listed(owner, held)

    def _lines(self, sheet: Sheet, source: Source, first_look: bool) -> None:
        """A conversation one a line, or one message a line."""
        found = list(each_line(source, first_look))
        whole = nested([value for _, _, _, value, _ in found])
        owner: Conversation | None = None
        for number, offset, length, value, odd in found:
            if whole and isinstance(value, dict | list):
                node = Node(source.read(offset, length), value, offset, offset + length, f"/{number}", (), offset)
                self._conversation(sheet, node, list_at(node))
            elif isinstance(value, dict):
                owner = owner or sheet.conversation("main")
                message: Any = bare(value)
                sheet.message(owner, offset, length, number, message, () if message is value else ENVELOPE, odd)
            else:
                sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
        if not whole:
            start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
            sheet.lanes.append(Lane(LINES, start, source.size, 0, sheet.columns.record_count))
