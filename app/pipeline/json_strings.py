"""JSON text rewritten in place: a visitor sees every string, key and number where it stands and says what takes its place; all other
bytes are copied as they are. Nothing is decoded that the visitor does not ask for, and nothing here recurses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|-?[0-9][0-9.eE+\-]*+', re.S)
_UNIT: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\\x80-\xbf][\x80-\xbf]*", re.S
)
_OPEN, _CLOSE, _LIST, _LIST_END, _COMMA, _COLON, _QUOTE = b'{}[],:"'


@dataclass
class Where:
    """Where a token stands. `keys`: for each container that is open its own key (a list's elements bear the list's), None at the top;
    `steps`: for each the key or the index that is looked at in it. Reused from token to token: take what is wanted, keep nothing."""

    keys: list[str | None] = field(default_factory=list)
    steps: list[str | int] = field(default_factory=list)
    key: str | None = None  # the nearest key

    def pointer(self) -> str:
        """The JSON pointer (RFC 6901) of what is looked at."""
        return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in self.steps)


class Visitor(Protocol):
    """Each gives the bytes that take a token's place (a string with its quotes), or None where it stays."""

    def text(self, raw: bytes, where: Where) -> bytes | None: ...
    def key(self, raw: bytes, where: Where) -> bytes | None: ...
    def number(self, raw: bytes, where: Where) -> bytes | None: ...


def rewritten(data: bytes, visitor: Visitor) -> bytes:
    """JSON (one value or several, white space between them) with what a visitor puts in place of its tokens."""
    return b"".join(_pieces(data, visitor))


def _pieces(data: bytes, visitor: Visitor) -> Iterator[bytes]:
    where = Where()
    objects: list[bool] = []
    expects_key = False
    copied = 0
    names: dict[bytes, str] = {}  # keys come again and again
    for found in TOKEN.finditer(data):
        start = found.start()
        first = data[start]
        new: bytes | None = None
        if first == _QUOTE:
            raw = found[0]
            if expects_key:
                expects_key = False
                key = names.get(raw, "")
                if not key:
                    key = names[raw] = decoded(raw)
                where.steps[-1] = where.key = key
                new = visitor.key(raw, where)
            else:
                new = visitor.text(raw, where)
        elif first == _COMMA:
            if objects:
                if objects[-1]:
                    expects_key = True
                else:
                    step = where.steps[-1]
                    where.steps[-1] = step + 1 if isinstance(step, int) else 0
        elif first in (_OPEN, _LIST):
            where.keys.append(where.key)
            objects.append(first == _OPEN)
            where.steps.append("" if first == _OPEN else 0)
            expects_key = first == _OPEN
        elif first in (_CLOSE, _LIST_END):
            expects_key = False
            if objects:
                objects.pop()
                where.steps.pop()
                where.key = where.keys.pop()
        elif first != _COLON:
            new = visitor.number(found[0], where)
        if new is not None:
            yield data[copied:start]
            yield new
            copied = found.end()
    yield data[copied:]


def decoded(raw: bytes) -> str:
    """A string token as text; unpaired surrogates, escaped or as three bytes, are kept."""
    if b"\\" not in raw:
        return raw[1:-1].decode("utf-8", "surrogatepass")
    text: str = json.loads(raw.decode("utf-8", "surrogatepass"), strict=False)
    return text


def encoded(text: str) -> bytes:
    """A text as a string token in ASCII."""
    return json.dumps(text).encode()


def spans(raw: bytes) -> list[int]:
    """Where in a string token each character (code point) of its text begins, and where the last one ends."""
    if b"\\" not in raw and raw.isascii():
        return list(range(1, len(raw)))
    starts = [found.start() + 1 for found in _UNIT.finditer(raw[1:-1])]
    return [*starts, len(raw) - 1]
