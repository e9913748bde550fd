"""Documents of Gemini's wire written back: the answers beside the contents, wherever a wrapper puts them, are changed where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats._gemini_contents import rewrite
from app.formats._gemini_heads import edited_heads
from app.formats._gemini_stream import stream_parts
from app.formats._json import loads
from app.formats._list_write import ListWriter
from app.formats._requests_write import RequestWriter
from app.formats._runs import Run, Stretch
from app.formats._scan import scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.transcript import Transcript


class GeminiWriter(RequestWriter):
    """An answer is a candidate's content, or the chunks that it came in. Chunks are copied as long as nothing in them is edited; an
    edited one is written as a content of the list, and what it came in is emptied."""

    def __init__(self, dump: Dump, edited: Transcript) -> None:
        super().__init__(dump, edited, rewrite)
        self._streams = frozenset(self.base.extra["streams"])
        self._replaced: list[tuple[int, int, bytes]] = []  # stretches of the source and what takes their place
        if self.layout.single:
            self.list = _Single(self.context, self.layout, self._message, self._moved)

    def plan(self) -> Writing:
        writing = super().plan()
        for start, end, data in self._replaced:
            writing.replace(start, end, data)
        return writing

    def _split(self, runs: list[Run | Stretch]) -> tuple[list[Run | Stretch], dict[int, Run | None]]:
        listed, placed = super()._split(runs)
        moved = [record for record, run in placed.items() if run is not None and record in self._streams]
        if not moved:
            return listed, placed
        first = min(moved)  # what stands before an answer that goes into the list goes with it
        back = sorted(record for record in placed if record <= max(moved))
        for record in back:
            run = placed.pop(record)
            listed.append(Stretch(record, record) if run is None else run)
        assert first in self._streams
        return listed, placed

    def _heads(self) -> dict[str, bytes | None]:
        return edited_heads(self.context, self.layout)

    def _moved(self, record: int, data: bytes) -> bytes:
        """An answer as a content of the list: the role of the model is said there."""
        if record in self._streams and data[:1] != b"{":
            style, level = self.context.style, self.context.level
            return style.dumps({"role": "model", "parts": stream_parts(loads(data))}, level)
        if data[:1] != b"{":
            return data
        content = scan_object(data)
        if content.get("role") is not None:
            return data
        return rewrite_object(data, content, {"role": self.context.style.text("model")}, self.context.style_of(data, content))

    def _answers(self, placed: dict[int, Run | None], values: dict[str, bytes | None]) -> None:
        changes: dict[int, bytes | None] = {}
        for record, start, end in self.layout.lasts:
            run = placed.get(record)
            if record in placed and run is None:
                continue
            if record in self._streams:
                self._replaced.append((start, end, b'""' if self.dump.source.read(start, 1) == b'"' else b"[]"))
                continue
            out = self._message(run) if run is not None else []
            offset = int(self.base.records.offset[record])
            if out:
                self._replaced.append((offset, offset + int(self.base.records.length[record]), out[0]))
            else:
                changes[start] = None
        for start, end in self.base.extra["candidates"]:
            gone = {place for place in changes if start <= place < end}
            if gone:
                self._without(start, end, gone)

    def _without(self, start: int, end: int, gone: set[int]) -> None:
        """A list of candidates without some of them; those that stay may be changed themselves."""
        data = self.dump.source.read(start, end - start)
        array = scan_array(data)
        inside = [change for change in self._replaced if start <= change[0] and change[1] <= end]
        self._replaced = [change for change in self._replaced if change not in inside]
        items: list[Item] = []
        for number, (first, last) in enumerate(array.spans):
            if start + first in gone:
                continue
            one = data[first:last]
            for begin, stop, new in inside:
                if start + first <= begin and stop <= start + last:
                    one = one[: begin - start - first] + new + one[stop - start - first :]
            items.append((number, one))
        self._replaced.append((start, end, rewrite_array(data, array, items, self.context.style)))


class _Single(ListWriter):
    """One content in place of the list: it stays one while nothing stands beside it."""

    def write(self, writing: Writing, runs: Sequence[Run | Stretch]) -> None:
        pieces = [piece for run in runs for _, piece in self._pieces(run)]
        if len(pieces) != 1:
            writing.put(self.new(runs))
        elif isinstance(pieces[0], bytes):
            writing.put(pieces[0])
        else:
            writing.copy(pieces[0][0], pieces[0][1] - pieces[0][0])
