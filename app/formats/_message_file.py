"""Files that are messages of a framework and nothing else: a list, an object that holds one, several lists, or one conversation a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._format import Progress
from app.formats._growing import Said
from app.formats._nodes import Node, document
from app.formats._payload import Found
from app.formats._peek import Peek, peek
from app.formats._spans import is_lines, items_of
from app.formats._which import wire_of
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind

_KEYS = (
    "messages", "message_history", "all_messages", "new_messages", "values", "channel_values", "checkpoint", "state", "data", "chat",
)  # fmt: skip
_SAYS = frozenset({"role", "type", "lc", "kind"})
_IDS = ("id", "thread_id", "threadId", "chatId", "run_id")
_DEPTH = 5


class MessageFile(CallLog):
    """Base of these formats. `wire`: the word of the wire; `why`: what tells it."""

    wire: ClassVar[str]
    why: ClassVar[str]
    native = False

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        found = [messages for messages in lists_in(seen) if messages]
        mine = sum(self.is_mine(messages) for messages in found)
        return Confidence(self.name, 0.96, self.why) if mine and 2 * mine > len(found) else None

    def is_mine(self, messages: list[Any]) -> bool:
        return is_list_of(messages, self.wire)

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        found = list(self._conversations(sheet, source, first_look))
        if not any(nodes for _, nodes in found):
            raise UnreadableError(f"{source.name}: no messages in it; not a dump of {self.name}")
        for number, (holder, nodes) in enumerate(found):
            value = holder if isinstance(holder, dict) else {}
            id = next((value[key] for key in _IDS if isinstance(value.get(key), str) and value[key]), None)
            title = value.get("title")
            said = Found(messages=[Said(node, self.wire if isinstance(node.value, dict) else "said-user") for node in nodes])
            self.beside(nodes, said)
            name = id or ("main" if len(found) == 1 else f"conversation-{number + 1}")
            sheet.add(Call(name, title if isinstance(title, str) else "", sent=said, model=said.model))
        return sheet.dump(complete=not first_look)

    def _conversations(self, sheet: CallSheet, source: Source, first_look: bool) -> Iterator[tuple[Any, list[Node]]]:
        """The messages of each conversation, and what holds them."""
        if is_lines(source):
            nodes = [node for _, node in items_of(sheet, source, first_look)]
            if 2 * sum(list_at(node) is not None for node in nodes) > len(nodes):
                yield from ((node.value, self._messages(sheet, list_at(node))) for node in nodes)
            else:
                said = [node for place, node in enumerate(nodes) if self._is_message(sheet, node, place)]
                yield None, [node.get("message") or node if bare(node.value) is not node.value else node for node in said]
            return
        root = document(source)
        held = list_at(root)
        if held is None or self.is_mine(held.value):
            yield root.value, self._messages(sheet, held)
            return
        for item in held.elements():
            yield item.value, self._messages(sheet, list_at(item))

    def _messages(self, sheet: CallSheet, node: Node | None) -> list[Node]:
        """The messages of a list; elements that are none are records of their own."""
        items = list(node.elements()) if node is not None else []
        return [item.decoded() for place, item in enumerate(items) if self._is_message(sheet, item, place)]

    def _is_message(self, sheet: CallSheet, node: Node, place: int) -> bool:
        if isinstance(node.value, dict | str):
            return True
        sheet.item(node, place, RecordKind.UNKNOWN)
        return False

    def beside(self, nodes: list[Node], found: Found) -> None:
        """What the messages tell beside what they say: system texts, a model."""


def is_list_of(messages: list[Any], wire: str) -> bool:
    """Whether most of a list are messages, and of this wire."""
    objects = [message for message in messages if isinstance(message, dict)]
    return 2 * len(objects) > len(messages) and wire_of(objects) == wire


def nested(values: list[Any]) -> bool:
    """Whether a list holds conversations, and not messages."""
    held = [v for v in values if isinstance(v, list) or (isinstance(v, dict) and not _SAYS & v.keys() and _list_in(v) is not None)]
    return bool(held) and 2 * len(held) > len(values)


def ids_of(holder: Any) -> tuple[str | None, str]:
    """The id and the title of a conversation, where what holds it tells them."""
    value = holder if isinstance(holder, dict) else {}
    title = value.get("title")
    id = next((value[key] for key in _IDS if isinstance(value.get(key), str) and value[key]), None)
    return id, title if isinstance(title, str) else ""


def lists_in(seen: Peek) -> list[list[Any]]:
    if seen.lines:
        records = list(seen.records)
        whole = [held for record in records if (held := _list_in(record)) is not None]
        return whole or [[bare(record) for record in records]]
    value = _list_in(seen.value)
    if value and all(isinstance(item, list) for item in value):
        return [item for item in value if isinstance(item, list)]
    inner = [held for item in value or [] if isinstance(item, dict) and (held := _list_in(item)) is not None and "role" not in item]
    return [value, *inner] if value is not None else []


def bare(record: Any) -> Any:
    """A message without the envelope of its line."""
    held = record.get("message") if isinstance(record, dict) and "role" not in record else None
    return held if isinstance(held, dict) and "role" in held else record


def _list_in(value: Any, depth: int = 0) -> list[Any] | None:
    if isinstance(value, list):
        return value
    for key in _KEYS if isinstance(value, dict) and depth < _DEPTH else ():
        held = value.get(key)
        if isinstance(held, list | dict) and held:
            found = _list_in(held, depth + 1)
            if found is not None:
                return found
    return None


def list_at(node: Node) -> Node | None:
    """The node of the list that `_list_in` finds."""
    wanted = _list_in(node.value)
    if wanted is None or node.value is wanted:
        return node if wanted is not None else None
    for key in _KEYS:
        inner = node.get(key)
        if inner is not None and _list_in(inner.value) is wanted:
            return list_at(inner)
    return None
