"""An edited Claude Code session, written line by line: lines that no edit touched are copied.

What stands between lines is kept as well: how they end, blank lines, a missing end of the last one. Beside the blocks that were edited:

- A record whose rows are all gone is left out; what hung on it hangs on what it hung on (`_claude_links.py`, which also says where a line
  is left behind that says nothing).
- A record that an edit makes takes its envelope from its neighbour. Its uuid follows from its place, so that the same edit always writes
  the same bytes.
- `toolUseResult` is Claude Code's own copy of a result. Where the result's text is replaced the copy becomes that text; where it is gone or
  stands elsewhere now, so is the copy. Else an export would still hold what it says was removed.
- What a wall says of the talk that it keeps, and a title of the record that it is about, follows (`_claude_kept.py`).

Before a byte is written the lines are tried: where they would not be read as what is in memory the export is refused, with what it is that
the file cannot hold (`_claude_trial.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from app.formats._claude_asked import ask
from app.formats._claude_kept import keep
from app.formats._claude_lay import lay
from app.formats._claude_lines import LineWriter
from app.formats._claude_links import link
from app.formats._claude_plan import Laid, Plan, Unit
from app.formats._claude_shape import Shape
from app.formats._claude_tree import leaf_of
from app.formats._claude_trial import trouble
from app.formats._runs import untouched
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.errors import RefusedError
from app.model.transcript import Transcript


def write(dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
    """The bytes of an edited session. RefusedError where the file cannot hold what the edits ask for, in words."""
    pairs = [(base, edited) for base, edited in zip(dump.transcripts, transcripts, strict=True) if not untouched(base, edited)]
    pairs.sort(key=lambda pair: not (pair[1].made or pair[1].moved))  # what makes or moves says where; others that share it follow
    writing = Writing(dump.source)
    if not pairs:
        writing.copy(0, dump.source.size)
        writing.tally.same = len(dump.table.records)
        return writing
    shape = Shape(dump)
    _Pieces(shape, _planned(shape, transcripts, pairs), writing).write()
    return writing


def _planned(shape: Shape, transcripts: Sequence[Transcript], pairs: Sequence[tuple[Transcript, Transcript]]) -> Plan:
    """What is done to the file, tried. Where the record from which a resume would go on is gone, its line may have to be left: else
    another conversation would be the one that goes on."""
    leaf = leaf_of(shape.lines, shape.tree.within)
    found = None
    for marks in ((), (leaf,)):
        plan = Plan()
        ask(shape, plan, [edited for _, edited in pairs])
        laid: list[Laid] = []
        for base, edited in pairs:
            laid.append(lay(shape, plan, base, edited, laid))
        if marks and leaf not in plan.gone | plan.moved:
            break
        link(shape, plan, laid, marks)
        keep(shape, plan)
        again = trouble(shape, plan, transcripts, {one.index: one for one in laid})
        if again is None:
            return plan
        found = found or again
    raise RefusedError(f"{shape.source.name}: not written: a Claude Code session cannot hold this ({found})")


class _Pieces:
    """The lines of a plan, in order. `open`: the line that was written last has not ended yet."""

    def __init__(self, shape: Shape, plan: Plan, writing: Writing) -> None:
        self.plan, self.writing, self.tally = plan, writing, writing.tally
        self.source, self.records = shape.source, shape.table.records
        self.shape = shape
        self.lines = LineWriter(shape, plan, writing.tally)
        self.open = False

    def write(self) -> None:
        plan, writing = self.plan, self.writing
        offsets, lengths, places = self.records.offset.tolist(), self.records.length.tolist(), self.records.place.tolist()
        ends = [*offsets[1:], self.source.size]
        writing.copy(0, offsets[0])
        asked = sorted({
            *plan.gone, *plan.moved, *plan.ahead, *plan.before, *plan.behind, *plan.changed, *plan.parents, *plan.logical, *plan.kept,
            *plan.titles, *plan.apart, *self.shape.renamed,
        })  # fmt: skip
        at = 0
        for record in asked:
            if record > at:
                writing.copy(offsets[at], ends[record - 1] - offsets[at])
                self.tally.same += record - at
                self.open = places[record] == places[record - 1]
            at = record + 1
            if self.open and record in plan.apart and not plan.away(record):
                self._end()
            self._units(plan.in_front(record))
            self._record(record, offsets[record], offsets[record] + lengths[record], ends[record])
        if at < len(offsets):
            writing.copy(offsets[at], self.source.size - offsets[at])
            self.tally.same += len(offsets) - at

    def _end(self) -> None:
        """Ends the line that is open."""
        self.writing.put(self._newline)
        self.open = False

    def _units(self, units: Iterable[Unit]) -> None:
        for unit in units:
            self.writing.put((self._newline if self.open else b"") + self.lines.unit(unit) + self._newline)
            self.open = False

    def _record(self, record: int, start: int, end: int, then: int) -> None:
        """One record, and what stands behind its line. It ends at `end`; the next one begins at `then`."""
        self._line(record, start, end)
        rest = self._after_line(end, then)
        behind = self.plan.behind.get(record, [])
        if behind and end == self.source.size:  # a last line without an end: what is put behind it has none either
            for unit in behind:
                self.writing.put((self._newline if self.open else b"") + self.lines.unit(unit))
                self.open = True
            return
        if self.open and rest > end:
            self.writing.copy(end, rest - end)
            self.open = False
        self._units(behind)
        self.writing.copy(rest, then - rest)

    def _line(self, record: int, start: int, end: int) -> None:
        plan, writing, tally = self.plan, self.writing, self.tally
        if plan.away(record):
            tally.dropped += record in plan.gone
            if record in plan.aside:
                writing.aside.append(self.source.read(start, end - start))
            return
        self.open = True
        data = self.lines.standing(record) if record in plan.stands else self.lines.line(record)
        if record in plan.stands:
            if record in plan.gone:
                tally.changed += 1
            else:  # its message stands elsewhere, in the record's own line
                tally.inserted += 1
        else:
            tally.same += data is None
        if data is None:
            writing.copy(start, end - start)
        else:
            writing.put(data)

    def _after_line(self, start: int, end: int) -> int:
        """Where the end of a line that ends at `start` ends."""
        gap = self.source.read(start, min(2, end - start))
        return start + (2 if gap == b"\r\n" else 1 if gap[:1] == b"\n" else 0)

    @cached_property
    def _newline(self) -> bytes:
        end = int(self.records.offset[0] + self.records.length[0])
        return b"\r\n" if self.source.read(end, 2) == b"\r\n" else b"\n"
