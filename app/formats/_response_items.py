"""Messages of a log that calls the Responses API: items, and whole responses, whose output is the items that came back.

A response is one message of its log; the items in it are its blocks. Edited, its list of output is written by the format of that wire.
Source: SWE-agent/mini-swe-agent src/minisweagent/models/litellm_response_model.py, which flattens responses so before it sends them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack_into
from typing import Any, ClassVar, Final

from app.formats._columns import ROW, Columns
from app.formats._context import Context
from app.formats._dialects import RESPONSES, Dialect
from app.formats._json import loads
from app.formats._paths import bytes_at, spliced
from app.formats._runs import Run, untouched
from app.formats._transplant import transplanted
from app.model.block import Block
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.source import Source


def is_response(value: Any) -> bool:
    return isinstance(value, dict) and value.get("object") == "response" and isinstance(value.get("output"), list)


def holds_items(messages: Any) -> bool:
    """Whether a list is such a log's, and not one of Chat's messages."""
    return isinstance(messages, list) and any(
        is_response(one) or (isinstance(one, dict) and one.get("type") == "function_call_output") for one in messages
    )


class _Wire:
    """The wire of items and responses."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = True

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int | None:
        first = columns.row_count
        for item in _items(value):
            RESPONSES.wire.add_message(columns, record, message, item, odd)
        for part in range(columns.row_count - first):  # the items are the parts of one record
            pack_into("<i", columns.rows, (first + part) * ROW.size + 4, part)
        return None

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        if not is_response(value):
            return RESPONSES.wire.message_blocks(value, first, record, pointer)
        found: list[Block] = []
        for number, item in enumerate(value["output"]):
            if isinstance(item, dict):
                found += RESPONSES.wire.message_blocks(item, first + len(found), record, f"{pointer}/output/{number}")
        return found

    def made_type(self, kind: Kind, role: Role) -> str:
        return RESPONSES.wire.made_type(kind, role)


def _items(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in value["output"] if isinstance(item, dict)] if is_response(value) else [value]


def _rewrite(context: Context, run: Run) -> list[bytes]:
    """The messages of a run: a response with what is left of its items, all else as items by themselves."""
    base = context.base
    records = {int(base.record[row]) for row in run.rows if row < len(base)}
    held = [record for record in records if is_response(loads(context.record(record)[0]))]
    if not held:
        return RESPONSES.rewrite(context, run)
    if records != {run.record}:
        raise InspectorError(f"{context.source.name}: an item of a response is moved out of it; that is never written")
    return [_response(context, run)]


def _response(context: Context, run: Run) -> bytes:
    from app.formats import FORMATS

    data, _ = context.record(run.record)
    format = FORMATS["openai-responses"]
    sub = format.parse(Source.of(bytes_at(data, ("output",)), context.source.name))
    first = int(context.base.record.searchsorted(run.record))
    of = {first + number: row for number, row in enumerate(sub.transcripts[0].order.tolist())}
    new = transplanted(context.base, context.edited, run.rows, sub, of, len(sub.table))
    if untouched(sub.transcripts[0], new):
        return data
    return spliced(data, ("output",), b"".join(format.write(sub, [new])))


RESPONSE_ITEMS: Final = Dialect(_Wire(), _rewrite, Role.TOOL)
