"""Accumulates rows and records while a file is read, and makes the Table of them.

Both are packed as bytes with the width of their columns: one `struct` call a row costs a third of ten list appends and holds
31 bytes a row while the file is read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from struct import Struct
from typing import Any, Final

import numpy as np

from app.model.ids import Ids
from app.model.kinds import Kind, Role
from app.model.table import RECORD_TYPES, ROW_COLUMNS, ROW_TYPES, RecordKind, Records, Shown, Table, Usages

ROW: Final = Struct("<iiiBBBiiIi")
RECORD: Final = Struct("<qqiBBdhh")
_ROW_DTYPE = np.dtype([(name, ROW_TYPES[name]) for name in ROW_COLUMNS])
_RECORD_DTYPE = np.dtype(list(RECORD_TYPES.items()))
assert _ROW_DTYPE.itemsize == ROW.size
assert _RECORD_DTYPE.itemsize == RECORD.size

NO_TIME: Final = float("nan")
TYPES_MAX: Final = 255  # `Table.type` is uint8; further words of a hostile dump share the last entry
MODELS_MAX: Final = 32_000
MARKS_MAX: Final = 2_000  # words of marks that hold a name out of the dump; further ones are not noted


class Interner(dict[str, int]):
    """Numbers strings in the order of their coming: `interner[text]`."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


