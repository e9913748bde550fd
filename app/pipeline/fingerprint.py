"""Blocks as numbers: equal ones where what would be sent is equal, whichever wire it is written in.

Compared are kind, role, text, tool name and arguments (by what they hold, whatever the order of their keys), media by their data and tool
definitions by name, description and schema. Signatures, cache marks and ids of messages are not. The call id is a number by itself, since
a second run, or a framework, gives other ones. Numbers are Python's hashes: they hold within one process.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from app.formats._json import compact
from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.transcript import Transcript
from app.pipeline import look
from app.pipeline.names import format_named

LOOK = 1_000  # blocks between two breaths
_ROLES = {Role.DEVELOPER: Role.SYSTEM, Role.FUNCTION: Role.TOOL}
_ANY = 7  # a role that a kind says already

Breath = Generator[float, None, Any]


@dataclass(eq=False)
class Prints:
    """Along rows: `content` without the call id, `strict` with it, `id` alone (0: none), the bytes of the block as it is written."""

    rows: Ints
    content: Ints  # int64
    strict: Ints  # int64
    id: Ints  # int64
    bytes: Ints  # int64
    kind: Ints  # uint8: system text in the list of messages and beside it are one kind
    role: Ints  # uint8
    name: Ints  # int64

    def __len__(self) -> int:
        return len(self.rows)


def fingerprints(dump: Dump, transcript: Transcript, rows: Ints) -> Generator[float, None, Prints]:
    """Prints of rows; yields how far it is, from 0 to 1. ChangedError where the file has changed since it was read."""
    count = len(rows)
    columns = [np.empty(count, np.int64) for _ in range(5)]
    content, strict, ids, sizes, names = columns
    kinds, roles = np.empty(count, np.uint8), np.empty(count, np.uint8)
    at, touched = 0, transcript.touched()
    for block in _blocks(dump, transcript, rows):
        if block is None:
            yield at / max(1, count)
            continue
        kind, role = _kind_and_role(block)
        kinds[at], roles[at] = kind, role
        content[at] = hash((kind, role, _held(block)))
        ids[at] = hash(block.call_id) if block.call_id is not None else 0
        strict[at] = hash((int(content[at]), block.call_id))
        names[at] = hash(block.name)
        sizes[at] = len(wire_bytes(block, block.row in touched))
        at += 1
    return Prints(rows, content, strict, ids, sizes, kinds, roles, names)


def _blocks(dump: Dump, transcript: Transcript, rows: Ints) -> Generator[Block | None, None, None]:
    """The blocks of rows as the edits left them, in their order; None now and then."""
    touched = transcript.touched() | transcript.moved
    table, shape = transcript.table, format_named(dump.format)
    for start in range(0, len(rows), LOOK):
        yield None
        part = rows[start : start + LOOK].tolist()
        plain = [row for row in part if row not in touched and table.record[row] >= 0]
        found = iter(shape.each_block(dump.table, dump.source, plain))
        for row in part:
            if row in touched or table.record[row] < 0:
                yield look.block(dump, transcript, row)
            else:
                yield next(found)


def _kind_and_role(block: Block) -> tuple[int, int]:
    role = _ROLES.get(block.role, block.role)
    if block.kind == Kind.SYSTEM or (block.kind == Kind.TEXT and role == Role.SYSTEM):
        return int(Kind.SYSTEM), _ANY
    if block.kind in (Kind.TOOL_RESULT, Kind.TOOL_CALL, Kind.REASONING, Kind.TOOLS):
        return int(block.kind), _ANY
    return int(block.kind), int(role)


def _held(block: Block) -> tuple[Any, ...]:
    if block.kind == Kind.TOOL_CALL:
        return (block.name, arguments(block.texts[0] if block.texts else ""))
    if block.kind == Kind.TOOLS:
        return tool(block.value) or ("".join(block.texts),)
    text = "".join(block.texts)
    media = tuple((one.bytes, one.width, one.height) for one in block.media)
    return (text, block.error, media, _data(block.value) if media else 0)


def arguments(text: str) -> str:
    """Arguments by what they hold; what is no JSON as it stands."""
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS).decode()
    except (ValueError, TypeError):
        return text


def tool(value: Any) -> tuple[Any, ...] | None:
    """A tool definition by name, description and schema, whichever wire it is written in; None where it is none."""
    held = value.get("function", value.get("toolSpec", value)) if isinstance(value, dict) else None
    if not isinstance(held, dict) or not isinstance(held.get("name"), str):
        return None
    schema = next((held[key] for key in ("input_schema", "parameters", "inputSchema", "parametersJsonSchema") if key in held), None)
    schema = schema.get("json", schema) if isinstance(schema, dict) else schema
    return (held["name"], held.get("description"), arguments(compact(schema)))


def _data(value: Any) -> int:
    """The longest string in a value of media, as a number: its data, wherever the wire has it."""
    longest, todo = "", [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            data = item.partition(",")[2] if item.startswith("data:") else item
            longest = max(longest, data, key=len)
        elif isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, list):
            todo += item
    return hash(longest)


def wire_bytes(block: Block, edited: bool = False) -> bytes:
    """A block as compact JSON; of one that an edit made or changed, its texts."""
    value = block.value if block.value is not None and not edited else list(block.texts)
    try:
        return orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        return compact(value).encode("utf-8", "surrogatepass")
