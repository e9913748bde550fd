"""An edited log whose records hold what others would keep in several messages: calls with their results in them.

Rows that stand together and belong to one record are written into it, and so is a made result whose call stands there. What stands apart
from its record becomes a message of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.formats._dialects import Dialect
from app.formats._log_write import LogContext, LogWriter, Plan
from app.formats._logs import path_of
from app.formats._paths import spliced
from app.formats._runs import Runs
from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.transcript import Transcript

Apart = tuple[list[int], bytes]
"""Rows, and the message that they are."""


@dataclass
class Group:
    """Rows that stand together. `home`: the record that they belong to, -1 for what is made."""

    home: int
    rows: list[int]


class InnerWriter(LogWriter):
    """A writer for such logs."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        self.pairs.sort(key=lambda pair: not (pair[1].made or pair[1].moved))  # who takes a record apart comes first
        self._apart: set[int] = set()  # rows of the file that have a message of their own already, out of another transcript

    def split(self, context: LogContext, record: int, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        """The message of a record (-1: a new one) that is to hold these rows, None where nothing of it is left; and further messages for
        what it has no place for, with their rows."""
        raise NotImplementedError

    def _lay(self, plan: Plan, base: Transcript, edited: Transcript) -> None:
        context = self.context(edited)
        count = np.bincount(self.table.record, minlength=len(self.table.records))
        held = self.held(plan, base, context)
        touched = Runs(self.table, edited).touched()
        seen: set[int] = set()
        apart: set[int] = set()
        last = -1
        unseen = set(edited.order[: edited.start].tolist())
        for group in self._groups(edited):
            if unseen and group.rows[0] not in unseen:
                unseen, last = set(), -1 - base.start  # what is sent begins here
            home, rows = group.home, [row for row in group.rows if row not in self._apart]
            if not rows:
                continue
            stays = home >= 0 and home not in seen and any(row not in edited.moved for row in rows if row < len(self.table))
            whole = home >= 0 and home not in seen and len(rows) == count[home] and rows == list(range(rows[0], rows[0] + len(rows)))
            if whole and rows[-1] < len(self.table) and not touched[rows].any():
                seen.add(home)
                if stays:
                    last = home
                else:
                    plan.gone.add(home)
                    self._put(plan, base, last, self.moved_item(home))
                continue
            own, more = self.split(context, home if stays else -1, rows)
            if stays:
                seen.add(home)
                if own is None:
                    plan.gone.add(home)
                else:
                    last = home
                    if home not in plan.changed or rows[-1] >= len(self.table):  # what another transcript made in it stays in it
                        plan.changed[home] = spliced(context.item(home), path_of(self.table, home), own)
            like = home if home >= 0 else last if last >= 0 else held[0] if held else -1
            for own_rows, data in more:
                apart.update(row for row in own_rows if row < len(self.table))
                self._put(plan, base, last, self.item_like(context, like, data))
        plan.gone |= set(held) - seen
        self._apart |= apart

    def moved_item(self, record: int) -> bytes:
        """A record that stands elsewhere now."""
        records = self.table.records
        return self.source.read(int(records.offset[record]), int(records.length[record]))

    def _put(self, plan: Plan, base: Transcript, last: int, item: bytes) -> None:
        plan.placed.setdefault(self.slot(last) if last >= 0 else self._head(base, -1 - last), []).append(item)

    def _groups(self, edited: Transcript) -> Iterator[Group]:
        """The rows of a transcript by what they belong to."""
        size, group = len(self.table), Group(-1, [])
        answered: set[int] = set()
        message = -1
        for row in edited.order.tolist():
            if row < size and edited.table.message[row] < 0:
                continue  # system text beside the messages
            own = int(edited.table.message[row])
            home = int(self.table.record[row]) if row < size else -1
            if row >= size:
                home = self._home_of_made(edited, row, group, answered)
            if group.rows and (home != group.home or (home < 0 and own != message) or self._back(edited, group.rows[-1], row)):
                yield group
                group, answered = Group(home, []), set()
            group.home = home
            group.rows.append(row)
            message = own
            if home >= 0 and edited.table.kind[row] == Kind.TOOL_RESULT:
                answered.add(int(edited.table.key[row]))
        if group.rows:
            yield group

    def _back(self, edited: Transcript, before: int, row: int) -> bool:
        """Whether a row stands behind one that a record holds behind it. Results stand in the order of their calls, whatever theirs is."""
        size, kind = len(self.table), edited.table.kind
        if before >= size or row >= size:
            return row < size and kind[row] != Kind.TOOL_RESULT and edited.made.get(before) is not None
        return row < before and not (kind[row] == kind[before] == Kind.TOOL_RESULT)

    def _home_of_made(self, edited: Transcript, row: int, group: Group, answered: set[int]) -> int:
        """The record of the call that a made row answers, where that stands right before it and has no result yet; else -1."""
        made = edited.made.get(row)
        if made is None or made.kind != Kind.TOOL_RESULT or made.call not in group.rows or made.call >= len(self.table):
            return -1
        return group.home if group.home >= 0 and int(edited.table.key[row]) not in answered else -1

