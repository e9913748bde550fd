"""One block, or one record's bytes, when somebody looks at it."""

from __future__ import annotations

from app.formats import FORMATS
from app.model.block import Block
from app.model.dump import Dump
from app.model.source import Source
from app.model.table import Table
from app.model.transcript import Transcript


def block(source: Dump | Source, transcript: Transcript, row: int) -> Block:
    """A row of a transcript, decoded, with the edits that were laid over it. ChangedError where the file has changed."""
    file = source.source if isinstance(source, Dump) else source
    return FORMATS[transcript.table.format].block(transcript, row, file)


def raw(source: Dump | Source, table: Table, record: int) -> bytes:
    """The bytes of a record as they stand in the file."""
    file = source.source if isinstance(source, Dump) else source
    return file.read(int(table.records.offset[record]), int(table.records.length[record]))
