"""Where the members of a large object and the elements of a large list stand, at the speed of the decoder.

A value is given to orjson with what follows it: where it says that content stands behind the value, that is where the value ends. It is
given a little first, and more of it where it ends early. What orjson refuses for another reason is scanned (`_scan.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import orjson

from app.formats._scan import Malformed, Torn, key_at, scan_array, scan_object, skip_space, value_end

_SMALL: Final = 1 << 14  # bytes under which scanning is as fast
_FIRST: Final = 1 << 11
_FEW: Final = 4  # elements that are scanned, as decoding costs more than they do
_MORE: Final = "unexpected content after document"


Known = Callable[[bytes, int, int], int]


def members(data: bytes, start: int, end: int, known: Known) -> dict[str, tuple[int, int]]:
    """The spans of the values of an object from `start` to `end`, by key, the last of those that share one. `known`: where the list at a
    place ends, or -1 where it does not know. Torn, Malformed."""
    if end - start < _SMALL:
        return {member.key: (member.start, member.end) for member in scan_object(data, start).members}
    found: dict[str, tuple[int, int]] = {}
    at = skip_space(data, skip_space(data, start) + 1)
    while at < end and data[at] != 125:
        key, _, begin = key_at(data, at)
        stop = known(data, begin, end) if data[begin : begin + 1] == b"[" else -1
        if stop < 0:
            stop = _value_end(data, begin, end)
        found[key] = (begin, stop)
        at = _next(data, stop, 125)
    return found


def elements(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the elements of a list from `start` to `end`. Torn, Malformed."""
    if end - start < _SMALL:
        return scan_array(data, start).spans
    found: list[tuple[int, int]] = []
    at = skip_space(data, skip_space(data, start) + 1)
    while at < end and data[at] != 93:
        stop = _value_end(data, at, end)
        found.append((at, stop))
        at = _next(data, stop, 93)
    return found


def elements_behind(data: bytes, stop: int, end: int) -> list[tuple[int, int]]:
    """The spans of the elements that follow the one that ends at `stop`, in a list that ends at `end` or before. Torn, Malformed."""
    found: list[tuple[int, int]] = []
    at = _next(data, stop, 93)
    while at < end and data[at] != 93:
        stop = value_end(data, at) if len(found) < _FEW else _value_end(data, at, end)
        found.append((at, stop))
        at = _next(data, stop, 93)
    return found


def _next(data: bytes, stop: int, closing: int) -> int:
    """Where the next one begins, or the closing bracket stands."""
    at = skip_space(data, stop)
    if at >= len(data):
        raise Torn
    if data[at] == closing:
        return at
    if data[at] != 44:
        raise Malformed(at)
    return skip_space(data, at + 1)


def _value_end(data: bytes, pos: int, end: int) -> int:
    """The end of a value at `pos`, in a container that ends at `end`."""
    if pos >= end:
        raise Torn
    if data[pos] not in b"[{":
        return value_end(data, pos)
    view, size = memoryview(data), _FIRST
    while True:
        limit = min(pos + size, end)
        try:
            orjson.loads(view[pos:limit])
        except orjson.JSONDecodeError as error:
            if error.msg == _MORE:
                before = error.pos if error.doc.isascii() else len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
                return _stripped(data, pos + before)
        else:
            return _stripped(data, limit)
        if limit == end:
            return value_end(data, pos)
        size *= 8


def _stripped(data: bytes, end: int) -> int:
    """The end of a value without the white space behind it."""
    while data[end - 1] in b" \t\r\n":
        end -= 1
    return end
