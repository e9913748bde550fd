"""Transcripts of one file that share records, made to agree before the file is written.

A branch shares its beginning with its parent: the same records, the same bytes. What an edit drops or changes there it drops or changes for
all that hold it. A call and its result leave together: where one of them is dropped so, a branch loses the other one of its own as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.dump import Dump
from app.model.table import Ints
from app.model.transcript import Transcript
from app.pipeline.diff import edited
from app.pipeline.link import link


def agreed(dump: Dump, transcripts: Sequence[Transcript]) -> list[Transcript]:
    """The transcripts (aligned with `dump.transcripts`) as they will be read back: rows that one of them dropped are dropped from all,
    content and fields that one of them changed are changed for all. Where two changed one row, the one that stands first wins."""
    agreeing = list(transcripts)
    for _ in transcripts:  # what a branch loses with what it shares, its own branches lose as well
        before, agreeing = agreeing, _agreed(dump, agreeing)
        if all(one is other for one, other in zip(before, agreeing, strict=True)):
            break
    return agreeing


def _agreed(dump: Dump, transcripts: Sequence[Transcript]) -> list[Transcript]:
    changed = [i for i, (t, base) in enumerate(zip(transcripts, dump.transcripts, strict=True)) if edited(t, base)]
    if not changed or len(transcripts) == 1:
        return list(transcripts)
    lost = np.zeros(len(dump.table), bool)
    shared = np.zeros(len(dump.table), np.int32)  # how many of the changed ones hold a row
    for i in changed:
        base = dump.transcripts[i].order
        lost[base[~np.isin(base, transcripts[i].order)]] = True
        shared[base] += 1
    found = []
    for i, one in enumerate(transcripts):
        alone = shared <= (i in changed)
        found.append(_agreed_one(one, i, transcripts, changed, lost, alone))
    return found


def _agreed_one(one: Transcript, index: int, all_: Sequence[Transcript], changed: Sequence[int], lost: Ints, alone: Ints) -> Transcript:
    """`alone`: rows that no other changed transcript holds."""
    known = one.order < len(lost)
    gone = known & lost[np.where(known, one.order, 0)]
    if gone.any():
        partner = link(one).partner
        own = ~known | alone[np.where(known, one.order, 0)]
        gone |= own & (partner >= 0) & gone[np.maximum(partner, 0)]
    order = one.order[~gone]
    held = np.zeros(len(lost), bool)
    held[order[order < len(lost)]] = True
    fields, contents, content, changes = dict(one.fields), one.contents, one.content, False
    settled = np.zeros(len(lost), bool)  # rows whose words are those of a transcript that stands before
    for i in changed:
        touched = _touched(all_[i], len(lost)) & held & ~settled
        settled |= touched
        rows = np.flatnonzero(touched)
        if i == index or not len(rows) or _same(one, all_[i], rows):
            continue
        for row in rows.tolist():
            fields.pop(row, None)
            if row in all_[i].fields:
                fields[row] = all_[i].fields[row]
        new = np.full(len(one.table), -1, np.int16)
        if content is not None:
            new[: len(content)] = content
        theirs = all_[i].content
        given = theirs[rows] if theirs is not None else np.full(len(rows), -1, np.int16)
        new[rows] = np.where(given >= 0, given + len(contents), -1)
        contents, content, changes = (*contents, *all_[i].contents), new, True
    if not gone.any() and not changes:
        return one
    start = int((~gone[: one.start]).sum())
    return one.with_(order=order, start=start, fields=fields, contents=contents, content=content)


def _touched(one: Transcript, count: int) -> Ints:
    """Mask over the rows of the file: those whose words edits set."""
    mask = np.zeros(count, bool)
    mask[[row for row, values in one.fields.items() if row < count and values]] = True
    if one.content is not None:
        size = min(count, len(one.content))
        mask[:size] |= one.content[:size] >= 0
    return mask


def _same(one: Transcript, other: Transcript, rows: Ints) -> bool:
    """Whether two transcripts say the same of rows."""
    return all(one.fields.get(row) == other.fields.get(row) and one.content_of(row) == other.content_of(row) for row in rows.tolist())
