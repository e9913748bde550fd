"""What few blocks of Anthropic's wire say and rules look for: noted while a file is read, so that no rule has to decode (see Mark)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.formats._columns import Columns
from app.formats._media import pixels
from app.model.kinds import Flag, Mark

WIDE, HUGE, HEAVY = 2000, 8000, 5 << 20
"""Limits of the marks of an image: pixels of a side, pixels of a side, characters of base64."""

CODE: Final = "code_execution"
"""How the types of the tool begin that runs code, and those of what such code calls."""


def of_code(word: Any) -> bool:
    """Whether a type is that of a tool that runs code."""
    return isinstance(word, str) and word.startswith(CODE)


def cache_flag(columns: Columns, row: int, block: dict[str, Any]) -> int:
    """The flag of a cache mark on a block, a system text or a tool; one for an hour is noted."""
    held = block.get("cache_control")
    if held is None:
        return 0
    if isinstance(held, dict) and held.get("ttl") == "1h":
        columns.mark(Mark.ONE_HOUR, row)
    return Flag.CACHE


def note_tool(columns: Columns, row: int, tool: dict[str, Any]) -> None:
    """What a tool definition says of when it is loaded and who may call it."""
    if tool.get("defer_loading") is True:
        columns.mark(Mark.DEFERRED, row)
    callers = tool.get("allowed_callers")
    if isinstance(callers, list) and callers and all(map(of_code, callers)):
        columns.mark(f"{Mark.CODE_ONLY}.{callers[0]}", row)


def content_marks(content: Any) -> list[str]:
    """Words of Mark that hold of a result's content, each once: of its images, and of the tools that it refers to."""
    images, found = 0, dict[str, None]()
    for part in _parts(content):
        if not isinstance(part, dict):
            continue
        if part.get("type") == "image":
            images += 1
            found.update(dict.fromkeys(image_marks(part)))
        elif part.get("type") == "tool_reference" and isinstance(part.get("tool_name"), str):
            found[f"{Mark.REFERENCE}.{part['tool_name']}"] = None
    if images:
        found[f"{Mark.IMAGES}.{images}"] = None
    return list(found)


def _parts(content: Any) -> list[Any]:
    """The parts of a result; of a search for tools what it found."""
    held = content.get("tool_references") if isinstance(content, dict) else content
    return held if isinstance(held, list) else []


def image_marks(block: dict[str, Any]) -> Iterator[str]:
    """Words of Mark that hold of an image whose data is in the dump."""
    source = block.get("source") if block.get("type") == "image" else None
    data = source.get("data") if isinstance(source, dict) and source.get("type") == "base64" else None
    if not isinstance(data, str):
        return
    width, height = pixels(data)
    side = max(width or 0, height or 0)
    if side > WIDE:
        yield Mark.WIDE
    if side > HUGE:
        yield Mark.HUGE
    if len(data) > HEAVY:
        yield Mark.HEAVY


def member_marks(key: str, value: Any) -> Iterator[str]:
    """Words of Mark that hold of a block whose member an edit sets."""
    if key == "cache_control" and isinstance(value, dict) and value.get("ttl") == "1h":
        yield Mark.ONE_HOUR
    elif key == "caller" and isinstance(value, dict) and of_code(value.get("type")):
        yield Mark.CODE_CALLER
    elif key == "defer_loading" and value is True:
        yield Mark.DEFERRED


def mark_role(columns: Columns, first: int, message: dict[str, Any]) -> None:
    """Says of the rows from `first` on that the role of their message is none of its wire's, and which one it says instead."""
    word = message.get("role")
    found = [Mark.ROLE if "role" in message else Mark.ROLE_ABSENT]
    if isinstance(word, str) and word:
        found.append(f"{Mark.ROLE_SAID}.{word[:40]}")
    for row in range(first, columns.row_count):
        for said in found:
            columns.mark(said, row)
