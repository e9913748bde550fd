"""Edits of a conversation carried over to a document that holds a part of it: one request of many that repeat the same messages.

The document is read by the format of its own, its rows are aligned with those of the conversation, and what edits did to these is done to
them: the writer of that format then writes it, as it would for a person who had opened the document by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from app.formats._call_keys import block_key
from app.model.align import align
from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.table import Table
from app.model.transcript import Transcript

Prints = Callable[[int], tuple[int, int]]
"""A row as a number that is equal where what it says is, and its kind."""

_HEADS: Final = (Kind.SYSTEM, Kind.TOOLS)


def print_of(block: Block) -> int:
    """A number that is equal where two blocks say the same, however they are written down."""
    key = block_key(block)
    return hash(key) if key is not None else hash((int(block.kind), block.texts))


def paired(
    rows: Sequence[int], prints: Sequence[int], kinds: Sequence[int], sub: Sequence[int], words: Sequence[int], sorts: Sequence[int]
) -> dict[int, int]:
    """The rows of a document by those of the conversation that say the same. `prints`, `kinds` of the one, `words`, `sorts` of the other.
    Between what is equal, as many of the same kinds in a row are copies that were written down in other words."""
    found: dict[int, int] = {}
    a, b = 0, 0
    for start, other, length in [*align(prints, words), (len(rows), len(sub), 0)]:
        if list(kinds[a:start]) == list(sorts[b:other]):
            found.update(zip(rows[a:start], sub[b:other], strict=True))
        found.update(zip(rows[start : start + length], sub[other : other + length], strict=True))
        a, b = start + length, other + length
    return found


def transplanted(base: Table, edited: Transcript, rows: Iterable[int], sub: Dump, of: dict[int, int], extra: int) -> Transcript:
    """The document's transcript after the edits. `rows`: those of `edited` that it shall hold, in order; those that are neither made nor
    in `of` are left out. Rows of the document that the conversation does not know stay, but for those from `extra` on."""
    mine = sub.transcripts[0]
    live = [row for row in rows if row in of or row >= len(base)]
    numbers = {row: len(sub.table) + at for at, row in enumerate(row for row in live if row >= len(base))}
    at = {**of, **numbers}
    table = _with_messages(base, edited, sub.table, of)
    if numbers:
        table = _with_made(base, edited, table, numbers, of)
    content = np.full(len(table), -1, np.int16)
    if edited.content is not None:
        for row in live:
            if row < len(edited.content):
                content[at[row]] = edited.content[row]
    made = {at[row]: replace(edited.made[row], call=of.get(edited.made[row].call, -1)) for row in numbers if row in edited.made}
    return mine.with_(
        table=table, order=np.asarray(_order([at[row] for row in live], mine.order.tolist(), set(of.values()), extra), np.int32), start=0,
        contents=edited.contents, content=content if (content >= 0).any() else None, made=made,
        fields={at[row]: edited.fields[row] for row in live if edited.fields.get(row)},
        moved=frozenset(at[row] for row in live if row in edited.moved),
    )  # fmt: skip


def _order(live: list[int], own: list[int], known: set[int], extra: int) -> list[int]:
    """`live`, and between them the rows that only the document knows, each behind what it stood behind."""
    order, before = list(live), list[int]()
    for row in own:
        if row not in known and row < extra:
            anchor = next((other for other in reversed(before) if other in order), None)
            order.insert(0 if anchor is None else order.index(anchor) + 1, row)
        before.append(row)
    return order


def _with_messages(base: Table, edited: Transcript, table: Table, of: dict[int, int]) -> Table:
    """The document's table with roles, kinds and messages as edits left those of the rows that are the same."""
    ours = np.fromiter(of, np.int64, len(of))
    theirs = np.fromiter(of.values(), np.int64, len(of))
    changed: dict[str, Any] = {}
    for name in ("role", "kind"):
        differs = getattr(edited.table, name)[ours] != getattr(base, name)[ours]
        if differs.any():
            column = getattr(table, name).copy()
            column[theirs[differs]] = getattr(edited.table, name)[ours[differs]]
            changed[name] = column
    differs = edited.table.message[ours] != base.message[ours]
    if differs.any():
        column = table.message.copy()
        wanted = _numbers(base, edited, table, of)
        for row, other in zip(ours[differs].tolist(), theirs[differs].tolist(), strict=True):
            column[other] = wanted(int(edited.table.message[row]))
        changed["message"] = column
    return table.with_columns(**changed) if changed else table


def _numbers(base: Table, edited: Transcript, table: Table, of: dict[int, int]) -> Callable[[int], int]:
    """The number of a message in the document by that in the conversation; new ones for those that the document has not."""
    known = {int(base.message[row]): int(table.message[other]) for row, other in of.items() if base.message[row] >= 0}
    first = int(max(table.message.max(initial=-1), base.message.max(initial=-1), edited.table.message.max(initial=-1))) + 1

    def number(message: int) -> int:
        return -1 if message < 0 else known.get(message, first + message)

    return number


def _with_made(base: Table, edited: Transcript, table: Table, numbers: dict[int, int], of: dict[int, int]) -> Table:
    theirs = edited.table
    wanted = _numbers(base, edited, table, of)
    types, names, ids = list(table.types), list(table.names), _Keys(table)
    columns: dict[str, list[int]] = {
        name: [] for name in ("record", "part", "message", "kind", "type", "role", "name", "size", "flags", "key")
    }
    for row in numbers:
        made = edited.made[row]
        key = int(table.key[of[made.call]]) if made.call in of else ids.number(theirs.ids.text(int(theirs.key[row])))
        values = {
            "record": -1, "part": 0, "message": wanted(int(theirs.message[row])), "kind": int(theirs.kind[row]),
            "type": _into(types, theirs.types[theirs.type[row]]), "role": int(theirs.role[row]),
            "name": _into(names, theirs.names[theirs.name[row]]) if theirs.name[row] >= 0 else -1, "size": len(made.text),
            "flags": int(theirs.flags[row]), "key": key,
        }  # fmt: skip
        for name, value in values.items():
            columns[name].append(value)
    return table.with_columns(types=types, names=names, ids=table.ids.grown(ids.new)).grown(columns)


class _Keys:
    """Call ids of a document by their texts."""

    def __init__(self, table: Table) -> None:
        self.new: list[str] = []
        self._known = table.ids.numbers()

    def number(self, text: str | None) -> int:
        if text is None:
            return -1
        if text not in self._known:
            self._known[text] = len(self._known)
            self.new.append(text)
        return self._known[text]


def _into(words: list[str], word: str) -> int:
    if word not in words:
        words.append(word)
    return words.index(word)
