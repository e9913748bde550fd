"""Whether a session that is about to be written will be read as what was meant: its lines are put together as they would stand, and
conversations are made of them as when a file is opened. Nothing is parsed for it; only who hangs on whom is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.formats._claude_kept import laid_over
from app.formats._claude_lay import what_of
from app.formats._claude_plan import Laid, Plan, Unit
from app.formats._claude_read import Lines
from app.formats._claude_rows import BOUNDARY, GONE, Boundary, boundary_of, hash_of
from app.formats._claude_shape import Shape
from app.formats._claude_tree import Tree, plant, sequence
from app.model.kinds import Role
from app.model.table import Ints
from app.model.transcript import Transcript


def trouble(shape: Shape, plan: Plan, transcripts: Sequence[Transcript], laid: dict[int, Laid]) -> str | None:
    """What would be read otherwise than it was meant, in words; None where nothing would. `laid`: by index, for those with edits."""
    return _Trial(shape, plan, laid).compare(transcripts)


class _Trial:
    def __init__(self, shape: Shape, plan: Plan, laid: dict[int, Laid]) -> None:
        self.shape, self.plan, self.laid = shape, plan, laid
        self.units: list[Unit] = []
        self.slots = self._slots()  # of each line: its record, or -1 minus the number of its unit
        self.number = {id(unit): -1 - n for n, unit in enumerate(self.units)}

    def _slots(self) -> Ints:
        """The lines in the order in which they would stand."""
        plan, count = self.plan, len(self.shape)
        places: list[int] = []
        for record in sorted({*plan.ahead, *plan.before, *plan.behind}):
            front = list(plan.in_front(record))
            self.units += front
            places += [record] * len(front)
            behind = plan.behind.get(record, [])
            self.units += behind
            places += [record + 1] * len(behind)
        by = np.argsort(places, kind="stable")  # what stands behind a record stands before what is in front of the next one
        keep = np.ones(count, bool)
        keep[[record for record in plan.gone | plan.moved if plan.away(record)]] = False
        numbers = -1 - np.arange(len(places))
        slots = np.insert(np.arange(count), np.asarray(places, np.int64)[by], numbers[by])
        return slots[(slots < 0) | keep[np.maximum(slots, 0)]]

    # -- the lines as they would be read --------------------------------------------------------------------------------------------

    def lines(self) -> Lines:
        shape, plan, lines = self.shape, self.plan, self.shape.lines
        columns = {name: getattr(lines, name).copy() for name in ("what", "uuid", "parent", "message", "count", "group")}
        for record, (context, rows) in plan.changed.items():
            columns["count"][record] = len(rows)
            if record not in lines.refusals:
                columns["what"][record] = what_of(shape, context, rows, record)
        for record, uuid in shape.renamed.items():
            columns["uuid"][record] = hash_of(uuid)
        boundaries = dict(lines.boundaries)
        for record in plan.stands:
            columns["what"][record] = BOUNDARY if record in plan.walls else GONE
            columns["count"][record] = columns["message"][record] = 0
            if record in plan.walls:
                boundaries[record] = Boundary(logical=hash_of(plan.parents.get(record, shape.told(record))))
        for record, parent in plan.parents.items():
            columns["parent"][record] = 0 if record in plan.walls else hash_of(parent)
        for record, logical in plan.logical.items():
            boundaries[record] = replace(boundaries[record], logical=hash_of(logical))
        for record, said in plan.kept.items():
            told = boundary_of({"compactMetadata": laid_over(shape.value(record)["compactMetadata"], said)})
            boundaries[record] = replace(boundaries[record], head=told.head, tail=told.tail, anchor=told.anchor, kept=told.kept)
        slots = self.slots
        at = np.flatnonzero(slots < 0)
        found = {name: column[np.maximum(slots, 0)] for name, column in columns.items()}
        for place in at.tolist():
            for name, value in self._columns(self.units[-1 - int(slots[place])], columns).items():
                found[name][place] = value
        place_of = np.full(len(shape), -1, np.int64)
        here = np.flatnonzero(slots >= 0)
        place_of[slots[here]] = here
        walls = {int(place_of[record]): boundary for record, boundary in boundaries.items() if place_of[record] >= 0}
        for place in at.tolist():
            unit = self.units[-1 - int(slots[place])]
            if unit.what == BOUNDARY:
                walls[place] = Boundary(logical=hash_of(unit.parent))
                found["parent"][place] = 0
        return replace(lines, boundaries=walls, **found)

    def _columns(self, unit: Unit, columns: dict[str, Ints]) -> dict[str, int]:
        """What a new line will say."""
        message = 0
        if unit.what != BOUNDARY and unit.context.role(unit.rows[0]) == Role.ASSISTANT:
            message = self._message_of(unit, columns["message"])
        return {
            "what": unit.what, "uuid": hash_of(unit.uuid), "parent": hash_of(unit.parent), "message": message,
            "count": len(unit.rows), "group": int(self.shape.lines.group[unit.template]),
        }  # fmt: skip

    def _message_of(self, unit: Unit, message: Ints) -> int:
        """The hash of a message's id: that of the message which the line is a part of, else one that no other line has."""
        number = int(unit.context.edited.table.message[unit.rows[0]])
        table = self.shape.table
        if unit.moved >= 0 or unit.rows[0] < len(table):
            rows = np.flatnonzero(table.message == number)
            if len(rows):
                return int(message[table.record[rows[0]]])
        return hash_of(unit.message_id)

    # -- what is read against what was meant ----------------------------------------------------------------------------------------

    def compare(self, transcripts: Sequence[Transcript]) -> str | None:
        lines = self.lines()
        tree = plant(lines)
        read = [self._read(lines, tree, n) for n in range(len(tree.lines))]
        read = [one for one in read if len(one[0])]
        meant = [transcript for transcript in transcripts if len(transcript.order)]
        if len(read) != len(meant):
            return f"{len(read)} conversations would be read in place of {len(meant)}: they could not be told apart any more"
        for transcript, (slots, start) in zip(meant, read, strict=True):
            laid = self.laid.get(transcript.index)
            found = self._difference(transcript, laid, slots, start)
            if found is not None:
                return f"transcript {transcript.id}: {found}"
        return None

    def _read(self, lines: Lines, tree: Tree, number: int) -> tuple[Ints, int]:
        """The lines of a conversation, and the number of those that are not sent."""
        records, gone = sequence(lines, tree, tree.lines[number])
        return self.slots[records], gone

    def _difference(self, transcript: Transcript, laid: Laid | None, slots: Ints, start: int) -> str | None:
        meant, unsent = self._meant(transcript, laid)
        sent, due = np.arange(len(slots)) >= start, np.arange(len(meant)) >= unsent
        if not (transcript.made or transcript.moved):  # what another conversation makes or moves in what they share is so here too
            known = {self.number[id(unit)] for unit in laid.units.values() if id(unit) in self.number} if laid is not None else set()
            mine, ours = (slots >= 0) | np.isin(slots, list(known)), ~np.isin(meant, list(self.plan.gone | self.plan.moved))
            slots, sent, meant, due = slots[mine], sent[mine], meant[ours], due[ours]
        if not np.array_equal(meant, slots):
            return "a message would stand elsewhere than it was put, or be lost"
        if not np.array_equal(sent, due):
            return "the compaction would stand elsewhere"
        return None

    def _meant(self, transcript: Transcript, laid: Laid | None) -> tuple[Ints, int]:
        """The lines that a conversation is to be read from, and the number of those that are not sent."""
        table, order = self.shape.table, transcript.order
        known = order < len(table)
        slots = np.where(known, table.record[np.where(known, order, 0)], 0).astype(np.int64)
        if laid is not None and laid.units:
            for place in np.flatnonzero(~known | np.isin(order, list(laid.units))).tolist():
                unit = laid.units.get(int(order[place]))
                slots[place] = self.number.get(id(unit), -(2**40)) if unit is not None else slots[place]
        new = np.ones(len(slots), bool)
        new[1:] = slots[1:] != slots[:-1]
        return slots[new], int(new[: transcript.start].sum())
