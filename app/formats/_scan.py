"""Where JSON values begin and end in bytes, without decoding them and without recursion.

Brackets and short strings are found by one regular expression, the end of a long string by its next quotes; depth is a counter, so
that 100,000 levels are no trouble. Only what is lexically JSON is understood: a span says nothing of what is inside it.
All positions are indexes into the bytes that are given.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from app.formats._json import NotJson, loads

_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_TOKEN: Final = re.compile(rb'"(?:[^"\\]{0,200}+")?|[\[\]{}]')
_REST: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.S)
_CLOSE: Final = 24  # bytes between quotes under which looking at each is slower
_SCALAR: Final = re.compile(rb"[-+.0-9A-Za-z]++")


class Torn(ValueError):
    """The data ends inside a value."""


class Malformed(ValueError):
    """What stands at `pos` is no JSON."""

    def __init__(self, pos: int) -> None:
        super().__init__(f"no JSON at byte {pos}")
        self.pos = pos


class Member(NamedTuple):
    """A member of an object: `key` decoded, the span of the key with its quotes from `key_start` to `key_end`, that of the value."""

    key: str
    key_start: int
    key_end: int
    start: int
    end: int


class Object(NamedTuple):
    """`start` is at the brace, `end` behind the closing one."""

    start: int
    end: int
    members: list[Member]

    def get(self, key: str) -> Member | None:
        """The member that a reader takes: the last of those that share the key."""
        return next((member for member in reversed(self.members) if member.key == key), None)


class Array(NamedTuple):
    """`start` is at the bracket, `end` behind the closing one; `spans` are those of the elements."""

    start: int
    end: int
    spans: list[tuple[int, int]]


def skip_space(data: bytes, pos: int) -> int:
    found = _SPACE.match(data, pos)
    assert found is not None
    return found.end()


def value_end(data: bytes, pos: int) -> int:
    """The end of the value that begins at `pos` (no white space). Torn, Malformed. A number at the very end of the data is taken
    to end there."""
    if pos >= len(data):
        raise Torn
    first = data[pos]
    if first in b"[{":
        return _container_end(data, pos)
    if first == 34:
        return _string_end(data, pos)
    found = _SCALAR.match(data, pos)
    if found is None:
        raise Malformed(pos)
    return found.end()


def _container_end(data: bytes, pos: int) -> int:
    depth, at, tokens = 0, pos, _TOKEN.finditer
    while True:
        for token in tokens(data, at):
            start = token.start()
            byte = data[start]
            if byte == 34:
                if token.end() == start + 1:  # a long string, or one with escapes
                    at = _string_end(data, start)
                    break
            elif byte == 123 or byte == 91:
                depth += 1
            else:
                depth -= 1
                if not depth:
                    return token.end()
        else:
            raise Torn


def _string_end(data: bytes, pos: int) -> int:
    """The end of the string whose quote stands at `pos`, by looking at one quote after the other; where they stand close together
    (JSON in a string), the regular expression goes on."""
    at, count, find = pos, 0, data.find
    while True:
        at = find(b'"', at + 1)
        if at < 0:
            raise Torn
        before = at - 1
        while data[before] == 92:
            before -= 1
        if (at - before) & 1:  # an even number of backslashes stands before it
            return at + 1
        count += 1
        if count % 32 == 0 and at - pos < count * _CLOSE:
            found = _REST.match(data, at + 1)
            if found is None:
                raise Torn
            return found.end()


def key_at(data: bytes, pos: int) -> tuple[str, int, int]:
    """A member's key that begins at `pos`: decoded, the end of it, and where its value begins."""
    if pos >= len(data):
        raise Torn
    if data[pos] != 34:
        raise Malformed(pos)
    end = value_end(data, pos)
    try:
        key = loads(data[pos:end])
    except NotJson:
        key = data[pos + 1 : end - 1].decode("utf-8", "replace")
    colon = skip_space(data, end)
    if colon >= len(data):
        raise Torn
    if data[colon] != 58:
        raise Malformed(colon)
    return key, end, skip_space(data, colon + 1)


def scan_object(data: bytes, pos: int = 0) -> Object:
    """The members of the object that begins at `pos`, or behind white space there, values unread. Torn, Malformed."""
    members: list[Member] = []
    pos = skip_space(data, pos)
    if pos >= len(data) or data[pos] != 123:
        raise Malformed(pos)
    at = skip_space(data, pos + 1)
    while True:
        if at >= len(data):
            raise Torn
        if data[at] == 125 and not members:
            return Object(pos, at + 1, members)
        key, key_end, start = key_at(data, at)
        end = value_end(data, start)
        members.append(Member(key, at, key_end, start, end))
        at, closed = _behind(data, end, 125)
        if closed:
            return Object(pos, at, members)


def scan_array(data: bytes, pos: int = 0) -> Array:
    """The elements of the array that begins at `pos`, or behind white space there, unread. Torn, Malformed."""
    spans: list[tuple[int, int]] = []
    pos = skip_space(data, pos)
    if pos >= len(data) or data[pos] != 91:
        raise Malformed(pos)
    at = skip_space(data, pos + 1)
    while True:
        if at >= len(data):
            raise Torn
        if data[at] == 93 and not spans:
            return Array(pos, at + 1, spans)
        end = value_end(data, at)
        spans.append((at, end))
        at, closed = _behind(data, end, 93)
        if closed:
            return Array(pos, at, spans)


def _behind(data: bytes, end: int, closing: int) -> tuple[int, bool]:
    """What follows a value in a container: the place of the next one, or behind the closing bracket."""
    at = skip_space(data, end)
    if at >= len(data):
        raise Torn
    if data[at] == closing:
        return at + 1, True
    if data[at] != 44:
        raise Malformed(at)
    return skip_space(data, at + 1), False
