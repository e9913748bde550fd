"""System texts and tool definitions that stand beside the messages of a logged call, in whichever wire."""

from __future__ import annotations

from typing import Any

from app.formats._columns import Columns
from app.formats._flags import text_flags
from app.formats._json import NotJson, compact, loads
from app.model.block import Block
from app.model.kinds import Flag, Kind, Role


def add_head(columns: Columns, record: int, kind: Kind, value: Any) -> int:
    """Adds the row of a head; its number."""
    block = head_block(value, kind, 0, record, "")
    text = block.texts[0]
    flags = text_flags(text, odd=True) if kind == Kind.SYSTEM else 0
    flags |= Flag.CACHE if isinstance(value, dict) and value.get("cache_control") is not None else 0
    return columns.row(
        record=record, part=0, message=-1, kind=kind, type=block.type, role=Role.SYSTEM, name=block.name, size=len(text), flags=flags
    )


def head_block(value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
    if kind == Kind.TOOLS:
        tool = _object(value)
        word = tool.get("type")
        return Block(
            first, kind, word if isinstance(word, str) else "function", Role.SYSTEM, (value if isinstance(value, str) else compact(value),),
            _name(tool), pointer=pointer, record=record, value=value,
        )  # fmt: skip
    return Block(first, kind, "text", Role.SYSTEM, (_text(value),), pointer=pointer, record=record, value=value)


def _object(value: Any) -> dict[str, Any]:
    """A tool; some logs keep each as a string of JSON."""
    if isinstance(value, str):
        try:
            value = loads(value.encode("utf-8", "surrogatepass"))
        except NotJson:
            return {}
    return value if isinstance(value, dict) else {}


def _name(tool: dict[str, Any]) -> str | None:
    for held in (tool, *(tool.get(key) for key in ("function", "toolSpec", "custom", "tool"))):
        name = held.get("name") if isinstance(held, dict) else None
        if isinstance(name, str):
            return name
    return None


def _text(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("text", "content"):
            if isinstance(value.get(key), str):
                return str(value[key])
        for key in ("parts", "content"):
            parts = value.get(key)
            texts = [_text(part, depth + 1) for part in parts] if isinstance(parts, list) and depth < 4 else []
            if texts:
                return "\n".join(texts)
    return compact(value)
