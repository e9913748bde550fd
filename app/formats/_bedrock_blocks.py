"""The blocks of Bedrock's Converse wire as somebody looks at them: the counterpart of `_bedrock.py`, block by block."""

from __future__ import annotations

from typing import Any

from app.formats._bedrock import MEDIA_KEYS, facts_of, media_of, reasoning_of, role_of, text_of, word_of
from app.formats._flags import args_of, id_text
from app.formats._json import compact, json_word
from app.model.block import Block
from app.model.kinds import Kind, Role


def message_blocks(value: dict[str, Any], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a message as rows `first`, `first + 1`, ...; `pointer` is that of the message."""
    role, content = role_of(value.get("role")), value.get("content")
    if isinstance(content, list) and content:
        return [_block(role, block, first + part, record, f"{pointer}/content/{part}") for part, block in enumerate(content)]
    if isinstance(content, str):
        return [Block(first, Kind.TEXT, "text", role, (content,), pointer=f"{pointer}/content", record=record, value=content)]
    if content is None or content == []:
        return [Block(first, Kind.EMPTY, "empty", role, pointer=pointer, record=record, value=content)]
    pointer += "/content"
    return [Block(first, Kind.EMPTY, json_word(content), role, (compact(content),), pointer=pointer, record=record, value=content)]


def _block(role: Role, block: Any, row: int, record: int, pointer: str) -> Block:
    word = word_of(block)
    value = block.get(word) if isinstance(block, dict) else None
    text = text_of(word, value)
    if text is not None:
        return Block(row, Kind.TEXT, word, role, (text,), pointer=pointer, record=record, value=block)
    if isinstance(value, dict):
        if word == "toolUse":
            arguments = args_of(value["input"])[1] if "input" in value else None
            name = value.get("name")
            return Block(
                row, Kind.TOOL_CALL, word, role, () if arguments is None else (arguments,), name if isinstance(name, str) else None,
                id_text(value.get("toolUseId")), pointer=pointer, record=record, value=block,
            )  # fmt: skip
        if word == "toolResult":
            found = facts_of(value.get("content"))
            return Block(
                row, Kind.TOOL_RESULT, word, role, found.texts, None, id_text(value.get("toolUseId")), value.get("status") == "error",
                found.media, pointer, record, block,
            )  # fmt: skip
        if word == "reasoningContent" and (thought := reasoning_of(value)) is not None:
            texts = () if thought[0] is None else (thought[0],)
            return Block(row, Kind.REASONING, word, role, texts, pointer=pointer, record=record, value=block)
        if word in MEDIA_KEYS:
            return Block(row, Kind.MEDIA, word, role, media=(media_of(word, value),), pointer=pointer, record=record, value=block)
    return Block(row, Kind.OTHER, word, role, (compact(block),), pointer=pointer, record=record, value=block)
