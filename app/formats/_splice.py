"""Containers rewritten with some of their parts changed: what stays keeps its bytes, white space around it included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.formats._scan import Array, Object, scan_array, scan_object
from app.formats._style import Style, level_of, line_level, style_of
from app.model.edits import DELETE

Item = int | bytes | tuple[int, bytes]
"""An element of a rewritten array: one of the old ones as it is, a new one, or an old one's place with other bytes."""


def rewrite_array(data: bytes, array: Array, items: Sequence[Item], style: Style) -> bytes:
    """The array with these elements. Old neighbours keep what stands between them; new gaps are made like the old ones."""
    if not items:
        return b"[]"
    spans = array.spans
    lead, gap, tail = _frame(data, array.start, array.end, spans, style)
    out = [b"[", lead]
    before = -2
    for number, item in enumerate(items):
        old = item if isinstance(item, int) else item[0] if isinstance(item, tuple) else -2
        if number:
            if old > 0 and (old == before + 1 or before == -2):
                out.append(data[spans[old - 1][1] : spans[old][0]])
            elif before >= 0 and before + 1 < len(spans):
                out.append(data[spans[before][1] : spans[before + 1][0]])
            else:
                out.append(gap)
        out.append(data[spans[item][0] : spans[item][1]] if isinstance(item, int) else item if isinstance(item, bytes) else item[1])
        before = old
    out += [tail, b"]"]
    return b"".join(out)


def rewrite_object(data: bytes, object: Object, values: Mapping[str, bytes | None], style: Style) -> bytes:
    """The object with other values for some keys: None takes a member away, a key that is not there is put behind the others.
    Of a key that stands there twice the last one is changed (that is the one that readers take); taken away, all are."""
    last = {member.key: number for number, member in enumerate(object.members)}
    kept: list[tuple[int, bytes]] = []
    for number, member in enumerate(object.members):
        if member.key in values and values[member.key] is None:
            continue
        value = values.get(member.key) if last[member.key] == number else None
        kept.append((number, data[member.key_start : member.end] if value is None else data[member.key_start : member.start] + value))
    added = [style.text(key) + style.colon.encode() + value for key, value in values.items() if value is not None and key not in last]
    if not kept and not added:
        return b"{}"
    spans = [(member.key_start, member.end) for member in object.members]
    lead, gap, tail = _frame(data, object.start, object.end, spans, style)
    out = [b"{", lead]
    for place, (number, piece) in enumerate(kept):
        if place:
            out.append(data[spans[number - 1][1] : spans[number][0]])
        out.append(piece)
    for place, piece in enumerate(added):
        if kept or place:
            out.append(gap)
        out.append(piece)
    out += [tail, b"}"]
    return b"".join(out)


def _frame(data: bytes, start: int, end: int, spans: Sequence[tuple[int, int]], style: Style) -> tuple[bytes, bytes, bytes]:
    """What stands behind the opening bracket, between neighbours and before the closing one. An empty container has none of it:
    then as `style` has it."""
    if not spans:
        if not style.unit:
            return b"", style.comma.encode(), b""
        level = line_level(data, start).encode()
        newline = style.newline.encode()
        inner = newline + level + style.unit.encode()
        return inner, b"," + inner, newline + level
    lead = data[start + 1 : spans[0][0]]
    tail = data[spans[-1][1] : end - 1]
    if len(spans) > 1:
        return lead, data[spans[0][1] : spans[1][0]], tail
    return lead, b"," + lead if b"\n" in lead or b"\r" in lead else style.comma.encode(), tail


def set_pointer(data: bytes, tokens: Sequence[str], value: Any, style: Style) -> bytes:
    """A value with what stands at a JSON pointer (in tokens) set, or taken away (DELETE). Objects on the way are made where they
    are missing; a pointer into what is no container changes nothing."""
    if not tokens:
        return data if value is DELETE else style.dumps(value)
    token, rest = tokens[0], tokens[1:]
    if data[:1] == b"{":
        container = scan_object(data)
        own = style_of(data, container, style)
        member = container.get(token)
        if not rest:
            level = _level_inside(data, container, own)
            new = None if value is DELETE else own.dumps(value, level)
            return data if member is None and new is None else rewrite_object(data, container, {token: new}, own)
        if member is None:
            if value is DELETE:
                return data
            for inner in reversed(rest):
                value = {inner: value}
            return set_pointer(data, [token], value, own)
        return rewrite_object(data, container, {token: set_pointer(data[member.start : member.end], rest, value, own)}, own)
    if data[:1] == b"[":
        return _set_element(data, token, rest, value, style)
    return data


def _set_element(data: bytes, token: str, rest: Sequence[str], value: Any, style: Style) -> bytes:
    array = scan_array(data)
    own = style_of(data, array, style)
    count = len(array.spans)
    number = count if token == "-" else int(token) if token.isascii() and token.isdigit() else -1
    items: list[Item] = list(range(count))
    if 0 <= number < count:
        start, end = array.spans[number]
        if value is DELETE and not rest:
            del items[number]
        else:
            level = level_of(data, start) or ""
            items[number] = (number, set_pointer(data[start:end], rest, value, own) if rest else own.dumps(value, level))
    elif number == count and not rest and value is not DELETE:
        items.append(own.dumps(value, level_of(data, array.spans[0][0]) or "" if count else line_level(data, 0) + own.unit))
    else:
        return data
    return rewrite_array(data, array, items, own)


def _level_inside(data: bytes, container: Object, style: Style) -> str:
    """The indentation of the lines in which an object's members stand."""
    if container.members:
        return level_of(data, container.members[0].key_start) or ""
    return line_level(data, container.start) + style.unit
