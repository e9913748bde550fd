"""Containers rewritten with some of their parts changed: what stays keeps its bytes, white space around it included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.formats._scan import Array, Member, Object
from app.formats._style import Style, level_of

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
        level = (level_of(data, _line_start(data, start)) or "").encode()
        newline = style.newline.encode()
        inner = newline + level + style.unit.encode()
        return inner, b"," + inner, newline + level
    lead = data[start + 1 : spans[0][0]]
    tail = data[spans[-1][1] : end - 1]
    if len(spans) > 1:
        return lead, data[spans[0][1] : spans[1][0]], tail
    return lead, b"," + lead if b"\n" in lead or b"\r" in lead else style.comma.encode(), tail


def _line_start(data: bytes, pos: int) -> int:
    """The first byte that is no white space of the line in which `pos` stands."""
    start = max(data.rfind(b"\n", 0, pos), data.rfind(b"\r", 0, pos)) + 1
    while start < pos and data[start] in b" \t":
        start += 1
    return start


def member_value(data: bytes, member: Member) -> bytes:
    return data[member.start : member.end]
