"""What must hold of any bytes at all: they open or are refused in one line; they are written back as they came; records add up; what is
shown can be looked at and judged; nothing takes long."""

from __future__ import annotations

import time
from itertools import islice

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.source import Source
from app.pipeline import load, look
from app.pipeline.check import check
from app.pipeline.names import judge_of, provider_named
from app.pipeline.unwrap import rewrap
from app.pipeline.view import make_view

SECONDS = 2.0  # of CPU
LOOKED_AT = 40  # blocks, from either end
JUDGED = 3  # transcripts


class Broken(AssertionError):
    """A promise that was not kept."""


def trial(data: bytes, name: str) -> str:
    """Tries everything on some bytes; the format that they opened as, "" where they were refused in one line."""
    start = time.process_time()
    try:
        dump = load.load(Source.of(data, name))
    except InspectorError as error:
        if "\n" in str(error) or len(str(error)) > 600:
            raise Broken(f"not one line: {error}") from None
        return ""
    _written_back(dump, data)
    _adds_up(dump)
    for transcript in islice(dump.transcripts, JUDGED):
        provider = provider_named(judge_of(dump.table))
        view = make_view(transcript, None, provider, frozenset(), dump.source)
        check(view, provider, transcript.model, dump.mode or FORMATS[dump.format].mode, dump.source)
        rows = transcript.order.tolist()
        for row in [*rows[:LOOKED_AT], *rows[-LOOKED_AT:]]:
            look.block(dump, transcript, row)
    spent = time.process_time() - start
    if spent > SECONDS:
        raise Broken(f"took {spent:.1f} s")
    return dump.format


def _written_back(dump: Dump, data: bytes) -> None:
    format = FORMATS[dump.format]
    if format.writable and b"".join(rewrap(dump.source, format.write_plan(dump, dump.transcripts)).chunks()) != data:
        raise Broken(f"{dump.format}: not written back as it came")


def _adds_up(dump: Dump) -> None:
    counts = dump.records
    if set(counts) != {"shown", "hidden", "unparsed"} or min(counts.values()) < 0:
        raise Broken(f"{dump.format}: records {counts}")
    rows = [len(set(transcript.order.tolist())) == len(transcript.order) for transcript in dump.transcripts]
    if not all(rows):
        raise Broken(f"{dump.format}: a row stands twice in one transcript")
