"""The edits of one conversation of a Claude Code session as what becomes of lines: which go, which change, and where new ones stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from app.formats._claude_marks import mark
from app.formats._claude_plan import COMPACT, Laid, MessageContext, Plan, Unit
from app.formats._claude_rows import ASSISTANT, BOUNDARY, INJECTED, PROMPT, RESULTS, SUMMARY
from app.formats._claude_shape import Shape
from app.model.kinds import Flag, Kind, Role
from app.model.table import Ints, RecordKind
from app.model.transcript import Transcript


def lay(shape: Shape, plan: Plan, base: Transcript, edited: Transcript, before: Sequence[Laid]) -> Laid:
    """Enters what goes, moves and changes in a conversation; its new lines come back. `before`: those that were laid already."""
    moved = {unit.moved: unit for laid in before for unit in laid.units.values() if unit.moved >= 0}
    return _Laying(shape, base, edited).into(plan, moved)


class _Laying:
    def __init__(self, shape: Shape, base: Transcript, edited: Transcript) -> None:
        self.shape, self.table, self.base, self.edited = shape, shape.table, base, edited
        self.size = len(shape.table)
        self.context = MessageContext(shape.dump, edited, None, "", COMPACT)

    def into(self, plan: Plan, done: dict[int, Unit]) -> Laid:
        table, size, base, edited = self.table, self.size, self.base, self.edited
        live = np.zeros(max(size, len(edited.table)), bool)
        live[edited.order] = True
        lost = base.order[~live[base.order]]
        hit = set(np.unique(table.record[lost]).tolist())
        order = edited.order[edited.order < size]
        kept = set(np.unique(table.record[order]).tolist())
        gone = hit - kept
        laid = self._placed(done)
        moved = {unit.moved for unit in laid.units.values() if unit.moved >= 0}
        elsewhere = {row for row, unit in laid.units.items() if unit.moved < 0 and row < size}
        touched = {row for row in (edited.touched() | elsewhere) if row < size}
        roles = np.flatnonzero(edited.table.role[:size] != table.role).tolist()
        again = (hit & kept) | {int(table.record[row]) for row in (*touched, *roles) if live[row]}
        for record in sorted(again):
            rows = tuple(r for r in order[table.record[order] == record].tolist() if r not in elsewhere)
            if record in plan.changed:  # another conversation holds it too, and was laid first
                context, held = plan.changed[record]
                plan.changed[record] = (context, tuple(r for r in held if r in rows))
            elif rows:
                plan.changed[record] = (self.context, rows)
            else:
                gone.add(record)  # every block of it stands in lines of its own now
        plan.gone |= gone
        plan.moved |= moved
        return laid

    def _placed(self, done: dict[int, Unit]) -> Laid:
        """Made and moved rows as lines. `done`: records that stand elsewhere already, since another conversation that shares them was
        laid first: they stand in one place."""
        edited, size, order = self.edited, self.size, self.edited.order
        laid = Laid(self.base.index)
        strange = np.isin(order, np.fromiter(edited.moved, np.int64, len(edited.moved))) | (order >= size)
        strange |= self._left_behind(strange)
        if not strange.any():
            return laid
        here = np.arange(len(order))
        follower = self._followers(strange)
        before = np.maximum.accumulate(np.where(~strange, here, -1))
        whole = self._whole(strange)
        for position in np.flatnonzero(strange).tolist():
            row, record, last = int(order[position]), int(follower[position]), int(before[position])
            own = int(self.table.record[row]) if row < size else -1
            if own in done:
                laid.units[row] = done[own]
                continue
            units = laid.before.setdefault(record, []) if record >= 0 else laid.last
            if position >= edited.start and self.base.walls and record == self.base.walls[-1].record and not units:
                units.append(Unit(self.context, (), BOUNDARY, record, -1))  # a summary that is a wall by itself: what stands before it
            stays = own if own in whole and self._group(own) == self._group(record) else -1
            if stays >= 0 and units and units[-1].moved == own:
                units[-1].rows = (*units[-1].rows, row)
            else:
                after = int(self.table.record[order[last]]) if last >= 0 else -1
                units.append(self._unit(row, stays, record, after))
            laid.units[row] = units[-1]
        for unit in (*chain.from_iterable(laid.before.values()), *laid.last):
            if unit.rows:
                unit.what = what_of(self.shape, self.context, unit.rows, unit.moved)
        return laid

    def _whole(self, strange: Ints) -> set[int]:
        """Records of which all rows stand elsewhere, one behind the other."""
        order = self.edited.order
        at = np.flatnonzero(strange & (order < self.size))
        record = self.table.record[order[at]]
        first = self.shape.first_row
        found = set()
        for begin in np.flatnonzero(order[at] == first[record]).tolist():
            count = int(self.shape.lines.count[record[begin]])
            rows = order[at[begin] : at[begin] + count]
            if np.array_equal(rows, np.arange(order[at[begin]], order[at[begin]] + count)) and strange[at[begin] : at[begin] + count].all():
                found.add(int(record[begin]))
        return found

    def _unit(self, row: int, moved: int, before: int, after: int) -> Unit:
        role = self.context.role(row)
        template = moved if moved >= 0 else self._template(before, after, role)
        return Unit(self.context, (row,), PROMPT, template, after, moved)

    def _template(self, before: int, after: int, role: Role) -> int:
        """A record whose envelope is copied: of the same conversation and session, the nearest one before it, else behind, of its role
        if it can. `before`: the record that it stands in front of, -1 for none."""
        pick = self._messages[self.shape.lines.group[self._messages] == self._group(before)]
        roles = self.table.role[self.shape.first_row[pick]] if len(pick) else pick
        pick = pick[roles == role] if (roles == role).any() else pick
        if not len(pick):
            return before if before >= 0 else self._head
        earlier = pick[pick <= after] if after >= 0 else pick[:0]
        return int(earlier[-1] if len(earlier) else pick[0])

    @property
    def _head(self) -> int:
        return self.shape.tree.lines[self.base.index].head

    def _group(self, record: int) -> int:
        """The session (and subagent) of a record, of the conversation's own where it is none. A line stands among those of its own."""
        return int(self.shape.lines.group[record if record >= 0 else self._head])

    @cached_property
    def _messages(self) -> Ints:
        """The records of the conversation that hold messages."""
        found = np.unique(self.table.record[self.base.order])
        return found[self.table.records.kind[found] == RecordKind.MESSAGE]

    def _followers(self, strange: Ints) -> Ints:
        """For each position of the order the record that a new line stands before in the file: the first in the file of those that follow
        it; -1 where none does. What is no longer sent, what a wall keeps, and what stands behind the wall are looked at apart."""
        order, start = self.edited.order, self.edited.start
        here = np.flatnonzero(~strange)
        record = self.table.record[order[here]].astype(np.int64)
        wall = self.base.walls[-1].record if self.base.walls else -1
        zone = np.where(here < start, 0, np.where(record < wall, 1, 2))
        run = np.cumsum(np.diff(zone, prepend=zone[:1]) != 0)
        width = len(self.shape) + 1
        first = np.minimum.accumulate((record + run * width)[::-1])[::-1] - run * width if len(here) else record
        next_ = np.searchsorted(here, np.arange(len(order)))
        found = np.append(first, -1)[next_]
        ends = (np.arange(len(order)) < start) & (np.append(here, len(order))[next_] >= start)
        return np.where(ends, wall, found)  # it ends what the model no longer sees

    def _left_behind(self, strange: Ints) -> Ints:
        """Mask over the order: parts of a split message whose first part is gone, and which stand behind results in the file. They take
        the place of the first part, or the message would be read behind those."""
        order = self.edited.order
        here = np.flatnonzero(~strange)
        rows = order[here]
        record, message = self.table.record[rows].astype(np.int64), self.edited.table.message[rows].astype(np.int64)
        mask = np.zeros(len(order), bool)
        if not len(rows):
            return mask
        begins = np.full(int(self.table.message.max(initial=-1)) + 1, -1, np.int64)
        back = np.arange(len(self.table))[::-1]
        begins[self.table.message[back]] = self.table.record[back]
        _, first, inverse = np.unique(message, return_index=True, return_inverse=True)
        head = record[first][inverse]
        known = (message >= 0) & (message < len(begins))
        lost = known & (head != begins[np.where(known, message, 0)]) & (record == head)
        if lost.any():
            heads = np.where(record == head, record, np.iinfo(np.int64).max)
            later = np.minimum.accumulate(heads[::-1])[::-1]
            late = lost & (np.append(later[1:], np.iinfo(np.int64).max) < record)
            mask[here[np.isin(record, record[late])]] = True
        return mask


def what_of(shape: Shape, context: MessageContext, rows: tuple[int, ...], record: int) -> int:
    """What a line with these rows will be read as. `record`: the one that it was, -1 for a new one."""
    table = context.edited.table
    if context.role(rows[0]) == Role.ASSISTANT:
        return ASSISTANT
    if record >= 0 and context.base.records.kind[record] == RecordKind.SUMMARY:
        return SUMMARY
    if any(table.kind[row] == Kind.TOOL_RESULT for row in rows):
        return RESULTS
    if record >= 0 and shape.value(record).get("isMeta") is True:
        return INJECTED
    return PROMPT if any(not _injected(context, row) for row in rows) else INJECTED


def _injected(context: MessageContext, row: int) -> bool:
    """Whether a row will be read as what no person typed."""
    made, fields, content = context.edited.made.get(row), context.fields(row), context.content(row)
    text = made.text if made is not None else fields.get("text", fields.get("content"))
    if isinstance(text, str):
        return bool(mark(text) & Flag.INJECTED)
    if content is not None:
        return bool(mark("".join(content.of(()))) & Flag.INJECTED)
    return bool(context.edited.table.flags[row] & Flag.INJECTED)
