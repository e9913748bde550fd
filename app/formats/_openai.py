"""The pieces of a message of OpenAI's Chat Completions wire: what its rows and its decoded blocks are both made of.

Each piece names its kind, its wire's word, and where in the message it stands. Order: reasoning, content, refusal, calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from app.formats._columns import tokens_of
from app.formats._flags import args_of, text_flags
from app.formats._json import compact, json_word
from app.model.kinds import ROLES, Args, Flag, Kind, Role

RESULT_ROLES: Final = frozenset({Role.TOOL, Role.FUNCTION})
MEDIA_PARTS: Final = frozenset({"image_url", "input_audio", "file", "document_url"})
REASONING_KEYS: Final = ("reasoning_content", "reasoning")
REASONING_COPIES: Final = ("reasoning_details", "thinking_blocks", "reasoning_signature")
"""What hosts add beside the text of the reasoning: OpenRouter's and LiteLLM's structured forms and the signature of another wire."""
FOREIGN_KEYS: Final = frozenset({"tool_use_id", "toolUseId", "toolCalls", "parts"})

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _OTHER = Kind.MEDIA, Kind.EMPTY, Kind.OTHER
_TOOL, _NO_ROLE = Role.TOOL, Role.OTHER
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
            kind, word, flags = part_kind(part)
            yield Piece(kind, word, f"/content/{number}", part, flags | Flag.CONTENT_LIST)
    else:
        yield Piece(_EMPTY, json_word(content), "/content", content, Flag.CONTENT_ODD)


def _content_flags(content: Any) -> int:
    if content is None:
        return Flag.CONTENT_NULL
    if isinstance(content, list):
        return Flag.CONTENT_LIST if content else Flag.CONTENT_LIST | Flag.CONTENT_NONE
    return 0 if isinstance(content, str) else Flag.CONTENT_ODD


def part_kind(part: Any) -> tuple[Kind, str, int]:
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


def is_signed(message: dict[str, Any]) -> bool:
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
        kind, word, odd = part_kind(part)
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


def usage_of(usage: Any) -> dict[str, int] | None:
    """What an answer says of the tokens that it took, as `Columns.usage` takes it; None where it says nothing."""
    if not isinstance(usage, dict):
        return None
    total = tokens_of(usage, "prompt_tokens", "input_tokens")
    details = usage.get("prompt_tokens_details")
    read = tokens_of(details, "cached_tokens") if isinstance(details, dict) else tokens_of(usage, "prompt_cache_hit_tokens")
    read = min(read, total)
    output = tokens_of(usage, "completion_tokens", "output_tokens")
    return {"fresh": total - read, "cache_read": read, "cache_write": 0, "output": output}
