"""JSON and JSON Lines of no kind that is known: each record is shown, those that say who says what as messages. They are read, not written.

The last resort: any other format that fits comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.formats._guess import first_of, is_message, message_pieces
from app.formats._json import compact
from app.formats._logs import About, each_line
from app.formats._nodes import Node, document
from app.formats._peek import peek
from app.formats._pieces import Piece
from app.formats._told import ToldLog, milliseconds
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Kind, Role
from app.model.source import Source

_WRAPPERS: Final = ("message", "data", "payload", "event", "msg", "item", "body")
"""Members that may hold the message of a record."""
_LISTS: Final = (
    "messages", "history", "conversation", "chat_messages", "conversations", "turns", "transcript", "entries", "events", "records", "items",
    "steps", "trajectory", "log", "data",
)  # fmt: skip
"""Members of a document that may hold its records."""
_TIMES: Final = ("timestamp", "created_at", "createdAt", "time", "ts", "date", "recorded_at")


class AnyRecords(ToldLog):
    name = "records"
    summary = "Any JSON or JSON Lines: records, messages where they can be told"
    provider = "openai-chat"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        if seen.lines:
            objects = [record for record in seen.records if isinstance(record, dict) and record]
            if not objects or 2 * len(objects) < len(seen.records):
                return None
            keys = sorted({key for record in objects[:20] for key in record})
        elif whole and seen.cut:  # a document that is damaged
            return None
        elif isinstance(seen.value, dict) and seen.value:
            keys = list(seen.value)
        elif isinstance(seen.value, list) and any(isinstance(one, dict) and one for one in seen.value):
            keys = sorted({key for one in seen.value[:20] if isinstance(one, dict) for key in one})
        else:
            return None
        said = ", ".join("".join(c if c.isprintable() else "?" for c in key[:30]) for key in keys[:8])
        return Confidence(self.name, 0.01, f"of no kind that is known here (keys: {said})")

    def nodes(self, source: Source, first_look: bool) -> Iterator[tuple[int, int, int, Any, bool, str | None]]:
        try:
            root: Node | None = document(source)
        except UnreadableError:
            root = None
        if root is None:
            for number, offset, length, value, odd in each_line(source, first_look):
                yield number, offset, length, value, odd, None
            return
        found = _records_of(root)
        if found is None:
            yield 0, root.start, root.length, root.value, True, ""
            return
        for place, item in enumerate(found.elements()):
            yield place, item.start, item.length, item.value, True, item.pointer

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        return told(value) or [Piece(Kind.OTHER, _word(value), Role.OTHER, "", (compact(value),), value=value)]

    def about(self, value: dict[str, Any]) -> About:
        model, stamp = value.get("model"), first_of(value, *_TIMES)
        time = milliseconds(stamp) if isinstance(stamp, str) or (isinstance(stamp, int | float) and stamp > 1e11) else None
        return About(time=time, model=model if isinstance(model, str) else None)

    def parse(self, source: Source, progress: Any = None, first_look: bool = False) -> Dump:
        dump = super().parse(source, progress, first_look)
        dump.table.wire = ""  # nobody's
        return dump


def told(value: dict[str, Any]) -> list[Piece]:
    """The blocks of a record that is a message, or holds one; none of any other."""
    if is_message(value) and (found := message_pieces(value)):
        return found
    word = value.get("type")
    if isinstance(word, str) and is_message({**value, "role": word}) and (found := message_pieces(value, "", word)):
        return found
    for key in _WRAPPERS:
        held = value.get(key)
        if isinstance(held, dict):
            if is_message(held) and (found := message_pieces(held, f"/{key}")):
                return found
            word = value.get("role", value.get("type"))
            if isinstance(word, str) and "content" in held and is_message({**held, "role": word}):
                return message_pieces(held, f"/{key}", word)
    return []


def _word(value: dict[str, Any]) -> str:
    word = value.get("type", value.get("kind", value.get("event")))
    return word[:60] if isinstance(word, str) and word else "record"


def _records_of(root: Node) -> Node | None:
    """The list that holds the records of a document: the document itself, or the member of it that has most that can be told."""
    if isinstance(root.value, list):
        return root
    lists = [node for key in _LISTS if (node := root.get(key)) is not None and isinstance(node.value, list) and node.value]
    inner = [node for key in ("conversation", "session", "chat") if (node := root.get(key, "messages")) is not None]
    held = [node for node in (*lists, *inner) if isinstance(node.value, list) and any(isinstance(one, dict) for one in node.value)]
    return max(held, key=lambda node: sum(bool(isinstance(one, dict) and told(one)) for one in node.value), default=None)


FORMAT = AnyRecords()
