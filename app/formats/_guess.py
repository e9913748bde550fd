"""Messages whose wire nobody named: what they say is found by the words that most programs use for it. They are read and never written."""

from __future__ import annotations

from typing import Any, Final

from app.formats._openai import REASONING_KEYS
from app.formats._piece_wires import call, part_piece, result, role_of, said, thought
from app.formats._pieces import Piece
from app.model.kinds import Role

_CALLS: Final = frozenset({"tool_use", "toolCall", "tool-call", "toolUse", "tool_call", "function_call", "custom_tool_call", "toolRequest"})
_RESULTS: Final = frozenset(
    {"tool_result", "toolResult", "tool-result", "function_call_output", "custom_tool_call_output", "tool_call_response", "toolResponse"}
)
_CALL_IDS: Final = ("toolCallId", "tool_call_id", "call_id", "callId", "toolUseId", "id")
_RESULT_IDS: Final = ("tool_use_id", "toolCallId", "tool_call_id", "call_id", "callId", "toolUseId", "id")
_ARGS: Final = ("input", "args", "arguments", "parameters")
_CONTENTS: Final = ("content", "output", "result", "value", "text")
_ANSWERS: Final = frozenset({"tool", "function", "toolresult", "tool_result", "observation"})
_SPEAKERS: Final = ("role", "sender", "from", "speaker", "author")
_SAID: Final = ("content", "parts", "text", "value", "message", "body")


def first_of(value: dict[str, Any], *keys: str) -> Any:
    """The first of these members that is there and not null."""
    return next((value[key] for key in keys if value.get(key) is not None), None)


def block(part: Any, role: Role, path: str) -> Piece:
    """A part of a content list, in whichever wire it is written."""
    word = part.get("type") if isinstance(part, dict) else None
    if isinstance(word, str) and word in _CALLS:
        return called(part, path, word)
    if isinstance(word, str) and word in _RESULTS:
        return answered(part, path, role, word)
    return part_piece(part, role, path)


def called(part: dict[str, Any], path: str, word: str = "tool_call") -> Piece:
    """A call by any of the names that its members go by."""
    function = part.get("function")
    held = function if isinstance(function, dict) else part
    name = first_of(held, "name", "toolName", "tool_name", "tool")
    id, args = first_of(part, *_CALL_IDS), first_of(held, *_ARGS)
    return call(word, path, name if name is not None else part.get("name"), id, args, part)


def answered(part: dict[str, Any], path: str, role: Role, word: str = "tool_result") -> Piece:
    """A result, likewise."""
    content = first_of(part, *_CONTENTS)
    if isinstance(content, dict) and isinstance(content.get("value"), str):
        content = content["value"]
    error = any(part.get(key) is True for key in ("is_error", "isError", "error")) or part.get("success") is False
    name = first_of(part, "toolName", "tool_name", "name")
    return result(word, role, path, first_of(part, *_RESULT_IDS), content, part, name, error)


def speaker(message: dict[str, Any]) -> str | None:
    """Who says a message; None where it does not tell."""
    for key in _SPEAKERS:
        held = message.get(key)
        held = held.get("role", held.get("name")) if isinstance(held, dict) else held
        if isinstance(held, str) and held:
            return held
    return None


def message_pieces(message: dict[str, Any], path: str = "", word: str | None = None) -> list[Piece]:
    """The blocks of a message. `word`: who says it, where the message itself does not tell."""
    word = speaker(message) or word or ""
    role = role_of(word)
    if word.lower() in _ANSWERS and not _has_results(message):
        return [answered(message, path, Role.TOOL if role == Role.OTHER else role)]
    thoughts = [key for key in REASONING_KEYS if isinstance(message.get(key), str) and message[key]]
    found = [thought(message[key], f"{path}/{key}", word=key) for key in thoughts[:1]]
    calls = message.get("tool_calls", message.get("toolCalls"))
    key = next((key for key in _SAID if message.get(key) is not None), None)
    content = message.get(key) if key is not None else None
    if isinstance(content, list):
        found += [block(part, role, f"{path}/{key}/{number}") for number, part in enumerate(content)]
    elif content is not None and not (content == "" and calls):
        found.append(said(role, content, f"{path}/{key}"))
    for number, one in enumerate(calls if isinstance(calls, list) else ()):
        if isinstance(one, dict):
            found.append(called(one, f"{path}/tool_calls/{number}" if "tool_calls" in message else f"{path}/toolCalls/{number}"))
    return found


def _has_results(message: dict[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(isinstance(part, dict) and part.get("type") in _RESULTS for part in content)


def is_message(value: Any) -> bool:
    """Whether a value says something and tells who says it, in words of a conversation."""
    if not isinstance(value, dict):
        return False
    word = speaker(value)
    if word is None or (role_of(word) == Role.OTHER and word.lower() not in _ANSWERS):
        return False
    return any(key in value for key in (*_SAID, "tool_calls", "toolCalls"))
