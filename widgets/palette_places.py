"""Places that a person can name: `E31`, `r203`, `line 398`, a JSON pointer. Look-ups over arrays, at any size. No Qt."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

import numpy as np

from app.model.errors import InspectorError
from app.model.state import State
from app.model.table import Ints, Table
from app.model.view import View
from widgets.words import full

_EXCHANGE = re.compile(r"e\s?(\d{1,9})", re.IGNORECASE)
_STEP = re.compile(r"r\s?(\d{1,9})", re.IGNORECASE)
_LINE = re.compile(r"(?:line\s+|l\s?|:)(\d{1,9})", re.IGNORECASE)
_PARTS = 400  # rows of one record that are looked at
_PATH = 400  # characters of a pointer


class Reads(Protocol):
    """What is asked of a session."""

    state: State

    def pointer(self, row: int) -> str: ...
    def line_of(self, record: int) -> int | None: ...


class Place(NamedTuple):
    """`row` is -1 where there is no such place; `words` then say why."""

    words: str
    row: int


def place(asked: str, session: Reads) -> Place | None:
    """The place that a text names; None where it names none."""
    asked, view = asked.strip(), session.state.view
    if view is None:
        return None
    found = _EXCHANGE.fullmatch(asked)
    if found:
        return _exchange(view, int(found[1]))
    found = _STEP.fullmatch(asked)
    if found:
        return _step(view, int(found[1]))
    found = _LINE.fullmatch(asked)
    if found:
        return _line(session, view, int(found[1]))
    return _pointer(session, view, asked) if asked.startswith("/") and len(asked) <= _PATH else None


def _exchange(view: View, number: int) -> Place:
    groups = view.groups
    index = _numbered(groups.opened_as, number, number if groups.zero else number - 1, groups.exchanges)
    if index < 0:
        return Place(f"there is no exchange E{number}; there are {_range(groups.label(0), groups.label(groups.live))}", -1)
    return Place(f"Go to E{number}", int(view.rows[groups.first[index]]))


def _step(view: View, number: int) -> Place:
    groups = view.groups
    index = _numbered(groups.step_opened_as, number, number - 1, groups.steps)
    if index < 0:
        last = groups.steps - 1
        return Place(f"there is no request r{number}" + (f"; there are {_range('r1', groups.step_label(last))}" if last >= 0 else ""), -1)
    return Place(f"Go to r{number}", int(view.rows[groups.step_first[index]]))


def _numbered(numbers: Ints | None, number: int, index: int, count: int) -> int:
    """The index of what bears a number; -1 where nothing does."""
    if numbers is not None:
        found = np.flatnonzero(numbers == number)
        return int(found[0]) if len(found) else -1
    return index if 0 <= index < count else -1


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _line(session: Reads, view: View, number: int) -> Place:
    table = view.transcript.table
    if not len(table.records) or session.line_of(0) is None:
        return Place("this dump is one document; name a JSON pointer, as /messages/3", -1)
    records = np.flatnonzero(table.records.place == number - 1)
    rows = _rows(view, records.tolist()[0]) if len(records) else []
    if not rows:
        return Place(f"line {full(number)} holds no block of this transcript", -1)
    return Place(f"Go to line {full(number)}", rows[0])


def _rows(view: View, record: int) -> list[int]:
    """Live rows of a record, in order."""
    rows = view.rows
    return rows[view.transcript.table.record[rows] == record].tolist()[:_PARTS]


def _pointer(session: Reads, view: View, asked: str) -> Place:
    """The row whose pointer is the one asked for, or the nearest above or below it."""
    table = view.transcript.table
    record = _record(table, asked)
    rows = _rows(view, record) if record >= 0 else []
    if not rows:
        return Place(f"nothing of this transcript stands at {asked}", -1)
    best, length = rows[0], -1
    for row in rows:
        try:
            at = session.pointer(row)
        except InspectorError:
            continue
        if at == asked or at.startswith(f"{asked}/"):
            return Place(f"Go to {asked}", row)
        if asked.startswith(f"{at}/") and len(at) > length:
            best, length = row, len(at)
    return Place(f"Go to {asked}", best)


def _record(table: Table, asked: str) -> int:
    """The record that a pointer leads into or that it is; -1 where there is none."""
    best, length = -1, -1
    for record, at in table.pointers.items():
        if (asked == at or asked.startswith(f"{at}/")) and len(at) > length:
            best, length = record, len(at)
    if best >= 0 or not asked.startswith(table.pointer_prefix):
        return best
    number = asked[len(table.pointer_prefix) :].partition("/")[0]
    if not number.isascii() or not number.isdigit() or len(number) > 9:
        return -1
    for found in np.flatnonzero(table.records.place == int(number)).tolist():
        if found not in table.pointers:
            return int(found)
    return -1
