"""The messages of OpenAI's Chat Completions wire as rows: what `parse` keeps, and the same blocks for whoever looks.

A message is first listed as pieces (`pieces`): each names its kind, its wire's word, and where in the message it stands. Rows and
blocks are both made of them, so that they agree. Order: reasoning, content, refusal, calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, args_of, class_of_string, id_flags, id_text, text_flags
from app.formats._json import compact, has_surrogate, json_word
from app.formats._marks import mark
from app.formats._media import of_base64, of_url
from app.model.block import Block, Media
from app.model.kinds import ROLES, Args, Flag, Kind, Role

RESULT_ROLES: Final = frozenset({Role.TOOL, Role.FUNCTION})
MEDIA_PARTS: Final = frozenset({"image_url", "input_audio", "file"})
REASONING_KEYS: Final = ("reasoning_content", "reasoning")
REASONING_COPIES: Final = ("reasoning_details", "thinking_blocks", "reasoning_signature")
"""What hosts add beside the text of the reasoning: OpenRouter's and LiteLLM's structured forms and the signature of another wire."""
FOREIGN_KEYS: Final = frozenset({"tool_use_id", "toolUseId", "toolCalls", "parts"})
_CALLING_KEYS: Final = frozenset({"role", "content", "tool_calls", "name", "refusal", "annotations", "audio", "function_call"})
_MASK: Final = 0xFFFFFFFF

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _OTHER = Kind.MEDIA, Kind.EMPTY, Kind.OTHER
_USER, _ASSISTANT, _TOOL, _NO_ROLE = Role.USER, Role.ASSISTANT, Role.TOOL, Role.OTHER
_FREE, _NO_ARGS = Args.FREE, Args.NONE


class Piece(NamedTuple):
    """`path` is the place in the message ("" the message itself, "/content/0", "/tool_calls/1"); `value` what stands there."""

    kind: Kind
    type: str
    path: str
    value: Any
    flags: int = 0


def role_of(value: Any) -> Role:
    return ROLES.get(value, _NO_ROLE) if isinstance(value, str) else _NO_ROLE


def pieces(role: Role, message: dict[str, Any]) -> Iterator[Piece]:
    """The blocks of a message in order; at least one."""
    content = message.get("content")
    if role in RESULT_ROLES:
        yield Piece(_RESULT, "tool" if role == _TOOL else "function", "", content, _content_flags(content))
        return
    calls, legacy = message.get("tool_calls"), message.get("function_call")
    refusal = message.get("refusal")
    called = bool(calls) or legacy is not None
    said = isinstance(refusal, str) and refusal != ""
    thought = _reasoning_key(message)
    if thought is not None:
        yield Piece(_REASONING, thought, f"/{thought}", message)
    if content or not (content is None or content == "" or content == []):
        yield from _content(content)
    elif not called and not said:
        if content == "":
            yield Piece(_TEXT, "text", "/content", content)
        elif thought is None:
            yield Piece(_EMPTY, "empty", "", content, _content_flags(content))
    if said:
        yield Piece(_TEXT, "refusal", "/refusal", refusal)
    if isinstance(calls, list) and calls:
        for number, call in enumerate(calls):
            word = call.get("type", "function") if isinstance(call, dict) else None
            kind = _CALL if isinstance(call, dict) else _OTHER
            yield Piece(kind, word if isinstance(word, str) else json_word(call), f"/tool_calls/{number}", call)
    elif calls:
        yield Piece(_OTHER, "tool_calls", "/tool_calls", calls, Flag.TYPE_ODD)
    if legacy is not None and not (isinstance(calls, list) and calls):
        kind = _CALL if isinstance(legacy, dict) else _OTHER
        yield Piece(kind, "function_call", "/function_call", legacy, 0 if isinstance(legacy, dict) else Flag.TYPE_ODD)


def _content(content: Any) -> Iterator[Piece]:
    """The pieces of content that is there."""
    if isinstance(content, str):
        yield Piece(_TEXT, "text", "/content", content)
    elif isinstance(content, list):
        for number, part in enumerate(content):
            kind, word, flags = _part_kind(part)
            yield Piece(kind, word, f"/content/{number}", part, flags | Flag.CONTENT_LIST)
    else:
        yield Piece(_EMPTY, json_word(content), "/content", content, Flag.CONTENT_ODD)


def _content_flags(content: Any) -> int:
    if content is None:
        return Flag.CONTENT_NULL
    if isinstance(content, list):
        return Flag.CONTENT_LIST if content else Flag.CONTENT_LIST | Flag.CONTENT_NONE
    return 0 if isinstance(content, str) else Flag.CONTENT_ODD


def _part_kind(part: Any) -> tuple[Kind, str, int]:
    word = part.get("type") if isinstance(part, dict) else None
    if (word == "text" and isinstance(part.get("text"), str)) or (word == "refusal" and isinstance(part.get("refusal"), str)):
        return _TEXT, word, 0
    if word == "thinking":
        return _REASONING, word, 0
    if isinstance(word, str) and word in MEDIA_PARTS:
        return _MEDIA, word, 0
    return _OTHER, word if isinstance(word, str) else "(no type)" if isinstance(part, dict) else json_word(part), Flag.TYPE_ODD


def _reasoning_key(message: dict[str, Any]) -> str | None:
    """The key that the reasoning of a message is named by: that of its text, else of what stands in its place."""
    for key in REASONING_KEYS:
        if key in message and isinstance(message[key], str) and message[key]:
            return key
    for key in REASONING_COPIES:
        if message.get(key):
            return key
    return None


def reasoning_text(message: dict[str, Any]) -> str:
    """The readable reasoning of a message; "" where there is none."""
    for key in REASONING_KEYS:
        if isinstance(message.get(key), str) and message[key]:
            return str(message[key])
    texts: list[str] = []
    for key in ("reasoning_details", "thinking_blocks"):
        entries = message.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                texts += [entry[name] for name in ("text", "summary", "thinking") if isinstance(entry.get(name), str)]
        if texts:
            break
    return "\n".join(texts)


def _signed(message: dict[str, Any]) -> bool:
    if message.get("reasoning_signature"):
        return True
    for key in ("reasoning_details", "thinking_blocks"):
        entries = message.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and (entry.get("signature") or entry.get("data")):
                return True
    return False


def thinking_text(part: dict[str, Any]) -> str:
    """Of a part of type `thinking`: its text, or the texts of the list that some hosts put there."""
    held = part.get("thinking")
    if isinstance(held, str):
        return held
    entries = held if isinstance(held, list) else ()
    return "\n".join(entry["text"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("text"), str))


# -- rows -------------------------------------------------------------------------------------------------------------------


def add_message(columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
    """Adds the rows of a message."""
    role = role_of(value.get("role"))
    common = 0
    if len(value) > 2:
        common = Flag.NAMED if value.get("name") is not None else 0
        if value.get("tool_calls") == []:
            common |= Flag.CALLS_NONE
        if not FOREIGN_KEYS.isdisjoint(value):
            common |= Flag.UNKNOWN_KEYS
        if value.get("cache_control") is not None:
            common |= Flag.CACHE
    content = value.get("content")
    if not odd:
        if isinstance(content, str) and _plain(columns, record, message, role, value, content, common):
            return
        if role == _ASSISTANT and _calling(columns, record, message, value, content, common):
            return
    for part, piece in enumerate(pieces(role, value)):
        name, size, key, flags = _measured(columns, role, piece, value, odd)
        columns.rows += ROW.pack(
            record, part, message, piece.kind, columns.type_of(piece.type), role, name, size, (common | piece.flags | flags) & _MASK, key
        )


def _plain(columns: Columns, record: int, message: int, role: Role, value: dict[str, Any], content: str, flags: int) -> bool:
    """The row of a message that is one text or one result, as most are, without listing pieces; False for all others."""
    if role in RESULT_ROLES:
        call_id, name = value.get("tool_call_id"), value.get("name")
        if not isinstance(call_id, str):
            return False
        word = columns.type_of("tool" if role == _TOOL else "function")
        named = columns.names[name] if isinstance(name, str) else -1
        flags = (flags | id_flags(call_id) | text_flags(content)) & _MASK
        columns.rows += ROW.pack(record, 0, message, _RESULT, word, role, named, len(content), flags, columns.keys[call_id])
        return True
    if len(value) > 2:
        return False
    flags = (flags | text_flags(content) | (mark(content) if role == _USER else 0)) & _MASK
    columns.rows += ROW.pack(record, 0, message, _TEXT, columns.type_of("text"), role, -1, len(content), flags, -1)
    return True


def _calling(columns: Columns, record: int, message: int, value: dict[str, Any], content: Any, flags: int) -> bool:
    """The rows of an assistant's message of functions called and perhaps a text, without listing pieces; False for all others."""
    calls = value.get("tool_calls")
    if not calls or not isinstance(calls, list) or not _CALLING_KEYS.issuperset(value) or value.get("refusal"):
        return False
    if content is not None and not isinstance(content, str):
        return False
    rows, part = bytearray(), 0
    if isinstance(content, str) and content:
        text = (flags | text_flags(content)) & _MASK
        rows += ROW.pack(record, 0, message, _TEXT, columns.type_of("text"), _ASSISTANT, -1, len(content), text, -1)
        part = 1
    word = columns.type_of("function")
    for call in calls:
        try:
            call_id, body = call["id"], call["function"]
            name, arguments = body["name"], body["arguments"]
            if call["type"] != "function" or call.get("cache_control") is not None:
                return False
            number = columns.names[name] if isinstance(name, str) else -1
            key = columns.keys[call_id] if isinstance(call_id, str) else -1
        except (KeyError, TypeError, AttributeError):
            return False
        if number < 0 or key < 0 or not isinstance(arguments, str):
            return False
        own = (flags | ARGS[class_of_string(arguments)] | id_flags(call_id)) & _MASK
        rows += ROW.pack(record, part, message, _CALL, word, _ASSISTANT, number, len(name) + len(arguments), own, key)
        part += 1
    columns.rows += rows
    return True


