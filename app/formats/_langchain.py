"""LangChain's messages in the three ways in which they are dumped, and what they are made of.

`messages_to_dict` gives `{type, data}`, LangGraph's states the same members flat, `dumpd` a constructor (`lc: 1`, `id`, `kwargs`). One call
may stand there up to three times: in `tool_calls`, in `additional_kwargs.tool_calls` and as a block of the content; the first of these that
has any counts. Calls whose arguments were no JSON stand in `invalid_tool_calls` and are sent like the others.
Source: langchain-ai/langchain libs/core/langchain_core/messages (`messages_to_dict`, `AIMessage`), load/dump.py, and
libs/partners/openai/langchain_openai/chat_models/base.py (`_convert_message_to_dict`).
"""

from __future__ import annotations

import re
from typing import Any, Final

from app.formats._piece_wires import call, content_pieces, part_piece, result, role_of, string, thought
from app.formats._pieces import Piece, empty, other
from app.model.kinds import Role

WORDS: Final = frozenset({"human", "ai", "tool", "system", "function", "chat", "remove"})
_CALLS: Final = frozenset({"tool_use", "tool_call", "function_call", "toolUse", "server_tool_use", "input_json_delta", "tool_call_chunk"})
_WORD: Final = re.compile(r"^(Human|AI|Tool|System|Function|Chat|Remove)(Message)?(Chunk)?$", re.I)


def word_of(message: Any) -> str | None:
    """What a message is: human, ai, tool, ...; None where it is none of LangChain's."""
    if not isinstance(message, dict):
        return None
    held = message.get("id") if "lc" in message else None
    said = held[-1] if isinstance(held, list) and held else message.get("type")
    if not isinstance(said, str):
        return None
    found = _WORD.match(said)
    return found[1].lower() if found else None


def data_of(message: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The members of a message, and where they stand in it."""
    for key in ("kwargs", "data"):
        held = message.get(key)
        if isinstance(held, dict) and ("lc" in message or key == "data") and "content" not in message:
            return held, f"/{key}"
    return message, ""


def pieces(message: Any) -> list[Piece]:
    word = word_of(message)
    if not isinstance(message, dict) or (word is None and "role" not in message):
        return [other(message, "(no message)", Role.OTHER, "")]
    data, at = data_of(message)
    role = role_of(data.get("role")) if word in (None, "chat") else role_of(word)
    content = data.get("content", data.get("blocks"))  # LlamaIndex: blocks beside additional_kwargs
    more = data.get("additional_kwargs")
    more = more if isinstance(more, dict) else {}
    if role in (Role.TOOL, Role.FUNCTION):
        failed = data.get("status") == "error"
        return [
            result(word or "tool", role, at, data.get("tool_call_id", more.get("tool_call_id")), content, message, data.get("name"), failed)
        ]
    if word == "remove":
        return [other(message, "remove", Role.OTHER, at)]
    found = list[Piece]()
    reasoning = more.get("reasoning_content", data.get("reasoning_content"))
    if isinstance(reasoning, str) and reasoning:
        found.append(thought(reasoning, at, reasoning))
    calls = _calls(data, more, at) if role == Role.ASSISTANT else []
    found += _content(content, role, f"{at}/content", bool(calls))
    found += calls
    return found or [empty(content if content != "" or calls else None, role, f"{at}/content")]


def _content(content: Any, role: Role, path: str, called: bool) -> list[Piece]:
    """The content; blocks of calls are left out where those stand elsewhere too."""
    if not isinstance(content, list):
        return [] if content == "" and called else content_pieces(content, role, path)
    found = list[Piece]()
    for number, block in enumerate(content):
        word, here = block.get("type") if isinstance(block, dict) else None, f"{path}/{number}"
        if isinstance(word, str) and word in _CALLS:
            server, args = word == "server_tool_use", block.get("input", block.get("args"))
            if not called or server:
                found.append(call(word, here, block.get("name"), block.get("id"), args, block, server=server))
        elif word == "tool_result":
            failed = block.get("is_error") is True
            found.append(result(word, role, here, block.get("tool_use_id"), block.get("content"), block, error=failed))
        else:
            found.append(part_piece(block, role, here))
    return found


def _calls(data: dict[str, Any], more: dict[str, Any], at: str) -> list[Piece]:
    found, ids = list[Piece](), set[str]()
    for key in ("tool_calls", "invalid_tool_calls"):
        entries = data.get(key)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and not (key == "invalid_tool_calls" and str(entry.get("id")) in ids):
                found.append(_call(entry, f"{at}/{key}/{number}"))
                ids.add(str(entry.get("id")))
    if found:
        return found
    entries = more.get("tool_calls")
    found = [
        _call(entry, f"{at}/additional_kwargs/tool_calls/{number}")
        for number, entry in enumerate(entries if isinstance(entries, list) else ())
        if isinstance(entry, dict)
    ]
    legacy = more.get("function_call")
    if not found and isinstance(legacy, dict):
        path = f"{at}/additional_kwargs/function_call"
        found.append(call("function_call", path, legacy.get("name"), None, legacy.get("arguments"), legacy))
    return found


def _call(entry: dict[str, Any], path: str) -> Piece:
    function = entry.get("function")
    if isinstance(function, dict):
        return call("function", path, function.get("name"), entry.get("id"), function.get("arguments"), entry)
    word = string(entry.get("type")) or "tool_call"
    return call(word, path, entry.get("name"), entry.get("id"), entry.get("args", entry.get("arguments")), entry)
