"""The rows that a JSON pointer names: those that stand there, below it, or around it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.model.block import Block
from app.model.table import Ints, Table
from app.model.transcript import Transcript

Look = Callable[[int], Block]


def pointed(transcript: Transcript, pointer: str, look: Look) -> list[int]:
    """Live rows, in their order, whose place is `pointer` or below it; where there are none, the one that the pointer reaches into."""
    table, order = transcript.table, transcript.order
    records = _records(table, pointer)
    rows = order[np.isin(table.record[order], records)]
    inside: list[int] = []
    around: list[int] = []
    for row in rows.tolist():
        record = int(table.record[row])
        if _under(table.pointer(record), pointer):
            inside.append(row)
            continue
        place = look(row).pointer or table.pointer(record)
        if _under(place, pointer):
            inside.append(row)
        elif _under(pointer, place):
            around.append(row)
    return inside or around


def _under(place: str, pointer: str) -> bool:
    return place == pointer or place.startswith(pointer.rstrip("/") + "/")


def _records(table: Table, pointer: str) -> Ints:
    """Records that a pointer may speak of: few are looked into."""
    named = [record for record, place in table.pointers.items() if _under(place, pointer) or _under(pointer, place)]
    prefix = table.pointer_prefix
    if pointer.startswith(prefix):
        place = pointer[len(prefix) :].partition("/")[0]
        if place.isdecimal():
            named += np.flatnonzero(table.records.place == int(place)).tolist()
    elif _under(prefix.rstrip("/"), pointer):  # all of the list
        named += range(len(table.records.place))
    found = [record for record in dict.fromkeys(named) if _agrees(table, record, pointer)]
    return np.asarray(found, np.int64)


def _agrees(table: Table, record: int, pointer: str) -> bool:
    place = table.pointer(record)
    return _under(place, pointer) or _under(pointer, place)
