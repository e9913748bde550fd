"""Who hangs on whom when lines of a Claude Code session leave, move or come.

- What hung on a record that goes hangs on the nearest one above it that stays; where there is none, on what the last one hung on, though
  the file does not have it.
- A new line hangs where the record behind it hung, and that one on it; at the end it hangs on the last record of its conversation.
- Where the new lines stand at the place where branches part, those before the first prompt among them belong to all branches: all of them
  hang on the last one. Where that is not so, they hang beside the prompt, a result on its own call, so that the prompt stays where it hung.
- A prompt of a fork, what begins a subagent's conversation, and a summary that is a wall leave a line behind that says nothing when they
  go: without it the branches would be one line, and the wall none.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

import numpy as np

from app.formats._claude_forks import Fork
from app.formats._claude_plan import NAMESPACE, Laid, Plan, Unit
from app.formats._claude_rows import BOUNDARY, LOOSE, PROMPT, SUMMARY
from app.formats._claude_shape import Shape
from app.formats._claude_walls import Line
from app.model.table import Ints


def link(shape: Shape, plan: Plan, laid: Sequence[Laid], marks: Collection[int] = ()) -> None:
    """Enters in `plan` where the new lines stand and all new parents. `marks`: further records that leave a line behind."""
    linker = _Linker(shape, plan)
    linker.stand(marks)
    linker.rehang()
    for one in laid:
        linker.share(one)
    linker.hang_shared()
    for one in laid:
        linker.hang(one)
    linker.retitle()


class _Linker:
    def __init__(self, shape: Shape, plan: Plan) -> None:
        self.shape, self.plan, self.tree = shape, plan, shape.tree
        self.shared: dict[int, tuple[Fork, int]] = {}  # by the first record of a fork: the fork, and the start that lines came in by

    # -- what leaves a line behind ------------------------------------------------------------------------------------------------

    def stand(self, marks: Collection[int]) -> None:
        plan, lines = self.plan, self.shape.lines
        lost = plan.gone | plan.moved
        for line in self.tree.lines:
            wall = int(line.records[line.walls[-1]]) if len(line.walls) else -1
            if wall in lost:
                plan.walls.add(wall)
            if line.side and line.head in lost and not lines.groups[line.group][2] and not lost.issuperset(self._said(line.records)):
                plan.stands.add(line.head)
        plan.stands |= plan.walls | (self.shape.prompts & lost) | set(marks)

    def _said(self, records: Ints) -> list[int]:
        found: list[int] = records[self.shape.lines.count[records] > 0].tolist()
        return found

    # -- what hung on what goes -----------------------------------------------------------------------------------------------------

    def rehang(self) -> None:
        shape, plan, lines = self.shape, self.plan, self.shape.lines
        lost = np.array([record for record in plan.gone | plan.moved if plan.away(record)], np.int64)
        names = lines.uuid[lost] if len(lost) else lost
        names = names[names != 0]
        for record in np.flatnonzero(np.isin(lines.parent, names)).tolist():
            above = shape.parent(record)
            if above >= 0 and plan.away(above) and not plan.away(record):
                plan.parents[record] = self._above(above, record in shape.fork_of)
        for record, boundary in lines.boundaries.items():
            above = shape.bearer(boundary.logical, record)
            if above >= 0 and (plan.away(above) or above in shape.renamed):
                plan.logical[record] = self._above(above, record in shape.fork_of)
        for record, parent in plan.asked.items():  # named as in the file that was read: by then it may have another name, or be gone
            above = shape.bearer_of(parent, record)
            above = above if above >= 0 else shape.bearer_of(parent)
            plan.parents[record] = self._above(above, record in shape.fork_of) if above >= 0 else parent
        for line in self.tree.lines:
            if line.session:
                self._go_on(line)

    def _go_on(self, line: Line) -> None:
        """A session that goes on with another one: the first of it that stays hangs on the last that stays of what they share."""
        plan, lines = self.plan, self.shape.lines
        if not (plan.away(line.head) or plan.away(line.leaves)):
            return
        own = np.flatnonzero(self.tree.within & (lines.group == line.group))
        first = next((record for record in own.tolist() if not plan.away(record)), -1)
        shared = line.records[: line.shared][::-1].tolist()
        last = next((uuid for record in shared if not plan.away(record) and (uuid := self.shape.uuid(record)) is not None), None)
        if first >= 0 and not self.shape.follows(first):
            plan.parents[first] = last

    def _above(self, record: int, begins: bool) -> str | None:
        """The uuid of the nearest record that stays, from one upwards. Where none does, what the last one named; where that is nothing
        and a branch begins here, the last one itself: what hung on one record still names one, so that the branches stay apart."""
        last = record
        while record >= 0 and self.plan.away(record):
            last, record = record, self.shape.parent(record)
        if record >= 0:
            return self.shape.uuid(record)
        return self.shape.told(last) or (self.shape.uuid(last) if begins else None)

    # -- new lines where branches part ------------------------------------------------------------------------------------------------

    def share(self, laid: Laid) -> None:
        """Takes the lines that belong to all branches of a fork out of those of one conversation."""
        for record in list(laid.before):
            found = self._begins(record)
            if found is None:
                continue
            fork, start = found
            units = laid.before[record]
            lead = next((n for n, unit in enumerate(units) if unit.what in (PROMPT, SUMMARY, BOUNDARY)), len(units))
            if not lead or units[0].after >= fork.first:
                continue
            self.shared.setdefault(fork.first, (fork, start))
            self._put(laid, self.plan.ahead.setdefault(fork.first, []), units[:lead])
            laid.before[record] = units[lead:]

    def _begins(self, record: int) -> tuple[Fork, int] | None:
        """The fork behind which a record is the first that says anything in its branch, and what begins that."""
        while record >= 0:
            fork = self.shape.fork_of.get(record)
            if fork is not None:
                return fork, record
            if record in self.shape.lines.boundaries:
                return None
            record = int(self.tree.above[record])
            if record < 0 or (self.shape.lines.count[record] and not self.plan.away(record) and record not in self.plan.stands):
                return None
        return None

    def hang_shared(self) -> None:
        for first, (fork, start) in self.shared.items():
            above = self._parent(start)
            for number, unit in enumerate(self.plan.ahead[first]):
                unit.parent, above = above, self._name(unit, first, number, "shared")
            for begin in fork.starts:
                if not self.plan.away(begin):
                    self._hang_on(begin, above)

    # -- new lines elsewhere ------------------------------------------------------------------------------------------------------------

    def hang(self, laid: Laid) -> None:
        plan = self.plan
        for record, units in laid.before.items():
            new = self._put(laid, plan.before.setdefault(record, []), units)
            above = self._parent(record)
            beside = record in self.shape.ways
            number = len(plan.before[record]) - len(new)
            for unit in new:
                unit.parent = above
                self._name(unit, record, number, "before")
                number += 1
                if beside and unit.what not in (PROMPT, SUMMARY):
                    unit.parent = self._call_of(unit) or above
                    continue
                beside = False
                above = unit.uuid
            if new and not plan.away(record):
                self._hang_on(record, above)
        if laid.last:
            self._hang_last(laid)

    def _hang_last(self, laid: Laid) -> None:
        """Lines behind all that a conversation says: behind its last record, wherever that stands in the file."""
        tree, plan = self.tree, self.plan
        own = np.flatnonzero(tree.within & (tree.owner == laid.index))
        last = int(own[-1]) if len(own) else len(self.shape) - 1
        above = next((r for r in own[::-1].tolist() if not plan.away(r) and self.shape.uuid(r) is not None), -1)
        parent = self.shape.uuid(above) if above >= 0 else None
        there = plan.behind.setdefault(last, [])
        number = len(there)
        for unit in self._put(laid, there, laid.last):
            unit.parent, parent = parent, self._name(unit, last, number, "behind")
            number += 1

    def _put(self, laid: Laid, there: list[Unit], units: list[Unit]) -> list[Unit]:
        """Puts lines behind those that stand there; what another conversation made there just so stands once. The new ones come back."""
        new = []
        held = list(there)
        for unit in units:
            twin = next((other for other in held if unit.context is not other.context and unit.same(other)), None)
            if twin is None:
                there.append(unit)
                new.append(unit)
            else:
                held.remove(twin)
                laid.units |= dict.fromkeys(unit.rows, twin)
        return new

    def _parent(self, record: int) -> str | None:
        """What a record hangs on as things stand; of a wall what it follows."""
        known = self.plan.logical if self.shape.follows(record) else self.plan.parents
        return known[record] if record in known else self.shape.told(record)

    def _hang_on(self, record: int, above: str | None) -> None:
        if self.shape.follows(record):
            self.plan.logical[record] = above
        elif self.shape.lines.uuid[record]:
            self.plan.parents[record] = above

    def _call_of(self, unit: Unit) -> str | None:
        """The record of the call that a made result answers."""
        made = unit.context.edited.made.get(unit.rows[0])
        if made is None or not 0 <= made.call < len(self.shape.table):
            return None
        return self.shape.uuid(int(self.shape.table.record[made.call]))

    def _name(self, unit: Unit, record: int, number: int, side: str) -> str:
        """The uuid of a new line; a record that moved keeps its own. It follows from the place, so that the same edit always writes the
        same bytes. What comes to stand at the head of a conversation has one that begins like that of the head: it gives the name."""
        if unit.moved >= 0 and unit.moved not in self.plan.stands:
            own = self.shape.uuid(unit.moved)
            if own is not None:
                unit.uuid = own
                return own
        told = self.shape.uuid(record) or ""
        made = str(uuid.uuid5(NAMESPACE, f"{told}/{record}/{side}/{number}"))
        if side == "before" and not number and record in self.shape.heads and not self.plan.ahead.get(record):
            made = told[:8] + made[len(told[:8]) :]
        unit.uuid = made
        return made

    # -- titles ---------------------------------------------------------------------------------------------------------------------

    def retitle(self) -> None:
        """A title that is about a record that goes is about the nearest one above it that stays."""
        shape, plan = self.shape, self.plan
        if not any(shape.lines.uuid[record] and plan.away(record) for record in plan.gone):
            return
        for record in np.flatnonzero(shape.lines.what == LOOSE).tolist():
            above = shape.bearer_of(shape.value(record).get("leafUuid"))
            if above >= 0 and plan.away(above):
                new = self._above(above, False)
                if new is not None:
                    plan.titles[record] = new
