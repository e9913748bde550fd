"""A message written again with other blocks: those that stay keep their bytes, content that was a string stays one while it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.formats._scan import Object, scan_array
from app.formats._splice import Item, rewrite_array
from app.formats._style import Style, level_of, line_level, style_of

TEXT_BLOCK: Final[tuple[tuple[str, bytes], ...]] = (("type", b'"text"'),)
"""The members of a block of text before the text itself."""


@dataclass(frozen=True)
class Part:
    """One block that a message is to hold.

    `old`: its index in the message's own content list, -1 where it comes from elsewhere. `data`: its bytes, None where they stand as
    they are in that list. `value`: a block that is made, to be encoded. `literal`: the bytes are a JSON string, text that is wrapped
    where content is a list.
    """

    old: int = -1
    data: bytes | None = None
    value: Any = None
    literal: bool = False


def content_bytes(
    data: bytes, message: Object, parts: Sequence[Part], style: Style, text: tuple[tuple[str, bytes], ...] = TEXT_BLOCK
) -> bytes | None:
    """The new content of a message; None where it stays as it is. `style` is that of the message."""
    held = message.get("content")
    if held is not None and data[held.start] == 91:
        array = scan_array(data, held.start)
        if [part.old for part in parts] == list(range(len(array.spans))) and all(p.data is None and p.value is None for p in parts):
            return None
        own = style_of(data, array, style)
        level = (level_of(data, array.spans[0][0]) if array.spans else None) or line_level(data, held.start) + own.unit
        items: list[Item] = []
        for part in parts:
            if part.old >= 0:
                items.append(part.old if part.data is None else (part.old, part.data))
            else:
                items.append(part_bytes(part, own, level, text))
        return rewrite_array(data, array, items, own)
    if len(parts) == 1 and parts[0].literal:
        return parts[0].data
    if len(parts) == 1 and parts[0].old == 0:  # an object, a number: it stays what it is
        return None
    level = line_level(data, held.start if held is not None else message.end - 1)
    if held is None and message.members:
        level = line_level(data, message.members[0].key_start)
    return new_content(parts, style, level, text)


def new_content(parts: Sequence[Part], style: Style, level: str, text: tuple[tuple[str, bytes], ...] = TEXT_BLOCK) -> bytes:
    """Content of a message that is made, or that was no list: one text stays a string. `level`: indentation of its line."""
    if len(parts) == 1 and parts[0].literal and parts[0].data is not None:
        return parts[0].data
    return style.array([part_bytes(part, style, level + style.unit, text) for part in parts], level)


def part_bytes(part: Part, style: Style, level: str, text: tuple[tuple[str, bytes], ...] = TEXT_BLOCK) -> bytes:
    """A block that comes from elsewhere; `level`: the indentation of the line that it will stand in."""
    if part.data is None:
        return style.dumps(part.value, level)
    if part.literal:
        return style.object([*text, ("text", part.data)], level)
    return part.data
