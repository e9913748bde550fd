"""The blocks of Bedrock's Converse wire as rows: what `parse` keeps of a message's content.

Blocks have no type: the one key of each says what it is. `_bedrock_blocks.py` decodes the same content for display; both must agree,
block by block. Source: AWS's API reference (ContentBlock, ToolUseBlock, ToolResultBlock), and recorded requests.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._facts import Facts, shape
from app.formats._flags import ARGS, args_size, id_flags, id_text, text_flags
from app.formats._json import compact, compact_hashed, has_surrogate, json_word
from app.formats._marks import mark
from app.formats._media import of_base64
from app.model.block import Media
from app.model.kinds import ROLES, Args, Flag, Kind, Mark, Role

MEDIA_KEYS: Final = frozenset({"image", "document", "video", "audio"})
TEXT_KEYS: Final = frozenset({"text", "guardContent", "citationsContent"})
KNOWN: Final = (
    "text", "toolUse", "toolResult", "reasoningContent", "image", "document", "video", "audio", "guardContent", "citationsContent",
    "cachePoint", "searchResult",
)  # fmt: skip
FOREIGN_KEYS: Final = frozenset({"tool_calls", "tool_call_id", "function_call", "reasoning_content", "refusal", "parts", "name"})
"""Members of a message that belong to another dialect."""

PLAIN_DOCUMENTS: Final = frozenset({"txt", "csv", "md", "html"})
MIMES: Final = {
    "jpg": "image/jpeg", "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html",
}  # fmt: skip
SERVER_TYPES: Final = frozenset({"server_tool_use", "mcp_tool_use"})

_MASK: Final = 0xFFFFFFFF
# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _OTHER, _USER = Kind.MEDIA, Kind.EMPTY, Kind.OTHER, Role.USER
_Row = tuple[Kind, str, int, int, int, int]  # kind, type, name, size, key, flags


def role_of(value: Any) -> Role:
    return ROLES.get(value, Role.OTHER) if isinstance(value, str) else Role.OTHER


def word_of(block: Any) -> str:
    """The key that says what a block is; what stands in its place where it has none that the wire knows."""
    if not isinstance(block, dict):
        return json_word(block)
    for key in block:
        if key in KNOWN_SET:
            return str(key)
    return str(next(iter(block), "(no key)"))


KNOWN_SET: Final = frozenset(KNOWN)


def add_message(columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
    """Adds the rows of a message."""
    role, content = role_of(value.get("role")), value.get("content")
    flags = Flag.UNKNOWN_KEYS if len(value) > 2 and not FOREIGN_KEYS.isdisjoint(value) else 0
    pack = ROW.pack
    if isinstance(content, list) and content:
        rows, base = bytearray(), columns.row_count
        served: set[str] = set()
        for part, block in enumerate(content):
            kind, word, name, size, key, own = _row(columns, role, block, odd, base + part, served)
            own |= flags if kind == _RESULT else flags | Flag.CONTENT_LIST  # a result's row tells the shape of the result's own content
            rows += pack(record, part, message, kind, columns.type_of(word), role, name, size, own & _MASK, key)
        columns.rows += rows
    elif isinstance(content, str):
        flags |= text_flags(content, odd) | (mark(content) if role == _USER else 0)
        columns.rows += pack(record, 0, message, _TEXT, columns.type_of("text"), role, -1, len(content), flags & _MASK, -1)
    else:
        flags |= shape(content)
        word, size = ("empty", 0) if content is None or content == [] else (json_word(content), len(compact(content)))
        columns.rows += pack(record, 0, message, _EMPTY, columns.type_of(word), role, -1, size, flags & _MASK, -1)


def _row(columns: Columns, role: Role, block: Any, odd: bool, row: int, served: set[str]) -> _Row:
    """Kind, type, name, size, key and flags of one block; `served`: ids of the message's calls that the provider answers itself."""
    word = word_of(block)
    value = block.get(word) if isinstance(block, dict) else None
    text = text_of(word, value)
    if text is not None:
        flags = text_flags(text, odd) | (mark(text) if role == _USER else 0)
        return _TEXT, word, -1, len(text), -1, flags
    if isinstance(value, dict):
        if word == "toolUse":
            return _call(columns, value, odd, row, served)
        if word == "toolResult":
            return _result(columns, role, value, odd, row, served)
        if word == "reasoningContent" and (found := reasoning_of(value)) is not None:
            thought, signed = found
            flags = (Flag.REDACTED if thought is None else text_flags(thought, odd)) | (Flag.SIGNED if signed else 0)
            return _REASONING, word, -1, len(thought or ""), -1, flags
        if word in MEDIA_KEYS:
            for found_mark in media_marks(word, value):
                columns.mark(found_mark, row)
            return _MEDIA, word, -1, 0, -1, 0
    flags = Flag.CACHE if word == "cachePoint" else 0
    if word not in KNOWN_SET or not isinstance(value, dict) or word == "reasoningContent":
        flags |= Flag.TYPE_ODD
    return _OTHER, word, -1, len(compact(block)), -1, flags


