"""A JSON document while it is read: each node with its value and its place in the file, scanned no deeper than somebody asks.

A string that holds JSON is a node of its own layer: it has a value and a path, and the place of the string that it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.formats._json import BOM, NotJson, loads, loads_odd
from app.formats._paths import DECODE, Path
from app.formats._scan import Malformed, Torn, scan_array, scan_object, skip_space
from app.model.errors import UnreadableError
from app.model.source import Source


class Node:
    """`value`: decoded. `start`, `end`: offsets in the file, of the string that holds it where the node lies in one. `path`: from that
    string to the node, () where it lies in the file itself. `pointer`: JSON pointer in the file."""

    __slots__ = ("_data", "end", "path", "pointer", "start", "value")

    def __init__(self, data: bytes, value: Any, start: int, end: int, pointer: str, path: Path = ()) -> None:
        self._data, self.value, self.start, self.end, self.pointer, self.path = data, value, start, end, pointer, path

    @property
    def length(self) -> int:
        return self.end - self.start

    def get(self, *keys: str | int) -> Node | None:
        """A member or an element, or one of one of it; None where there is none."""
        node: Node | None = self
        for key in keys:
            node = node._child(key) if node is not None else None
        return node

    def _child(self, key: str | int) -> Node | None:
        value = self.value
        if isinstance(key, str) and isinstance(value, dict) and key in value:
            if self.path:
                return self._deeper(value[key], key)
            member = scan_object(self._data, self.start).get(key)
            return None if member is None else Node(self._data, value[key], member.start, member.end, f"{self.pointer}/{_token(key)}")
        if isinstance(key, int) and isinstance(value, list) and 0 <= key < len(value):
            return next(node for number, node in enumerate(self.elements()) if number == key)
        return None

    def elements(self) -> Iterator[Node]:
        """The elements of a list; none where it is no list."""
        if not isinstance(self.value, list):
            return
        if self.path:
            for number, value in enumerate(self.value):
                yield self._deeper(value, number)
            return
        for number, ((start, end), value) in enumerate(zip(scan_array(self._data, self.start).spans, self.value, strict=False)):
            yield Node(self._data, value, start, end, f"{self.pointer}/{number}")

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of an object; none where it is none."""
        if not isinstance(self.value, dict):
            return
        if self.path:
            for key, value in self.value.items():
                yield key, self._deeper(value, key)
            return
        for member in scan_object(self._data, self.start).members:
            yield member.key, Node(self._data, self.value[member.key], member.start, member.end, f"{self.pointer}/{_token(member.key)}")

    def decoded(self) -> Node:
        """What a string holds, where that is a JSON object or list; the node itself where it is none."""
        if not isinstance(self.value, str) or self.value.lstrip()[:1] not in ("{", "[", '"'):
            return self
        try:
            value = loads(self.value.encode("utf-8", "surrogatepass"))
        except NotJson:
            return self
        inner = Node(self._data, value, self.start, self.end, self.pointer, (*self.path, DECODE))
        return inner.decoded() if isinstance(value, str) else inner if isinstance(value, dict | list) else self

    def _deeper(self, value: Any, token: str | int) -> Node:
        return Node(self._data, value, self.start, self.end, self.pointer, (*self.path, token))


def document(source: Source) -> Node:
    """The whole document. UnreadableError where it is none."""
    data = source.read(0, source.size)
    start = skip_space(data, len(BOM) if data.startswith(BOM) else 0)
    try:
        value, _ = loads_odd(data[start:])
    except NotJson:
        raise UnreadableError(f"{source.name}: it is damaged or cut off, so that it cannot be read as one JSON document") from None
    try:
        (scan_array if data[start : start + 1] == b"[" else scan_object)(data, start)
    except (Torn, Malformed):
        raise UnreadableError(f"{source.name}: it is no JSON object or list") from None
    return Node(data, value, start, len(data.rstrip(b" \t\r\n")), "")


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