class Columns:
    """Rows and records of a table in the making.

    A hot loop takes `rows`, `pack = ROW.pack` and the interners as local names and writes
    `rows += pack(record, part, message, kind, type, role, name, size, flags, key)`; all else calls `row` and `record`.
    """

    def __init__(self, format: str) -> None:
        self.format = format
        self.rows = bytearray()
        self.records = bytearray()
        self.keys = Interner()
        self.names = Interner()
        self.models = Interner()
        self.types = Interner()
        self.marks: dict[str, list[int]] = {}
        self.arguments = array("q")  # a hash of the arguments of each call, in the order of the rows (see `Table.arguments`)
        self.own = Interner()  # ids of items themselves (see `Table.item`)
        self._own_rows = array("i")  # for each item with an id: its first row, how many rows it has, its id's number
        self._usages: dict[int, tuple[int, int, int, int]] = {}

    @property
    def row_count(self) -> int:
        return len(self.rows) // ROW.size

    @property
    def record_count(self) -> int:
        return len(self.records) // RECORD.size

    def record_of_rows(self) -> np.ndarray[Any, Any]:
        """For each row so far its record."""
        return np.frombuffer(bytes(self.rows), _ROW_DTYPE)["record"]

    def type_of(self, word: str) -> int:
        """Number of a wire's word for a block."""
        number = self.types.get(word)
        if number is not None:
            return number
        return self.types[word] if len(self.types) < TYPES_MAX else self.types["(further types)"]

    def model_of(self, model: Any) -> int:
        """Number of a model's name; -1 where it is no string."""
        if not isinstance(model, str) or not model:
            return -1
        number = self.models.get(model)
        if number is not None:
            return number
        return self.models[model] if len(self.models) < MODELS_MAX else -1

    def row(
        self,
        *,
        record: int,
        part: int,
        message: int,
        kind: Kind,
        type: str,
        role: Role,
        name: str | None = None,
        size: int = 0,
        flags: int = 0,
        key: int = -1,
    ) -> int:
        """Adds a row; its id comes back. `key`: `columns.keys[call_id]`, -1 where there is no id."""
        number = self.row_count
        named = -1 if name is None else self.names[name]
        self.rows += ROW.pack(record, part, message, kind, self.type_of(type), role, named, size, flags, key)
        return number

    def record(
        self,
        *,
        offset: int,
        length: int,
        place: int,
        kind: RecordKind = RecordKind.MESSAGE,
        shown: Shown = Shown.SHOWN,
        time: float = NO_TIME,
        model: int = -1,
        owner: int = 0,
    ) -> int:
        """Adds a record; its index comes back."""
        number = self.record_count
        self.records += RECORD.pack(offset, length, place, kind, shown, time, model, owner)
        return number

    def mark(self, word: str, row: int) -> None:
        """Says of a row what few rows have said of them (see Mark). Rows come in rising order."""
        rows = self.marks.get(word)
        if rows is not None:
            rows.append(row)
        elif len(self.marks) < MARKS_MAX:
            self.marks[word] = [row]

    def own_id(self, count: int, text: str) -> None:
        """The own id of the item that the last `count` rows stand in."""
        self._own_rows.extend((self.row_count - count, count, self.own[text]))

    def items(self, before: int = 0) -> np.ndarray[Any, Any]:
        """The column `Table.item` of these rows, behind `before` rows that have none."""
        found = np.full(before + self.row_count, -1, np.int32)
        first, count, number = np.frombuffer(self._own_rows.tobytes(), np.int32).reshape(-1, 3).T
        at = np.repeat(before + first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
        found[at] = np.repeat(number, count)
        return found

    def usage(self, message: int, *, fresh: int, cache_read: int, cache_write: int, output: int) -> None:
        """What a dump records of the request that gave `message`; told twice (the parts of a split message), the last one stands.
        `fresh` is input that was neither read from a cache nor written to one."""
        self._usages[message] = (fresh + cache_read + cache_write, cache_read, cache_write, output)

    def usages(self) -> Usages:
        if not self._usages:
            return Usages.none()
        figures = np.asarray(list(self._usages.values()), np.int64)
        return Usages(np.fromiter(self._usages, np.int32, len(self._usages)), *(np.ascontiguousarray(figures[:, i]) for i in range(4)))

    def front(self) -> Columns:
        """Columns for what stands before all that is added here but is known only later; its words and ids are shared."""
        front = Columns(self.format)
        front.keys, front.names, front.models, front.types = self.keys, self.names, self.models, self.types
        return front

    def clear(self) -> None:
        """Forgets rows, records and usages; words and ids that were met keep their numbers."""
        self.rows.clear()
        self.records.clear()
        self.marks.clear()
        del self.arguments[:]
        del self._own_rows[:]
        self._usages.clear()

    def table(self, front: Columns | None = None, **more: Any) -> Table:
        """The table of all that was added. `more`: further fields of Table (`pointer_prefix`, `pointers`, `request`, `extra`,
        `joins`, `args_text`)."""
        rows = np.frombuffer(bytes(self.rows), _ROW_DTYPE)
        records = np.frombuffer(bytes(self.records), _RECORD_DTYPE)
        marks = _joined(front, self)
        if front is not None and front.records:
            rows = rows.copy()
            rows["record"] += front.record_count
            rows = np.concatenate([np.frombuffer(bytes(front.rows), _ROW_DTYPE), rows])
            records = np.concatenate([np.frombuffer(bytes(front.records), _RECORD_DTYPE), records])
        columns: dict[str, Any] = {name: np.ascontiguousarray(rows[name]) for name in ROW_COLUMNS}
        return Table(
            format=self.format,
            **columns,
            records=Records(**{name: np.ascontiguousarray(records[name]) for name in RECORD_TYPES}),
            usages=self.usages(),
            marks=marks,
            arguments=_told(self.arguments, columns["kind"]),
            types=list(self.types),
            names=list(self.names),
            models=list(self.models),
            ids=Ids.of(self.keys),
            **more,
        )


def _told(arguments: array[int], kind: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The hashes of arguments as a column; None where not every call has told."""
    return np.array(arguments, np.int64) if arguments and len(arguments) == np.count_nonzero(kind == Kind.TOOL_CALL) else None


def _joined(front: Columns | None, columns: Columns) -> dict[str, np.ndarray[Any, Any]]:
    """The marks of both, as rows of the whole table."""
    before = front.row_count if front is not None else 0
    marks = {word: np.asarray(rows, np.int32) for word, rows in (front.marks if front is not None else {}).items()}
    for word, rows in columns.marks.items():
        behind = np.asarray(rows, np.int32) + before
        marks[word] = np.concatenate([marks[word], behind]) if word in marks else behind
    return marks


def tokens_of(usage: dict[str, Any], *keys: str) -> int:
    """The first of `keys` that holds a count; 0 where none does. A boolean, a text or a negative number is none."""
    for key in keys:
        value = usage.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62:
            return value
    return 0


def order_of(rows: Iterable[int] | int) -> np.ndarray[Any, Any]:
    """An order: all rows up to a count, or those given."""
    return np.arange(rows, dtype=np.int32) if isinstance(rows, int) else np.fromiter(rows, np.int32)
