"""The parts of a content of Gemini's wire: what its rows and its decoded blocks are both made of.

Parts are keyed, not typed; REST writes the keys in camel case, Python's SDK in snake case, and both are read. Types in rows are the camel
case words. Source: the reference of generateContent (https://ai.google.dev/api/caching#Part), and recorded requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from app.formats._flags import args_of, text_flags
from app.formats._json import compact, json_word
from app.model.kinds import Args, Flag, Kind, Role

ROLES: Final = {
    "user": Role.USER, "model": Role.ASSISTANT, "assistant": Role.ASSISTANT, "function": Role.FUNCTION, "tool": Role.TOOL,
    "system": Role.SYSTEM, "developer": Role.DEVELOPER,
}  # fmt: skip
OWN_ROLES: Final = frozenset({"user", "model"})

SNAKE: Final = {
    "functionCall": "function_call", "functionResponse": "function_response", "inlineData": "inline_data", "fileData": "file_data",
    "executableCode": "executable_code", "codeExecutionResult": "code_execution_result", "toolCall": "tool_call",
    "toolResponse": "tool_response", "thoughtSignature": "thought_signature", "functionDeclarations": "function_declarations",
    "systemInstruction": "system_instruction",
}  # fmt: skip
"""Keys in camel case and what Python's SDK writes."""

DATA: Final = (
    "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"
)  # fmt: skip
"""What a part may hold beside text; one of them."""
BESIDE: Final = frozenset(
    {"text", "thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata", "mediaResolution", "media_resolution",
     "partMetadata", "part_metadata"}
)  # fmt: skip
"""Members of a part that are no data by themselves, and text, which is looked at first."""

EMPTY: Final = "(empty)"
"""The word for a part without any data, as `{}`."""

_KINDS: Final = {
    "functionCall": Kind.TOOL_CALL, "functionResponse": Kind.TOOL_RESULT, "inlineData": Kind.MEDIA, "fileData": Kind.MEDIA,
    "executableCode": Kind.TOOL_CALL, "codeExecutionResult": Kind.TOOL_RESULT, "toolCall": Kind.TOOL_CALL,
    "toolResponse": Kind.TOOL_RESULT,
}  # fmt: skip
_SERVED: Final = frozenset({"executableCode", "codeExecutionResult", "toolCall", "toolResponse"})
_CAMEL: Final = {**{key: key for key in DATA}, **{SNAKE[key]: key for key in DATA}}
_SIGNATURE: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}").fullmatch
_FOREIGN: Final = "gAAAAA"  # OpenAI's encrypted reasoning (Fernet)

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _EMPTY, _OTHER = Kind.TEXT, Kind.REASONING, Kind.EMPTY, Kind.OTHER
_NO_ROLE, _SERVER = Role.OTHER, Flag.SERVER


class Piece(NamedTuple):
    """A block of a content. `path` is its place in the content ("" the content itself, "/parts/0"); `key`: the key of its data as it is
    spelled there; `value`: the part; `held`: its data."""

    kind: Kind
    type: str
    path: str
    value: Any
    key: str = ""
    held: Any = None
    flags: int = 0


def held(part: dict[str, Any], word: str) -> Any:
    """A member in either spelling; None where there is none."""
    value = part.get(word)
    return value if value is not None else part.get(SNAKE.get(word, word))


def role_of(content: dict[str, Any]) -> Role:
    """The role of a content. Where it says none, the service takes the user's; one that calls is the model's all the same."""
    word = content.get("role")
    if isinstance(word, str):
        return ROLES.get(word, _NO_ROLE)
    if word is not None:
        return _NO_ROLE
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else (parts,):
        if isinstance(part, dict) and (held(part, "functionCall") is not None or part.get("thought") is True):
            return Role.ASSISTANT
    return Role.USER


def pieces(content: dict[str, Any]) -> Iterator[Piece]:
    """The blocks of a content in order; at least one."""
    parts = content.get("parts")
    if isinstance(parts, list) and parts:
        for number, part in enumerate(parts):
            yield piece(part, f"/parts/{number}", Flag.CONTENT_LIST)
    elif isinstance(parts, dict):  # the service reads one object as a list of one
        yield piece(parts, "/parts")
    elif parts is None or parts == []:
        yield Piece(_EMPTY, "empty", "", parts, flags=Flag.CONTENT_NULL if parts is None else Flag.CONTENT_LIST | Flag.CONTENT_NONE)
    else:
        yield Piece(_EMPTY, json_word(parts), "/parts", parts, flags=Flag.CONTENT_ODD)