def _measured(columns: Columns, role: Role, piece: Piece, message: dict[str, Any], odd: bool) -> tuple[int, int, int, int]:
    """Name, size, key and flags of a piece's row."""
    kind, value = piece.kind, piece.value
    flags = Flag.CACHE if isinstance(value, dict) and kind != _REASONING and value.get("cache_control") is not None else 0
    if kind == _TEXT:
        text = value if isinstance(value, str) else value[piece.type]
        return -1, len(text), -1, flags | text_flags(text, odd) | (mark(text) if role == _USER else 0)
    if kind == _REASONING:
        text = reasoning_text(value) if piece.path.count("/") == 1 else thinking_text(value)
        signed = _signed(value) if piece.path.count("/") == 1 else bool(value.get("signature"))
        flags |= text_flags(text, odd) | (Flag.SIGNED if signed else 0) | (Flag.REDACTED if signed and not text else 0)
        return -1, len(text), -1, flags
    if kind == _CALL:
        return _call_row(columns, piece, flags, odd)
    if kind == _RESULT:
        texts, more = result_texts(value)
        call_id, name = message.get("tool_call_id"), message.get("name")
        key = id_text(call_id)
        flags |= more | id_flags(call_id) | (Flag.SURROGATE if odd and any(map(has_surrogate, texts)) else 0)
        named = columns.names[name] if isinstance(name, str) else -1
        return named, sum(map(len, texts)), -1 if key is None else columns.keys[key], flags
    return -1, 0 if kind == _MEDIA or piece.path == "" else len(compact(value)), -1, flags


