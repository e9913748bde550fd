"""Documents of OpenAI's Responses written back: where one string stands in place of the list, or where the newest item comes first."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats._list_write import ListWriter
from app.formats._requests_write import RequestWriter
from app.formats._responses_write import rewrite
from app.formats._runs import Run, Stretch
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.transcript import Transcript


class ItemsWriter(RequestWriter):
    """Plans the export of a request, a response or a list of items."""

    answers = "output"

    def __init__(self, dump: Dump, edited: Transcript) -> None:
        super().__init__(dump, edited, rewrite)
        if self.layout.single:
            self.list = SingleWriter(self.context, self.layout, self._message, self._moved)

    def _count(self, runs: Sequence[Run | Stretch], records: int) -> None:
        super()._count(runs, records)
        if self.layout.key == "output" and self.tally.inserted:
            what = "the answer's list `output` now holds what the model did not say; send it as `input`"
            self.tally.notes.append((None, what))


class SingleWriter(ListWriter):
    """The value of `input` where it is a string: it stays one while one text is all that there is, else it becomes a list."""

    def write(self, writing: Writing, runs: Sequence[Run | Stretch]) -> None:
        source, style = self._context.source, self._context.style
        found = [
            piece if isinstance(piece, bytes) else source.read(piece[0], piece[1] - piece[0])
            for run in runs
            for _, piece in self._pieces(run)
        ]
        if len(found) == 1 and found[0][:1] == b'"':
            writing.put(found[0])
            return
        level = style.unit
        inner = level + style.unit
        members = [style.object([("role", b'"user"'), ("content", item)], inner) if item[:1] == b'"' else item for item in found]
        writing.put(style.array(members, level))
