"""The items of OpenAI's Responses: what their rows and their decoded blocks are both made of.

An item is a record and a message. One of type `message` (or with a role and no type) has a row for each part of its content; every other
item has one row. Hosted calls hold their own result: their texts are what they asked and what came back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from app.formats._flags import ARGS, args_of, id_flags, text_flags
from app.formats._json import compact, json_word
from app.model.items import HOSTED, OUTPUTS
from app.model.kinds import ROLES, Args, Flag, Kind, Role

RESULTS: Final = frozenset(OUTPUTS.values())
PLAIN: Final = frozenset({"input_text", "output_text", "text", "refusal", "reasoning_text", "summary_text"})
"""Parts that are text; `text` is Chat Completions' word, which hosts and logs write here too."""
MEDIA: Final = frozenset({"input_image", "input_file", "input_audio", "computer_screenshot", "image_url", "file"})

_ALONE: Final = Flag.SERVER | Flag.ANSWERED
_FREE: Final = ARGS[Args.FREE]


class Piece(NamedTuple):
    """A block of an item. `path` is its place in the item ("" the item itself, "/content/0"); `call_id`: the wire's value, None where
    it has none; `media`: the parts that are images or documents."""

    kind: Kind
    type: str
    role: Role
    path: str
    value: Any
    texts: tuple[str, ...] = ()
    name: str | None = None
    call_id: Any = None
    media: tuple[dict[str, Any], ...] = ()
    flags: int = 0


def type_of(item: dict[str, Any]) -> str:
    """The wire's word for an item; a message may leave it out."""
    word = item.get("type")
    if isinstance(word, str):
        return word
    return "message" if word is None and "role" in item else "(no type)" if word is None else json_word(word)


def role_of(value: Any) -> Role:
    return ROLES.get(value, Role.OTHER) if isinstance(value, str) else Role.OTHER


def pieces(item: dict[str, Any]) -> list[Piece]:
    """The blocks of an item in order; at least one."""
    word = type_of(item)
    if word == "message":
        return list(_message(item))
    made = _ITEMS.get(word)
    if made is not None:
        return [made(word, item)]
    return [Piece(Kind.OTHER, word, role_of(item.get("role")), "", item, (compact(item),), flags=Flag.TYPE_ODD)]


# -- messages ---------------------------------------------------------------------------------------------------------------


def _message(item: dict[str, Any]) -> Iterator[Piece]:
    role, content = role_of(item.get("role")), item.get("content")
    if isinstance(content, str):
        yield Piece(Kind.TEXT, "text", role, "/content", content, (content,))
    elif isinstance(content, list) and content:
        for number, part in enumerate(content):
            yield _part(role, f"/content/{number}", part)
    else:
        flags = Flag.CONTENT_NULL if content is None else Flag.CONTENT_LIST | Flag.CONTENT_NONE if content == [] else Flag.CONTENT_ODD
        path = "/content" if flags == Flag.CONTENT_ODD else ""
        texts = (compact(content),) if flags == Flag.CONTENT_ODD else ()
        yield Piece(Kind.EMPTY, json_word(content) if path else "empty", role, path, content, texts, flags=flags)


def _part(role: Role, path: str, part: Any) -> Piece:
    text = text_of(part)
    if text is not None:
        word = part["type"]
        return Piece(Kind.TEXT, word, role, path, part, (text,), flags=Flag.CONTENT_LIST)
    word = part.get("type") if isinstance(part, dict) else None
    if isinstance(word, str) and word in MEDIA:
        return Piece(Kind.MEDIA, word, role, path, part, media=(part,), flags=Flag.CONTENT_LIST)
    named = word if isinstance(word, str) else "(no type)" if isinstance(part, dict) else json_word(part)
    return Piece(Kind.OTHER, named, role, path, part, (compact(part),), flags=Flag.CONTENT_LIST | Flag.TYPE_ODD)


def text_of(part: Any) -> str | None:
    """The text of a part that is one."""
    word = part.get("type") if isinstance(part, dict) else None
    if not isinstance(word, str) or word not in PLAIN:
        return None
    text = part.get("refusal" if word == "refusal" else "text")
    return text if isinstance(text, str) else None


# -- reasoning ----------------------------------------------------------------------------------------------------------------


