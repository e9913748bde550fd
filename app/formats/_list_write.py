"""A document's list of messages written from an edited order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.formats._context import Context
from app.formats._requests import Layout
from app.formats._runs import Run, Stretch
from app.formats._writing import Writing


class ListWriter:
    """`message` gives the bytes of a message that is written anew; `moved` those of one that stood beside the list and goes into it."""

    def __init__(
        self, context: Context, layout: Layout, message: Callable[[Run], list[bytes]], moved: Callable[[int, bytes], bytes]
    ) -> None:
        self._context = context
        self._layout = layout
        self._message = message
        self._moved = moved
        records = context.base.records
        self._offset = records.offset
        self._end = records.offset + records.length

    def write(self, writing: Writing, runs: Sequence[Run | Stretch]) -> None:
        """The whole list in place of the one that is there, brackets included; of a list that is cut off the torn rest as well."""
        layout, source = self._layout, self._context.source
        start, end = layout.messages
        first, count = layout.first, layout.count
        writing.copy(start, 1)
        begin = int(self._offset[first]) if count else -1
        finish = int(self._end[first + count - 1]) if count else start + 1
        lead, gap, tail = self._frame()
        wrote = False
        for run in runs:
            for place, piece in self._pieces(run):
                if not wrote:
                    writing.copy(start + 1, begin - start - 1) if count else writing.put(lead)
                elif place > 0:
                    before, here = int(self._end[first + place - 1]), int(self._offset[first + place])
                    writing.copy(before, here - before)
                else:
                    writing.put(gap)
                wrote = True
                if isinstance(piece, bytes):
                    writing.put(piece)
                else:
                    writing.copy(piece[0], piece[1] - piece[0])
        if end >= 0:
            if count and wrote:
                writing.copy(finish, end - finish)
            else:
                writing.put(tail + b"]" if wrote else b"]")
        elif wrote or not layout.rest_in:
            writing.copy(finish, source.size - finish)
        else:
            writing.copy(layout.rest, source.size - layout.rest)

    def new(self, runs: Sequence[Run | Stretch]) -> bytes:
        """A list where there is none yet."""
        items = [
            piece if isinstance(piece, bytes) else self._context.source.read(piece[0], piece[1] - piece[0])
            for run in runs
            for _, piece in self._pieces(run)
        ]
        style = self._context.style
        return style.array(items, style.unit)

    def _pieces(self, run: Run | Stretch) -> list[tuple[int, tuple[int, int] | bytes]]:
        """What stands for a run, each with its place in the list as it was (-1: none): bytes, or a span of the file."""
        first, count = self._layout.first, self._layout.count
        if isinstance(run, Run):
            out = self._message(run)
            beside = run.record >= first + count
            place = -1 if beside or run.record < 0 else run.record - first
            return [(place if number == 0 else -1, self._moved(run.record, data) if beside else data) for number, data in enumerate(out)]
        start, end = int(self._offset[run.first]), int(self._end[run.last])
        if run.first < first + count:
            return [(run.first - first, (start, end))]
        return [(-1, self._moved(run.first, self._context.source.read(start, end - start)))]

    def _frame(self) -> tuple[bytes, bytes, bytes]:
        """Before the first message, between two, behind the last: as the file has it, else in its style."""
        layout, source, style = self._layout, self._context.source, self._context.style
        first, count = layout.first, layout.count
        if count:
            begin = int(self._offset[first])
            lead = source.read(layout.messages[0] + 1, begin - layout.messages[0] - 1)
            if count > 1:
                before, here = int(self._end[first]), int(self._offset[first + 1])
                return lead, source.read(before, here - before), b""
            return lead, b"," + lead if b"\n" in lead or b"\r" in lead else style.comma.encode(), b""
        if not style.unit:
            return b"", style.comma.encode(), b""
        inner = (style.newline + self._context.level).encode()
        return inner, b"," + inner, inner[: len(inner) - len(style.unit)]
