"""OpenAI's Responses wire: a request (`input`: a string or a list of items), a response (`output`), a stored list of items, or a bare one.

Source: openai/openai-openapi@f85dbe2 openapi.yaml, and recorded requests. Calls and outputs pair by `call_id`; an item's own `id` is
another thing, by which the server keeps it. A list that the API gives back may have the newest item first; it is read oldest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from app.formats._columns import Columns, tokens_of
from app.formats._flags import text_flags
from app.formats._format import Progress
from app.formats._json import NotJson, compact, loads_odd
from app.formats._marks import mark
from app.formats._outline import ListSpan
from app.formats._peek import peek
from app.formats._requests import Layout, Reading, Requests
from app.formats._responses import text_of
from app.formats._responses_blocks import item_blocks
from app.formats._responses_document import ItemsWriter
from app.formats._responses_look import evidence
from app.formats._responses_rows import add_item
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.findings import Mode
from app.model.ids import Ids
from app.model.kinds import Flag, Kind, Role
from app.model.pairs import nth
from app.model.source import Source
from app.model.table import Ints, Table
from app.model.transcript import Refusal, Transcript


class OpenAIResponses(Requests):
    name = "openai-responses"
    summary = "OpenAI Responses: a request, a response, a stored list of items or a bare one"
    provider = "openai-responses"
    list_keys = ("input", "output", "data", "items")
    joins = False
    args_text = True

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = evidence(peek(head, whole))
        return None if found is None else Confidence(self.name, *found)

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        add_item(columns, record, message, value, odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return item_blocks(value, first, record, pointer)

    # -- the list ---------------------------------------------------------------------------------------------------------------

    def settle_list(self, reading: Reading) -> None:
        """A string in place of the list is one message of the user. What the model answered to it stands beside it."""
        found = reading.outline
        member = found.member("input")
        value = reading.value(member)
        if member is None or not isinstance(value, str) or (found.span is not None and found.key != "output"):
            return
        columns = reading.columns
        columns.clear()
        record = columns.record(offset=member.start, length=member.end - member.start, place=0)
        reading.pointers[record] = "/input"
        flags = text_flags(value, odd=True) | mark(value)
        columns.row(record=record, part=0, message=0, kind=Kind.TEXT, type="text", role=Role.USER, size=len(value), flags=flags)
        found.span, found.key = ListSpan(member.start, member.end, found.root.members.index(member)), "input"
        reading.messages, reading.single = 1, True

    def add_lasts(self, reading: Reading) -> None:
        """What the model answered, where it stands beside what was sent."""
        answered = 0
        member = reading.outline.member("output")
        if reading.outline.key == "input" and member is not None:
            answered = reading.messages
            for place, (offset, length) in enumerate(reading.elements(member)):
                _add_answer(reading, place, offset, length)
        usage = reading.value(reading.outline.member("usage"))
        if isinstance(usage, dict) and reading.outline.key in ("input", "output") and answered < reading.messages:
            _add_usage(reading.columns, answered, usage)

    def more(self, reading: Reading) -> dict[str, Any]:
        columns = reading.columns
        return {"item": columns.items(reading.front.row_count), "item_ids": Ids.of(columns.own)}

    def mode_of(self, layout: Layout) -> Mode | None:
        return None if layout.key == "input" and not layout.lasts else "prefix"

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        dump = super().parse(source, progress, first_look)
        layout = dump.table.extra["layout"]
        refused = _refused(dump.table.request)
        if refused is not None:
            dump.transcripts = [t.with_(refusals=(_behind(refused, t.order),)) for t in dump.transcripts]
        if layout.key == "data" and _newest_first(dump.table):
            layout.reverse = True
            dump.transcripts = [transcript.with_(order=_reversed(dump.table)) for transcript in dump.transcripts]
            dump.whys.append("the newest item stands first in the file; the oldest is shown first")
        return dump

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return ItemsWriter(dump, transcripts[0]).plan()

    # -- beside the list ------------------------------------------------------------------------------------------------------

    def add_heads(self, reading: Reading) -> None:
        member = reading.outline.member("instructions")
        value = reading.value(member)
        if member is not None and isinstance(value, list):
            for place, (text, (offset, length)) in enumerate(zip(value, reading.elements(member), strict=False)):
                _add_system(reading, reading.head(offset, length, place, f"/instructions/{place}"), text)
        elif member is not None and isinstance(value, str):
            _add_system(reading, reading.head(member.start, member.end - member.start, 0, "/instructions"), value)
        member = reading.outline.member("tools")
        value = reading.value(member)
        if member is not None and isinstance(value, list):
            for place, (tool, (offset, length)) in enumerate(zip(value, reading.elements(member), strict=False)):
                _add_tool(reading, reading.head(offset, length, place, f"/tools/{place}"), tool)

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        if kind == Kind.TOOLS:
            word, name = _tool(value)
            return Block(first, kind, word, Role.SYSTEM, (compact(value),), name, pointer=pointer, record=record, value=value)
        return Block(first, kind, "text", Role.SYSTEM, (_system_text(value),), pointer=pointer, record=record, value=value)

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        if isinstance(value, str) and table.pointers.get(record) == "/input":
            return [Block(first, Kind.TEXT, "text", Role.USER, (value,), pointer="/input", record=record, value=value)]
        return super().blocks(table, record, value, first)

    def block(self, transcript: Transcript, row: int, source: Source) -> Block:
        block = super().block(transcript, row, source)
        table = transcript.table
        return replace(block, type=table.types[int(table.type[row])]) if row in transcript.made else block

    def made_type(self, kind: Kind, role: Role) -> str:
        return "function_call_output" if kind == Kind.TOOL_RESULT else "text"


def _add_answer(reading: Reading, place: int, offset: int, length: int) -> None:
    try:
        value, odd = loads_odd(reading.source.read(offset, length))
    except NotJson:
        return
    if not isinstance(value, dict):
        return
    record = reading.last(offset, length, f"/output/{place}", reading.model, (offset, offset + length))
    add_item(reading.columns, record, reading.messages, value, odd)
    reading.messages += 1


def _add_usage(columns: Columns, message: int, usage: dict[str, Any]) -> None:
    total = tokens_of(usage, "input_tokens", "prompt_tokens")
    details = usage.get("input_tokens_details")
    read = min(total, tokens_of(details, "cached_tokens") if isinstance(details, dict) else 0)
    output = tokens_of(usage, "output_tokens", "completion_tokens")
    columns.usage(message, fresh=total - read, cache_read=read, cache_write=0, output=output)


def _add_system(reading: Reading, record: int, value: Any) -> None:
    text = _system_text(value)
    flags = text_flags(text, odd=True) | (0 if isinstance(value, str) else Flag.CONTENT_LIST)
    reading.front.row(record=record, part=0, message=-1, kind=Kind.SYSTEM, type="text", role=Role.SYSTEM, size=len(text), flags=flags)


def _system_text(value: Any) -> str:
    """Instructions: a text, or an item whose text counts."""
    if isinstance(value, str):
        return value
    content = value.get("content") if isinstance(value, dict) else None
    if isinstance(content, str):
        return content
    texts = [text for part in content if (text := text_of(part)) is not None] if isinstance(content, list) else []
    return "\n".join(texts) if texts else compact(value)


def _add_tool(reading: Reading, record: int, tool: Any) -> None:
    word, name = _tool(tool)
    size = len(compact(tool))
    reading.front.row(record=record, part=0, message=-1, kind=Kind.TOOLS, type=word, role=Role.SYSTEM, name=name, size=size)


def _tool(tool: Any) -> tuple[str, str | None]:
    """A tool's type and name. Some clients write the function one level deeper, as Chat Completions has it."""
    if not isinstance(tool, dict):
        return "(no type)", None
    word, held = tool.get("type"), tool.get("function")
    name = held.get("name") if isinstance(held, dict) else tool.get("name", tool.get("server_label"))
    return word if isinstance(word, str) else "function", name if isinstance(name, str) else None