def _call_row(columns: Columns, piece: Piece, flags: int, odd: bool) -> tuple[int, int, int, int]:
    name, found, text = call_of(piece)
    call_id = piece.value.get("id")
    key = id_text(call_id)
    flags |= ARGS[found] | id_flags(call_id)
    if odd and text is not None and has_surrogate(text):
        flags |= Flag.SURROGATE
    if piece.type not in ("function", "custom", "function_call"):
        flags |= Flag.TYPE_ODD
    size = len(name or "") + len(text or "")
    return -1 if name is None else columns.names[name], size, -1 if key is None else columns.keys[key], flags


def call_body(piece: Piece) -> tuple[Any, str]:
    """The object that holds a call's name and arguments, and the key of the arguments."""
    if piece.type == "function_call" and piece.path == "/function_call":
        return piece.value, "arguments"
    if piece.type == "custom":
        return piece.value.get("custom"), "input"
    return piece.value.get("function"), "arguments"


def call_of(piece: Piece) -> tuple[str | None, Args, str | None]:
    """A call's name, the class of its arguments and their text."""
    body, key = call_body(piece)
    if not isinstance(body, dict):
        return None, _NO_ARGS, None
    name = body.get("name")
    named = name if isinstance(name, str) else None
    if key not in body:
        return named, _NO_ARGS, None
    found, text = args_of(body[key])
    return named, _FREE if piece.type == "custom" and isinstance(body[key], str) else found, text


