"""A transcript in the making: columns are copied when they are first written to, rows that an edit makes are collected."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.edits import Content, Made
from app.model.items import made_output
from app.model.kinds import Flag, Kind
from app.model.table import ROW_COLUMNS, Ints, Table
from app.model.transcript import Transcript
from app.pipeline.flags import ID_FLAGS, text_flags


class Draft:
    """What edits change of a transcript. Nothing that `transcript` holds is written to; `finish` gives the new one."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.table = transcript.table
        self.count = len(transcript.table)  # rows before this pass
        self.fields: dict[int, dict[str, Any]] = dict(transcript.fields)
        self.made: dict[int, Made] = dict(transcript.made)
        self.request: dict[str, Any] = dict(transcript.request)
        self.moved: set[int] = set(transcript.moved)
        self.names = _Words(self.table.names)
        self.types = _Words(self.table.types)
        self._marks: dict[str, Ints] | None = None
        self._own: dict[str, Ints] = {}
        self._new: dict[str, list[int]] = {name: [] for name in ROW_COLUMNS}
        self._contents: list[Content] = list(transcript.contents)
        self._content_numbers: dict[Content, int] | None = None
        self._content: Ints | None = None
        self._sized = False
        self._keys: dict[str, int] | None = None
        self._new_ids: list[str] = []
        self._next_key = -1
        self._next_message = -1
        self._members: tuple[Ints, Ints] | None = None
        self._made_types: dict[Kind, int] = {}
        self._items: Ints | None = None
        self._item_ids: dict[str, int] | None = None
        self._new_item_ids: list[str] = []
        self.said: dict[tuple[int, str], Any] = {}  # message and field: what was set of it in this pass

    # -- columns ------------------------------------------------------------------------------------------------------------

    def read(self, name: str) -> Ints:
        """A column of the table's rows as it stands, not to be written to."""
        return self._own[name] if name in self._own else getattr(self.table, name)

    def column(self, name: str) -> Ints:
        """The same, to be written to."""
        if name not in self._own:
            self._own[name] = getattr(self.table, name).copy()
        return self._own[name]

    def get(self, name: str, row: int) -> int:
        return int(self.read(name)[row]) if row < self.count else self._new[name][row - self.count]

    def type_word(self, row: int) -> str:
        """The wire's word for a row."""
        return self.types.text(self.get("type", row))

    def is_legacy(self, row: int) -> bool:
        """Whether a row is a call of OpenAI's old kind, which has no id. (Items of Responses share its word.)"""
        return self.table.item is None and self.type_word(row) == "function_call" and self.get("key", row) < 0

    def put(self, name: str, row: int, value: int) -> None:
        if row >= self.count:
            self._new[name][row - self.count] = value
        elif self.read(name)[row] != value:
            self.column(name)[row] = value

    def flag(self, row: int, off: int, on: int = 0) -> None:
        """Takes flags away from a row and gives it others."""
        self.put("flags", row, (self.get("flags", row) & ~off) | on)

    def size(self, row: int, value: int) -> None:
        self._sized = True
        self.put("size", row, value)

    def sizes(self) -> Ints:
        """The sizes, to be written to."""
        self._sized = True
        return self.column("size")

    def as_read(self) -> Ints:
        """Sizes as the file has them. Rows that edits made since are not in it (see `grown` of the table)."""
        return self.table.size if self.table.read_size is None else self.table.read_size

    def add(self, made: Made, message: int, role: int) -> int:
        """Adds the row of a made block; its id comes back."""
        flags, key = Flag.CONTENT_NONE if made.kind == Kind.EMPTY else text_flags(made.text), -1
        if made.call >= 0:
            key = self.get("key", made.call)
            flags |= self.get("flags", made.call) & ID_FLAGS
        if made.error:
            flags |= Flag.ERROR
        row = self.count + len(self._new["kind"])
        name = self.get("name", made.call) if made.call >= 0 and self.table.results_named else -1
        values = {
            "record": -1, "part": 0, "message": message, "kind": int(made.kind), "type": self._made_type(made), "role": role, "name": name,
            "size": len(made.text), "flags": flags, "key": key,
        }  # fmt: skip
        for field, value in values.items():
            self._new[field].append(value)
        self.made[row] = made
        return row

    def _made_type(self, made: Made) -> int:
        """The wire's word for a made block: on a wire of items an output is of the family of its call."""
        if self.table.item is None:
            return self._type(made.kind)
        if made.kind != Kind.TOOL_RESULT:
            return self.types.number("text")
        return self.types.number(made_output(self.type_word(made.call) if made.call >= 0 else ""))

    def _type(self, kind: Kind) -> int:
        """The wire's word for a made block is the one that its neighbours of the same kind bear."""
        if kind not in self._made_types:
            like = np.flatnonzero((self.table.kind == kind) & ((self.table.flags & Flag.SERVER) == 0))
            self._made_types[kind] = int(self.table.type[like[0]]) if len(like) else self.types.number(kind.name.lower())
        return self._made_types[kind]

    # -- marks --------------------------------------------------------------------------------------------------------------

    def mark(self, word: str, row: int, on: bool) -> None:
        """Says something of a row, or no longer (see Mark)."""
        rows = (self.table.marks if self._marks is None else self._marks).get(word, np.empty(0, np.int32))
        if bool((rows == row).any()) != on:
            one = np.asarray([row], np.int32)
            self._put_marks(word, np.union1d(rows, one) if on else np.setdiff1d(rows, one))

    def unmark(self, rows: Ints, member: str) -> None:
        """What was said of a member of these rows no longer holds: it is set, or gone."""
        for word, marked in (self.table.marks if self._marks is None else self._marks).items():
            if word.split(".")[0] == member and len(marked):
                self._put_marks(word, np.setdiff1d(marked, rows))

    def unsay(self, row: int, name: str) -> None:
        """What was said of a member of this row's message no longer holds; others of its members keep their words."""
        for word in list(self.table.marks if self._marks is None else self._marks):
            if word == name or word.startswith(f"{name}."):
                self.mark(word, row, False)

    def _put_marks(self, word: str, rows: Ints) -> None:
        self._marks = {**(self.table.marks if self._marks is None else self._marks), word: rows}

    # -- messages -----------------------------------------------------------------------------------------------------------

    def new_message(self) -> int:
        if self._next_message < 0:
            self._next_message = int(self.read("message").max(initial=-1)) + 1
        self._next_message += 1
        return self._next_message - 1

    def message_rows(self, message: int) -> list[int]:
        """The live rows of a message as this pass found them, in order."""
        if self._members is None:
            order = self.transcript.order
            numbers = self.table.message[order]
            by = np.argsort(numbers, kind="stable")
            self._members = numbers[by], order[by]
        numbers, rows = self._members
        return rows[np.searchsorted(numbers, message) : np.searchsorted(numbers, message, side="right")].tolist()

    # -- ids ----------------------------------------------------------------------------------------------------------------

    def key_of(self, call_id: str) -> int:
        """The number of a call id: that of equal ids, or the next."""
        if self._keys is None:
            self._keys = self.table.ids.numbers()
            self._next_key = max(len(self.table.ids), int(self.table.key.max(initial=-1)) + 1)
            if self._next_key > len(self.table.ids):  # a table that was made without its ids: numbers must not be taken twice
                self._new_ids.extend("" for _ in range(self._next_key - len(self.table.ids)))
        if call_id not in self._keys:
            self._keys[call_id] = self._next_key
            self._new_ids.append(call_id)
            self._next_key += 1
        return self._keys[call_id]

    # -- items --------------------------------------------------------------------------------------------------------------

    def item_id(self, row: int, text: str | None) -> None:
        """The own id of the item that a row stands in (None: it has none now). Rows of this pass have none to change."""
        if self.table.item is None or row >= self.count:
            return
        if self._items is None:
            self._items = self.table.item.copy()
        self._items[row] = -1 if text is None else self._item_number(text)

    def _item_number(self, text: str) -> int:
        if self._item_ids is None:
            self._item_ids = self.table.item_ids.numbers()
        if text not in self._item_ids:
            self._item_ids[text] = len(self.table.item_ids) + len(self._new_item_ids)
            self._new_item_ids.append(text)
        return self._item_ids[text]

    # -- content ------------------------------------------------------------------------------------------------------------

    def content(self) -> Ints:
        """The column of what takes the place of texts, to be written to."""
        if self._content is None:
            old = self.transcript.content
            self._content = np.full(self.count, -1, np.int16)
            if old is not None:
                self._content[: len(old)] = old
        return self._content

    def content_number(self, content: Content) -> int:
        if self._content_numbers is None:
            self._content_numbers = {known: number for number, known in reversed(list(enumerate(self._contents)))}
        number = self._content_numbers.setdefault(content, len(self._contents))
        if number == len(self._contents):
            self._contents.append(content)
        return number

    def content_read(self) -> Ints | None:
        """The same column as it stands, not to be written to; None where there is none. It may be shorter than the table."""
        return self._content if self._content is not None else self.transcript.content

    def content_at(self, row: int) -> Content | None:
        column = self.content_read()
        if column is None or row >= len(column) or column[row] < 0:
            return None
        return self._contents[column[row]]

    def own_fields(self, row: int) -> dict[str, Any]:
        """The fields of a row, to be written to."""
        fields = self.fields[row] = dict(self.fields.get(row, {}))
        return fields

    def change_message(self, row: int, anchor: int = -1) -> None:
        """What edits set of the message that a row stood in stays behind; what they set of the one that it joins holds for it too."""
        old = self.fields.get(row, {})
        theirs = self.fields.get(anchor, {})
        new = {name: value for name, value in old.items() if not _of_message(name)}
        new |= {name: value for name, value in theirs.items() if _of_message(name)}
        if new != old:
            self.fields[row] = new

    # -- the end ------------------------------------------------------------------------------------------------------------

    def finish(self, order: Ints, start: int, **more: Any) -> Transcript:
        changed: dict[str, Any] = dict(self._own)
        if self._sized and self.table.read_size is None:
            changed["read_size"] = self.table.size
        if self._marks is not None:
            changed["marks"] = self._marks
        if self.names.new:
            changed["names"] = self.names.all()
        if self.types.new:
            changed["types"] = self.types.all()
        if self._new_ids:
            changed["ids"] = self.table.ids.grown(self._new_ids)
        if self._items is not None:
            changed["item"] = self._items
        if self._new_item_ids:
            changed["item_ids"] = self.table.item_ids.grown(self._new_item_ids)
        table: Table = self.table.with_columns(**changed) if changed else self.table
        if self._new["kind"]:
            table = table.grown(self._new)
        return self.transcript.with_(
            table=table,
            order=order,
            start=start,
            contents=tuple(self._contents),
            content=self.content_read(),
            fields=self.fields,
            made=self.made,
            request=self.request,
            moved=frozenset(self.moved),
            **more,
        )


def _of_message(field: str) -> bool:
    """Whether a field is one of the whole message (see Set)."""
    return field == "role" or field.startswith("message.")


class _Words:
    """A table's list of words with new ones behind it."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._numbers: dict[str, int] | None = None
        self.new: list[str] = []

    def number(self, word: str) -> int:
        if self._numbers is None:
            self._numbers = {known: number for number, known in reversed(list(enumerate(self._words)))}
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self._words) + len(self.new)
            self.new.append(word)
        return number

    def text(self, number: int) -> str:
        if number < 0:
            return ""
        known = len(self._words)
        return self._words[number] if number < known else self.new[number - known]

    def all(self) -> list[str]:
        return [*self._words, *self.new]