def text_of(word: str, value: Any) -> str | None:
    """The text of a block of text: plain, guarded, or with its sources; None of any other."""
    if word == "text":
        return value if isinstance(value, str) else None
    if not isinstance(value, dict):
        return None
    if word == "guardContent":
        held = value.get("text")
        text = held.get("text") if isinstance(held, dict) else None
        return text if isinstance(text, str) else None
    if word == "citationsContent" and isinstance(value.get("content"), list):
        return "".join(part["text"] for part in value["content"] if isinstance(part, dict) and isinstance(part.get("text"), str))
    return None


def reasoning_of(value: dict[str, Any]) -> tuple[str | None, bool] | None:
    """The text of reasoning (None: only ciphertext is there) and whether it is signed; None where it holds neither."""
    if value.get("redactedContent") is not None:
        return None, True
    held = value.get("reasoningText")
    if not isinstance(held, dict) or not isinstance(held.get("text"), str):
        return None
    return held["text"], bool(held.get("signature"))


def _call(columns: Columns, value: dict[str, Any], odd: bool, row: int, served: set[str]) -> _Row:
    call_id, name = value.get("toolUseId"), value.get("name")
    flags, size, told = id_flags(call_id), 0, 0
    if "input" in value:
        arguments = value["input"]
        size, told = compact_hashed(arguments)
        found = Args.OBJECT
        if not isinstance(arguments, dict):
            found, size = args_size(arguments)
        flags |= ARGS[found]
        if isinstance(arguments, dict) and "" in arguments:
            columns.mark(Mark.EMPTY_KEY, row)
        if odd and has_surrogate(compact(arguments)):
            flags |= Flag.SURROGATE
    columns.arguments.append(told)
    word = value.get("type")
    if isinstance(word, str) and word in SERVER_TYPES:
        flags |= Flag.SERVER
        served.add(id_text(call_id) or "")
    named = -1
    if isinstance(name, str):
        named, size = columns.names[name], size + len(name)
    key = id_text(call_id)
    return _CALL, "toolUse", named, size, -1 if key is None else columns.keys[key], flags


def _result(columns: Columns, role: Role, value: dict[str, Any], odd: bool, row: int, served: set[str]) -> _Row:
    call_id, content = value.get("toolUseId"), value.get("content")
    found = facts_of(content)
    flags = found.flags | id_flags(call_id)
    for word in found.marks:
        columns.mark(word, row)
    if "status" in value:
        columns.mark(Mark.STATUS, row)
        if value["status"] == "error":
            flags |= Flag.ERROR
    if odd and any(map(has_surrogate, found.texts)):
        flags |= Flag.SURROGATE
    key = id_text(call_id)
    if role == Role.ASSISTANT and (key in served or isinstance(value.get("type"), str)):
        flags |= Flag.SERVER  # a tool of the provider: call and result in one message
    return _RESULT, "toolResult", -1, sum(map(len, found.texts)), -1 if key is None else columns.keys[key], flags


def facts_of(content: Any) -> Facts:
    """What a result's content says. Of a list the texts, json parts as compact JSON, and what is unknown as that too."""
    if isinstance(content, str):
        return Facts((content,), text_flags(content, odd=True))
    flags = shape(content)
    if not isinstance(content, list):
        return Facts(() if flags & Flag.CONTENT_NULL else (compact(content),), flags)
    texts: list[str] = []
    media: list[Media] = []
    marks: set[str] = set()
    blank = False
    for part in content:
        word = word_of(part)
        value = part.get(word) if isinstance(part, dict) else part
        if word == "text" and isinstance(value, str):
            texts.append(value)
            flags |= Flag.PART_EMPTY if not value or value.isspace() else 0
            blank |= value.isspace()
        elif isinstance(part, dict) and "json" in part:
            texts.append(compact(part["json"]))
            if not isinstance(part["json"], dict):
                marks.add(Mark.JSON_ODD)
        elif word in MEDIA_KEYS and isinstance(value, dict):
            flags |= Flag.MEDIA
            media.append(media_of(word, value))
            marks.update(media_marks(word, value))
        else:
            texts.append(part if isinstance(part, str) else compact(part))
            flags |= 0 if word in KNOWN_SET else Flag.TYPE_ODD
    if blank and "" not in texts:
        marks.add(Mark.BLANK)
    return Facts(tuple(texts), flags, tuple(media), frozenset(marks))


def media_marks(word: str, value: dict[str, Any]) -> list[str]:
    """What rules must know of media without looking at it."""
    found = [Mark.VIDEO] if word == "video" else []
    if word == "document" and str(value.get("format")) in PLAIN_DOCUMENTS:
        found.append(Mark.TEXT_DOCUMENT)
    source = value.get("source")
    if isinstance(source, dict) and "s3Location" in source:
        found.append(Mark.REMOTE)
    return found


def media_of(word: str, value: dict[str, Any]) -> Media:
    """An image, a document, a video: its kind, its size in pixels where its head tells."""
    form = value.get("format")
    mime = MIMES.get(form, f"{word}/{form}") if isinstance(form, str) else word
    source = value.get("source")
    held = source if isinstance(source, dict) else {}
    if isinstance(held.get("bytes"), str):
        return of_base64(held["bytes"], mime)
    if isinstance(held.get("text"), str):
        return Media(mime, bytes=len(held["text"].encode("utf-8", "surrogatepass")))
    return Media(mime)