def piece(part: Any, path: str, flags: int = 0) -> Piece:
    """One part. `flags`: those of every block of its content that is no result."""
    if not isinstance(part, dict):
        return Piece(_OTHER, json_word(part), path, part, "", part, flags | Flag.TYPE_ODD)
    for key, word in _CAMEL.items() if len(part) > 1 or "text" not in part else ():
        value = part.get(key)
        if value is None:
            continue
        if not isinstance(value, dict):
            return Piece(_OTHER, word, path, part, key, value, flags | Flag.TYPE_ODD)
        kind = _KINDS[word]
        own = _SERVER if word in _SERVED else 0
        return Piece(kind, word, path, part, key, value, own if kind == Kind.TOOL_RESULT else own | flags)
    text = part.get("text")
    if isinstance(text, str):
        if part.get("thought") is True:
            return Piece(_REASONING, "thought", path, part, "text", text, flags)
        return Piece(_TEXT, "text", path, part, "text", text, flags)
    if text is not None:
        return Piece(_OTHER, "text", path, part, "text", text, flags | Flag.TYPE_ODD)
    unknown = next((key for key, value in part.items() if value is not None and key not in BESIDE), None)
    if unknown is not None:
        return Piece(_OTHER, unknown, path, part, unknown, part[unknown], flags | Flag.TYPE_ODD)
    return Piece(_OTHER, EMPTY, path, part, "", None, flags)


# -- signatures -------------------------------------------------------------------------------------------------------------------


def signature_of(part: Any) -> Any:
    """The signature that stands on a part; None where there is none or an empty one."""
    value = held(part, "thoughtSignature") if isinstance(part, dict) else None
    return value if value != "" else None


def is_odd_signature(value: Any) -> bool:
    """Whether a signature can't be one of Gemini's: no base64 (cut off, two in one, a placeholder), or another vendor's."""
    if not isinstance(value, str) or not _SIGNATURE(value):
        return True
    bare = value.rstrip("=")
    return len(bare) % 4 == 1 or (len(bare) < len(value) and len(value) % 4 != 0) or value.startswith(_FOREIGN)


# -- what is counted and shown ----------------------------------------------------------------------------------------------------


def call_of(found: Piece) -> tuple[str | None, Args, str | None]:
    """A call's name, the class of its arguments and their text."""
    if found.type == "executableCode":
        code = found.held.get("code")
        return None, Args.FREE, code if isinstance(code, str) else ""
    name = found.held.get("name") if found.type == "functionCall" else found.held.get("toolType", found.held.get("tool_type"))
    named = name if isinstance(name, str) else None
    if "args" not in found.held:
        return named, Args.NONE, None
    kind, text = args_of(found.held["args"])
    return named, kind, text


def response_texts(response: Any) -> tuple[list[str], int]:
    """The texts of a response that are counted and shown, and their flags. The one string that an object holds (`{"output": "..."}`) is
    its text; any other object is compact JSON."""
    if response is None:
        return [], Flag.CONTENT_NULL
    if isinstance(response, str):
        return [response], text_flags(response, odd=True)
    if not isinstance(response, dict):
        return [compact(response)], 0
    if not response:
        return [], 0
    key = only_text(response)
    if key is not None:
        text: str = response[key]
        return [text], text_flags(text, odd=True)
    text = compact(response)
    return [text], text_flags(text, odd=True)


def only_text(response: Any) -> str | None:
    """The key of the one member of a response, where it is a string."""
    if isinstance(response, dict) and len(response) == 1:
        key, value = next(iter(response.items()))
        if isinstance(value, str):
            return str(key)
    return None


def is_error(response: Any) -> bool:
    """Whether a response says that the call failed: it has an `error` and neither `output` nor `result`."""
    return isinstance(response, dict) and response.get("error") is not None and "output" not in response and "result" not in response


def result_of(found: Piece) -> tuple[list[str], int, bool, list[Any]]:
    """Texts, flags, whether it is an error, and the media parts of a result."""
    value = found.held
    if found.type == "codeExecutionResult":
        output, outcome = value.get("output"), value.get("outcome")
        texts = [output] if isinstance(output, str) else []
        return texts, 0, isinstance(outcome, str) and outcome not in ("OUTCOME_OK", "OUTCOME_UNSPECIFIED"), []
    response = value.get("response")
    texts, flags = response_texts(response)
    parts = value.get("parts")
    media = [part for part in parts if piece(part, "").kind == Kind.MEDIA] if isinstance(parts, list) else []
    return texts, flags | (Flag.MEDIA if media else 0), is_error(response), media
