"""Documents written back: what no edit touched is copied from the file, byte for byte.

The document is walked along its top-level members. The list of messages is written from the edited order: stretches of records that
stand as they are, with what stands between them, and messages that are written anew. Everything else is copied, but for members
that an edit of the request, of a system text or of a tool definition changes. Messages beside the list (an answer) are changed where
they stand; one that others follow goes into the list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from app.formats._context import Context
from app.formats._frame import context_of, top_level_style
from app.formats._heads import edited_heads
from app.formats._list_write import ListWriter
from app.formats._requests import Layout
from app.formats._runs import Run, Runs, Stretch, untouched
from app.formats._scan import scan_array, scan_object
from app.formats._splice import Item, rewrite_array, set_pointer
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.edits import DELETE
from app.model.transcript import Transcript

Rewrite = Callable[[Context, Run], list[bytes]]
"""Writes a message anew: mostly one, none where nothing of it is left, several where its wire wants that."""

Tokens = tuple[str, ...]


ANSWER_ONLY: Final = frozenset({
    "id", "object", "created", "usage", "system_fingerprint", "stop_reason", "stop_sequence", "stop_details", "stopReason", "metrics",
    "usageMetadata", "responseId", "createTime", "promptFeedback",
})  # fmt: skip
"""Members of an answer's document that no request has."""
ANSWER_LISTS: Final = ("choices", "candidates")


