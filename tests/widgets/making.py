"""Tables, groups and links from messages that a test writes down: nothing of the pipeline is used, all is counted out one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from app.model.block import Block
from app.model.dump import Dump
from app.model.findings import Report
from app.model.ids import Ids
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.state import State
from app.model.table import RECORD_TYPES, ROW_COLUMNS, ROW_TYPES, RecordKind, Records, Table
from app.model.tokens import Tokens
from app.model.transcript import Refusal, Transcript, Wall
from app.model.view import Groups, Links, Totals, View


@dataclass(frozen=True)
class Part:
    """A block as a test writes it down."""

    kind: Kind
    text: str = ""
    name: str | None = None
    id: str | None = None
    error: bool = False
    flags: int = 0
    type: str = ""


@dataclass(frozen=True)
class Message:
    role: Role
    parts: tuple[Part, ...]
    model: str | None = None


def user(*parts: str | Part) -> Message:
    return Message(Role.USER, tuple(Part(Kind.TEXT, p) if isinstance(p, str) else p for p in parts))


def bot(*parts: str | Part, model: str | None = None) -> Message:
    return Message(Role.ASSISTANT, tuple(Part(Kind.TEXT, p) if isinstance(p, str) else p for p in parts), model)


def call(id: str, name: str, /, **arguments: Any) -> Part:
    return Part(Kind.TOOL_CALL, orjson.dumps(arguments).decode(), name, id)


def result(id: str, text: str, error: bool = False) -> Part:
    return Part(Kind.TOOL_RESULT, text, None, id, error, Flag.ERROR if error else 0)


def think(text: str) -> Part:
    return Part(Kind.REASONING, text, flags=Flag.SIGNED)


def make_state(messages: Iterable[Message], refusals: dict[int, tuple[int, int, str]] | None = None, start: int = 0,
               walls: tuple[Wall, ...] = (), provider: str = "anthropic") -> State:  # fmt: skip
    """A state of written-down messages. `refusals`: exchange to (status, how often, words)."""
    messages = list(messages)
    table, blocks = _table(messages)
    table.extra["blocks"] = blocks.__getitem__
    groups, links = _group(table)
    refused = np.zeros(groups.exchanges, np.int32)
    kept: list[Refusal] = []
    for exchange, (status, times, words) in (refusals or {}).items():
        refused[exchange] = times
        kept += [Refusal(-1, int(groups.first[exchange]), status, words)] * times
    groups.refused = refused
    order = np.arange(len(table), dtype=np.int32)
    transcript = Transcript(table, order, start=start, walls=walls, refusals=tuple(kept), model="claude-sonnet-4-5")
    tokens = Tokens("o200k_base", (table.size // 4 + 1).astype(np.int32), np.ones(len(table), bool))
    return finish(transcript, groups, links, tokens, provider)


def finish(transcript: Transcript, groups: Groups, links: Links, tokens: Tokens, provider: str = "anthropic") -> State:
    """A state around a transcript: view, dump, totals and an empty report."""
    view = View(transcript, groups, links, tokens.own)
    messages = int(view.message.max(initial=-1)) + 1
    view.message_overhead = np.full(messages, 3, np.int32)
    dump = Dump(Source.of(b"{}", "invoice-agent-0412.jsonl"), "anthropic-messages", transcript.table, [transcript])
    total = int(tokens.own[transcript.sent].sum()) + 3 * messages
    report = Report(provider, transcript.model, "complete", "accept", {}, [], 0, 61)
    return State(dump=dump, path="invoice-agent-0412.jsonl", base=transcript, transcript=transcript, view=view, provider=provider,
                 model=transcript.model, report=report, other=report, tokens=tokens,
                 totals=Totals(total, 0, tokens.counter, True))  # fmt: skip


def _table(messages: list[Message]) -> tuple[Table, list[Block]]:
    columns: dict[str, list[int]] = {name: [] for name in ROW_COLUMNS}
    names: list[str] = []
    types: list[str] = []
    ids: dict[str, int] = {}
    models: list[str] = []
    blocks: list[Block] = []
    of_record: list[int] = []
    for number, message in enumerate(messages):
        if message.model and message.model not in models:
            models.append(message.model)
        of_record.append(models.index(message.model) if message.model else -1)
        for part_number, part in enumerate(message.parts):
            word = part.type or part.kind.word.replace(" ", "_")
            if word not in types:
                types.append(word)
            if part.name and part.name not in names:
                names.append(part.name)
            values = {
                "record": number, "part": part_number, "message": -1 if part.kind in (Kind.SYSTEM, Kind.TOOLS) else number,
                "kind": part.kind, "type": types.index(word), "role": message.role, "name": names.index(part.name) if part.name else -1,
                "size": len(part.text) + len(part.name or ""), "flags": part.flags,
                "key": -1 if part.id is None else ids.setdefault(part.id, len(ids)),
            }  # fmt: skip
            pointer = f"/messages/{number}/content/{part_number}"
            blocks.append(Block(len(columns["kind"]), part.kind, word, message.role, (part.text,), part.name, part.id, part.error,
                                pointer=pointer, record=number))  # fmt: skip
            for name, value in values.items():
                columns[name].append(int(value))
    count = len(messages)
    records = Records(**{name: np.zeros(count, kind) for name, kind in RECORD_TYPES.items()})
    records.place = np.arange(count, dtype=np.int32)
    records.time = np.full(count, np.nan)
    records.kind = np.full(count, RecordKind.MESSAGE, np.uint8)
    records.model = np.array(of_record, np.int16)
    arrays = {name: np.array(values, ROW_TYPES[name]) for name, values in columns.items()}
    words = {"names": names, "types": types, "models": models}
    return Table("anthropic-messages", **arrays, records=records, **words, pointer_prefix="/messages/", ids=Ids.of(ids)), blocks


def _group(table: Table) -> tuple[Groups, Links]:
    """Exchanges, steps and links of a table in its own order, counted out one by one."""
    count = len(table)
    kind, role, key = table.kind.tolist(), table.role.tolist(), table.key.tolist()
    partner, extra = _pair(kind, key)
    with_result = {m for m, k in zip(table.message.tolist(), kind, strict=True) if k == Kind.TOOL_RESULT}
    exchange, step = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    first: list[int] = []
    step_first: list[int] = []
    step_exchange: list[int] = []
    opened, last_message, last_role = -1, -2, -1
    zero = False
    for at in range(count):
        if kind[at] in (Kind.SYSTEM, Kind.TOOLS):
            continue
        message = int(table.message[at])
        injected = bool(table.flags[at] & Flag.INJECTED)
        starts = role[at] == Role.USER and message not in with_result and not injected and message != last_message
        if starts or not first:
            zero = zero or not starts
            first.append(at)
            opened = -1
        exchange[at] = len(first) - 1
        is_bot = role[at] == Role.ASSISTANT
        if is_bot and (opened < 0 or last_role != Role.ASSISTANT):
            step_first.append(at)
            step_exchange.append(len(first) - 1)
            opened = len(step_first) - 1
        if is_bot:
            step[at] = opened
        elif kind[at] == Kind.TOOL_RESULT:
            if partner[at] >= 0:
                step[at] = step[partner[at]]
            else:
                if opened < 0:
                    step_first.append(at)
                    step_exchange.append(len(first) - 1)
                    opened = len(step_first) - 1
                step[at] = opened
        last_message, last_role = message, role[at]
    steps = len(step_first)
    closed = np.zeros(steps, bool)
    for number in range(steps - 1):
        own = np.flatnonzero(step == number)
        closed[number] = all(partner[at] >= 0 for at in own if kind[at] == Kind.TOOL_CALL)
    groups = Groups(exchange, step, np.array(first, np.int32), zero, np.array(step_first, np.int32), np.array(step_exchange, np.int32),
                    closed, np.zeros(len(first), np.int32))  # fmt: skip
    return groups, Links(np.array(partner, np.int32), np.array(extra, bool))


def _pair(kind: list[int], key: list[int]) -> tuple[list[int], list[bool]]:
    partner, extra = [-1] * len(kind), [False] * len(kind)
    calls: dict[int, list[int]] = {}
    for at, k in enumerate(kind):
        if k == Kind.TOOL_CALL:
            calls.setdefault(key[at], []).append(at)
    seen: dict[int, int] = {}
    for at, k in enumerate(kind):
        if k != Kind.TOOL_RESULT:
            continue
        n = seen.get(key[at], 0)
        seen[key[at]] = n + 1
        found = calls.get(key[at], [])
        if n < len(found):
            partner[at], partner[found[n]] = found[n], at
        else:
            extra[at] = bool(found)
    return partner, extra
