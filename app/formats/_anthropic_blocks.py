"""The blocks of Anthropic's Messages wire as somebody looks at them: the counterpart of `_anthropic.py`, block by block."""

from __future__ import annotations

from typing import Any

from app.formats._anthropic import result_texts, word_of
from app.formats._flags import args_of, id_text
from app.formats._json import compact, json_word
from app.formats._media import of_anthropic
from app.model.block import Block, Media
from app.model.kinds import Kind, Role

# Looking up a member of an enum is slow (Python 3.11); these are taken for each block.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _OTHER = Kind.MEDIA, Kind.EMPTY, Kind.OTHER


def content_blocks(role: Role, content: Any, *, first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a message's content as rows `first`, `first + 1`, ...; `pointer` is that of the message."""
    if isinstance(content, str):
        return [Block(first, _TEXT, "text", role, (content,), pointer=f"{pointer}/content", record=record, value=content)]
    if content is None or content == []:
        return [Block(first, _EMPTY, "empty", role, pointer=pointer, record=record, value=content)]
    if not isinstance(content, list):
        pointer += "/content"
        return [Block(first, _EMPTY, json_word(content), role, (compact(content),), pointer=pointer, record=record, value=content)]
    return [
        block_of(role, block, row=first + part, record=record, pointer=f"{pointer}/content/{part}") for part, block in enumerate(content)
    ]


def block_of(role: Role, block: Any, *, row: int, record: int, pointer: str) -> Block:
    """One element of a content list."""
    word = block.get("type") if isinstance(block, dict) else None
    if word == "text" and isinstance(block.get("text"), str):
        return Block(row, _TEXT, word, role, (block["text"],), pointer=pointer, record=record, value=block)
    if word == "tool_use" or word == "server_tool_use" or word == "mcp_tool_use":
        text = args_of(block["input"])[1] if "input" in block else None
        name = block.get("name")
        return Block(
            row, _CALL, word, role, () if text is None else (text,), name if isinstance(name, str) else None,
            id_text(block.get("id")), pointer=pointer, record=record, value=block,
        )  # fmt: skip
    if word == "tool_result" or (isinstance(word, str) and word.endswith("_tool_result")):
        content = block.get("content")
        texts, _ = result_texts(content, server=word != "tool_result")
        return Block(
            row, _RESULT, word, role, tuple(texts), None, id_text(block.get("tool_use_id")), block.get("is_error") is True,
            _media_in(content), pointer, record, block,
        )  # fmt: skip
    if word == "thinking" and isinstance(block.get("thinking"), str):
        return Block(row, _REASONING, word, role, (block["thinking"],), pointer=pointer, record=record, value=block)
    if word == "redacted_thinking":
        return Block(row, _REASONING, word, role, pointer=pointer, record=record, value=block)
    if word == "image" or word == "document":
        return Block(row, _MEDIA, word, role, media=(of_anthropic(block),), pointer=pointer, record=record, value=block)
    return Block(row, _OTHER, word_of(block), role, (compact(block),), pointer=pointer, record=record, value=block)


def _media_in(content: Any) -> tuple[Media, ...]:
    if not isinstance(content, list):
        return ()
    return tuple(of_anthropic(part) for part in content if isinstance(part, dict) and part.get("type") in ("image", "document"))