def result_texts(content: Any) -> tuple[list[str], int]:
    """The texts of a result that are counted and shown, and its flags of parts."""
    if isinstance(content, str):
        return [content], text_flags(content)
    if content is None:
        return [], 0
    if not isinstance(content, list):
        return [compact(content)], 0
    texts: list[str] = []
    flags = 0
    for part in content:
        kind, word, odd = _part_kind(part)
        if kind == _TEXT:
            text = part[word]
            texts.append(text)
            flags |= Flag.PART_EMPTY if not text or text.isspace() else 0
        elif kind == _MEDIA:
            flags |= Flag.MEDIA
        else:
            texts.append(part if isinstance(part, str) else compact(part))
            flags |= odd
    return texts, flags


# -- blocks -----------------------------------------------------------------------------------------------------------------


def message_blocks(value: dict[str, Any], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a message as rows `first`, `first + 1`, ..."""
    role = role_of(value.get("role"))
    return [_block(role, piece, value, first + part, record, pointer) for part, piece in enumerate(pieces(role, value))]


def _block(role: Role, piece: Piece, message: dict[str, Any], row: int, record: int, pointer: str) -> Block:
    kind, value, place = piece.kind, piece.value, pointer + piece.path
    texts: tuple[str, ...] = ()
    name = call_id = None
    media: tuple[Media, ...] = ()
    if kind == _TEXT:
        texts = (value if isinstance(value, str) else value[piece.type],)
    elif kind == _REASONING:
        texts = (reasoning_text(value) if piece.path.count("/") == 1 else thinking_text(value),)
        value = message.get(piece.type) if piece.path.count("/") == 1 else value
    elif kind == _CALL:
        name, _, text = call_of(piece)
        texts = () if text is None else (text,)
        call_id = id_text(value.get("id"))
    elif kind == _RESULT:
        texts = tuple(result_texts(value)[0])
        call_id, found = id_text(message.get("tool_call_id")), message.get("name")
        name = found if isinstance(found, str) else None
        media = tuple(_media(part) for part in value if _part_kind(part)[0] == _MEDIA) if isinstance(value, list) else ()
        value = message
    elif kind == _MEDIA:
        media = (_media(value),)
    elif kind == _OTHER or piece.path:  # content that is an object or a number is shown as it is
        texts = (compact(value),)
    return Block(row, kind, piece.type, role, texts, name, call_id, False, media, place, record, value)


def _media(part: dict[str, Any]) -> Media:
    held = part.get(part["type"])
    if part["type"] == "image_url":
        return of_url(held.get("url") if isinstance(held, dict) else held)
    if not isinstance(held, dict):
        return Media("")
    if part["type"] == "input_audio":
        found = of_base64(held.get("data"), f"audio/{held.get('format', '')}")
        return Media(found.mime, bytes=found.bytes)
    return of_url(held.get("file_data"))