class RequestWriter:
    """Plans the export of one document."""

    answers: ClassVar[str] = "choices"  # the list in which answers stand beside the messages

    def __init__(self, dump: Dump, edited: Transcript, rewrite: Rewrite) -> None:
        self.dump, self.edited = dump, edited
        self.base = dump.table
        layout = self.base.extra["layout"]
        assert isinstance(layout, Layout)
        self.layout = layout
        self.list_key = layout.key
        self.writing = Writing(dump.source)
        self.tally = self.writing.tally
        self._rewrite = rewrite
        self.context = context_of(dump, edited, layout)
        self.inner, self.outer = self._pointers()
        self.list = ListWriter(self.context, layout, self._message, self._moved)

    def plan(self) -> Writing:
        records = self.layout.count + len(self.layout.lasts) + self._torn
        if untouched(self.dump.transcripts[0], self.edited):
            self.writing.copy(0, self.dump.source.size)
            self.tally.same = records
            return self.writing
        runs = list(Runs(self.base, self.edited, frozenset(self.inner)))
        if self.layout.reverse:
            runs = [part for run in reversed(runs) for part in _backwards(run)]
        listed, placed = self._split(runs)
        self._count(runs, records)
        if self.layout.messages[0] >= 0 and self.layout.member < 0:
            self._bare_list(listed)
        else:
            self._object(listed, placed)
        return self.writing

    @property
    def _torn(self) -> int:
        """1 where a rest that could not be read is a record, else 0."""
        return int(0 <= self.layout.rest < self.dump.source.size)

    # -- what there is to do ------------------------------------------------------------------------------------------------

    def _pointers(self) -> tuple[dict[int, list[tuple[Tokens, Any]]], dict[str, list[tuple[Tokens, Any]]]]:
        """Edits of the request by pointer: those inside a message, by record, and those of top-level members, by key."""
        inner: dict[int, list[tuple[Tokens, Any]]] = {}
        outer: dict[str, list[tuple[Tokens, Any]]] = {}
        for pointer, value in self.edited.request.items():
            record, tokens = self._inside(tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]))
            if record >= 0:
                inner.setdefault(record, []).append((tokens, value))
            elif tokens:
                outer.setdefault(tokens[0], []).append((tokens[1:], value))
        return inner, outer

    def _inside(self, tokens: Tokens) -> tuple[int, Tokens]:
        """The record that a pointer leads into and what is left of the pointer there; -1 where it leads into none."""
        layout = self.layout
        if layout.messages[0] >= 0:
            depth = 1 if layout.member >= 0 else 0
            if len(tokens) > depth + 1 and tokens[:depth] == (self.list_key,) * depth and tokens[depth].isdigit():
                number = int(tokens[depth])
                return (layout.first + number if number < layout.count else -1), tokens[depth + 1 :]
        for record, start, _ in layout.lasts:
            place = tuple(self.base.pointer(record).split("/")[1:])
            if start >= 0 and len(tokens) > len(place) and tokens[: len(place)] == place:
                return record, tokens[len(place) :]
        return -1, tokens

    def _split(self, runs: list[Run | Stretch]) -> tuple[list[Run | Stretch], dict[int, Run | None]]:
        """What goes into the list, and what stays beside it by record (None: as it stands): the last messages, while nothing follows."""
        placed: dict[int, Run | None] = {}
        if not self.layout.lasts:
            return runs, placed
        beside = self.layout.lasts[0][0]
        runs = [part for run in runs for part in _parted(run, beside)]
        before = len(self.base.records)
        everything = list(runs)
        while runs:
            run = runs[-1]
            record = run.first if isinstance(run, Stretch) else run.record
            if not beside <= record < before:
                break
            placed[record] = None if isinstance(run, Stretch) else run
            before = record
            runs.pop()
        if runs and self.layout.messages[0] < 0 and self.layout.lasts[0][1] < 0:  # a document that is its message holds no other
            return everything, {}
        return runs, placed

    def _count(self, runs: Sequence[Run | Stretch], records: int) -> None:
        tally = self.tally
        seen: set[int] = set()
        for run in runs:
            if isinstance(run, Stretch):
                tally.same += run.last - run.first + 1
            elif run.record < 0 or run.record in seen:
                tally.inserted += 1
            else:
                seen.add(run.record)
                tally.changed += 1
        tally.same += self._torn
        tally.dropped = max(0, records - tally.same - tally.changed)

    # -- messages -----------------------------------------------------------------------------------------------------------

    def _message(self, run: Run) -> list[bytes]:
        """A message written anew, with the edits of the request that point into it."""
        out = self._rewrite(self.context, run)
        for tokens, value in self.inner.get(run.record, ()):
            out = [set_pointer(data, tokens, value, self.context.style) for data in out]
        return out

    def _moved(self, record: int, data: bytes) -> bytes:
        """An answer as a message of the list: one that is the document itself leaves all but role and content behind."""
        if not any(number == record and start < 0 for number, start, _ in self.layout.lasts):
            return data
        message = scan_object(data)
        kept = [(member.key, data[member.start : member.end]) for member in message.members if member.key in ("role", "content")]
        return self.context.style.object(kept, self.context.level)

    # -- the document -------------------------------------------------------------------------------------------------------

    def _bare_list(self, listed: Sequence[Run | Stretch]) -> None:
        """A document that is the list. Edits of the request make it an object that holds the list."""
        writing, (start, end) = self.writing, self.layout.messages
        style = self.context.style
        writing.copy(0, start)
        if self.outer:
            values = self._values({})
            members = [(key, value) for key, value in values.items() if value is not None]
            writing.put(b"".join(style.text(key) + style.colon.encode() + value + b", " for key, value in members).join((b"{", b"")))
            writing.put(style.text(self.list_key) + style.colon.encode())
            self.tally.notes.append((None, f"a bare list has no place for a request's members; it is written under {self.list_key}"))
        self.list.write(writing, listed)
        if end >= 0:
            writing.put(b"}" if self.outer else b"")
            writing.copy(end, self.dump.source.size - end)

    def _object(self, listed: Sequence[Run | Stretch], placed: dict[int, Run | None]) -> None:
        """A document that is an object: its members one by one."""
        layout, writing, source = self.layout, self.writing, self.dump.source
        values = self._values(placed)
        keys = [member[0] for member in layout.members]
        added = {key: value for key, value in values.items() if value is not None and key not in keys}
        if layout.messages[0] < 0 and listed:
            self._drop_answer(values, placed)
            added[self.list_key] = self.list.new(listed)
            self.tally.notes.append((None, f"an answer holds one message; with what follows it, it is written as the list {self.list_key}"))
        opening = layout.root[0] + 1
        lead, gap = self._gaps()
        style = top_level_style(source, layout)
        extra = [style.text(key) + style.colon.encode() + value for key, value in added.items()]
        writing.copy(0, opening)
        writing.put(lead)
        wrote = False
        if layout.root[1] < 0 and extra:  # the document is not closed: what is added stands in front
            writing.put(gap.join(extra))
            wrote, extra = True, []
        last = {key: number for number, key in enumerate(keys)}
        for number, (key, key_start, start, end) in enumerate(layout.members):
            changed = key in values and last[key] == number and number != layout.member
            if key in values and values[key] is None and number != layout.member:
                continue
            if wrote and number:
                before = layout.members[number - 1][3]
                writing.copy(before, key_start - before)
            elif wrote:
                writing.put(gap)
            writing.copy(key_start, start - key_start)
            wrote = True
            if number == layout.member:
                self.list.write(writing, listed)
            elif changed:
                writing.put(values[key] or b"")
            else:
                writing.copy(start, end - start)
        writing.put((gap if wrote else b"") + gap.join(extra) if extra else b"")
        closing = layout.members[-1][3] if layout.members else opening
        if closing >= 0:  # a list that is cut off brought the rest of the file with it
            writing.copy(closing, source.size - closing)

    def _gaps(self) -> tuple[bytes, bytes]:
        """What stands before the first top-level member and between two."""
        layout, source = self.layout, self.dump.source
        opening = layout.root[0] + 1
        if not layout.members:
            return b"", b", "
        lead = source.read(opening, layout.members[0][1] - opening)
        if len(layout.members) > 1 and layout.members[0][3] >= 0:
            end = layout.members[0][3]
            return lead, source.read(end, layout.members[1][1] - end)
        return lead, b"," + lead if b"\n" in lead or b"\r" in lead else b", "

    # -- members of the document --------------------------------------------------------------------------------------------

    def _values(self, placed: dict[int, Run | None]) -> dict[str, bytes | None]:
        """New values of top-level members by key; None: taken away."""
        values = self._heads()
        self.tally.notes += [(f"/{key}", "changed" if value is not None else "taken away") for key, value in values.items()]
        self._answers(placed, values)
        style = top_level_style(self.dump.source, self.layout).with_ascii(self.context.ascii)
        for key, edits in self.outer.items():
            for tokens, value in edits:
                held = values[key] if key in values else self._member(key)
                if not tokens:
                    values[key] = None if value is DELETE else style.dumps(value, style.unit)
                elif held is not None or value is not DELETE:
                    values[key] = set_pointer(held or b"{}", tokens, value, style)
            self.tally.notes.append((f"/{key}", "taken away" if values.get(key) is None else "changed"))
        return values

    def _heads(self) -> dict[str, bytes | None]:
        """New values of the members that hold system text and tool definitions."""
        return edited_heads(self.context, self.layout)

    def _member(self, key: str) -> bytes | None:
        """The bytes of a top-level member."""
        found = [(start, end) for name, _, start, end in self.layout.members if name == key and end >= 0]
        return self.dump.source.read(found[-1][0], found[-1][1] - found[-1][0]) if found else None

    def _answers(self, placed: dict[int, Run | None], values: dict[str, bytes | None]) -> None:
        """The messages beside the list: changed where they stand, or taken away."""
        changes: dict[int, bytes | None] = {}
        for record, start, end in self.layout.lasts:
            run = placed.get(record)
            if record in placed and run is None:
                continue
            out = self._message(run) if run is not None else []
            if start < 0:
                self._root_answer(out, values)
            else:
                choice = self.dump.source.read(start, end - start)
                where = int(self.base.records.offset[record]) - start
                stop = where + int(self.base.records.length[record])
                changes[start] = choice[:where] + out[0] + choice[stop:] if out else None
        if not changes:
            return
        held = self._member(self.answers)
        base = next(start for key, _, start, _ in reversed(self.layout.members) if key == self.answers)
        assert held is not None
        array = scan_array(held)
        items: list[Item] = []
        for number, (start, _) in enumerate(array.spans):
            if base + start not in changes:
                items.append(number)
            elif (changed := changes[base + start]) is not None:
                items.append((number, changed))
        values[self.answers] = rewrite_array(held, array, items, self.context.style)

    def _root_answer(self, out: list[bytes], values: dict[str, bytes | None]) -> None:
        """An answer that is the document itself."""
        if not out:
            values["content"] = b"[]"
            return
        message = scan_object(out[0])
        for key in ("role", "content"):
            member = message.get(key)
            values[key] = out[0][member.start : member.end] if member is not None else None

    def _drop_answer(self, values: dict[str, bytes | None], placed: dict[int, Run | None]) -> None:
        """Takes away what made the document an answer, once its message stands in a list: no request has these members. What names the
        model stays."""
        if any(start < 0 for _, start, _ in self.layout.lasts):
            values.update({"role": None, "content": None, "type": None})
        if placed or not self.layout.lasts:
            return
        gone = [key for key in dict.fromkeys(member[0] for member in self.layout.members) if key in ANSWER_ONLY]
        gone += [key for key in ANSWER_LISTS if values.get(key) == b"[]"]
        values.update(dict.fromkeys(gone))
        if gone:
            self.tally.notes.append((None, f"what only an answer has was left out: {', '.join(gone)}"))


def _backwards(run: Run | Stretch) -> list[Run | Stretch]:
    """The records of a stretch one by one, the last one first."""
    return [run] if isinstance(run, Run) else [Stretch(record, record) for record in range(run.last, run.first - 1, -1)]


def _parted(run: Run | Stretch, beside: int) -> list[Run | Stretch]:
    """A stretch with the records from `beside` on each by itself."""
    if isinstance(run, Run) or run.last < beside:
        return [run]
    head: list[Run | Stretch] = [Stretch(run.first, beside - 1)] if run.first < beside else []
    return head + [Stretch(record, record) for record in range(max(run.first, beside), run.last + 1)]
