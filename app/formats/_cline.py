"""Messages of Cline and Roo Code: Anthropic's blocks, with notes of the program beside role and content.

A block `file` is the text of a file that a person named; Roo keeps a provider's encrypted reasoning as an item of its own among the
messages.
Sources: cline/cline sdk (`MessageContent`), RooCodeInc/Roo-Code src/core/task-persistence/apiMessages.ts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from app.formats._anthropic import add_content, role_of
from app.formats._anthropic_blocks import content_blocks
from app.formats._anthropic_messages import ANTHROPIC as _BLOCKS
from app.formats._anthropic_messages import rewrite
from app.formats._anthropic_write import edited_block
from app.formats._columns import Columns, tokens_of
from app.formats._context import Context
from app.formats._dialects import Dialect
from app.formats._json import loads
from app.formats._log_write import LogWriter
from app.formats._pieces import Piece, add_pieces, blocks_of
from app.formats._runs import Run
from app.formats._scan import scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style, style_of
from app.model.block import Block
from app.model.edits import Content
from app.model.kinds import Flag, Kind, Role


def is_summary(message: dict[str, Any]) -> bool:
    """Whether a compaction wrote a message."""
    metadata = message.get("metadata")
    return message.get("isSummary") is True or (isinstance(metadata, dict) and metadata.get("kind") == "compaction_summary")


class ClineWire:
    """Rows and blocks of a message."""

    joins: ClassVar[bool] = True
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        if _is_item(value):
            return add_pieces(columns, record, message, _item(value), odd)
        role = role_of(value.get("role"))
        flags = 0
        if role == Role.USER:
            flags = Flag.SUMMARY if is_summary(value) else Flag.INJECTED if value.get("isTruncationMarker") is True else 0
        add_content(columns, record, message, role, _sent(value.get("content")), flags=flags, odd=odd)
        return 1

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        if _is_item(value):
            return blocks_of(_item(value), first, record, pointer)
        content = value.get("content")
        found = content_blocks(role_of(value.get("role")), _sent(content), first=first, record=record, pointer=pointer)
        return [replace(b, value=held) for b, held in zip(found, content, strict=True)] if isinstance(content, list) and content else found

    def made_type(self, kind: Kind, role: Role) -> str:
        return "tool_result" if kind == Kind.TOOL_RESULT else "text"


def _sent(content: Any) -> Any:
    """Content as it is sent: a file is the text of it."""
    if not isinstance(content, list):
        return content
    return [{"type": "text", "text": block["content"]} if _is_file(block) else block for block in content]


def _is_file(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "file" and isinstance(block.get("content"), str)


def _is_item(message: dict[str, Any]) -> bool:
    return message.get("type") == "reasoning" and "content" not in message


def _item(message: dict[str, Any]) -> list[Piece]:
    """A provider's reasoning that stands among the messages."""
    summary = message.get("summary")
    parts = summary if isinstance(summary, list) else ()
    texts = tuple(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
    sealed = Flag.SIGNED if message.get("encrypted_content") else 0
    flags = sealed | (0 if texts else Flag.REDACTED)
    return [Piece(Kind.REASONING, "reasoning", Role.ASSISTANT, "", texts, flags=flags, value=message)]


def _edited(data: bytes, kind: Kind, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """A block with edits: the text of a file stands in its content."""
    if kind != Kind.TEXT or data[:1] != b"{" or not _is_file(loads(data)):
        return edited_block(data, kind, fields, content, style)
    block = scan_object(data)
    own = style_of(data, block, style)
    text = fields.get("text")
    if content is not None:
        text = "".join(content.of((loads(data)["content"],)))
    return rewrite_object(data, block, {"content": own.text(text)}, own) if isinstance(text, str) else data


_WIRE: Final = replace(_BLOCKS, edited=_edited)


def _rewrite(context: Context, run: Run) -> list[bytes]:
    return rewrite(context, run, _WIRE)


DIALECT: Final = Dialect(ClineWire(), _rewrite, Role.USER)


class ClineWriter(LogWriter):
    """A new message has the time of its neighbour, and an id where that has one."""

    _numbers = 0

    def item_like(self, context: Context, record: int, data: bytes) -> bytes:
        like = loads(self.source.read(*self._span(record))) if record >= 0 else {}
        message = scan_object(data)
        self._numbers += 1
        values: dict[str, bytes | None] = {}
        if isinstance(like.get("id"), str) and message.get("id") is None:
            values["id"] = context.style.text(f"{like['id']}-{self._numbers}")
        if "ts" in like and message.get("ts") is None:
            values["ts"] = context.style.dumps(like["ts"])
        return rewrite_object(data, message, values, style_of(data, message, context.style)) if values else data

    def _span(self, record: int) -> tuple[int, int]:
        records = self.table.records
        return int(records.offset[record]), int(records.length[record])


def seconds_of(stamp: Any) -> float | None:
    """A time in milliseconds as seconds."""
    return stamp / 1000 if isinstance(stamp, int | float) and not isinstance(stamp, bool) and abs(stamp) < 1e15 else None


def model_of(message: dict[str, Any]) -> str | None:
    info = message.get("modelInfo")
    found = info.get("id", info.get("modelId")) if isinstance(info, dict) else None
    return found if isinstance(found, str) and found else None


def usage_of(message: dict[str, Any]) -> dict[str, int] | None:
    """What is recorded of the request that gave a message. What the SDK calls input has in it what was read from a cache, what the
    extension calls prompt has not."""
    metrics = message.get("metrics")
    if not isinstance(metrics, dict):
        return None
    tokens = metrics.get("tokens")
    if isinstance(tokens, dict):
        told = {"fresh": tokens_of(tokens, "prompt"), "cache_read": tokens_of(tokens, "cached"), "cache_write": 0}
        output = tokens_of(tokens, "completion")
    else:
        total, read, written = (tokens_of(metrics, key) for key in ("inputTokens", "cacheReadTokens", "cacheWriteTokens"))
        told = {"fresh": max(0, total - read - written), "cache_read": read, "cache_write": written}
        output = tokens_of(metrics, "outputTokens")
    return told | {"output": output} if output or any(told.values()) else None
