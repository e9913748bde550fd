"""Transcripts of one file that share records, made to agree before the file is written.

A branch shares its beginning with its parent: the same records, the same bytes. What an edit drops or changes there it drops or changes for
all that hold it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.dump import Dump
from app.model.table import Ints
from app.model.transcript import Transcript
from app.pipeline.diff import edited


def agreed(dump: Dump, transcripts: Sequence[Transcript]) -> list[Transcript]:
    """The transcripts (aligned with `dump.transcripts`) as they will be read back: rows that one of them dropped are dropped from all,
    content and fields that one of them changed are changed for all. Where two changed one row, the one that stands first wins."""
    changed = [i for i, (t, base) in enumerate(zip(transcripts, dump.transcripts, strict=True)) if edited(t, base)]
    if not changed or len(transcripts) == 1:
        return list(transcripts)
    lost = np.zeros(len(dump.table), bool)
    for i in changed:
        base = dump.transcripts[i].order
        lost[base[~np.isin(base, transcripts[i].order)]] = True
    return [_agreed_one(t, i, transcripts, changed, lost) for i, t in enumerate(transcripts)]


def _agreed_one(one: Transcript, index: int, all_: Sequence[Transcript], changed: Sequence[int], lost: Ints) -> Transcript:
    known = one.order < len(lost)
    gone = known & lost[np.where(known, one.order, 0)]
    order = one.order[~gone]
    held = np.zeros(len(one.table), bool)
    held[order] = True
    fields, contents, content = dict(one.fields), one.contents, one.content
    touched = False
    for i in changed:
        if i == index:
            continue
        other = all_[i]
        for row, values in other.fields.items():
            if row < len(lost) and held[row] and row not in fields:
                fields[row] = values
                touched = True
        if other.content is None:
            continue
        rows = np.flatnonzero(other.content[: len(lost)] >= 0)
        rows = rows[held[rows]]
        if content is not None:
            rows = rows[content[rows] < 0]
        if not len(rows):
            continue
        new = np.full(len(one.table), -1, np.int16)
        if content is not None:
            new[: len(content)] = content
        new[rows] = other.content[rows] + len(contents)
        contents, content, touched = (*contents, *other.contents), new, True
    if not gone.any() and not touched:
        return one
    start = int((~gone[: one.start]).sum())
    return one.with_(order=order, start=start, fields=fields, contents=contents, content=content)
