"""opencode's sessions written back: as the document that `opencode import` reads. A result stands in the part of its call and nowhere else.

Ids of messages and parts rise with time, and opencode sorts by them: a new one begins with that of the message before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.formats._context import Context, encoded
from app.formats._dialects import Dialect
from app.formats._facts import facts_of
from app.formats._inner_write import Apart, InnerWriter
from app.formats._json import loads
from app.formats._log_write import LogContext
from app.formats._opencode import CLEARED, has_result, pieces, state_of
from app.formats._scan import Object, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.dump import Dump
from app.model.edits import DELETE, Content, Stub, Words
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.transcript import Transcript

_CALL: Final = {"call_id": "callID", "name": "tool"}
_NO_TOKENS: Final = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}


def never(context: Any, run: Any) -> list[bytes]:
    raise NotImplementedError  # messages are written with their results in them: see OpencodeWriter


class OpencodeWriter(InnerWriter):
    """Lays edits over a session that is one document."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        self._numbers: dict[str, int] = {}

    def split(self, context: LogContext, record: int, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        if record < 0:
            return None, _new_messages(context, rows)
        return _Message(context, record).with_rows(rows)

    def _back(self, edited: Transcript, before: int, row: int) -> bool:
        """A message may go on behind the results of one of its steps, made ones too."""
        made = edited.made.get(before)
        if made is not None and made.kind == Kind.TOOL_RESULT and row < len(self.table) and 0 <= made.call < len(self.table):
            return row <= made.call
        return super()._back(edited, before, row)

    def item_like(self, context: Context, record: int, data: bytes) -> bytes:
        """A new message gets an id behind its neighbour's, and what opencode asks of one."""
        made = loads(data)
        like = loads(self.moved_item(record)).get("info", {}) if record >= 0 else {}
        id = self._behind(like.get("id"), "msg")
        session = like.get("sessionID")
        info: dict[str, Any] = {"id": id, **({"sessionID": session} if session is not None else {}), **made["info"]}
        info["time"] = {"created": _created(like)}
        if info["role"] == "assistant":
            info["time"]["completed"] = info["time"]["created"]
            asked = like.get("parentID") if like.get("role") == "assistant" else like.get("id")
            held = like.get("model")
            model = held if isinstance(held, dict) else like
            info |= {"parentID": asked, "modelID": model.get("modelID", ""), "providerID": model.get("providerID", "")}
            info |= {key: like[key] for key in ("mode", "agent", "path") if key in like}
            info |= {"cost": 0, "tokens": _NO_TOKENS, "finish": "stop"}
        else:
            model = like.get("model") or {key: like[key] for key in ("providerID", "modelID") if key in like}
            info |= {"agent": like.get("agent", "build"), "model": model}
        parts = []
        for number, part in enumerate(made["parts"]):
            ids = {"id": f"{id.replace('msg', 'prt', 1)}{number:04d}", "sessionID": session, "messageID": id}
            parts.append({**part, **{key: value for key, value in ids.items() if value is not None}})
        style = context.style
        return style.dumps({"info": info, "parts": parts}, context.level)

    def _behind(self, id: Any, prefix: str) -> str:
        """An id that sorts behind another one and before what follows it."""
        start = id if isinstance(id, str) and id else f"{prefix}_"
        self._numbers[start] = self._numbers.get(start, 0) + 1
        return f"{start}{self._numbers[start]:04d}"


def _created(info: dict[str, Any]) -> Any:
    time = info.get("time")
    return time.get("created", 0) if isinstance(time, dict) else 0


def _orphan(context: Context) -> InspectorError:
    return InspectorError(
        f"{context.source.name}: opencode keeps a result in its call, so that one without a call cannot be written; drop the result as well"
    )


class _Message:
    """A message of the file that is to hold other rows."""

    def __init__(self, context: LogContext, record: int) -> None:
        self.context, self.record = context, record
        self.data, message = context.record(record)
        assert message is not None
        self.message: Object = message
        self.value: dict[str, Any] = loads(self.data)
        self.style = context.style_of(self.data, message)
        self.first = int(context.base.record.searchsorted(record))
        self.spots = [_spot(piece.path, piece.kind) for piece in pieces(self.value)]

    def spot(self, row: int) -> tuple[int, bool]:
        """The part that a row stands in (-1: none), and whether it is its result."""
        return self.spots[row - self.first]

    def with_rows(self, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        context = self.context
        base = [row for row in rows if row < len(context.base)]
        held = {self.spot(row)[0]: row for row in base if not self.spot(row)[1]}
        results = {self.spot(row)[0]: row for row in base if self.spot(row)[1]}
        if any(number not in held for number in results):
            raise _orphan(context)
        apart = []
        for row in rows:
            if row >= len(context.base):
                number = self.spot(context.edited.made[row].call)[0] if self._is_own(context.edited.made[row].call) else -1
                if number in held and number not in results:
                    results[number] = row
                else:
                    apart.append(row)
        if not base:
            return None, _new_messages(context, rows)
        values: dict[str, bytes | None] = {}
        parts = self._parts(held, results)
        if parts is not None:
            values["parts"] = parts
        info = self._info(base)
        if info is not None:
            values["info"] = info
        new = rewrite_object(self.data, self.message, values, self.style) if values else self.data
        return new, _new_messages(context, apart)

    def _is_own(self, row: int) -> bool:
        return 0 <= row - self.first < len(self.spots)

    def _parts(self, held: dict[int, int], results: dict[int, int]) -> bytes | None:
        """The list of parts; None where it stays as it is. Where steps begin and end stays as long as anything does."""
        member = self.message.get("parts")
        assert member is not None
        array = scan_array(self.data, member.start)
        told = {number for number, _ in self.spots}
        items: list[Item] = []
        for number, (start, end) in enumerate(array.spans):
            data = self.data[start:end]
            if number not in told:
                items.append(number)
            elif number in held:
                changed = part_with(self.context, data, held[number], results.get(number), self.style)
                items.append(number if changed == data else (number, changed))
        text = self._set_text(held)
        if text is not None:
            items.append(text)
        if items == list(range(len(array.spans))):
            return None
        return rewrite_array(self.data, array, items, style_of(self.data, array, self.style))

    def _set_text(self, held: dict[int, int]) -> bytes | None:
        """What an edit set as the text of a message that had none."""
        if -1 not in held:
            return None
        fields = self.context.fields(held[-1])
        told = fields.get("text", fields.get("content"))
        if told is None or told is DELETE:
            return None
        id = self.value["info"].get("id")
        ids = {"id": f"{id}0000".replace("msg", "prt", 1), "sessionID": self.value["info"].get("sessionID"), "messageID": id}
        return self.style.dumps({**{k: v for k, v in ids.items() if v is not None}, "type": "text", "text": _joined(told)})

    def _info(self, rows: list[int]) -> bytes | None:
        """What edits set of the message beside its parts; None where it stays as it is."""
        member = self.message.get("info")
        assert member is not None
        data = self.data[member.start : member.end]
        held = scan_object(data)
        level = level_of(data, held.members[0].key_start) or "" if held.members else ""
        values: dict[str, bytes | None] = {}
        role = self.context.new_role(tuple(row for row in rows if not self.spot(row)[1]), self.record)
        if role is not None:
            values["role"] = self.style.text(role)
        for key, value in self.context.message_fields(tuple(rows)):
            values[key] = encoded(value, self.style, level)
        return rewrite_object(data, held, values, self.style) if values else None


def _spot(path: str, kind: Kind) -> tuple[int, bool]:
    steps = path.split("/")
    return (int(steps[2]) if len(steps) > 2 else -1), kind == Kind.TOOL_RESULT


# -- parts --------------------------------------------------------------------------------------------------------------------


def part_with(context: Context, data: bytes, row: int, result: int | None, style: Style) -> bytes:
    """A part with the edits of its row, and of the row of its result (None: it is to have none)."""
    if data[:1] != b"{":
        return data
    part = scan_object(data)
    value = loads(data)
    style = style_of(data, part, style)
    level = level_of(data, part.members[0].key_start) or "" if part.members else ""
    fields, content = context.fields(row), context.content(row)
    values: dict[str, bytes | None] = {}
    for field, told in fields.items():
        key = _CALL.get(field, field.removeprefix("block.") if field.startswith("block.") else None)
        if key is not None and (value.get("type") == "tool" or field.startswith("block.")):
            values[key] = encoded(told, style, level)
    if value.get("type") == "tool":
        state = _state(context, data, part, row, result, style)
        if state is not None:
            values["state"] = state
    elif isinstance(value.get("text"), str):
        told = fields.get("text", fields.get("content"))
        if content is not None:
            told = "".join(content.of((value["text"],)))
        if told is not None and told is not DELETE:
            values["text"] = style.text(_joined(told))
    return rewrite_object(data, part, values, style) if values else data


def _joined(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(facts_of(content).texts)


def _state(context: Context, data: bytes, part: Object, row: int, result: int | None, style: Style) -> bytes | None:
    """The state of a call with other arguments or another result; None where it stays as it is."""
    member = part.get("state")
    held = data[member.start : member.end] if member is not None else b"{}"
    if held[:1] != b"{":
        held = b"{}"
    state = scan_object(held)
    value = state_of(loads(data))
    values: dict[str, Any] = {}
    fields = context.fields(row)
    if "input" in fields:
        values["input"] = fields["input"]
    if result is None:
        if has_result(loads(data)):
            values |= {"status": "running", "output": DELETE, "error": DELETE, "attachments": DELETE, "time": _time(value, "start")}
    elif result >= len(context.base):
        made = context.edited.made[result]
        values |= _ended(value, made.text, made.error)
    else:
        values |= _edited(value, context.fields(result), context.content(result))
    found = {key: encoded(told, style, "") for key, told in values.items()}
    found = {key: told for key, told in found.items() if told is not None or state.get(key) is not None}
    return rewrite_object(held, state, found, style_of(held, state, style)) if found else None


def _time(state: dict[str, Any], *keys: str) -> Any:
    time = state.get("time")
    return {key: time[key] for key in keys if key in time} if isinstance(time, dict) else DELETE


def _ended(state: dict[str, Any], text: str, failed: bool) -> dict[str, Any]:
    """A call that has ended with this text."""
    time = state.get("time")
    start = time.get("start", 0) if isinstance(time, dict) else 0
    values: dict[str, Any] = {"status": "error" if failed else "completed", "error" if failed else "output": text}
    if not failed:
        values |= {key: made for key, made in (("title", ""), ("metadata", {})) if key not in state}
    return values | {"time": {"start": start, "end": start}}


def _edited(state: dict[str, Any], fields: Mapping[str, Any], content: Content | None) -> dict[str, Any]:
    """What edits of a result change in its state."""
    failed = state.get("status") == "error"
    key = "error" if failed else "output"
    values: dict[str, Any] = {}
    text, time = state.get(key), state.get("time")
    cleared = not failed and isinstance(time, dict) and bool(time.get("compacted"))
    if content is not None:
        told = CLEARED if cleared else text
        new = "".join(content.of((told,) if isinstance(told, str) else ()))
        if new != told:
            values[key] = new
            if isinstance(content, Stub | Words):
                values["attachments"] = DELETE
    if "content" in fields:
        values |= {key: _joined(fields["content"]), "attachments": DELETE}
    if values and cleared:
        values["time"] = _time(state, "start", "end")
    error = fields.get("block.is_error")
    if isinstance(error, bool) and error != failed:
        values |= {"status": "error" if error else "completed", "error" if error else "output": values.pop(key, text), key: DELETE}
    return values


# -- new messages -------------------------------------------------------------------------------------------------------------


def _new_messages(context: LogContext, rows: list[int]) -> list[Apart]:
    """Messages of these rows, which stand apart from their records: neighbours of one role make one, results stand in their calls."""
    out: list[Apart] = []
    group: list[int] = []
    table = context.edited.table
    results: dict[int, int] = {}
    for row in rows:
        if table.kind[row] == Kind.TOOL_RESULT:
            call = _call_of(context, row, group)
            results[call] = row
            continue
        if group and (table.role[group[0]] != table.role[row] or table.message[group[0]] != table.message[row]):
            out.append(_new(context, group, results))
            group, results = [], {}
        group.append(row)
    if group:
        out.append(_new(context, group, results))
    return out


def _call_of(context: LogContext, row: int, group: list[int]) -> int:
    """The call of a group that a result stands in, or answers."""
    made = context.edited.made.get(row)
    table = context.edited.table
    for call in group:
        if table.kind[call] == Kind.TOOL_CALL and (
            made.call == call
            if made is not None
            else call < len(context.base) and table.record[call] == table.record[row] and table.key[call] == table.key[row]
        ):
            return call
    raise _orphan(context)


def _new(context: LogContext, rows: list[int], results: dict[int, int]) -> Apart:
    style = context.style
    assistant = int(context.edited.table.role[rows[0]]) == Role.ASSISTANT
    parts = []
    for row in rows:
        made = context.edited.made.get(row)
        if made is not None:
            parts.append({"type": "text", "text": made.text})
            continue
        message = _Message(context, int(context.base.record[row]))
        number, _ = message.spot(row)
        member = message.message.get("parts")
        if number < 0 or member is None:
            told = message._set_text({-1: row})
            parts += [{"type": "text", "text": loads(told)["text"]}] if told is not None else []
            continue
        start, end = scan_array(message.data, member.start).spans[number]
        parts.append(loads(part_with(context, message.data[start:end], row, results.get(row), message.style)))
    info: dict[str, Any] = {"role": "assistant" if assistant else "user"}
    for row in rows:
        info |= {key: value for key, value in context.message_fields((row,)) if value is not DELETE}
    return [*rows, *results.values()], style.dumps({"info": info, "parts": parts})


