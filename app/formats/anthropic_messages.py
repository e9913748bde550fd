"""Anthropic's Messages wire: a request, a response, or a bare list of messages.

Requests to Bedrock's InvokeModel (`anthropic_version`, no `model`) and to Vertex are the same. Sources: the SDK's types,
anthropics/anthropic-sdk-typescript@bfa9197 src/resources/beta/messages/messages.ts, and recorded requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.formats._anthropic import add_content, result_texts, role_of
from app.formats._anthropic_blocks import content_blocks
from app.formats._anthropic_messages import rewrite
from app.formats._columns import Columns, tokens_of
from app.formats._dialect import evidence, words
from app.formats._facts import Facts, facts_of
from app.formats._flags import text_flags
from app.formats._json import NotJson, compact, loads
from app.formats._noted import cache_flag, mark_role, note_tool
from app.formats._peek import peek
from app.formats._requests import Reading, Requests
from app.formats._requests_write import RequestWriter
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.foreign import MESSAGE_KEYS, TEXT_KEYS
from app.model.kinds import Flag, Kind, Mark, Role
from app.model.transcript import Transcript

_SYSTEM = Role.SYSTEM  # roles behind it are of other wires


class AnthropicMessages(Requests):
    name = "anthropic-messages"
    summary = "Anthropic Messages: a request, a response or a list of messages"
    provider = "anthropic"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = evidence(peek(head, whole))
        if found is None:
            return None
        if found.anthropic:
            score = min(0.98, 0.7 + 0.1 * len(found.anthropic)) - 0.15 * len(found.openai)
            return Confidence(self.name, max(0.2, score), words(found.anthropic))
        if found.openai:
            return None
        return Confidence(self.name, 0.4, "role and content, text only: Anthropic and OpenAI write it alike")

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        foreign = () if len(value) == 2 else value.keys() & MESSAGE_KEYS
        flags = Flag.UNKNOWN_KEYS if foreign else 0
        role = role_of(value.get("role"))
        strange = role > _SYSTEM
        first = columns.row_count if foreign or strange else 0
        add_content(columns, record, message, role, value.get("content"), flags=flags, odd=odd)
        if strange:
            mark_role(columns, first, value)
        for key in foreign:
            _mark(columns, first, f"{Mark.FOREIGN}.{key}")
        if "tool_calls" in foreign and _unsaid(value):
            _mark(columns, first, Mark.UNSAID)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return content_blocks(role_of(value.get("role")), value.get("content"), first=first, record=record, pointer=pointer)

    def facts(self, content: Any) -> Facts:
        return facts_of(content, result_texts)

    # -- beside the list ------------------------------------------------------------------------------------------------------

    def add_heads(self, reading: Reading) -> None:
        system = reading.outline.member("system")
        if system is not None:
            value = reading.value(system)
            if isinstance(value, list):
                spans = reading.elements(system)
                for place, (block, (offset, length)) in enumerate(zip(value, spans, strict=False)):
                    _add_system(reading, reading.head(offset, length, place, f"/system/{place}"), block)
            elif value is not None:
                _add_system(reading, reading.head(system.start, system.end - system.start, 0, "/system"), value)
        tools = reading.outline.member("tools")
        value = reading.value(tools)
        if tools is not None and isinstance(value, list):
            for place, (tool, (offset, length)) in enumerate(zip(value, reading.elements(tools), strict=False)):
                _add_tool(reading, reading.head(offset, length, place, f"/tools/{place}"), tool)

    def add_lasts(self, reading: Reading) -> None:
        found, columns = reading.outline, reading.columns
        usage = reading.value(found.member("usage"))
        if found.span is None and found.member("content") is not None and found.root.end >= 0:
            root = found.root
            _require_whole(reading, root.start, root.end - root.start)
            record = reading.last(root.start, root.end - root.start, "", reading.model, (-1, -1))
            value = {"role": reading.value(found.member("role")), "content": reading.value(found.member("content"))}
            add_content(columns, record, reading.messages, role_of(value["role"]), value["content"], odd=True)
            reading.messages += 1
        if isinstance(usage, dict) and reading.messages:
            columns.usage(
                reading.messages - 1,
                fresh=tokens_of(usage, "input_tokens"),
                cache_read=tokens_of(usage, "cache_read_input_tokens"),
                cache_write=tokens_of(usage, "cache_creation_input_tokens"),
                output=tokens_of(usage, "output_tokens"),
            )

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return RequestWriter(dump, transcripts[0], rewrite).plan()

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        if kind == Kind.TOOLS:
            name = value.get("name") if isinstance(value, dict) else None
            named = name if isinstance(name, str) else None
            return Block(first, kind, _tool_type(value), Role.SYSTEM, (compact(value),), named, pointer=pointer, record=record, value=value)
        return Block(first, kind, _system_type(value), Role.SYSTEM, (_system_text(value),), pointer=pointer, record=record, value=value)


def _require_whole(reading: Reading, offset: int, length: int) -> None:
    """An answer is one record, and must be JSON as a whole to be looked at. UnreadableError where only its parts are."""
    try:
        loads(reading.source.read(offset, length))
    except NotJson as error:
        raise UnreadableError(f"{reading.source.name}: not JSON: {error}; mend the text, or open a copy that is whole") from None


def _mark(columns: Columns, first: int, word: str) -> None:
    """Says something of a message: on each of its rows."""
    for row in range(first, columns.row_count):
        columns.mark(word, row)


def _unsaid(message: dict[str, Any]) -> bool:
    """Whether the `tool_calls` of a message hold a call that is not among its blocks."""
    calls, content = message.get("tool_calls"), message.get("content")
    blocks = content if isinstance(content, list) else ()
    said = [block.get("id") for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]
    return any(not isinstance(call, dict) or call.get("id") not in said for call in (calls if isinstance(calls, list) else ()))


def _add_system(reading: Reading, record: int, value: Any) -> None:
    text = _system_text(value)
    flags = text_flags(text, odd=True) | (0 if isinstance(value, str) else Flag.CONTENT_LIST)
    if isinstance(value, dict):
        flags |= cache_flag(reading.front, reading.front.row_count, value)
        flags |= 0 if TEXT_KEYS.isdisjoint(value) else Flag.UNKNOWN_KEYS
    if not isinstance(value, str) and _system_type(value) != "text":
        flags |= Flag.TYPE_ODD
    reading.front.row(
        record=record, part=0, message=-1, kind=Kind.SYSTEM, type=_system_type(value), role=Role.SYSTEM, size=len(text), flags=flags
    )


def _system_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and value.get("type") == "text" and isinstance(value.get("text"), str):
        text: str = value["text"]
        return text
    return compact(value)


def _system_type(value: Any) -> str:
    word = value.get("type") if isinstance(value, dict) else "text" if isinstance(value, str) else None
    return word if isinstance(word, str) else "(no type)"


def _add_tool(reading: Reading, record: int, tool: Any) -> None:
    front = reading.front
    name = tool.get("name") if isinstance(tool, dict) else None
    flags = cache_flag(front, front.row_count, tool) if isinstance(tool, dict) else 0
    if isinstance(tool, dict):
        note_tool(front, front.row_count, tool)
    front.row(
        record=record,
        part=0,
        message=-1,
        kind=Kind.TOOLS,
        type=_tool_type(tool),
        role=Role.SYSTEM,
        name=name if isinstance(name, str) else None,
        size=len(compact(tool)),
        flags=flags,
    )


def _tool_type(tool: Any) -> str:
    word = tool.get("type") if isinstance(tool, dict) else None
    return word if isinstance(word, str) else "custom"


FORMAT = AnthropicMessages()
