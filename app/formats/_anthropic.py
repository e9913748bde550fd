"""The blocks of Anthropic's Messages wire as rows: what `parse` keeps of a message's content.

Used by every format whose messages hold these blocks. `_anthropic_blocks.py` decodes the same content for display; both must
agree, block by block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, args_size, id_flags, id_text, text_flags
from app.formats._json import compact, compact_hashed, has_surrogate, json_word
from app.formats._marks import mark as any_wire
from app.formats._noted import cache_flag, content_marks, image_marks, of_code
from app.model.foreign import BLOCK_KEYS, CALL_KEYS, FOREIGN_KEYS, TEXT_KEYS
from app.model.kinds import ROLES, Args, Flag, Kind, Mark, Role

RESULT_PARTS: Final = frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"})
"""What a tool_result's content may hold: anthropics/anthropic-sdk-typescript@bfa9197 src/resources/beta/messages/messages.ts."""

KNOWN_OTHER: Final = frozenset(
    {"container_upload", "search_result", "tool_addition", "compaction", "fallback", "tool_reference", "mid_conv_system"}
)
"""Blocks that we show as *other* although the wire knows them: recorded in accepted requests, or in the SDK's types."""

_HIDDEN_KEYS: Final = frozenset({"encrypted_content", "encrypted_index", "encrypted_stdout", "signature", "data", "type", "file_id", "id"})
"""Strings inside a server tool's result that are no text: ciphertext, base64 and marks."""

_SIGNED, _SERVER = Flag.SIGNED, Flag.SERVER
_NULL, _LIST, _NONE, _ODD = Flag.CONTENT_NULL, Flag.CONTENT_LIST, Flag.CONTENT_NONE, Flag.CONTENT_ODD

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _OTHER = Kind.MEDIA, Kind.EMPTY, Kind.OTHER
_USER, _NO_ROLE = Role.USER, Role.OTHER


def role_of(value: Any) -> Role:
    """A message's role; OTHER for what no wire has."""
    return ROLES.get(value, _NO_ROLE) if isinstance(value, str) else _NO_ROLE


def message_flags(message: dict[str, Any]) -> int:
    """Flags that every row of a message bears."""
    return 0 if FOREIGN_KEYS.isdisjoint(message) else Flag.UNKNOWN_KEYS


def add_content(
    columns: Columns,
    record: int,
    message: int,
    role: Role,
    content: Any,
    *,
    flags: int = 0,
    odd: bool = False,
    mark: Callable[[str], int] = any_wire,
) -> int:
    """Adds the rows of a message's content; how many come back (at least one). Parts are numbered from 0.

    `flags` stand on every row; `odd`: strings may hold unpaired surrogates; `mark` gives the flags of a user's text.
    A string makes one row of text, a list one row for each of its elements; nothing, or an empty list, one of kind EMPTY; what is
    neither (an object, a number) one of kind EMPTY with the flag CONTENT_ODD, whose text is the content as compact JSON.
    """
    pack = ROW.pack
    if isinstance(content, str):
        flags |= text_flags(content, odd) | (mark(content) if role == _USER else 0)
        columns.rows += pack(record, 0, message, _TEXT, columns.type_of("text"), role, -1, len(content), flags & _MASK, -1)
        return 1
    if content is None or content == []:
        flags |= _NULL if content is None else _LIST | _NONE
        columns.rows += pack(record, 0, message, _EMPTY, columns.type_of("empty"), role, -1, 0, flags & _MASK, -1)
        return 1
    if not isinstance(content, list):
        size, flags = len(compact(content)), (flags | _ODD) & _MASK
        columns.rows += pack(record, 0, message, _EMPTY, columns.type_of(json_word(content)), role, -1, size, flags, -1)
        return 1
    rows = bytearray()
    first = columns.row_count
    type_of = columns.type_of
    listed = flags | _LIST
    for part, block in enumerate(content):
        made = None if odd else _usual(columns, role, block, flags, listed, mark)
        if made is None:
            kind, word, name, size, key, own = _row(columns, first + part, role, block, odd, mark)
            own |= flags if kind == _RESULT else listed  # a result's row tells the shape of the result's own content
        else:
            kind, word, name, size, key, own = made
        rows += pack(record, part, message, kind, type_of(word), role, name, size, own & _MASK, key)
    columns.rows += rows
    return len(content)


