"""An edited log whose records name the one before them: what hung on a record that goes hangs on the nearest one above it that stays, and
what an edit makes gets an id of its own, hangs where the record behind it hung, and that one on it.

Ids are made of those around them, so that the same edit always writes the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha1
from typing import Any, ClassVar

import numpy as np

from app.formats._chains import Chain, Tree
from app.formats._context import Context, encoded
from app.formats._dialects import Dialect
from app.formats._json import NotJson, loads
from app.formats._log_write import LogWriter, Plan
from app.formats._logs import each_line, path_of
from app.formats._paths import spliced
from app.formats._runs import Runs, Stretch
from app.formats._scan import scan_object
from app.formats._splice import rewrite_object
from app.model.dump import Dump
from app.model.table import Ints
from app.model.transcript import Transcript


@dataclass(eq=False)
class Unit:
    """An item that stands where none stood: a message that was made or comes from elsewhere, with an envelope like that of the record
    `like`; or a whole record from elsewhere (`moved`). `unseen`: the model no longer sees it. `id`: "" where the log has none."""

    context: Context
    like: int
    data: bytes
    moved: int = -1
    unseen: bool = False
    id: str = ""


class ChainWriter(LogWriter):
    """A writer for such logs. `id_key`, `parent_key`: members of an item."""

    id_key: ClassVar[str]
    parent_key: ClassVar[str]

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        self.pairs.sort(key=lambda pair: not (pair[1].made or pair[1].moved))  # who takes a record apart comes first
        self.before: dict[int, list[Unit]] = {}  # by the record that goes on behind them
        self.tails: dict[int, list[Unit]] = {}  # by transcript: at its end
        self.parents: dict[int, str | None] = {}
        self.members: dict[int, dict[str, Any]] = {}  # further members of records that are set
        self.tree = Tree()
        self.chains: list[Chain] = []

    # -- what a format says -------------------------------------------------------------------------------------------------------

    def enter(self, record: int, value: Any) -> None:
        """A record of the file, for the tree."""
        raise NotImplementedError

    def fresh_id(self, seed: str) -> str:
        """An id that no record has."""
        raise NotImplementedError

    def bare(self, unit: Unit, parent: str | None) -> bytes:
        """An item around a message, where the record that it is to be like holds none."""
        raise NotImplementedError

    def keep(self, plan: Plan) -> None:
        """Takes out of what goes what is still needed."""

    def walls(self, plan: Plan) -> None:
        """What compactions say of what they keep, before new items are given their places."""

    def settled(self, plan: Plan) -> None:
        """The same, once they have them: enters in `members` what is to be set."""

    def own_members(self, unit: Unit) -> dict[str, Any]:
        """Members of an envelope that are another one's; DELETE takes one away."""
        return {}

    # -- what is to be done -------------------------------------------------------------------------------------------------------

    def _lay(self, plan: Plan, base: Transcript, edited: Transcript) -> None:
        context = self.context(edited)
        held = np.unique(self.table.record[base.order]).tolist()
        moved = self._moved(edited)
        seen: set[int] = set()
        pending: list[Unit] = []
        last = -1
        unseen = set(edited.order[: edited.start].tolist())
        for run in Runs(self.table, edited):
            if isinstance(run, Stretch):
                for record in range(run.first, run.last + 1):
                    seen.add(record)
                    if record in moved:
                        plan.gone.add(record)
                        pending.append(Unit(context, record, b"", record, int(self.first_row[record]) in unseen))
                        continue
                    self._stays(record, pending)
                    last, pending = record, []
                continue
            out = self.dialect.rewrite(context, run)
            if out and run.record >= 0 and run.record not in seen and run.record not in moved:
                last, own = run.record, out.pop(0)
                if last not in plan.changed:
                    plan.changed[last] = spliced(self.item(last), path_of(self.table, last), own)
                seen.add(last)
                self._stays(last, pending)
                pending = []
            like = run.record if run.record >= 0 else last if last >= 0 else held[0] if held else -1
            pending += [Unit(context, like, data, unseen=run.rows[0] in unseen) for data in out]
            if run.record >= 0 and run.record in moved:
                seen.add(run.record)
                plan.gone.add(run.record)
        self.tails[base.index] = pending
        plan.gone |= set(held) - seen

    def _stays(self, record: int, units: list[Unit]) -> None:
        if units:
            self.before.setdefault(record, []).extend(units)

    @cached_property
    def first_row(self) -> Ints:
        """For each record its first row."""
        count = np.bincount(self.table.record, minlength=len(self.table.records))
        return np.cumsum(count) - count

    def item(self, record: int) -> bytes:
        """The bytes of a record with its envelope."""
        records = self.table.records
        return self.source.read(int(records.offset[record]), int(records.length[record]))

    # -- who hangs on whom --------------------------------------------------------------------------------------------------------

    def _settle(self, plan: Plan) -> int:
        plan.changed = {record: data for record, data in plan.changed.items() if record not in plan.gone}
        self.keep(plan)
        if not plan.gone and not self.before and not any(self.tails.values()):
            return 0
        for record, (_, _, _, value, _) in enumerate(each_line(self.source)):
            self.enter(record, value)
        says = np.bincount(self.table.record, minlength=len(self.table.records)) > 0
        for transcript in self.dump.transcripts:
            says[[refusal.record for refusal in transcript.refusals]] = True
        self.chains = self.tree.chains(says)[0]
        tree = self.tree
        for record in range(len(tree.above)):
            if tree.named[record] and tree.above[record] in plan.gone and record not in plan.gone:
                self.parents[record] = self.name_above(record, plan.gone)
        self.walls(plan)
        for record in sorted(self.before):
            self._place_before(plan, record, self.before[record])
        for index, units in sorted(self.tails.items()):
            if units:
                self._place_last(plan, self.chains[index], units)
        self.settled(plan)
        return self._relink(plan)

    def name_above(self, record: int, gone: set[int]) -> str | None:
        """The id of the nearest record above one that stays."""
        at, last = self.tree.above[record], record
        while at >= 0 and (at in gone or self.tree.names[at] is None):
            last, at = at, self.tree.above[at]
        return self.tree.names[at] if at >= 0 else self.rootless(last)

    def rootless(self, gone: int) -> str | None:
        """What a record names as its parent when nothing above it stays. `gone`: the first record that went."""
        return None

    def _place_before(self, plan: Plan, record: int, units: list[Unit]) -> None:
        said = self.value(record)
        linked = self.parent_key in said
        before = self.tree.above[record]
        part = before >= 0 and before not in plan.gone and self.tree.names[before] == self.tree.names[record]
        if part or not linked:  # a further part of what stands before it names what that names
            above = self.name_above(record, plan.gone)
        else:
            above = self.parents.get(record, said.get(self.parent_key))
        above = self._hang(plan, units, above, self.tree.names[record], record - 1 if record else -1)
        if linked:
            self.parents[record] = above

    def _place_last(self, plan: Plan, chain: Chain, units: list[Unit]) -> None:
        stay = [record for record in chain.records if record not in plan.gone and self.tree.names[record] is not None]
        above = self.tree.names[stay[-1]] if stay else self.rootless(chain.records[0])
        self._hang(plan, units, above, "end", chain.records[-1])

    def _hang(self, plan: Plan, units: list[Unit], above: Any, behind: str | None, slot: int) -> Any:
        """Gives new items their ids, one hanging on the other, and puts them behind the record `slot` of the file (-1: first)."""
        for number, unit in enumerate(units):
            own = self.tree.names[unit.moved] if unit.moved >= 0 else None
            unit.id = own or self.fresh_id(f"{above}/{behind}/{number}")
            plan.placed.setdefault(slot, []).append(self._whole(unit, above))
            above = unit.id
        return above

    def _whole(self, unit: Unit, above: Any) -> bytes:
        """A new item with its envelope."""
        if unit.moved < 0 and not path_of(self.table, unit.like):
            return self.bare(unit, above)
        item = self.item(unit.moved if unit.moved >= 0 else unit.like)
        if unit.moved < 0:
            item = spliced(item, path_of(self.table, unit.like), unit.data)
        found = scan_object(item)
        style = unit.context.style_of(item, found)
        values: dict[str, bytes | None] = {}
        if unit.moved < 0:
            values = {key: encoded(value, style, "") for key, value in self.own_members(unit).items()}
            if found.get(self.id_key) is not None:
                values[self.id_key] = style.text(unit.id)
        if found.get(self.parent_key) is not None:
            values[self.parent_key] = style.dumps(above)
        return rewrite_object(item, found, values, style) if values else item

    def _relink(self, plan: Plan) -> int:
        """Sets parents and other members of records; how many records are changed for that alone."""
        relinked = 0
        for record, parent in self.parents.items():
            self.members.setdefault(record, {})[self.parent_key] = parent
        for record, members in sorted(self.members.items()):
            data = plan.changed.get(record)
            relinked += data is None
            item = self.item(record) if data is None else data
            found = scan_object(item)
            style = self.frame.with_ascii(False)
            plan.changed[record] = rewrite_object(item, found, {key: style.dumps(value) for key, value in members.items()}, style)
            words = ", ".join(members)
            self.writing.tally.notes.append((self.table.pointer(record), f"{words} changed with what stands around it"))
        return relinked

    def value(self, record: int) -> dict[str, Any]:
        """A record, decoded; {} where it is none."""
        try:
            value = loads(self.item(record))
        except NotJson:
            return {}
        return value if isinstance(value, dict) else {}


def digest(seed: str, length: int) -> str:
    """Hexadecimal digits that follow from a text."""
    return sha1(seed.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:length]
