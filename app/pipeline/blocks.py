"""Decoding blocks for whoever looks at many: a record is parsed once for all of its blocks, the last few records are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from app.formats import FORMATS
from app.model.block import Block
from app.model.dump import Dump
from app.model.source import Source
from app.model.transcript import Transcript

RECORDS_KEPT = 32


class Blocks:
    """`blocks(row)` is the block of a row as the edits left it. ChangedError where the file has changed."""

    def __init__(self, source: Dump | Source, transcript: Transcript) -> None:
        self._source = source.source if isinstance(source, Dump) else source
        self._transcript = transcript
        self._format = FORMATS[transcript.table.format]
        self._touched = transcript.touched() | transcript.moved
        self._records: OrderedDict[int, Sequence[Block]] = OrderedDict()
        self._last: tuple[int, Any] = (-1, None)  # the record that was parsed last

    def value(self, record: int) -> Any:
        """A record as it was parsed."""
        if self._last[0] != record:
            self._last = record, self._format.value(self._transcript.table, self._source, record)
        return self._last[1]

    def __call__(self, row: int) -> Block:
        if row in self._transcript.made:
            return self._format.block(self._transcript, row, self._source)
        block = self._plain(row)
        return self._format.edited(block, self._transcript) if row in self._touched else block

    def _plain(self, row: int) -> Block:
        table = self._transcript.table
        record, part = int(table.record[row]), int(table.part[row])
        blocks = self._records.get(record)
        if blocks is None:
            blocks = self._records[record] = self._format.blocks(table, record, self.value(record), row - part)
            if len(self._records) > RECORDS_KEPT:
                self._records.popitem(last=False)
        if part >= len(blocks):
            return self._format.block(self._transcript, row, self._source)  # says that the file has changed
        return blocks[part]