def _usual(columns: Columns, role: Role, block: Any, flags: int, listed: int, mark: Callable[[str], int]) -> _Row | None:
    """The row of a block in one of the shapes that nearly all have, with as little work as it takes; None for all others."""
    try:
        word = block["type"]
        if word == "text":
            text = block["text"]
            if len(block) != 2 or type(text) is not str:
                return None
            if not text or text[-1].isspace():
                listed |= text_flags(text)
            return _TEXT, word, -1, len(text), -1, listed | mark(text) if role == _USER else listed
        call_id = block[_ID[word]]
        if type(call_id) is not str:
            return None
        if word == "tool_use":
            value, name = block["input"], block["name"]
            if len(block) != 4 or type(value) is not dict or type(name) is not str:
                return None
            size, told = compact_hashed(value)
            columns.arguments.append(told)
            size += len(name)
            return _CALL, word, columns.names[name], size, columns.keys[call_id], listed | _OBJECT | id_flags(call_id)
        text = block["content"]
        if type(text) is not str or len(block) > 4 or (len(block) == 4 and block.get("is_error") is not False):
            return None
        own = flags | id_flags(call_id)
        return _RESULT, word, -1, len(text), columns.keys[call_id], own | text_flags(text)
    except (KeyError, TypeError):
        return None


_ID: Final = {"tool_use": "id", "tool_result": "tool_use_id"}
_OBJECT: Final = ARGS[Args.OBJECT]
_MASK: Final = 0xFFFFFFFF
_Row = tuple[Kind, str, int, int, int, int]  # kind, type, name, size, key, flags


def _row(columns: Columns, row: int, role: Role, block: Any, odd: bool, mark: Callable[[str], int]) -> _Row:
    """Kind, type, name, size, key and flags of one block. `row`: the number that its row gets, for marks."""
    if not isinstance(block, dict):
        return _OTHER, word_of(block), -1, len(compact(block)), -1, Flag.TYPE_ODD
    word = block.get("type")
    flags = cache_flag(columns, row, block)
    if word == "text":
        text = block.get("text")
        if isinstance(text, str):
            flags |= text_flags(text, odd) | (mark(text) if role == _USER else 0)
            if len(block) > 2 and not TEXT_KEYS.isdisjoint(block):
                flags |= Flag.UNKNOWN_KEYS
            return _TEXT, word, -1, len(text), -1, flags
    elif word == "tool_use":
        return _call(columns, row, block, word, flags, odd)
    elif word == "tool_result":
        return _result(columns, row, block, word, flags, odd)
    elif word == "thinking":
        text = block.get("thinking")
        if isinstance(text, str):
            return _REASONING, word, -1, len(text), -1, flags | text_flags(text, odd) | (_SIGNED if block.get("signature") else 0)
    elif word == "redacted_thinking":
        return _REASONING, word, -1, 0, -1, flags | Flag.REDACTED | (_SIGNED if block.get("data") else 0)
    elif word == "image" or word == "document":
        for fact in image_marks(block):
            columns.mark(fact, row)
        return _MEDIA, word, -1, 0, -1, flags
    elif word == "server_tool_use" or word == "mcp_tool_use":
        return _call(columns, row, block, word, flags | _SERVER, odd)
    elif isinstance(word, str) and word.endswith("_tool_result"):
        return _result(columns, row, block, word, flags | _SERVER, odd)
    elif word == "compaction" and not block.get("content"):
        columns.mark(Mark.NOTHING if block.get("content") == "" else Mark.FAILED, row)
    if not isinstance(word, str) or word not in KNOWN_OTHER:
        flags |= Flag.TYPE_ODD
    return _OTHER, word_of(block), -1, len(compact(block)), -1, flags


