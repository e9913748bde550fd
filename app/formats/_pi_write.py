"""pi's messages and sessions written back.

A result is a message by itself, and so is what pi makes a user's text of; all else is written like Anthropic's messages, with pi's words. A
command that a person ran (`bashExecution`) and whose text was edited becomes a user's message: the text is no longer what ran.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from app.formats import _anthropic_messages
from app.formats._anthropic_messages import BlockWire
from app.formats._anthropic_write import edited_block, edited_text, replaced_content
from app.formats._chain_write import ChainWriter, Unit, digest
from app.formats._context import Context, encoded
from app.formats._dialects import Dialect
from app.formats._json import loads
from app.formats._log_write import Plan
from app.formats._pi import SUMMARIES, shell_text, word_of
from app.formats._pi_tree import Entries
from app.formats._rewrite import TEXT_BLOCK
from app.formats._runs import Run
from app.formats._scan import Object, scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style
from app.model.dump import Dump
from app.model.edits import DELETE, Content, Made
from app.model.kinds import Kind, Role
from app.model.transcript import Transcript

_NO_USAGE: Final = {
    "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
}  # fmt: skip


# -- messages -----------------------------------------------------------------------------------------------------------------


def rewrite(context: Context, run: Run) -> list[bytes]:
    """The messages of a run: results, summaries and commands by themselves, all else as one."""
    out: list[bytes] = []
    rest: list[int] = []
    for row in run.rows:
        data = _alone(context, row, run)
        if data is None:
            rest.append(row)
            continue
        if rest:
            out += _said(context, run, tuple(rest))
            rest = []
        out.append(data)
    return [*out, *(_said(context, run, tuple(rest)) if rest else [])]


def _alone(context: Context, row: int, run: Run) -> bytes | None:
    """A row that is a message by itself; None for a block of one."""
    made = context.edited.made.get(row)
    if made is not None:
        return _made_result(context, row, made) if made.kind == Kind.TOOL_RESULT else None
    data, message = context.record(int(context.base.record[row]))
    if message is None:
        return data
    word = word_of(loads(data))
    if word == "toolResult":
        return _result(context, row, data, message)
    if word in SUMMARIES:
        return _summary(context, row, data, message)
    if word == "bashExecution":
        return _command(context, row, data, message)
    return None


def _said(context: Context, run: Run, rows: tuple[int, ...]) -> list[bytes]:
    """A message of blocks."""
    record = run.record
    if record >= 0:
        data, _ = context.record(record)
        if data[:1] != b"{" or word_of(loads(data)) in ("toolResult", "bashExecution", *SUMMARIES):
            record = -1
    found = _anthropic_messages.rewrite(context, replace(run, record=record, rows=rows), PI)
    if record < 0 and found:
        found[-1] = _completed(context, found[-1], rows[0])
    return found


def _completed(context: Context, data: bytes, row: int) -> bytes:
    """A new message with what pi reads of each."""
    if data[:1] != b"{":
        return data
    message = scan_object(data)
    style = context.style_of(data, message)
    more: dict[str, Any] = {}
    if loads(data).get("role") == "assistant":
        like = _near(context, row)
        more = {key: like[key] for key in ("api", "provider", "model") if key in like}
        more |= {"usage": _NO_USAGE, "stopReason": "stop"}
    stamp = _stamp(context, row)
    if stamp is not None:
        more["timestamp"] = stamp
    values = {key: style.dumps(value) for key, value in more.items() if message.get(key) is None}
    return rewrite_object(data, message, values, style) if values else data


def _near(context: Context, row: int) -> dict[str, Any]:
    """The assistant's message before a row, else the first one behind it."""
    order = context.edited.order.tolist()
    at = order.index(row) if row in order else 0
    for other in [*order[:at][::-1], *order[at:]]:
        if other < len(context.base) and context.base.role[other] == Role.ASSISTANT:
            value = loads(context.record(int(context.base.record[other]))[0])
            return value if isinstance(value, dict) else {}
    return {}


