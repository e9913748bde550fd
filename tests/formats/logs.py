"""What every format that keeps messages in envelopes promises when it is written: a law, for the tests of each."""

from __future__ import annotations

import random
from typing import Any

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, Move, SetRequest
from app.model.source import Source
from app.pipeline.apply import apply
from app.providers import PROVIDERS
from tests.formats.edits import _edit, state


def round_trip(name: str, data: bytes, seed: int, most: int = 3) -> tuple[Dump, Dump, list[Edit], Any]:
    """Some random edits of one conversation, exported and opened again: what was in memory comes back, and so does every other one.
    The dump, the one that was read again, the edits and what was written are given back, for what the format asserts beside it."""
    format = FORMATS[name]
    dump = format.parse(Source.of(data))
    transcripts, done = list(dump.transcripts), list[Edit]()
    if transcripts:
        r = random.Random(seed)
        index = r.randrange(len(transcripts))
        edited = transcripts[index]
        for _ in range(r.randrange(1, most + 1)):
            edit = _edit(edited, r)
            if edit is None or isinstance(edit, SetRequest) or (isinstance(edit, Move) and edited.walls):
                continue
            edited = apply(edited, [Change("an edit", "rule:none", "loses", (edit,))], PROVIDERS[format.provider]).transcript
            done.append(edit)
        transcripts[index] = edited
    writing = format.write_plan(dump, transcripts)
    again = format.parse(Source.of(b"".join(writing.chunks())))
    wanted = [state(dump, transcript) for transcript in transcripts if len(transcript.order)]
    assert [state(again, transcript) for transcript in again.transcripts if len(transcript.order)] == wanted, done
    tally = writing.tally
    assert tally.same + tally.changed + tally.dropped == sum(dump.records.values()), done
    return dump, again, done, writing


def unchanged(name: str, data: bytes) -> Dump:
    """Without an edit the file comes back byte for byte."""
    format = FORMATS[name]
    dump = format.parse(Source.of(data))
    writing = format.write_plan(dump, dump.transcripts)
    assert b"".join(writing.chunks()) == data
    assert writing.tally.same == sum(dump.records.values())
    return dump