def word_of(block: Any) -> str:
    """The wire's word for a block that may have none."""
    if isinstance(block, dict):
        word = block.get("type")
        return word if isinstance(word, str) else "(no type)"
    return json_word(block)


def _call(columns: Columns, row: int, block: dict[str, Any], word: str, flags: int, odd: bool) -> _Row:
    call_id, name = block.get("id"), block.get("name")
    size, told = 0, 0
    if "input" in block:
        found, size = args_size(block["input"])
        told = compact_hashed(block["input"])[1]
        flags |= ARGS[found]
        if odd and has_surrogate(compact(block["input"])):
            flags |= Flag.SURROGATE
    columns.arguments.append(told)
    named = -1
    if isinstance(name, str):
        named, size = columns.names[name], size + len(name)
    if not CALL_KEYS.isdisjoint(block):
        flags |= Flag.UNKNOWN_KEYS
    if len(block) > 4:
        caller = block.get("caller")
        if isinstance(caller, dict) and of_code(caller.get("type")):
            columns.mark(Mark.CODE_CALLER, row)
    key = id_text(call_id)
    return _CALL, word, named, size, -1 if key is None else columns.keys[key], flags | id_flags(call_id)


def _result(columns: Columns, row: int, block: dict[str, Any], word: str, flags: int, odd: bool) -> _Row:
    call_id, content = block.get("tool_use_id"), block.get("content")
    if isinstance(content, str):
        texts, size, more = [content], len(content), text_flags(content)
    else:
        texts, more = result_texts(content, bool(flags & _SERVER))
        size = sum(map(len, texts))
        for fact in content_marks(content):
            columns.mark(fact, row)
    if block.get("is_error") is True:
        flags |= Flag.ERROR
    if odd and any(map(has_surrogate, texts)):
        flags |= Flag.SURROGATE
    if not BLOCK_KEYS.isdisjoint(block):
        flags |= Flag.UNKNOWN_KEYS
    key = id_text(call_id)
    number = -1 if key is None else columns.keys[key]
    return _RESULT, word, -1, size, number, flags | more | id_flags(call_id)


def result_texts(content: Any, server: bool = False) -> tuple[list[str], int]:
    """The texts of a result's content that are counted and shown, in order, and its flags (CONTENT_*, PART_EMPTY, MEDIA, TYPE_ODD).

    Of a list the text parts, the texts of search results, and what is unknown as compact JSON; of a server tool's result
    whatever it holds that is no ciphertext.
    """
    if isinstance(content, str):
        return [content], 0
    if content is None:
        return [], _NULL
    if server:
        flags = _LIST | (0 if content else _NONE) if isinstance(content, list) else 0 if isinstance(content, dict) else _ODD
        return _strings(content), flags
    if not isinstance(content, list):
        return [compact(content)], _ODD
    texts: list[str] = []
    flags = _LIST if content else _LIST | _NONE
    for part in content:
        word = part.get("type") if isinstance(part, dict) else None
        if word == "text" and isinstance(part.get("text"), str):
            text = part["text"]
            texts.append(text)
            if not text or text.isspace():
                flags |= Flag.PART_EMPTY
        elif word == "image" or word == "document":
            flags |= Flag.MEDIA
        elif word == "search_result":
            texts += _strings({key: part.get(key) for key in ("title", "source", "content")})
        else:
            texts.append(part if isinstance(part, str) else compact(part))
            if not isinstance(word, str) or word not in RESULT_PARTS or word == "text":
                flags |= Flag.TYPE_ODD
    return texts, flags


def _strings(value: Any) -> list[str]:
    """Strings inside a value in order, but for those that are no text. Without recursion: a dump may be nested deep."""
    found: list[str] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if item:
                found.append(item)
        elif isinstance(item, dict):
            todo += [held for key, held in reversed(item.items()) if key not in _HIDDEN_KEYS]
        elif isinstance(item, list):
            todo += reversed(item)
    return found
