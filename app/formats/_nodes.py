"""A JSON document while it is read: each node with its value and its place in the file, scanned no deeper than somebody asks.

A string that holds JSON is a node of its own layer: it has a value and a path, and the place of the string that it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.formats._fast_spans import elements, members
from app.formats._json import BOM, NotJson, loads, loads_odd
from app.formats._met import known_end
from app.formats._paths import DECODE, Path
from app.formats._scan import scan_object, skip_space
from app.model.errors import UnreadableError
from app.model.source import Source


class Node:
    """`value`: decoded. `start`, `end`: offsets in the file, of the string that holds it where the node lies in one. `path`: from that
    string to the node, () where it lies in the file itself. `pointer`: JSON pointer in the file. `base`: where in it
    `data` begins."""

    __slots__ = ("_base", "_data", "_found", "end", "path", "pointer", "start", "value")

    def __init__(self, data: bytes, value: Any, start: int, end: int, pointer: str, path: Path = (), base: int = 0) -> None:
        self._data, self.value, self.start, self.end, self.pointer, self.path = data, value, start, end, pointer, path
        self._base = base
        self._found: dict[str, tuple[int, int]] | None = None  # the spans of the members, once somebody has asked for one

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
            if self._found is None:
                self._found = members(self._data, self.start - self._base, self.end - self._base, known_end)
            span = self._found.get(key)
            return None if span is None else self._inner(value[key], *span, key)
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
        spans = elements(self._data, self.start - self._base, self.end - self._base)
        for number, ((start, end), value) in enumerate(zip(spans, self.value, strict=False)):
            yield self._inner(value, start, end, number)

    def raw(self) -> tuple[bytes, int, int] | None:
        """The bytes that a list stands in, and its span there; None where it has none of its own, or is no list."""
        begin, end = self.start - self._base, self.end - self._base
        return (self._data, begin, end) if isinstance(self.value, list) and not self.path and 0 <= begin < end <= len(self._data) else None

    def spans(self) -> list[tuple[int, int]]:
        """Where the elements of a list stand in its bytes (see `raw`)."""
        return elements(self._data, self.start - self._base, self.end - self._base)

    def element(self, value: Any, start: int, end: int, number: int) -> Node:
        """An element of a list that stands from `start` to `end` behind its first byte."""
        begin = self.start - self._base
        return self._inner(value, begin + start, begin + end, number)

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of an object; none where it is none."""
        if not isinstance(self.value, dict):
            return
        if self.path:
            for key, value in self.value.items():
                yield key, self._deeper(value, key)
            return
        for member in scan_object(self._data, self.start - self._base).members:
            yield member.key, self._inner(self.value[member.key], member.start, member.end, member.key)

    def decoded(self) -> Node:
        """What a string holds, where that is a JSON object or list; the node itself where it is none."""
        if not isinstance(self.value, str) or self.value.lstrip()[:1] not in ("{", "[", '"'):
            return self
        try:
            value = loads(self.value.encode("utf-8", "surrogatepass"))
        except NotJson:
            return self
        inner = self.inside(value, DECODE)
        return inner.decoded() if isinstance(value, str) else inner if isinstance(value, dict | list) else self

    def inside(self, value: Any, *tokens: str | int) -> Node:
        """What stands inside of this node by a path of its own, where it has no bytes of its own in the file."""
        return Node(self._data, value, self.start, self.end, self.pointer, (*self.path, *tokens), self._base)

    def _deeper(self, value: Any, token: str | int) -> Node:
        return self.inside(value, token)

    def _inner(self, value: Any, start: int, end: int, token: str | int) -> Node:
        """A member or an element at its place in `data`."""
        pointer = f"{self.pointer}/{_token(str(token))}"
        return Node(self._data, value, start + self._base, end + self._base, pointer, (), self._base)


def document(source: Source) -> Node:
    """The whole document. UnreadableError where it is none."""
    return document_in(source, 0, source.size)


def whole_document(source: Source) -> Node | None:
    """The document where the file is one; None where it is lines."""
    head = source.read(0, 64).removeprefix(BOM).lstrip(b" \t\r\n")
    try:
        return document(source) if head[:1] in (b"[", b"{") else None
    except UnreadableError:
        return None


def document_in(source: Source, begin: int, end: int, pointer: str = "") -> Node:
    """The document between two places of a source. UnreadableError where there is none."""
    data = source.read(begin, end - begin)
    start = skip_space(data, len(BOM) if data.startswith(BOM) else 0)
    try:
        value, _ = loads_odd(data[start:])
    except NotJson:
        raise UnreadableError(f"{source.name}: it is damaged or cut off, so that it cannot be read as one JSON document") from None
    if not isinstance(value, dict | list):
        raise UnreadableError(f"{source.name}: it is no JSON object or list")
    return Node(data, value, begin + start, begin + len(data.rstrip(b" \t\r\n")), pointer, base=begin)


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