def _refused(request: dict[str, Any]) -> str | None:
    """The words of the error with which a response failed."""
    error = request.get("error")
    words = error.get("message") if isinstance(error, dict) else None
    return words if isinstance(words, str) and words else None


def _behind(text: str, order: Ints) -> Refusal:
    return Refusal(-1, int(order[-1]) if len(order) else -1, None, text)


def _newest_first(table: Table) -> bool:
    """Whether outputs stand in front of their calls; where nothing is paired, whether an answer stands first and a prompt last."""
    calls, results = np.flatnonzero(table.kind == Kind.TOOL_CALL), np.flatnonzero(table.kind == Kind.TOOL_RESULT)
    calls, results = calls[table.key[calls] >= 0], results[table.key[results] >= 0]
    found, _ = nth(table.key[calls], table.key[results])
    paired = found >= 0
    if paired.any():
        return bool(2 * (results[found[paired]] < calls[paired]).sum() > paired.sum())
    said = table.role[(table.kind == Kind.TEXT) | (table.kind == Kind.MEDIA)]
    return len(said) > 1 and said[0] == Role.ASSISTANT and said[-1] != Role.ASSISTANT


def _reversed(table: Table) -> Ints:
    """All rows, the last message first; the parts of one in their order."""
    order = np.arange(len(table), dtype=np.int32)
    by = np.lexsort((order, -table.message))
    inside = table.message[by] >= 0
    return np.concatenate([by[~inside], by[inside]]).astype(np.int32)


FORMAT = OpenAIResponses()
