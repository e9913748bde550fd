"""What setting a field changes in the columns, so that rules judge the edited transcript and not the file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from app.formats import FORMATS
from app.formats._facts import facts_of
from app.formats._json import compact
from app.formats._noted import member_marks
from app.model.edits import DELETE, Set
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Mark, Role
from app.pipeline.draft import Draft
from app.pipeline.flags import CONTENT_FLAGS, ID_FLAGS, TEXT_FLAGS, args_of, id_flags, text_flags

FIELDS: Final = frozenset({"call_id", "name", "input", "text", "content", "role"})
MESSAGE_MARKS: Final = {Mark.PREFIX: True, Mark.REASONING: ""}
"""Members of a message that a mark tells of, and the value that it tells of."""


def known_field(field: str) -> bool:
    return field in FIELDS or field.startswith(("message.", "block."))


def set_field(draft: Draft, edit: Set, parting: bool = False) -> None:
    """Lays one field over a row and brings its columns up to date. `parting`: the same change puts the row into a message of its own, whose
    role is not that of the message it leaves."""
    row, name, value = edit.row, edit.field, edit.value
    if row in draft.made and _set_made(draft, edit):
        return
    if name == "role" and parting:
        draft.put("role", row, role_of(value))
        draft.unmark(np.asarray([row]), "role")
        draft.own_fields(row)[name] = value
        return
    if name == "role" or name.startswith("message."):
        _set_message(draft, row, name, value)
        return
    if name in ("text", "content"):
        if draft.content_at(row) is not None:
            draft.content()[row] = -1
        draft.unmark(np.asarray([row]), "content")
        _set_content(draft, row, name, value)
    elif name == "call_id":
        draft.flag(row, ID_FLAGS, id_flags(value))
        draft.put("key", row, draft.key_of(value) if isinstance(value, str) else -1)
    elif name == "name":
        before = draft.names.text(draft.get("name", row))
        old = len(before)
        number = draft.names.number(value) if isinstance(value, str) else -1
        draft.put("name", row, number)
        kind = draft.get("kind", row)
        if kind == Kind.TOOL_CALL:
            draft.size(row, draft.get("size", row) - old + len(draft.names.text(number)))
        elif kind == Kind.TOOLS and isinstance(value, str):  # a definition is counted as compact JSON
            draft.size(row, draft.get("size", row) - len(compact(before)) + len(compact(value)))
    elif name == "input":
        draft.unmark(np.asarray([row]), "input")
        _set_input(draft, row, value)
    else:
        _set_member(draft, row, name.removeprefix("block."), value)
    draft.own_fields(row)[name] = value


def _set_made(draft: Draft, edit: Set) -> bool:
    """A made block takes the field into itself; False where it cannot."""
    made = draft.made[edit.row]
    if edit.field in ("text", "content") and isinstance(edit.value, str):
        draft.made[edit.row] = replace(made, text=edit.value)
        draft.size(edit.row, len(edit.value))
        draft.flag(edit.row, TEXT_FLAGS, text_flags(edit.value))
        return True
    if edit.field == "role" and isinstance(edit.value, str):
        draft.made[edit.row] = replace(made, role=role_of(edit.value))
        draft.put("role", edit.row, role_of(edit.value))
        return True
    return False


def role_of(word: Any) -> Role:
    """A role by its wire's word."""
    if isinstance(word, Role):
        return word
    return Role[word.upper()] if isinstance(word, str) and word.upper() in Role.__members__ else Role.OTHER


def _set_message(draft: Draft, row: int, name: str, value: Any) -> None:
    """A member of the message: every row of it carries the field, so that it outlives the row that was named."""
    message = draft.get("message", row)
    if (message, name) in draft.said and draft.said[message, name] == value:
        return
    draft.said[message, name] = value
    for member in draft.message_rows(message):
        if name == "role":
            draft.put("role", member, role_of(value))
            draft.unmark(np.asarray([member]), "role")
        elif name == "message.name":
            draft.flag(member, Flag.NAMED, 0 if value is DELETE else Flag.NAMED)
        elif name == "message.tool_calls":
            draft.flag(member, Flag.CALLS_NONE, Flag.CALLS_NONE if value == [] else 0)
        elif name == "message.id":
            draft.item_id(member, value if isinstance(value, str) else None)
        elif name in MESSAGE_MARKS:
            draft.mark(name, member, value == MESSAGE_MARKS[name])
        if value is DELETE:  # whoever takes away members of another dialect takes all of them away in one change
            draft.flag(member, Flag.UNKNOWN_KEYS)
            draft.unsay(member, name)
        draft.own_fields(member)[name] = value


def _set_content(draft: Draft, row: int, name: str, value: Any) -> None:
    kind = draft.get("kind", row)
    if name == "text":
        if not isinstance(value, str):
            return
        draft.flag(row, TEXT_FLAGS, text_flags(value))
        draft.size(row, len(value))
        if kind == Kind.EMPTY:
            draft.put("kind", row, Kind.TEXT)
            draft.flag(row, CONTENT_FLAGS)
    elif kind in (Kind.TEXT, Kind.EMPTY, Kind.TOOL_RESULT):
        format = FORMATS.get(draft.table.format)
        found = format.facts(value) if format is not None else facts_of(value)
        draft.flag(row, CONTENT_FLAGS | TEXT_FLAGS | Flag.MEDIA | Flag.PART_EMPTY | Flag.TYPE_ODD, found.flags)
        for word in found.marks:
            draft.mark(word, row, True)
        draft.size(row, sum(map(len, found.texts)))
        if kind != Kind.TOOL_RESULT:
            draft.put("kind", row, Kind.TEXT if isinstance(value, str) else Kind.EMPTY)
    else:  # a call of a message whose own content is set: no text of the call changes
        draft.flag(row, CONTENT_FLAGS, Flag.CONTENT_NULL if value is None or value is DELETE else 0)


def _set_input(draft: Draft, row: int, value: Any) -> None:
    free = (draft.get("flags", row) & Flag.ARGS) >> ARGS_SHIFT == Args.FREE and isinstance(value, str)
    written = compact(value) if draft.table.args_text and value is not DELETE and not free else value
    kind, text = (Args.FREE, value) if free else args_of(written)
    draft.flag(row, Flag.ARGS, int(kind) << ARGS_SHIFT)
    draft.size(row, len(draft.names.text(draft.get("name", row))) + len(text))


def _set_member(draft: Draft, row: int, key: str, value: Any) -> None:
    """A member of the block itself. Whoever takes away members of another dialect takes all of them away in one change."""
    draft.unmark(np.asarray([row]), key)
    for word in member_marks(key, value):
        draft.mark(word, row, True)
    if key == "cache_control":
        draft.flag(row, Flag.CACHE, 0 if value is DELETE or value is None else Flag.CACHE)
    elif key == "is_error":
        draft.flag(row, Flag.ERROR, Flag.ERROR if value is True else 0)
    elif key == "type" and isinstance(value, str):
        draft.put("type", row, draft.types.number(value))
        if value == "text" and draft.get("kind", row) == Kind.OTHER:  # what its text is a change of its text says
            draft.put("kind", row, Kind.TEXT)
            draft.flag(row, Flag.TYPE_ODD)
    elif key == "signature":
        draft.flag(row, Flag.SIGNED, Flag.SIGNED if isinstance(value, str) and value else 0)
    elif value is DELETE:
        draft.flag(row, Flag.UNKNOWN_KEYS)
