"""One value in a record put, changed or taken away at the end of a path; every byte beside it stays."""

from __future__ import annotations

from typing import Any

from app.formats._json import NotJson, compact, loads
from app.formats._paths import DECODE, Path, bytes_at, span_of, spliced
from app.formats._scan import Malformed, Torn, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, line_level, style_of
from app.model.edits import DELETE


def put(data: bytes, path: Path, value: Any, style: Style) -> bytes:
    """The record with `value` at the end of `path`: what stands there is replaced, a member that is not there is added, DELETE takes a
    member or an element away. A path through what is not there changes nothing."""
    if not path:
        return data if value is DELETE else style.dumps(value)
    try:
        if DECODE in path:
            return _inside(data, path, value)
        start, end = span_of(data, path[:-1])
        held = data[start:end]
        token = path[-1]
        if isinstance(token, str) and held[:1] == b"{":
            return data[:start] + _member(held, token, value, style, line_level(data, start)) + data[end:]
        if isinstance(token, int) and held[:1] == b"[":
            return data[:start] + _element(held, token, value, style) + data[end:]
    except (KeyError, Torn, Malformed):
        pass
    return data


def _inside(data: bytes, path: Path, value: Any) -> bytes:
    """The same inside a string that holds JSON."""
    at = path.index(DECODE)
    inner = bytes_at(data, path[: at + 1])
    tight = inner == compact_bytes(inner)
    return spliced(data, path[: at + 1], put(inner, path[at + 1 :], value, Style(":", ",") if tight else Style()))


def compact_bytes(data: bytes) -> bytes:
    """The same JSON without white space."""
    try:
        return compact(loads(data)).encode("utf-8", "surrogatepass")
    except NotJson:
        return b""


def _member(data: bytes, key: str, value: Any, style: Style, level: str) -> bytes:
    found = scan_object(data)
    own = style_of(data, found, style)
    if value is DELETE:
        return rewrite_object(data, found, {key: None}, own) if found.get(key) is not None else data
    inner = (level_of(data, found.members[0].key_start) if found.members else None) or level
    return rewrite_object(data, found, {key: own.dumps(value, inner)}, own)


def _element(data: bytes, number: int, value: Any, style: Style) -> bytes:
    array = scan_array(data)
    if not 0 <= number < len(array.spans):
        return data
    own = style_of(data, array, style)
    items: list[Item] = list(range(len(array.spans)))
    if value is DELETE:
        del items[number]
    else:
        items[number] = number, own.dumps(value, level_of(data, array.spans[number][0]) or "")
    return rewrite_array(data, array, items, own)
