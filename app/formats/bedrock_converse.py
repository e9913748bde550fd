"""Bedrock's Converse wire: a request, a response (`output.message`), or a bare list of messages.

Sources: AWS's API reference (Converse, Message, ContentBlock, ToolConfiguration, TokenUsage), and recorded requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from app.formats._anthropic_messages import BlockWire, rewrite
from app.formats._bedrock import MEDIA_KEYS, add_message, facts_of
from app.formats._bedrock_blocks import message_blocks
from app.formats._bedrock_write import content_of, edited_block, made_block
from app.formats._columns import Columns, tokens_of
from app.formats._dialect import words
from app.formats._facts import Facts
from app.formats._flags import text_flags
from app.formats._json import NotJson, compact, loads_odd
from app.formats._peek import Peek, peek
from app.formats._requests import Reading, Requests
from app.formats._requests_write import RequestWriter
from app.formats._runs import Run
from app.formats._scan import Malformed, Member, Torn, scan_array, scan_object
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.kinds import Flag, Kind, Role
from app.model.transcript import Transcript

WIRE = BlockWire(edited_block, made_block, content_of, False, ())
OWN_BLOCKS = frozenset({"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"})


class BedrockConverse(Requests):
    name = "bedrock-converse"
    summary = "Bedrock Converse: a request, a response or a list of messages"
    provider = "bedrock"
    model_key = "modelId"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = _evidence(peek(head, whole))
        return Confidence(self.name, min(0.98, 0.85 + 0.05 * len(found)), words(found)) if found else None

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        add_message(columns, record, message, value, odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return message_blocks(value, first, record, pointer)

    def facts(self, content: Any) -> Facts:
        return facts_of(content)

    # -- beside the list ------------------------------------------------------------------------------------------------------

    def add_heads(self, reading: Reading) -> None:
        system = reading.outline.member("system")
        value = reading.value(system)
        if system is not None and isinstance(value, list):
            for place, (block, (offset, length)) in enumerate(zip(value, reading.elements(system), strict=False)):
                _add_system(reading, reading.head(offset, length, place, f"/system/{place}"), block)
        elif system is not None and value is not None:
            _add_system(reading, reading.head(system.start, system.end - system.start, 0, "/system"), value)
        config = reading.outline.member("toolConfig")
        value = reading.value(config)
        tools = value.get("tools") if isinstance(value, dict) else None
        if config is not None and isinstance(tools, list):
            for place, (tool, (offset, length)) in enumerate(zip(tools, _tool_spans(reading, config), strict=False)):
                _add_tool(reading, reading.head(offset, length, place, f"/toolConfig/tools/{place}"), tool)

    def add_lasts(self, reading: Reading) -> None:
        """The message of an answer behind the messages."""
        member = reading.outline.member("output")
        answered = member is not None and _add_answer(reading, member)
        usage = reading.value(reading.outline.member("usage"))
        if isinstance(usage, dict) and answered:
            reading.columns.usage(
                reading.messages - 1,
                fresh=tokens_of(usage, "inputTokens"),
                cache_read=tokens_of(usage, "cacheReadInputTokens"),
                cache_write=tokens_of(usage, "cacheWriteInputTokens"),
                output=tokens_of(usage, "outputTokens"),
            )

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return _Writer(dump, transcripts[0], partial(rewrite, wire=WIRE)).plan()

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        if kind == Kind.TOOLS:
            word, named = _tool_word(value), _tool_name(value)
            return Block(first, kind, word, Role.SYSTEM, (compact(value),), named, pointer=pointer, record=record, value=value)
        word, text = _system(value)
        return Block(first, kind, word, Role.SYSTEM, (text,), pointer=pointer, record=record, value=value)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "toolResult" if kind == Kind.TOOL_RESULT else "text"


class _Writer(RequestWriter):
    def _answers(self, placed: dict[int, Run | None], values: dict[str, bytes | None]) -> None:
        """The message of the answer: changed where it stands, or taken away with what stands around it."""
        for record, start, end in self.layout.lasts:
            run = placed.get(record)
            if record in placed and run is None:
                continue
            out = self._message(run) if run is not None else []
            held = self.dump.source.read(start, end - start)
            where = int(self.base.records.offset[record]) - start
            values["output"] = held[:where] + out[0] + held[where + int(self.base.records.length[record]) :] if out else None


# -- what it looks like -----------------------------------------------------------------------------------------------------


def _evidence(seen: Peek) -> dict[str, None]:
    """What speaks for this wire, once each."""
    value, found = seen.value, dict[str, None]()
    if seen.lines or not isinstance(value, dict | list):
        return found
    if isinstance(value, dict):
        output = value.get("output")
        if isinstance(output, dict) and isinstance(output.get("message"), dict):
            found["output.message"] = None
        for key in ("toolConfig", "inferenceConfig", "modelId", "additionalModelRequestFields", "guardrailConfig"):
            if key in value and ("messages" in value or (key == "toolConfig" and "contents" not in value)):
                found[key] = None
    messages = seen.messages() or []
    blocks = [b for m in messages if isinstance(m, dict) and isinstance(m.get("content"), list) for b in m["content"]]
    untyped = [b for b in blocks if isinstance(b, dict) and "type" not in b]
    for block in untyped:
        for key in OWN_BLOCKS & block.keys():
            found[f"blocks {key}"] = None
    if untyped and len(untyped) == len(blocks) and all({"text", *MEDIA_KEYS, *OWN_BLOCKS} & b.keys() for b in untyped):
        found["blocks without a type"] = None
    return found


# -- system text, tools, the answer -----------------------------------------------------------------------------------------


def _add_system(reading: Reading, record: int, value: Any) -> None:
    word, text = _system(value)
    flags = text_flags(text, odd=True) | (0 if isinstance(value, str) else Flag.CONTENT_LIST)
    if word == "cachePoint":
        flags |= Flag.CACHE
    elif word not in ("text", "guardContent"):
        flags |= Flag.TYPE_ODD
    reading.front.row(record=record, part=0, message=-1, kind=Kind.SYSTEM, type=word, role=Role.SYSTEM, size=len(text), flags=flags)


def _system(value: Any) -> tuple[str, str]:
    """The word of a system block, and what is counted of it."""
    if isinstance(value, str):
        return "text", value
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            return "text", value["text"]
        if "cachePoint" in value:
            return "cachePoint", ""
    return "guardContent" if isinstance(value, dict) and "guardContent" in value else "(no key)", compact(value)


def _tool_spans(reading: Reading, config: Member) -> list[tuple[int, int]]:
    """Offset and length of each tool."""
    data = reading.source.read(config.start, config.end - config.start)
    try:
        member = scan_object(data).get("tools")
        assert member is not None
        return [(config.start + start, end - start) for start, end in scan_array(data, member.start).spans]
    except (Torn, Malformed):
        return []


def _add_tool(reading: Reading, record: int, tool: Any) -> None:
    word = _tool_word(tool)
    reading.front.row(
        record=record,
        part=0,
        message=-1,
        kind=Kind.TOOLS,
        type=word,
        role=Role.SYSTEM,
        name=_tool_name(tool),
        size=len(compact(tool)),
        flags=Flag.CACHE if word == "cachePoint" else 0,
    )


def _tool_word(tool: Any) -> str:
    return str(next(iter(tool), "(no key)")) if isinstance(tool, dict) else "(no key)"


def _tool_name(tool: Any) -> str | None:
    held = next((tool[key] for key in ("toolSpec", "systemTool") if key in tool), None) if isinstance(tool, dict) else None
    name = held.get("name") if isinstance(held, dict) else None
    return name if isinstance(name, str) else None


def _add_answer(reading: Reading, member: Member) -> bool:
    """The message in `output`; False where there is none."""
    data = reading.source.read(member.start, member.end - member.start)
    try:
        output, odd = loads_odd(data)
        message = output.get("message") if isinstance(output, dict) else None
        found = scan_object(data).get("message") if isinstance(message, dict) else None
    except (NotJson, Torn, Malformed):
        return False
    if found is None or not isinstance(message, dict):
        return False
    offset = member.start + found.start
    record = reading.last(offset, found.end - found.start, "/output/message", reading.model, (member.start, member.end))
    add_message(reading.columns, record, reading.messages, message, odd)
    reading.messages += 1
    return True


FORMAT = BedrockConverse()