def _stamp(context: Context, row: int) -> int | None:
    """The time, in milliseconds, of the row before one that is made, else of the one behind it."""
    times = context.base.records.time
    order = context.edited.order.tolist()
    at = order.index(row) if row in order else 0
    for other in [*order[:at][::-1], *order[at:]]:
        if other < len(context.base):
            time = float(times[context.base.record[other]])
            return round(time * 1000) if time == time else None
    return None


def _edited(data: bytes, kind: Kind, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    if "input" in fields:
        fields = {("block.arguments" if key == "input" else key): value for key, value in fields.items()}
    return edited_block(data, kind, fields, content, style)


def _made(made: Made, call_id: str | None) -> dict[str, Any]:
    return {"type": "text", "text": made.text}


def _listed(value: Any) -> Any:
    return [{"type": "text", "text": value}] if isinstance(value, str) else value


PI: Final = BlockWire(_edited, _made, _listed, False, TEXT_BLOCK)


# -- messages of one row ------------------------------------------------------------------------------------------------------


def _result(context: Context, row: int, data: bytes, message: Object) -> bytes:
    style = context.style_of(data, message)
    fields, content = context.fields(row), context.content(row)
    values: dict[str, bytes | None] = {}
    for field, value in fields.items():
        if field == "call_id":
            values["toolCallId"] = encoded(value, style, "")
        elif field in ("content", "text"):
            values["content"] = encoded(_listed(value), style, "")
        elif field == "block.is_error":
            values["isError"] = encoded(value is True, style, "")
        elif field.startswith(("block.", "message.")):
            values[field.split(".", 1)[1]] = encoded(value, style, "")
    if content is not None:
        values["content"] = replaced_content(data, message.get("content"), content, style, "")
        if message.get("details") is not None:
            values["details"] = None  # a copy of what was replaced
    return rewrite_object(data, message, values, style) if values else data


def _made_result(context: Context, row: int, made: Made) -> bytes:
    table, style = context.edited.table, context.style
    members: list[tuple[str, bytes]] = [("role", b'"toolResult"')]
    call_id = context.call_id(row)
    if call_id is not None:
        members.append(("toolCallId", style.text(call_id)))
    name = int(table.name[made.call]) if made.call >= 0 else -1
    if name >= 0:
        members.append(("toolName", style.text(table.names[name])))
    members += [("content", style.dumps(_listed(made.text))), ("isError", style.dumps(made.error))]
    for key, value in context.message_fields((row,)):
        if value is not DELETE:
            members.append((key, style.dumps(value)))
    stamp = _stamp(context, row)
    if stamp is not None:
        members.append(("timestamp", style.dumps(stamp)))
    return style.object(members)


def _summary(context: Context, row: int, data: bytes, message: Object) -> bytes:
    fields, content = context.fields(row), context.content(row)
    style = context.style_of(data, message)
    values: dict[str, bytes | None] = {key: encoded(value, style, "") for key, value in context.message_fields((row,))}
    told = fields.get("text", fields.get("content"))
    if isinstance(told, str):
        values["summary"] = style.text(told)
    elif content is not None:
        held = message.get("summary")
        values["summary"] = edited_text(data[held.start : held.end], {}, content, style) if held else style.text("".join(content.of(("",))))
    return rewrite_object(data, message, values, style) if values else data


def _command(context: Context, row: int, data: bytes, message: Object) -> bytes:
    fields, content = context.fields(row), context.content(row)
    told = fields.get("text", fields.get("content"))
    style = context.style_of(data, message)
    if not isinstance(told, str) and content is None:
        values = {key: encoded(value, style, "") for key, value in context.message_fields((row,))}
        return rewrite_object(data, message, values, style) if values else data
    if not isinstance(told, str):
        assert content is not None
        told = "".join(content.of((shell_text(loads(data)),)))
    members = [("role", b'"user"'), ("content", style.dumps(_listed(told)))]
    stamp = message.get("timestamp")
    if stamp is not None:
        members.append(("timestamp", data[stamp.start : stamp.end]))
    return style.object(members)


# -- the session --------------------------------------------------------------------------------------------------------------


class PiWriter(ChainWriter):
    """Lays edits over a session. What a compaction keeps is kept in step: `firstKeptEntryId`, in version 1 `firstKeptEntryIndex`."""

    id_key, parent_key = "id", "parentId"

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        self.entries = Entries()
        self.tree = self.entries.tree
        self._objects: list[bool] = []
        self._firsts: dict[int, int | Unit] = {}  # by wall: what it is to keep first

    def enter(self, record: int, value: Any) -> None:
        self.entries.add(record, value)
        self._objects.append(isinstance(value, dict))

    def fresh_id(self, seed: str) -> str:
        taken, number = set(self.tree.names), 0
        while (id := digest(f"{seed}/{number}", 8)) in taken:
            number += 1
        self.tree.names.append(id)
        return id

    def bare(self, unit: Unit, parent: str | None) -> bytes:
        style = unit.context.style
        time = float(self.table.records.time[unit.like]) if unit.like >= 0 else float("nan")
        stamp = datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if time == time else None
        members = [("type", b'"message"')]
        if not self.entries.linear:
            members += [("id", style.text(unit.id)), ("parentId", style.dumps(parent))]
        if stamp is not None:
            members.append(("timestamp", style.text(stamp)))
        return style.object([*members, ("message", unit.data)])

    def keep(self, plan: Plan) -> None:
        for base, edited in self.pairs:
            wall = base.walls[-1].record if base.walls else -1
            if wall in plan.gone and edited.start:  # without it the model would see again what it no longer sees
                plan.gone.discard(wall)
                item = self.item(wall)
                plan.changed[wall] = rewrite_object(item, scan_object(item), {"summary": b'""'}, self.frame)

    def walls(self, plan: Plan) -> None:
        for base, _ in self.pairs:
            if not base.walls:
                continue
            wall = base.walls[-1].record
            records = self.chains[base.index].records
            if wall in plan.gone:
                continue
            first = self._first(plan, records, wall)
            ended = self._ended(base.index, set(records[records.index(first) :]))
            held = self.before.get(first, [])
            if first != wall:
                self._firsts[wall] = held[0] if held else first
            if ended:
                self.before[first] = [*ended, *held]
        for wall, first in self.entries.walls.items():
            if wall not in self._firsts and first in plan.gone:
                records = next((c.records for c in self.chains if wall in c.records), [first, wall])
                self._firsts[wall] = self._first(plan, records, wall)

    def _ended(self, index: int, behind: set[int]) -> list[Unit]:
        """New items that the model does not see, though what they should stand before comes behind what is kept: they go in front."""
        ended: list[Unit] = []
        for units in [*(self.before[record] for record in self.before if record in behind), self.tails.get(index, [])]:
            ended += [unit for unit in units if unit.unseen]
            units[:] = [unit for unit in units if not unit.unseen]
        self.before = {record: units for record, units in self.before.items() if units}
        return ended

    def _first(self, plan: Plan, records: list[int], wall: int) -> int:
        """The first record that stays of what a wall keeps; the wall itself where none does."""
        at, first = records.index(wall), self.entries.walls.get(wall, -1)
        begin = records.index(first) if first in records[:at] else at
        return next((record for record in records[begin:at] if record not in plan.gone), wall)

    def settled(self, plan: Plan) -> None:
        for wall, first in self.entries.walls.items():
            if wall in plan.gone or first < 0:
                continue
            target = self._firsts.get(wall, first)
            if self.entries.linear:
                self.members[wall] = {"firstKeptEntryIndex": self._index(plan, target, wall)}
                if self.members[wall]["firstKeptEntryIndex"] == self.value(wall).get("firstKeptEntryIndex"):
                    del self.members[wall]
            elif target != first:
                name = target.id if isinstance(target, Unit) else self.tree.names[target]
                self.members[wall] = {"firstKeptEntryId": name}

    def _index(self, plan: Plan, target: int | Unit, wall: int) -> int:
        """The number of an entry as version 1 counts them, header and all."""
        holder = next((record for record, units in self.before.items() if target in units), wall) if isinstance(target, Unit) else target
        index = sum(self._objects[record] and record not in plan.gone for record in range(holder))
        index += sum(len(data) for slot, data in plan.placed.items() if slot < holder)
        if isinstance(target, Unit):
            index -= len(self.before[holder]) - self.before[holder].index(target)
        return index