def _reasoning(word: str, item: dict[str, Any]) -> Piece:
    texts = [text for key in ("summary", "content") for part in _list(item.get(key)) if (text := text_of(part)) is not None]
    signed = bool(item.get("encrypted_content"))
    flags = (Flag.SIGNED if signed else 0) | (Flag.REDACTED if signed and not any(texts) else 0)
    return Piece(Kind.REASONING, word, Role.ASSISTANT, "", item, tuple(texts), flags=flags)


# -- calls --------------------------------------------------------------------------------------------------------------------


def _function(word: str, item: dict[str, Any]) -> Piece:
    return _call(word, item, item.get("name"), "arguments", 0)


def _custom(word: str, item: dict[str, Any]) -> Piece:
    return _call(word, item, item.get("name"), "input", _FREE if isinstance(item.get("input"), str) else 0)


ACTIONS: Final = {"local_shell_call": "action", "shell_call": "action", "apply_patch_call": "operation", "computer_call": "action"}
"""Calls without a name, and the member that says what is to be done."""


def _action(word: str, item: dict[str, Any]) -> Piece:
    key = "actions" if word == "computer_call" and "actions" in item else ACTIONS[word]
    return _call(word, item, word.removesuffix("_call"), key, _FREE)


def _search(word: str, item: dict[str, Any]) -> Piece:
    """A search for tools: the client's, or the server's own, which then may have no id (recorded with status 200)."""
    piece = _call(word, item, "tool_search", "arguments", 0)
    flags = piece.flags & ~(Flag.ID_ABSENT if item.get("call_id") is None else 0)
    return piece._replace(flags=flags | (Flag.SERVER if item.get("execution") == "server" else 0))


def _call(word: str, item: dict[str, Any], name: Any, key: str, args: int) -> Piece:
    call_id = item.get("call_id")
    texts: tuple[str, ...] = ()
    if key in item:
        found, text = args_of(item[key])
        texts = () if text is None else (text,)
        args = args or ARGS[found]
    named = name if isinstance(name, str) else None
    return Piece(Kind.TOOL_CALL, word, Role.ASSISTANT, "", item, texts, named, call_id, flags=args | id_flags(call_id))


def _hosted(word: str, item: dict[str, Any]) -> Piece:
    texts: list[str] = []
    media: tuple[dict[str, Any], ...] = ()
    name = word.removesuffix("_call")
    if word == "mcp_call":
        name = item["name"] if isinstance(item.get("name"), str) else name
        texts = [held if isinstance(held, str) else compact(held) for key in ("arguments", "output", "error") if (held := item.get(key))]
    elif word == "code_interpreter_call":
        texts = [text for text in (item.get("code"),) if isinstance(text, str)]
        texts += [out["logs"] for out in _list(item.get("outputs")) if isinstance(out, dict) and isinstance(out.get("logs"), str)]
    elif word == "file_search_call":
        texts = [compact(item["queries"])] if item.get("queries") else []
        texts += [hit["text"] for hit in _list(item.get("results")) if isinstance(hit, dict) and isinstance(hit.get("text"), str)]
    elif word == "image_generation_call":
        texts = [text for text in (item.get("revised_prompt"),) if isinstance(text, str)]
        media = (item,) if isinstance(item.get("result"), str) else ()
    elif item.get("action"):
        texts = [compact(item["action"])]
    return Piece(Kind.TOOL_CALL, word, Role.ASSISTANT, "", item, tuple(texts), name, None, media, _ALONE)


def _program(word: str, item: dict[str, Any]) -> Piece:
    texts = tuple(text for text in (item.get("code"),) if isinstance(text, str))
    call_id = item.get("call_id")
    return Piece(Kind.TOOL_CALL, word, Role.ASSISTANT, "", item, texts, "program", call_id, flags=Flag.SERVER | id_flags(call_id))


# -- what answers them --------------------------------------------------------------------------------------------------------


def _output(word: str, item: dict[str, Any]) -> Piece:
    call_id = item.get("call_id")
    if call_id is None and word == "local_shell_call_output":
        call_id = item.get("id")  # the specification names both and asks for one
    texts, media, flags = result_parts(word, item)
    if item.get("status") == "failed":
        flags |= Flag.ERROR
    return Piece(Kind.TOOL_RESULT, word, Role.TOOL, "", item, texts, None, call_id, media, flags | id_flags(call_id))


