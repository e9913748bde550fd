"""The head of a file, decoded as far as it goes: what sniffing looks at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from app.formats._json import NotJson, loads

_TOKEN: Final = re.compile(rb'"(?:[^"\\]*+(?:\\.[^"\\]*+)*+")?|[\[\]{},]', re.S)
_DEPTH_MAX: Final = 400
_LINES_MAX: Final = 200
_TRIES: Final = 4


@dataclass(frozen=True)
class Peek:
    """`value`: the document, closed where the head cuts it off; None where it is none. `records`: the first lines of a file of lines,
    those that hold no JSON left out; one alone is both. `lines`: this is a file of lines and not one document. `cut`: more of it
    follows. `first`: the first byte that is no white space."""

    value: Any = None
    records: tuple[Any, ...] = ()
    lines: bool = False
    cut: bool = False
    first: int = -1

    def messages(self) -> list[Any] | None:
        """The list of messages of a document that is one or has one; None where there is none."""
        if self.lines:
            return None
        held = self.value.get("messages") if isinstance(self.value, dict) else self.value
        return held if isinstance(held, list) else None


@lru_cache(maxsize=2)
def peek(head: bytes, whole: bool) -> Peek:
    """Decodes a head without a byte order mark. Never raises."""
    text = head.lstrip(b" \t\r\n")
    if not text:
        return Peek()
    first = text[0]
    if first not in b"{[":
        return Peek(first=first)
    if whole:
        try:
            value = loads(text)
        except NotJson:
            pass
        else:
            return Peek(value, (value,), False, False, first)
    records = _records(text, whole)
    if records:
        return Peek(None, tuple(records), True, not whole, first)
    return Peek(_document(text), (), False, True, first)


def _records(text: bytes, whole: bool) -> list[Any]:
    """The lines that hold an object or a list each, where at least one does and others follow; none where this is one document."""
    lines = text.split(b"\n", _LINES_MAX)
    rest = lines.pop() if len(lines) > _LINES_MAX or not whole else b""
    if not lines or len(lines[0].strip()) < 2:
        return []
    found: list[Any] = []
    for number, line in enumerate(lines):
        line = line.strip()
        if line[:1] in (b"{", b"[") and line[-1:] in (b"}", b"]"):
            try:
                value = loads(line)
            except NotJson:
                continue
            if isinstance(value, dict | list):
                found.append(value)
        elif line and not found and number > 3:
            return []
    more = len(found) > 1 or any(line.strip() for line in lines[1:]) or bool(rest.strip())
    return found if found and more else []


def _document(text: bytes) -> Any:
    """A document that the head cuts off, or that is damaged, closed behind its last whole part before the damage; None where that
    is no use. Bytes that are no UTF-8 are replaced: this is for a look only."""
    for _ in range(_TRIES):
        closed = _closed(text)
        if closed is None:
            return None
        data, stack = closed
        try:
            value = loads(data.decode("utf-8", "replace").encode())
        except NotJson as error:
            if not 0 < error.pos < len(text):
                return None
            text = text[: error.pos]
            continue
        _without_torn(value, stack)
        return value
    return None


def _closed(text: bytes) -> tuple[bytes, bytes] | None:
    """The text up to the last comma from which all brackets can be closed, with those, and the brackets that were open there."""
    stack = bytearray()
    best = -1
    open_there = b""
    for token in _TOKEN.finditer(text):
        at = token.start()
        byte = text[at]
        if byte == 34:
            if token.end() == at + 1:
                break
        elif byte in b"[{":
            stack.append(byte)
            if len(stack) > _DEPTH_MAX:
                break
            best, open_there = at + 1, bytes(stack)
        elif byte == 44:
            best, open_there = at, bytes(stack)
        else:
            if not stack:
                return None
            stack.pop()
            best, open_there = at + 1, bytes(stack)
            if not stack:
                break
    if best < 0:
        return None
    closing = bytes(125 if byte == 123 else 93 for byte in reversed(open_there))
    return text[:best] + closing, open_there


def _without_torn(value: Any, stack: bytes) -> None:
    """Takes the last element, which may be torn, from the outermost open list that holds another one as well."""
    node = value
    for byte in stack:
        if byte == 91:
            if not isinstance(node, list) or not node:
                return
            if len(node) > 1:
                node.pop()
                return
            node = node[-1]
        else:
            if not isinstance(node, dict) or not node:
                return
            node = node[next(reversed(node))]
