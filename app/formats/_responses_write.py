"""Items of OpenAI's Responses written anew from the rows that they are to hold. What was not edited of an item keeps its bytes.

A message is written from its rows; every other item is one row, and a message of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.formats._anthropic_write import edited_text
from app.formats._context import Context, encoded
from app.formats._json import compact, loads
from app.formats._responses import ACTIONS, part_texts, result_parts, text_of, type_of
from app.formats._rewrite import Part, content_bytes, new_content
from app.formats._runs import Run
from app.formats._scan import Member, Object, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.edits import DELETE, Cap, Content, Made
from app.model.items import made_output
from app.model.kinds import Kind

LOOKED_AT: Final = 50  # records that are looked at to see whether messages of this file say their type
_FIXED: Final = frozenset({"computer_call_output", "tool_search_output"})  # a picture, definitions: no text


def rewrite(context: Context, run: Run) -> list[bytes]:
    """The items of a run: texts and media of one message as one, every other row by itself."""
    out: list[bytes] = []
    rest: list[int] = []
    for row in run.rows:
        alone = _alone(context, row)
        if alone is None:
            rest.append(row)
            continue
        if rest:
            out.append(_message(context, run, tuple(rest)))
            rest = []
        out.append(alone)
    if rest:
        out.append(_message(context, run, tuple(rest)))
    return out


def _alone(context: Context, row: int) -> bytes | None:
    """The item of a row that is one by itself; None for a part of a message."""
    made = context.edited.made.get(row)
    if made is not None:
        return _made(context, row, made) if made.kind == Kind.TOOL_RESULT else None
    record = int(context.base.record[row])
    data, item = context.record(record)
    if item is None:
        return None if _is_text(context, record) else data
    word = type_of(loads(data))
    if word == "message":
        return None
    style = context.style_of(data, item)
    values = _edited(data, item, word, context.fields(row), context.content(row), style, _level(data, item))
    return rewrite_object(data, item, values, style) if values else data


def _is_text(context: Context, record: int) -> bool:
    """Whether a record is the string that stands in place of the list."""
    return context.base.pointers.get(record) == "/input"


def _level(data: bytes, item: Object) -> str:
    return level_of(data, item.members[0].key_start) or "" if item.members else ""


# -- items of one row -------------------------------------------------------------------------------------------------------


def _edited(
    data: bytes, item: Object, word: str, fields: Mapping[str, Any], content: Content | None, style: Style, level: str
) -> dict[str, bytes | None]:
    """New members of an item that is no message."""
    values: dict[str, bytes | None] = {}
    for field, value in fields.items():
        if field.startswith(("message.", "block.")):
            values[field.split(".", 1)[1]] = encoded(value, style, level)
        elif field in ("call_id", "name"):
            values[field] = encoded(value, style, level)
        elif field == "input":
            values.update(_input(word, value, style, level))
        elif field in ("content", "text"):
            values.update(_as_text(word))
            values["output"] = encoded(value, style, level)
    if content is not None and word in _FIXED:
        texts = result_parts(word, loads(data))[0] if word == "computer_call_output" else (compact(loads(data).get("tools")),)
        values.update(_as_text(word), output=style.text("\n".join(content.of(texts))))
    elif content is not None:
        values["output"] = _replaced(word, data, item.get("output"), content, style, level)
    return values


def _as_text(word: str) -> dict[str, bytes | None]:
    """What makes an output that holds no text one that does: a `function_call_output` answers a search for tools as well (recorded)."""
    gone: dict[str, bytes | None] = dict.fromkeys(("tools", "execution", "status"))
    return {"type": b'"function_call_output"', **gone} if word in _FIXED else {}


def _input(word: str, value: Any, style: Style, level: str) -> dict[str, bytes | None]:
    """The arguments of a call, as its type has them: a string of JSON, free text, or an object."""
    if word == "custom_tool_call":
        return {"input": None if value is DELETE else style.text(value if isinstance(value, str) else compact(value))}
    if word in ACTIONS or word == "tool_search_call":
        return {ACTIONS.get(word, "arguments"): encoded(value, style, level)}
    return {"arguments": None if value is DELETE else style.text(compact(value))}


def _replaced(word: str, data: bytes, held: Member | None, content: Content, style: Style, level: str) -> bytes:
    """An output with its text replaced: a string stays a string, a list a list. A cap cuts the texts one by one and leaves media."""
    if held is None or data[held.start] != 91:
        value = loads(data[held.start : held.end]) if held is not None else None
        return style.text("\n".join(content.of(result_parts(word, {"output": value})[0])))
    array = scan_array(data, held.start)
    own = style_of(data, array, style)
    inner = (level_of(data, array.spans[0][0]) if array.spans else None) or level + own.unit
    values = [loads(data[start:end]) for start, end in array.spans]
    if not isinstance(content, Cap):
        return rewrite_array(data, array, [own.dumps(_one_text(word, values, content.text), inner)], own)
    left = content.of([text for value in values for text in part_texts(word, value)])
    items: list[Item] = []
    for number, (value, (start, end)) in enumerate(zip(values, array.spans, strict=True)):
        group = part_texts(word, value)
        new, left = left[: len(group)], left[len(group) :]
        if new == group:
            items.append(number)
        elif word == "shell_call_output" and isinstance(value, dict):
            items.append((number, _with_texts(data[start:end], _streams(value, new), own)))
        elif text_of(value) is not None and new:
            key = "refusal" if value["type"] == "refusal" else "text"
            items.append((number, _with_texts(data[start:end], {key: new[0]}, own)))
        else:
            items += [own.dumps({"type": "input_text", "text": text}, inner) for text in new]
    return rewrite_array(data, array, items, own)


def _one_text(word: str, values: list[Any], text: str) -> dict[str, Any]:
    """The one part of an output that holds nothing but a text."""
    if word != "shell_call_output":
        return {"type": "input_text", "text": text}
    first = values[0] if values and isinstance(values[0], dict) else {}
    return {"stdout": text, "stderr": "", "outcome": first.get("outcome", {"type": "exit", "exit_code": 0})}


def _streams(value: dict[str, Any], texts: list[str]) -> dict[str, str]:
    """What is left of the streams of a command: those that hold text take the texts one by one."""
    held = [key for key in ("stdout", "stderr") if isinstance(value.get(key), str) and value[key]]
    return {key: texts[number] if number < len(texts) else "" for number, key in enumerate(held)}


def _with_texts(data: bytes, texts: dict[str, str], style: Style) -> bytes:
    part = scan_object(data)
    own = style_of(data, part, style)
    return rewrite_object(data, part, {key: own.text(text) for key, text in texts.items()}, own)


def _made(context: Context, row: int, made: Made) -> bytes:
    """An output that an edit made: of the family of its call, where that has a place for a text."""
    word = made_output(context.edited.table.types[int(context.edited.table.type[made.call])] if made.call >= 0 else "")
    style, level = context.style, context.level
    inner = level + style.unit
    values: list[tuple[str, Any]] = [("type", word)]
    call_id = context.call_id(row)
    if call_id is not None:
        values.append(("call_id", call_id))
    if word == "apply_patch_call_output":
        values.append(("status", "failed" if made.error else "completed"))
    if word == "shell_call_output":
        streams = {"stdout": "", "stderr": made.text} if made.error else {"stdout": made.text, "stderr": ""}
        values.append(("output", [{**streams, "outcome": {"type": "exit", "exit_code": int(made.error)}}]))
    else:
        values.append(("output", made.text))
    members = [(key, style.dumps(value, inner)) for key, value in values]
    members += [(key, held) for key, value in context.message_fields((row,)) if (held := encoded(value, style, inner)) is not None]
    return style.object(members, level)


# -- messages ---------------------------------------------------------------------------------------------------------------


def _message(context: Context, run: Run, rows: tuple[int, ...]) -> bytes:
    """A message of these rows."""
    record = run.record
    data, item = context.record(record) if record >= 0 else (b"", None)
    if item is None or type_of(loads(data)) != "message":
        record, item = -1, None
    style = context.style if item is None else context.style_of(data, item)
    level = context.level if item is None else _level(data, item)
    role = context.new_role(rows, record)
    said = role or _role(data, record)
    word: tuple[tuple[str, bytes], ...] = (("type", b'"output_text"' if said == "assistant" else b'"input_text"'),)
    parts = [part for row in rows if (part := _part(context, row, record, said)) is not None]
    fields = dict(context.message_fields(rows))
    held = [context.fields(row)["content"] for row in rows if "content" in context.fields(row)]
    if item is None:
        return _new(context, rows, role or "user", parts, word, fields, held)
    values: dict[str, bytes | None] = {}
    if held:
        values["content"] = encoded(held[-1], style, level)
    elif parts or not all(row < len(context.base) and context.base.kind[row] == Kind.EMPTY for row in rows):
        new = content_bytes(data, item, parts, style, word)
        if new is not None:
            values["content"] = new
    if role is not None:
        values["role"] = style.text(role)
    values.update((key, encoded(value, style, level)) for key, value in fields.items())
    return rewrite_object(data, item, values, style) if values else data


def _role(data: bytes, record: int) -> str:
    role = loads(data).get("role") if record >= 0 else "user"
    return role if isinstance(role, str) else "user"


def _new(
    context: Context, rows: tuple[int, ...], role: str, parts: list[Part], word: tuple[tuple[str, bytes], ...], fields: dict[str, Any],
    held: list[Any],
) -> bytes:  # fmt: skip
    """A message that the file does not hold; the string in place of the list stays one while it is all that is left of it."""
    style, level = context.style, context.level
    inner = level + style.unit
    if len(parts) == 1 and parts[0].value is not None and text_of(parts[0].value) is not None:
        parts = [Part(data=style.text(parts[0].value["text"]), literal=True)]
    content = (encoded(held[-1], style, inner) or b"null") if held else new_content(parts, style, inner, word)
    if role == "user" and not fields and not held and len(rows) == 1 and _of_text(context, rows[0]):
        return content
    members = [("type", b'"message"')] if _says_types(context) else []
    members += [("role", style.text(role)), ("content", content)]
    members += [(key, made) for key, value in fields.items() if (made := encoded(value, style, inner)) is not None]
    return style.object(members, level)


def _of_text(context: Context, row: int) -> bool:
    return row < len(context.base) and _is_text(context, int(context.base.record[row]))


def _says_types(context: Context) -> bool:
    """Whether messages of this file name their type."""
    for record in range(min(len(context.base.records), LOOKED_AT)):
        _, item = context.record(record)
        if item is not None and item.get("role") is not None:
            return item.get("type") is not None
    return False


def _part(context: Context, row: int, record: int, role: str) -> Part | None:
    """What a row puts into the message that was `record`; None for nothing (the row of an empty message)."""
    made, fields, content = context.edited.made.get(row), context.fields(row), context.content(row)
    if made is not None:
        return Part(value={"type": "output_text" if role == "assistant" else "input_text", "text": made.text})
    table = context.base
    kind, own, number = Kind(int(table.kind[row])), int(table.record[row]), int(table.part[row])
    data, item = context.record(own)
    if item is None:  # the string in place of the list
        return Part(data=_literal(data, fields, content, context.style), literal=True)
    held = item.get("content")
    style = context.style_of(data, item)
    if isinstance(fields.get("text"), str) and kind == Kind.EMPTY:
        return Part(data=style.text(fields["text"]), literal=True)
    if held is None or data[held.start : held.end] in (b"null", b"[]") or (kind == Kind.EMPTY and data[held.start] == 91):
        return None
    mine = own == record
    if data[held.start] != 91:
        value, literal = data[held.start : held.end], data[held.start] == 34
        return Part(old=0 if mine else -1, data=_literal(value, fields, content, style) if literal else value, literal=literal)
    start, end = context.elements(own, "content")[number]
    part = data[start:end]
    changed = _edited_part(part, fields, content, style)
    if changed == part:
        return Part(number) if mine else Part(data=part)
    return Part(number if mine else -1, changed)


def _literal(data: bytes, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    return edited_text(data, {key: value for key, value in fields.items() if key == "text"}, content, style)


def _edited_part(data: bytes, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """A part of a message with another text or other members."""
    if data[:1] != b"{":
        return data
    part = scan_object(data)
    own = style_of(data, part, style)
    level = _level(data, part)
    values: dict[str, bytes | None] = {
        key.removeprefix("block."): encoded(value, own, level) for key, value in fields.items() if key.startswith("block.")
    }
    value = loads(data)
    key = "refusal" if value.get("type") == "refusal" else "text"
    if isinstance(fields.get("text"), str):
        values[key] = own.text(fields["text"])
    elif content is not None:
        values[key] = own.text("".join(content.of((text_of(value) or "",))))
    return rewrite_object(data, part, values, own) if values else data