def result_parts(word: str, item: dict[str, Any]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...], int]:
    """Texts, media and flags of what an output holds."""
    output = item.get("output")
    if word == "computer_call_output":
        seen = isinstance(output, dict) and output.get("type") == "computer_screenshot"
        return (), (output,) if isinstance(output, dict) and seen else (), Flag.CONTENT_ODD | (Flag.MEDIA if seen else 0)
    if isinstance(output, str):
        return (output,), (), text_flags(output, odd=True)
    if output is None:
        return (), (), 0 if word == "apply_patch_call_output" else Flag.CONTENT_NULL
    if not isinstance(output, list):
        return (compact(output),), (), Flag.CONTENT_ODD
    texts: list[str] = []
    media: list[dict[str, Any]] = []
    flags = Flag.CONTENT_LIST if output else Flag.CONTENT_LIST | Flag.CONTENT_NONE
    for part in output:
        found = part_texts(word, part)
        texts += found
        kind = part.get("type") if isinstance(part, dict) else None
        if not found and isinstance(kind, str) and kind in MEDIA:
            media.append(part)
            flags |= Flag.MEDIA
        elif word != "shell_call_output" and (text_of(part) is None or kind != "input_text"):
            flags |= Flag.TYPE_ODD
    empty = any(not text or text.isspace() for text in texts)
    return tuple(texts), tuple(media), flags | (Flag.PART_EMPTY if empty else 0)


def part_texts(word: str, part: Any) -> list[str]:
    """The texts of one part of an output that is a list."""
    if word == "shell_call_output" and isinstance(part, dict):
        return [text for key in ("stdout", "stderr") if isinstance(text := part.get(key), str) and text]
    text = text_of(part)
    if text is not None:
        return [text]
    if isinstance(part, dict) and isinstance(part.get("type"), str) and part["type"] in MEDIA:
        return []
    return [part if isinstance(part, str) else compact(part)]


def _found_tools(word: str, item: dict[str, Any]) -> Piece:
    """What a search for tools found: definitions, no text. Flagged as odd content, so that nobody puts a text in their place."""
    call_id, server = item.get("call_id"), item.get("execution") == "server"
    texts = (compact(item["tools"]),) if "tools" in item else ()
    flags = Flag.CONTENT_ODD | (Flag.SERVER if server else 0) | (id_flags(call_id) if call_id is not None else 0)
    return Piece(Kind.TOOL_RESULT, word, Role.ASSISTANT if server else Role.TOOL, "", item, texts, None, call_id, flags=flags)


def _program_output(word: str, item: dict[str, Any]) -> Piece:
    held, call_id = item.get("result"), item.get("call_id")
    texts = () if held is None else (held if isinstance(held, str) else compact(held),)
    return Piece(Kind.TOOL_RESULT, word, Role.ASSISTANT, "", item, texts, None, call_id, flags=Flag.SERVER | id_flags(call_id))


# -- all else -----------------------------------------------------------------------------------------------------------------


_ROLES: Final = {"additional_tools": Role.DEVELOPER, "mcp_approval_response": Role.TOOL, "compaction_trigger": Role.OTHER}


def _other(word: str, item: dict[str, Any]) -> Piece:
    """Tools that are listed or added, approvals, references, compactions. What stands for a conversation that was compacted begins an
    exchange (it is the wall) and belongs to no step."""
    if word == "compaction":
        signed = Flag.SIGNED | Flag.REDACTED if item.get("encrypted_content") else 0
        return Piece(Kind.OTHER, word, Role.OTHER, "", item, flags=Flag.SUMMARY | signed)
    role = _ROLES.get(word, Role.ASSISTANT)
    held = item["tools"] if word in ("additional_tools", "mcp_list_tools") and "tools" in item else item
    return Piece(Kind.OTHER, word, role, "", item, (compact(held),))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_Make = Callable[[str, dict[str, Any]], Piece]
_ITEMS: Final[dict[str, _Make]] = {
    "reasoning": _reasoning, "function_call": _function, "custom_tool_call": _custom, "tool_search_call": _search,
    "tool_search_output": _found_tools, "program": _program, "program_output": _program_output,
    **dict.fromkeys(ACTIONS, _action), **dict.fromkeys(HOSTED, _hosted), **dict.fromkeys(RESULTS - {"tool_search_output"}, _output),
    **dict.fromkeys(("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction", "compaction_trigger",
                     "item_reference", "additional_tools"), _other),
}  # fmt: skip
