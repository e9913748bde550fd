"""OpenAI's Chat Completions wire: a request, a response (`choices`), a bare list of messages, or a stored completion (both).

Source: openai/openai-openapi@f85dbe2 openapi.yaml, and recorded requests. What hosts add to it (`reasoning_content`, `reasoning`,
`reasoning_details`, `thinking_blocks`) is read as reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.formats._columns import Columns
from app.formats._dialect import evidence, words
from app.formats._facts import Facts, facts_of
from app.formats._json import NotJson, compact, loads_odd
from app.formats._openai import result_texts, usage_of
from app.formats._openai_blocks import message_blocks
from app.formats._openai_messages import rewrite
from app.formats._openai_rows import add_message
from app.formats._peek import peek
from app.formats._requests import Reading, Requests
from app.formats._requests_write import RequestWriter
from app.formats._scan import Member, scan_object
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind, Table
from app.model.transcript import Transcript


class OpenAIChat(Requests):
    name = "openai-chat"
    summary = "OpenAI Chat Completions: a request, a response, a list of messages or a stored completion"
    provider = "openai-chat"
    joins = False
    args_text = True

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = evidence(peek(head, whole))
        if found is None:
            return None
        if found.mistral:
            return Confidence(self.name, 0.5, "OpenAI's wire, of which Mistral writes a dialect")
        if found.openai:
            score = min(0.98, 0.7 + 0.1 * len(found.openai)) - 0.15 * len(found.anthropic)
            return Confidence(self.name, max(0.2, score), words(found.openai))
        if found.anthropic:
            return None
        return Confidence(self.name, 0.5, "role and content, text only: OpenAI and Anthropic write it alike")

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        add_message(columns, record, message, value, odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return message_blocks(value, first, record, pointer)

    # -- beside the list ------------------------------------------------------------------------------------------------------

    def facts(self, content: Any) -> Facts:
        return facts_of(content, result_texts)

    def add_heads(self, reading: Reading) -> None:
        for key in ("tools", "functions"):
            member = reading.outline.member(key)
            value = reading.value(member)
            if member is not None and isinstance(value, list):
                for place, (tool, (offset, length)) in enumerate(zip(value, reading.elements(member), strict=False)):
                    _add_tool(reading, reading.head(offset, length, place, f"/{key}/{place}"), tool)

    def add_lasts(self, reading: Reading) -> None:
        """Each `choices[].message` behind the messages."""
        member = reading.outline.member("choices")
        answered = -1
        if member is not None:
            for place, (offset, length) in enumerate(reading.elements(member)):
                if _add_choice(reading, member, place, offset, length) and answered < 0:
                    answered = reading.messages - 1
        found = usage_of(reading.value(reading.outline.member("usage")))
        if found is not None and answered >= 0:
            reading.columns.usage(answered, **found)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return RequestWriter(dump, transcripts[0], rewrite).plan()

    def alternatives(self, table: Table) -> tuple[int, str]:
        """Of the choices of a response (`n` over 1) the last one is taken: they answer the same request, none of them another."""
        choices = [record for record, pointer in table.pointers.items() if pointer.startswith("/choices/")]
        messages = int((table.records.kind == RecordKind.MESSAGE).sum())
        if len(choices) < 2 or messages > len(choices):
            return 0, ""
        return int(np.searchsorted(table.record, max(choices))), f"the last of {len(choices)} choices; the others answer the same request"

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        name = _tool_name(value)
        return Block(first, kind, _tool_type(value), Role.SYSTEM, (compact(value),), name, pointer=pointer, record=record, value=value)

    def made_type(self, kind: Kind, role: Role) -> str:
        return ("function" if role == Role.FUNCTION else "tool") if kind == Kind.TOOL_RESULT else "text"


def _add_choice(reading: Reading, member: Member, place: int, offset: int, length: int) -> bool:
    """The message of a choice; False where it has none."""
    data = reading.source.read(offset, length)
    try:
        choice, odd = loads_odd(data)
    except NotJson:
        return False
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return False
    found = scan_object(data).get("message")
    assert found is not None
    pointer = f"/choices/{place}/message"
    record = reading.last(offset + found.start, found.end - found.start, pointer, reading.model, (offset, offset + length))
    add_message(reading.columns, record, reading.messages, message, odd)
    reading.messages += 1
    return True


def _add_tool(reading: Reading, record: int, tool: Any) -> None:
    flags = Flag.CACHE if isinstance(tool, dict) and tool.get("cache_control") is not None else 0
    reading.front.row(
        record=record,
        part=0,
        message=-1,
        kind=Kind.TOOLS,
        type=_tool_type(tool),
        role=Role.SYSTEM,
        name=_tool_name(tool),
        size=len(compact(tool)),
        flags=flags,
    )


def _tool_type(tool: Any) -> str:
    word = tool.get("type") if isinstance(tool, dict) else None
    return word if isinstance(word, str) else "function"


def _tool_name(tool: Any) -> str | None:
    if not isinstance(tool, dict):
        return None
    held = tool.get(_tool_type(tool))
    name = held.get("name") if isinstance(held, dict) else tool.get("name")
    return name if isinstance(name, str) else None


FORMAT = OpenAIChat()
